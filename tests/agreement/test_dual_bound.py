"""Bounds from multipliers of cuts against brute force, exactly where rounding counts."""

import math
import random
from fractions import Fraction

import pytest

from dagscape import _core
from oracles import exact as oracle
from oracles.candidate_sets import (
    KINDS,
    coefficient,
    component,
    least_regret,
    random_lists,
    sorted_regrets,
    wanting,
)
from seeds import in_part


def value_of(multipliers, regrets, fixed=None):
    """The bound by its definition; with a child and place fixed, of networks that have this set."""
    total = sum(Fraction(cut[4]) * Fraction(cut[2]) for cut in multipliers)
    for child, sets in enumerate(regrets):
        reduced = [
            regret - sum(Fraction(cut[4]) * coefficient(cut, child, parents) for cut in multipliers)
            for regret, parents in sets
        ]
        total += reduced[fixed[1]] if fixed and fixed[0] == child else min(reduced)
    return total


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_are_never_above_the_optimum(kind):
    rng = random.Random(kind)
    positive = 0
    for _ in range(in_part(400)):
        part = component(random_lists(rng, kind))
        regrets = sorted_regrets(part)
        best = least_regret(regrets)
        gap = _core.Gap()
        bound = _core.DualBound(part)
        for rounds in (0, 5):
            bound.raise_bound(gap, rounds)
            if best == math.inf:
                continue
            # Without an incumbent nothing is dropped, so that both hold for all networks.
            assert Fraction(bound.bound) <= best
            assert Fraction(gap.bound) <= best
            exactly = value_of(bound.multipliers(), regrets)
            assert Fraction(bound.bound) <= exactly <= best
            scale = 1 + sum(float(sets[-1][0]) for sets in regrets)
            assert float(exactly) - bound.bound <= 1e-12 * scale
        positive += best not in (0, math.inf) and bound.bound > 0
        if best == math.inf:
            assert gap.closed
            assert not gap.chosen
    assert positive > in_part(50) or kind in ("constant", "empty only")


@pytest.mark.parametrize("kind", ["plain", "ties", "extreme"])
def test_every_cut_holds_in_every_network(kind):
    rng = random.Random(f"cuts {kind}")
    cuts = tables = 0
    for _ in range(150):
        part = component(random_lists(rng, kind, variables=(3, 5)))
        bound = _core.DualBound(part)
        bound.raise_bound(_core.Gap(), 8)
        n = len(part.variables)
        for cut in bound.multipliers():
            cuts += 1
            tables += bool(cut[3])
            # All sets, not only the candidates: what holds for these holds for networks.
            families = [
                [(coefficient(cut, v, p), p) for p in oracle.subsets(set(range(n)) - {v})]
                for v in range(n)
            ]
            assert least_regret(families) >= Fraction(cut[2]) - Fraction(1e-8)
            assert cut[4] > 0
    assert cuts > 30
    assert tables > 0 or kind != "plain"


def test_credits_are_those_of_the_definition():
    rng = random.Random(0)
    for _ in range(100):
        part = component(random_lists(rng, "plain", variables=(3, 6)))
        bound = _core.DualBound(part)
        bound.raise_bound(_core.Gap(), 3)
        n = len(part.variables)
        for child in range(n):
            for parents in oracle.subsets(set(range(n)) - {child}):
                expected = sum(
                    Fraction(c[4]) * coefficient(c, child, parents) for c in bound.multipliers()
                )
                credit = bound.credit(child, sorted(parents))
                assert credit == pytest.approx(float(expected), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", ["plain", "ties", "extreme"])
def test_no_set_of_a_better_network_is_dropped(kind):
    rng = random.Random(f"drop {kind}")
    dropped = 0
    for _ in range(in_part(150)):
        part = component(random_lists(rng, kind))
        regrets = sorted_regrets(part)
        best = least_regret(regrets)
        gap = _core.Gap()
        incumbent = float(best) * 1.01 + 0.5
        gap.offer(incumbent, [0] * len(regrets))
        bound = _core.DualBound(part)
        facts = bound.raise_bound(gap, 5)
        assert gap.bound <= incumbent
        columns = set(bound.families.best(100).tolist())
        for child, sets in enumerate(regrets):
            for place in range(len(sets)):
                only = [s if v != child else [s[place]] for v, s in enumerate(regrets)]
                if least_regret(only) < incumbent - 1e-7:
                    assert bound.families.column(child, place) in columns
        dropped += sum(map(len, regrets)) - facts["dual_sets_left"]
    assert dropped > in_part(150)


def test_a_set_that_is_fixed_is_bounded_too():
    rng = random.Random(5)
    for _ in range(60):
        part = component(random_lists(rng, "plain", variables=(3, 5)))
        regrets = sorted_regrets(part)
        bound = _core.DualBound(part)
        bound.raise_bound(_core.Gap(), 3)
        multipliers = bound.multipliers()
        for child, sets in enumerate(regrets):
            for place in range(len(sets)):
                only = [s if v != child else [s[place]] for v, s in enumerate(regrets)]
                assert value_of(multipliers, regrets, (child, place)) <= least_regret(only)


def test_the_same_at_any_number_of_threads_and_again():
    rng = random.Random(3)
    for _ in range(20):
        part = component(random_lists(rng, "plain", variables=(8, 12)))
        found = []
        for threads in (1, 2, 5, 1):
            bound = _core.DualBound(part, threads)
            gap = _core.Gap()
            facts = bound.raise_bound(gap, 6)
            found.append((bound.bound, gap.bound, facts, bound.multipliers()))
        assert all(other == found[0] for other in found)


def test_going_on_is_the_same_as_going_through():
    rng = random.Random(4)
    part = component(random_lists(rng, "plain", variables=(12, 12)))
    at_once, bit_by_bit = _core.DualBound(part), _core.DualBound(part)
    at_once.raise_bound(_core.Gap(), 6)
    gap = _core.Gap()
    for _ in range(6):
        bit_by_bit.raise_bound(gap, 1)
    assert at_once.multipliers() == bit_by_bit.multipliers()


@pytest.mark.parametrize("kind", KINDS)
def test_multipliers_from_elsewhere_bound_these_sets(kind):
    rng = random.Random(f"warm {kind}")
    warm = 0
    for _ in range(in_part(150)):
        lists = random_lists(rng, kind, variables=(3, 6))
        part = component(lists)
        found = _core.DualBound(part)
        found.raise_bound(_core.Gap(), 5)
        fewer = {v: rng.sample(sets, rng.randint(1, len(sets))) for v, sets in lists.items()}
        for other in (part, component(fewer)):
            regrets = sorted_regrets(other)
            best = least_regret(regrets)
            bound = _core.DualBound(other)
            told = bound.families.tell([cut[:4] for cut in found.multipliers()])
            bound.begin_at(told, [cut[4] for cut in found.multipliers()], 0.1)
            for rounds in (0, 4):
                bound.raise_bound(_core.Gap(), rounds)
                if best == math.inf:
                    continue
                exactly = value_of(bound.multipliers(), regrets)
                assert Fraction(bound.bound) <= exactly <= best
                if other is part:
                    assert bound.bound >= found.bound - 1e-12 * (1 + found.bound)
                    warm += rounds == 0 and found.bound > 0
    assert warm > in_part(20) or kind in ("constant", "empty only")


def test_multipliers_without_cuts_and_no_temperature_are_refused():
    bound = _core.DualBound(component(random_lists(random.Random(0), "plain")))
    with pytest.raises(ValueError, match="as many multipliers"):
        bound.begin_at([], [1.0], 0.1)
    for temperature in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="above 0"):
            bound.begin_at([], [], temperature)


@pytest.mark.parametrize("n", [3, 64, 65, 70, 130, 300])
def test_one_cycle_of_many_variables(n):
    """Each has its predecessor as best parent: one must do without, which costs the least loss."""
    costs = [1 + (7 * v) % 5 for v in range(n)]
    lists = {
        v: [(0.0, frozenset({(v - 1) % n})), (-float(costs[v]), frozenset())] for v in range(n)
    }
    bound = _core.DualBound(component(lists))
    gap = _core.Gap()
    bound.raise_bound(gap, 0)
    assert gap.bound == pytest.approx(min(costs), abs=1e-9)
    [(members, least, right, table, multiplier)] = bound.multipliers()
    assert (members, least, right, table) == (list(range(n)), 1, 1.0, [])
    assert multiplier == pytest.approx(min(costs))


@pytest.mark.parametrize("n", [16, 66, pytest.param(130, marks=pytest.mark.long)])
def test_rounds_close_most_of_what_greedy_ascent_leaves(n):
    part = component(wanting(n, n))
    gap = _core.Gap()
    _core.find_incumbent(part, gap, 0)
    bound = _core.DualBound(part)
    bound.raise_bound(gap, 0)
    first = gap.regret - gap.bound
    bound.raise_bound(gap, 60)
    assert 0 <= gap.regret - gap.bound < 0.7 * first
