"""Priors on structures: names, files, claims, and what is refused."""

import json
import math

import pytest

import dagscape as ds
from dagscape.scores import as_score, known_score, score_from_dict
from dagscape.scores.priors import prior_from_dict

SEARCHES = {
    "learn": lambda data, **s: ds.learn(data, runs=0, resamples=0, **s),
    "exact": ds.exact,
    "ges": ds.ges,
    "kes": ds.kes,
    "order": ds.order_search,
    "grown": lambda data, **s: ds.order_search(data, parent_sets="grown", **s),
    "hill_climb": ds.hill_climb,
    "mmhc": ds.mmhc,
    "sll_c": ds.sll_c,
    "sll_g": ds.sll_g,
}


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(300, seed=1)


class TestNames:
    def test_a_name_words_and_data_make_the_same_prior(self):
        three = ds.EdgePrior(neighbors=3)
        assert str(three) == "edges(neighbors=3)"
        assert ds.PRIORS.from_words(str(three)) == three
        assert prior_from_dict(three.to_dict()) == three
        assert prior_from_dict(json.loads(json.dumps(three.to_dict()))) == three
        assert as_score("bic", "Fair").prior == ds.FairPrior()

    def test_a_score_with_a_prior_tells_both(self):
        score = as_score(ds.BDeu(ess=5), "fair")
        assert (score.base, score.prior) == (ds.BDeu(ess=5), ds.FairPrior())
        assert score.to_dict() == {"name": "bdeu", "ess": 5.0, "prior": {"name": "fair"}}
        assert score_from_dict(score.to_dict()) == score
        assert as_score(str(score)) == known_score(str(score)) == score
        assert known_score("bdeu(ess=5), prior unfair") is None

    def test_the_uniform_prior_leaves_a_score_as_it_is(self):
        assert as_score("bic", "uniform") == as_score("bic") == ds.BIC()

    def test_two_priors_are_refused(self):
        score = as_score("bic", "fair")
        assert as_score(score, "fair") == score
        with pytest.raises(ds.ParameterError, match=r"has a prior already; leave out \"edges"):
            as_score(score, ds.EdgePrior())

    @pytest.mark.parametrize("neighbors", [0, -1, math.inf, math.nan, "2", None, True, 10**400])
    def test_what_is_no_number_of_neighbors_is_refused(self, neighbors):
        with pytest.raises(ds.ParameterError, match="neighbors must be a positive number"):
            ds.EdgePrior(neighbors=neighbors)

    def test_an_unknown_prior_is_named_with_the_nearest(self, asia):
        with pytest.raises(ds.ParameterError, match=r'unknown prior "fare"; did you mean "fair"'):
            ds.exact(asia, prior="fare")
        with pytest.raises(ds.ParameterError, match="a prior is a name or an object"):
            ds.exact(asia, prior=2.0)

    def test_weights_of_few_variables(self):
        for prior in (ds.UniformPrior(), ds.FairPrior(), ds.EdgePrior()):
            assert prior.log_weights(1) == pytest.approx([0.0])
            assert len(prior.log_weights(7)) == 7
        assert ds.FairPrior().log_weights(5) == pytest.approx(
            [-math.log(c) for c in (1, 4, 6, 4, 1)]
        )
        assert ds.EdgePrior(neighbors=1).log_weights(5)[:2] == pytest.approx([0, math.log(1 / 6)])


class TestSearches:
    @pytest.mark.parametrize("search", SEARCHES)
    def test_the_result_names_the_prior_and_has_both_parts(self, asia, search):
        found = SEARCHES[search](asia, score="bdeu", prior="fair")
        assert found.score_kind == as_score("bdeu", "fair")
        assert found.score_name == "bdeu(ess=1), prior fair"
        assert (found.asked["score"], found.asked["prior"]) == ("bdeu(ess=1)", "fair")
        assert found.score == pytest.approx(ds.score(asia, found.dag, score="bdeu", prior="fair"))
        assert found.score_parts["score"] == pytest.approx(ds.score(asia, found.dag, score="bdeu"))
        weights = ds.FairPrior().log_weights(8)
        log_prior = sum(weights[len(found.dag.parents(x))] for x in asia.names)
        assert found.score_parts["prior"] == pytest.approx(log_prior)

    @pytest.mark.parametrize("search", SEARCHES)
    def test_a_score_named_without_a_prior_means_uniform(self, asia, search):
        alone, uniform = (
            SEARCHES[search](asia, score="bdeu", prior=prior) for prior in (None, "uniform")
        )
        assert (alone.dag, alone.score, alone.score_kind) == (
            uniform.dag,
            uniform.score,
            uniform.score_kind,
        )
        assert alone.score_parts == {"score": alone.score, "prior": 0.0}

    def test_a_strong_prior_leaves_no_edges(self, asia):
        none = ds.EdgePrior(neighbors=1e-300)
        assert ds.exact(asia, prior=none).dag.arcs == ()
        assert ds.neighbors(asia, "smoke", prior=none) == ()
        assert ds.markov_blanket(asia, "either", prior=none) == ()
        assert not ds.local_optima(asia, score="bic", runs=5, prior=none).best.dag.arcs
        assert not len(ds.bootstrap(asia, runs=5, prior=none).features("edges"))

    def test_knowledge_is_obeyed_whatever_the_prior(self, asia):
        knowledge = ds.Knowledge(required=[("xray", "asia")], forbidden=[("smoke", "bronc")])
        found = ds.exact(asia, prior=ds.EdgePrior(neighbors=1e-300), knowledge=knowledge)
        assert found.dag.arcs == (("xray", "asia"),)

    def test_tests_of_independence_take_no_prior(self, asia):
        with pytest.raises(ds.ParameterError, match="prior"):
            ds.neighbors(asia, "smoke", method="hiton", prior="fair")

    def test_sets_that_are_scored_take_no_prior(self, asia):
        parents = ds.candidate_parents(asia, score="bic", prior="fair")
        for search in (ds.exact, ds.order_search):
            with pytest.raises(ds.ParameterError, match="prior belongs to the selection"):
                search(parents, prior="fair")
            assert search(parents).score_kind.prior == ds.FairPrior()


class TestFiles:
    def test_a_saved_result_comes_back_with_its_prior(self, asia, tmp_path):
        found = ds.exact(asia, score="bdeu", prior=ds.EdgePrior(neighbors=3))
        found.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == found

    @pytest.mark.parametrize("ending", ["jkl", "pss"])
    def test_score_files_name_the_prior(self, asia, tmp_path, ending):
        parents = ds.candidate_parents(asia, score="bdeu", prior="fair")
        path = tmp_path / f"p.{ending}"
        parents.write(path)
        assert "prior=fair" in path.read_text()
        assert ds.read_parents(path).score_kind == as_score("bdeu", "fair")
        assert ds.exact(ds.read_parents(path)).score == pytest.approx(ds.exact(parents).score)

    def test_a_store_keeps_its_prior_and_refuses_another(self, asia, tmp_path):
        store = tmp_path / "runs.sqlite"
        ds.local_optima(asia, score="bic", runs=3, prior="fair", store=store)
        assert ds.load_result(store, ds.Landscape).score_kind.prior == ds.FairPrior()
        with pytest.raises(ds.DagscapeError, match='prior = "fair", not "uniform"'):
            ds.local_optima(asia, score="bic", runs=3, store=store)

    def test_the_page_says_that_a_prior_was_added(self, asia, tmp_path):
        page = tmp_path / "page.html"
        ds.exact(asia, score="bic", prior="fair").report(page)
        assert "bic score + ln prior (fair)" in page.read_text("utf-8")
