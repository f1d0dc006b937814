"""A closer look at a table that could be read: what it adds to the notes, what that asks for."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.data import looked_over
from dagscape.data.copies import SCREENED, near_copies
from dagscape.notes import in_brief, mended_by
from dagscape.notes.advice import BRIEFLY
from dagscape.notes.note import AT_FIRST_SIGHT, KINDS, SAID_OF_ROWS, SAID_OF_SERIES

RNG = np.random.default_rng(5)
ROWS = 400


def table(**columns):
    side = RNG.choice(["left", "right"], ROWS)
    return ds.Data({"side": side, **columns})


def kinds(data):
    return {(note.kind, note.column) for note in looked_over(data).notes}


def test_codes_twins_many_states_and_near_copies_are_found():
    side = RNG.choice(["left", "right"], ROWS)
    copied = np.where(side == "left", "l", "r")
    nearly = copied.copy()
    nearly[:5] = "l"
    data = ds.Data(
        {
            "side": side,
            "laterality": copied,
            "hand": nearly,
            "score": RNG.choice(["1", "2", "3", "-9"], ROWS),
            "item": RNG.choice(["1", "1.0", "2"], ROWS),
            "town": [f"t{i % 120}" for i in range(ROWS)],
            "bmi": np.where(np.arange(ROWS) % 9 == 0, 999.0, RNG.normal(25, 3, ROWS)),
        },
        kinds={"item": "discrete"},
    )
    assert {
        ("near_copy", "laterality"),
        ("near_copy", "hand"),
        ("number_codes", "score"),
        ("number_codes", "bmi"),
        ("many_states", "town"),
    } <= kinds(data)
    assert not {"near_copy", "number_codes"} & {note.kind for note in data.notes}
    assert mended_by(looked_over(data).notes) == {
        "missing_values": ["-9", "999"],
        "leave_out": ["laterality"],
    }


def test_a_clean_table_is_handed_back_as_it_is():
    data = table(size=RNG.choice(["small", "large"], ROWS))
    assert looked_over(data) is data
    found = ds.check(data)
    assert not found
    assert found.settings == {}


def test_what_was_computed_goes_along_and_nobody_looks_twice():
    data = table(score=RNG.choice(["1", "2", "-9"], ROWS))
    ds.local_score(data, "side", ["score"])
    looked = looked_over(data)
    assert looked == data
    assert looked.fingerprint == data.fingerprint
    assert looked._scorers is data._scorers
    assert looked_over(looked) is looked


def test_learning_looks_and_keeps_what_it_saw(tmp_path):
    learned = ds.learn(table(score=RNG.choice(["1", "2", "-9"], ROWS)), runs=0, resamples=0)
    assert [note.kind for note in learned.notes] == ["number_codes"]
    learned.report(tmp_path / "page.html")
    assert "set apart from all its other numbers" in (tmp_path / "page.html").read_text("utf-8")


def test_numbers_that_mean_missing_can_be_named():
    values = {"bmi": [22.5, -9.0, 27.1, 30.2] * 5, "sex": ["m", "f"] * 10}
    assert ds.check(ds.Data(values)).settings == {"missing_values": ["-9"]}
    with pytest.warns(ds.DataWarning, match="5 of 20 rows"):
        read = ds.Data(values, missing_values=["-9", "n/a"], missing="drop")
    assert read.n_rows == 15
    assert read.numbers["bmi"].min() == 22.5


def test_every_kind_that_is_more_than_a_fact_has_words():
    facts = {"cut", "numbers", "whole_floats", "few_integers", "names_made_text", "sorted_by"}
    said = {*SAID_OF_ROWS, *SAID_OF_SERIES, "ordered", "indicator", "gaps_go_with"}
    said |= {*AT_FIRST_SIGHT} - {"left_out"}
    assert set(BRIEFLY) == set(KINDS) - facts - said
    data = ds.Data({f"c{i}": ["a"] * 20 for i in range(5)} | {"x": ["a", "b"] * 10})
    assert in_brief(data.notes) == (
        "1 thing to look at in the table: the same value in every row (c0, c1, c2 and 2 more)"
    )


@pytest.mark.parametrize("states", [2, 3, 7])
def test_few_rows_tell_most_pairs_apart_and_miss_no_copy(states):
    rows = 40 * SCREENED
    rng = np.random.default_rng(states)
    columns = {f"c{i}": rng.integers(0, states, rows) for i in range(12)}
    for i, wrong in enumerate((0.0, 0.02, 0.05)):  # of the values that are not the commonest
        copied = (columns[f"c{i}"] + 1) % states
        flipped = rng.random(rows) < wrong
        copied[flipped] = rng.integers(0, states, int(flipped.sum()))
        columns[f"copy{i}"] = copied
    found = {(note.column, note.how) for note in near_copies(columns)}
    assert found == {("copy0", "c0"), ("copy1", "c1"), ("copy2", "c2")}
