"""Networks put together from local learning: what joins them, what they obey, how they end."""

from __future__ import annotations

import pytest

import dagscape as ds
from dagscape.search import LocalSets
from limits import NO_TIME

SEARCHES = {"sll_c": ds.sll_c, "sll_g": ds.sll_g, "mmhc": ds.mmhc}
EACH = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())


@pytest.fixture(scope="module")
def data() -> ds.Data:
    return ds.load_network("child").sample(1000, seed=4)


def pairs(dag: ds.Dag) -> set[frozenset[str]]:
    return {frozenset(arc) for arc in dag.arcs}


def agreed(sets: LocalSets) -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, others in sets.items() for b in others}


@EACH
def test_the_score_is_that_of_the_network(data, search):
    found = search(data)
    assert found.score == pytest.approx(ds.score(data, found.dag, score=found.score_kind), abs=1e-6)
    assert found.stopped is None
    assert found.dag.names == data.names


@EACH
def test_threads_and_column_order_change_nothing(data, search):
    frame = data.to_polars()
    turned = ds.Data(frame.select(reversed(frame.columns)))
    one, two, other = search(data, threads=1), search(data, threads=2), search(turned)
    assert one.dag == two.dag
    assert set(one.dag.arcs) == set(other.dag.arcs)


def test_sll_c_joins_those_that_find_each_other(data):
    around = agreed(ds.neighbors(data, method="sll", score="bic"))
    found = ds.sll_c(data, score="bic", skeleton="strict")
    assert pairs(found.dag) == around
    assert found.work["skeleton"] == len(found.dag.arcs)
    assert found.method == "sll+c"
    assert pairs(ds.sll_c(data, score="bic").dag) >= around
    with pytest.raises(ds.ParameterError, match='unknown skeleton "joined"; did you mean'):
        ds.sll_c(data, skeleton="joined")


@pytest.mark.parametrize("degrees", ["declared", "adjusted"])
def test_mmhc_climbs_among_those_that_tests_join(data, degrees):
    found = ds.mmhc(data, score="bic", degrees=degrees)
    assert found.asked["degrees"] == degrees
    allowed = agreed(ds.neighbors(data, method="mmpc", degrees=degrees))
    assert pairs(found.dag) <= allowed
    joined = [tuple(sorted(pair)) for pair in allowed]
    same = ds.hill_climb(data, score="bic", allowed=joined, wander=False, restarts=0)
    assert (found.dag, found.score) == (same.dag, same.score)


def test_sll_g_climbs_among_those_of_whom_one_finds_the_other(data):
    found = ds.sll_g(data, score="bic")
    assert found.work["skeleton"] >= len(agreed(ds.neighbors(data)))
    assert len(found.dag.arcs) <= found.work["skeleton"]


@pytest.mark.slow
def test_with_much_data_sll_c_finds_the_class():
    truth = ds.Dag("abcde", [("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")])
    tables = {
        "a": {(): [0.5, 0.5]},
        "b": {(): [0.4, 0.6]},
        "c": {(0, 0): [0.9, 0.1], (0, 1): [0.3, 0.7], (1, 0): [0.4, 0.6], (1, 1): [0.1, 0.9]},
        "d": {(0,): [0.8, 0.2], (1,): [0.2, 0.8]},
        "e": {(0,): [0.7, 0.3], (1,): [0.1, 0.9]},
    }
    rows = sample(truth, tables, 20_000)
    found = ds.sll_c(ds.Data(rows), score="bic")
    assert found.cpdag == truth.to_cpdag()


def sample(truth: ds.Dag, tables: dict, rows: int) -> dict[str, list[int]]:
    """Draw rows from a network of two-state variables, plainly."""
    import random

    rng = random.Random(11)
    table: dict[str, list[int]] = {name: [] for name in truth.names}
    for i in range(rows):
        for name in truth.topological_order():
            given = tuple(table[parent][i] for parent in truth.parents(name))
            table[name].append(int(rng.random() >= tables[name][given][0]))
    return table


def test_knowledge_is_obeyed_by_greedy_search_and_refused_by_name_else(data):
    known = ds.Knowledge(required=[("Age", "XrayReport")], forbidden=[("Disease", "Sick")])
    for search in (ds.sll_g, ds.mmhc):
        arcs = search(data, knowledge=known).dag.arcs
        assert ("Age", "XrayReport") in arcs
        assert ("Disease", "Sick") not in arcs
    with pytest.raises(ds.ParameterError, match=r"sll_c cannot obey knowledge \(required"):
        ds.sll_c(data, score="bic", knowledge=known)


def test_max_parents_is_obeyed(data):
    for search in (ds.sll_g, ds.mmhc):
        dag = search(data, max_parents=1).dag
        assert max(len(dag.parents(name)) for name in dag.names) == 1


@EACH
def test_limits_and_interrupts_leave_a_network(search):
    large = ds.load_network("alarm").tile(3, seed=0).sample(2000, seed=1)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    stopped = search(large, progress=interrupt)
    assert stopped.stopped == "interrupt"
    assert stopped.score == pytest.approx(ds.score(large, stopped.dag), abs=1e-6)
    short = search(large, time_limit=NO_TIME)
    assert short.stopped == "time"
    assert short.score == pytest.approx(ds.score(large, short.dag), abs=1e-6)


@EACH
def test_odd_tables_are_no_trouble(search):
    one = search(ds.Data({"a": [0, 1, 0]}))
    assert one.dag.arcs == ()
    constant = search(ds.Data({"a": [0] * 6, "b": [0, 1] * 3, "c": [1, 0] * 3}))
    assert pairs(constant.dag) <= {frozenset("bc")}


@EACH
def test_bad_options_get_a_sentence(data, search):
    with pytest.raises(ds.ParameterError, match="time_limit must be a positive number"):
        search(data, time_limit=-1)
    with pytest.raises(ds.ParameterError, match='unknown score "bci"'):
        search(data, score="bci")
    with pytest.raises(ds.ParameterError, match="threads must be"):
        search(data, threads=0)
