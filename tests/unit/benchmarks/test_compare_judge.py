"""What judges the tools: the scorer, the graphs and their distance, tables and BIF contents."""

import itertools
import math

import numpy as np
import pytest
from benchmarks.compare.datasets import DataSets, as_table, random_network
from benchmarks.compare.graphs import essential, extension, shd
from benchmarks.compare.job import Job
from benchmarks.compare.judge import judge_graph
from benchmarks.compare.scorer import bic, gaussian_bic, local_bic
from benchmarks.compare.table import TARGET, Table, observed
from benchmarks.compare.tasks import load_task
from benchmarks.compare.tasks.bif import compare
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from oracles.graphs import all_dags

NAMES = tuple("abcd")


def test_bic_by_hand():
    # X: 0 0 1 1, Y: 0 0 0 1. Given X = 0, Y is always 0; given X = 1, half and half.
    codes = np.array([[0, 0], [0, 0], [1, 0], [1, 1]], dtype=np.int32)
    table = Table(("X", "Y"), (("0", "1"), ("0", "1")), codes)
    half = math.log(0.5)
    penalty = math.log(4) / 2
    assert local_bic(table, 0, []) == pytest.approx(4 * half - penalty)
    assert local_bic(table, 1, [0]) == pytest.approx(2 * half - 2 * penalty)
    assert bic(table, [("X", "Y")]) == pytest.approx(6 * half - 3 * penalty)
    assert bic(table, [("Y", "X")]) == pytest.approx(bic(table, [("X", "Y")]))


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data())
def test_bic_is_that_of_the_package(data):
    arities = data.draw(st.lists(st.integers(1, 4), min_size=4, max_size=4))
    rows = data.draw(
        st.lists(st.tuples(*(st.integers(0, r - 1) for r in arities)), min_size=1, max_size=30)
    )
    states = tuple(tuple(f"s{i}" for i in range(r)) for r in arities)
    table = observed(NAMES, states, np.array(rows))
    arcs = [(NAMES[a], NAMES[b]) for a, b in data.draw(st.sampled_from(all_dags(4)))]
    expected = ds.score(ds.Data(table.frame()), arcs, score="bic")
    assert bic(table, arcs) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_experiments_tell_the_arcs_at_their_targets():
    """As the package has it, which is compared with the definition elsewhere."""
    for arcs in ([(NAMES[a], NAMES[b]) for a, b in graph] for graph in all_dags(4)):
        for targets in (["a"], ["b", "d"]):
            done = {"none": [], **{x: [x] for x in targets}}
            expected = ds.Dag(NAMES, arcs).to_mpdag(done)
            directed, undirected = essential(NAMES, arcs, targets)
            assert directed == set(expected.directed)
            assert undirected == {frozenset(edge) for edge in expected.undirected}


def test_tables_of_experiments_say_what_was_set(tmp_path):
    known = DataSets(tmp_path, None)["touched-10-200"]
    table = known.table
    assert table.names[-1] == TARGET
    said = [table.states[-1][code] for code in table.codes[:, -1]]
    assert said.count("") == 100
    for name in table.states[-1][1:]:
        rows = [at for at, word in enumerate(said) if word == name]
        values = table.numbers[rows, table.names.index(name)]
        assert len(rows) == 20
        assert len(set(values)) == 2
    answer = {"arcs": [list(arc) for arc in known.truth], "undirected": []}
    job = Job("experiments", "a", "dagscape", "experiments", "touched-10-200")
    found = load_task("experiments").judge(job, answer, DataSets(tmp_path, None))
    truth = essential(table.names[:-1], known.truth, table.states[-1][1:])
    assert found == {"edges": len(known.truth), "shd": len(truth[1])}


def test_essential_graphs_extensions_and_distances_of_all_small_dags():
    dags = [[(NAMES[a], NAMES[b]) for a, b in graph] for graph in all_dags(4)]
    classes = {}
    for arcs in dags:
        expected = ds.Dag(NAMES, arcs).to_cpdag()
        directed, undirected = essential(NAMES, arcs)
        assert directed == set(expected.directed)
        assert undirected == {frozenset(edge) for edge in expected.undirected}
        classes[frozenset(directed), frozenset(undirected)] = expected
        extended = extension(NAMES, directed, [tuple(sorted(edge)) for edge in undirected])
        assert essential(NAMES, extended) == (directed, undirected)
    for one, other in itertools.islice(itertools.product(classes, repeat=2), 0, None, 7):
        marks = [(set(directed), set(edges)) for directed, edges in (one, other)]
        assert shd(*marks) == ds.shd(classes[one], classes[other])


def test_a_graph_without_extension_is_not_scored():
    circle = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    with pytest.raises(ValueError, match="no DAG"):
        extension(NAMES, [], circle)
    data = random_network(4, seed=1).sample(20, seed=0)
    sets = as_table(data)
    arcs = [[sets.names[i], sets.names[(i + 1) % 4]] for i in range(4)]
    known = type("Known", (), {"table": sets, "truth": None})()
    facts = judge_graph({"arcs": [], "undirected": arcs}, known)
    assert facts == {
        "edges": 4,
        "remark": "not scored: no DAG has this skeleton and these v-structures",
    }


def test_shuffled_columns_keep_their_content(tmp_path):
    table = as_table(ds.load_network("asia").sample(50, seed=0))
    other = table.shuffled(3)
    assert other.names != table.names
    assert other.names == table.shuffled(3).names
    assert table.shuffled(None) is table
    for i, name in enumerate(other.names):
        at = table.names.index(name)
        assert other.states[i] == table.states[at]
        assert (other.codes[:, i] == table.codes[:, at]).all()
    other.write(tmp_path / "t.npz")
    read = Table.read(tmp_path / "t.npz")
    assert (read.names, read.states) == (other.names, other.states)
    assert (read.codes == other.codes).all()


def test_states_that_never_occur_are_dropped():
    table = observed(("A",), (("x", "y", "z"),), [[2], [0], [2]])
    assert table.states == (("x", "z"),)
    assert table.codes[:, 0].tolist() == [1, 0, 1]
    assert list(table.frame()["A"].cat.categories) == ["x", "z"]


def test_data_sets_by_name(tmp_path):
    sets = DataSets(tmp_path, None)
    asia = sets["asia-100"]
    assert asia.table.codes.shape == (100, 8)
    assert asia.truth == ds.load_network("asia").dag.arcs
    first = sets["asia-100-first3"]
    assert first.table.names == asia.table.names[:3]
    assert first.truth is None
    assert sets["binary-30-10"].table.codes.shape == (10, 30)
    assert sets.file("asia-100", 1) == sets.file("asia-100", 1)


def test_real_files_are_read_where_they_are(tmp_path):
    folder = tmp_path / "bnlearn"
    folder.mkdir()
    net = ds.load_network("hailfinder")
    frame = as_table(net.sample(30, seed=1)).frame()
    frame = frame.rename(columns={"N0_7muVerMo": "N07muVerMo", "ScenRel3_4": "ScenRel34"})
    frame.to_csv(folder / "hailfinder.csv.gz", index=False)
    found = DataSets(tmp_path, tmp_path)["hailfinder-20"]
    assert set(found.table.names) == set(net.names)
    assert found.table.n_rows == 20
    assert found.truth == net.dag.arcs
    assert "hailfinder.csv.gz" in found.source


def test_a_random_network_is_the_same_each_time():
    one, other = random_network(40, seed=2), random_network(40, seed=2)
    assert one == other
    assert one != random_network(40, seed=3)
    assert max(len(one.dag.parents(name)) for name in one.names) == 3


def test_networks_read_from_bif_are_compared():
    node = {"states": ["n", "y"], "parents": [], "table": [0.25, 0.75]}
    pair = {"states": ["n", "y"], "parents": ["A", "B"], "table": np.arange(8).reshape(2, 2, 2)}
    turned = {**pair, "parents": ["B", "A"], "table": np.arange(8).reshape(2, 2, 2).swapaxes(0, 1)}
    truth = {"A": node, "B": node, "C": pair}
    assert compare(truth, {"A": node, "B": node, "C": turned}) == {"same": True, "error": 0.0}
    assert not compare(truth, {"A": node, "B": node, "C": {**turned, "table": pair["table"]}})[
        "same"
    ]
    assert compare(truth, {"A": node})["different"] == "variables"
    fewer = {**pair, "parents": ["A"]}
    assert compare(truth, {**truth, "C": fewer})["different"] == "parents of C"
    other = {**node, "states": ["y", "n"]}
    assert compare(truth, {**truth, "A": other})["different"] == "states of A"


class TestNumbers:
    """Tables of numbers, and of numbers and states."""

    def mixed(self):
        return ds.random_network(6, kind="mixed", seed=3).sample(80, seed=1)

    def test_the_gaussian_bic_is_that_of_the_package(self):
        net = ds.random_network(7, kind="gaussian", neighbors=3, seed=1)
        data = net.sample(200, seed=0)
        expected = ds.score(data, net.dag, score="gaussian_bic")
        assert gaussian_bic(as_table(data), net.dag.arcs) == pytest.approx(expected, rel=1e-7)
        with pytest.raises(ValueError, match="no numbers"):
            gaussian_bic(as_table(ds.load_network("asia").sample(9, seed=0)), [])

    def test_tables_go_through_files_shuffled_and_shortened(self, tmp_path):
        data = self.mixed()
        table = as_table(data)
        table.shuffled(5).write(tmp_path / "a.npz")
        read = Table.read(tmp_path / "a.npz")
        assert read.names != table.names
        assert ds.Data(read.frame()) == ds.Data(table.frame())
        assert ds.Data(table.frame()).kinds == data.kinds
        few = ds.Data(table.head(3).frame())
        assert few == ds.Data(table.frame()).select(table.names[:3])

    def test_what_is_judged(self, tmp_path):
        sets = DataSets(tmp_path, None)
        for name, scored in (("gaussian-8-100", True), ("mixed-8-100", False)):
            truth = [list(arc) for arc in sets[name].truth]
            found = judge_graph({"arcs": truth, "undirected": []}, sets[name])
            assert found["shd"] == 0
            assert ("score" in found) == scored
