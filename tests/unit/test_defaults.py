"""The score and prior that are taken where the user names none."""

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(400, seed=1)


def test_the_sample_size_follows_the_tables_of_the_network():
    """Nearly deterministic tables ask for a small one, others for a larger one."""
    sizes = {
        name: ds.default_score(ds.load_network(name).sample(500, seed=0)).base.ess
        for name in ("asia", "alarm", "child")
    }
    assert sizes["asia"] <= sizes["alarm"] < sizes["child"]


def test_it_is_the_most_probable_of_the_sizes(asia):
    """By the definition: each column given the one other that BIC finds best, or none."""

    def best_parent(child):
        sets = [[], *([name] for name in asia.names if name != child)]
        return max(sets, key=lambda given: ds.local_score(asia, child, given, score="bic"))

    families = {name: best_parent(name) for name in asia.names}

    def evidence(ess):
        kind = ds.BDeu(ess)
        return sum(ds.local_score(asia, x, given, score=kind) for x, given in families.items())

    chosen = ds.default_score(asia).base.ess
    assert chosen == max((0.5, 1, 2, 4, 8, 16, 32), key=evidence)


def test_order_of_columns_and_constant_columns_do_not_matter(asia):
    shuffled = asia.select(list(reversed(asia.names)))
    more = 2600
    codes = np.hstack([asia.codes, np.zeros((asia.n_rows, more), dtype=int)])
    wide = ds.Data.from_codes(codes, asia.states | {f"x{i}": ["same"] for i in range(more)})
    assert ds.default_score(asia) == ds.default_score(shuffled) == ds.default_score(wide)


@pytest.mark.parametrize("columns", [{"a": [0, 0]}, {"a": [0, 1, 1]}, {"a": [0, 1], "b": [1, 1]}])
def test_tiny_tables(columns):
    assert ds.default_score(ds.Data(columns)).base.ess > 0


def test_many_columns_are_not_all_looked_at():
    rng = np.random.default_rng(0)
    wide = ds.Data.from_codes(
        rng.integers(0, 2, (30, 1500)), {f"x{i}": ["a", "b"] for i in range(1500)}
    )
    assert isinstance(ds.default_score(wide).base, ds.BDeu)


def test_another_prior_goes_with_the_same_score(asia):
    usual = ds.default_score(asia)
    other = ds.default_score(asia, "fair")
    assert other.base == usual.base
    assert (str(usual.prior), str(other.prior)) == ("edges(neighbors=2)", "fair")


SEARCHES = {
    "learn": lambda data, **asked: ds.learn(data, runs=0, resamples=0, **asked),
    "exact": ds.exact,
    "posterior": ds.posterior,
    "bootstrap": lambda data, **asked: ds.bootstrap(data, runs=2, **asked),
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
    assert (found.asked["score"], found.asked["prior"]) == ("bdeu(ess=1)", "edges(neighbors=2)")
    assert found.asked["chosen"] == ("score", "prior")
    assert found.score_reason.startswith("score and prior chosen by default")
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
