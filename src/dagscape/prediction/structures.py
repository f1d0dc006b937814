"""Structures to predict with, by name: what a table is turned into a graph by."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.learning.learn import learn
from dagscape.prediction.baselines import naive, tree_augmented
from dagscape.results import Result
from dagscape.search import ges, hill_climb, kes, mmhc, order_search
from dagscape.search.exact import exact
from dagscape.variables import check_name, suggest

if TYPE_CHECKING:
    from dagscape.data import Data

Search: TypeAlias = "Callable[[Data], Result | Dag]"
Structure: TypeAlias = "str | Dag | Search"

SEARCHES: Mapping[str, Callable[..., Result]] = {
    "hill_climb": hill_climb,
    "exact": exact,
    "ges": ges,
    "kes": kes,
    "learn": learn,
    "mmhc": mmhc,
    "order_search": order_search,
}
"""The searches that can be asked for by name."""
BASELINES: Mapping[str, Callable[[Data, str], Dag]] = {"naive": naive, "tan": tree_augmented}
"""Structures that are made for one target."""


@dataclass(frozen=True)
class StructureMaker:
    """What makes the graph of a table, checked before the first table comes."""

    structure: Structure
    target: str
    settings: Mapping[str, Any]

    @property
    def words(self) -> str:
        """How the graph is made, as it is told."""
        if isinstance(self.structure, Dag):
            return "a given graph"
        if isinstance(self.structure, str):
            return self.structure
        return getattr(self.structure, "__name__", type(self.structure).__name__)

    def __call__(self, data: Data) -> Dag:
        """Return the graph; Ctrl-C during a search ends all that would have followed."""
        if isinstance(self.structure, Dag):
            return self.structure
        found: Any
        if isinstance(self.structure, str) and self.structure in BASELINES:
            found = BASELINES[self.structure](data, self.target)
        elif isinstance(self.structure, str):
            found = SEARCHES[self.structure](data, **self.settings)
        else:
            found = self.structure(data)
        if isinstance(found, Result):
            if found.stopped == "interrupt":
                raise KeyboardInterrupt
            return found.dag
        if isinstance(found, Dag):
            return found
        raise ParameterError(
            f"structure must return a Result or a Dag, got {type(found).__name__} from {self.words}"
        )


def structure_maker(
    structure: Structure, target: str, settings: Mapping[str, Any], seed: int = 0
) -> StructureMaker:
    """Check how structures are to be made: a name, a graph or a function."""
    if not isinstance(structure, str):
        if not isinstance(structure, Dag) and not callable(structure):
            raise ParameterError(
                "structure must be the name of a search, a Dag or a function of a table, "
                f"got {type(structure).__name__}"
            )
        if settings:
            raise ParameterError(
                f"{next(iter(settings))} is a setting of a search that is named; structure is "
                "a graph or a function, and takes none"
            )
        return StructureMaker(structure, target, {})
    check_name("structure", structure, (*BASELINES, *SEARCHES))
    known = settings_of(structure)
    for name in settings:
        if name not in known:
            raise ParameterError(f"{structure} has no setting {name}{suggest(name, known)}")
    # Predictions need the network alone, so learn does not ask how far to trust it.
    given = {"runs": 0, "resamples": 0, **settings} if structure == "learn" else dict(settings)
    made = {"seed": seed, **given} if "seed" in known else given
    return StructureMaker(structure, target, made)


def settings_of(structure: str) -> list[str]:
    """Return the settings that a structure with a name takes; none for one that is unknown."""
    if structure not in SEARCHES:
        return []
    return [x for x in inspect.signature(SEARCHES[structure]).parameters if x != "data"]
