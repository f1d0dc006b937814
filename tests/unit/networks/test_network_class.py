import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.data import Data
from dagscape.errors import DataError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, load_network
from unit.networks.network_cases import joint, networks, random_network

STATES = {"A": ["a0", "a1"], "B": ["b0", "b1", "b2"]}
TABLES = {"A": [0.25, 0.75], "B": [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]]}
DAG = Dag(["A", "B"], [("A", "B")])


def small():
    return Network(DAG, STATES, TABLES, name="small", reference="a book")


def test_what_it_holds():
    net = small()
    assert net.dag == DAG
    assert net.names == ("A", "B")
    assert dict(net.states) == {"A": ("a0", "a1"), "B": ("b0", "b1", "b2")}
    assert dict(net.arities) == {"A": 2, "B": 3}
    assert (net.name, net.reference) == ("small", "a book")
    assert net.n_parameters == 1 + 2 * 2
    assert net.table("B").tolist() == TABLES["B"]
    assert repr(net) == '<Network "small": 2 variables, 1 arcs, 5 parameters>'


def test_tables_are_copies_that_cannot_be_changed():
    given_table = np.array([0.25, 0.75])
    net = Network(DAG, STATES, {**TABLES, "A": given_table})
    given_table[0] = 9
    assert net.table("A").tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="read-only"):
        net.table("A")[0] = 0.5
    with pytest.raises(TypeError):
        net.states["A"] = ("x",)


def test_rows_rounded_in_print_are_rescaled_and_exact_ones_kept():
    third = [0.3333333, 0.3333333, 0.3333333]
    net = Network(DAG, STATES, {**TABLES, "B": [third, [0.1, 0.2, 0.7]]})
    assert net.table("B")[0].tolist() == pytest.approx([1 / 3] * 3, abs=1e-15)
    assert net.table("B")[1].tolist() == [0.1, 0.2, 0.7]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": [0.5, 0.4]}, 'the probabilities of "A" must sum to 1, got 0.9'),
        (
            {"B": [[0.5, 0.5, 0], [0.5, 0.4, 0]]},
            'the probabilities of "B" (row (1,) of its parents\' states) must sum to 1, got 0.9',
        ),
        ({"A": [1.5, -0.5]}, 'the table of "A" must hold probabilities, got -0.5'),
        ({"A": [np.nan, 1]}, 'the table of "A" must hold probabilities, got nan'),
        ({"A": [np.inf, 1]}, 'the table of "A" must hold probabilities, got inf'),
        ({"A": ["x", 1]}, 'the table of "A" must hold numbers only'),
        (
            {"B": [[0.5, 0.5], [0.5, 0.5]]},
            'the table of "B" must have shape (2, 3) (states of A, B), got (2, 2)',
        ),
        ({"C": [1.0]}, 'tables are given for an unknown variable "C"'),
    ],
)
def test_wrong_tables(change, message):
    with pytest.raises(ParameterError) as error:
        Network(DAG, STATES, {**TABLES, **change})
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ({"A": ["a0", "a1"]}, 'states must be given for every variable; "B" has none'),
        ({**STATES, "A": []}, 'variable "A" must have at least one state'),
        ({**STATES, "A": ["x", "x"]}, 'variable "A" has the state "x" more than once'),
        ({**STATES, "A": "xy"}, "the states of \"A\" must be a list of strings, got 'xy'"),
        ({**STATES, "A": [0, 1]}, 'the states of "A" must be a list of strings, got [0, 1]'),
        ({**STATES, "Z": ["x"]}, 'states are given for an unknown variable "Z"'),
    ],
)
def test_wrong_states(states, message):
    with pytest.raises(ParameterError) as error:
        Network(DAG, states, TABLES)
    assert str(error.value) == message


def test_a_missing_table_and_an_unknown_variable():
    with pytest.raises(ParameterError, match=r'tables must be given for every .* "A" has none'):
        Network(DAG, STATES, {"B": TABLES["B"]})
    with pytest.raises(ParameterError, match='unknown variable "ASIA"'):
        load_network("asia").table("ASIA")
    with pytest.raises(ParameterError, match=r'unknown variable "smok"; did you mean "smoke"\?'):
        load_network("asia").table("smok")


def test_a_table_beyond_all_memory_is_refused_before_it_is_asked_for():
    names = [f"P{i}" for i in range(30)]
    dag = Dag([*names, "X"], [(p, "X") for p in names])
    states = {x: ["0", "1"] for x in dag.names}
    tables = {p: [0.5, 0.5] for p in names} | {"X": [0.5, 0.5]}
    with pytest.raises(ParameterError, match='table of "X" would have 2147483648 cells'):
        Network(dag, states, tables)


def test_display_order_does_not_count():
    arcs = [("A", "C"), ("B", "C")]
    table = np.random.default_rng(0).dirichlet([1, 1], size=(2, 3))
    states = {"A": ["0", "1"], "B": ["0", "1", "2"], "C": ["0", "1"]}
    rest = {"A": [0.5, 0.5], "B": [0.2, 0.3, 0.5]}
    one = Network(Dag("ABC", arcs), states, rest | {"C": table})
    two = Network(Dag("CBA", arcs), states, rest | {"C": table.transpose(1, 0, 2)})
    assert one == two
    assert hash(one) == hash(two)
    a, b = one.sample(50, seed=3), two.sample(50, seed=3)
    for x in "ABC":
        np.testing.assert_array_equal(
            a.codes[:, a.names.index(x)], b.codes[:, b.names.index(x)], err_msg=x
        )


def test_what_makes_networks_differ():
    net = small()
    assert net == Network(DAG, STATES, TABLES)  # titles do not count
    assert net != Network(DAG, STATES, {**TABLES, "A": [0.75, 0.25]})
    assert net != Network(DAG, {**STATES, "A": ["a1", "a0"]}, TABLES)
    assert net != Network(Dag("AB"), STATES, {**TABLES, "B": [0.5, 0.25, 0.25]})
    assert net != "small"


# A chi-square statistic has mean df and variance 2 df; five deviations leave a fixed seed room.
def chi_square_is_plausible(counts, probabilities):
    expected = probabilities.ravel() * counts.sum()
    counts = counts.ravel()
    assert np.all(counts[expected == 0] == 0)
    possible = expected > 0
    statistic = np.sum((counts - expected)[possible] ** 2 / expected[possible])
    degrees = possible.sum() - 1
    return statistic < degrees + 5 * math.sqrt(2 * degrees) + 1e-9


def test_sampled_frequencies_are_those_of_the_joint():
    dag = Dag("DCBA", [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
    states = {"A": list("xyz"), "B": list("xy"), "C": list("xyz"), "D": list("xyzw")}
    net = random_network(dag, states, np.random.default_rng(5))
    data = net.sample(40_000, seed=1)
    assert data.n_rows == 40_000
    assert dict(data.states) == dict(net.states)
    sizes = [net.arities[x] for x in net.names]
    cells = np.ravel_multi_index(tuple(data.codes.astype(int).T), sizes)
    counts = np.bincount(cells, minlength=math.prod(sizes))
    assert chi_square_is_plausible(counts, joint(net))
    assert not chi_square_is_plausible(counts, np.full(len(counts), 1 / len(counts)))


def test_sampled_alarm_has_the_exact_marginals():
    net = load_network("alarm")
    data = net.sample(20_000, seed=2)
    for column, x in enumerate(net.names):
        counts = np.bincount(data.codes[:, column], minlength=net.arities[x])
        assert chi_square_is_plausible(counts, net.marginal([x])), x


def test_samples_follow_the_seed():
    net = load_network("asia")
    first, again, other = (net.sample(200, seed=s).codes for s in (4, 4, 5))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("n", [0, -1, 2.5, "x"])
def test_a_sample_needs_rows(n):
    with pytest.raises(ParameterError, match="number of rows to sample must be at least 1, got"):
        small().sample(n)


@pytest.mark.parametrize("seed", [-1, 0.5, None])
def test_a_sample_needs_a_seed(seed):
    with pytest.raises(ParameterError, match="seed must be a whole number from 0 up, got"):
        small().sample(10, seed=seed)


def plain_log_likelihood(net, data):
    total = 0.0
    for row in data.codes:
        label = {x: data.states[x][code] for x, code in zip(data.names, row, strict=True)}
        for x in net.names:
            cell = tuple(net.states[v].index(label[v]) for v in (*net.dag.parents(x), x))
            p = net.table(x)[cell]
            total += math.log(p) if p > 0 else -math.inf
    return total


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=50)
@given(networks(words=st.text("abc", min_size=1, max_size=3)), st.randoms(use_true_random=False))
def test_log_likelihood_against_a_plain_loop(net, random):
    data = net.sample(30, seed=random.randrange(1000))
    columns = random.sample(range(len(net.names)), len(net.names))
    codes, states = [], {}
    for column in columns:  # the data lists columns and states in an order of its own
        x = net.names[column]
        order = random.sample(range(net.arities[x]), net.arities[x])
        states[x] = [net.states[x][code] for code in order]
        codes.append(np.argsort(order)[data.codes[:, column]])
    shuffled = Data.from_codes(np.stack(codes, axis=1), states)
    expected = plain_log_likelihood(net, shuffled)
    assert math.isfinite(expected)
    assert net.log_likelihood(shuffled) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert net.log_likelihood(data) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_an_impossible_row_has_likelihood_zero():
    data = Data.from_codes(np.array([[1, 0]]), STATES)
    assert small().log_likelihood(data) == -math.inf


def test_log_likelihood_needs_the_columns_and_states():
    net = small()
    with pytest.raises(DataError) as error:
        net.log_likelihood(Data.from_codes(np.array([[1]]), {"A": ["a0", "a1"]}))
    assert str(error.value) == 'the data has no column "B", a variable of the network'
    states = {"A": ["a1", "zzz"], "B": ["b2", "unused"], "C": ["c", "d"]}
    good = Data.from_codes(np.array([[0, 0, 1], [0, 0, 0]]), states)
    assert net.log_likelihood(good) == pytest.approx(2 * math.log(0.75))
    bad = Data.from_codes(np.array([[0, 0, 1], [1, 0, 0]]), states)
    with pytest.raises(DataError) as error:
        net.log_likelihood(bad)
    assert str(error.value) == (
        'column "A", row 2: "zzz" is not a state of this variable in the network; it has a0, a1'
    )
