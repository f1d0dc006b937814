import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.data import Data
from dagscape.errors import DataError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import fit, load_network
from unit.networks.network_cases import networks


def plain_table(dag, data, x, ess):
    parents = dag.parents(x)
    column = {v: data.codes[:, data.names.index(v)] for v in (*parents, x)}
    sizes = [data.arities[p] for p in parents]
    r, q = data.arities[x], int(np.prod(sizes))
    table = np.empty((*sizes, r))
    for row in np.ndindex(*sizes):
        hit = np.ones(data.n_rows, dtype=bool)
        for p, code in zip(parents, row, strict=True):
            hit &= column[p] == code
        for k in range(r):
            n_row, n = hit.sum(), (hit & (column[x] == k)).sum()
            total = n_row + ess / q
            table[(*row, k)] = (n + ess / (q * r)) / total if total > 0 else 1 / r
    return table


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    networks(words=st.text("abc", min_size=1, max_size=3)),
    st.integers(1, 12),
    st.sampled_from([0, 0.5, 1.0, 10]),
)
def test_fit_against_a_plain_loop(net, rows, ess):
    data = net.sample(rows, seed=rows)
    found = fit(net.dag, data, ess=ess)
    assert found.dag == net.dag
    assert dict(found.states) == dict(data.states)
    for x in net.names:
        np.testing.assert_allclose(found.table(x), plain_table(net.dag, data, x, ess), rtol=1e-12)


def test_much_data_gives_the_network_back():
    net = load_network("survey")
    found = fit(net.dag, net.sample(200_000, seed=0))
    for x in net.names:
        np.testing.assert_allclose(found.table(x), net.table(x), atol=0.02)


def test_columns_beyond_the_graph_are_left_out():
    data = Data.from_codes(np.array([[0, 1], [1, 1], [1, 0]]), {"A": ["x", "y"], "B": ["u", "v"]})
    assert fit(Dag("B"), data, ess=0).table("B").tolist() == pytest.approx([1 / 3, 2 / 3])


def test_fit_errors():
    data = Data.from_codes(np.array([[0], [1]]), {"Alpha": ["x", "y"]})
    with pytest.raises(DataError) as error:
        fit(Dag(["Alfa"]), data)
    assert str(error.value) == (
        'the data has no column "Alfa", a variable of the graph; did you mean "Alpha"?'
    )
    for ess in (-1, float("nan"), float("inf"), "1"):
        with pytest.raises(ParameterError, match="ess must be a number from 0 up, got"):
            fit(Dag(["Alpha"]), data, ess=ess)
