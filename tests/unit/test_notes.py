"""Facts about a table, as data and in sentences."""

from __future__ import annotations

import json
import pickle

import pytest

from dagscape import ParameterError
from dagscape.notes import Note, in_no_words, sentences
from dagscape.speech import in_python

DROPPED = Note("rows_dropped", counts={"rows": 3000, "dropped": 2941})
AGE = Note("not_cut", "age", "quantile", {"numbers": 90, "others": 2, "states": 41}, ("n/a", "."))


def missing(column: str, cells: int, how: str, rows: int = 3000) -> Note:
    return Note("missing_cells", column, how, {"cells": cells, "rows": rows})


def words(*notes: Note, spell=in_python) -> list[str]:
    return [said.words for said in sentences(notes, spell)]


class TestNote:
    def test_it_comes_back_from_json_and_from_another_process(self):
        for note in (DROPPED, AGE, missing("x", 3, "mode")):
            assert Note.from_dict(json.loads(json.dumps(note.to_dict()))) == note
            again = pickle.loads(pickle.dumps(note))
            assert again == note
            assert hash(again) == hash(note)

    def test_it_cannot_be_changed(self):
        with pytest.raises(TypeError):
            DROPPED.counts["rows"] = 1
        with pytest.raises(AttributeError):
            DROPPED.kind = "cut"

    @pytest.mark.parametrize(
        ("note", "level"),
        [
            (Note("rows_dropped", counts={"rows": 100, "dropped": 10}), "warning"),
            (Note("rows_dropped", counts={"rows": 100, "dropped": 11}), "loud"),
            (missing("x", 10, "mode", 100), "warning"),
            (missing("x", 11, "mode", 100), "loud"),
            (missing("x", 11, "random", 100), "loud"),
            (missing("x", 99, "state", 100), "fact"),
            (missing("x", 99, "drop", 100), "fact"),  # the rows are what is loud
            (AGE, "loud"),
            (Note("not_cut", "a", "", {"numbers": 9, "others": 1, "states": 5}), "warning"),
            (Note("cut", "a", "mean", {"asked": 2, "states": 2}, ("<=1", ">1")), "fact"),
            (Note("constant", "a", examples=("x",)), "warning"),
        ],
    )
    def test_what_is_loud(self, note, level):
        assert (note.level, note.loud) == (level, level == "loud")

    @pytest.mark.parametrize(
        "change",
        [
            {"kind": "nonsense"},
            {"kind": 3},
            {"counts": {"rows": 3}},
            {"counts": {"rows": 3, "dropped": "many"}},
            {"counts": {"rows": 3, "dropped": True}},
            {"counts": None},
            {"column": "x"},
            {"column": 7},
            {"how": None},
            {"examples": "abc"},
            {"examples": [1]},
        ],
    )
    def test_damaged_notes_are_refused(self, change):
        with pytest.raises(ParameterError, match="note"):
            Note.from_dict(DROPPED.to_dict() | change)

    def test_what_is_no_note_is_refused(self):
        for other in (None, [], "words", {}):
            with pytest.raises(ParameterError, match="not a note on a table"):
                Note.from_dict(other)
        with pytest.raises(ParameterError, match="no such note"):
            missing("x", 1, "magic")
        with pytest.raises(ParameterError, match="no such note"):
            Note("constant", "x")


class TestSentences:
    def test_rows_that_were_dropped_name_the_columns_that_cost_them(self):
        notes = [DROPPED, missing("a", 12, "drop"), missing("b", 2930, "drop")]
        assert words(*notes) == [
            "2,941 of 3,000 rows (98 %) had a missing value and were dropped; 59 are left; missing "
            'most often: "b" (2,930 of 3,000 cells), "a" (12); to keep more rows, leave such '
            'columns out (leave_out) or choose missing="mode", "random" or "state"'
        ]

    def test_a_small_loss_needs_no_advice(self):
        few = Note("rows_dropped", counts={"rows": 3000, "dropped": 1})
        assert words(few, missing("a", 1, "drop")) == [
            "1 of 3,000 rows (less than 1 %) had a missing value and was dropped; 2,999 are left; "
            'missing most often: "a" (1 of 3,000 cells)'
        ]

    def test_notes_of_a_file_need_not_be_complete(self):
        assert words(missing("a", 12, "drop")) == [
            'rows with missing values were dropped: "a" (12 of 3,000 cells)'
        ]
        assert words(DROPPED)[0].startswith("2,941 of 3,000 rows (98 %) had a missing value")

    def test_each_way_of_filling_is_a_sentence(self):
        columns = [missing(f"x{i}", i, "mode") for i in range(1, 8)]
        assert words(*columns, missing("y", 1, "state")) == [
            "28 missing cells were filled with the commonest state of the column: "
            '"x7" (7 of 3,000 cells), "x6" (6), "x5" (5), "x4" (4), "x3" (3) and 2 more; such '
            "values make the data look more certain than they are",
            '1 missing cell was made a state of the column: "y" (1 of 3,000 cells)',
        ]

    def test_many_columns_are_one_sentence_and_few_are_one_each(self):
        def notes(count):
            return [
                Note("missing_words", f"c{i}", "", {"cells": 3}, ("?", "n/a")) for i in range(count)
            ]

        assert len(words(*notes(5))) == 5
        (one,) = sentences(notes(6), in_python)
        assert one.words.startswith(
            "6 columns have states that may mean a missing value: "
            '"c0" ("?", "n/a"), "c1" ("?", "n/a"), '
        )
        assert "and 1 more; if they do, leave the cells empty or add them to" in one.words
        assert len(one.notes) == 6

    def test_advice_is_in_the_words_of_the_reader(self):
        ages = Note("many_integers", "age", counts={"states": 60})
        plain = 'column "age" has 60 states, all whole numbers; if it was measured, cut it'
        assert words(ages) == [f'{plain}: discretize={{"age": ("quantile", 3)}}']
        assert words(ages, spell=in_no_words) == [plain]
        assert words(AGE, spell=in_no_words) == [
            'column "age" has numbers in 90 cells and other values in 2: "n/a", "."; so it was not '
            "cut, and each of its 41 values is a state; if these values mean that the number is "
            "missing, leave the cells empty"
        ]

    def test_every_kind_has_sentences_for_one_column_and_for_many(self):
        from dagscape.notes.note import KINDS, OF_TABLES

        for kind, counts in KINDS.items():
            for count in (1, 6):
                of_columns = [None] if kind in OF_TABLES else [f"c{i}" for i in range(count)]
                how = "mode" if kind == "missing_cells" else ""
                notes = [Note(kind, c, how, dict.fromkeys(counts, 2), ("x",)) for c in of_columns]
                for said in sentences(notes, in_python):
                    assert '""' not in said.words
                    assert "None" not in said.words
