"""Evidence set against the pairs there are: nothing is made of coin flips, little is lost else."""

import math
from itertools import combinations

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning.chance import shuffled
from dagscape.learning.noise import chance_shares, evidence_for

EMPTY = ds.Dag(["a", "b", "c"])


def table(columns: dict[str, np.ndarray]) -> ds.Data:
    return ds.Data.from_codes(np.stack(list(columns.values()), 1), {n: ["0", "1"] for n in columns})


def coins(rows: int, columns: int, seed: int) -> ds.Data:
    flips = np.random.default_rng(seed).integers(2, size=(rows, columns))
    return table({f"c{i}": flips[:, i] for i in range(columns)})


def shares_by_the_book(evidence: dict, pairs: int) -> dict:
    """For each edge the least share of chance among any of the strongest edges that have it."""
    ordered = sorted(evidence, key=lambda pair: -evidence[pair])
    if sum(math.exp(each) for each in evidence.values()) / pairs < 20:
        return dict.fromkeys(evidence, 1.0)
    found = {}
    for at, pair in enumerate(ordered):
        bounds = [
            pairs / (math.exp(evidence[ordered[k]]) * (k + 1)) for k in range(at, len(ordered))
        ]
        found[pair] = min(1.0, *bounds) if bounds else 1.0
    return found


@pytest.mark.parametrize("seed", range(20))
def test_shares_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    evidence = {("x", f"v{i}"): float(rng.normal(6, 3)) for i in range(1 + seed)}
    found = chance_shares(evidence, 45)
    assert found == pytest.approx(shares_by_the_book(evidence, 45))


def test_a_table_that_shows_little_shows_nothing():
    """Odds of 1,000 for one of 45 pairs: a mean of 22. For one of 55: 18."""
    odds = {("a", "b"): math.log(1000)}
    assert chance_shares(odds, 45)["a", "b"] == pytest.approx(0.045)
    assert chance_shares(odds, 55)["a", "b"] == 1


def test_no_evidence_is_ever_too_large():
    assert chance_shares({("a", "b"): 1e5}, 3)["a", "b"] == 0
    assert chance_shares({("a", "b"): -1e5}, 3)["a", "b"] == 1
    assert chance_shares({}, 3) == {}


@pytest.mark.parametrize("seed", range(20))
def test_no_pair_of_coins_is_beyond_chance(seed):
    """Not even where every pair of the 1,770 is put forward, by the score that is chosen."""
    data = coins(100, 60, seed)
    pairs = list(combinations(data.names, 2))
    empty = ds.Dag(data.names)
    evidence = evidence_for(data, empty, pairs, ds.default_score(data))
    strongest = dict(sorted(evidence.items(), key=lambda each: -each[1])[:50])
    assert min(chance_shares(strongest, len(pairs)).values()) > 0.3


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_shuffled_columns_is_beyond_chance(seed):
    data = shuffled(ds.load_network("alarm").sample(200, seed=seed), seed, 0)
    found = ds.hill_climb(data, score="bdeu", prior="fair", seed=0)
    pairs = list(combinations(data.names, 2))
    evidence = evidence_for(data, found.dag, pairs, ds.default_score(data))
    strongest = dict(sorted(evidence.items(), key=lambda each: -each[1])[:50])
    assert min(chance_shares(strongest, len(pairs)).values()) > 0.3


def test_by_chance_odds_are_reached_no_more_often_than_they_say():
    """What the bound stands on."""
    pair = ("c0", "c1")
    found = [
        evidence_for(data, ds.Dag(data.names), [pair], ds.BDeu(4))[pair]
        for data in (coins(40, 2, seed) for seed in range(400))
    ]
    for odds in (3, 10, 30):
        reached = sum(each >= math.log(odds) for each in found) / len(found)
        assert reached <= 1 / odds
    assert max(found) > 1  # else this test says nothing


def test_what_needs_another_parent_is_seen_given_it():
    """Parity: neither parent tells anything by itself."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(2, size=(2, 200))
    data = table({"a": a, "b": b, "c": a ^ b})
    network = ds.Dag(["a", "b", "c"], [("a", "c"), ("b", "c")])
    alone = evidence_for(data, EMPTY, [("a", "c")], ds.BDeu())["a", "c"]
    given = evidence_for(data, network, [("a", "c")], ds.BDeu())["a", "c"]
    assert alone < 0 < 50 < given
    whole = ds.local_score(data, "c", ["a", "b"], score="bdeu")
    expected = whole - ds.local_score(data, "c", ["b"], score="bdeu") - math.log(8)
    assert given == pytest.approx(expected)


def test_a_prior_is_no_evidence_and_not_every_score_is_about_odds():
    data = coins(100, 3, 0)
    pair = ("c0", "c1")

    def evidence(score: ds.Score) -> float:
        return evidence_for(data, ds.Dag(data.names), [pair], score)[pair]

    assert evidence(ds.default_score(data)) == evidence(ds.default_score(data).base)
    assert evidence(ds.AIC()) == evidence(ds.BIC())


def test_required_arcs_are_not_doubted():
    data = coins(60, 4, 1)
    known = ds.Knowledge(required=[("c0", "c1")])
    learned = ds.learn(data, knowledge=known, runs=0, resamples=3)
    edge = next(edge for edge in learned.edges if {edge.a, edge.b} == {"c0", "c1"})
    assert edge.chance is None
    assert edge.verdict == "near certain"
