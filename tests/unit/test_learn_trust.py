"""How far to trust what was learned: one word for one thing, and nothing claimed of noise."""

import itertools
import math
import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.chance import Chances
from dagscape.claims.verdicts import LOWERINGS, Verdict, verdict_of, word_of
from dagscape.cli.trust_lines import edge_lines, why_otherwise
from dagscape.learning import TRUST_LEVELS, LearnResult, learned_edges, plan, trust
from dagscape.learning.chance import shuffled
from dagscape.learning.settle import (
    SETTLED,
    RowsToSettle,
    chi_squared_below,
    least_strength,
    rows_to_settle,
)
from dagscape.posteriors import PairChoice
from dagscape.report.page_trust import trust_of
from limits import AMPLE, NO_TIME


@pytest.fixture(scope="module")
def asia() -> ds.Data:
    return ds.load_network("asia").sample(500, seed=4)


@pytest.fixture(scope="module")
def learned(asia: ds.Data) -> LearnResult:
    return ds.learn(asia, runs=50, resamples=12)


@pytest.mark.slow
def test_probability_is_half_of_each_posterior_of_the_same_question(asia, learned):
    assert learned.posterior is not None
    assert learned.posterior.resamples == 12
    assert learned.posterior.score_kind == learned.score_kind
    asked = {"score": learned.score_kind, "max_parents": 3}
    bagged, plain = ds.posterior(asia, resamples=12, **asked), ds.posterior(asia, **asked)
    tables = [
        {
            frozenset((r["from"], r["to"])): r
            for r in P.features("adjacencies").iter_rows(named=True)
        }
        for P in (bagged, plain)
    ]
    for row in learned.features().iter_rows(named=True):
        one, other = (table[frozenset((row["from"], row["to"]))] for table in tables)
        p, q = one["probability"], other["probability"]
        assert row["resampled"] == pytest.approx(p, abs=1e-12)
        assert row["plain"] == pytest.approx(q, abs=1e-12)
        assert row["probability"] == pytest.approx((p + q) / 2, abs=1e-12)
        assert row["lower"] == pytest.approx(min(one["lower"], q), abs=1e-12)
        assert row["upper"] == pytest.approx(max(one["upper"], q), abs=1e-12)
        arcs = [P.probability(row["from"], row["to"], "arcs") for P in (bagged, plain)]
        assert row["probability"] * row["direction"] == pytest.approx(sum(arcs) / 2, abs=1e-9)
    unlisted = {pair for pair, row in tables[0].items() if row["probability"] >= 0.02}
    assert unlisted <= {frozenset((edge.a, edge.b)) for edge in learned.edges}


def test_three_words_are_three_numbers(asia, learned):
    """Each column is what its own method says of the pair."""
    score = learned.score_kind
    stable = ds.bootstrap(asia, method="order", score=score, runs=24, max_parents=3)
    agreed = ds.local_optima(asia, score=score, runs=50)
    for name, models in (("stability", stable), ("agreement", agreed)):
        rows = models.strengths().iter_rows(named=True)
        shares = {(r["from"], r["to"]): (r["strength"], r["direction"]) for r in rows}
        for row in learned.features().iter_rows(named=True):
            share, way = shares.get((row["from"], row["to"]), (0.0, None))
            assert row[name] == pytest.approx(share, abs=1e-12)
            expected = None if way is None else pytest.approx(way, abs=1e-12)
            assert row[f"{name}_direction"] == expected
    assert "confidence" not in learned.features().columns


def test_the_network_and_the_nearest_graph_are_marked(learned):
    rows = learned.features()
    for column, graph in (("in_network", learned.mpdag), ("in_consensus", learned.consensus)):
        directed = rows.filter(pl.col(column) == "directed")
        pairs = {frozenset(pair) for pair in directed.select("from", "to").iter_rows()}
        assert pairs == {frozenset(pair) for pair in graph.directed}
        free = rows.filter(pl.col(column) == "undirected")
        pairs = {frozenset(pair) for pair in free.select("from", "to").iter_rows()}
        assert pairs == {frozenset(pair) for pair in graph.undirected}
    mine = rows.filter(pl.col("in_network") == "directed")
    assert set(mine.select("from", "to").iter_rows()) == set(learned.mpdag.directed)


def test_the_differences_are_all_that_differs(learned):
    found = {frozenset((edge.a, edge.b)) for edge in learned.differences}
    mine, nearest = learned.mpdag, learned.consensus
    expected = {
        frozenset(pair)
        for pair in {*mine.directed} ^ {*nearest.directed}
        | {*mine.undirected} ^ {*nearest.undirected}
    }
    assert found == expected
    assert found  # else this test says nothing


@pytest.mark.slow
def test_what_is_odd_in_the_consensus_has_a_reason(learned):
    few = ds.load_network("asia").sample(200, seed=0)
    unsure = ds.learn(few, score="bdeu", prior=ds.EdgePrior(2), runs=0, resamples=20)
    for r in (learned, unsure):
        differ = {frozenset((edge.a, edge.b)) for edge in r.differences}
        expected = [
            (edge.a, edge.b)
            for edge in r.edges
            if bool(edge.in_consensus) == (edge.probability < 0.5)
            or (edge.in_consensus and edge.in_network and {edge.a, edge.b} in differ)
        ]
        assert [(each.a, each.b) for each in r.consensus_choices] == expected
        for each in r.consensus_choices:
            edges = r.consensus.directed, r.consensus.undirected
            joined = any({each.a, each.b} == set(pair) for some in edges for pair in some)
            assert joined == (each.chosen != "absent")
    # An edge that is more probable than none, and rightly left out: its direction is torn.
    torn = [e for e in unsure.consensus_choices if e.chosen == "absent" and e.absent < 0.5]
    assert torn
    assert all(each.reason == "likeliest" for each in torn)


def test_the_consensus_is_nearer_in_the_mean(learned):
    P = learned.posterior
    assert P.expected_shd(learned.consensus.to_dag()) <= P.expected_shd(learned.dag) + 1e-9


def test_the_consensus_can_weigh_false_edges_and_missing_ones(learned):
    assert learned.consensus_at(0.5) == learned.consensus
    few, many = (learned.consensus_at(balance) for balance in (0.98, 0.02))
    few, many = ({*map(frozenset, (*g.directed, *g.undirected))} for g in (few, many))
    assert few < many
    assert replace(learned, posterior=None).consensus_at(0.5) is None


def test_a_loss_is_what_the_score_loses(asia, learned):
    for edge in learned.edges:
        if edge.in_network:
            arcs = [a for a in learned.dag.arcs if set(a) != {edge.a, edge.b}]
            without = ds.score(asia, ds.Dag(asia.names, arcs), score=learned.score_kind)
            assert edge.loss == pytest.approx(learned.score - without, abs=1e-6)
        else:
            assert edge.loss is None


def test_verdicts_have_their_levels():
    said = [word_of(p) for p in (1.0, 0.95, 0.94, 0.7, 0.69, 0.3, 0.29, 0.0)]
    assert said == ["near certain"] * 2 + ["likely"] * 2 + ["open"] * 2 + ["unlikely"] * 2


def test_knowledge_has_trust_too(asia):
    known = ds.Knowledge(tiers=[["smoke", "asia"], ["lung", "bronc", "tub", "either"]])
    learned = ds.learn(asia, knowledge=known, resamples=5)
    assert learned.posterior is not None
    assert learned.stability is not None
    assert learned.posterior.knowledge == known
    for row in learned.features().iter_rows(named=True):
        if row["to"] in ("smoke", "asia") and row["from"] in ("lung", "bronc", "tub", "either"):
            assert row["direction"] == pytest.approx(0, abs=1e-9)
    assert ("smoke", "bronc") in learned.consensus.directed


def test_no_trust_where_none_is_asked_for(asia):
    learned = ds.learn(asia, runs=0, resamples=0)
    assert (learned.posterior, learned.consensus, learned.stability) == (None, None, None)
    assert learned.differences == ()
    assert learned.consensus_choices == ()
    assert learned.features()["probability"].null_count() == learned.features().height


def test_stability_alone_where_networks_cannot_be_weighed(asia, monkeypatch):
    monkeypatch.setattr(plan, "affordable_parents", lambda *_: 0)
    learned = ds.learn(asia, runs=0, resamples=3)
    assert learned.posterior is None
    assert learned.stability is not None
    assert learned.stability.runs == 6
    said = {step.name: str(step.reason) for step in learned.steps if step.skipped}
    assert said["probabilities"] == "networks of so many variables cannot all be weighed"
    verdicts = learned.features()
    # Two more tables, one of them without the edge, must leave it there.
    assert verdicts["verdict"][0] == word_of((6 * verdicts["stability"][0] + 1) / 8)
    assert verdicts["reason"][0] == "tables"


def test_a_score_that_weighs_nothing_has_no_probabilities(asia):
    learned = ds.learn(asia, score="aic", runs=0, resamples=3)
    assert learned.posterior is None
    assert learned.stability is not None
    said = {step.name: str(step.reason) for step in learned.steps if step.skipped}
    assert said["probabilities"] == "aic gives networks no probability"


@pytest.mark.slow
def test_the_plain_posterior_where_resamples_take_too_long(asia, monkeypatch):
    # For one table, when a step may take half of all.
    monkeypatch.setattr(trust, "resample_seconds", lambda *_: AMPLE / 12)
    learned = ds.learn(asia, runs=0, resamples=20, time_limit=AMPLE)
    assert learned.posterior is not None
    assert learned.posterior.resamples == 0
    said = {step.name: str(step.reason) for step in learned.steps}
    assert said["probabilities"].endswith(
        "of the table itself: resampled tables would have taken too long"
    )
    assert said["other choices"].endswith("longer than the time left for it")
    assert learned.sensitivity is None


def test_near_ties_are_those_of_near_optimal(asia, learned):
    expected = ds.near_optimal(asia, within=3, max_parents=4)
    assert [each.score for each in learned.near] == [each.score for each in expected]
    assert learned.near.complete


def coins(rows: int, columns: int, seed: int) -> ds.Data:
    rng = np.random.default_rng(seed)
    return ds.Data.from_codes(
        rng.integers(2, size=(rows, columns)), {f"c{i}": ["0", "1"] for i in range(columns)}
    )


@pytest.mark.slow
@pytest.mark.parametrize("columns", [25, pytest.param(60, marks=pytest.mark.long)])
def test_of_coin_flips_no_edge_is_called_likely(columns):
    """Columns of 100 flips: the most probable of hundreds of pairs look strong by chance."""
    learned = ds.learn(
        coins(100, columns, 0), score="bdeu", prior="fair", runs=0, resamples=10, max_parents=2
    )
    assert learned.posterior is not None
    assert learned.posterior.plain is not None
    assert {edge.verdict for edge in learned.edges} <= {"open", "unlikely"}
    # The mean over resampled tables alone would call some likely.
    assert max(edge.resampled for edge in learned.edges) > 0.7


@pytest.mark.slow
def test_of_coin_flips_no_edge_is_called_likely_by_stability_alone():
    """A score that gives no probabilities, and finds much where there is nothing."""
    learned = ds.learn(
        coins(100, 60, 0), score="aic", method="hill_climb", runs=0, resamples=10, max_parents=2
    )
    assert learned.posterior is None
    assert learned.stability is not None
    assert max(edge.stability for edge in learned.edges) >= 0.7
    assert {edge.verdict for edge in learned.edges} <= {"open", "unlikely"}


def test_a_verdict_is_the_probability_in_a_word_unless_chance_may_give_as_much(learned):
    assert len({edge.verdict for edge in learned.edges}) >= 3
    for edge in learned.edges:
        word = word_of(edge.probability)
        assert (edge.chance is not None) == (word in ("likely", "near certain"))
        assert edge.verdict == word  # eight variables, and edges that are strong
        doubted = replace(edge, chance=0.4)
        assert doubted.verdict == ("open" if edge.probability >= 0.7 else word)


@pytest.fixture(scope="module")
def drawn() -> LearnResult:
    """Chains so short that they lie apart; some edges may be chance, too."""
    data = ds.load_network("asia").sample(300, seed=3)
    prior = ds.EdgePrior(2)
    found = ds.posterior(data, prior=prior, method="mcmc", chains=3, rounds=10, seed=3)
    learned = ds.learn(data, runs=0, resamples=0)
    made = replace(learned, posterior=found, consensus=found.consensus())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            learned_edges, "chances_of", lambda *_: {("bronc", "dysp"): Chances(0.4, 0.0)}
        )
        assert made.edges  # made once, and kept
    return made


def test_no_word_is_higher_than_the_error_of_its_number_allows(drawn):
    assert drawn.posterior.agreement.error > 0.3
    reasons = [edge.reason for edge in drawn.edges]
    assert "error" in reasons
    assert "chance" in reasons
    for edge in drawn.edges:
        number = drawn.posterior.features("adjacencies").row(
            by_predicate=pl.col("feature") == f"{min(edge.a, edge.b)} - {max(edge.a, edge.b)}",
            named=True,
        )
        reach = max(edge.probability - number["lower"], number["upper"] - edge.probability)
        assert edge.error == pytest.approx(reach)
        least = TRUST_LEVELS.get(edge.verdict, 0.0)
        assert edge.probability - edge.error >= least or edge.verdict in ("open", "unlikely")
        assert bool(edge.reason) == (edge.verdict != word_of(edge.probability))


def test_a_lowered_word_has_its_reason_in_every_place(drawn):
    rows = {(row["from"], row["to"]): row for row in drawn.features().iter_rows(named=True)}
    page = trust_of(drawn)
    names = drawn.dag.names
    shown = {(names[row["from"]], names[row["to"]]): row for row in page["edges"]}
    told = "\n".join(edge_lines(drawn))
    for edge in drawn.edges:
        row, on_page = rows[edge.a, edge.b], shown.get((edge.a, edge.b))
        assert (row["verdict"], row["reason"]) == (edge.verdict, edge.reason)
        if on_page is not None:
            assert (on_page["verdict"], on_page["reason"]) == (edge.verdict, edge.reason)
            assert on_page["number_word"] == word_of(edge.probability)
        if edge.reason:
            assert f"called {edge.verdict}: {page['lowered'][edge.reason]}" in told
    for lowering in LOWERINGS.values():
        assert lowering.rule in page["words"]


def test_the_mean_over_tables_has_the_error_of_a_mean(asia):
    """Seeds differ by no more than the errors say, in about nine pairs of ten."""
    runs = [
        replace(ds.learn(asia, runs=0, resamples=0), posterior=bagged)
        for bagged in (
            ds.posterior(asia, resamples=12, seed=seed, max_parents=2) for seed in range(2)
        )
    ]
    first, other = ({frozenset((e.a, e.b)): e for e in run.edges} for run in runs)
    pairs = first.keys() & other.keys()
    apart = [
        abs(first[pair].probability - other[pair].probability)
        <= math.hypot(first[pair].error, other[pair].error)
        for pair in pairs
    ]
    assert len(pairs) > 10
    assert sum(apart) >= 0.8 * len(pairs)
    assert any(edge.error > 0.01 for edge in first.values())


def test_of_several_reasons_the_word_has_the_one_that_lowers_it_most():
    assert verdict_of(0.99, {"chance": 0.9, "error": 0.5}) == Verdict("open", "error")
    assert verdict_of(0.99, {"chance": 0.1, "error": 0.2}) == Verdict("open", "chance")
    assert verdict_of(0.99, {"chance": 0.9, "error": 0.98}) == Verdict("likely", "chance")
    assert verdict_of(0.99, {"chance": 1.0}) == Verdict("near certain")
    assert verdict_of(0.2, {"chance": 0.0, "error": 0.0}) == Verdict("unlikely")


def test_shuffled_columns_keep_their_counts_and_lose_the_rest(asia):
    table = shuffled(asia, 0, 0)
    assert table.states == asia.states
    for at in range(asia.n_variables):
        assert (np.bincount(table.codes[:, at]) == np.bincount(asia.codes[:, at])).all()
    assert not (table.codes == asia.codes).all()
    turned = shuffled(asia.select(asia.names[::-1]), 0, 0)
    assert turned.select(asia.names) == table


@pytest.mark.slow
def test_edges_by_chance_are_counted(asia):
    learned = ds.learn(asia, runs=0, resamples=3, null=4)
    chance = learned.chance
    assert chance.tables == 4
    assert chance.resamples == 3
    tables = [
        ds.posterior(shuffled(asia, 0, i), score=learned.score_kind, max_parents=3, resamples=3)
        for i in range(4)
    ]
    said = [P.features("adjacencies")["probability"] for P in tables]
    for level, count in chance.edges.items():
        assert count == sum((one >= level).sum() for one in said) / 4
    assert chance.most == max(one.max() for one in said)
    assert ds.learn(asia, runs=0, resamples=3).chance is None


def weak_pair(rows: int, strength: float, rng: np.random.Generator) -> ds.Data:
    """Return two coins, the second of which falls like the first in some rows."""
    a = rng.integers(2, size=rows)
    b = np.where(rng.random(rows) < strength, a, rng.integers(2, size=rows))
    return ds.Data.from_codes(np.stack([a, b], 1), {"a": ["0", "1"], "b": ["0", "1"]})


def gain_of_the_arc(data: ds.Data) -> float:
    return ds.local_score(data, "b", ["a"], score="bic") - ds.local_score(
        data, "b", [], score="bic"
    )


@pytest.mark.slow
def test_rows_that_would_settle_an_edge_do():
    """Edges that look open, as the weak among them do by luck: more are settled at the far end."""
    rng = np.random.default_rng(3)
    empty = ds.Dag(["a", "b"])
    for strength, least_share, most_share in ((0.1, 0.3, 0.95), (0.06, 0.02, 0.85)):
        near, far = [], []
        while len(far) < 60:
            data = weak_pair(600, strength, rng)
            if not -1 < gain_of_the_arc(data) < 2:
                continue
            rows = rows_to_settle(data, empty, ("a", "b"), ds.BIC())
            assert rows.least is not None
            if rows.most is None:  # it may be as weak as anything
                continue
            assert 600 <= rows.least <= rows.most
            for some, many in ((near, rows.least), (far, rows.most)):
                fresh = weak_pair(min(int(many), 60_000), strength, rng)
                some.append(gain_of_the_arc(fresh) >= SETTLED)
        assert np.mean(near) >= least_share, strength
        assert np.mean(far) >= most_share, strength
        assert np.mean(far) > np.mean(near) + 0.2, strength


def test_of_noise_it_is_said_that_there_is_rather_no_edge():
    """Coins that look tied: those that are more probably not are told so, and more rows show it."""
    rng = np.random.default_rng(5)
    empty = ds.Dag(["a", "b"])
    doubted = 0
    for _ in range(300):
        data = weak_pair(100, 0.0, rng)
        probability = 1 / (1 + math.exp(-gain_of_the_arc(data)))
        if not 0.3 <= probability < 0.7:
            continue
        rows = rows_to_settle(data, empty, ("a", "b"), ds.BIC(), probability)
        said = str(rows)
        assert said.startswith("rather no edge") == (probability < 0.5)
        doubted += probability < 0.5
        if rows.most is not None:
            assert gain_of_the_arc(weak_pair(int(rows.most), 0.0, rng)) < SETTLED
    assert doubted > 5


def test_rows_to_settle_in_words():
    def said(*rows: float | None, **more: object) -> str:
        return str(RowsToSettle(*rows, **more))

    assert said(1234.0, 13_499.0) == "1,200 to 13,000 rows would settle it"
    assert said(1234.0, 1240.0) == "about 1,200 rows would settle it"
    assert said(1234.0, None) == "1,200 rows or more would settle it"
    assert said(None, None, paths=True) == "other paths may explain it"
    assert said(None, None, probability=0.6) == "no stronger than chance would make it"
    assert said(None, None, probability=0.4) == "rather no edge"
    assert said(500.0, None, probability=0.4) == (
        "rather no edge; if there is one, 500 rows or more would show it"
    )


def test_the_least_strength_is_that_of_a_noncentral_distribution():
    rng = np.random.default_rng(1)
    for freedom in (1, 4, 20):
        for strength in (0.5, 5.0, 40.0):
            drawn = rng.noncentral_chisquare(freedom, strength, 20_000)
            for value in np.quantile(drawn, (0.9, 0.975, 0.99)):
                below = chi_squared_below(value, freedom, strength)
                assert below == pytest.approx((drawn < value).mean(), abs=0.02)
            top = float(np.quantile(drawn, 0.975))
            assert least_strength(top, freedom) == pytest.approx(strength, abs=2 + 0.1 * strength)
    assert least_strength(1.0, 1) == 0.0


def test_where_three_nats_are_there_no_more_rows_are_asked_for(asia, learned):
    strong = max(learned.edges, key=lambda edge: edge.loss or 0)
    rows = rows_to_settle(asia, learned.dag, (strong.a, strong.b), ds.BIC())
    assert str(rows) == "other paths may explain it"


def test_all_that_is_said_of_a_pair_has_the_same_probabilities(learned):
    posterior = learned.posterior
    plain, resampled = posterior.plain, posterior.resampled
    assert plain.resamples == 0
    assert resampled.resamples == posterior.resamples == 12
    states = {
        frozenset((each.a, each.b)): each
        for each in posterior.pair_choices(
            learned.consensus, list(itertools.combinations(posterior.names, 2))
        )
    }
    for edge in learned.edges:
        halves = [half.probability(edge.a, edge.b, "adjacencies") for half in (plain, resampled)]
        assert (edge.plain, edge.resampled) == pytest.approx(halves)
        assert edge.probability == pytest.approx(sum(halves) / 2)
        told = posterior.probability(edge.a, edge.b, "adjacencies")
        assert edge.probability == pytest.approx(told)
        pair = states[frozenset((edge.a, edge.b))]
        assert 1 - pair.absent == pytest.approx(edge.probability, abs=1e-12)
    # Networks of both are drawn, as many of each.
    drawn = posterior.sample(400, seed=3)
    pair = max(learned.edges, key=lambda edge: abs(edge.plain - edge.resampled))
    share = sum(pair.b in dag.neighbors(pair.a) for dag in drawn) / len(drawn)
    assert share == pytest.approx(pair.probability, abs=0.08)


@pytest.mark.slow
def test_both_halves_come_back_from_a_file(learned, tmp_path):
    learned.posterior.save(tmp_path / "p.sqlite")
    for back in (
        ds.load_result(tmp_path / "p.sqlite", ds.Posterior),
        pickle.loads(pickle.dumps(learned.posterior)),
    ):
        assert back.claim == learned.posterior.claim
        assert back.resamples == learned.posterior.resamples
        assert back.plain.exact == learned.posterior.plain.exact
        assert back.seconds == pytest.approx(learned.posterior.seconds)
        for kind in ("arcs", "adjacencies", "blankets", "edges"):
            assert back.features(kind, frame="dict") == learned.posterior.features(
                kind, frame="dict"
            )
        assert back.consensus() == learned.posterior.consensus()
        assert [each.probability for each in back.networks(5)] == [
            each.probability for each in learned.posterior.networks(5)
        ]


def test_what_had_to_fit_together_is_told_as_that():
    """Rare where all has the same probabilities, so it is made up here."""
    added = PairChoice("a", "b", 0.6, 0.3, 0.1, 0.0, "forth")
    misfit = PairChoice("b", "c", 0.3, 0.4, 0.2, 0.1, "absent")
    assert (added.reason, misfit.reason) == ("fit", "fit")
    said = " ".join(why_otherwise((added, misfit)))
    assert "it has a - b 0.40, though no edge is more probable: all edges must fit together" in said
    assert "it leaves out b - c: b -> c 0.40 is more probable than no edge 0.30" in said


def test_a_small_table_has_its_probabilities_even_where_no_time_is_left():
    coins = np.random.default_rng(0).integers(0, 2, 50)
    found = ds.learn({"a": coins, "b": coins}, time_limit=NO_TIME)
    assert found.posterior is not None
    assert found.posterior.exact
    assert found.sensitivity is not None
    (edge,) = found.edges
    assert edge.probability > 0.99


@pytest.mark.slow
def test_fewer_parents_where_time_is_short(asia, monkeypatch):
    """With 3 parents a table would take all of the time, with 2 a thousandth of it."""

    def seconds(problem, _):
        return AMPLE if problem.max_parents > 2 else AMPLE / 1000

    monkeypatch.setattr(trust, "resample_seconds", seconds)
    monkeypatch.setattr(trust, "posterior_seconds", seconds)
    learned = ds.learn(asia, runs=0, resamples=12, time_limit=AMPLE)
    assert max(len(learned.dag.parents(name)) for name in learned.dag.names) <= 2
    assert learned.posterior.max_parents == 2
    assert "at most 2 parents" in str(learned.posterior.claim)
    asked = ds.learn(asia, runs=0, resamples=12, time_limit=AMPLE, max_parents=3)
    assert asked.posterior is None
