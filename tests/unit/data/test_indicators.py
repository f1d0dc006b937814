"""Columns that say where others have no value."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import dagscape as ds

FRAME = {
    "a": [1, None, 2, 2] * 10,
    "b": ["x", "y", None, None] * 10,
    "c": ["u", None, "v", "u"] * 10,
    "x": [0.5 * k if k % 5 else None for k in range(40)],
    "d": ["p", "q"] * 20,
}
TOLD = ds.Data(FRAME, missing="indicator")


def test_a_column_for_all_that_go_missing_in_the_same_rows() -> None:
    assert TOLD.names == (*FRAME, "a missing", "b missing", "x missing")
    for name in "abx":
        missing = np.array([value is None for value in FRAME[name]])
        assert TOLD.states[f"{name} missing"] == ("no", "yes")
        assert (TOLD.column(f"{name} missing") == missing).all()
    said = {note.column: note for note in TOLD.notes if note.kind == "indicator"}
    assert said["a missing"].examples == ("a", "c")
    assert dict(said["x missing"].counts) == {"cells": 8, "rows": 40}
    assert TOLD.select(FRAME.keys()) == ds.Data(FRAME, missing="keep")


def test_it_has_a_name_of_its_own_and_is_added_once() -> None:
    made = ds.Data(FRAME | {"a missing": ["no"] * 39 + ["yes"]}, missing="indicator")
    assert "a missing_1" in made.names
    assert ds.Data(TOLD, missing="indicator") == TOLD
    assert ds.Data(ds.Data(FRAME, missing="keep"), missing="indicator") == TOLD
    assert pickle.loads(pickle.dumps(TOLD)).notes == TOLD.notes
    whole = ds.Data({"d": FRAME["d"]}, missing="indicator")
    assert whole.names == ("d",)


@pytest.mark.slow
def test_no_column_is_joined_to_where_it_is_missing() -> None:
    problem = ds.Problem(TOLD)
    apart = {("a", "a missing"), ("c", "a missing"), ("b", "b missing"), ("x", "x missing")}
    assert {*problem.knowledge.forbidden} == apart | {pair[::-1] for pair in apart}
    assert str(problem.scope) == "networks that join no variable to where it is missing"
    some = ds.Problem(TOLD.select(["a", "b missing", "d"]))
    assert some.knowledge is None
    with pytest.raises(ds.ParameterError, match="cannot obey that no variable is joined to where"):
        ds.structural_em(TOLD, search="ges")


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_other_policies_may_follow() -> None:
    filled = ds.Data(TOLD, missing="mode")
    assert not filled.missing
    assert (filled.column("x missing") == TOLD.column("x missing")).all()
    assert ds.Problem(filled).knowledge == ds.Problem(TOLD).knowledge
