"""What the summary names of hundreds of edges."""

from dataclasses import replace

import pytest

import dagscape as ds
from dagscape.cli import learn_summary
from dagscape.cli.learn_summary import standing_out


@pytest.fixture(scope="module")
def learned():
    """Return a network in which two coins decide by being equal, and a chain is plain."""
    rows = []
    for number in range(400):
        a, b, c = number & 1, number >> 1 & 1, number >> 2 & 1
        even = a ^ b if number % 10 else c
        rows.append((a, b, even, c, c if number % 25 else 1 - c))
    codes = [[row[i] for row in rows] for i in range(5)]
    names = ("a", "b", "even", "c", "d")
    table = ds.Data({name: list(map(str, own)) for name, own in zip(names, codes, strict=True)})
    return ds.learn(table, runs=0, resamples=0, score="bic")


def test_nothing_of_few_variables(learned):
    assert standing_out(learned, "out") == []


def test_the_strongest_the_surprising_and_where_to_look(learned, monkeypatch):
    monkeypatch.setattr(learn_summary, "MANY", 4)
    monkeypatch.setattr(learn_summary, "SHOWN", 2)
    strongest, surprising, neighbors, where = standing_out(learned, "out")
    losses = {frozenset((e.a, e.b)): e.loss for e in learned.edges if e.in_network}
    first = max(losses, key=losses.get)
    assert strongest.startswith(f"the 2 strongest of {len(losses)}, since")
    assert all(name in strongest.partition(": ")[2].split(", ")[0] for name in first)
    for parent in ("a", "b"):
        assert f"{parent} -> even" in surprising
    assert " c" not in surprising.partition(": ")[2]
    assert neighbors.startswith("most neighbors: even (")
    assert where.startswith(f"of {len(losses)} edges")
    assert "dagscape blanket DATA --of out --target NAME" in where


def test_pairs_that_one_resampled_table_joins_are_not_listed():
    data = ds.load_network("asia").sample(60, seed=3)
    learned = ds.learn(data, runs=0, resamples=0, score="aic")
    own = {frozenset((e.a, e.b)) for e in learned.edges}
    several = False
    for runs in (1, 2, 6):
        tables = ds.bootstrap(data, method="hill_climb", runs=runs, score="aic")
        shares = tables.strengths(frame="dict")
        ends = zip(shares["from"], shares["to"], shares["strength"], strict=True)
        joined = {frozenset((a, b)) for a, b, share in ends if round(share * runs) >= 2}
        listed = {frozenset((e.a, e.b)) for e in replace(learned, stability=tables).edges}
        assert listed == own | joined
        several = several or bool(joined - own)
    assert several


def test_few_resampled_tables_lower_the_word():
    def edge(stability, tables, probability=None):
        blank = dict.fromkeys(("lower", "upper", "resampled", "plain", "direction", "loss"))
        rest = dict.fromkeys(("stability_direction", "agreement", "agreement_direction"))
        return ds.learning.LearnedEdge(
            "a",
            "b",
            probability=probability,
            stability=stability,
            in_network="directed",
            in_consensus="",
            tables=tables,
            **blank,
            **rest,
        )

    assert [edge(1.0, n).verdict for n in (1, 5, 17, 18, 100)] == [
        *("open", "likely", "likely", "near certain", "near certain")
    ]
    assert edge(1.0, 5).reason == "tables"
    assert edge(1.0, 18).reason == ""
    assert edge(0.75, 4).verdict == "open"
    assert edge(0.75, 100).verdict == "likely"
    assert edge(0.2, 3).verdict == "unlikely"
    assert edge(1.0, 5, probability=0.99).verdict == "near certain"
    assert "tables" not in edge(1.0, 5).to_dict()
