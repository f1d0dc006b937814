"""Chains of networks: each move against a listing of all networks, long runs against sums."""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from agreement.test_posterior_sums import drawn_lists, engine_lists, others, sums
from dagscape import GraphError, ParameterError, _core
from limits import FOR_ENDLESS_WORK
from oracles import exact
from oracles import posterior as oracle
from seeds import in_part

DRAWS = 4000


def chains_of(lists):
    kept = engine_lists(lists)
    made, stopped = _core.chain_lists(kept, 1)
    assert not stopped
    return kept, made


def all_networks(kept):
    """Every network as places, with its log weight."""
    n = kept.variables
    for places in itertools.product(*(range(kept.size(v)) for v in range(n))):
        parents = [kept.parents(v, place) for v, place in enumerate(places)]
        if not _cyclic(parents):
            weights = [kept.score(v, place) for v, place in enumerate(places)]
            yield places, math.fsum(weights)


def _cyclic(parents):
    left = set(range(len(parents)))
    while ready := [v for v in left if not left & set(parents[v])]:
        left -= set(ready)
    return bool(left)


def conditional(networks, start, group):
    """What a move must draw: networks that differ in the group only, by their weights."""
    same = [v for v in range(len(start)) if v not in group]
    near = {
        places: weight
        for places, weight in networks.items()
        if all(places[v] == start[v] for v in same)
    }
    top = max(near.values())
    total = math.fsum(math.exp(weight - top) for weight in near.values())
    return {places: math.exp(weight - top) / total for places, weight in near.items()}


def surprise(truth, counts, draws):
    """Chi-square and its degrees of freedom; what is rare is put together."""
    assert set(counts) <= {places for places, p in truth.items() if p > 0}
    squares, bins, rare, rare_seen = 0.0, 0, 0.0, 0
    for places, p in truth.items():
        if p * draws < 5:
            rare += p
            rare_seen += counts[places]
            continue
        squares += (counts[places] - p * draws) ** 2 / (p * draws)
        bins += 1
    if rare * draws >= 1:
        squares += (rare_seen - rare * draws) ** 2 / (rare * draws)
        bins += 1
    return squares, max(0, bins - 1)


def check_moves(lists, rng, size, starts):
    """Moves from some networks draw each network as often as its weight among its like says."""
    kept, chains = chains_of(lists)
    networks = dict(all_networks(kept))
    squares = freedom = 0
    for start in rng.sample(sorted(networks), min(starts, len(networks))):
        group = rng.sample(range(len(lists)), size)
        truth = conditional(networks, start, group)
        ends, arcs, _ = _core.group_moves(chains, start, group, rng.getrandbits(60), DRAWS)
        found = surprise(truth, Counter(map(tuple, ends.tolist())), DRAWS)
        squares, freedom = squares + found[0], freedom + found[1]
        check_shares(kept, truth, group, arcs)
    # The sum of chi-squares is nearly normal; five standard deviations.
    assert squares < freedom + 5 * math.sqrt(2 * freedom) + 10


def check_shares(kept, truth, group, arcs):
    """The mean share of every arc is its probability among the networks that could be drawn."""
    for child in group:
        for parent in range(kept.variables):
            p = math.fsum(
                q for places, q in truth.items() if parent in kept.parents(child, places[child])
            )
            assert arcs[parent, child] == pytest.approx(
                p, abs=5 * math.sqrt(p * (1 - p) / DRAWS) + 1e-9
            )


@pytest.mark.parametrize("spread", [0, 1, 5, 400])
@pytest.mark.parametrize(("n", "size"), [(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (4, 4)])
def test_a_move_draws_by_weight_among_all_networks(n, size, spread):
    rng = random.Random(f"{n} {size} {spread}")
    for _ in range(in_part(3)):
        check_moves(drawn_lists(rng, n, spread), rng, size, 6)
    check_moves(drawn_lists(rng, n, spread, kept=0.5), rng, size, 6)


def test_a_move_from_every_network():
    """Detailed balance, without relying on what a group is: π(G) P(G→H) = π(H) P(H→G)."""
    rng = random.Random(1)
    kept, chains = chains_of(drawn_lists(rng, 3, 2))
    networks = dict(all_networks(kept))
    top = max(networks.values())
    total = math.fsum(math.exp(w - top) for w in networks.values())
    share = {places: math.exp(w - top) / total for places, w in networks.items()}
    draws = 8_000
    for group in [(0,), (0, 2), (2, 1), (0, 1, 2)]:
        flow = {}
        for number, start in enumerate(sorted(networks)):
            ends, _, _ = _core.group_moves(chains, start, group, number, draws)
            for end, count in Counter(map(tuple, ends.tolist())).items():
                flow[start, end] = share[start] * count / draws
        for (start, end), there in flow.items():
            back = flow.get((end, start), 0.0)
            most = max(there, back)
            error = math.sqrt(most * share[start]) + math.sqrt(most * share[end])
            few = 10 * max(share[start], share[end]) / draws  # counts of a few
            assert abs(there - back) <= 5 * error / math.sqrt(draws) + few


def run(chains, starts, rounds, seed=0, streams=None, threads=1, **more):
    streams = range(len(starts)) if streams is None else streams
    kept = min(rounds, 200)
    return _core.run_chains(
        chains, starts, list(streams), rounds, rounds // 5, kept, seed, threads, **more
    )


def dispersed(chains, count):
    kinds = ("empty", "random")
    return [_core.chain_start(chains, kinds[i % 2], 0, i) for i in range(count)]


def test_flat_lists_are_read_as_far_as_most_of_their_weight_goes():
    """The k-th of 512 sets weighs k^-1.5: half the weight is in two of them."""
    rng = random.Random(4)
    lists = {}
    for child in range(10):
        sets = sorted(exact.subsets(others(10, child)), key=sorted)
        rng.shuffle(sets)
        lists[child] = [(-1.5 * math.log(k), p) for k, p in enumerate(sets, 1)]
    truth, _ = sums(lists)
    _, chains = chains_of(lists)
    found, _ = run(chains, dispersed(chains, 4), 2000)
    assert sum(each["listed"] for each in found) < 150 * sum(each["moves"] for each in found)
    arcs = np.mean([each["arcs"] for each in found], axis=0)
    assert np.abs(arcs - truth.arcs()).max() < 0.04


@pytest.mark.parametrize(("n", "spread"), [(5, 0), (5, 3), (8, 2), (11, 4)])
def test_long_chains_tell_what_sums_tell(n, spread):
    """11 variables have lists of more than one block of sets."""
    rng = random.Random(n)
    lists = drawn_lists(rng, n, spread)
    truth, _ = sums(lists)
    _, chains = chains_of(lists)
    found, stopped = run(chains, dispersed(chains, 4), 4000)
    assert not stopped
    arcs = np.mean([each["arcs"] for each in found], axis=0)
    assert np.abs(arcs - truth.arcs()).max() < 0.035
    paths = np.mean([each["ancestors"] for each in found], axis=0)
    known = truth.ancestors()
    assert np.abs(paths - known)[known >= 0].max() < 0.06


def test_variables_that_must_have_parents():
    """Lists without the empty set, from some of which no network can be built."""
    rng = random.Random(5)
    refused = 0
    for _ in range(12):
        lists = drawn_lists(rng, 4, 3, kept=0.4, empty=False)
        lists = {v: sets or [(0.0, frozenset())] for v, sets in lists.items()}
        lists[0] = [(0.5, frozenset())]
        _, chains = chains_of(lists)
        if not dict(all_networks(engine_lists(lists))):
            with pytest.raises(GraphError, match="no network can be built"):
                dispersed(chains, 2)
            refused += 1
            continue
        starts = dispersed(chains, 2)
        truth = oracle.listed(lists).arcs()
        found, _ = run(chains, starts, 3000)
        arcs = np.mean([each["arcs"] for each in found], axis=0)
        for u, v in itertools.permutations(range(4), 2):
            assert arcs[u, v] == pytest.approx(truth.get((u, v), 0), abs=0.03)
    assert 0 < refused < 12


def rooted_paths(n, barrier):
    """Paths 0 - 1 - ... - n-1 directed from one of their ends; from elsewhere, or both, at a cost.

    To go from one end to the other, every variable must change its parents.
    """
    lists = {}
    for v in range(n):
        alone = {0: math.log(2) - barrier, n - 1: -barrier}.get(v, -3 * barrier)
        sets = [(alone, frozenset())]
        sets += [(0.0, frozenset({u})) for u in (v - 1, v + 1) if 0 <= u < n]
        lists[v] = sets
    return lists


def test_two_modes_of_known_weight():
    lists = rooted_paths(6, 5.0)
    truth = sums(lists)[0].arcs()
    assert 0.6 < truth[0, 1] < 0.9  # from either end, or both
    _, chains = chains_of(lists)
    found, _ = run(chains, dispersed(chains, 8), 8000)
    arcs = [each["arcs"][0, 1] for each in found]
    assert np.mean(arcs) == pytest.approx(truth[0, 1], abs=0.02)


def test_a_pair_that_is_always_joined_is_told_so_without_noise():
    """One way or the other: both arcs are taken at the same moments."""
    lists = {v: [(0.0, frozenset({1 - v})), (-60.0, frozenset())] for v in range(2)}
    lists |= {v: [(0.0, p) for p in exact.subsets({0, 1})] for v in (2, 3)}
    _, chains = chains_of(lists)
    found, _ = run(chains, dispersed(chains, 2), 50)
    for each in found:
        assert each["arcs"][0, 1] + each["arcs"][1, 0] == pytest.approx(1, abs=1e-12)
        assert 0.2 < each["arcs"][0, 1] < 0.8


def test_the_number_of_threads_changes_nothing():
    rng = random.Random(2)
    _, chains = chains_of(drawn_lists(rng, 7, 3))
    starts = dispersed(chains, 4)
    one, _ = run(chains, starts, 300)
    many, _ = run(chains, starts, 300, threads=3)
    alone, _ = run(chains, starts[2:3], 300, streams=[2])
    for a, b in [*zip(one, many, strict=True), (one[2], alone[0])]:
        for name in ("arcs", "ancestors", "kept", "log_weights"):
            assert np.array_equal(a[name], b[name])
    other, _ = run(chains, starts, 300, seed=1)
    assert not np.array_equal(one[0]["arcs"], other[0]["arcs"])


NEVER = 10**9
"""Rounds that no chain ends."""


def stop_after(rounds):
    """Return a progress function that ends a chain once it has done so many rounds of these."""

    def tell(share):
        if share * NEVER >= rounds:
            raise KeyboardInterrupt

    return tell


def test_a_chain_that_is_stopped_has_what_it_has():
    rng = random.Random(3)
    _, chains = chains_of(drawn_lists(rng, 8, 3))
    starts = dispersed(chains, 2)
    found, stopped = run(chains, starts, NEVER, progress=stop_after(300))
    assert stopped == "interrupt"
    assert not found[0]["whole"]
    assert found[0]["rounds"] > 0
    assert found[0]["arcs"].max() > 0
    # 200 are asked for; on the way there may be up to twice as many, and then every other goes.
    assert 100 <= len(found[0]["kept"]) <= 200
    found, stopped = run(chains, starts, NEVER, seconds=FOR_ENDLESS_WORK)
    assert stopped == "time"
    found, stopped = run(chains, starts, NEVER, seconds_each=FOR_ENDLESS_WORK)
    assert not stopped
    assert not any(each["whole"] for each in found if each)
    whole, _ = run(chains, starts, 200)
    assert [(each["whole"], each["rounds"]) for each in whole] == [(True, 160)] * 2


def test_of_a_chain_that_is_stopped_at_least_half_counts():
    joined = {v: [(0.0, frozenset({1 - v})), (-60.0, frozenset())] for v in range(2)}
    joined |= {v: [(0.0, p) for p in exact.subsets({0, 1})] for v in (2, 3)}
    _, chains = chains_of(joined)
    for i, start in enumerate(dispersed(chains, 4)):
        tell = stop_after(10**i)
        (each,), _ = run(chains, [start], NEVER, streams=[i], progress=tell, sizes=[0, 1, 0, 0])
        done = each["moves"] * 2 / 4  # every move is about two of four variables
        assert 0.5 * done - 1 <= each["rounds"] <= 0.75 * done + 1
        # What is put together from two stretches is told by one measure.
        assert each["arcs"][0, 1] + each["arcs"][1, 0] == pytest.approx(1, abs=1e-12)


def test_starts():
    rng = random.Random(4)
    kept, chains = chains_of(drawn_lists(rng, 6, 3))
    empty = _core.chain_start(chains, "empty", 0, 0)
    assert all(not kept.parents(v, place) for v, place in enumerate(empty))
    drawn = {tuple(_core.chain_start(chains, "random", 0, i)) for i in range(20)}
    assert len(drawn) > 15
    order = [3, 1, 0, 5, 4, 2]
    best = _core.chain_start(chains, "order", order=order)
    for at, v in enumerate(order):
        fits = [p for p in range(kept.size(v)) if set(kept.parents(v, p)) <= set(order[:at])]
        assert best[v] == fits[0]


def test_what_the_engine_refuses():
    _, chains = chains_of(drawn_lists(random.Random(1), 3, 1))
    with pytest.raises(ParameterError, match='unknown start "full"'):
        _core.chain_start(chains, "full")
    with pytest.raises(ParameterError, match="no such parent set"):
        run(chains, [[0, 0, 99]], 10)
    with pytest.raises(ParameterError, match="a set for each variable"):
        run(chains, [[0, 0]], 10)
    with pytest.raises(ParameterError, match="one to four"):
        _core.group_moves(chains, _core.chain_start(chains, "empty"), [], 0, 1)
    lists = {0: [(0.0, frozenset({1}))], 1: [(0.0, frozenset({0}))]}
    _, chains = chains_of(lists)
    with pytest.raises(GraphError, match="no network can be built"):
        _core.chain_start(chains, "empty")
    with pytest.raises(GraphError, match="cycle"):
        run(chains, [[0, 0]], 10)


def test_lists_that_do_not_fit():
    made, stopped = _core.chain_lists(
        engine_lists(drawn_lists(random.Random(1), 8, 1)), 1, max_bytes=100
    )
    assert (made, stopped) == (None, "memory")
