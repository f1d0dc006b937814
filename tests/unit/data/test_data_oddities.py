"""What a table says of itself, and of what a text file would not give back."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from dagscape import Data, DataError, ParameterError, read_data
from dagscape.data.labels import spells_dates, spells_decimal_commas
from drawn import drawn

LABELS = st.sampled_from(["NA", "", "1.5", "2.5", "1", "02", "a", " x ", "inf", "1e5", "?", "nan"])


@pytest.mark.parametrize(
    ("labels", "dates"),
    [
        (["2024-01-31", "2024-2-1"], True),
        (["31.12.2024", "1.1.24"], True),
        (["12/31/2024 23:59", "1/2/2024"], True),
        (["2024-01-31T10:00:00Z"], True),
        (["9:30", "23:59:59"], True),
        (["2024-01-31", "never"], False),
        (["12-18", "19-30"], False),
        (["2024", "2025"], False),
        (["1.5", "2.5"], False),
        ([], False),
    ],
)
def test_dates_are_known_by_sight(labels, dates):
    assert spells_dates(labels) is dates


def test_decimal_commas_are_known_by_sight():
    assert spells_decimal_commas(["1,5", "2", "-3,25"])
    assert not spells_decimal_commas(["1", "2"])
    assert not spells_decimal_commas(["1,5", "a"])
    assert not spells_decimal_commas(["(1,5]"])


@pytest.mark.slow
@drawn(cells=st.lists(LABELS, min_size=4, max_size=8).map(lambda c: [*c, *c]), usual=60, long=200)
def test_what_is_said_to_be_lost_as_text_is_lost_and_nothing_else(tmp_path_factory, cells):
    rows = len(cells)
    data = Data({"x": cells, "y": ["u", "v"] * (rows // 2)})
    path = tmp_path_factory.mktemp("text") / "t.csv"
    data.write(path)
    try:
        kept = read_data(path).states == data.states and read_data(path) == data
    except DataError:
        kept = False
    assert bool(data.lost_as_text) is not kept


@pytest.mark.slow
def test_columns_can_be_left_out(tmp_path):
    data = Data({"id": [0, 1, 0, 1], "a": list("xyxy"), "b": list("uuvv")})
    for name in ("t.csv", "t.parquet"):
        data.write(tmp_path / name)
        assert read_data(tmp_path / name, leave_out=["id"]) == data.select(["a", "b"])
        wanted = read_data(tmp_path / name, columns=["b", "id"], leave_out=["id"])
        assert wanted == data.select(["b"])
        with pytest.raises(ParameterError, match=r'leave_out names "idd".* did you mean "id"\?'):
            read_data(tmp_path / name, leave_out=["idd"])
        with pytest.raises(ParameterError, match="leave_out names every column"):
            read_data(tmp_path / name, leave_out=["id", "a", "b"])
        with pytest.raises(ParameterError, match="leave_out must be a list of names, got 'id'"):
            read_data(tmp_path / name, leave_out="id")


def test_an_identifier_can_be_left_out_before_it_is_looked_at(tmp_path):
    (tmp_path / "t.csv").write_text("id,a\n" + "".join(f"P{i},{i % 2}\n" for i in range(9)))
    with pytest.raises(DataError, match='column "id" has 9 states in 9 rows'):
        read_data(tmp_path / "t.csv")
    assert read_data(tmp_path / "t.csv", leave_out=["id"]).names == ("a",)


def test_a_name_with_blanks_is_no_separator(tmp_path):
    (tmp_path / "t.csv").write_text("how are you\nfine\nbad\nfine\nfine\n")
    assert read_data(tmp_path / "t.csv").names == ("how are you",)
    (tmp_path / "t.csv").write_text("a b\nx y\nx z\n")
    with pytest.raises(DataError, match='separated by blanks: give separator=" "'):
        read_data(tmp_path / "t.csv")
    assert read_data(tmp_path / "t.csv", separator=" ").names == ("a", "b")


def test_many_columns_of_one_state_are_one_sentence():
    columns = {f"c{i}": ["k"] * 12 for i in range(7)}
    warnings = Data({"a": [0, 1] * 6, **columns}).warnings
    assert warnings == (
        '7 columns have only one state: "c0", "c1", "c2", "c3", "c4" and 2 more; '
        "they cannot depend on anything",
    )
