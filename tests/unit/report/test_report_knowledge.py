"""What the page is told of knowledge."""

import pytest

import dagscape as ds
from dagscape.report.claims import NAMED, knowledge_of
from dagscape.report.content import content
from dagscape.report.drawing import drawing
from dagscape.report.page_pairs import BACK, FORTH, UNDIRECTED

KNOWN = ds.Knowledge(
    required=[("smoke", "lung")],
    forbidden=[("bronc", "dysp"), ("dysp", "bronc"), ("asia", "smoke")],
    tiers=[["asia", "smoke"], ["tub", "bronc"]],
    max_parents={"dysp": 2},
)


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(1000, seed=1)


@pytest.fixture(scope="module")
def result(data):
    return ds.exact(data, knowledge=KNOWN)


def test_nothing_is_told_where_nothing_was_known(data):
    assert content(ds.exact(data))["knowledge"] is None


def test_parts_in_words(result):
    told = knowledge_of(result)
    assert told["parts"] == [
        ["Required", "smoke → lung"],
        ["Forbidden", "bronc – dysp, asia → smoke"],
        [
            "Tiers",
            "1. asia, smoke; 2. tub, bronc. No arc goes from a later tier to an earlier one.",
        ],
        ["Most parents", "dysp: 2"],
    ]
    names = result.dag.names
    assert [[names[a], names[b]] for a, b in told["forbidden"]] == [*map(list, KNOWN.forbidden)]


def test_directions_that_are_due_to_it(data, result):
    told = knowledge_of(result)["given"]
    assert told.startswith("2 edges have their direction from it and not from the data: ")
    idle = ds.exact(data, knowledge=ds.Knowledge(forbidden=[("asia", "smoke")]))
    assert knowledge_of(idle)["given"] == "All its arrows are where data alone would put them."


def test_long_lists_end():
    names = [f"x{v}" for v in range(NAMED + 10)]
    known = ds.Knowledge(tiers=[names])
    result = ds.Result(
        dag=ds.Dag(names),
        score=0.0,
        score_name="bic",
        method="none",
        scope=ds.Scope(knowledge=known),
    )
    (title, words) = knowledge_of(result)["parts"][0]
    assert title == "Tiers"
    assert "and 10 more" in words


def test_pairs_have_both_the_class_and_what_is_known(result):
    shown = content(result)
    names = shown["names"]
    for a, b, _, found, _, _, _, _, drawn, required in shown["pairs"]:
        one, other = names[a], names[b]
        for code, graph in ((found, result.cpdag), (drawn, result.mpdag)):
            expected = (
                FORTH
                if (one, other) in graph.directed
                else BACK
                if (other, one) in graph.directed
                else UNDIRECTED
            )
            assert code == expected
        assert bool(required) == ({one, other} == {"smoke", "lung"})


def test_small_pictures_have_the_directions(result):
    heads = sum(bool(line.head) for line in drawing(result.dag, known=result.mpdag).lines)
    assert heads == len(result.mpdag.directed) > len(result.cpdag.directed)
    assert result._repr_html_().count('Z" fill=') == heads
