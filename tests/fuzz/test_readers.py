"""Every reader, on thousands of damaged files: it reads them, or says in its own words why not.

Nothing else may come of a file: no other exception, no end of the process, no great deal of memory.
`make fuzz` reads a hundred times as many.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

import dagscape as ds
from dagscape.cli.folder import Folder
from dagscape.graph_files import read_edges
from mutations import json_mutations, mutations, sql_mutations

CASES, MANY = 100, 10_000
RUN = {"data": "0", "k": 0.8, "knowledge": None, "seed": 0}


class Target(NamedTuple):
    """A kind of file: its name, good ones of it, and what reads and uses it."""

    name: str
    good: Callable[[Path], list[bytes]]
    read: Callable[[Path], object]


@cache
def data() -> ds.Data:
    return ds.load_network("asia").sample(60, seed=1)


@cache
def result() -> ds.Result:
    known = ds.Knowledge(forbidden=[("lung", "bronc")])
    return ds.exact(data(), max_parents=2, knowledge=known)


def written(name: str, *ways: Callable[[Path], object]) -> Callable[[Path], list[bytes]]:
    """Return what writes a file in each of some ways, and gives its bytes."""

    def good(folder: Path) -> list[bytes]:
        contents = []
        for write in ways:
            path = folder / name
            write(path)
            contents.append(path.read_bytes())
        return contents

    return good


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "word": ["a", "b", None, "c"] * 10,
            "whole": [1, 2, 3, 4] * 10,
            "real": [1.5, 2.5, None, 3.5] * 10,
            "truth": [True, False] * 20,
            "level": pl.Series(["x", "y"] * 20, dtype=pl.Categorical),
        }
    )


def write_network(path: Path) -> None:
    ds.load_network("asia").write(path)


def write_scores(path: Path) -> None:
    ds.candidate_parents(data(), max_parents=2).write(path)


def write_dag(path: Path) -> None:
    ds.write_graph(ds.load_network("asia"), path)


def write_cpdag(path: Path) -> None:
    graph = result().cpdag
    arcs = path.suffix in (".csv", ".tsv", ".dagitty")
    said = {pair: {"strength": 0.5, "n": 3, "w": "x"} for pair in graph.directed + graph.undirected}
    ds.write_graph(graph, path, edges=None if arcs else said)


def write_pag(path: Path) -> None:
    ds.write_graph(result().dag.to_pag(hidden=["bronc"]), path)


def write_store(path: Path) -> None:
    ds.local_optima(data(), k=0.3, runs=20, seed=5, threads=1, store=path)


def use_network(path: Path) -> None:
    ds.read_network(path).sample(2, seed=1)


def use_graph(path: Path) -> None:
    ds.read_graph(path)
    read_edges(path)


def use_table(path: Path) -> None:
    ds.read_data(path, missing="state", discretize=("quantile", 2))


def use_result(path: Path) -> None:
    found = ds.load_result(path)
    repr(found)
    found.to_dict()


def use_store(path: Path) -> None:
    try:
        landscape = ds.load_result(path, ds.Landscape)
        repr(landscape)
        for kind in ("edges", "paths", "blankets"):
            landscape.features(kind, weights="score")
        with suppress(ds.DagscapeError):
            ds.local_optima(data(), k=0.3, runs=20, seed=5, threads=1, store=path)
    finally:
        remove_logs(path)


def write_posterior(path: Path) -> None:
    few = data().select(["smoke", "lung", "bronc", "xray"])
    ds.posterior(few, max_parents=2, seed=1, threads=1).save(path)


def use_posterior(path: Path) -> None:
    try:
        found = ds.load_result(path, ds.Posterior)
        repr(found)
        for kind in ("arcs", "ancestors"):
            found.features(kind)
        found.networks(3)
        found.sample(2)
    finally:
        remove_logs(path)


def remove_logs(path: Path) -> None:
    for other in path.parent.glob(f"{path.name}-*"):
        other.unlink()


TEXTS = (
    b"a,b,c\n" + b'1,"x ""y""",2.5\n2,"z\nz",3.5\n1,u,1e3\n' * 4,
    b"a,b\r\n" + b"'=1,-1\r\n-1,+\r\n" * 4 + b"\r\n",
)
KNOWLEDGE = (
    b'required = [["A", "B"]]\nforbidden = [["C", "A"], ["C", "B"]]\ntiers = [["A"], ["B", "C"]]\n'
    b"max_parents = {B = 2}\n",
    b"# a comment\n[max_parents]\nA = 1\n\"B.c\" = 0x2\n'D' = 3\n",
)
DOT = b'digraph "g" { edge [w=1]; a -> {b c} -> d:n [w=0.5]; subgraph s { "x" + "y" } /* */ }'
DAGITTY = b'dag { bb="0,0,1,1" x [exposure,pos="1,0"] x -> {y "z z"} <- u; /* */ u [latent] }'
GRAPHML = (
    b'<?xml version="1.0"?><!DOCTYPE graphml SYSTEM "x"><graphml><key id="d" for="edge" '
    b'attr.name="w" attr.type="long"><default>1</default></key><graph edgedefault="undirected">'
    b'<node id="n0"/><node id="n1"><data key="d">7</data></node><edge source="n0" target="n1"/>'
    b"</graph></graphml>"
)
RUN_JSON = json.dumps(
    {"kind": "run", "state": "done", "identity": RUN, "source": {}, "seconds_used": 1.5}
)


def write_checkpoint(path: Path) -> None:
    path.unlink(missing_ok=True)
    use_checkpoint(path)


def use_checkpoint(path: Path) -> None:
    assert Folder(path.parent, RUN).used >= 0
    ds.learn(data(), max_parents=1, runs=0, resamples=0, threads=1, checkpoint=path)


def network(name: str) -> Target:
    return Target(name, written(name, write_network), use_network)


def write_number_network(path: Path) -> None:
    net = ds.random_network(5, kind="mixed", neighbors=3, seed=1)
    net.write(path)


def number_network(name: str) -> Target:
    return Target(name, written(name, write_number_network), use_network)


def graph(name: str, *more: bytes) -> Target:
    good = written(name, write_dag, write_cpdag, write_pag)
    return Target(name, lambda folder: [*good(folder), *more], use_graph)


def table(name: str, *more: bytes) -> Target:
    good = written(name, data().write)
    return Target(name, lambda folder: [*good(folder), *more], use_table)


def scores(name: str) -> Target:
    return Target(name, written(name, write_scores), ds.read_parents)


TARGETS = [
    *map(network, ("n.bif", "n.xmlbif", "n.xdsl", "n.json", "n.bif.gz", "n.json.gz")),
    number_network("numbers.json"),
    graph("g.graphml", GRAPHML),
    graph("g.gml"),
    graph("g.dot", DOT),
    graph("g.dagitty", DAGITTY),
    Target("g.txt", lambda _: [b"[a][c][b|a:c]", DAGITTY], use_graph),
    *map(graph, ("g.csv", "g.tsv", "g.graphml.gz")),
    Target("g.tetrad", written("g.tetrad", write_dag, write_pag), use_graph),
    *map(scores, ("s.jkl", "s.pss", "s.jkl.gz")),
    table("d.csv", *TEXTS),
    table("d.csv.gz", *map(gzip.compress, TEXTS)),
    *map(table, ("d.tsv", "d.csv.zst", "d.parquet", "d.arrow", "d.feather")),
    Target("e.parquet", written("e.parquet", lambda path: frame().write_parquet(path)), use_table),
    Target(
        "e.arrow",
        written(
            "e.arrow",
            lambda path: frame().write_ipc(path),
            lambda path: frame().write_ipc(path, compression="zstd"),
            lambda path: frame().write_ipc_stream(path),
        ),
        use_table,
    ),
    Target("k.toml", lambda _: list(KNOWLEDGE), ds.read_knowledge),
    Target("r.json", written("r.json", lambda path: result().save(path)), use_result),
    Target("run.json", lambda _: [RUN_JSON.encode()], lambda path: Folder(path.parent, RUN)),
    Target("search.json", written("search.json", write_checkpoint), use_checkpoint),
    Target("runs.sqlite", written("runs.sqlite", write_store), use_store),
    Target("post.sqlite", written("post.sqlite", write_posterior), use_posterior),
]


def damaged(target: Target, good: bytes, path: Path, count: int, seed: int) -> Iterator[bytes]:
    """Yield damaged copies of a good file."""
    yield from mutations(good, count, seed)
    if target.name.endswith(".json"):
        yield from json_mutations(good, count, seed)
    if target.name.endswith(".sqlite"):
        path.write_bytes(good)
        for statement, values in sql_mutations(path, count, seed):
            path.write_bytes(good)
            with closing(sqlite3.connect(path)) as db, suppress(sqlite3.Error), db:
                db.execute(statement, values)
            yield path.read_bytes()


def read_all(target: Target, folder: Path, count: int, seed: int) -> tuple[int, int]:
    """Read damaged files; return how many there were, and how many were good enough."""
    path = folder / target.name
    files = [
        damaged(target, good, path, count, seed + number)
        for number, good in enumerate(target.good(folder))
    ]
    read = total = 0
    for content in chain.from_iterable(files):
        path.write_bytes(content)
        total += 1
        try:
            target.read(path)
            read += 1
        except (ds.DagscapeError, OSError):
            pass
        except BaseException as error:
            path.with_name(f"kept-{target.name}").write_bytes(content)
            raise AssertionError(f"kept-{target.name} in {folder} did it") from error
    return read, total


@pytest.fixture(autouse=True)
def _ignore_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_good_file_is_read(target, tmp_path):
    for good in target.good(tmp_path):
        path = tmp_path / target.name
        path.write_bytes(good)
        target.read(path)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_damaged_file_is_read_or_refused_in_our_words(target, tmp_path):
    before = most_memory()
    read, total = read_all(target, tmp_path, CASES, seed=1)
    assert 0 <= read < total
    assert most_memory() - before < 300_000_000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 10))
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_many_more(target, tmp_path, seed):
    read_all(target, tmp_path, MANY // 8, seed=1000 * seed)


def test_the_same_seed_damages_alike():
    good = RUN_JSON.encode()
    for damage in (mutations, json_mutations):
        one, other = (list(islice(damage(good, 50, 3), 50)) for _ in range(2))
        assert one == other
        assert len(set(one)) > 25


def most_memory() -> int:
    """Return the most memory that this process has had so far, in bytes; 0 if nobody tells."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
