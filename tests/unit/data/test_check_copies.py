"""What ``ds.check`` calls a copy, and that it proposes nothing for tables without a fault."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dagscape as ds
from dagscape.data import Check
from dagscape.data.copies import MOST_COLUMNS, MOST_ROWS

RNG = np.random.default_rng(11)
ROWS = 60
SEX = RNG.choice(["m", "f"], ROWS)
BMI = np.round(RNG.normal(25, 4, ROWS), 2)

KINDS = ("normal", "rounded", "whole", "counts", "signed", "skewed", "letters", "words", "coins")


def column(kind: str, rows: int, rng: np.random.Generator) -> Any:
    if kind == "normal":
        return rng.normal(size=rows)
    if kind == "rounded":
        return np.round(rng.normal(size=rows), 1)
    if kind == "skewed":
        return np.round(np.exp(rng.normal(2, 1.2, rows)))
    whole = {"whole": (0, 50), "counts": (0, 8), "signed": (-12, 13), "coins": (0, 2)}
    if kind in whole:
        return rng.integers(*whole[kind], rows)
    return rng.choice(list("abcde") if kind == "letters" else ["low", "mid", "high"], rows)


def tables(seed: int) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Yield tables without a fault: columns that have nothing to do with each other."""
    for rows in (1, 2, 3, 4, 5, 6, 9, 10, 11, 13, 20, 21, 30, 40, 60, 101):
        for kind in (*KINDS, "mixed"):
            rng = np.random.default_rng([seed, rows, len(kind), ord(kind[0])])
            drawn = [str(rng.choice(KINDS)) if kind == "mixed" else kind for _ in range(4)]
            made = {f"c{i}": column(each, rows, rng) for i, each in enumerate(drawn)}
            yield kind, made, rows


FORMS = ("dict", "text", "gaps", "file", "gaps in a file")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_proposed_where_nothing_is_wrong(form, tmp_path):
    seed = FORMS.index(form)
    for kind, made, rows in tables(seed):
        table: Any = made
        if form == "text":
            table = {name: [str(value) for value in values] for name, values in made.items()}
        elif form != "dict":
            table = pd.DataFrame(made)
            if form != "file":
                table = table.mask(np.random.default_rng(rows).random((rows, 4)) < 0.1)
            if form != "gaps":
                table.to_csv(tmp_path / "t.csv", index=False)
                table = tmp_path / "t.csv"
        found = ds.check(table)
        which = f"{kind}, {rows} rows: {found}"
        empty = [note.column for note in found.notes if note.kind in ("constant", "no_values")]
        assert set(found.left_out) <= set(empty), which  # those have nothing to tell
        if set(empty) >= set(made):
            continue
        assert set(found.settings) <= {"leave_out", "missing", "kinds"}, which
        assert not found.refused, which
        assert not {"copy", "near_copy", "sum_of_others"} & {note.kind for note in found.notes}


def copies(found: Check) -> dict[str | None, str]:
    of = {"copy": lambda note: note.examples[0], "near_copy": lambda note: note.how}
    return {note.column: of[note.kind](note) for note in found.notes if note.kind in of}


def test_copies_are_told_and_left_out():
    sex2 = np.where(SEX == "m", "male", "female")
    table = {"sex": SEX, "gender": sex2, "sex again": SEX, "bmi": BMI, "bmi again": BMI,
             "pounds": 5 - 2.2 * BMI, "ill": RNG.choice(["yes", "no"], ROWS)}  # fmt: skip
    found = ds.check(table)
    assert copies(found) == {
        "gender": "sex", "sex again": "sex", "bmi again": "bmi", "pounds": "bmi"
    }  # fmt: skip
    assert set(found.left_out) == set(copies(found))
    assert eval(found.call, {"ds": ds, "frame": table}).names == ("sex", "bmi", "ill")
    learned = ds.check(ds.Data(table))
    assert set(learned.settings["leave_out"]) == set(copies(found))


def test_a_copy_that_fills_gaps_of_the_other_stays():
    holed = np.where(np.arange(ROWS) < 4, None, SEX)
    found = ds.check({"sex": holed, "gender": SEX, "bmi": BMI})
    assert copies(found) == {"gender": "sex"}
    assert found.left_out == ()
    assert "they say the same in 56 of 60 rows; leave one of them out if they mean" in str(found)
    same = ds.check({"sex": holed, "gender": holed, "bmi": BMI})
    assert same.left_out == ("gender",)


def test_a_difference_far_down_is_seen():
    rows = MOST_ROWS + 50
    first = np.random.default_rng(0).integers(0, 2, rows)
    second = first.copy()
    second[-1] = 1 - second[-1]
    (note,) = ds.check({"a": first, "b": second}).notes
    assert dict(note.counts) == {"agree": rows - 1, "rows": rows}
    assert ds.check({"a": first, "b": second}).left_out == ()
    assert ds.check({"a": first, "b": first}).left_out == ("b",)


def test_few_rows_make_no_copy():
    for rows in (2, 4, 8, 12):
        half = np.arange(rows) % 2
        words = [f"w{i // 2}" for i in range(rows)]  # each twice: any order of them fits some other
        assert not copies(ds.check({"a": half, "b": 1 - half})), rows
        assert not copies(ds.check(ds.Data({"a": half, "b": 1 - half}))), rows
        assert not copies(ds.check({"a": words[:8], "b": [w.upper() for w in words[:8]]})), rows
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        two = ds.Data({"x": [0.5, 1.25], "y": [3.5, 0.25]})
    assert not {"copy", "sum_of_others"} & {note.kind for note in two.notes}


@pytest.mark.slow
def test_among_many_columns_those_that_say_the_same_in_every_row_are_found():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (60, MOST_COLUMNS + 40))
    renamed = np.array([2, 0, 1])
    made = {310: 7, 320: 309, 335: 310}
    for copy, of in made.items():
        codes[:, copy] = renamed[codes[:, of]]
    codes[:, 330] = codes[:, 331] = 1  # constants are no copies
    codes[0, 338] = (codes[0, 337] + 1) % 3
    codes[1:, 338] = codes[1:, 337]  # nearly the same is not looked for there
    labels = np.array(["a", "b", "c"])
    frame = {f"v{i}": labels[codes[:, i]] for i in range(codes.shape[1])}
    assert copies(ds.check(frame)) == {"v310": "v7", "v320": "v309", "v335": "v7"}
