"""The posterior as users meet it: what it takes, refuses, says, keeps and draws."""

import math
import sqlite3
from collections import Counter

import numpy as np
import pytest

import dagscape as ds
from dagscape.posteriors import KINDS
from dagscape.posteriors.estimates import log_total_by_size
from dagscape.posteriors.exact_sums import affordable_parents
from dagscape.posteriors.pieces import drawn
from limits import AMPLE, NO_TIME, Clock


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=1)


@pytest.fixture(scope="module")
def found(data):
    return ds.posterior(data)


@pytest.fixture(scope="module")
def bagged(data):
    return ds.posterior(data, resamples=6, seed=3)


def table(kind, posterior):
    return {
        (row.get("kind"), row["from"], row["to"]): row
        for row in posterior.features(kind).iter_rows(named=True)
    }


class TestChoices:
    def test_score_and_prior_where_nothing_is_said(self, data, found):
        assert (found.score_name, str(found.prior)) == ("fitted_dirichlet", "edges(neighbors=1)")
        assert found.score_kind == ds.default_score(data)
        assert found.claim == (
            "exact: sums over all networks; score fitted_dirichlet, which stands in for a "
            "probability; prior edges(neighbors=1)"
        )
        named = ds.posterior(data, score="bdeu")
        assert str(named.prior) == "uniform"  # a score by itself is as published
        other = ds.posterior(data, prior=ds.EdgePrior(neighbors=3.0))
        assert (other.score_name, str(other.prior)) == ("fitted_dirichlet", "edges(neighbors=3)")

    @pytest.mark.parametrize("score", ["aic", "loglik"])
    def test_scores_that_are_no_weights(self, data, score):
        with pytest.raises(ds.ParameterError, match=f"{score} is not, nor stands in for"):
            ds.posterior(data, score=score)

    @pytest.mark.parametrize("score", ["bic", "fitted_dirichlet", "qnml"])
    def test_scores_that_stand_in_are_labeled(self, data, score):
        found = ds.posterior(data, score=score)
        assert f"score {score}, which stands in for a probability" in found.claim
        assert found.log_evidence is None

    def test_sums_that_do_not_fit(self, data):
        wide = ds.Data({f"x{i:02}": np.arange(40) % (i % 3 + 2) for i in range(40)})
        with pytest.raises(ds.ParameterError) as refused:
            ds.posterior(wide, max_parents=1, method="exact")
        words = str(refused.value)
        for part in ("40 variables that may be each other's parents", "TB", "tiers", "mcmc"):
            assert part in words
        with pytest.raises(ds.ParameterError, match="they may use 25 kB"):
            ds.posterior(data, max_memory=25e3, max_parents=1, method="exact")
        assert "the parent sets do not fit" in ds.posterior(data, max_memory=1e3).claim
        with pytest.raises(ds.ParameterError, match="parent sets do not fit"):
            ds.posterior(data, max_memory=1e3, method="exact")

    def test_time_that_is_over(self):
        many = ds.Data({f"x{i:02}": np.arange(4000) * (i + 7) % 5 % 3 for i in range(17)})
        found = ds.posterior(many, max_parents=3, time_limit=NO_TIME, method="exact")
        assert found.empty
        assert "time_limit was over" in found.claim

    @pytest.mark.parametrize(
        ("bad", "words"),
        [
            ({"resamples": -1}, "resamples must be a whole number from 0"),
            ({"resamples": 2.5}, "resamples must be a whole number from 0"),
            ({"max_parents": 8}, "max_parents must be between 0 and 7"),
            ({"seed": -1}, "seed must be a whole number"),
            ({"score": "bdue"}, 'unknown score "bdue"'),
            ({"prior": "fairy"}, 'unknown prior "fairy"'),
            ({"knowledge": ds.Knowledge(forbidden=[("asia", "moon")])}, "moon"),
        ],
    )
    def test_wrong_words(self, data, bad, words):
        with pytest.raises(ds.ParameterError, match=words):
            ds.posterior(data, **bad)

    def test_a_limit_of_parents_is_chosen_and_said(self):
        assert affordable_parents(20) == 19
        assert affordable_parents(21) < 20
        assert 3 <= affordable_parents(37) <= 5
        sets = 37 * sum(math.comb(36, k) for k in range(affordable_parents(37) + 1))
        assert sets <= 12_000_000

    def test_knowledge(self, data):
        known = ds.Knowledge(
            required=[("smoke", "lung")], tiers=[["smoke", "asia"], ["lung", "tub"]]
        )
        found = ds.posterior(data, score="bdeu", knowledge=known, max_parents=3)
        assert found.probability("smoke", "lung") == pytest.approx(1)
        for a, b in [("lung", "smoke"), ("tub", "asia"), ("lung", "asia")]:
            assert found.probability(a, b) == 0
            assert found.probability(a, b, "ancestors") < 1
        assert "networks that obey your knowledge and have at most 3 parents" in found.claim
        assert all(not known.violations(dag) for dag in found.sample(20))
        assert found.log_evidence is not None


class TestAnswers:
    def test_tables(self, found):
        assert set(KINDS) == {"arcs", "adjacencies", "ancestors", "blankets", "edges", "paths"}
        for kind in KINDS:
            rows = found.features(kind)
            assert rows.columns[:3] == ["feature", "from", "to"]
            for row in rows.iter_rows(named=True):
                assert 0 <= row["lower"] <= row["probability"] <= row["upper"] <= 1
            assert rows["probability"].to_list() == sorted(rows["probability"], reverse=True)
        assert len(found.features("arcs")) == 56
        assert len(found.features("adjacencies")) == 28
        assert len(found.features("arcs", least=0.5)) < 20
        assert set(found.features("arcs", frame="dict")) >= {"probability", "lower", "upper"}
        with pytest.raises(ds.ParameterError, match='unknown kind of feature "arrows"'):
            found.features("arrows")

    def test_an_adjacency_is_an_arc_either_way(self, found):
        arcs = table("arcs", found)
        for (_, a, b), row in table("adjacencies", found).items():
            there, back = (arcs[key]["probability"] for key in [(None, a, b), (None, b, a)])
            assert row["probability"] == pytest.approx(there + back)
            assert row["direction"] == pytest.approx(there / (there + back))

    def test_one_probability(self, found):
        arcs = table("arcs", found)
        assert found.probability("smoke", "lung") == arcs[None, "smoke", "lung"]["probability"]
        both = found.probability("lung", "smoke", "adjacencies")
        assert both == found.probability("smoke", "lung", "adjacencies")
        with pytest.raises(ds.ParameterError, match="two variables"):
            found.probability("smoke", "smoke")
        with pytest.raises(ds.DagscapeError, match="smok"):
            found.probability("smok", "lung")

    @pytest.mark.slow
    def test_samples_have_the_probabilities_of_arcs(self, found):
        draws = found.sample(4000, seed=5)
        counts = Counter(arc for dag in draws for arc in dag.arcs)
        for (_, a, b), row in table("arcs", found).items():
            p = row["probability"]
            assert abs(counts[a, b] / 4000 - p) < 4.5 * math.sqrt(p * (1 - p) / 4000) + 1e-3

    def test_what_is_drawn_agrees_with_sums(self, data):
        """Ancestors come from samples across components, and from sums where all go together."""
        known = ds.Knowledge(tiers=[["asia", "smoke", "tub", "lung"], ["either", "bronc"]])
        found = ds.posterior(data, knowledge=known)
        piece = found._estimates.pieces[0]
        share = found._estimates.sums.networks(10_000, 0).having("paths")
        within = drawn(share, 10_000, 0.0)
        outside = (piece.ancestors < within.lower - 0.01) | (piece.ancestors > within.upper + 0.01)
        assert not outside.any()
        assert not np.isnan(piece.ancestors).any()

    def test_more_variables_than_go_together(self):
        rng = np.random.default_rng(0)
        columns = {f"x{i:02}": rng.integers(0, 2, 60) for i in range(18)}
        tiers = [[f"x{i:02}" for i in range(9)], [f"x{i:02}" for i in range(9, 18)]]
        found = ds.posterior(ds.Data(columns), max_parents=2, knowledge=ds.Knowledge(tiers=tiers))
        assert sorted(found.components) == [9, 9]
        rows = table("ancestors", found)
        inside, across = rows[None, "x00", "x01"], rows[None, "x00", "x12"]
        assert inside["lower"] == inside["probability"] == inside["upper"]
        assert across["lower"] < across["probability"] < across["upper"]
        assert rows[None, "x12", "x00"]["upper"] == 0

    def test_the_most_probable_classes(self, data, found):
        best = found.networks(5)
        assert len(best) == 5
        assert best == sorted(best, key=lambda each: -each.probability)
        for each in best:
            assert each.lower == each.probability == each.upper
            expected = ds.score(data, each.dag, score=found.score_kind)
            assert each.score == pytest.approx(expected)
        # What ten thousand draws show of the first is near its exact share.
        share = sum(dag.to_cpdag() == best[0].cpdag for dag in found.sample(3000)) / 3000
        p = best[0].probability
        assert abs(share - p) < 4 * math.sqrt(p * (1 - p) / 3000)
        with pytest.raises(ds.ParameterError, match="k must be a whole number from 1"):
            found.networks(0)

    def test_strong_data_leave_one_class(self):
        rng = np.random.default_rng(0)
        a = rng.integers(0, 2, 3000)
        b = a ^ (rng.random(3000) < 0.1)
        c = b ^ (rng.random(3000) < 0.1)
        columns = {"a": a, "b": b, "c": c, **{x: rng.integers(0, 2, 3000) for x in "def"}}
        best = ds.posterior(ds.Data(columns)).networks(1)[0]
        assert best.proven
        assert {frozenset(e) for e in best.cpdag.undirected} == {frozenset("ab"), frozenset("bc")}

    def test_neither_column_order_nor_threads_matter(self, data, found):
        other = ds.posterior(data.select(data.names[::-1]), threads=1)
        for kind in ("arcs", "edges", "blankets"):
            rows = table(kind, found)
            for key, row in table(kind, other).items():
                assert row == rows[key]

    def test_new_rows(self, data, found):
        test = ds.load_network("asia").sample(200, seed=9)
        logs = found.predictive(test)
        assert logs.shape == (200,)
        assert (logs < 0).all()
        one = ds.fit(ds.exact(data, score="bdeu").dag, data).log_likelihood(test) / 200
        assert abs(logs.mean() - one) < 0.1
        with pytest.raises(ds.DataError, match="no column"):
            found.predictive(test.select(["asia", "tub"]))

    def test_evidence_of_one_variable_is_its_score(self):
        one = ds.Data({"a": [0, 0, 1, 0]})
        found = ds.posterior(one, score="bdeu")
        assert found.log_evidence == pytest.approx(ds.local_score(one, "a", score="bdeu"))
        assert found.networks(3)[0].probability == 1

    def test_prior_totals_by_size(self):
        known = [1, 1, 3, 25, 543, 29281, 3781503]  # DAGs of 0, 1, 2, ... variables
        for n in range(1, 7):
            total = log_total_by_size(n, [0.0] * n, None)
            assert math.exp(total) == pytest.approx(known[n])
        assert math.exp(log_total_by_size(3, [0.0] * 3, 1)) == pytest.approx(16)  # forests


class TestBag:
    def test_the_mean_of_resamples(self, data, bagged):
        assert (bagged.resamples, bagged.exact, bagged.log_evidence) == (6, False, None)
        assert bagged.claim.startswith(
            "mean of the posteriors of 6 tables drawn from the rows, each by sums over all networks"
        )
        arcs = bagged.features("arcs")
        assert (arcs["lower"] <= arcs["probability"]).all()
        assert (arcs["probability"] <= arcs["upper"]).all()
        assert (arcs["upper"] - arcs["lower"]).max() > 0.1
        again = ds.posterior(data, resamples=6, seed=3, threads=1)
        assert again.features("arcs").equals(arcs)
        assert again.features("edges").equals(bagged.features("edges"))
        assert not ds.posterior(data, resamples=6, seed=4).features("arcs").equals(arcs)

    def test_a_resample_is_the_posterior_of_its_rows(self, data, bagged):
        rng = np.random.default_rng([3, 2])
        rows = np.sort(rng.integers(data.n_rows, size=data.n_rows))
        alone = ds.posterior(ds.Data.from_codes(data.codes[rows], dict(data.states)))
        assert np.allclose(
            bagged._estimates.pieces[2].arcs, alone._estimates.pieces[0].arcs, atol=1e-12
        )

    def test_one_resample_does_not_tell_the_spread(self, data):
        arcs = ds.posterior(data, resamples=1).features("arcs")
        assert (arcs["lower"] == 0).all()
        assert (arcs["upper"] == 1).all()

    def test_networks_of_all_resamples(self, bagged):
        assert len(bagged.sample(50)) == 50
        assert bagged.sample(5, seed=1) == bagged.sample(5, seed=1)
        with pytest.raises(ds.ParameterError, match=r"holds [0-9,]+ networks"):
            bagged.sample(10**6)
        with pytest.raises(
            ds.ParameterError, match="only an exact posterior that was just made has parent sets"
        ):
            bagged.parent_sets("asia")
        assert all(each.probability > 0 for each in bagged.networks(3))

    def test_a_store_goes_on_where_it_stopped(self, data, bagged, tmp_path):
        path = tmp_path / "bag.sqlite"
        some = ds.posterior(data, resamples=4, seed=3, store=path)
        assert some.resamples == 4
        more = ds.posterior(data, resamples=6, seed=3, store=path)
        assert more.features("arcs").equals(bagged.features("arcs"))
        assert ds.load_result(path, ds.Posterior).features("edges").equals(bagged.features("edges"))
        with pytest.raises(ds.ParameterError, match="choose another store"):
            ds.posterior(data, resamples=6, seed=5, store=path)
        with pytest.raises(ds.ParameterError, match="choose another store"):
            ds.posterior(data, seed=3, store=path)

    def test_the_same_call_goes_on_after_ctrl_c(self, data, bagged, tmp_path):
        path = tmp_path / "bag.sqlite"

        def interrupt(share, _text):
            if share > 0:
                raise KeyboardInterrupt

        part = ds.posterior(data, resamples=6, seed=3, threads=1, store=path, progress=interrupt)
        assert part.stopped == "interrupt"
        assert 1 <= part.resamples < 6
        assert f"mean of the posteriors of {part.resamples} table" in part.claim
        assert ds.load_result(path, ds.Posterior).stopped == "interrupt"
        kept = part._estimates.pieces
        whole = ds.posterior(data, resamples=6, seed=3, threads=1, store=path)
        assert whole.stopped is None
        for one, other in zip(kept, whole._estimates.pieces, strict=False):
            assert np.array_equal(one.arcs, other.arcs)
        for kind in KINDS:
            assert whole.features(kind).equals(bagged.features(kind))

    def test_limits_hold_the_spread_of_resamples(self, bagged):
        number, pieces = bagged._variables.number, bagged._estimates.pieces
        for row in bagged.features("arcs").iter_rows(named=True):
            each = [piece.arcs[number(row["from"]), number(row["to"])] for piece in pieces]
            assert row["probability"] == pytest.approx(np.mean(each), abs=1e-12)
            low, high = np.quantile(each, [0.025, 0.975])
            assert row["lower"] == pytest.approx(min(low, np.mean(each)), abs=1e-12)
            assert row["upper"] == pytest.approx(max(high, np.mean(each)), abs=1e-12)

    def test_time_ends_it_between_resamples(self, data, monkeypatch):
        clock = Clock(monkeypatch)

        def tell(share, _text):
            if share:
                clock.time_is_over()

        found = ds.posterior(data, resamples=100_000, time_limit=AMPLE, progress=tell)
        assert found.stopped == "time"
        assert 1 <= found.resamples < 100_000
        assert "stopped by time" in repr(found)


class TestFiles:
    @pytest.mark.slow
    def test_it_comes_back(self, data, found, tmp_path):
        path = tmp_path / "p.sqlite"
        found.save(path)
        back = ds.load_result(path, ds.Posterior)
        for kind in KINDS:
            assert back.features(kind).equals(found.features(kind))
        assert back.claim == found.claim
        assert back.log_evidence == found.log_evidence
        assert back.networks(20) == found.networks(20)
        test = ds.load_network("asia").sample(20, seed=9)
        assert np.array_equal(back.predictive(test, data=data), found.predictive(test))
        assert len(back.sample(100)) == 100
        with pytest.raises(ds.ParameterError, match="has no data"):
            back.predictive(test)
        with pytest.raises(ds.ParameterError, match="not those"):
            back.predictive(test, data=test)
        assert [p.name for p in tmp_path.iterdir()] == ["p.sqlite"]

    def test_the_bagged_one(self, bagged, tmp_path):
        bagged.save(tmp_path / "p.sqlite")
        back = ds.load_result(tmp_path / "p.sqlite", ds.Posterior)
        assert (back.resamples, back.claim) == (6, bagged.claim)
        assert back.features("blankets").equals(bagged.features("blankets"))
        back.save(tmp_path / "again.sqlite")
        assert ds.load_result(tmp_path / "again.sqlite").networks(9) == bagged.networks(9)

    @pytest.mark.slow
    def test_knowledge_and_limits_come_back(self, data, tmp_path):
        known = ds.Knowledge(forbidden=[("dysp", "asia")], max_parents={"lung": 1})
        found = ds.posterior(data, score="k2", knowledge=known, max_parents=2)
        found.save(tmp_path / "p.sqlite")
        back = ds.load_result(tmp_path / "p.sqlite", ds.Posterior)
        assert (back.knowledge, back.max_parents, back.score_name) == (known, 2, "k2")
        assert back.scope == found.scope

    def test_other_files(self, data, found, tmp_path):
        with pytest.raises(ds.ParameterError, match="there is no file"):
            ds.load_result(tmp_path / "nothing", ds.Posterior)
        runs = tmp_path / "runs.sqlite"
        ds.local_optima(data, runs=2, store=runs)
        with pytest.raises(ds.ParameterError, match="holds local optima, not posterior"):
            ds.load_result(runs, ds.Posterior)
        path = tmp_path / "p.sqlite"
        found.save(path)
        with pytest.raises(ds.ParameterError, match="holds posterior, not local optima"):
            ds.load_result(path, ds.Landscape)
        with pytest.raises(ds.ParameterError, match="is a folder"):
            found.save(tmp_path)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE pieces SET arcs = x'00'",
            "UPDATE pieces SET codes = x'0000'",
            "UPDATE pieces SET about = '{}'",
            "UPDATE classes SET graph = x'0000' WHERE rowid = 1",
            "UPDATE facts SET value = '[]' WHERE name = 'settings'",
            "DELETE FROM pieces",
        ],
    )
    def test_damage(self, found, tmp_path, damage):
        path = tmp_path / "p.sqlite"
        found.save(path)
        with sqlite3.connect(path) as db:
            db.execute(damage)
        db.close()
        with pytest.raises(ds.FileFormatError, match=r"p\.sqlite"):
            ds.load_result(path, ds.Posterior)


def test_intervals_hold_the_truth():
    share = np.array([[0.0, 0.5, 1.0]])
    within = drawn(share, 100, 0.0)
    assert within.lower[0, 0] == 0
    assert within.upper[0, 2] == 1
    assert within.upper[0, 0] == pytest.approx(0.0370, abs=1e-4)  # Wilson's, none of a hundred
    assert within.lower[0, 1] == pytest.approx(0.4038, abs=1e-4)
    rng = np.random.default_rng(0)
    truth = rng.random((40, 40))
    within = drawn(rng.binomial(400, truth) / 400, 400, 0.0)
    held = ((within.lower <= truth) & (truth <= within.upper)).mean()
    assert 0.93 < held < 0.97


def test_rows_that_depend_on_each_other_are_told_of():
    coins = np.random.default_rng(0).integers(2, size=(30, 6)).repeat(10, axis=0)
    copies = {f"c{i}": column for i, column in enumerate(coins.T)}
    assert not ds.posterior(copies).rows_independent
    assert ds.posterior(ds.Data(copies, rows_independent=True)).rows_independent
