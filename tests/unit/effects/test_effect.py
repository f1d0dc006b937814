"""The effect of a cause: what is told, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(1000, seed=1)


@pytest.fixture(scope="module")
def posterior(data):
    return ds.posterior(data)


@pytest.fixture(scope="module")
def found(posterior):
    return ds.effect(posterior, "smoke", "dysp", networks=300)


def test_a_table_with_intervals(found):
    frame = found.frame()
    assert frame.columns == [
        *("do(smoke)", "dysp", "probability", "lower", "upper"),
        *("adjusted", "adjusted_lower", "adjusted_upper"),
    ]
    assert frame["do(smoke)"].to_list() == ["yes", "yes", "no", "no"]
    assert frame["dysp"].to_list() == ["yes", "no"] * 2
    assert (frame["lower"] <= frame["probability"]).all()
    assert (frame["probability"] <= frame["upper"]).all()
    np.testing.assert_allclose(found.mean.sum(axis=1), 1)


def test_it_is_said_in_words(found):
    lines = str(found).splitlines()
    assert lines[0] == "P(dysp | do(smoke))"
    assert lines[1].startswith("  yes  yes 0.")
    assert any(line.startswith("no effect at all: probability 0.") for line in lines)
    assert any("more rows would not help" in line for line in lines)
    assert lines[-1] == (
        "right if the arcs are causes, no common cause of the variables is missing, and no row is "
        "in the table, or left out of it, because of what they cause"
    )
    assert "300 networks drawn from the posterior (exact: " in found.claim


def test_the_difference_that_setting_makes(found):
    after = found.difference("yes", "no")
    back = found.difference("no", "yes")
    for state in ("yes", "no"):
        mean, low, high = after[state]
        assert low <= mean <= high
        assert back[state] == pytest.approx((-mean, -high, -low))
    assert after["yes"][0] == pytest.approx(-after["no"][0])
    assert after["yes"][0] == pytest.approx(found.mean[0, 0] - found.mean[1, 0])
    with pytest.raises(ds.ParameterError, match='two different states of "smoke"'):
        found.difference("yes", "yes")
    with pytest.raises(ds.ParameterError, match='"maybe" is not a state of "smoke"'):
        found.difference("maybe", "yes")


def test_the_difference_by_structure_adds_up_to_the_difference(found):
    rows = found.by_structure("yes", "no", frame="dict")
    assert rows["parents"][::2] == [", ".join(one.parents) for one in found.alternatives]
    assert rows["state"] == ["yes", "no"] * len(found.alternatives)
    assert sum(rows["probability"]) == pytest.approx(2)
    whole = found.difference("yes", "no")
    for i, state in enumerate(("yes", "no")):
        weights, means = np.array(rows["probability"])[i::2], np.array(rows["mean"])[i::2]
        assert weights @ means == pytest.approx(whole[state][0])
    for mean, low, high, path in zip(
        *(rows[name] for name in ("mean", "lower", "upper", "path")), strict=True
    ):
        assert low <= mean <= high
        assert path or mean == low == high == 0
    with pytest.raises(ds.ParameterError, match="interval must be"):
        found.by_structure("yes", "no", interval="both")


def test_the_level_widens_the_intervals(posterior):
    wide, narrow = (
        ds.effect(posterior, "smoke", "dysp", networks=300, level=level) for level in (0.99, 0.5)
    )
    assert ((wide.upper - wide.lower) > (narrow.upper - narrow.lower)).all()


def test_the_seed_decides(posterior):
    first, again, other = (
        ds.effect(posterior, "smoke", "dysp", networks=50, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.draws, again.draws)
    assert not np.array_equal(first.draws, other.draws)


def test_all_of_it_as_json(found):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["no_effect"] == found.no_effect
    assert sum(one["probability"] for one in told["alternatives"]) == pytest.approx(1)


def test_of_a_learned_network(data):
    learned = ds.learn(data, runs=0, resamples=0)
    found = ds.effect(learned, "smoke", "dysp", networks=100)
    assert len(found.alternatives) > 1
    assert found.mean is None
    assert found.no_effect is None
    assert found.open is None
    assert found.frame()["probability"].null_count() == 4
    assert "that the data cannot tell apart" in str(found)
    json.dumps(found.to_dict())
    again = ds.effect(learned.plain(), "smoke", "dysp", data=data, networks=100)
    np.testing.assert_array_equal(again.draws, found.draws)


def test_of_a_class_that_leaves_nothing_open(data):
    known = ds.Knowledge(tiers=[["asia", "smoke"], ["tub", "lung", "bronc"], ["either"]])
    learned = ds.learn(data, runs=0, resamples=0, knowledge=known)
    found = ds.effect(learned, "smoke", "dysp", networks=100)
    assert [one.parents for one in found.alternatives] == [()]
    assert found.mean is not None


def test_what_learning_found_has_its_posterior(data):
    learned = ds.learn(data, runs=0, resamples=3)
    found = ds.effect(learned, "smoke", "dysp", networks=100)
    own = ds.effect(learned.posterior, "smoke", "dysp", networks=100)
    np.testing.assert_array_equal(found.draws, own.draws)
    assert found.weighted


def test_without_a_path_there_is_no_effect(data):
    """Nothing that is done to dysp changes asia, if dysp comes last."""
    known = ds.Knowledge(
        tiers=[["asia"], ["smoke", "tub", "lung", "bronc", "either", "xray"], ["dysp"]]
    )
    found = ds.effect(ds.posterior(data, knowledge=known), "dysp", "asia", networks=50)
    assert found.no_effect == 1
    np.testing.assert_array_equal(found.draws[:, 0], found.draws[:, 1])


def test_bagged(data):
    found = ds.effect(ds.posterior(data, resamples=5), "smoke", "dysp", networks=100)
    assert "mean of the posteriors of 5 tables" in found.claim


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"cause": "smokes"}, 'the network has no variable "smokes"; did you mean "smoke"?'),
        ({"cause": "dysp"}, "cause and outcome must be two variables"),
        ({"level": 1}, "level must be between 0 and 1, got 1"),
        ({"networks": 0}, "networks must be a whole number from 1 up, got 0"),
        ({"of": "asia"}, "effect needs a posterior or a result of a search, got str"),
    ],
)
def test_what_is_refused(posterior, asked, said):
    settings = {"of": posterior, "cause": "smoke", "outcome": "dysp", **asked}
    with pytest.raises(ds.ParameterError) as error:
        ds.effect(**settings)
    assert said in str(error.value)


def test_another_table_is_refused(posterior):
    other = ds.load_network("asia").sample(1000, seed=2)
    with pytest.raises(ds.ParameterError, match="not those that the posterior was made from"):
        ds.effect(posterior, "smoke", "dysp", data=other)


def test_a_result_from_a_file_needs_its_table(data, tmp_path):
    ds.exact(data).save(tmp_path / "r.json")
    kept = ds.load_result(tmp_path / "r.json")
    with pytest.raises(ds.ParameterError, match="the table is not known here; give it"):
        ds.effect(kept, "smoke", "dysp")
    few = data.select(["smoke", "dysp"])
    with pytest.raises(ds.ParameterError, match='data has no column "asia"'):
        ds.effect(kept, "smoke", "dysp", data=few)


def chain(data, arcs):
    """Return what a search would have found: these arcs."""
    dag = ds.Dag(data.names, arcs)
    return ds.Result(dag=dag, score=ds.score(data, dag), score_name="bic", method="by hand")


def test_without_a_directed_path_it_says_so(data):
    collider = chain(data, [("smoke", "dysp"), ("bronc", "dysp")])
    none = ds.effect(collider, "smoke", "bronc", data=data, networks=20)
    said = "no directed path leads from smoke to bronc: setting smoke changes nothing"
    assert none.paths == said
    assert said in str(none)
    assert none.to_dict()["paths"] == said
    assert ds.effect(collider, "smoke", "dysp", data=data, networks=20).paths is None
    some = ds.effect(chain(data, [("smoke", "dysp")]), "smoke", "dysp", data=data, networks=20)
    assert some.paths is not None
    assert some.paths.startswith("in 1 of 2 answers, no directed path leads from smoke to dysp")


def test_a_common_cause_that_was_cut_is_told():
    rng = np.random.default_rng(0)
    age = rng.normal(50, 10, 200)
    frame = {
        "age": age,
        "weight": rng.normal(70, 9, 200),
        "treated": ["yes" if a > 50 else "no" for a in age],
        "dead": ["yes" if a > 60 else "no" for a in age],
    }
    cuts = {"age": ("quantile", 3), "weight": ("quantile", 2)}
    posterior = ds.posterior(ds.Data(frame, discretize=cuts))
    found = ds.effect(posterior, "treated", "dead", networks=20)
    assert found.cut == ("age", "weight")
    assert found.cut_caution in str(found).splitlines()
    assert found.cut_caution.startswith(
        "age and weight were cut into intervals: if they influence both treated and dead"
    )
    own = ds.effect(posterior, "weight", "dead", networks=20)
    assert own.cut == ("age",)
    assert "age was cut into intervals: if it influences both" in str(own)
    sexes = ds.Data({"a": ["x", "y"] * 9, "b": ["u", "v", "v"] * 6})
    assert ds.effect(ds.posterior(sexes), "a", "b", networks=20).cut_caution is None


def test_dependent_rows_are_told_of():
    once = np.random.default_rng(5).integers(0, 2, (30, 3))
    copied = {name: once[:, at].repeat(10) for at, name in enumerate(("age", "drug", "event"))}
    found = ds.effect(ds.posterior(copied), "drug", "event", networks=20)
    assert not found.rows_independent
    assert found.cautions == (
        "the rows seem to depend on each other: the effect is less certain than its intervals "
        "say, and may be chance",
    )
    assert found.cautions[0] in str(found).splitlines()
    assert found.to_dict()["cautions"] == [*found.cautions]
    said = ds.Data(copied, rows_independent=True)
    assert ds.effect(ds.posterior(said), "drug", "event", networks=20).cautions == ()


@pytest.mark.parametrize("between", [None, "mid"])
def test_what_knowledge_rules_out_has_no_effect_by_either_interval(between):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 300)
    table = {"a": a, "b": a ^ rng.integers(0, 5, 300) // 4, "mid": rng.integers(0, 2, 300)}
    levels = [["a"], ["b", "mid"]] if between is None else [["a"], ["b"], ["mid"]]
    found = ds.effect(
        ds.posterior(table, knowledge=ds.Knowledge(tiers=levels)), "b", "a", networks=50
    )
    assert found.ruled_out
    assert found.no_effect == 1
    assert not found.adjusted_for
    np.testing.assert_allclose(found.difference("1", "0", interval="adjusted")["1"], 0)
    assert "by what was given as known, no directed path leads from b to a" in str(found)
    other = ds.effect(ds.posterior(table, knowledge=ds.Knowledge(tiers=levels)), "a", "b")
    assert not other.ruled_out


def test_a_posterior_that_holds_few_networks_answers_with_these(data):
    few = ds.posterior(data, resamples=2)
    assert few.most_networks < 5_000
    found = ds.effect(few, "smoke", "dysp", networks=5_000)
    assert f"{few.most_networks:,} networks drawn from the posterior" in found.claim
    assert ds.posterior(data.select(["smoke", "bronc"])).most_networks is None
