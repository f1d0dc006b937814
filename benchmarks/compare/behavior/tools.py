"""How each tool takes a frame and climbs, as its documentation shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.compare.peers import load_peer

Found = dict[str, Any]


def _same(frame: Any) -> Any:
    return frame


@dataclass(frozen=True)
class Tool:
    """What is called, in this order: states, take, climb."""

    take: Callable[[Any], Any]
    climb: Callable[[Any], Found]
    states: Callable[[Any], Any] = _same  # what the documentation has done to a frame first
    with_threads: Callable[[Any, int], Found] | None = None
    long: Callable[[Any], Found] | None = None  # a longer search than `climb`
    columns: int = 27  # of the network that it is asked about again and again


def load_tool(name: str) -> Tool:
    """Return a tool, with its library imported."""
    return {
        "dagscape": _dagscape,
        "pgmpy": _pgmpy,
        "pyagrum": _pyagrum,
        "pybnesian": _pybnesian,
        "causal_learn": _causal_learn,
    }[name]()


def _dagscape() -> Tool:
    import dagscape as ds

    def with_threads(data: Any, threads: int) -> Found:
        return {
            "arcs": ds.hill_climb(data, score="bic", threads=threads).dag.arcs,
            "undirected": (),
        }

    def long(data: Any) -> Found:
        return {
            "arcs": ds.hill_climb(data, score="bic", restarts=10**6, threads=1).dag.arcs,
            "undirected": (),
        }

    climb = load_peer("dagscape").hill_climbing
    return Tool(ds.Data, climb, with_threads=with_threads, long=long)


def _pgmpy() -> Tool:
    import pgmpy.causal_discovery  # noqa: F401

    return Tool(_same, load_peer("pgmpy").hill_climbing)


def _pyagrum() -> Tool:
    import pyagrum as gum

    climb = load_peer("pyagrum").hill_climbing

    def with_threads(learner: Any, threads: int) -> Found:
        learner.setNumberOfThreads(threads)
        answer: Found = climb(learner)
        return answer

    gum.setNumberOfThreads(1)
    return Tool(gum.BNLearner, climb, with_threads=with_threads)


def _pybnesian() -> Tool:
    import pybnesian  # noqa: F401

    # Discrete columns must be categories, says its documentation.
    return Tool(_same, load_peer("pybnesian").hill_climbing, lambda frame: frame.astype("category"))


def _causal_learn() -> Tool:
    import causallearn.search.ScoreBased.GES  # noqa: F401

    # It has no hill climbing, and takes an array.
    def take(frame: Any) -> Any:
        return tuple(frame.columns), frame.to_numpy()

    return Tool(take, load_peer("causal_learn").ges_bdeu, _codes, columns=10)


def _codes(frame: Any) -> Any:
    """Return codes of the states as floating-point numbers; what is missing stays so."""
    coded = frame.apply(lambda column: column.astype("category").cat.codes.astype(float))
    return coded.where(frame.notna())
