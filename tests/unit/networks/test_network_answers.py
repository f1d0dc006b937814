"""Questions to a network: what comes back, what is refused and in which words."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia")


class TestQuery:
    def test_one_variable_is_a_mapping_of_its_states(self, asia):
        found = asia.query("lung", given={"smoke": "yes"})
        assert dict(found) == {"yes": pytest.approx(0.1), "no": pytest.approx(0.9)}
        assert found["yes"] == pytest.approx(0.1)
        assert found.names == ("lung",)
        assert found.given == ("smoke = yes",)
        assert found.exact
        assert found.claim == "exact"
        assert found.errors is None

    def test_several_have_keys_of_several(self, asia):
        found = asia.query(["lung", "bronc"], {"smoke": "yes"})
        assert found["yes", "no"] == pytest.approx(0.1 * 0.4)
        assert list(found) == [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")]
        turned = asia.query(["bronc", "lung"], {"smoke": "yes"})
        np.testing.assert_array_equal(turned.array, found.array.T)

    def test_it_is_shown_as_a_table(self, asia):
        assert repr(asia.query("lung", {"smoke": "yes"})) == (
            "P(lung | smoke = yes)\n  yes  0.1000\n  no   0.9000"
        )
        assert repr(asia.query(["lung", "asia"])).splitlines()[:2] == [
            "P(lung, asia)",
            "  yes, yes  0.0006",
        ]

    def test_a_long_one_is_cut(self):
        net = ds.random_network(6, states=3, seed=1)
        shown = repr(net.query(net.names)).splitlines()
        assert len(shown) == 42
        assert shown[-1] == "  and 689 more"

    @pytest.mark.slow
    def test_what_is_given_is_cut_too(self):
        net = ds.random_network(2000, max_parents=1, seed=1)
        asked, *known = net.names
        shown = repr(net.query(asked, dict.fromkeys(known, "s0"))).splitlines()[0]
        twenty = ", ".join(f"{x} = s0" for x in known[:20])
        assert shown == f"P({asked} | {twenty} and 1,979 more)"

    def test_as_a_frame(self, asia):
        frame = asia.query(["lung", "bronc"]).frame()
        assert frame.columns == ["lung", "bronc", "probability"]
        assert frame.row(1)[:2] == ("yes", "no")
        assert frame["probability"].sum() == pytest.approx(1)

    def test_numbers_stand_for_their_labels(self):
        net = ds.Network(
            ds.Dag(["a", "b"], [("a", "b")]),
            {"a": ["0", "1"], "b": ["False", "True"]},
            {"a": [0.4, 0.6], "b": [[0.9, 0.1], [0.3, 0.7]]},
        )
        assert net.query("b", {"a": 1})["True"] == pytest.approx(0.7)
        assert net.query("a", {"b": True})["1"] == pytest.approx(0.42 / 0.46)

    def test_soft_evidence_counts_by_its_ratios(self, asia):
        once = asia.query("tub", {"xray": {"yes": 0.3, "no": 0.1}})
        twice = asia.query("tub", {"xray": {"yes": 6, "no": 2}})
        np.testing.assert_allclose(once.array, twice.array, rtol=1e-12)
        assert asia.query("tub", {"xray": {"yes": 1}}) == asia.query("tub", {"xray": "yes"})

    @pytest.mark.parametrize(
        ("targets", "given", "said"),
        [
            ("lungs", None, 'the network has no variable "lungs"; did you mean "lung"?'),
            ("lung", {"smokes": "yes"}, 'the network has no variable "smokes"; did you mean'),
            ("lung", {"smoke": "Yes"}, '"Yes" is not a state of "smoke"; did you mean "yes"?'),
            ("lung", {"smoke": "maybe"}, '"maybe" is not a state of "smoke"; it has yes, no'),
            ("lung", {"smoke": None}, '"None" is not a state of "smoke"; it has yes, no'),
            ("lung", {"lung": "yes"}, '"lung" is given, so there is nothing to ask'),
            ([], None, "targets must be one variable or several, each once: []"),
            (["lung", "lung"], None, "targets must be one variable or several, each once"),
            ("lung", ["smoke"], 'given must be a dict such as {"Sex": "F"}, got list'),
            ("lung", {"smoke": {}}, 'one of the states of "smoke" must have a weight above 0'),
            ("lung", {"smoke": {"yes": -1}}, 'the weight of "yes" of "smoke" must be a number'),
            ("lung", {"smoke": {"y": 1}}, '"y" is not a state of "smoke"'),
        ],
    )
    def test_what_it_does_not_know_is_refused(self, asia, targets, given, said):
        with pytest.raises(ds.ParameterError) as error:
            asia.query(targets, given)
        assert said in str(error.value)

    def test_impossible_evidence_names_what_cannot_be_together(self, asia):
        with pytest.raises(ds.ParameterError) as error:
            asia.query("dysp", {"smoke": "yes", "either": "no", "asia": "no", "lung": "yes"})
        assert str(error.value) == (
            "either = no and lung = yes are impossible together in this network: "
            "nothing follows from it"
        )
        never = ds.Network(
            ds.Dag(["a", "b"]), {"a": ["x", "y"], "b": ["u"]}, {"a": [1, 0], "b": [1]}
        )
        with pytest.raises(ds.ParameterError, match=r"^a = y is impossible in this network"):
            never.query("b", {"a": "y"})


class TestSampled:
    """Where there is no memory for an exact answer."""

    def test_the_estimate_is_within_its_errors(self, asia):
        given = {"xray": "yes", "dysp": {"yes": 0.9, "no": 0.2}}
        exact = asia.query(["smoke", "bronc"], given)
        found = asia.query(["smoke", "bronc"], given, max_memory=8, samples=20_000, seed=3)
        assert not found.exact
        assert found.claim.startswith("estimated from 20,000 weighted samples, worth ")
        assert (abs(found.array - exact.array) < 4 * found.errors).all()
        assert (found.errors < 0.02).all()
        assert " ± 0.0" in repr(found)
        assert found.frame().columns == ["smoke", "bronc", "probability", "error"]

    def test_errors_are_what_they_say(self, asia):
        """Over many seeds, estimates miss by about their error."""
        given = {"either": "yes"}
        exact = asia.query("smoke", given)["yes"]
        missed = []
        for seed in range(200):
            found = asia.query("smoke", given, max_memory=8, samples=3000, seed=seed)
            missed.append((found["yes"] - exact) / found.errors[0])
        assert 0.85 < np.std(missed) < 1.15
        assert abs(np.mean(missed)) < 0.25

    def test_all_marginals(self, asia):
        exact = asia.query_all({"xray": "yes"})
        found = asia.query_all({"xray": "yes"}, max_memory=8, samples=50_000)
        for x in asia.names:
            assert (abs(found[x].array - exact[x].array) <= 4 * found[x].errors + 1e-12).all()
        assert found["xray"]["yes"] == pytest.approx(1)

    def test_what_was_never_drawn_may_still_be(self, asia):
        found = asia.query("asia", {"smoke": "yes"}, max_memory=8, samples=20, seed=1)
        assert found["yes"] == 0
        assert found.errors[0] == pytest.approx(0.05)

    def test_the_seed_decides(self, asia):
        first, again, other = (
            asia.query("lung", max_memory=8, samples=100, seed=seed) for seed in (1, 1, 2)
        )
        assert first == again
        assert first != other

    def test_what_never_occurs(self, asia):
        with pytest.raises(ds.ParameterError, match="did not occur in 10 samples"):
            asia.query("dysp", {"either": "no", "lung": "yes"}, max_memory=8, samples=10)

    def test_no_samples_means_exact_or_nothing(self, asia):
        with pytest.raises(ds.ParameterError, match=r"an exact answer would take .* and 8 bytes"):
            asia.query("dysp", max_memory=8, samples=0)
        with pytest.raises(ds.ParameterError, match=r"an exact answer would take .* and 8 bytes"):
            asia.most_probable(max_memory=8)


class TestMostProbable:
    def test_all_variables_have_a_state(self, asia):
        found = asia.most_probable({"xray": "yes"})
        assert tuple(found.states) == asia.names
        assert found.states["xray"] == "yes"
        assert found.probability == pytest.approx(np.exp(found.log_probability))

    def test_it_is_not_each_variables_own(self):
        """The most probable case has a = y, though x is the more probable state of a."""
        net = ds.Network(
            ds.Dag(["a", "b"], [("a", "b")]),
            {"a": ["x", "y"], "b": ["1", "2"]},
            {"a": [0.6, 0.4], "b": [[0.5, 0.5], [0.9, 0.1]]},
        )
        assert net.most_probable().states == {"a": "y", "b": "1"}
        assert net.query("a")["x"] > 0.5

    def test_among_many_variables_nothing_underflows(self):
        net = ds.random_network(600, neighbors=1.5, states=3, seed=2)
        found = net.most_probable()
        assert -600 < found.log_probability < -100
        assert found.log_probability > net.log_likelihood(net.sample(50, seed=1)) / 50


class TestPredict:
    def test_complete_rows_by_the_markov_blanket(self, asia):
        data = asia.sample(50, seed=1)
        found = asia.predict_proba(data, "bronc")
        assert found.shape == (50, 2)
        names = data.names
        for i in (0, 7, 21):
            row = {x: data.states[x][data.codes[i, names.index(x)]] for x in names if x != "bronc"}
            np.testing.assert_allclose(found[i], asia.query("bronc", row).array, rtol=1e-12)

    def test_labels(self, asia):
        data = asia.sample(100, seed=2)
        proba, labels = asia.predict_proba(data, "dysp"), asia.predict(data, "dysp")
        assert list(labels) == [asia.states["dysp"][k] for k in proba.argmax(axis=1)]

    @pytest.mark.parametrize("threads", [1, 3])
    def test_the_number_of_threads_does_not_matter(self, asia, threads):
        data = asia.sample(5000, seed=3)
        alone = asia.predict_proba(data, "smoke", threads=1)
        np.testing.assert_array_equal(asia.predict_proba(data, "smoke", threads=threads), alone)

    def test_columns_may_be_absent_and_cells_missing(self, asia):
        rows = {"smoke": ["yes", None], "xray": [None, None]}
        found = asia.predict_proba(rows, "lung")
        np.testing.assert_allclose(found, [[0.1, 0.9], [0.055, 0.945]])

    def test_integers_with_gaps_are_read_as_labels(self):
        net = ds.Network(
            ds.Dag(["a", "b"], [("a", "b")]),
            {"a": ["0", "1"], "b": ["u", "v"]},
            {"a": [0.4, 0.6], "b": [[0.9, 0.1], [0.3, 0.7]]},
        )
        found = net.predict_proba({"a": np.array([1.0, np.nan, 0.0])}, "b")
        np.testing.assert_allclose(found[:, 0], [0.3, 0.4 * 0.9 + 0.6 * 0.3, 0.9])

    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            ({"smoke": ["yes", "often"]}, 'column "smoke", row 2: "often" is not a state of this'),
            (
                {"Smoke": ["yes"]},
                'column "Smoke" is not a variable of the network; did you mean "smoke"',
            ),
            ({"lung": ["yes"]}, "the table has none of the network's other variables: asia"),
            (
                {"either": ["yes", "no", "no"], "tub": ["yes", "yes", "yes"]},
                "row 2 is impossible in this network, as is 1 more",
            ),
        ],
    )
    def test_bad_rows(self, asia, rows, said):
        with pytest.raises(ds.DataError) as error:
            asia.predict_proba(rows, "lung")
        assert said in str(error.value)

    def test_an_unknown_target(self, asia):
        with pytest.raises(ds.ParameterError, match='no variable "lungs"; did you mean "lung"'):
            asia.predict(asia.sample(5), "lungs")


class TestDo:
    def test_seeing_is_not_doing(self, asia):
        seen = asia.query("smoke", {"lung": "yes"})["yes"]
        done = asia.do({"lung": "yes"}).query("smoke")["yes"]
        assert seen > 0.9
        assert done == pytest.approx(0.5)

    def test_arcs_into_what_is_set_are_gone(self, asia):
        net = asia.do({"either": "yes", "bronc": {"yes": 1, "no": 3}})
        assert net.dag.parents("either") == ()
        assert net.dag.parents("bronc") == ()
        assert net.dag.parents("dysp") == asia.dag.parents("dysp")
        np.testing.assert_allclose(net.table("bronc"), [0.25, 0.75])
        assert net.name == "asia, do(either = yes, bronc weighted)"
        assert asia.dag.parents("either") != ()

    def test_nothing_to_do(self, asia):
        with pytest.raises(ds.ParameterError, match="do needs a variable and its state"):
            asia.do({})


def test_a_network_that_was_asked_can_be_copied(asia):
    asia.query("lung")
    assert copy.deepcopy(asia) == asia
    again = pickle.loads(pickle.dumps(asia))
    assert again == asia
    assert again.query("lung") == asia.query("lung")


def test_the_cost_is_known_before():
    barley = ds.load_network("barley")
    assert barley.query_cost() > 1e8
    assert barley.query_cost("ngodn") < barley.query_cost()
