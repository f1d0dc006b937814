"""Searches over orders that look ahead by multipliers, against listing and the definition."""

import itertools
import math
import random
from fractions import Fraction

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.search.exact import by_cuts, multipliers, portfolio
from dagscape.search.exact.astar import HEURISTICS
from limits import FOR_ENDLESS_WORK, NO_TIME
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

PROVERS = {
    "A*": lambda bound, gap, *limits: _core.astar(bound, gap, "cuts", True, *limits),
    "depth first": _core.depth_first,
    "two threads": lambda bound, gap, *limits: _core.depth_first(bound, gap, 2, *limits),
}
provers = pytest.mark.parametrize("prove", PROVERS.values(), ids=PROVERS)


def begun(part, regret, rounds, rng):
    """A bound after some rounds, and a gap with an incumbent of this regret.

    Multipliers are changed at random, and cuts of other kinds come with some: whatever they are,
    the search must come to the same end.
    """
    n = len(part.variables)
    first = _core.DualBound(part)
    first.raise_bound(_core.Gap(), rounds)
    gap = _core.Gap()
    gap.offer(regret, [0] * n)
    bound = _core.DualBound(part)
    cuts = [(*cut[:4], cut[4] * rng.choice([0.3, 1, 1, 1.5])) for cut in first.multipliers()]
    if n > 2 and rng.random() < 0.5:
        few = max(first.bound, 1e-6) * rng.uniform(0.01, 0.1)
        two = (sorted(rng.sample(range(n), rng.randint(3, n))), 2, 2.0, [])
        cuts += [(*made_up_cut(n, rng), few), (*two, few)]
    bound.begin_at(bound.families.tell([cut[:4] for cut in cuts]), [cut[4] for cut in cuts], 0.1)
    bound.raise_bound(gap, 0)
    return bound, gap


def regret_of(regrets, chosen):
    """What a network loses, if it is one."""
    left = set(range(len(regrets)))
    total = Fraction(0)
    while left:
        v = next(v for v in left if not regrets[v][chosen[v]][1] & left)
        total += regrets[v][chosen[v]][0]
        left.remove(v)
    return total


@provers
@pytest.mark.parametrize("kind", KINDS)
def test_it_ends_at_the_optimum(kind, prove):
    rng = random.Random(f"proof {kind}")
    nodes = improved = others = 0
    for _ in range(in_part(120)):
        part = component(random_lists(rng, kind, variables=(2, 7)))
        regrets = sorted_regrets(part)
        best = least_regret(regrets)
        if best == math.inf:
            continue
        # An incumbent that is the best, a little worse, or far worse.
        scale = float(max(sets[-1][0] for sets in regrets))
        start = float(best) + rng.choice([0, 1e-3, 0.3, 2]) * max(scale, 1e-3)
        bound, gap = begun(part, start, rng.choice([0, 2, 6]), rng)
        facts = prove(bound, gap)
        assert gap.closed
        assert gap.regret == pytest.approx(float(best), rel=1e-12, abs=1e-7)
        if gap.regret < start:
            assert float(regret_of(regrets, gap.chosen)) == pytest.approx(gap.regret, rel=1e-12)
            improved += 1
        others += any(cut[3] or cut[1] > 1 for cut in bound.multipliers())
        nodes += facts.get("order_nodes_expanded", 0) + facts.get("depth_first_nodes", 0)
    assert improved > in_part(20) or kind in ("constant", "empty only")
    assert nodes > 0 or kind in ("constant", "empty only")
    assert others > 0 or kind in ("constant", "empty only")


def need(cut, left):
    """The least that families of the members left add up to, where the others are placed."""
    members, table = cut[0], {}
    for size in range(len(left) + 1):
        for part in map(frozenset, itertools.combinations(sorted(left), size)):
            placed = set(members) - part
            table[part] = min(
                (
                    table[part - {x}]
                    + min(
                        coefficient(cut, x, set(parents))
                        for k in range(len(placed) + 1)
                        for parents in itertools.combinations(sorted(placed), k)
                    )
                    for x in part
                ),
                default=Fraction(0),
            )
    return table[frozenset(left)]


def made_up_cut(n, rng):
    """Coefficients drawn at random, and the right side that every network reaches, above 0."""
    members = sorted(rng.sample(range(n), rng.randint(2, n)))
    size = len(members)
    table = [float(rng.randint(0, 3)) for _ in range(size << size)]
    cut = (members, 1, 0.0, table, 1.0)
    families = [
        [
            (coefficient(cut, v, {members[i] for i in parents}), frozenset(parents))
            for k in range(size)
            for parents in itertools.combinations([i for i in range(size) if i != at], k)
        ]
        for at, v in enumerate(members)
    ]
    right = float(least_regret(families))
    return (members, 1, right, table) if right > 0 else made_up_cut(n, rng)


def rests(bound, heuristic, most, members):
    """What it costs at least to place some of the members after all others; few first."""
    sets = [s for k in range(len(members) + 1) for s in itertools.combinations(members, k)]
    found = _core.least_rests(bound, heuristic, most, sets)
    return dict(zip(map(frozenset, sets), found, strict=True))


@pytest.mark.parametrize("kind", ["plain", "ties", "no empty set"])
def test_what_the_rest_costs_at_least_is_that_of_the_definition(kind):
    rng = random.Random(f"rest {kind}")
    tables = compared = 0
    for _ in range(40):
        part = component(random_lists(rng, kind, variables=(3, 5)))
        regrets = sorted_regrets(part)
        if least_regret(regrets) == math.inf:
            continue
        n = len(regrets)
        first = _core.DualBound(part)
        first.raise_bound(_core.Gap(), 6)
        cuts = [*first.multipliers(), (*made_up_cut(n, rng), rng.uniform(0.01, 1))]
        bound = _core.DualBound(part)
        told = bound.families.tell([cut[:4] for cut in cuts])
        bound.begin_at(told, [cut[4] for cut in cuts], 0.1)
        bound.raise_bound(_core.Gap(), 0)
        cuts = bound.multipliers()
        tables += any(cut[3] for cut in cuts)
        most = float(sum(sets[-1][0] for sets in regrets)) + 1
        least = [
            min(r - sum(Fraction(c[4]) * coefficient(c, v, p) for c in cuts) for r, p in sets)
            for v, sets in enumerate(regrets)
        ]
        rest = rests(bound, "cuts", most, range(n))
        for left in rest:
            expected = sum(least[v] for v in left) + sum(
                Fraction(cut[4]) * need(cut, left & frozenset(cut[0])) for cut in cuts
            )
            assert rest[left] == pytest.approx(max(0.0, float(expected)), abs=1e-9 * (1 + most))
            compared += 1
        # Consistent, which makes it a lower bound: placing x lowers it by no more than that costs.
        for left in rest:
            for x in left:
                placed = frozenset(range(n)) - left
                cost = min((r for r, p in regrets[x] if p <= placed), default=math.inf)
                assert rest[left] - rest[left - {x}] <= float(cost) + 1e-9 * (1 + most)
        assert rest[frozenset(range(n))] == pytest.approx(bound.bound, abs=1e-9 * (1 + most))
    assert compared > 300
    assert tables > 2


def places(core, n, rng):
    return sorted(rng.sample(range(n), len(core)))


def spread(core, n, seed, alone=-1.0):
    """Problems on some of many variables; each of the others would have one of these as parent."""
    rng = random.Random(seed)
    at = places(core, n, rng)
    lists = {at[v]: [(s, frozenset(at[p] for p in ps)) for s, ps in core[v]] for v in core}
    for v in set(range(n)) - set(at):
        lists[v] = [(0.0, frozenset({rng.choice(at)})), (alone, frozenset())]
    return dict(sorted(lists.items()))


@provers
@pytest.mark.parametrize("n", [64, 65, 128, 129, 256])
def test_sets_of_any_width(n, prove):
    core = wanting(10, n)
    best = least_regret(sorted_regrets(component(core)))
    part = component(spread(core, n, n))
    assert len(part.variables) == n
    gap = _core.Gap()
    gap.offer(float(best) + 0.4, [0] * n)
    bound = _core.DualBound(part)
    bound.raise_bound(gap, 3)
    prove(bound, gap)
    assert gap.closed
    assert gap.regret == pytest.approx(float(best), abs=1e-7)
    assert float(regret_of(sorted_regrets(part), gap.chosen)) == pytest.approx(gap.regret)


def astar_of(part, heuristic, gap):
    """A* with any heuristic; multipliers are those of a few rounds."""
    if heuristic != "cuts":
        return _core.astar(part, gap, heuristic, True)
    bound = _core.DualBound(part)
    bound.raise_bound(gap, 3)
    return _core.astar(bound, gap, heuristic, True)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("n", [63, 64, 65, 127, 128, 129, 256])
def test_every_heuristic_serves_every_width(n, heuristic):
    core = wanting(9, n)
    best = float(least_regret(sorted_regrets(component(core))))
    part = component(spread(core, n, n, alone=-1e3))  # or all could be placed first at some cost
    gap = _core.Gap()
    gap.offer(best + 0.4, [0] * n)
    work = astar_of(part, heuristic, gap)
    assert gap.closed
    assert gap.regret == pytest.approx(best, abs=1e-7)
    assert float(regret_of(sorted_regrets(part), gap.chosen)) == pytest.approx(gap.regret)
    assert work["order_nodes"] <= 2**9


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("kind", ["plain", "ties", "no empty set"])
def test_heuristics_are_consistent_bounds_at_every_width(heuristic, kind):
    """What the variables left cost at least, and how far that falls, by listing."""
    rng = random.Random(f"bounds {heuristic} {kind}")
    compared = raised = 0
    for n in (5, 64, 65, 128, 129, 256):
        core = random_lists(rng, kind, variables=(5, 5))
        least = least_regret(sorted_regrets(component(core)))
        if least == math.inf:
            continue
        lists = spread(core, n, n)
        members = places(core, n, random.Random(n))
        part = component(lists)
        regrets = sorted_regrets(part)
        bound = _core.DualBound(part)
        bound.raise_bound(_core.Gap(), 3)
        most = float(sum(sets[-1][0] for sets in regrets)) + 1
        rounded = 1e-9 * (1 + most)
        rest, cost = rests(bound, heuristic, most, members), {frozenset(): Fraction(0)}
        for left in rest:
            steps = {
                x: min((r for r, p in regrets[x] if not p & left), default=math.inf) for x in left
            }
            if left:
                cost[left] = min(steps[x] + cost[left - {x}] for x in left)
            assert 0 <= rest[left] <= float(cost[left]) + rounded
            for x in left:
                assert rest[left] - rest[left - {x}] <= float(steps[x]) + rounded
            compared += 1
        raised += rest[frozenset(members)] > 0
    assert compared >= 6 * 2**5 or kind == "no empty set"
    assert raised or heuristic == "simple"


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_long_lists_are_looked_through_by_columns(heuristic):
    """From 1,024 sets of a variable on; the same numbers from dynamic programming."""
    net = ds.random_network(14, neighbors=3, seed=4)
    parents = ds.candidate_parents(net.sample(100, seed=4), score="aic", max_parents=4, prune=False)
    part = _core.components(parents._lists, False)[0]
    assert min(part.parents.size(v) for v in range(14)) > 1024
    known, gap = _core.Gap(), _core.Gap()
    _core.dynamic_programming(part, known, 1)
    gap.offer(known.regret + 1, [0] * 14)
    astar_of(part, heuristic, gap)
    assert gap.closed
    assert gap.regret == pytest.approx(known.regret, abs=1e-9)


@provers
def test_many_variables_that_want_each_other(prove):
    for n, seed in ((9, 0), (10, 1), (11, 2)):
        part = component(wanting(n, seed))
        best = least_regret(sorted_regrets(part))
        gap = _core.Gap()
        gap.offer(float(best) * 1.1, [0] * n)
        bound = _core.DualBound(part)
        bound.raise_bound(gap, 10)
        facts = prove(bound, gap)
        assert gap.closed
        assert gap.regret == pytest.approx(float(best), abs=1e-7)
        assert float(regret_of(sorted_regrets(part), gap.chosen)) == pytest.approx(gap.regret)
        assert facts.get("order_nodes_expanded", 0) + facts.get("depth_first_nodes", 0) > 0


@provers
def test_without_a_network_or_with_too_many_variables_it_refuses(prove):
    part = component(wanting(12, 0))
    bound = _core.DualBound(part)
    bound.raise_bound(_core.Gap(), 0)
    with pytest.raises(ValueError, match="begins with a network"):
        prove(bound, _core.Gap())
    cycle = {v: [(0.0, frozenset({(v - 1) % 257})), (-1.0, frozenset())] for v in range(257)}
    part = component(cycle)
    gap = _core.Gap()
    gap.offer(5.0, [0] * 257)
    with pytest.raises(ValueError, match="at most 256 variables"):
        prove(_core.DualBound(part), gap)


def test_bounds_hold_when_it_is_stopped():
    """By memory, by time at once, and by the caller: never above the optimum."""
    n = 40
    part = component(wanting(n, 1))
    gap = _core.Gap()
    _core.find_incumbent(part, gap, 0)
    bound = _core.DualBound(part)
    bound.raise_bound(gap, 3)
    before = gap.bound
    # Whatever its estimates say, no bound is above a network that is known.
    assert _core.astar(bound, gap, "cuts", True, None, 1 << 16)["stopped"] == "memory"
    assert _core.astar(bound, gap, "cuts", True, NO_TIME)["stopped"] == "time"
    facts = _core.astar(bound, gap, "cuts", True, None, 3 << 20)
    assert facts["stopped"] == "memory"
    assert facts["order_nodes_expanded"] > 0
    assert before < gap.bound <= gap.regret
    assert not gap.closed

    class EnoughError(Exception):
        pass

    def stop(_):
        raise EnoughError

    with pytest.raises(EnoughError):
        _core.astar(bound, gap, "cuts", True, None, None, stop)
    assert gap.bound <= gap.regret


@pytest.mark.parametrize("threads", [1, 2])
def test_depth_first_stops_without_a_claim(threads):
    """By memory, by time and by the caller, where it would never end."""
    part = component(wanting(150, 1))
    gap = _core.Gap()
    _core.find_incumbent(part, gap, 0)
    bound = _core.DualBound(part)
    bound.raise_bound(gap, 3)

    def told(_):
        raise EnoughError

    class EnoughError(Exception):
        pass

    assert _core.depth_first(bound, gap, threads, None, 1 << 16)["stopped"] == "memory"
    assert _core.depth_first(bound, gap, threads, NO_TIME)["stopped"] == "time"
    assert _core.depth_first(bound, gap, threads, FOR_ENDLESS_WORK)["stopped"] == "time"
    with pytest.raises(EnoughError):
        _core.depth_first(bound, gap, threads, None, None, told)
    assert gap.bound <= gap.regret
    assert not gap.closed


@pytest.mark.parametrize("astar_times", [0.0, 1e9])
@pytest.mark.parametrize("threads", [1, 2])
def test_exact_search_ends_with_them(monkeypatch, astar_times, threads):
    """The proof by cuts as with very many parent sets: multipliers, A*, depth-first search."""
    monkeypatch.setattr(portfolio, "ASTAR_VARIABLES", 0)
    monkeypatch.setattr(portfolio, "DP_AT_ONCE", 0)
    monkeypatch.setattr(multipliers, "MANY_SETS", 0)
    monkeypatch.setattr(multipliers, "QUICK_SETS", 0)
    monkeypatch.setattr(multipliers, "START", 1)
    monkeypatch.setattr(multipliers, "STALLED", 0.0)
    monkeypatch.setattr(by_cuts, "ASTAR_TIMES", astar_times)
    rng = random.Random(0)
    ran = set()
    for seed in range(3):
        n = 14
        net = ds.random_network(n, neighbors=4, seed=seed)
        data = net.sample(rng.choice([100, 300]), seed=seed)
        parents = ds.candidate_parents(data, score="aic", max_parents=3)
        best = ds.exact(parents, algorithm="dp")
        found = ds.exact(parents, threads=threads, split=False)
        assert found.optimal
        assert found.score == pytest.approx(best.score, abs=1e-6)
        ran |= {name for name in ("order_nodes", "depth_first_nodes") if found.work.get(name)}
    assert ran == {"order_nodes" if astar_times else "depth_first_nodes"}
