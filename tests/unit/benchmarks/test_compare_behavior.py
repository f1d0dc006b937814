"""The words of the table of behavior, from what came of tries."""

import pytest
from benchmarks.compare.behavior import ask, frames, verdicts
from benchmarks.compare.behavior.tools import load_tool
from benchmarks.compare.peers import OF_SERIES, TOOLS, can
from benchmarks.compare.tasks import behavior

ODD = frames.ODD


def done(*arcs, undirected=(), changed=False):
    return {
        "status": "done",
        "arcs": [list(arc) for arc in arcs],
        "undirected": [list(pair) for pair in undirected],
        "changed": changed,
    }


BOTH = ("north", "south")


@pytest.mark.parametrize(
    ("question", "outcome", "word"),
    [
        ("text", done(("ward", ODD)), "yes"),
        ("text", done(undirected=[(ODD, "ward")]), "yes"),
        ("text", done(("ward", "noise")), "edge not found"),
        ("integers", done(("ward", ODD)), "as states"),
        ("integers", done(), "as quantities"),
        ("floats", done(), "each value a state"),
        ("missing_text", done(BOTH, ("ward", ODD)), "a state"),
        ("missing_text", done(BOTH, ("left", "right")), "cells left out"),
        ("missing_text", done(BOTH), "rows left out"),
        ("missing_text", done(("left", "right")), "other edges lost"),
        ("missing_text", done(BOTH, ("noise", ODD)), "wrong edges"),
        ("missing_text", done(BOTH, (ODD, "north")), "wrong edges"),
        ("one_state", done(("ward", "height")), "no arcs"),
        ("one_state", done(("ward", ODD)), "gets an arc"),
        ("one_row", done(("ward", ODD)), "arcs"),
        ("floats", {"status": "refused", "why": "", "named": True}, "refused, names it"),
        ("no_rows", {"status": "refused", "why": "", "named": True}, "refused"),
        ("no_rows", {"status": "crash", "why": "SIGFPE"}, "crash (SIGFPE)"),
        ("same_name", {"status": "over"}, "no end"),
    ],
)
def test_word_of_a_try(question, outcome, word):
    assert verdicts.of_try(question, outcome) == word


def test_same():
    one, turned = done(("a", "b"), ("b", "c")), done(("b", "a"), ("b", "c"))
    collider = done(("a", "b"), ("c", "b"))
    assert verdicts.of_same([one, one]) == "same graph"
    assert verdicts.of_same([one, turned]) == "same class"
    assert verdicts.of_same([one, turned, collider]) == "2 classes of 3"
    assert verdicts.of_same([done(undirected=[("a", "b"), ("b", "c")]), one]) == "same class"
    assert verdicts.of_same([one, {"status": "crash", "why": "SIGSEGV"}]) == "failed"
    assert verdicts.of_same([one]) == "not tried"
    assert verdicts.of_same([]) == "no choice"


@pytest.mark.parametrize(
    ("record", "word"),
    [
        ({"status": "over", "limit": 8.0}, "goes on for over 8 s"),
        ({"status": "failed"}, "ends the process"),
        ({"how": "early", "seconds": -1.0}, "done before"),
        ({"how": "result", "seconds": 0.1}, "best so far"),
        ({"how": "result", "seconds": 5.1}, "best so far after 5 s"),
        ({"how": "KeyboardInterrupt", "seconds": 0.1}, "stops, nothing kept"),
    ],
)
def test_word_of_an_interrupt(record, word):
    given = record if "status" in record else {"status": "done", "outcomes": record}
    assert verdicts.of_interrupt(given) == word


def test_changes():
    assert verdicts.of_changes([done(), done()]) == "left as it is"
    assert verdicts.of_changes([done(), done(changed=True)]) == "changed"
    assert verdicts.of_changes([{"status": "over"}]) == "-"


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_frames_tell_what_was_done_with_gaps():
    ds = pytest.importorskip("dagscape")
    frame = frames.missing_text()
    for missing, word in (("state", "a state"), ("drop", "rows left out")):
        dag = ds.hill_climb(ds.Data(frame, missing=missing)).dag
        assert verdicts.of_try("missing_text", done(*dag.arcs)) == word


@pytest.mark.parametrize("question", ["text", "categories", "integers", "one_state", "one_row"])
def test_dagscape_takes(question):
    outcome = {"status": "done", **ask._try(load_tool("dagscape"), question)}
    words = {"integers": "as states", "one_state": "no arcs", "one_row": "no arcs"}
    assert verdicts.of_try(question, outcome) == words.get(question, "yes")
    assert not outcome["changed"]


def test_tools_have_what_is_tried():
    climbs = dict.fromkeys(TOOLS, "hill_climbing") | {"causal_learn": "ges_bdeu"}
    for tool in OF_SERIES:
        assert can(tool, "series")
        assert not can(tool, "behavior")
        del climbs[tool]
    del climbs["gies"]  # which takes rows of experiments alone
    assert all(can(tool, "behavior") and can(tool, climb) for tool, climb in climbs.items())


def test_section():
    tables = {question: {"status": "over"} for question in frames.ODD_FRAMES}
    again = {"once": done(("a", "b")), "again": done(("a", "b")), "shuffle 1": done(("b", "a"))}
    cases = {"tables": tables, "Ctrl-C": {"how": "result", "arcs": 1, "seconds": 0.0}}
    cases["hash seed 0"] = again
    records = [
        {"tool": "dagscape", "case": case, "status": "done", "outcomes": outcomes}
        for case, outcomes in cases.items()
    ]
    page = behavior.section(records)
    assert "| Ctrl-C | best so far |" in page
    assert "| once more | same graph |" in page
    assert "| order of columns | same class |" in page
    assert "| hash seed | not tried |" in page
    assert "| threads | no choice |" in page
