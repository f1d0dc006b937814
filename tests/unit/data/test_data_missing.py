"""What happens to values that are not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dagscape.data import Data, read_data
from dagscape.errors import DataError

pytestmark = pytest.mark.filterwarnings("ignore::dagscape.DataWarning")  # small tables lose much

CELLS = ["b", None, "a", "b", None, "c", "a"]
FRAMES = [
    {"x": CELLS},
    {"x": ["b", float("nan"), "a", "b", pd.NA, "c", "a"]},
    {"x": np.ma.masked_equal(["b", "?", "a", "b", "?", "c", "a"], "?")},
    pd.DataFrame({"x": CELLS}),
    pd.DataFrame({"x": pd.Series(CELLS, dtype=object)}),
    pl.DataFrame({"x": CELLS}),
    pl.DataFrame({"x": CELLS}).cast(pl.Categorical),
    pa.table({"x": CELLS}),
]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__module__)
def test_policies(frame: object) -> None:
    with pytest.raises(
        DataError, match=r'column "x" has 2 missing values; choose missing="drop", "'
    ):
        Data(frame)
    states = {"x": ("a", "b", "c")}
    dropped = Data(frame, missing="drop", states={"x": ["a", "b", "c"]})
    assert dropped.codes[:, 0].tolist() == [1, 0, 1, 2, 0]
    mode = Data(frame, missing="mode")
    assert mode.states == states
    assert mode.codes[:, 0].tolist() == [1, 0, 0, 1, 0, 2, 0]  # a and b tie: the first state
    kept = Data(frame, missing="state")
    assert kept.states == {"x": ("a", "b", "c", "missing")}
    assert kept.codes[:, 0].tolist() == [1, 3, 0, 1, 3, 2, 0]


def test_only_what_numbers_can_take_is_offered_for_their_gaps() -> None:
    table = {"x": [0.51, 1.52, None, 2.53, 3.55], "s": ["a", "b", "a", None, "b"]}
    with pytest.raises(DataError) as told:
        Data(table)
    words = 'choose missing="drop", "mode" or "random"; or missing="keep", to learn with ds.learn'
    assert words in str(told.value)
    with pytest.raises(DataError, match='"state"; or missing="keep"'):
        Data(table, discretize={"x": ("quantile", 2)})


@pytest.mark.parametrize(
    "column",
    [
        [1, None, 0, 1],
        pd.Series([1, None, 0, 1], dtype="Int64"),
        pl.Series([1, None, 0, 1]),
        pa.chunked_array([[1, None, 0, 1]]),
        pl.Series(["1", None, "0", "1"], dtype=pl.Enum(["0", "1"])),
        pd.Series(pd.Categorical([1, None, 0, 1])),
        pa.chunked_array([pa.array(["1", None, "0", "1"]).dictionary_encode()]),
    ],
)
def test_nulls_of_every_type(column: object) -> None:
    data = Data({"x": column}, missing="state", states={"x": [0, 1]})
    assert data.states == {"x": ("0", "1", "missing")}
    assert data.codes[:, 0].tolist() == [1, 2, 0, 1]


def test_null_booleans() -> None:
    cells = [True, None, False]
    for column in (cells, pd.Series(cells, dtype="boolean"), pl.Series(cells)):
        data = Data({"x": column}, missing="state")
        assert data.states == {"x": ("False", "True", "missing")}
        assert data.codes[:, 0].tolist() == [1, 2, 0]


def test_error_counts_columns() -> None:
    with pytest.raises(DataError, match=r'"x" has 1 missing value \(and 2 other columns too\);'):
        Data({"w": [1, 2], "x": [1, None], "y": [None, "a"], "z": [None, True]})


def test_drop_comes_first() -> None:
    frame = {"x": ["a", "b", "only", "a", "b"], "f": [1.0, 2.0, None, 4.0, 9.0]}
    complete = {"x": ["a", "b", "a", "b"], "f": [1.0, 2.0, 4.0, 9.0]}
    dropped = Data(frame, discretize="mean", missing="drop")
    assert dropped == Data(complete, discretize="mean")
    assert dropped.states["x"] == ("a", "b")
    with pytest.raises(DataError, match=r'every row has a missing value.*most are in column "y"'):
        Data({"x": [1, None, 2], "y": [None, "a", None]}, missing="drop")


def test_random_draws_from_the_column() -> None:
    cells = [None if i % 2 else "abbb"[i // 2 % 4] for i in range(4000)]
    data = Data({"x": cells}, missing="random", seed=1)
    assert data == Data({"x": cells}, missing="random", seed=1)
    assert data != Data({"x": cells}, missing="random", seed=2)
    drawn = data.codes[1::2, 0]
    assert (data.codes[::2, 0] == [int(cell == "b") for cell in cells[::2]]).all()
    assert 0.70 < drawn.mean() < 0.80  # three quarters of the observed values are b


def test_random_ignores_other_columns_and_their_order() -> None:
    x = [None if i % 3 == 0 else i % 2 for i in range(60)]
    y = [None if i % 4 == 0 else "abc"[i % 3] for i in range(60)]
    alone = Data({"x": x}, missing="random", seed=5)
    one = Data({"x": x, "y": y}, missing="random", seed=5)
    other = Data({"y": y, "x": x}, missing="random", seed=5)
    assert one == other
    assert one.select(["x"]) == alone
    twins = Data({"x": x, "z": x}, missing="random", seed=5)
    assert twins.codes[:, 0].tolist() != twins.codes[:, 1].tolist()


def test_name_of_the_missing_state_is_free() -> None:
    data = Data({"x": ["missing", "missing_1", None, "missing"]}, missing="state")
    assert data.states == {"x": ("missing", "missing_1", "missing_2")}


def test_columns_without_any_value() -> None:
    frames = [{"x": [None, None]}, pl.DataFrame({"x": [None, None]}), {"x": [np.nan, None]}]
    for frame in frames:
        for policy in ("mode", "random"):
            with pytest.raises(DataError, match=r'column "x" has no values at all; leave it out'):
                Data(frame, missing=policy)
        assert Data(frame, missing="state").states == {"x": ("missing",)}
    with pytest.raises(DataError, match=r"no values at all"):
        Data({"x": np.array([np.nan, np.nan])}, missing="mode", discretize="mean")


@pytest.mark.slow
def test_a_full_set_of_states_has_no_room_for_missing() -> None:
    cells: list[int | None] = [*range(65_536), None]
    full = [str(number) for number in range(65_536)]
    with pytest.raises(DataError, match=r'column "x" has at least 65,537 states'):
        Data({"x": cells}, missing="state", states={"x": full})
    data = Data({"x": cells}, missing="mode", states={"x": full})
    assert data.codes.dtype == np.uint16
    assert data.codes[:, 0].tolist() == [*range(65_536), 0]


def test_marks_in_text_files(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('x,y\n,1\nNA,1\nN/A,1\nNaN,1\nnan,1\nNULL,1\n"null",1\na,2\n?,2\nNone,2\n')
    with pytest.raises(DataError, match=r'in "t.csv": column "x" has 7 missing values; choose'):
        read_data(path)
    data = read_data(path, missing="state")
    assert data.states["x"] == ("?", "None", "a", "missing")
    asked = read_data(path, missing="drop", missing_values=["?", "1"])
    assert asked.states == {"x": ("None", "a"), "y": ("2",)}
    assert asked.codes.tolist() == [[1, 0], [0, 0]]
    assert "" in read_data(path, missing_values=(), states={"x": [*_cells(path)]}).states["x"]


def _cells(path: Path) -> dict[str, None]:
    rows = path.read_text().splitlines()[1:]
    return dict.fromkeys(row.split(",")[0].strip('"') for row in rows)
