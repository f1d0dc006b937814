"""First careless calls get a sentence, not a traceback from the depths."""

import networkx as nx
import pytest

import dagscape as ds

ASIA = ds.load_network("asia")


def test_an_essential_graph_has_no_tables():
    data = ASIA.sample(50, seed=0)
    with pytest.raises(ds.GraphError, match=r"got a Cpdag; choose a member with \.to_dag\(\)"):
        ds.fit(ASIA.dag.to_cpdag(), data)
    with pytest.raises(ds.GraphError, match="got a Cpdag"):
        ds.Network(ASIA.dag.to_cpdag(), ASIA.states, {x: ASIA.table(x) for x in ASIA.names})


@pytest.mark.parametrize("graph", [[("a", "b")], nx.DiGraph([("a", "b")]), None])
def test_tables_need_a_dag(graph):
    with pytest.raises(ds.GraphError, match=r"a network needs a Dag, got .*from_networkx"):
        ds.fit(graph, ds.Data({"a": [0, 1, 0, 1], "b": [1, 1, 0, 0]}))


def test_networks_and_networkx_graphs_can_be_compared():
    assert ds.shd(ASIA, ASIA.dag.to_networkx()) == 0
    assert ds.compare(ASIA, ASIA.dag).missing == ()


def test_capitals_find_a_network():
    with pytest.raises(ds.ParameterError, match='did you mean "alarm"'):
        ds.load_network("ALARM")
