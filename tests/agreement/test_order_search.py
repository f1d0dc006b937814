"""Order search against the proven optimum; limits, threads, and many variables."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.search.initial_orders import INITS
from dagscape.search.order import NEIGHBORHOODS
from limits import NO_TIME
from oracles import exact as exact_oracle
from oracles import orders as oracle
from seeds import in_part
from toys.parent_sets import (
    check_order,
    close,
    from_file,
    numbers,
    random_lists,
    searched,
    seeds,
    some,
)


@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
@given(seed=seeds)
@some(25)
def test_the_optimum_of_few_variables(neighborhood, seed):
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(1, 8), most_sets=15)
    parents = from_file(lists)
    best = ds.exact(parents).score
    if len(lists) <= 6:
        assert best == oracle.best_order_score(lists)
    result = ds.order_search(
        parents,
        neighborhood=neighborhood,
        init=rng.choice(INITS if neighborhood == "insert" else ["random"]),
        restarts=3000 if neighborhood == "swap" else 10,  # swaps of neighbors get stuck
        generations=4,
        seed=seed,
        threads=1,
    )
    assert result.score == best
    assert result.bound == parents.relaxed_score
    assert result.optimal == (best == parents.relaxed_score)
    local = {child: {p: s for s, p in sets} for child, sets in lists.items()}
    arcs = numbers(result.dag)
    assert result.score == sum(
        local[child][frozenset(a for a, b in arcs if b == child)] for child in lists
    )


@st.composite
def tables(draw, variables=(2, 8)):
    """Tables of columns that follow others, so that there is something to learn."""
    n = draw(st.integers(*variables))
    rng = np.random.default_rng(draw(seeds))
    arities = rng.integers(2, 4, n)
    rows = draw(st.integers(20, 300))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        followed = rng.random(rows) < rng.choice([0.0, 0.4, 0.8])
        codes[followed, child] = codes[followed, rng.integers(child)] % arities[child]
    names = draw(st.permutations([f"v{i}" for i in range(n)]))
    states = [[str(s) for s in range(r)] for r in arities]
    return ds.Data.from_codes(codes, dict(zip(names, states, strict=True)))


@pytest.mark.parametrize("score", ["bic", "bdeu", "k2", "aic"])
@given(data=tables(), seed=st.integers(0, 99), init=st.sampled_from(INITS))
@some(12)
def test_the_optimum_from_data(score, data, seed, init):
    limit = min(3, data.n_variables - 1)
    best = ds.exact(data, score=score, max_parents=limit).score
    found = ds.order_search(
        data, score=score, max_parents=limit, selection="sequential", init=init, seed=seed
    )
    assert found.score == close(best)
    assert found.score == close(ds.score(data, found.dag, score=score))
    assert found.bound >= best - 1e-6


@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
@given(seed=seeds, init=st.sampled_from(INITS))
@some(60)
def test_a_network_is_found_if_there_is_one(neighborhood, seed, init):
    """However few orders are possible, where variables need parents; and from one start."""
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(2, 12), most_sets=3, most_parents=2, empty=False)
    there_is = exact_oracle.best_score(lists) > exact_oracle.NO_NETWORK
    ask = {"neighborhood": neighborhood, "init": init, "restarts": 1, "generations": 0}
    if not there_is:
        with pytest.raises(ds.GraphError, match="no network"):
            ds.order_search(from_file(lists), **ask)
        return
    found = ds.order_search(from_file(lists), **ask, seed=seed)
    assert found.score <= exact_oracle.best_score(lists)
    arcs = numbers(found.dag)
    assert all(
        frozenset(a for a, b in arcs if b == child) in {p for _, p in sets}
        for child, sets in lists.items()
    )


@pytest.mark.parametrize("swap", [True, False])
@given(seed=seeds, empty=st.booleans(), grain=st.sampled_from([1, 64]))
@some(40)
def test_lists_that_do_not_fit_are_cut_short(swap, seed, empty, grain):
    """The search is that on the best sets of each child and the least one."""
    rng = random.Random(seed)
    lists = random_lists(rng, rng.randint(2, 9), most_sets=12, empty=empty, grain=grain)
    parents = from_file(lists)
    longest = rng.randint(1, 6)
    room = _core.order_list_bytes(parents._lists, longest)
    assert room <= _core.order_list_bytes(parents._lists, longest + 1)
    options = _core.OrderSearchOptions("random", not swap, 2, 500, 1, seed, 1)
    facts = _core.order_search(parents._lists, options, None, room)
    # Blocks of rows are filled up: a little more may fit.
    fitting = [k for k in range(longest, 14) if _core.order_list_bytes(parents._lists, k) <= room]
    short = oracle.shortened(lists, fitting[-1])
    expected = _core.order_search(from_file(short)._lists, options)
    assert facts["order"] == expected["order"]
    for child, place in enumerate(facts["places"]):
        of_short = expected["places"][child]
        if of_short == len(short[child]):
            assert place == len(lists[child])
        else:
            chosen = frozenset(parents._lists.parents(child, place))
            assert (parents._lists.score(child, place), chosen) == short[child][of_short]
    if empty:  # what no set at all counts depends on the whole lists
        assert facts["restarts"] == expected["restarts"]
        assert facts["score"] == expected["score"]


@pytest.mark.parametrize("n", [9, 64, 65, 200, 257, 300])
@pytest.mark.parametrize("swap", [True, False])
def test_no_time_for_tables_changes_no_set(n, swap):
    rng = random.Random(n)
    lists = random_lists(rng, n, most_sets=40, empty=n % 2 == 0)
    parents = from_file(lists)
    options = _core.OrderSearchOptions("fas", not swap, 20, 500, 5, 0, 1)
    facts = _core.order_search(parents._lists, options, NO_TIME)
    assert facts["stopped"] == "time"
    assert len(facts["restarts"]) == facts["restarts_begun"] == 1
    if all(place < parents._lists.size(v) for v, place in enumerate(facts["places"])):
        check_order(facts, parents, lists)


def test_tables_of_long_lists_are_built_in_a_part_of_the_time():
    """So many sets as that allows are kept, and a thousand of each variable in any case."""
    rng = random.Random(1)
    lists = {v: [(-99.0, frozenset())] for v in range(16)}
    for child in (0, 1):
        others = [v for v in lists if v != child]
        for size in range(1, 8):
            for chosen in itertools.combinations(others, size):
                lists[child].append((-rng.randint(0, 2**20) / 2**18, frozenset(chosen)))
    sets = sum(map(len, lists.values()))
    assert sets > 2 * 16_000
    parents = from_file(lists)
    options = _core.OrderSearchOptions("fas", True, 1, 0, 0, 0, 1)
    left_out = [
        _core.order_search(parents._lists, options, seconds)["sets_left_out"]
        for seconds in (NO_TIME, None)
    ]
    assert sets - 16_000 <= left_out[0] <= sets - 15_990
    assert left_out[1] == 0


@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
@given(seed=seeds, init=st.sampled_from(INITS))
@some(8)
def test_threads_change_nothing(neighborhood, seed, init):
    rng = random.Random(seed)
    parents = from_file(random_lists(rng, rng.randint(3, 25), most_sets=20, grain=2**20))
    ask = {"neighborhood": neighborhood, "init": init, "generations": 2, "seed": seed % 1000}
    one, two, five = (
        ds.order_search(parents, restarts=30, threads=threads, **ask) for threads in (1, 2, 5)
    )
    assert one.dag == two.dag == five.dag
    assert one.score == two.score == five.score
    assert one.work == two.work == five.work


@given(data=tables(variables=(3, 8)), drawn_order=st.data())
@some(15)
def test_the_order_of_columns_changes_nothing(data, drawn_order):
    other = data.select(drawn_order.draw(st.permutations(data.names)))
    for neighborhood, init in itertools.product(NEIGHBORHOODS, INITS):
        ask = {"neighborhood": neighborhood, "init": init, "restarts": 3, "generations": 1}
        first, second = ds.order_search(data, **ask), ds.order_search(other, **ask)
        assert set(first.dag.arcs) == set(second.dag.arcs)
        assert first.score == second.score
        assert first.work["restarts"] == second.work["restarts"]


def spread(lists, n, rng):
    """The same sets on some of n variables, anywhere among them; the others have no parents."""
    chosen = sorted(rng.sample(range(n), len(lists)))
    wide = {v: [(-1.0, frozenset())] for v in range(n)}
    for child, sets in lists.items():
        wide[chosen[child]] = [(s, frozenset(chosen[p] for p in parents)) for s, parents in sets]
    return wide, chosen


@pytest.mark.parametrize("n", [63, 64, 65, 128, 129, 192, 193, 256, 257, 320])
def test_unrelated_variables_change_nothing(n):
    """Rows of one to four words, and lists of members beyond: the same optimum."""
    for seed in range(in_part(2)):
        rng = random.Random(1000 * n + seed)
        lists = random_lists(rng, 8, most_sets=15, grain=2**20)
        best = ds.exact(from_file(lists))
        wide, chosen = spread(lists, n, rng)
        parents = from_file(wide)
        found = ds.order_search(parents, restarts=12, generations=2, init=INITS[seed])
        assert found.score == best.score - (n - len(lists))
        assert numbers(found.dag) == {(chosen[a], chosen[b]) for a, b in numbers(best.dag)}


@pytest.mark.parametrize("n", [64, 65, 130, 256, 260])
def test_swaps_among_many_variables(n):
    rng = random.Random(n)
    lists = random_lists(rng, n, most_sets=4)
    parents = from_file(lists)
    facts = searched(parents, init="dfs", swap=True, steps=3, seed=n)
    first = _core.initial_order(_core.BestParentGraph(parents._lists), "dfs", n)
    last, steps = oracle.swap_climb(lists, first, 3)
    assert facts["order"] == list(last)
    assert facts["restarts"] == [(*(oracle.order_score(lists, o) for o in (first, last)), steps)]
    check_order(facts, parents, lists)


@pytest.mark.parametrize("n", [64, 65, 130, 200, 256, 260])
def test_insertion_among_many_variables(n):
    """What is kept from move to move is what the order gives from scratch."""
    rng = random.Random(n)
    lists = random_lists(rng, n, most_sets=40, grain=2**20)
    parents = from_file(lists)
    facts = searched(parents, init="fas", seed=n)
    check_order(facts, parents, lists)
    for at in rng.sample(range(n), 2):
        for to in range(0, n, 8):
            order = list(facts["order"])
            order.insert(to, order.pop(at))
            assert oracle.order_score(lists, order) <= facts["score"]


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("n", [14, 63, 65, 130, 256, 258])
def test_long_lists(n, empty):
    """Sets far down a list, with few of the variables available and with nearly all."""
    rng = random.Random(n)
    lists = random_lists(rng, n, most_sets=2)
    some_variables = rng.sample(range(n), 14)
    for child in some_variables[:5]:
        others = [v for v in some_variables if v != child]
        sets = {frozenset(rng.sample(others, rng.randint(1, 9))) for _ in range(1700)}
        sets |= {frozenset()} if empty else set()
        lists[child] = [(len(s) - 100 - rng.randint(0, 320) / 64, s) for s in sets]
        assert len(sets) > 2 * 512
    parents = from_file(lists)
    most = 2 if n == 14 else 0
    for init in ("random", "fas"):
        facts = searched(parents, init=init, swap=True, restarts=5, steps=most, seed=n)
        graph = _core.BestParentGraph(parents._lists)
        for restart, told in enumerate(facts["restarts"]):
            first = _core.initial_order(graph, init, n, restart)
            if not empty and oracle.order_score(lists, first) == exact_oracle.NO_NETWORK:
                continue
            last, steps = oracle.swap_climb(lists, first, most)
            scores = oracle.order_score(lists, first), oracle.order_score(lists, last)
            assert told == (*scores, steps)
        facts = searched(parents, init=init, seed=n)
        check_order(facts, parents, lists)
        for child in some_variables[:3]:
            order = [v for v in facts["order"] if v != child]
            for to in range(0, n, max(1, n // 8)):
                moved = (*order[:to], child, *order[to:])
                assert oracle.order_score(lists, moved) <= facts["score"]
