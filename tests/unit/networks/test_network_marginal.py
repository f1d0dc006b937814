import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks import load_network
from unit.networks.network_cases import joint, networks, random_network


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(networks(words=st.text("abcd", min_size=1, max_size=2), max_variables=5), st.data())
def test_marginals_are_sums_of_the_joint(net, data):
    wanted = data.draw(st.lists(st.sampled_from(net.names), unique=True))
    axes = [net.names.index(x) for x in wanted]
    rest = tuple(i for i in range(len(net.names)) if i not in axes)
    expected = joint(net).sum(axis=rest).transpose(np.argsort(np.argsort(axes)))
    np.testing.assert_allclose(net.marginal(wanted), expected, atol=1e-14)


def test_marginals_of_asia_by_hand():
    net = load_network("asia")
    tub = 0.01 * 0.05 + 0.99 * 0.01
    lung = 0.5 * 0.1 + 0.5 * 0.01
    assert net.marginal("tub")[0] == pytest.approx(tub, abs=1e-15)
    assert net.marginal("either")[0] == pytest.approx(1 - (1 - tub) * (1 - lung), abs=1e-15)
    # bronc and either meet in smoke, so dysp is not a product of marginals.
    dysp = 0.0
    for p_lung, p_bronc in ((0.1, 0.6), (0.01, 0.3)):
        p_either = 1 - (1 - tub) * (1 - p_lung)
        dysp += 0.5 * p_bronc * (p_either * 0.9 + (1 - p_either) * 0.8)
        dysp += 0.5 * (1 - p_bronc) * (p_either * 0.7 + (1 - p_either) * 0.1)
    assert net.marginal(["dysp"])[0] == pytest.approx(dysp, abs=1e-14)


def test_large_networks_stay_small_on_the_way():
    net = load_network("hailfinder")
    table = net.marginal(["R5Fcst", "PlainsFcst"])
    assert table.shape == (3, 3)
    assert table.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(table.sum(axis=1), net.marginal(["R5Fcst"]), atol=1e-12)


def test_marginal_errors():
    net = load_network("asia")
    with pytest.raises(ParameterError, match='unknown variable "smoker"; did you mean "smoke"'):
        net.marginal(["smoker"])
    with pytest.raises(ParameterError, match="each variable of a marginal is named once, got"):
        net.marginal(["smoke", "smoke"])


def test_a_marginal_beyond_memory_is_refused():
    names = [f"V{i:02}" for i in range(30)]
    net = random_network(Dag(names), {x: ["0", "1"] for x in names}, np.random.default_rng(0))
    with pytest.raises(
        ParameterError, match=r"an exact answer would take 25\.8 GB of memory, and 1 GB are allowed"
    ):
        net.marginal(names)
