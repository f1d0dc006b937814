"""Posteriors by chains: what is asked, what is told, and how far it can be believed."""

import json
import math
import pickle
import sqlite3

import numpy as np
import pytest

import dagscape as ds
from dagscape.claims.scopes import Scope
from dagscape.control.budget import Budget
from dagscape.posteriors import KINDS
from dagscape.posteriors.agreement import chained
from dagscape.posteriors.chains import WEIGHING_SHARE, KeptLists
from dagscape.posteriors.exact_sums import SumsStoppedError
from dagscape.posteriors.make_posterior import METHODS
from limits import AMPLE, FOR_ENDLESS_WORK, Clock
from toys.from_python import PythonScore

SHORT = {"method": "mcmc", "chains": 4, "rounds": 1500, "seed": 2}
FAR = {"method": "mcmc", "rounds": 1500, "seed": 2}


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=5)


@pytest.fixture(scope="module")
def exact(data):
    return ds.posterior(data)


@pytest.fixture(scope="module")
def found(data):
    return ds.posterior(data, **SHORT)


def arcs_of(posterior):
    rows = posterior.features("arcs")
    return {(a, b): (p, low, high) for _, a, b, p, low, high in rows.iter_rows()}


class TestAnswers:
    def test_as_sums_say(self, exact, found):
        truth, told = arcs_of(exact), arcs_of(found)
        assert max(abs(told[arc][0] - truth[arc][0]) for arc in truth) < 0.04
        inside = [
            low - 0.005 <= truth[arc][0] <= high + 0.005 for arc, (_, low, high) in told.items()
        ]
        assert np.mean(inside) > 0.9

    def test_all_kinds(self, exact, found):
        for kind in KINDS:
            key = ["feature"] + (["kind"] if kind == "edges" else [])
            truth = {
                tuple(r[k] for k in key): r for r in exact.features(kind).iter_rows(named=True)
            }
            for row in found.features(kind).iter_rows(named=True):
                assert row["lower"] <= row["probability"] <= row["upper"]
                p = truth[tuple(row[k] for k in key)]["probability"]
                assert row["probability"] == pytest.approx(p, abs=0.08)

    def test_classes(self, data, exact, found):
        truth = {each.cpdag: each.probability for each in exact.networks(50)}
        for each in found.networks(5):
            assert each.lower <= each.probability <= each.upper
            assert not each.proven
            assert each.probability == pytest.approx(truth[each.cpdag], abs=0.06)
            best = ds.score(data, each.dag, score=found.score_kind)
            assert each.score == pytest.approx(best)

    def test_what_networks_tell(self, exact, found):
        assert found.expected_shd(exact.consensus()) == pytest.approx(
            exact.consensus().expected_shd, abs=0.3
        )
        assert found.consensus().expected_shd <= found.expected_shd(exact.consensus()) + 1e-9
        assert len(found.sample(20, seed=1)) == 20
        with pytest.raises(ds.ParameterError, match=r"holds [0-9,]+ networks"):
            found.sample(10**6)
        new = ds.load_network("asia").sample(50, seed=6)
        assert np.allclose(found.predictive(new), exact.predictive(new), atol=0.1)
        with pytest.raises(ds.ParameterError, match="only an exact posterior that was just made"):
            found.parent_sets("asia")

    @pytest.mark.slow
    def test_means_over_networks_have_an_error(self, data, exact, found):
        new = ds.load_network("asia").sample(200, seed=6)
        log, error = found.predictive(new, error=True)
        assert np.array_equal(log, found.predictive(new))
        drawn_log, drawn_error = exact.predictive(new, error=True)
        # A t-interval of four chains holds it 19 times in 20, and rows share what chains have met.
        assert np.mean(np.abs(log - drawn_log) <= error + drawn_error) > 0.8
        assert 0 < drawn_error.max() < error.max() < 0.5
        near, nearest = found.consensus(), exact.consensus()
        assert 0 < nearest.error < near.error < 1
        assert pickle.loads(pickle.dumps(near)).error == near.error
        alone = ds.posterior(data, **SHORT | {"chains": 1, "rounds": 100})
        assert alone.consensus().error == math.inf
        few = ds.posterior({"a": [0, 1, 1, 0, 1], "b": [0, 1, 0, 0, 1]})
        assert few.consensus().error == 0
        assert not few.predictive({"a": [0, 1], "b": [0, 1]}, error=True)[1].any()

    def test_what_it_says_of_itself(self, found):
        assert (found.exact, found.log_evidence, found.components) == (False, None, ())
        said = found.agreement
        assert (said.chains, len(said.starts)) == (4, 4)
        assert set(said.starts) == {"empty", "random", "optimum"}
        assert 0 < said.error < 0.1
        assert said.together
        a, b, low, high = said.arcs[0]
        assert high - low == pytest.approx(said.apart)
        assert found.claim.startswith("sampled: 4 chains over all networks, from 3 kinds of starts")
        assert f"{a} -> {b} from {low:.2g} to {high:.2g}" in found.claim

    def test_exact_ones_have_no_agreement(self, exact):
        assert exact.agreement is None


class TestTheSameAnswer:
    @pytest.mark.slow
    def test_threads(self, data, found):
        one = ds.posterior(data, **SHORT, threads=1)
        for kind in KINDS:
            assert one.features(kind).equals(found.features(kind))
        assert one.claim == found.claim
        other = ds.posterior(data, **SHORT | {"seed": 3})
        assert not other.features("arcs").equals(found.features("arcs"))

    def test_fewer_chains_are_the_first_ones(self, data, found):
        two = ds.posterior(data, **SHORT | {"chains": 2})
        for one, other in zip(two._estimates.pieces, found._estimates.pieces, strict=False):
            assert np.array_equal(one.arcs, other.arcs)

    @pytest.mark.slow
    def test_a_store_goes_on(self, data, found, tmp_path):
        path = tmp_path / "chains.sqlite"
        ds.posterior(data, **SHORT | {"chains": 2}, store=path)
        assert ds.load_result(path, ds.Posterior).agreement.chains == 2
        all_ = ds.posterior(data, **SHORT, store=path)
        for kind in KINDS:
            assert all_.features(kind).equals(found.features(kind))
        for wrong in ({"rounds": 1600}, {"seed": 4}, {"resamples": 3}):
            with pytest.raises(ds.ParameterError, match="choose another store"):
                ds.posterior(data, **SHORT | wrong, store=path)
        with pytest.raises(ds.ParameterError, match="choose another store"):
            ds.posterior(data, seed=2, store=path)

    def test_saved_and_read(self, found, tmp_path):
        path = tmp_path / "found.sqlite"
        found.save(path)
        again = ds.load_result(path, ds.Posterior)
        assert (again.claim, again.agreement) == (found.claim, found.agreement)
        for kind in KINDS:
            assert again.features(kind).equals(found.features(kind))
        assert again.networks(3) == found.networks(3)
        assert not again.exact


class TestEnds:
    def test_time(self, data, tmp_path, monkeypatch):
        Clock(monkeypatch)  # so that chains have all the time, and nothing before them any
        asked = SHORT | {"rounds": 10**8, "time_limit": FOR_ENDLESS_WORK}
        part = ds.posterior(data, **asked, store=tmp_path / "part", threads=2)
        assert part.stopped == "time"
        assert part.agreement.chains >= 1
        assert "stopped by time" in repr(part)
        with pytest.raises(ds.FileFormatError, match="is empty"):  # nothing was whole
            ds.load_result(tmp_path / "part", ds.Posterior)

    def test_ctrl_c(self, data, tmp_path):
        def interrupt(share, _text):
            if share is not None and share > WEIGHING_SHARE:
                raise KeyboardInterrupt

        path = tmp_path / "part"
        asked = SHORT | {"rounds": 10**8, "chains": 2}
        part = ds.posterior(data, **asked, threads=1, store=path, progress=interrupt)
        assert part.stopped == "interrupt"
        assert part.agreement.chains >= 1

    def test_one_chain_says_nothing_of_its_error(self, data):
        alone = ds.posterior(data, **SHORT | {"chains": 1})
        assert "nothing to be compared with" in alone.claim
        rows = alone.features("arcs")
        assert (rows["lower"] == 0).all()
        assert (rows["upper"] == 1).all()


class TestChoices:
    def test_methods(self, data):
        assert METHODS == ("auto", "exact", "mcmc")
        with pytest.raises(ds.ParameterError, match='unknown method "gibbs"'):
            ds.posterior(data, method="gibbs")

    def test_auto_takes_chains_where_sums_are_out_of_reach(self):
        wide = ds.Data({f"x{i:02}": np.arange(40) % (i % 3 + 2) for i in range(40)})
        found = ds.posterior(wide, max_parents=1, chains=2, rounds=20)
        assert found.claim.startswith("sampled: 2 chains over networks with at most 1 parent")
        with pytest.raises(ds.ParameterError, match='method="mcmc"'):
            ds.posterior(wide, max_parents=1, method="exact")

    def test_words_about_chains_where_there_are_none(self, data):
        with pytest.raises(ds.ParameterError, match="rounds is about chains, and exact sums have"):
            ds.posterior(data, rounds=3, method="exact")
        for wrong in ({"chains": 0}, {"rounds": 0}, {"chains": 2.5}):
            with pytest.raises(ds.ParameterError, match="must be a whole number from 1"):
                ds.posterior(data, **SHORT | wrong)

    def test_knowledge_and_limits(self, data):
        known = ds.Knowledge(
            required=[("smoke", "lung")], tiers=[["smoke", "asia"], ["lung", "tub"]]
        )
        asked = {"knowledge": known, "max_parents": 2, "score": "bic", "prior": "fair"}
        truth, told = ds.posterior(data, **asked), ds.posterior(data, **asked, **SHORT)
        expected = arcs_of(truth)
        assert told.probability("smoke", "lung") == pytest.approx(1)
        assert all(abs(p - expected[arc][0]) < 0.05 for arc, (p, _, _) in arcs_of(told).items())
        assert all(not known.violations(dag) for dag in told.sample(50))
        assert "which stands in for a probability" in told.claim


class TestBag:
    @pytest.mark.slow
    def test_resamples_by_chains(self, data, tmp_path):
        asked = {"method": "mcmc", "resamples": 4, "rounds": 2000, "seed": 3}
        told = ds.posterior(data, **asked, store=tmp_path / "bag")
        truth = arcs_of(ds.posterior(data, resamples=4, seed=3))
        assert (told.resamples, told.exact, told.agreement) == (4, False, None)
        assert "each by 2 chains over all networks; chains on one table differ by" in told.claim
        assert all(abs(p - truth[arc][0]) < 0.05 for arc, (p, _, _) in arcs_of(told).items())
        kept = ds.load_result(tmp_path / "bag", ds.Posterior)
        assert kept.claim == told.claim
        assert kept.features("edges").equals(told.features("edges"))
        assert ds.posterior(data, **asked, threads=1).features("arcs").equals(told.features("arcs"))


def far_apart(n, barrier):
    """A score by which a path of n variables is directed from one of its ends, not from both.

    To go from one to the other all variables must change their parents, or pass what costs more.
    """

    def given(child, parents):
        costs = {(): barrier if child in (0, n - 1) else 3 * barrier}
        costs |= {(u,): 0.0 for u in (child - 1, child + 1)}
        return costs.get(tuple(parents), 1000.0)

    return PythonScore(n, 10.0, lambda _: 0.0, len, given)


def two_halves(n):
    """A barrier of e^-100 between two halves of the probability: a table, and what is asked."""
    data = ds.Data({f"x{v:02}": [0, 1] * 5 for v in range(n)})
    return data, {"score": far_apart(n, 100.0), "max_parents": 1}


@pytest.fixture(scope="module")
def halves():
    return two_halves(6)


@pytest.fixture(scope="module")
def told(halves):
    data, asked = halves
    return ds.posterior(data, **asked, **FAR)


class TestModesFarApart:
    """Variables that must all change at once."""

    def test_chains_jump(self, halves, told):
        data, asked = halves
        assert ds.posterior(data, **asked).probability("x00", "x01") == pytest.approx(0.5)
        # Each by itself, wherever it began.
        for piece in told._estimates.pieces:
            assert piece.arcs[0, 1] == pytest.approx(0.5, abs=0.1)
            assert piece.chain.jumps_tried >= piece.chain.jumps_taken > 100
        assert told.agreement.together
        assert told.agreement.jumps_taken == sum(
            piece.chain.jumps_taken for piece in told._estimates.pieces
        )

    def test_the_same_on_any_number_of_threads_and_of_chains(self, halves, told):
        data, asked = halves
        one = ds.posterior(data, **asked, **FAR, threads=1)
        assert one.features("arcs").equals(told.features("arcs"))
        assert one.agreement == told.agreement
        # Those that begin with an optimum are no longer there, but jumps between optima are.
        few = ds.posterior(data, **asked, **FAR, chains=3)
        for each, other in zip(few._estimates.pieces, told._estimates.pieces, strict=False):
            assert np.array_equal(each.arcs, other.arcs)
            assert each.chain == other.chain

    def test_modes_too_large_to_jump_between_are_seen_by_their_spread(self):
        data, asked = two_halves(18)
        told = ds.posterior(data, **asked, method="mcmc", rounds=300, seed=2)
        rows = told.features("arcs").iter_rows(named=True)
        row = {(r["from"], r["to"]): r for r in rows}["x00", "x01"]
        assert row["lower"] <= 0.5 <= row["upper"]  # by symmetry
        assert row["upper"] - row["lower"] > 0.2
        assert not told.agreement.together
        assert "have not come together" in told.claim


def copied():
    """Columns that are each a copy of the last, with errors: paths from any of them fit alike."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(2, size=300)]
    while len(columns) < 16:
        columns.append(columns[-1] ^ (rng.random(300) < 0.1))
    return ds.Data({f"x{v:02}": column for v, column in enumerate(columns)})


@pytest.mark.slow
def test_chains_that_jump_go_on_from_a_store(tmp_path):
    data, path = copied(), tmp_path / "chains.sqlite"
    asked = {"method": "mcmc", "rounds": 300, "max_parents": 2, "score": "bdeu", "prior": "fair"}
    all_ = ds.posterior(data, **asked)
    assert all_.agreement.jumps_taken > 0
    ds.posterior(data, **asked, chains=3, store=path)
    resumed = ds.posterior(data, **asked, store=path)
    assert resumed.features("arcs").equals(all_.features("arcs"))
    assert resumed.agreement == all_.agreement == ds.load_result(path, ds.Posterior).agreement


def test_optima_are_the_same_alone_and_together():
    data = copied()
    problem = ds.Problem(data, score="bdeu", prior="fair", max_parents=2)
    alone, together, apart = (
        KeptLists().get(problem, Budget.of(threads=2), None) for _ in range(3)
    )
    found = [alone.optimum(number, 5, Budget.of()) for number in (11, 8, 0)]
    jumps = together.jumps(5, Budget.of(threads=2))
    assert [together.optimum(number, 5, Budget.of()) for number in (11, 8, 0)] == found
    assert apart.jumps(5, Budget.of(threads=1)) == jumps
    assert len(jumps) > 1


def test_chains_that_did_not_jump_are_others(data, tmp_path):
    """A store whose settings know of no jumps is not gone on with."""
    path = tmp_path / "chains.sqlite"
    told = ds.posterior(data, **SHORT | {"chains": 2, "rounds": 100}, store=path)
    with sqlite3.connect(path) as file:
        settings = json.loads(
            file.execute("SELECT value FROM facts WHERE name = 'settings'").fetchone()[0]
        )
        del settings["jumps"]
        file.execute("UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(settings),))
    file.close()
    old = ds.load_result(path, ds.Posterior)
    assert old.features("arcs").equals(told.features("arcs"))
    with pytest.raises(ds.ParameterError, match="an earlier dagscape, which do not jump"):
        ds.posterior(data, **SHORT | {"rounds": 100}, store=path)


def test_intervals_by_student():
    found = chained([np.array([0.1, 0.5, 0.0]), np.array([0.3, 0.5, 0.0])], 1000)
    half = 12.706 * 0.1
    assert found.probability == pytest.approx([0.2, 0.5, 0.0])
    assert found.upper == pytest.approx([min(1, 0.2 + half), 0.501, 0.001])
    assert found.lower == pytest.approx([0.0, 0.499, 0.0])


def test_intervals_hold_the_truth():
    """With means that are drawn around it, 19 times in 20."""
    rng = np.random.default_rng(1)
    tables = list(rng.normal(0.4, 0.02, (8, 4000)))
    found = chained(tables, 10**9)
    share = np.mean((found.lower <= 0.4) & (found.upper >= 0.4))
    assert share == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 4000))


def test_scope_is_that_of_the_question(found):
    assert found.scope == Scope()


def test_searches_for_optima_obey_the_time_limit(monkeypatch):
    problem = ds.Problem(copied(), score="bdeu", prior="fair", max_parents=2)
    lists = KeptLists().get(problem, Budget.of(), None)
    given = []

    def stopped(_parents, _options, seconds):
        given.append(seconds)
        return [], "time"

    monkeypatch.setattr("dagscape.posteriors.chains._core.order_restarts", stopped)
    with pytest.raises(SumsStoppedError):
        lists.jumps(5, Budget.of(time_limit=AMPLE))
    assert 0 < given[0] <= AMPLE
