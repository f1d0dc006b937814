"""Ctrl-C at any moment of any command: one line, 130, and only whole files are left."""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import dagscape as ds
from dagscape.cli.commands import COMMANDS as KNOWN
from dagscape.cli.folder import Folder
from listening import LISTENING, ended, moments

COMMANDS = {
    "learn": "learn t.csv --runs 30 --threads 1 --out o",
    "check": "check t.csv --fix -o k.csv",
    "examine": "examine n.bif t.csv -o x.json",
    "score": "score t.csv asia --by-variable",
    "sample": "sample asia -n 3000 -o s.csv",
    "compare": "compare asia n.bif",
    "convert": "convert asia g.graphml",
    "convert parquet": "convert t.parquet c.csv",
    "parents": "parents t.csv -o p.jkl",
    "exact": "exact t.csv --save r.json -o e.bif",
    "order": "order t.csv --save r.json -o e.bif",
    "optima": "optima t.csv --runs 40 --threads 1 --store l.sqlite -o b.bif",
    "features": "features t.csv --runs 40 --threads 1 --store f.sqlite",
    "posterior": "posterior t.csv --save p.sqlite",
    "blanket": "blanket t.csv --target lung -o b.svg",
    "report": "report given.json --data t.csv -o r.html",
    "query": "query asia lung --given smoke=yes --given xray=yes",
    "predict": "predict n.bif t.csv --target lung -o q.csv",
    "effect": "effect t.csv smoke dysp",
}
GIVEN = ("t.csv", "t.parquet", "n.bif", "given.json")
DEMO = {"demo": "demo --out d"}  # takes seconds
FEW = {"optima": (0.6,), "learn": (0.3, 0.8)}
MANY = (-0.1, -0.5, -0.9, *(i / 20 for i in range(20)))  # imports are negative


@pytest.mark.long
def test_every_command_is_here():
    said = {words.split()[0] for words in (COMMANDS | DEMO).values()}
    assert said | {"mcp"} == set(KNOWN)  # which ends with its input


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """A folder with what the commands read."""
    folder = tmp_path_factory.mktemp("given")
    data = ds.load_network("asia").sample(400, seed=1)
    data.write(folder / "t.csv")
    data.write(folder / "t.parquet")
    ds.load_network("asia").write(folder / "n.bif")
    ds.exact(data).save(folder / "given.json")
    return folder


def whole_database(path: Path) -> None:
    """See that nothing is broken; what it holds is read when learning goes on from it."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]


READERS: dict[str, Callable[[Path], object]] = {
    ".csv": pl.read_csv,
    ".bif": ds.read_bif,
    ".pdf": lambda path: path.read_bytes().rstrip().index(b"%%EOF"),
    ".parquet": ds.read_data,
    ".svg": lambda path: path.read_text("utf-8").rstrip().index("</svg>"),
    ".html": lambda path: path.read_text("utf-8").rstrip().index("</html>"),
    ".jkl": ds.read_parents,
    ".graphml": ds.read_graph,
    ".txt": lambda path: path.read_text("utf-8"),
    "network.json": ds.read_network,
    "run.json": lambda path: Folder(path.parent, {}),
    "search.json": lambda path: ds.learn(
        ds.read_data(path.parents[1] / "t.csv"), runs=0, checkpoint=path
    ),
    "search-choices.json": lambda path: json.loads(path.read_text("utf-8")),
    ".json": ds.load_result,
    "p.sqlite": ds.load_result,
    "search-posterior.sqlite": ds.load_result,
    "search-posterior-plain.sqlite": ds.load_result,
    "search-stability.sqlite": whole_database,
    ".sqlite": ds.load_result,
}


def problem(path: Path) -> str:
    """Return what is wrong with a file that a command left; a store may be without runs."""
    if path.is_dir() or (path.name == "search.json" and path.parent.name == "d"):
        return ""  # demo writes its table elsewhere
    read = READERS.get(path.name) or READERS[path.suffix]
    try:
        read(path)
    except ds.DagscapeError as error:
        return "" if "no run" in str(error) else str(error)
    return ""


@pytest.fixture
def again(spawn, given, tmp_path):
    """Start a command in a clean folder that has what it reads."""

    def start(words: str, program: list[str]) -> subprocess.Popen[bytes]:
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(given, tmp_path, dirs_exist_ok=True)
        return spawn(*words.split(), program=program)

    return start


def check_end(process: subprocess.Popen[bytes], folder: Path, files: set[Path]) -> int:
    """See that a command that was told Ctrl-C ended well, whether or not it was done."""
    end = ended(process)
    assert end.code in (0, 130), end
    left = set(folder.rglob("*"))
    assert left <= files, "something was left behind"
    if end.code == 0:
        assert left == files
    else:
        assert b"interrupted" in end.err or b"stopped by Ctrl-C" in end.err + end.out
    wrong = {path.name: problem(path) for path in left if path.name not in GIVEN}
    assert not any(wrong.values()), wrong
    return end.code


def press_by_calls(words, again, tmp_path, tmp_path_factory, shares):
    told = tmp_path_factory.mktemp("told") / "calls"
    programs = moments(functools.partial(again, words), told, shares)
    files = set(tmp_path.rglob("*"))  # of a run to the end
    codes = [check_end(again(words, program), tmp_path, files) for program in programs]
    assert codes[0] == 130


@pytest.mark.parametrize("name", FEW)
def test_at_a_few_moments(name, again, tmp_path, tmp_path_factory):
    press_by_calls(COMMANDS[name], again, tmp_path, tmp_path_factory, FEW[name])


@pytest.mark.long
@pytest.mark.parametrize("words", (COMMANDS | DEMO).values(), ids=COMMANDS | DEMO)
def test_at_many_moments(words, again, tmp_path, tmp_path_factory):
    press_by_calls(words, again, tmp_path, tmp_path_factory, MANY)


@pytest.mark.long
@pytest.mark.parametrize("words", (COMMANDS | DEMO).values(), ids=COMMANDS | DEMO)
def test_at_any_time(words, again, tmp_path):
    """By the clock, since the engine calls no Python function while it works."""
    begun = time.monotonic()
    assert ended(again(words, LISTENING)).code == 0
    whole, files = time.monotonic() - begun, set(tmp_path.rglob("*"))
    for part in range(1, 21):
        process = again(words, LISTENING)
        try:
            process.wait(timeout=part / 20 * whole)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        check_end(process, tmp_path, files)


@pytest.mark.long
def test_killed_at_many_moments_learn_ends_where_an_undisturbed_one_does(
    again, spawn, tmp_path, tmp_path_factory
):
    words, told = COMMANDS["learn"], tmp_path_factory.mktemp("told") / "calls"
    shares = [i / 20 for i in range(1, 20)]
    programs = moments(functools.partial(again, words), told, shares, signal.SIGKILL)
    whole = outcome(tmp_path / "o")
    for program in programs:
        assert ended(again(words, program)).code == -signal.SIGKILL
        assert ended(spawn(*words.split())).code == 0
        assert outcome(tmp_path / "o") == whole


def outcome(folder: Path) -> tuple[object, ...]:
    """Return what does not depend on time."""
    result = ds.load_result(folder / "result.json")
    return (
        (result.dag, result.score, result.claim, result.method),
        ds.load_result(folder / "runs.sqlite", ds.Landscape).optima,
        (folder / "edges.csv").read_text(),
        (folder / "network.bif").read_text(),
    )
