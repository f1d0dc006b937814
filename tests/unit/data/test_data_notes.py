"""What a table tells of its way here: rows and cells lost, cuts made, states that may be none."""

from __future__ import annotations

import pickle
import random
import warnings
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import dagscape as ds
from dagscape import Data, DataError, DataWarning, read_data
from dagscape.notes import Note


def kinds(data: Data) -> list[str]:
    return [note.kind for note in data.notes]


def note(data: Data, kind: str, column: str | None = None) -> Note:
    (found,) = (each for each in data.notes if (each.kind, each.column) == (kind, column))
    return found


def holed(rows: int, holes: int) -> dict[str, list[str | None]]:
    return {
        "a": [None if i < holes else "xy"[i % 2] for i in range(rows)],
        "b": [None if i == 0 else "uv"[i // 2 % 2] for i in range(rows)],
    }


def ages(strange: Sequence[str], rows: int = 300) -> list[str]:
    """Return numbers with a decimal point, a few cells of which are something else."""
    drawn = random.Random(4)
    cells = [f"{drawn.randrange(100) / 2 + 20.5}" for _ in range(rows)]
    return [*strange, *cells[len(strange) :]]


class TestLosses:
    def test_dropped_rows_are_counted_by_column(self):
        with pytest.warns(DataWarning, match=r"30 of 100 rows \(30 %\) had a missing value"):
            data = Data(holed(100, 30), missing="drop")
        assert data.n_rows == 70
        assert note(data, "rows_dropped").counts == {"rows": 100, "dropped": 30}
        assert note(data, "missing_cells", "a").counts == {"cells": 30, "rows": 100}
        assert note(data, "missing_cells", "b").counts == {"cells": 1, "rows": 100}
        assert "70 rows (30 dropped)" in repr(data)

    @pytest.mark.parametrize("policy", ["mode", "random"])
    def test_filled_cells_are_counted_by_column(self, policy):
        with pytest.warns(DataWarning, match="31 missing cells were filled with"):
            data = Data(holed(100, 30), missing=policy)
        assert kinds(data) == ["missing_cells", "missing_cells"]
        assert note(data, "missing_cells", "a").how == policy
        assert [each.level for each in data.notes] == ["loud", "warning"]

    def test_a_tenth_may_be_lost_quietly_but_not_in_silence(self):
        data = Data(holed(100, 10), missing="drop")  # a warning would fail the test
        assert note(data, "rows_dropped").level == "warning"
        assert data.warnings[0].startswith("10 of 100 rows (10 %) had a missing value and were")
        assert "to keep more rows" not in data.warnings[0]

    def test_missing_values_made_a_state_are_no_loss(self):
        data = Data(holed(100, 30), missing="state")
        assert data.warnings == ()
        assert [each.level for each in data.notes] == ["fact", "fact"]

    def test_nothing_lost_is_nothing_said(self):
        whole = {"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10}
        for policy in ("error", "drop", "mode", "random", "state"):
            assert Data(whole, missing=policy).notes == ()

    def test_the_warning_points_at_the_caller(self, tmp_path):
        pl.DataFrame(holed(100, 30)).write_csv(tmp_path / "t.csv")
        for make, given in ((read_data, tmp_path / "t.csv"), (Data, holed(100, 30))):
            with pytest.warns(DataWarning) as caught:
                make(given, missing="drop")
            assert Path(caught[0].filename).name == Path(__file__).name

    @pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
    def test_they_travel_with_the_table(self):
        data = Data(holed(100, 30) | {"c": ["p", "q"] * 50}, missing="drop")
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # said once, when the table was made
            assert pickle.loads(pickle.dumps(data)).notes == data.notes
            assert Data(data).notes == data.notes
            assert data.head(50).notes == data.notes
            some = data.select(["b", "c"])
        assert [(each.kind, each.column) for each in some.notes] == [
            ("rows_dropped", None),
            ("missing_cells", "b"),
        ]
        assert data == Data.from_codes(data.codes, data.states)  # and are no part of what it is


class TestCuts:
    def test_cuts_are_told_with_their_intervals(self):
        frame = {"f": [i / 4 for i in range(40)], "g": [0.5] * 39 + [1.5], "s": ["x", "y"] * 20}
        data = Data(frame, discretize=("quantile", 3))
        cut = note(data, "cut", "f")
        assert (cut.how, cut.counts) == ("quantile", {"asked": 3, "states": 3})
        assert cut.examples == data.states["f"]
        assert note(data, "cut", "g").counts == {"asked": 3, "states": 2}
        assert data.warnings == ()  # done as asked
        assert kinds(data) == ["cut", "cut"]


class TestNumbersWithOtherValues:
    STRANGE = ("n/a", "n/a", ".", "unknown", "n/a ")

    def table(self, strange: Sequence[str], **more: list[str]) -> dict[str, list[str]]:
        return {"age": ages(strange), "sex": ["f", "m"] * 150, **more}

    @pytest.mark.parametrize("source", ["text", "pandas"])
    def test_a_column_that_was_to_be_cut_is_named_with_its_values(self, tmp_path, source):
        frame = pd.DataFrame(self.table(self.STRANGE))
        frame.to_csv(tmp_path / "t.csv", index=False)
        given = tmp_path / "t.csv" if source == "text" else frame
        make = read_data if source == "text" else Data
        with pytest.warns(DataWarning, match=r'"age" has numbers in 295 cells .* was not cut'):
            data = make(given, discretize=("quantile", 3))
        found = note(data, "not_cut", "age")
        states = data.arities["age"]
        assert states > 50
        assert found.counts == {"numbers": 295, "others": 5, "states": states}
        assert found.examples == ("n/a", ".", "n/a ", "unknown")  # most frequent first
        assert found.how == "quantile"
        assert kinds(data) == ["not_cut"]  # each value is told once

    def test_naming_the_values_as_missing_mends_it(self, tmp_path):
        pl.DataFrame(self.table(self.STRANGE)).write_csv(tmp_path / "t.csv")
        data = read_data(
            tmp_path / "t.csv",
            discretize=("quantile", 3),
            missing="drop",
            missing_values=["", *self.STRANGE],
        )
        assert data.arities["age"] == 3
        assert note(data, "rows_dropped").counts["dropped"] == 5

    def test_without_a_rule_it_is_still_told(self):
        data = Data(self.table(self.STRANGE))
        assert note(data, "not_cut", "age").how == ""
        assert "each of its" in data.warnings[0]
        assert "not cut" not in data.warnings[0]

    def test_numbers_as_text_in_a_frame_are_told_if_they_were_to_be_cut(self):
        with pytest.warns(DataWarning, match='"age" holds numbers written as text, so it was not'):
            Data(self.table(()), discretize="mean")
        assert Data(self.table(())).notes == ()

    def test_whole_numbers_count_if_they_are_many(self):
        cells = ["?", *map(str, range(40)), *map(str, range(40)), *map(str, range(39))]
        many = Data({"n": cells, "x": ["a", "b"] * 60}, discretize="mean")
        assert note(many, "not_cut", "n").level == "warning"  # a rule for all is for decimals
        few = Data({"n": ["?", *["1", "2", "3"] * 13], "x": ["a", "b"] * 20})
        assert kinds(few) == ["missing_words"]

    def test_words_with_a_few_numbers_are_words(self):
        cells = ["1.5", "2.5", *["often", "seldom", "never"] * 10]
        assert Data({"x": cells, "y": ["a", "b"] * 16}).notes == ()

    def test_declared_states_are_what_was_wanted(self):
        table = self.table(self.STRANGE)
        data = Data(table, states={"age": sorted(set(table["age"]))}, discretize="mean")
        assert "not_cut" not in kinds(data)
        assert "not_cut" not in kinds(Data(pd.DataFrame(table).astype("category")))

    def test_a_rule_by_name_is_refused_with_the_values(self):
        with pytest.raises(DataError) as error:
            Data(self.table(self.STRANGE), discretize={"age": "mean"})
        assert str(error.value) == (
            'column "age" has numbers in 295 cells and other values in 5: "n/a", ".", "n/a ", '
            '"unknown"; so it cannot be cut; if these values mean that the number is missing, '
            "leave the cells empty or add them to missing_values"
        )
        with pytest.raises(DataError, match='"sex", which does not hold numbers'):
            Data(self.table(()), discretize={"sex": "mean"})

    def test_a_column_of_many_different_numbers_is_not_taken_for_an_identifier(self):
        cells = ["n/a", *(f"{i}.25" for i in range(99))]
        with pytest.raises(
            DataError, match='"x" has numbers in 99 cells and other values in 1: "n/'
        ):
            Data({"x": cells, "y": ["a", "b"] * 50})


class TestStatesThatMayBeNone:
    WORDS = (
        "n/a",
        "NA",
        "N/A ",
        ".",
        "?",
        "unknown",
        "Unknown",
        "-",
        "nan",
        "",
        " ",
        "#N/A",
        "<NA>",
        "k.A.",
        "keine Angabe",
        "n.d.",
        "Inconnu",
    )

    @pytest.mark.parametrize("word", WORDS)
    def test_words_for_missing_values_are_named(self, word):
        data = Data({"x": [word, "yes", "no", "yes"] * 5, "y": ["a", "b"] * 10})
        found = note(data, "missing_words", "x")
        assert (found.examples, found.counts) == ((word,), {"cells": 5})
        assert "blanks" not in kinds(data)

    @pytest.mark.parametrize("word", ["None", "no", "0", "none", "not", "national", "un known"])
    def test_other_words_are_not(self, word):
        assert Data({"x": [word, "yes", "maybe", "yes"] * 5, "y": ["a", "b"] * 10}).notes == ()

    def test_a_minus_beside_a_plus_is_a_finding(self):
        assert Data({"test": ["+", "-", "-", "+"] * 5, "y": ["a", "b"] * 10}).notes == ()

    def test_our_own_state_for_missing_values_is_not_meant(self):
        cells = [None, "yes", "no", "yes"] * 5
        data = Data({"x": cells, "y": ["a", "b"] * 10}, missing="state")
        assert data.states["x"][-1] == "missing"
        assert kinds(data) == ["missing_cells"]
        told = Data({"x": ["missing", *cells[1:]], "y": ["a", "b"] * 10}, missing="state")
        assert note(told, "missing_words", "x").examples == ("missing",)

    def test_blanks_at_an_end_are_named(self, tmp_path):
        (tmp_path / "t.csv").write_text("x,y\n" + "yes,a\nyes ,b\nno,a\nno,b\n  perhaps,a\n" * 4)
        data = read_data(tmp_path / "t.csv")
        found = note(data, "blanks", "x")
        assert found.examples == ("  perhaps", "yes ")
        assert found.counts == {"states": 2, "cells": 8, "twins": 1}
        assert data.warnings == (
            'column "x" has 2 states with blanks at an end, such as "  perhaps" (8 cells); 1 of '
            "them differs from another state only by these; remove the blanks",
        )

    def test_states_that_differ_by_blanks_alone_are_twins_of_each_other(self):
        data = Data({"x": ["yes ", " yes", "no", "no"] * 5, "y": ["a", "b"] * 10})
        assert note(data, "blanks", "x").counts == {"states": 2, "cells": 10, "twins": 1}


def test_results_and_their_files_keep_the_notes(tmp_path):
    with pytest.warns(DataWarning):
        data = Data(holed(100, 30) | {"c": ["p", "q"] * 50}, missing="drop")
    parents = ds.candidate_parents(data)
    assert parents.notes == data.notes
    known = ds.Knowledge(forbidden=[("a", "b")])
    found = [
        ds.learn(data, runs=3, resamples=2),
        ds.exact(data),
        ds.exact(parents, knowledge=known),
        ds.order_search(data),
        ds.order_search(data, parent_sets="grown"),
        ds.hill_climb(data),
        ds.ges(data),
        ds.kes(data),
        ds.sll_c(data),
        ds.sll_g(data),
        ds.mmhc(data),
    ]
    assert [note.kind for note in found[0].notes[len(data.notes) :]] == ["near_copy"]
    for result in found:
        assert result.notes[: len(data.notes)] == data.notes
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json").notes == result.notes


def test_damaged_notes_of_results_are_refused(tmp_path):
    import json

    result = ds.ges(Data({"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10}))
    content = result.to_dict()
    for damaged in ({}, [{"kind": "cut"}], [3]):
        (tmp_path / "r.json").write_text(json.dumps(content | {"notes": damaged}))
        with pytest.raises(ds.FileFormatError, match="note"):
            ds.load_result(tmp_path / "r.json")
