"""The searches that samples of the data can be given to, each under its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dagscape.results import Result
from dagscape.search import ges, hill_climb, kes, order_search
from dagscape.search.exact import exact

if TYPE_CHECKING:
    from dagscape.problem import Problem

RESTARTS = 5
"""Climbs of an order search: on ALARM x 5,000 they end at the optimum, in a moment."""

SEARCHES: dict[str, Callable[..., Result]] = {
    "ges": ges,
    "kes": kes,
    "exact": exact,
    "order": partial(order_search, restarts=RESTARTS, generations=0),
    "hill_climb": hill_climb,
}
"""Every search by its name; learning is of a later layer and adds itself."""


def search_by_name(name: str, problem: Problem, limits: Mapping[str, Any], **own: Any) -> Result:
    """Run a search with what it takes of the limits: seed, seconds, threads, memory, progress."""
    if name not in SEARCHES:
        import_module("dagscape.learning")
    search = SEARCHES[name]
    known = inspect.signature(search).parameters
    return search(problem, **own, **{name: limits[name] for name in limits if name in known})
