"""Selections done in parts: put together, bit for bit what is done at once."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.parents.constraints import constrain
from dagscape.scores import scorer
from dagscape.selection import RULES
from limits import NO_TIME
from oracles.tables import mixed, table
from seeds import in_part

SCORES = [
    ds.BIC(),
    ds.AIC(),
    ds.BDeu(ess=1.0),
    ds.BDeu(ess=10.0),
    ds.K2(),
    ds.QNML(),
    ds.FittedDirichlet(),
    ds.FNML(),
    ds.LogLikelihood(),
]
FAMILIES = ["families_scored", *(f"pruned_by_{rule}" for rule in RULES)]
"""Counters that are of one child each, whoever else is done."""

few = settings(derandomize=True, deadline=None, max_examples=in_part(30))


@st.composite
def knowledge(draw, names):
    order = draw(st.permutations(names))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    required = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=min(2, len(pairs))))
    others = [(a, b) for a in order for b in order if a != b and (a, b) not in required]
    forbidden = draw(st.lists(st.sampled_from(others), unique=True, max_size=4)) if others else []
    child = draw(st.sampled_from(order))
    least = sum(b == child for _, b in required)
    limits = {child: draw(st.integers(least, len(names) - 1))} if draw(st.booleans()) else {}
    return ds.Knowledge(required=required, forbidden=forbidden, max_parents=limits)


def blocks_of(numbers):
    """Children by the number of their block."""
    return [[c for c, number in enumerate(numbers) if number == block] for block in range(3)]


def pruning(used=RULES):
    prune = _core.PruningRules()
    for rule in RULES:
        setattr(prune, rule, rule in used)
    return prune


def same(whole, parts):
    """Compare lists, claims and counters; both are lists with what was done."""
    lists, work = whole
    joined = _core.join_lists([part for part, _ in parts])
    joined.sort()
    assert _core.pack_lists(joined) == _core.pack_lists(lists)
    for counter in FAMILIES:
        assert sum(done[counter] for _, done in parts) == work[counter]


def only(part, block):
    """Whether the part has lists of these children and no others."""
    return [part.size(child) > 0 for child in range(part.variables)] == [
        child in block for child in range(part.variables)
    ]


class Case:
    """A sequential selection that can be done in parts."""

    def __init__(self, draw, score):
        self.data = mixed(draw(st.integers(0, 2**32 - 1)), draw(st.integers(2, 7)))
        self.n = self.data.n_variables
        known = draw(st.none() | knowledge(self.data.names))
        least = len(known.required) if known else 0
        most = draw(st.none() | st.integers(least, max(least, self.n - 1)))
        self.score = score
        self.constraints = constrain(self.data.variables, most, known)
        self.prune = pruning(draw(st.sets(st.sampled_from(RULES))))
        self.counting = draw(st.sampled_from(["auto", "bitmaps", "rows"]))
        self.most_together = draw(st.sampled_from([1, 2, 23]))

    def select(self, threads=1, **part):
        return _core.sequential_selection(
            scorer(self.data, self.score),
            self.constraints,
            self.prune,
            self.counting,
            "auto",
            threads,
            most_together=self.most_together,
            **part,
        )


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=st.data())
@few
def test_sequential_selection_by_children(score, data):
    case = Case(data.draw, score)
    blocks = blocks_of(data.draw(st.lists(st.integers(0, 2), min_size=case.n, max_size=case.n)))
    whole = case.select()
    parts = [case.select(1 + number % 2, children=block) for number, block in enumerate(blocks)]
    for block, (lists, work) in zip(blocks, parts, strict=True):
        assert only(lists, block)
        for fact in ("sizes_done_together", "sizes_from_bitmaps"):
            assert work[fact] == whole[1][fact]
        assert work["sets_counted"] <= whole[1]["sets_counted"]
    same(whole, parts)


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=st.data())
@few
def test_sequential_selection_by_shares(score, data):
    case = Case(data.draw, score)
    whole = case.select()
    count = data.draw(st.integers(1, 9))
    parts = [case.select(1 + part % 2, share=(part, count)) for part in range(count)]
    for _, work in parts:
        for fact in ("sizes_done_together", "sizes_from_bitmaps"):
            assert work[fact] == whole[1][fact]
    same(whole, parts)


@pytest.mark.parametrize("counting", ["bitmaps", "rows"])
@pytest.mark.parametrize("score", [ds.BIC(), ds.FNML()], ids=str)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(0, 13), min_size=2, max_size=2))
@settings(few, max_examples=in_part(8))
def test_parts_where_sets_are_deep(score, counting, seed, cuts):
    data = mixed(seed, 13, rows=120)
    order = _core.selection_order(scorer(data, "bic"))
    assert sorted(order) == list(range(13))

    def select(threads=1, **part):
        return _core.sequential_selection(
            scorer(data, score),
            constrain(data.variables, 4, None),
            pruning(["dominance"]),
            counting,
            "auto",
            threads,
            **part,
        )

    whole = select(2)
    smaller = sum(comb(13, size) for size in range(1, 5))
    first, second = sorted(cuts)
    blocks = [order[:first], order[first:second], order[second:]]
    parts = [select(children=block) for block in blocks]
    for block, (lists, work) in zip(blocks, parts, strict=True):
        assert only(lists, block)
        assert work["sets_counted"] == smaller + comb(13, 5) - comb(13 - len(block), 5)
    same(whole, parts)
    shares = [select(1 + part % 2, share=(part, 4)) for part in range(4)]
    assert sum(work["sets_counted"] - smaller for _, work in shares) == comb(13, 5)
    same(whole, shares)


def lopsided(balanced):
    """Columns of which few can have more than one parent."""
    rng = np.random.default_rng(5)
    codes = np.zeros((150, 100), int)
    codes[rng.integers(0, 150, 100), np.arange(100)] = 1
    codes[:, :: 100 // balanced] = rng.integers(0, 2, (150, balanced))
    return table(codes, [2] * 100)


@pytest.fixture(scope="module")
def wide():
    return lopsided(10)


def sequential(data, most=None, score=None, **part):
    return _core.sequential_selection(
        scorer(data, score or ds.BIC()),
        constrain(data.variables, most, None),
        pruning(),
        "auto",
        "auto",
        1,
        **part,
    )


@pytest.mark.parametrize(("balanced", "together"), [(1, 3), (10, 4)])
def test_what_is_done_together_is_decided_as_for_all(balanced, together):
    # Sets of three parents are sooner done child by child, unless there are many children to do.
    data = lopsided(balanced)
    whole = sequential(data, most=3)
    order = _core.selection_order(scorer(data, "bic"))
    parts = [sequential(data, most=3, children=block) for block in (order[:5], order[5:])]
    shares = [sequential(data, most=3, share=(part, 3)) for part in range(3)]
    for _, work in (whole, *parts, *shares):
        assert work["sizes_done_together"] == together
    same(whole, parts)
    same(whole, shares)


@pytest.mark.parametrize("independence", [True, False])
@pytest.mark.parametrize("score", SCORES, ids=str)
@given(data=st.data())
@settings(few, max_examples=in_part(15))
def test_best_first_selection_by_children(score, independence, data):
    drawn = mixed(data.draw(st.integers(0, 2**32 - 1)), data.draw(st.integers(2, 7)))
    n = drawn.n_variables
    known = data.draw(st.none() | knowledge(drawn.names))
    prune = pruning(data.draw(st.sets(st.sampled_from(RULES))))
    sets_each = data.draw(st.integers(1, 60))
    started = data.draw(st.booleans())
    numbers = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))

    def select(threads=1, **part):
        score_of = scorer(drawn, score)
        start = None
        if started:
            start, _ = _core.sequential_selection(
                score_of,
                constrain(drawn.variables, max(1, len(known.required) if known else 1), known),
                prune,
                "auto",
                "auto",
                1,
                **part,
            )
        return _core.best_first_selection(
            score_of,
            constrain(drawn.variables, None, known),
            independence,
            prune,
            sets_each,
            None,
            threads,
            start,
            **part,
        )

    whole = select()
    parts = [select(1 + i % 2, children=block) for i, block in enumerate(blocks_of(numbers))]
    for block, (lists, _) in zip(blocks_of(numbers), parts, strict=True):
        assert only(lists, block)
    same(whole, parts)


@pytest.mark.parametrize("limit", [{"seconds": NO_TIME}, {"max_bytes": 20_000}])
def test_a_limit_leaves_each_chosen_child_a_set(wide, limit):
    lists, work = sequential(wide, most=5, children=[10, 20], **limit)
    assert work["stopped"] in ("time", "memory")
    assert only(lists, [10, 20])
    assert not lists.exhaustive
    lists, work = _core.best_first_selection(
        scorer(wide, ds.BIC()),
        constrain(wide.variables, 5, None),
        True,
        pruning(),
        20,
        None,
        1,
        children=[10, 20],
        **limit,
    )
    assert only(lists, [10, 20])


@pytest.mark.parametrize("limit", [{"seconds": NO_TIME}, {"max_bytes": 20_000}])
def test_shares_that_a_limit_ends_have_a_set_of_each_child_together(wide, limit):
    parts = [sequential(wide, most=5, share=(part, 3), **limit) for part in range(3)]
    assert all(work["stopped"] in ("time", "memory") for _, work in parts)
    joined = _core.join_lists([lists for lists, _ in parts])
    assert only(joined, range(100))
    assert not joined.exhaustive


@pytest.mark.parametrize("share", [(2, 2), (0, 0), (3, 1)])
def test_a_share_must_be_one_of_the_parts(wide, share):
    with pytest.raises(ParameterError, match=f"got {share[0]} of {share[1]}"):
        sequential(wide, most=1, share=share)
    with pytest.raises(ParameterError, match="not both"):
        sequential(wide, most=1, share=(0, 2), children=[1])


def test_children_must_be_variables(wide):
    with pytest.raises(ParameterError, match="100"):
        sequential(wide, most=1, children=[100])
    with pytest.raises(ParameterError, match="twice"):
        sequential(wide, most=1, children=[3, 3])
    lists, work = sequential(wide, most=2, children=[])
    assert (lists.sets, work["families_scored"]) == (0, 0)
