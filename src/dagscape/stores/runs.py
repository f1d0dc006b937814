"""What each of many runs found, kept in a SQLite file as soon as it is known.

Distinct graphs are kept once, each run says which one it found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.errors import FileFormatError, ParameterError
from dagscape.executors import Executor, Job
from dagscape.speech import setting
from dagscape.stores.work_store import FACTS, WorkStore, below

RUNS = (
    FACTS
    + """
CREATE TABLE models (id INTEGER PRIMARY KEY, graph BLOB NOT NULL UNIQUE, score REAL NOT NULL);
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models,
    steps INTEGER NOT NULL,
    better_classes INTEGER NOT NULL,
    sampled INTEGER NOT NULL
);
"""
)


WRONG = {
    "models": """typeof(graph) <> 'blob' OR typeof(score) <> 'real'
        OR score NOT BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308""",
    "runs": """run NOT BETWEEN 0 AND 1 << 62 OR model NOT IN (SELECT id FROM models)
        OR typeof(steps) <> 'integer' OR steps NOT BETWEEN 0 AND 1 << 40
        OR typeof(better_classes) <> 'integer' OR better_classes NOT BETWEEN 0 AND 1 << 40
        OR typeof(sampled) <> 'integer' OR sampled NOT BETWEEN 0 AND 1""",
}


class Run(NamedTuple):
    """What one run found, and the work it was."""

    run: int
    graph: bytes
    """The essential graph, in the engine's code."""
    score: float
    steps: int
    better_classes: int
    sampled: bool


class RunGraph(NamedTuple):
    """A graph that some runs found."""

    graph: bytes
    score: float
    visits: int
    first_run: int


class Store(WorkStore):
    """Many runs with the same settings; in a file, or in memory where it has no path."""

    KINDS: ClassVar[tuple[str, ...]] = ("local optima", "bootstrap")
    TABLES: ClassVar[str] = RUNS
    WRONG: ClassVar[Mapping[str, str]] = WRONG
    NUMBERED: ClassVar[tuple[str, str]] = ("runs", "run")

    def add(self, runs: Iterable[Run]) -> None:
        """Keep a batch of runs: all of it, on disk when this returns, or nothing."""
        batch = list(runs)
        with self._explained(), self._transaction():
            self._db.executemany(
                "INSERT OR IGNORE INTO models (graph, score) VALUES (?, ?)",
                [(run.graph, run.score) for run in batch],
            )
            self._db.executemany(
                "INSERT OR IGNORE INTO runs SELECT ?, id, ?, ?, ? FROM models WHERE graph = ?",
                [(r.run, r.steps, r.better_classes, int(r.sampled), r.graph) for r in batch],
            )

    def found(self, runs: int | None = None) -> list[RunGraph]:
        """Return the graphs that runs below this number found, best score first, then by graph."""
        variables = len(self.names)
        with self._explained():
            rows = self._db.execute(
                "SELECT graph, score, count(*), min(run) FROM runs JOIN models ON model = id "
                "WHERE run < ? GROUP BY model",
                (below(runs),),
            )
            found = [RunGraph(*row) for row in rows]
            try:
                for model in found:
                    _core.decode_graph(variables, model.graph)
            except FileFormatError as error:
                raise FileFormatError(f'"{self.path}" is damaged: {error}') from None
        return sorted(found, key=lambda model: (-model.score, model.graph))

    def work(self, runs: int | None = None) -> dict[str, int]:
        """Return the work of the runs below this number, added up."""
        names = ("steps", "better_classes")
        return {name: self._sum(f"coalesce(sum({name}), 0)", runs) for name in names}

    def sampled(self, runs: int | None = None) -> int:
        """Return in how many of the runs below this number neighbors were drawn, not listed."""
        return self._sum("coalesce(sum(sampled), 0)", runs)

    def beside(self) -> str:
        """Return what is told beside how many runs are done."""
        return f", {self.distinct():,} different ends"

    def distinct(self) -> int:
        """Return how many graphs were found by all runs."""
        with self._explained():
            return int(self._db.execute("SELECT count(*) FROM models").fetchone()[0])


def use_runs(runs: int) -> int:
    """Return how many runs there are to be, checked."""
    if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs < 1 << 62:
        raise ParameterError(f"{setting('runs')} must be a whole number from 1, got {runs!r}")
    return runs


def repeat(store: Store, runs: int, budget: Budget, executor: Executor, job: Job) -> str | None:
    """Do the runs that the store lacks; return what stopped it, if something did."""
    missing, tell_pieces = store.missing(runs), store.telling(budget.progress, runs, "run")
    stopped = executor.do(job, missing, store.add, tell_pieces, budget.deadline)
    budget.end(stopped)
    return None if store.count(runs) == runs else stopped
