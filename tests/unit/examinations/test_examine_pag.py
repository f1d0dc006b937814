"""Graphs in which causes may be hidden: all kinds of them, what is refused, and what is told."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning import LearnResult
from limits import NO_TIME

EDGES = [
    ("diet", "o->", "weight"),
    ("gene", "o->", "pressure"),
    ("weight", "<->", "pressure"),
    ("pressure", "->", "stroke"),
]
TEXT = "pag { diet @-> weight <-> pressure <-@ gene; pressure -> stroke }"
ARCS = [
    ("diet", "weight"), ("stress", "weight"), ("stress", "pressure"), ("gene", "pressure"),
    ("pressure", "stroke"),
]  # fmt: skip


def table(seed: int = 3, rows: int = 1500) -> ds.Data:
    rng = np.random.default_rng(seed)
    diet, gene, stress = rng.normal(size=(3, rows))
    weight = 0.8 * diet + 0.8 * stress + rng.normal(size=rows)
    pressure = 0.8 * gene + 0.8 * stress + rng.normal(size=rows)
    stroke = 0.7 * pressure + rng.normal(size=rows)
    return ds.Data(
        {"diet": diet, "gene": gene, "weight": weight, "pressure": pressure, "stroke": stroke}
    )


@pytest.fixture(scope="module")
def learned() -> LearnResult:
    return ds.learn(table(), runs=0, resamples=3)


@pytest.mark.slow
def test_all_kinds_of_graphs_say_the_same(learned, tmp_path):
    pag = ds.Pag(learned.dag.names, EDGES)
    for ending in (".dot", ".graphml", ".gml", ".dagitty", ".csv", ".tetrad"):
        ds.write_graph(pag, tmp_path / f"g{ending}")
    given = [pag, EDGES, TEXT, pag.to_networkx(), *sorted(tmp_path.iterdir())]
    told = [ds.examine(graph, learned, relabelings=0) for graph in given]
    for graph, e in zip(given, told, strict=True):
        assert isinstance(e, ds.examinations.PagExamination), graph
        assert (e.graph, e.edge_rows) == (pag, told[0].edge_rows), graph
    hidden = ds.examine(ARCS, learned, hidden="stress", relabelings=0)
    assert hidden.edge_rows == told[0].edge_rows
    dag = ds.Dag([*learned.dag.names, "stress"], ARCS)
    assert ds.examine(dag, learned, hidden=["stress"], relabelings=0).graph == pag


@pytest.mark.slow
def test_the_true_graph_is_not_denied(learned):
    e = ds.examine(EDGES, learned, relabelings=30)
    assert (e.failing, e.parted, e.denied, e.distance.shd) == ((), (), (), 0)
    assert {row.verdict for row in e.edge_rows} == {"stands"}
    assert (e.dag, e.score, e.regret) == (None, None, None)
    assert e.relabelings.failing == 0
    assert e.relabelings.as_good is None
    for words in (
        "nothing here speaks against the graph",
        "no network without hidden causes has these",
        "the graph that the table supports is the same",
    ):
        assert words in " ".join(e.summary.split()), words
    by_learning = {
        frozenset((row["from"], row["to"])): row["probability"]
        for row in learned.posterior.features("adjacencies").iter_rows(named=True)
    }
    for row in e.edge_rows:
        assert row.probability == pytest.approx(by_learning[frozenset((row.a, row.b))])


def test_what_the_table_denies_is_found_and_mended(learned):
    wrong = [("diet", "o->", "weight"), ("weight", "->", "pressure"), *EDGES[1::2]]
    e = ds.examine(wrong, learned)
    assert [row[:3] for row in e.failing] == [("diet", "pressure", ("weight",))]
    (mend,) = e.mend_rows
    assert (mend.change, mend.start, mend.edge, mend.end) == ("turn", "pressure", "<->", "weight")
    assert mend.failing == 0
    (row,) = [row for row in e.mark_rows if (row.at, row.of) == ("weight", "pressure")]
    assert (row.drawn, row.found, row.told_by_data, row.verdict) == (
        "tail",
        "head",
        False,
        "differs",
    )
    assert e.score == pytest.approx(ds.score(learned.data, e.dag))
    assert e.regret == pytest.approx(e.best.score - e.score)
    assert e.regret > 10
    assert "turning an edge to pressure <-> weight mends it" in " ".join(e.summary.split())


def test_a_mark_is_denied_by_tests_of_its_own(learned):
    turned = [("stroke", "->", "pressure"), ("gene", "o-o", "weight")]
    e = ds.examine(turned, learned)
    assert {(row.at, row.of, row.drawn) for row in e.denied} == {
        ("pressure", "stroke", "head"),
        ("stroke", "pressure", "tail"),
    }
    assert "pressure parts" in e.denied[0].reason
    absent = ds.examine([("diet", "o-o", "weight")], learned)
    assert [row[:3] for row in absent.denied] == [("pressure", "stroke", "no cause")]
    assert "tests say that pressure is a cause of stroke" in " ".join(absent.summary.split())


def test_an_edge_that_a_set_parts_is_found(learned):
    e = ds.examine([*EDGES, ("gene", "->", "stroke")], learned)
    assert [(row.a, row.b, row.given) for row in e.parted] == [("gene", "stroke", ("pressure",))]
    assert e.distance.extra == (("gene", "stroke"),)
    assert "1 edge is parted" in " ".join(e.summary.split())


def test_what_was_not_done_is_said():
    e = ds.examine(EDGES, table(rows=200), resamples=0, time_limit=NO_TIME)
    assert e.stopped == "time"
    assert {row.verdict for row in e.edge_rows} == {"not tested"}
    assert "for want of time" in e.summary
    again = table(rows=40).to_polars()
    rows = ds.Data(again[np.repeat(np.arange(40), 10)])
    repeated = ds.examine(EDGES, rows, resamples=0)
    assert {row.verdict for row in repeated.edge_rows} == {"rows depend"}
    assert "the rows seem to depend on each other" in " ".join(repeated.summary.split())


def test_what_does_not_fit_is_refused_in_a_sentence(learned):
    with pytest.raises(ds.GraphError, match='"Diet" that the data lack; did you mean "diet"'):
        ds.examine("pag { Diet @-> weight }", learned)
    with pytest.raises(ds.GraphError, match="2 columns that the graph lacks: pressure, stroke"):
        ds.examine("pag { diet @-> weight <-@ gene }", learned)
    with pytest.raises(ds.GraphError, match="not a partial ancestral graph"):
        ds.examine([("diet", "o->", "weight"), ("weight", "o-o", "gene")], learned)
    with pytest.raises(ds.GraphError, match='if it is hidden, say so: hidden="stress"'):
        ds.examine(ds.Dag([*learned.dag.names, "stress"], ARCS), learned)
    with pytest.raises(ds.GraphError, match='"diet" is a column of the table'):
        ds.examine(ARCS[:1], learned, hidden="diet")
    with pytest.raises(ds.GraphError, match=r'no variable "stres".*did you mean "stress"'):
        ds.examine(ds.Dag([*learned.dag.names, "stress"], ARCS), learned, hidden="stres")
    with pytest.raises(ds.GraphError, match="a direction for every arc"):
        ds.examine(EDGES, learned, hidden="stress")
    known = ds.Knowledge(forbidden=[("pressure", "stroke")])
    with pytest.raises(ds.GraphError, match="does not obey the knowledge"):
        ds.examine(EDGES, table(rows=100), knowledge=known, resamples=0)


def test_it_is_kept_as_json_and_shown(learned, tmp_path):
    e = ds.examine(EDGES, learned, relabelings=0)
    e.save(tmp_path / "e.json")
    kept = json.loads((tmp_path / "e.json").read_text("utf-8"))
    assert (kept["kind"], kept["network"]) == ("examination", None)
    assert kept["graph"]["edges"] == [list(edge) for edge in e.graph.edges]
    assert len(kept["edges"]) == 10
    assert kept["distance"]["shd"] == 0
    assert repr(e) == f"<PagExamination: {e.blocks['Answer'][0]}>"
    assert e.implications.columns == ["a", "b", "given", "p", "p_adjusted", "verdict"]
    assert e.mends.is_empty()
    assert "Answer" in e._repr_html_()


@pytest.mark.slow
def test_the_order_of_columns_changes_nothing(learned):
    again = ds.learn(table().select(learned.dag.names[::-1]), runs=0, resamples=0)
    one, other = (ds.examine(EDGES, r, relabelings=20) for r in (learned, again))
    assert one.relabelings == other.relabelings
    assert set(one.implication_rows) == set(other.implication_rows)
    assert set(one.mark_rows) == set(other.mark_rows)
