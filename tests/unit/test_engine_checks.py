"""Whatever the engine would take on trust is refused in a sentence where it comes in."""

from collections.abc import Callable

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer


class Given:
    """A small problem with three variables, and things made for it or for two."""

    def __init__(self) -> None:
        data = ds.Data({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1], "c": [0, 1, 1, 0]})
        self.bic, self.k2 = scorer(data, "bic"), scorer(data, "k2")
        self.free, self.other = _core.Constraints(3, 2), _core.Constraints(2, 1)
        self.climb = _core.HillClimbOptions(0, 1, False, 0, 1, 0, 1)
        self.rules = _core.PruningRules()
        self.lists, _ = _core.sequential_selection(
            self.bic, self.free, self.rules, "auto", "auto", 1
        )
        (self.component,) = _core.components(self.lists, False)


@pytest.fixture(scope="module")
def given() -> Given:
    return Given()


UNKNOWN = "^there is no variable 3$"
TWICE = "^a variable is listed twice$"
NO_ORDER = "^not an order of the variables$"
OTHER = "^the constraints are for another number of variables$"


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda g: g.bic.local(3, []), UNKNOWN),
        (lambda g: g.bic.local(0, [3]), UNKNOWN),
        (lambda g: g.bic.local(0, [1, 1]), TWICE),
        (lambda g: g.free.require(3, 0), UNKNOWN),
        (lambda g: g.free.require(0, 3), UNKNOWN),
        (lambda g: g.free.forbid(3, 0), UNKNOWN),
        (lambda g: g.free.forbid(0, 3), UNKNOWN),
        (lambda g: g.lists.size(3), UNKNOWN),
        (lambda g: _core.BestParents(g.lists).best(0, [3]), UNKNOWN),
        (lambda g: _core.BestParents(g.lists).best(3, []), UNKNOWN),
        (lambda _: _core.BestParentGraph(3, [(0, 3, 1.0)]), UNKNOWN),
        (lambda _: _core.Dag(3, []).parents(3), UNKNOWN),
        (lambda g: _core.pack_lists(g.lists, [3]), UNKNOWN),
        (lambda g: _core.grown_parents(g.bic, g.free, 3, []), UNKNOWN),
        (lambda g: _core.sll(g.bic, [3], "blankets", [], 20, 5, 1), UNKNOWN),
        (lambda g: _core.improve_windows(g.lists, [0, 1], 2), NO_ORDER),
        (lambda g: _core.improve_windows(g.lists, [0, 1, 1], 2), TWICE),
        (lambda g: _core.improve_order(g.component, [0, 1, 3], 0, _core.Gap()), UNKNOWN),
        (lambda g: _core.polish_parents(g.bic, g.free, [0], [[], [], []], 1), NO_ORDER),
        (
            lambda g: _core.polish_parents(g.bic, g.free, [0, 1, 2], [[]], 1),
            "^there must be a set for each variable$",
        ),
        (lambda g: _core.polish_parents(g.bic, g.other, [0, 1, 2], [[], [], []], 1), OTHER),
        (lambda g: _core.restricted(g.lists, g.other), OTHER),
        (lambda g: _core.hill_climb(g.bic, g.other, _core.Dag(3, []), g.climb), OTHER),
        (
            lambda g: _core.hill_climb(g.bic, g.free, _core.Dag(2, []), g.climb),
            "^the start is for another number of variables$",
        ),
        (
            lambda g: _core.ges(g.k2, True, False),
            "^search over equivalence classes needs a score that equivalent networks share$",
        ),
        (
            lambda g: _core.sll(g.k2, [0], "blankets", [], 20, 5, 1),
            "^local learning needs a score that equivalent networks share$",
        ),
        (
            lambda _: _core.KesOptions(0.8, neighborhood="near"),
            '^unknown neighborhood "near"; choose auto, exact or sampled$',
        ),
        (
            lambda _: _core.feature_weights("edges", 3, [], []),
            '^unknown feature "edges"; choose directed, undirected, paths or blankets$',
        ),
    ],
)
def test_what_the_engine_cannot_use(
    given: Given, ask: Callable[[Given], object], says: str
) -> None:
    with pytest.raises(ds.ParameterError, match=says):
        ask(given)
