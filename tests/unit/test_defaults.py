"""The score and prior that are taken where the user names none."""

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(400, seed=1)


GAPS = ds.Data({"a": ["x", "y", None], "b": ["x", "x", "y"]}, missing="keep")
TABLES = {
    "one column": ds.Data({"a": ["x", "x"]}),
    "one row": ds.Data({"a": ["x"], "b": ["y"]}),
    "a constant": ds.Data({"a": ["x", "y"], "b": ["y", "y"]}),
    "gaps": GAPS,
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_columns_of_states_have_the_fitted_score(table):
    usual = ds.default_score(table)
    assert (usual.base, usual.prior) == (ds.FittedDirichlet(), ds.EdgePrior(neighbors=0.2))


def test_of_few_columns_a_fifth_of_all_pairs_are_taken_to_be_joined():
    for columns, neighbors in ((2, 0.2), (3, 0.4), (5, 0.8), (6, 1.0), (7, 1.0)):
        data = ds.Data({f"v{i}": ["x", "y"] for i in range(columns)})
        assert ds.default_score(data).prior.neighbors == pytest.approx(neighbors)


def test_another_prior_goes_with_the_same_score(asia):
    usual = ds.default_score(asia)
    other = ds.default_score(asia, "fair")
    assert other.base == usual.base
    assert (str(usual.prior), str(other.prior)) == ("edges(neighbors=1)", "fair")


SEARCHES = {
    "learn": lambda data, **asked: ds.learn(data, runs=0, resamples=0, **asked),
    "exact": ds.exact,
    "posterior": ds.posterior,
    "bootstrap": lambda data, **asked: ds.bootstrap(data, runs=2, **asked),
    "structural EM": ds.structural_em,
}


@pytest.mark.parametrize("search", SEARCHES)
def test_all_that_learn_follow_the_rule(asia, search):
    assert SEARCHES[search](asia).score_name in (
        str(ds.default_score(asia)),
        str(ds.default_score(asia).base),
    )
    assert SEARCHES[search](asia, score="bic").score_name == "bic"


@pytest.mark.parametrize("search", ["learn", "exact"])
def test_the_result_says_what_was_chosen_and_why(asia, search, tmp_path):
    found = SEARCHES[search](asia)
    assert (found.asked["score"], found.asked["prior"]) == (
        "fitted_dirichlet",
        "edges(neighbors=1)",
    )
    assert found.asked["chosen"] == ("score", "prior")
    assert found.score_reason.startswith('score and prior chosen by default; score="bic"')
    found.save(tmp_path / "r.json")
    assert ds.load_result(tmp_path / "r.json").score_reason == found.score_reason
    assert SEARCHES[search](asia, prior="fair").score_reason.startswith("score chosen by default")
    assert SEARCHES[search](asia, score="bic").score_reason == ""


def test_local_learning_says_what_was_chosen(asia):
    found = ds.neighbors(asia, "either")
    assert found.asked["chosen"] == ["score", "prior"]
    assert found == ds.neighbors(asia, "either", score=ds.default_score(asia))
    assert ds.neighbors(asia, "either", score="bic").asked["chosen"] == []


def test_near_optimal_lists_around_the_same_optimum(asia):
    assert ds.near_optimal(asia, within=0.5).optimum == pytest.approx(ds.exact(asia).score)
