"""``ds.check``: every kind of problem on a messy table, and a call that reads it."""

from __future__ import annotations

import json
import pickle

import pandas as pd
import polars as pl
import pytest

import dagscape as ds
from dagscape.speech import speaking_of

ROWS = 60
SEX = ["m", "f", "f"] * 20
ILL = ["yes", "no", "no", "no"] * 15


def kinds(found: ds.Check, column: str | None = None) -> list[str]:
    return [note.kind for note in found.notes if column is None or note.column == column]


def note(found: ds.Check, kind: str, column: str | None = None) -> ds.Note:
    (one,) = [
        note
        for note in found.notes
        if note.kind == kind and (column is None or note.column == column)
    ]
    return one


def text(columns: dict[str, list[str]], mark: str = ",", header: bool = True) -> str:
    rows = [*([list(columns)] if header else []), *zip(*columns.values(), strict=True)]
    return "".join(mark.join(row) + "\n" for row in rows)


@pytest.fixture
def checked(tmp_path):
    """Check a text file; the call that it suggests must read it."""

    def run(content: str, name: str = "t.csv") -> ds.Check:
        path = tmp_path / name
        path.write_text(content, "utf-8")
        found = ds.check(path)
        assert not found.refused, found.refused
        eval(found.call, {"ds": ds})
        assert json.loads(json.dumps(found.to_dict()))["command"] == found.command
        return found

    return run


def test_a_good_table_needs_nothing(checked):
    found = checked(text({"sex": SEX, "ill": ILL}))
    assert not found
    assert found.notes == ()
    assert dict(found.settings) == {}
    assert "nothing to mend" in str(found)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_separators(checked, mark):
    found = checked(text({"sex": SEX, "ill": ILL}, mark))
    assert note(found, "separator").examples == (mark,)
    assert found.settings["separator"] == mark
    assert found.columns == 2


def test_decimal_commas_in_a_file_with_semicolons(checked):
    found = checked(text({"bmi": ["22,5", "31,0", "18,25"] * 20, "ill": ILL}, ";"))
    assert kinds(found, "bmi") == ["decimal_commas"]
    assert found.settings == {"separator": ";", "decimal": ","}
    assert 'each is a state; give decimal="," to have numbers' in str(found)
    assert ds.read_data(found.path, **found.settings).kinds["bmi"] == "continuous"


def test_a_missing_line_of_names(checked):
    found = checked(text({"a": ["39", "50", "38"] * 20, "b": SEX, "c": ILL}, header=False))
    assert note(found, "no_header").examples == ("39", "m", "yes")
    assert found.settings["header"] is False
    assert (found.rows, found.columns) == (ROWS, 3)


def test_identifiers_constants_and_empty_columns_are_left_out(checked):
    columns = {"id": [f"P{i}" for i in range(ROWS)], "no": [str(i) for i in range(ROWS)],
               "site": ["A"] * ROWS, "empty": [""] * ROWS, "sex": SEX, "ill": ILL}  # fmt: skip
    found = checked(text(columns))
    assert kinds(found, "id") == kinds(found, "no") == ["identifier"]
    assert kinds(found, "site") == ["constant"]
    assert kinds(found, "empty") == ["no_values", "gaps"]
    assert found.settings["leave_out"] == ["id", "no", "site", "empty"]
    assert "missing" not in found.settings


def test_dates(checked):
    seen = [f"2024-03-{i % 28 + 1:02d} 10:{i}" for i in range(ROWS)]
    found = checked(text({"seen": seen, "sex": SEX, "ill": ILL}))
    assert kinds(found, "seen") == ["dates"]
    assert found.settings["leave_out"] == ["seen"]


def test_gaps_and_their_spellings(checked):
    columns = {
        "a": ["x", "y", "n/a", "x", "y", "."] * 10,
        "b": ["u", "v", "unknown"] * 20,
        "ill": ILL,
    }
    found = checked(text(columns))
    assert kinds(found, "a") == kinds(found, "b") == ["missing_words", "gaps"]
    assert set(found.settings["missing_values"]) - set(ds.MISSING_VALUES) == {"n/a", ".", "unknown"}
    assert found.settings["missing"] == "keep"
    assert sum(note.counts["cells"] for note in found.notes if note.kind == "gaps") == 40


def test_few_gaps_beside_numbers_are_dropped_and_others_kept(checked):
    states = {"a": ["", *SEX[1:]], "ill": ILL}
    assert checked(text(states)).settings == {"missing": "keep"}
    numbers = {"x": [f"{0.37 * i * i:.2f}" for i in range(len(SEX))]}
    assert checked(text(states | numbers)).settings == {"missing": "drop"}


@pytest.mark.parametrize(
    ("code", "others"), [("-9", "012"), ("999", "345"), ("99", ["18", "25", "30"])]
)
def test_numbers_that_mean_a_missing_value(checked, code, others):
    found = checked(text({"score": [*others, code] * 15, "ill": ILL}))
    assert note(found, "number_codes").examples == (code,)
    assert note(found, "number_codes").counts["cells"] == 15
    assert code in found.settings["missing_values"]
    assert "missing_values" not in found.harmless  # that is for people to judge


@pytest.mark.parametrize(
    "values", [["1", "2", "3", "9"], ["-9", "-5", "0", "4"], ["7", "8", "9", "6"]]
)
def test_numbers_that_mean_themselves(checked, values):
    assert "number_codes" not in kinds(checked(text({"score": values * 15, "ill": ILL})))


def test_blanks_around_labels(checked):
    found = checked(text({"sex": [" m", "f", "m "] * 20, "ill": ILL}))
    assert note(found, "blanks").counts == {"states": 2, "cells": 40, "twins": 1}
    assert found.settings == {"trim": True}


def test_words_that_differ_only_in_case(checked):
    sex = ["Female", "female", "male "] * 20
    found = checked(text({"sex": sex, "site": ["North", "south", "NORTH", "South"] * 15}))
    assert note(found, "twin_words", "sex").examples == ("Female", "female")
    assert note(found, "twin_words", "sex").counts == {"values": 1, "cells": 40}
    assert note(found, "twin_words", "site").counts == {"values": 2, "cells": 60}
    assert found.settings == {"trim": True}  # which of them is right, people know
    assert 'upper and lower case: "Female", "female" (40 cells); if they' in str(found)
    assert 'upper and lower case: "NORTH", "North" and 1 more (60 cells); if they' in str(found)
    many = checked(text({f"q{i}": ["Yes", "yes", f"no {i}"] * 20 for i in range(8)}))
    assert '8 columns have states that differ only in upper and lower case: "q0" ("Yes"' in str(
        many
    )


def test_names_of_rows_are_not_compared_in_case(checked):
    names = [f"{letter}{i}" for i in range(30) for letter in "aA"]
    found = checked(text({"name": names, "ill": ILL}))
    assert "twin_words" not in kinds(found, "name")


def test_a_table_that_was_read_is_looked_at_for_case_too():
    data = ds.Data({"sex": ["Female", "female", "male"] * 20, "ill": ILL})
    (twins,) = [each for each in ds.check(data).notes if each.kind == "twin_words"]
    assert twins.counts == {"values": 1, "cells": 40}
    assert twins.level == "warning"


def test_numbers_spelled_in_two_ways(checked, tmp_path):
    found = checked(text({"kids": ["1", "1.0", "2"] * 20, "ill": ILL}))
    assert note(found, "twin_numbers").examples == ("1", "1.0")
    assert note(found, "twin_numbers").counts == {"values": 1, "cells": 40}
    found.write(tmp_path / "f.csv")
    assert ds.read_data(tmp_path / "f.csv").states["kids"] == ("1", "2")


def test_stray_text_among_numbers(checked):
    weights = [str(50 + 2 * i) for i in range(57)] + ["> 100", "70 kg", "?"]
    found = checked(text({"weight": weights, "ill": ILL}))
    assert kinds(found, "weight") == ["missing_words", "not_cut", "gaps"]
    assert note(found, "not_cut").examples == ("70 kg", "> 100")
    assert {"70 kg", "> 100", "?"} <= set(found.settings["missing_values"])
    assert ds.read_data(found.path, **found.settings).kinds["weight"] == "continuous"


def test_many_states_for_the_rows(checked):
    found = checked(text({"town": [f"town {i % 25}" for i in range(ROWS)], "ill": ILL}))
    assert note(found, "many_states").counts == {"states": 25, "rows": ROWS}


def test_near_copies(checked):
    other = ["female" if sex == "f" else "male" for sex in SEX]
    found = checked(text({"sex": SEX, "gender": ["female", *other[1:]], "ill": ILL, "ill2": ILL}))
    copies = {note.column: (note.how, note.counts["agree"]) for note in found.notes}
    assert copies == {"gender": ("sex", 59), "ill2": ("ill", 60)}
    assert found.settings["leave_out"] == ["ill2"]  # the other may mean something else


def test_rare_states_alone_make_no_copy(checked):
    one, other = ["no"] * 60, ["no"] * 60
    one[0:2], other[2:4] = ["yes", "yes"], ["yes", "yes"]
    assert not checked(text({"a": one, "b": other}))


def test_likert_items_with_gaps_stay_what_they_are(checked):
    found = checked(text({"q1": ["1", "2", "3", "4", "5", ""] * 10, "ill": ILL}))
    assert kinds(found) == ["gaps"]
    data = ds.read_data(found.path, **found.settings | {"missing": "keep"})
    assert data.states["q1"] == ("1", "2", "3", "4", "5")


def test_everything_at_once_in_one_command(checked):
    columns = {
        "id": [f"P{i}" for i in range(ROWS)],
        "bmi": ["22,5", "31,0", "18,25"] * 20,
        "sex": [" m", "f", "f"] * 20,
        "asked": ["yes", "no", "n/a"] * 20,
        "my site": ["A"] * ROWS,
    }
    found = checked(text(columns, ";"))
    assert found.command.startswith(
        f"dagscape learn {found.path} --separator ';' --decimal , --trim"
    )
    assert found.command.endswith("--na=n/a --leave-out id --leave-out 'my site' --missing state")
    assert set(found.harmless) == {"separator", "decimal", "trim", "missing_values"}


def test_a_frame_gets_a_call():
    asked = ["yes", "no", "n/a", "no"] * 15
    frame = pd.DataFrame({"sex": ["m ", "f", "f"] * 20, "asked": asked})
    found = ds.check(frame)
    assert found.call == 'ds.Data(frame, trim=True, missing_values=["n/a"], missing="keep")'
    assert found.command == ""
    assert eval(found.call, {"ds": ds, "frame": frame}).states["sex"] == ("f", "m")
    frame["id"] = [f"P{i}" for i in range(ROWS)]
    for table in (frame, pl.from_pandas(frame)):
        found = ds.check(table)
        assert "drop(" in found.call
        assert not found.refused
        assert eval(found.call, {"ds": ds, "frame": table}).names == ("sex", "asked")


def test_what_cannot_be_read_is_said(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1,2,3\n", "utf-8")
    found = ds.check(tmp_path / "t.csv")
    assert found
    assert "line 3 has 3 cells" in found.refused
    with pytest.raises(ds.DataError, match="line 3"):
        found.write(tmp_path / "u.csv")
    with pytest.raises(ds.DataError, match="there is no file"):
        ds.check(tmp_path / "v.csv")


def test_sentences_speak_of_options_where_there_are_some(checked):
    found = checked(text({"a": ["x", "y", "n/a"] * 20, "ill": ILL}, ";"))
    assert 'separator=";"' in found.sentences[0]
    with speaking_of({"separator": "--separator", "missing_values": "--na"}):
        assert "--separator ';'" in found.sentences[0]
        assert "--na" in found.sentences[1]


def test_notes_of_checks_travel(checked):
    for each in checked(text({"id": [f"P{i}" for i in range(ROWS)], "s": SEX}, ";")).notes:
        assert ds.Note.from_dict(each.to_dict()) == each == pickle.loads(pickle.dumps(each))
