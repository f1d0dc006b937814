"""The searches that samples of the data can be given to, each under its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dagscape.results import Result
from dagscape.scores import Score
from dagscape.search import ges, hill_climb, kes, order_search
from dagscape.search.exact import exact

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.knowledge import Knowledge
    from dagscape.search.exact.known_cuts import Beginning


@dataclass(frozen=True)
class Asked:
    """What is searched for on the data and on every sample of them."""

    score: Score
    k: float
    max_parents: int | None
    knowledge: Knowledge | None

    @property
    def question(self) -> dict[str, Any]:
        """The same, as every search takes it."""
        return {"score": self.score, "max_parents": self.max_parents, "knowledge": self.knowledge}


Search = Callable[["Data", Asked, "Dag | Beginning | None", dict[str, Any]], Result]
"""Takes a table, what is asked, what the whole table left if that is known, and limits: seed,
seconds, threads, memory, progress."""

SEARCHES: dict[str, Search] = {}
"""Every search by its name; those of later layers add themselves."""


RESTARTS = 5
"""Climbs of an order search."""


def _search(name: str) -> Callable[[Search], Search]:
    def add(search: Search) -> Search:
        SEARCHES[name] = search
        return search

    return add


@_search("ges")
def _by_ges(data: Data, asked: Asked, _: Dag | Beginning | None, limits: dict[str, Any]) -> Result:
    return ges(data, **asked.question, **_known(limits, "time_limit", "progress"))


@_search("kes")
def _by_kes(data: Data, asked: Asked, _: Dag | Beginning | None, limits: dict[str, Any]) -> Result:
    own = _known(limits, "time_limit", "progress", "seed")
    return kes(data, k=asked.k, **asked.question, **own)


@_search("exact")
def _by_exact(
    data: Data, asked: Asked, start: Dag | Beginning | None, limits: dict[str, Any]
) -> Result:
    return exact(data, start=start, **asked.question, **limits)


@_search("order")
def _by_order(
    data: Data, asked: Asked, _: Dag | Beginning | None, limits: dict[str, Any]
) -> Result:
    # A few climbs: on ALARM x 5,000 they end at the optimum, in a hundredth of a second.
    return order_search(data, restarts=RESTARTS, generations=0, **asked.question, **limits)


@_search("hill_climb")
def _by_hill_climb(
    data: Data, asked: Asked, _: Dag | Beginning | None, limits: dict[str, Any]
) -> Result:
    # It begins without arcs: from the network found, it would confirm what it was told.
    own = {name: limit for name, limit in limits.items() if name != "max_memory"}
    return hill_climb(data, **asked.question, **own)


def search_of(name: str) -> Search:
    """Return the search of this name.

    Learning is of a later layer, adds itself when it is imported, and need not have been.
    """
    if name not in SEARCHES:
        import_module("dagscape.learning")
    return SEARCHES[name]


def _known(limits: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: limits[name] for name in names if name in limits}
