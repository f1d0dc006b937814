"""Messy tables are read at once: what is plain is mended and told, and no row is lost."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import dagscape as ds
from dagscape.data.columns import Levels
from dagscape.data.first_sight import look_at
from dagscape.notes import sentences
from dagscape.speech import in_python
from growth import grows_faster

pytestmark = pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
ROWS = 60


def text(columns, separator=","):
    rows = zip(*columns.values(), strict=True)
    lines = [columns.keys(), *rows]
    return "".join(separator.join(map(str, cells)) + "\n" for cells in lines)


@pytest.fixture
def read(tmp_path):
    def read(columns, separator=",", **settings):
        path = tmp_path / "t.csv"
        path.write_text(columns if isinstance(columns, str) else text(columns, separator), "utf-8")
        return ds.read_data(path, strict=False, **settings)

    return read


def gaps(data, name):
    return int(data.to_polars()[name].null_count())


def said(data):
    return [each.words for each in sentences(data.notes, in_python)]


def told(data):
    return {(note.kind, note.column, note.how) for note in data.notes}


SEX = ["m", "f"] * (ROWS // 2)
ILL = ["yes", "no", "no"] * (ROWS // 3)
RNG = np.random.default_rng(0)
BP = [f"{value:.1f}" for value in RNG.normal(120, 10, ROWS)]


def test_identifiers_and_dates_are_left_out_and_told(read):
    days = [f"2024-{1 + i % 12}-{1 + i % 28}" for i in range(ROWS)]
    data = read({"id": [f"P{i}" for i in range(ROWS)], "seen": days, "sex": SEX, "bp": BP})
    assert data.names == ("sex", "bp")
    assert data.n_rows == ROWS
    assert {("left_out", "id", "identifier"), ("left_out", "seen", "dates")} <= told(data)
    assert any('left out: "id"' in words for words in data.warnings)


def test_one_that_repeats_is_offered_as_clusters(read):
    who = [f"P{i // 3:02}" for i in range(ROWS)] + [f"P{i // 3:02}" for i in range(60, 120)]
    data = read({"patient": who, "sex": SEX * 2, "ill": ILL * 2})
    assert ("left_out", "patient", "subjects") in told(data)
    (words,) = [said for said in data.warnings if "left out" in said]
    assert 'clusters="patient"' in words
    clustered = read({"patient": who, "sex": SEX * 2, "ill": ILL * 2}, clusters="patient")
    assert clustered.rows.clusters is not None
    assert not [note for note in clustered.notes if note.kind == "left_out"]


def test_words_blanks_and_gaps(read):
    holes = [*BP[:-4], "n/a", "?", "", "n/a"]
    sex = [f"{value} " if i % 7 == 0 else value for i, value in enumerate(SEX)]
    data = read({"sex": sex, "bp": holes, "ill": ILL})
    assert data.states["sex"] == ("f", "m")
    assert gaps(data, "bp") == 4
    assert data.kinds["bp"] == "continuous"
    assert {("words_for_gaps", "bp", ""), ("trimmed", "sex", "")} <= told(data)
    (note,) = [note for note in data.notes if note.kind == "words_for_gaps"]
    assert note.counts == {"cells": 3}


def test_a_word_that_may_be_an_answer_stays_one_among_states(read):
    smokes = ["yes", "no", "unknown"] * (ROWS // 3)
    data = read({"smokes": smokes, "sex": SEX, "bp": BP})
    assert data.states["smokes"] == ("no", "unknown", "yes")
    data = read({"sex": SEX, "bp": [*BP[:-1], "unknown"]})  # but no number
    assert gaps(data, "bp") == 1


def test_a_word_of_another_column_is_no_gap_there(read):
    grown = ["benign", "malignant", "not done"] * (ROWS // 3)
    data = read({"biopsy": grown, "bp": [*BP[:-2], "not done", "not done"], "sex": SEX})
    assert data.states["biopsy"] == ("benign", "malignant", "not done")
    assert ("left_out", "bp", "not_cut") in told(data)


@pytest.mark.slow
def test_a_word_among_more_numbers_than_there_can_be_states(read):
    many = [f"{i / 7:.4f}" for i in range(66_000)]
    many[::1000] = ["?"] * 66
    data = read({"x": many, "sex": ["m", "f"] * 33_000})
    assert data.names == ("x", "sex")
    assert gaps(data, "x") == 66
    assert ("read_as", None, "words") in told(data)
    assert any(words.startswith('"?" among very many numbers is a gap') for words in said(data))


@pytest.mark.slow
def test_many_values_take_time_by_their_number():
    def sized(n):
        labels = tuple(f"{i / 7:.4f}" for i in range(n))
        column = Levels("x", np.arange(n, dtype=np.uint32), labels, "cell")
        sex = Levels("sex", np.arange(n, dtype=np.uint8) % 2, ("m", "f"), "cell")
        return lambda: look_at([column, sex], {})

    assert not grows_faster(sized)


def test_semicolons_and_decimal_commas(read):
    data = read({"sex": SEX, "bp": [value.replace(".", ",") for value in BP], "ill": ILL}, ";")
    assert data.kinds["bp"] == "continuous"
    assert float(data.numbers["bp"][0]) == float(BP[0])
    assert {("read_as", None, "separator"), ("commas_read", "bp", "")} <= told(data)


def test_commas_that_may_group_thousands_are_not_guessed(read):
    cost = [f'"{1 + i},{100 + 7 * i}"' for i in range(ROWS)]
    data = read({"cost": cost, "sex": SEX, "ill": ILL})
    assert ("left_out", "cost", "decimal_commas") in told(data)


@pytest.mark.parametrize(("bounds", "low"), [(None, 0.15), ("limit", 0.3)])
def test_bounds_are_numbers_with_a_note(read, bounds, low):
    values = ["<0.3", ">9", "<=0.2", "n/a", *(f"{1 + i / 10:.1f}" for i in range(ROWS - 4))]
    given = {} if bounds is None else {"bounds": bounds}
    data = read({"crp": values, "sex": SEX, "ill": ILL}, **given)
    assert list(data.numbers["crp"][:3]) == [low, 9, 0.2]
    assert gaps(data, "crp") == 1
    assert ("bounds_read", "crp", bounds or "half") in told(data)


def test_a_first_column_without_a_name(read):
    rows = "".join(f"{i},{s},{b}\n" for i, (s, b) in enumerate(zip(SEX, BP, strict=True)))
    data = read(f",sex,bp\n{rows}")
    assert data.names == ("sex", "bp")
    assert {("read_as", None, "names"), ("left_out", "column_1", "identifier")} <= told(data)
    with pytest.raises(ds.DataError, match="column 2 has no name"):  # a title is no line of names
        read(f"Our clinic,,\n{rows}")


def test_what_is_given_stays(read):
    zips = [f"{10000 + 37 * i}" for i in range(ROWS)]
    data = read({"zip_id": zips, "sex": SEX}, kinds={"zip_id": "continuous"})
    assert data.names == ("zip_id", "sex")
    data = read({"sex": SEX, "bp": [*BP[:-1], "n/a"]}, missing="drop")
    assert data.n_rows == ROWS - 1


def test_frames_too():
    days = [datetime.datetime(2024, 1, 1, 8, 30) + datetime.timedelta(hours=i) for i in range(ROWS)]
    frame = {"uid": [f"u{i}" for i in range(ROWS)], "at": days, "sex": SEX, "ill": [*ILL[:-1], "?"]}
    data = ds.Data(frame, strict=False)
    assert data.names == ("sex", "ill")
    assert gaps(data, "ill") == 1
    assert ds.Data({"a": SEX, "b": ILL}, strict=False) == ds.Data({"a": SEX, "b": ILL})
    with pytest.raises(ds.DataError, match="holds dates or times"):
        ds.Data({"at": days, "sex": SEX})


def test_no_column_is_left():
    with pytest.raises(ds.DataError, match="no column is left to learn from: id seem"):
        ds.Data({"id": [f"u{i}" for i in range(ROWS)]}, strict=False)


def test_notes_have_words():
    frame = {"id": [f"u{i}" for i in range(ROWS)], "sex": SEX, "ill": ILL}
    with pytest.warns(ds.DataWarning, match='left out: "id"'):  # nothing is dropped in silence
        data = ds.Data(frame, strict=False)
    assert data.warnings == (
        'left out: "id" (it looks like an identifier, such as "u0", "u1", "u2")',
    )
    assert in_python("clusters", "id") == 'clusters="id"'


DATED = {
    "at": ["2024-01-31 07:30", "2024-02-01 19:00:00", "2024-03-05T00:15"] * 4,
    "born": ["31.12.1950", "1.2.1960", "28.02.1999"] * 4,
    "sex": ["m", "f"] * 6,
}


def test_dates_become_parts():
    data = ds.Data(DATED, dates={"at": "days+hour+weekday", "born": ["year", "month"]})
    assert data.names == ("at.days", "at.hour", "at.weekday", "born.year", "born.month", "sex")
    assert list(data.numbers["at.hour"][:3]) == [7.5, 19.0, 0.25]
    days = data.numbers["at.days"][:3]
    assert days == pytest.approx([7.5 / 24, 1 + 19 / 24, 34 + 0.25 / 24])
    assert data.states["at.weekday"] == ("Tue", "Wed", "Thu")
    assert data.states["born.month"] == ("Feb", "Dec")
    assert data.states["born.year"] == ("1950", "1960", "1999")
    assert ds.Data(DATED, dates="year").names == ("at.year", "born.year", "sex")


def test_gaps_among_dates_stay_gaps():
    at = [None, *DATED["at"][1:]]
    data = ds.Data({"at": at, "sex": DATED["sex"]}, dates="weekday+days", missing="keep")
    assert gaps(data, "at.weekday") == gaps(data, "at.days") == 1


def test_dates_that_cannot_be_read_get_a_sentence():
    for column, said in (
        (["1/2/2024", "3/4/2024"], "may be the day or the month"),
        (["13/2/2024", "2/13/2024"], "in some the day comes first"),
        (["2024-13-01", "2024-01-01"], '"2024-13-01", which is no date'),
        (["7:30", "8:45"], "without a date"),
        (["x", "2024-01-01"], "does not hold dates alone"),
    ):
        with pytest.raises(ds.DataError, match=said):
            ds.Data({"at": column * 6, "sex": SEX[:12]}, dates={"at": "days"})
    with pytest.raises(ds.ParameterError, match="dates must be a list of days, hour"):
        ds.Data(DATED, dates="decade")
    with pytest.raises(ds.ParameterError, match=r'dates names "att".*did you mean "at"'):
        ds.Data(DATED, dates={"att": "days"})
    assert ds.Data(
        {"at": ["1/2/2024", "31/4/2024"][:1] + ["13/4/2024"] * 11, "sex": SEX[:12]}, dates="month"
    ).states["at.month"] == ("Feb", "Apr")
