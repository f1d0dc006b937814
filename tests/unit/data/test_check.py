"""``ds.check``: every kind of problem on a messy table, and a call that reads it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagscape as ds
from dagscape.data import MISSING_VALUES, Check
from dagscape.notes import Note
from dagscape.speech import speaking_of

ROWS = 60
SEX = ["m", "f", "f"] * 20
ILL = ["yes", "no", "no", "no"] * 15


def kinds(found: Check, column: str | None = None) -> list[str]:
    return [note.kind for note in found.notes if column is None or note.column == column]


def note(found: Check, kind: str, column: str | None = None) -> Note:
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

    def run(content: str, name: str = "t.csv") -> Check:
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
    assert set(found.settings["missing_values"]) - set(MISSING_VALUES) == {"n/a", ".", "unknown"}
    assert found.settings["missing"] == "keep"
    assert sum(note.counts["cells"] for note in found.notes if note.kind == "gaps") == 40


def test_gaps_are_kept_beside_numbers_too(checked):
    states = {"a": ["", *SEX[1:]], "ill": ILL}
    assert checked(text(states)).settings == {"missing": "keep"}
    numbers = {"x": [f"{0.37 * i * i:.2f}" for i in range(len(SEX))]}
    assert checked(text(states | numbers)).settings == {"missing": "keep"}
    numbers["x"][3] = ""
    assert checked(text(states | numbers)).settings == {"missing": "keep"}


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
    weights = [str(50 + 2 * i) for i in range(57)] + ["lost", "spilled", "?"]
    found = checked(text({"weight": weights, "ill": ILL}))
    assert kinds(found, "weight") == ["missing_words", "not_cut", "gaps"]
    assert note(found, "not_cut").examples == ("lost", "spilled")
    assert {"lost", "spilled", "?"} <= set(found.settings["missing_values"])
    assert ds.read_data(found.path, **found.settings).kinds["weight"] == "continuous"


@pytest.mark.parametrize("value", ["<0.3", "> 100", "70 kg", "none", "1,5 or so"])
def test_text_among_numbers_that_has_a_value_is_not_called_missing(checked, value):
    crp = [f"{0.3 + 0.07 * i:.2f}" for i in range(57)] + [value] * 3
    found = checked(text({"crp": [f'"{cell}"' for cell in crp], "sex": SEX, "ill": ILL}))
    assert note(found, "not_cut").examples == (value,)
    assert found.settings == {"leave_out": ["crp"]}
    assert found.changes == 'leaves out "crp"'
    if value == "<0.3":
        assert '"<0.3" is not missing: write a plain number in its place, the bound' in str(found)
    with pytest.raises(ds.DataError, match="numbers in 57 cells and other values in 3"):
        ds.read_data(found.path, kinds={"crp": "continuous"})


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
    assert found.command.endswith("--na=n/a --leave-out id --leave-out 'my site' --missing keep")
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
        assert found.settings["leave_out"] == ["id"]
        assert ds.Data(table, **found.settings).names == ("sex", "asked")
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
        assert Note.from_dict(each.to_dict()) == each == pickle.loads(pickle.dumps(each))


@pytest.mark.slow
def test_timestamps_of_a_parquet_file_are_named_and_left_out(tmp_path):
    seen = pd.date_range("2024-01-01", periods=ROWS, freq="h")
    frame = pd.DataFrame({"seen": seen, "sex": SEX, "ill": ILL})
    frame.to_parquet(tmp_path / "t.parquet")
    for table in (tmp_path / "t.parquet", frame, pl.from_pandas(frame)):
        found = ds.check(table)
        assert (found.rows, found.columns) == (ROWS, 3)
        assert kinds(found) == ["dates"]
        assert found.left_out == ("seen",)
        assert eval(found.call, {"ds": ds, "frame": table}).names == ("sex", "ill")


def test_whole_numbers_that_name_rows_are_no_measurements(checked):
    users = [str(10_000 + 317 * i) for i in range(ROWS)]
    found = checked(text({"user_id": users, "price": users, "ill": ILL}))
    assert found.settings["leave_out"] == ["user_id"]
    assert kinds(found, "user_id") == ["identifier"]
    counted = {"row": np.arange(ROWS) + 1.0, "rank": np.arange(ROWS)[::-1] + 0.5, "ill": ILL}
    assert ds.check(counted).left_out == ("row",)
    data = ds.Data({"UserID": [float(user) for user in users], "ill": ILL})
    assert ds.check(data).settings == {"leave_out": ["UserID"]}


@pytest.mark.parametrize("name", ["patient", "PatientNr", "subject_id", "Pat.Nr.", "id_client"])
def test_an_identifier_that_repeats_is_left_out(checked, name):
    visits = [f"P{i:02}" for i in range(60) for _ in range(6)]
    found = checked(text({name: visits, "sex": SEX * 6, "ill": ILL * 6}))
    assert note(found, "identifier").counts == {"states": 60, "rows": 360}
    assert found.settings == {"leave_out": [name]}
    assert "it names whom or what a row is about" in str(found)
    assert "merge" not in str(found)
    whole = checked(text({name: [each[1:] for each in visits], "sex": SEX * 6}))
    assert whole.settings == {"leave_out": [name]}


@pytest.mark.parametrize("name", ["patient_age", "covid", "number_of_visits", "town", "fluid"])
def test_other_names_name_no_rows(checked, name):
    ages = [str(20 + i) for i in range(60) for _ in range(6)]
    assert not checked(text({name: ages, "sex": SEX * 6})).left_out


def test_zeros_in_front_make_codes_of_whole_numbers(checked):
    codes = [f"{137 * i:05}" for i in range(ROWS)]
    assert checked(text({"zip": codes, "ill": ILL})).left_out == ("zip",)
    assert not checked(text({"x": [f"{i / 10:.1f}" for i in range(ROWS)], "ill": ILL})).left_out
    whole = [f"{each}.0" for each in (0, 7, 3, 2, 9, 5)]
    assert not checked(text({"x": whole, "ill": ILL[:6]})).left_out


def test_few_whole_numbers_that_happen_to_follow_each_other_are_values(checked):
    assert not checked(text({"x": list("352461"), "ill": ILL[:6]})).left_out


def test_a_mixture_of_numbers_and_words_is_no_identifier(checked):
    cells = [f"{i / 7:.3f}" if i % 3 else ["good", "bad"][i % 2] for i in range(ROWS)]
    found = checked(text({"mark": cells, "sex": SEX, "ill": ILL}))
    assert kinds(found, "mark") == ["not_cut"]
    assert note(found, "not_cut").counts == {"numbers": 40, "others": 20, "states": 42}
    assert found.settings == {"leave_out": ["mark"]}


def test_a_column_of_very_many_states_is_named_and_left_out(checked):
    rows = 9_000
    towns = [f"town {i % 250}" for i in range(rows)]
    found = checked(text({"town": towns, "sex": SEX * 150, "ill": ILL * 150}))
    assert note(found, "many_states").counts == {"states": 250, "rows": rows}
    assert found.settings == {"leave_out": ["town"]}


@pytest.mark.slow
def test_a_column_of_more_states_than_there_can_be(tmp_path):
    rows = 65_600
    ids = [f"x{i}" for i in range(rows)]
    frame = pl.DataFrame({"id": ids, "n": range(0, 7 * rows, 7), "sex": (SEX * rows)[:rows]})
    frame.write_csv(tmp_path / "t.csv")
    found = ds.check(tmp_path / "t.csv")
    assert (found.rows, found.columns, found.left_out) == (rows, 3, ("id",))
    assert 'column "id" has more than 65,536 different values' in str(found)
    found.write(tmp_path / "u.csv")
    assert pl.read_csv(tmp_path / "u.csv").equals(frame.drop("id"))
    big = frame.select(n=pl.col("n").cast(pl.Int64) + 2**60)
    big.write_csv(tmp_path / "v.csv")
    with pytest.raises(ds.DataError, match="too large to be copied exactly"):
        ds.check(tmp_path / "v.csv").write(tmp_path / "w.csv")


def test_commas_that_may_group_thousands_are_not_read_as_decimals(checked):
    pay = [f'"{1 + i},{100 + i}"' for i in range(ROWS)]
    found = checked(text({"pay": pay, "sex": SEX, "ill": ILL}))
    assert note(found, "decimal_commas").how == "thousands"
    assert found.settings == {"leave_out": ["pay"]}
    assert "where these group thousands, write the numbers without them" in str(found)
    sure = checked(text({"pay": pay, "bmi": ['"22,5"', '"31,0"', '"18,25"'] * 20, "sex": SEX}))
    assert sure.settings == {"decimal": ","}


def test_a_code_is_no_gap_where_another_column_has_it_as_a_value(checked):
    item = ["1", "2", "3", "-9"] * 15
    cold = [str(i % 40 - 20) for i in range(ROWS)]
    assert checked(text({"item": item, "ill": ILL})).settings["missing_values"][-1] == "-9"
    found = checked(text({"item": item, "cold": cold, "ill": ILL}))
    assert kinds(found, "item") == ["number_codes"]
    assert found.settings == {}


def test_a_number_far_off_is_no_code_unless_it_repeats(checked):
    cells = [str(i % 20) for i in range(ROWS - 1)]
    once = checked(text({"n": [*cells, "99"], "ill": ILL}))
    assert kinds(once, "n") == ["number_codes"]
    assert once.settings == {}
    assert ds.check(ds.Data({"n": [*map(int, cells), 99], "ill": ILL})).settings == {}


def test_infinite_numbers(checked):
    cells = [f"{i / 7:.3f}" for i in range(ROWS - 2)]
    found = checked(text({"x": [*cells, "inf", "-Inf"], "sex": SEX, "ill": ILL}))
    assert note(found, "infinite").counts == {"cells": 2}
    assert found.settings == {"leave_out": ["x"]}
    numbers = {"x": [*map(float, cells), float("inf"), -float("inf")], "sex": SEX}
    assert ds.check(numbers).left_out == ("x",)


def test_numbers_that_are_strings_of_a_frame():
    frame = {"x": [f"{i / 7:.3f}" for i in range(ROWS)], "sex": SEX}
    found = ds.check(frame)
    assert found.call == 'ds.Data(frame, kinds={"x": "continuous"})'
    assert eval(found.call, {"ds": ds, "frame": frame}).kinds["x"] == "continuous"


def test_columns_without_a_name_of_their_own(tmp_path):
    rows = "".join(f"{i},{sex},{ill}\n" for i, (sex, ill) in enumerate(zip(SEX, ILL, strict=True)))
    (tmp_path / "t.csv").write_text('"",a,a\n' + rows, "utf-8")
    found = ds.check(tmp_path / "t.csv")
    assert note(found, "renamed").examples == ("column_1", "a_2")
    assert kinds(found, "column_1") == ["identifier"]
    assert found.command == f"dagscape check {tmp_path / 't.csv'} --fix"
    eval(found.call, {"ds": ds})
    copy = ds.check(found.copy)
    assert copy.settings == {"leave_out": ["column_1"]}
    frame = pd.DataFrame([[*each] for each in zip(SEX, ILL, range(ROWS), strict=True)])
    frame.columns = pd.Index(["a", "a", None])
    same = ds.check(frame)
    assert eval(same.call, {"ds": ds, "frame": frame}).names == ("a", "a_2")


def test_what_cannot_be_used_at_all_gets_no_command(tmp_path):
    for nothing in ({}, pd.DataFrame(), pl.DataFrame(), np.zeros((3, 0))):
        assert ds.check(nothing).refused == "the table has no columns"
    assert ds.check({"x": []}).refused == "the table has no rows"
    only = ds.check({"id": [f"P{i}" for i in range(ROWS)]})
    assert only.refused == "no column is left to learn from"
    assert only.call == ""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n1,2,3\n", "utf-8")
    found = ds.check(tmp_path / "t.csv")
    assert (found.command, found.call) == ("", "")
    assert str(found).startswith("the table cannot be read:\n")
    assert str(found).endswith("mend this first, and check the table again")


def test_text_of_any_ending(checked, tmp_path):
    found = checked(text({"sex": SEX, "ill": ILL}, "|"), "answers.export")
    assert found.settings == {"separator": "|"}
    for name in ("t.xlsx", "t.sav", "t.bif"):
        (tmp_path / name).write_bytes(b"x\n")
        assert f'"{name}"' in ds.check(tmp_path / name).refused
        assert ds.check(tmp_path / name).command == ""


def test_unknown_is_left_to_people_when_a_copy_is_written(checked, tmp_path):
    found = checked(text({"a": ["x", "y", "unknown", "n/a"] * 15, "ill": ILL}))
    found.write(tmp_path / "u.csv")
    cells = pl.read_csv(tmp_path / "u.csv")["a"].to_list()
    assert cells[:4] == ["x", "y", "unknown", None]


def test_what_the_call_does_is_said(checked):
    columns = {"id": [f"P{i}" for i in range(ROWS)], "sex": SEX, "x": ["n/a", *"1234" * 14, *"123"],
               "y": [f"{i / 7:.3f}" for i in range(ROWS)], "site": ["A"] * ROWS}  # fmt: skip
    found = checked(text(columns))
    assert found.changes == (
        'leaves out "id" and "site"; takes "n/a" for a missing value; keeps gaps as they are'
    )
    assert str(found).endswith(f"this call {found.changes}:\n{found.call}")
    with speaking_of({"missing_values": "--na"}):
        assert str(found).endswith(f"this command {found.changes}:\n{found.command}")


def test_a_mended_copy_says_the_same_of_zero(checked, tmp_path):
    cells = ["0.0", "-0.0", "1.0", "+1.0", "-1.0"]
    found = checked("t,u\n" + "".join(f"{cells[i % 5]},{'ab'[i % 2]}\n" for i in range(40)))
    found.write(tmp_path / "mended.csv")
    assert ds.read_data(tmp_path / "mended.csv").states["t"] == ("-1", "0", "1")


def test_many_columns_of_numbers_are_told_by_what_is_beside_them():
    numbers = [f"{i / 7:.3f}" for i in range(60)]
    table = {f"text {i}": numbers for i in range(6)}
    table |= {f"bound {i}": ["<0.3", *numbers[1:]] for i in range(6)}
    table |= {f"word {i}": ["spilled", *numbers[1:]] for i in range(6)}
    said = ds.check({"ab": ["a", "b", "b"] * 20, **table}).sentences
    (text,) = (line for line in said if line.startswith("12 columns hold numbers written as text"))
    assert "missing" not in text
    bound, word = (line for line in said if line.startswith("6 columns have numbers and other"))
    assert "the bound itself or another that you choose; or have bounds read as numbers" in bound
    assert "mean that the number is missing" in word


def test_what_is_wrong_with_a_column_is_said_once():
    found = ds.check({"share": [f"{i}%" for i in range(60)], "ab": ["a", "b", "b"] * 20})
    assert [note.kind for note in found.notes if note.column == "share"] == ["not_cut"]
    alone = ds.check({"share": [f"{i}%" for i in range(60)]})
    assert [note.kind for note in alone.notes if note.column == "share"] == ["not_cut"]


def test_whole_numbers_that_are_too_long_to_be_numbers_stay_apart():
    long, ab = [2**62 + i for i in range(60)], ["a", "b", "b"] * 20
    same = ds.check({"ab": ab, "kind": [long[i % 3] for i in range(60)]})
    assert not same.notes
    rows = ds.check({"ab": ab, "row": long[::-1]})
    assert [(note.kind, note.column) for note in rows.notes] == [("identifier", "row")]
    assert rows.notes[0].counts["states"] == 60
    with pytest.raises(ds.DataError, match="60 states in 60 rows"):
        ds.Data({"ab": ab, "row": long[::-1]})
    many = np.arange(66_000) + 2**62
    (note,) = ds.check({"ab": ab * 1_100, "row": many}).notes
    assert (note.kind, note.column) == ("unreadable", "row")


def test_amounts_with_grouped_thousands_are_numbers_in_text():
    found = ds.check({"ab": ["a", "b", "b"] * 20, "cost": [f"€{1000.5 + i:,}" for i in range(60)]})
    assert [note.kind for note in found.notes] == ["not_cut"]


@pytest.mark.parametrize("looked_at", [1, 7, 64, 100])
def test_a_line_of_names_is_read_to_its_end_however_long_it_is(checked, monkeypatch, looked_at):
    monkeypatch.setattr("dagscape.data.sniff.LOOKED_AT", looked_at)
    columns = {f"column {i}": [SEX, ILL][i % 2] for i in range(20)}
    for end in ("\n", "\r\n", "\r"):
        for mark in (",", ";"):
            found = checked(text(columns, mark).replace("\n", end))
            assert (found.columns, found.rows) == (20, ROWS), (end, mark)


def test_codes_of_decimal_numbers_are_named_and_obeyed(tmp_path):
    """As columns of decimal numbers are written; whoever names them may leave out the zeros."""
    cells = ["-999.0" if i % 10 == 0 else f"{i % 7 * 1.1:.2f}" for i in range(60)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a,b", *(f"{i * 1.5},{cell}" for i, cell in enumerate(cells))]))
    found = ds.check(path)
    assert found.settings["missing_values"][-1] == "-999.0"
    assert "number_codes" in {note.kind for note in found.notes}
    for word in ("-999", "-999.0", "-999.00"):
        data = ds.read_data(path, missing_values=[word], missing="keep")
        assert int(data.missing.mask.sum()) == 6, word
    states = ds.Data({"a": ["9.0", "1.0", "09", "9"] * 5}, missing_values=["9"], missing="keep")
    assert states.states["a"] == ("1.0", "09")


def test_bounds_among_decimal_commas_are_told(tmp_path):
    path = tmp_path / "t.csv"
    for most in (99, 40):  # so many values that each is rare, and not
        numbers = (f"{i % most * 1.5 + 0.25}".replace(".", ",") for i in range(160))
        cells = ("<0,3" if i % 5 == 0 else number for i, number in enumerate(numbers))
        path.write_text("\n".join(["a;b", *(f"{x};{'xy'[i % 2]}" for i, x in enumerate(cells))]))
        found = ds.check(path)
        assert [note.kind for note in found.notes if note.column == "a"] == ["not_cut"], most
        assert "the bound itself" in str(found)


def test_numbers_with_a_unit_are_told():
    for most in (30, 85, 240):
        shares = [f"{i % most}%" for i in range(240)]
        found = ds.check(pd.DataFrame({"share": shares, "kind": list("abcd") * 60}))
        assert [note.kind for note in found.notes] == ["not_cut"], most
        assert ("share" in found.left_out) == (most == 240)
