"""Jumps of chains between known optima: each against a listing, and chains that need them."""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from agreement.test_posterior_chains import (
    chains_of,
    dispersed,
    rooted_paths,
    run,
    surprise,
)
from agreement.test_posterior_sums import drawn_lists, engine_lists, sums
from dagscape import GraphError, ParameterError, _core
from oracles import exact, jumps
from oracles import posterior as oracle
from seeds import in_part

DRAWS = 3000


class Engine:
    """Lists as the engine and as the oracle have them."""

    def __init__(self, lists, by_size=None):
        kept = engine_lists(lists)
        if by_size is not None:  # the weight of a set by its number of parents
            kept = _core.weighted_by_size(kept, by_size)
        self.chains, _ = _core.chain_lists(kept, 1)
        variables = range(kept.variables)
        self.sets = [
            [frozenset(kept.parents(v, at)) for at in range(kept.size(v))] for v in variables
        ]
        self.lists = [
            {parents: kept.score(v, at) for at, parents in enumerate(self.sets[v])}
            for v in variables
        ]

    def network(self, places):
        return tuple(self.sets[v][at] for v, at in enumerate(places))

    def places(self, network):
        return [self.sets[v].index(parents) for v, parents in enumerate(network)]

    def networks(self):
        """All that weigh something."""
        empty = tuple(frozenset() for _ in self.lists)
        return list(jumps.near(self.lists, empty, range(len(self.lists))))

    def weight(self, network):
        return math.fsum(self.lists[v][parents] for v, parents in enumerate(network))

    def ends(self, network, start, end, seed, draws, share=0.0):
        """Where a jump leads, counted."""
        found, taken = _core.jump_moves(
            self.chains, self.places(network), (start, end), seed, draws, share
        )
        return Counter(map(self.network, found.tolist())), taken


def check_jumps(engine, rng, networks, size, share=0.0):
    """Jumps from some networks, against the oracle; returns how many could be made."""
    squares = freedom = possible = 0
    for network in networks:
        start = rng.sample(range(len(engine.lists)), size)
        end = rng.sample(start, size)
        if rng.random() < 0.8:  # else mostly nothing happens
            start.sort(key=lambda v: len(jumps.below(network)[v]), reverse=True)
        truth = jumps.jumped(engine.lists, network, start, end, share)
        counts, _ = engine.ends(network, start, end, rng.getrandbits(60), DRAWS, share)
        found = surprise(truth, counts, DRAWS)
        squares, freedom = squares + found[0], freedom + found[1]
        possible += len(truth) > 1
    # The sum of chi-squares is nearly normal; five standard deviations.
    assert squares < freedom + 5 * math.sqrt(2 * freedom) + 10
    return possible


@pytest.mark.parametrize("spread", [0, 1, 5, 400])
@pytest.mark.parametrize(("n", "size"), [(3, 2), (3, 3), (4, 2), (4, 3), (4, 4)])
def test_a_jump_goes_where_the_definition_says(n, size, spread):
    rng = random.Random(f"{n} {size} {spread}")
    possible = 0
    for kept in (1.0, 0.5):
        engine = Engine(drawn_lists(rng, n, spread, kept=kept))
        found = engine.networks()
        # The heaviest are those that a jump may lead away from or not.
        heavy = sorted(found, key=engine.weight)[-3:]
        others = rng.sample(found, min(in_part(6), len(found)))
        possible += check_jumps(engine, rng, heavy + others, size)
    assert possible > 3


def test_light_ends_of_lists_are_left_out_before_and_after():
    """With seven other variables there are some 80 sets, of which 64 are often enough."""
    rng = random.Random(7)
    share = 0.1
    cut_off = possible = 0
    for spread in (1, 8, 20):
        engine = Engine(drawn_lists(rng, 8, spread, kept=0.6))
        networks = [
            engine.network(_core.chain_start(engine.chains, kind, 1, i))
            for i, kind in enumerate(("empty", "random"))
        ]
        order = rng.sample(range(8), 8)
        networks.append(engine.network(_core.chain_start(engine.chains, "order", order=order)))
        possible += check_jumps(engine, rng, networks, 2, share)
        for network in networks:
            start = order[:2]
            few = jumps.read(engine.lists, network, start, start[1], share)
            cut_off += len(few) < len(jumps.read(engine.lists, network, start, start[1], 1e-9))
    assert possible > 0
    assert cut_off > 0


def test_sets_that_weigh_nothing_are_never_drawn():
    rng = random.Random(11)
    possible = 0
    for weights in itertools.permutations([0.0, 1.0, -math.inf, 0.5]):
        engine = Engine(drawn_lists(rng, 4, 0), weights)
        networks = engine.networks()
        possible += check_jumps(engine, rng, rng.sample(networks, min(2, len(networks))), 3)
    assert possible > 10
    lists = {0: [(0.0, frozenset()), (0.0, frozenset({1}))], 1: [(0.0, frozenset())]}
    engine = Engine(lists, [0.0, -math.inf])
    network = (frozenset({1}), frozenset())
    counts, taken = engine.ends(network, [1, 0], [0, 1], 0, 20)
    assert (counts, taken) == ({network: 20}, 0)


def test_where_an_order_allows_a_variable_nothing_it_stays():
    """The second must have a parent, and can have none if it comes first."""
    lists = {0: [(0.0, frozenset()), (9.0, frozenset({2}))], 1: [(0.0, frozenset({0}))]}
    engine = Engine(lists | {2: [(0.0, frozenset())]})
    for network in engine.networks():
        counts, taken = engine.ends(network, [0, 1], [1, 0], 0, 20)
        assert (counts, taken) == ({network: 20}, 0)


@pytest.mark.parametrize("spread", [0, 2, 300])
def test_the_posterior_stays_as_it_is(spread):
    """Detailed balance of the definition, exactly: over all networks, jumping either way."""
    rng = random.Random(spread)
    for n, size, kept in [(3, 2, 1.0), (3, 3, 1.0), (3, 3, 0.6)]:
        engine = Engine(drawn_lists(rng, n, spread, kept=kept))
        networks = engine.networks()
        top = max(map(engine.weight, networks))
        start = rng.sample(range(n), size)
        for end in itertools.permutations(start):
            flow = Counter()
            for network in networks:
                weight = math.exp(engine.weight(network) - top)
                for pair in ((start, list(end)), (list(end), start)):
                    for to, p in jumps.jumped(engine.lists, network, *pair).items():
                        flow[network, to] += weight * p
            for (one, other), there in flow.items():
                assert there == pytest.approx(flow[other, one], rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("spread", [0, 2, 5])
def test_chains_that_jump_tell_what_sums_tell(spread):
    """Mostly jumps, of as few as two variables, between networks that may be any."""
    rng = random.Random(spread)
    for kept in (1.0, 0.5):
        lists = drawn_lists(rng, 4, spread, kept=kept)
        engine = Engine(lists)
        known = [engine.places(each) for each in rng.sample(engine.networks(), 4)]
        between = _core.known_jumps(engine.chains, known, 2, 4)
        assert between
        found, _ = run(
            engine.chains,
            dispersed(engine.chains, 4),
            4000,
            jumps=between,
            jump_variables=1,
            sizes=[1, 0, 0, 0],
        )
        assert min(each["jumps_taken"] for each in found) > 100
        truth = oracle.listed(lists).arcs()
        arcs = np.mean([each["arcs"] for each in found], axis=0)
        for u, v in itertools.permutations(range(4), 2):
            assert arcs[u, v] == pytest.approx(truth.get((u, v), 0), abs=0.025)


def path(n, first):
    """A path of variables that is directed away from its first or last one."""
    if first:
        return [frozenset({v - 1} if v else ()) for v in range(n)]
    return [frozenset({v + 1} if v < n - 1 else ()) for v in range(n)]


@pytest.mark.parametrize("n", [5, 6, 11, 16])
def test_modes_that_only_jumps_connect(n):
    """All n variables must change at once, or pass networks that weigh e^-40 of these."""
    lists = rooted_paths(n, 40.0)
    engine = Engine(lists)
    modes = [engine.places(path(n, first)) for first in (True, False)]
    truth = 2 / 3  # the one weighs twice the other
    if n < 12:
        assert sums(lists)[0].arcs()[0, 1] == pytest.approx(truth, abs=1e-9)
    starts = [*modes, *modes]
    stuck, _ = run(engine.chains, starts, 1000)
    assert [round(float(each["arcs"][0, 1]), 6) for each in stuck] == [1, 0, 1, 0]
    assert {each["jumps_tried"] for each in stuck} == {0}
    between = _core.known_jumps(engine.chains, modes)
    assert [len(one) for one, _ in between] == [n]
    found, _ = run(engine.chains, starts, 6000, jumps=between)
    for each in found:
        assert each["arcs"][0, 1] == pytest.approx(truth, abs=0.05)
        assert each["jumps_tried"] == 6000 * -(-n // 16)
        assert each["jumps_taken"] > 500


def random_network(rng, engine):
    """Any network, mostly of few parents."""
    order = rng.sample(range(len(engine.lists)), len(engine.lists))
    chosen = [None] * len(order)
    for at, v in enumerate(order):
        fitting = [p for p in engine.sets[v] if p <= set(order[:at])]
        chosen[v] = rng.choice(fitting)
    return tuple(chosen)


def test_blocks_are_those_of_the_definition():
    rng = random.Random(3)
    lists = {
        v: [(rng.random(), p) for p in exact.subsets(set(range(12)) - {v}) if len(p) < 3]
        for v in range(12)
    }
    engine = Engine(lists)
    sizes = Counter()
    for fewest, most, changed in itertools.product((1, 3, 5), (4, 12), (3, 6, 12)):
        one = random_network(rng, engine)
        networks = [one]
        while len(networks) < 4:  # like the first, but for some variables
            parents = list(one)
            for v in rng.sample(range(12), changed):
                parents[v] = rng.choice(engine.sets[v])
            places = engine.places(parents)
            try:
                _core.known_jumps(engine.chains, [places])
            except GraphError:
                continue
            networks.append(tuple(parents))
        truth = jumps.known_jumps(networks, fewest, most)
        places = [engine.places(each) for each in networks]
        found = _core.known_jumps(engine.chains, places, fewest, most)
        assert [list(map(list, each)) for each in found] == truth
        sizes.update(len(one) for one, _ in truth)
        # The same again is no other jump, nor is the way back.
        assert _core.known_jumps(engine.chains, [*places, *places], fewest, most) == found
        back = _core.known_jumps(engine.chains, places[::-1], fewest, most)
        assert sorted(back) == sorted(found)
    assert len(sizes) > 5


def test_usual_sizes():
    for n, jump in [(4, []), (5, [5]), (16, [16]), (17, [])]:
        engine = Engine(rooted_paths(n, 5.0))
        modes = [engine.places(path(n, first)) for first in (True, False)]
        assert [len(one) for one, _ in _core.known_jumps(engine.chains, modes)] == jump
    assert _core.known_jumps(engine.chains, []) == []


def test_the_number_of_threads_changes_nothing():
    engine = Engine(rooted_paths(7, 9.0))
    modes = [engine.places(path(7, first)) for first in (True, False)]
    between = _core.known_jumps(engine.chains, modes)
    starts = [*modes, *dispersed(engine.chains, 2)]
    one, _ = run(engine.chains, starts, 400, jumps=between)
    many, _ = run(engine.chains, starts, 400, threads=3, jumps=between)
    alone, _ = run(engine.chains, starts[2:3], 400, streams=[2], jumps=between)
    for a, b in [*zip(one, many, strict=True), (one[2], alone[0])]:
        for name in ("arcs", "ancestors", "kept", "log_weights", "jumps_taken"):
            assert np.array_equal(a[name], b[name])
    assert not np.array_equal(one[0]["arcs"], run(engine.chains, starts, 400)[0][0]["arcs"])


def test_what_the_engine_refuses():
    _, chains = chains_of(drawn_lists(random.Random(1), 3, 1))
    empty = _core.chain_start(chains, "empty")
    for wrong, why in [
        (([0, 1], [0, 2]), "same variables"),
        (([0, 1], [0]), "same variables"),
        (([0, 0], [0, 0]), "listed twice"),
        (([0, 3], [3, 0]), "variable"),
    ]:
        with pytest.raises(ParameterError, match=why):
            _core.jump_moves(chains, empty, wrong, 0, 1)
        with pytest.raises(ParameterError, match=why):
            run(chains, [empty], 5, jumps=[wrong])
    with pytest.raises(ParameterError, match="a set for each variable"):
        _core.known_jumps(chains, [[0, 0]])
