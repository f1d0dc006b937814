"""Whatever is written ends in one sentence where it does not fit, and leaves nothing behind.

A limit on the size of files stands in for a full disk: writing fails at the same places.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dagscape as ds
from dagscape.cli.folder import Folder
from dagscape.learning import checkpoint
from dagscape.learning.checkpoint import Checkpoint
from limits import AMPLE

resource = pytest.importorskip("resource")

ROOM = 1_000  # bytes


@contextmanager
def little_room(room: int = ROOM) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "table.csv"
    ds.load_network("alarm").sample(300, seed=1).write(path)
    return path


SAMPLES = ["x.csv", "x.tsv", "x.csv.gz", "x.csv.zst", "x.parquet", "x.arrow", "x.feather"]
NETWORKS = ["x.bif", "x.bif.gz", "x.xmlbif", "x.json", "x.graphml", "x.gml", "x.dot"]
COMMANDS = [
    *(["sample", "alarm", "-n", "20000", "-o", name] for name in SAMPLES),
    *(["convert", "alarm", name] for name in NETWORKS),
    ["parents", "TABLE", "--max-parents", "1", "-o", "x.jkl"],
    ["parents", "TABLE", "--max-parents", "1", "-o", "x.pss"],
    ["exact", "TABLE", "--max-parents", "1", "--save", "x.json"],
    ["optima", "TABLE", "--runs", "2", "--max-parents", "1", "--store", "x.sqlite"],
    ["blanket", "TABLE", "--target", "HR", "-o", "x.png"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: f"{words[0]} {words[-1]}")
def test_a_file_that_does_not_fit_is_one_sentence_and_no_file(run, tmp_path, table, words):
    words = [str(table) if word == "TABLE" else word for word in words]
    with little_room():
        result = run(*words)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("dagscape: ")
    assert words[-1] in last
    assert any(reason in last for reason in ("File too large", "disk I/O error", "disk is full"))
    assert os.listdir(tmp_path) == []


def test_a_note_of_the_time_that_does_not_fit_ends_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "HEARTBEAT", 0.0)
    folder = Folder(tmp_path / "out", {"seed": 0})
    kept = Checkpoint(folder.search, {})  # in a folder that is not there
    kept.beat(1.0)
    with pytest.raises(ds.DagscapeError, match=r"search\.json. cannot be written"):
        kept.note(1.0)
    with pytest.raises(ds.DagscapeError, match=r"run\.json. cannot be written"):
        folder.enter("done")


def write_alarm(path: Path) -> None:
    net = ds.load_network("alarm")
    if path.name in SAMPLES:
        net.sample(20_000, seed=1).write(path)
    elif path.suffix in (".graphml", ".gml", ".dot"):
        ds.write_graph(net, path)
    else:
        net.write(path)


def test_a_file_that_was_there_stays_as_it_was(tmp_path):
    for name in (*SAMPLES, *NETWORKS):
        path = tmp_path / name
        path.write_bytes(b"as it was")
        with little_room(), pytest.raises(ds.DagscapeError, match="File too large"):
            write_alarm(path)
        assert path.read_bytes() == b"as it was"
    assert sorted(os.listdir(tmp_path)) == sorted((*SAMPLES, *NETWORKS))


@pytest.mark.slow
def test_learning_goes_on_where_a_full_disk_ended_it(run, tmp_path):
    ds.load_network("asia").sample(500, seed=1).write(tmp_path / "table.csv")
    words = ["learn", "table.csv", "--runs", "5", "--time-limit", AMPLE, "--out"]
    with little_room(60_000):  # enough for the runs, not for all that is found
        result = run(*words, "out")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith("cannot be written: File too large")
    assert (tmp_path / "out" / "runs.sqlite").exists()
    again, fresh = run(*words, "out"), run(*words, "fresh")
    assert again.exit_code == fresh.exit_code == 0
    names = ("network.json", "edges.csv")
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "fresh" / name).read_bytes()
