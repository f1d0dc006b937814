"""The Data object itself."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from dagscape import _core
from dagscape.data import Data, read_data
from dagscape.errors import DataError, ParameterError


@pytest.fixture
def data() -> Data:
    return Data({"b": ["x", "y", "x", "z", "z", "x"], "a": [0, 1, 1, 0, 0, 0], "c": ["k"] * 6})


def test_what_it_says(data: Data) -> None:
    assert data.names == ("b", "a", "c")
    assert data.states == {"b": ("x", "y", "z"), "a": ("0", "1"), "c": ("k",)}
    assert data.arities == {"b": 3, "a": 2, "c": 1}
    assert list(data.states) == list(data.arities) == ["b", "a", "c"]
    assert (data.n_rows, data.n_variables) == (6, 3)
    assert data.variables.in_engine_order() == ("a", "b", "c")
    assert data.warnings[-1] == 'column "c" has only one state, "k"; it cannot depend on anything'
    assert repr(data) == "Data: 6 rows, 3 variables of 1 to 3 states\n  b, a, c"
    assert repr(data.select(["a"])) == "Data: 6 rows, 1 variable of 2 states\n  a"


def test_codes(data: Data) -> None:
    assert data.codes.tolist() == [[0, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 0, 0], [0, 0, 0]]
    assert data.codes.dtype == np.uint8
    assert data.codes.flags.f_contiguous
    states = {"x": "discrete"}
    assert Data({"x": [*range(256)] * 2}, kinds=states).codes.dtype == np.uint8
    assert Data({"x": [*range(257)] * 2}, kinds=states).codes.dtype == np.uint16


def test_nothing_can_be_changed(data: Data) -> None:
    for table in (
        data,
        data.head(2),
        data.select(["a", "b"]),
        Data.from_codes(np.array([[0]]), {"x": ["k"]}),
    ):
        with pytest.raises(ValueError, match="read-only"):
            table.codes[0, 0] = 1
    with pytest.raises(TypeError):
        data.states["b"] = ("x",)  # type: ignore[index]
    with pytest.raises(TypeError):
        data.arities["b"] = 7  # type: ignore[index]
    with pytest.raises(AttributeError):
        data.names = ("x",)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        data.other = 1  # type: ignore[attr-defined]


def test_the_callers_array_is_left_alone() -> None:
    array = np.asfortranarray(np.array([[0, 1], [1, 0]], dtype=np.uint8))
    data = Data.from_codes(array, {"x": ["a", "b"], "y": ["a", "b"]})
    array[0, 0] = 1
    assert data.codes.tolist() == [[0, 1], [1, 0]]


def test_table_is_in_the_engines_order(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def table(columns: list[np.ndarray], arities: list[int], _weights: None) -> object:
        seen.append(([column.tolist() for column in columns], arities))
        return object()

    monkeypatch.setattr(_core, "Table", table)
    assert data._engine_table is data._engine_table
    assert seen == [([[0, 1, 1, 0, 0, 0], [0, 1, 0, 2, 2, 0], [0] * 6], [2, 3, 1])]


def test_the_engine_takes_the_table(data: Data) -> None:
    assert (data._engine_table.rows, data._engine_table.variables) == (6, 3)
    wide = Data({"x": [*range(300)] * 2, "y": [0, 1] * 300}, kinds={"x": "discrete"})
    assert (wide._engine_table.rows, wide._engine_table.variables) == (600, 2)


def test_select(data: Data) -> None:
    chosen = data.select(["c", "b"])
    assert chosen.names == ("c", "b")
    assert chosen.states == {"c": ("k",), "b": ("x", "y", "z")}
    assert chosen.codes[:, 1].tolist() == data.codes[:, 0].tolist()
    assert chosen.codes.flags.f_contiguous
    assert data.select(["a", "b", "c"]) == data
    mixed = Data({"x": [*range(300)] * 2, "y": [0, 1] * 300})
    assert mixed.select(["y"]) == Data({"y": [0, 1] * 300})
    with pytest.raises(ParameterError, match='unknown variable "q"'):
        data.select(["a", "q"])
    with pytest.raises(ParameterError, match='"a" is given to more than one'):
        data.select(["a", "a"])
    for wrong in ("a", []):
        with pytest.raises(ParameterError, match="names must be a list of at least one name"):
            data.select(wrong)


def test_head(data: Data) -> None:
    top = data.head(2)
    assert top.codes.tolist() == data.codes[:2].tolist()
    assert top.states == data.states
    assert data.head().n_rows == 5
    assert data.head(100) == data
    for wrong in (0, 2.5, True):
        with pytest.raises(ParameterError, match="n must be an integer of 1 or more"):
            data.head(wrong)  # type: ignore[arg-type]


def test_from_codes() -> None:
    data = Data.from_codes(np.array([[0, 2], [1, 0]]), {"y": ["lo", "hi"], "x": [10, 20, 30, 40]})
    assert data.names == ("y", "x")
    assert data.states == {"y": ("lo", "hi"), "x": ("10", "20", "30", "40")}
    assert data.codes.tolist() == [[0, 2], [1, 0]]
    assert data == Data(
        {"y": ["lo", "hi"], "x": [30, 10]},
        states={"y": ["lo", "hi"], "x": ["10", "20", "30", "40"]},
    )


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([[0, 2]], r'codes of "y" must be between 0 and 1 \(states - 1\), got 2'),
        ([[-1, 0]], r'codes of "x" must be between 0 and 1 \(states - 1\), got -1'),
        ([[0.0, 1.0]], "codes must be integers, got float64"),
        ([[0]], r"codes must have rows and 2 columns.* got the shape \(1, 1\)"),
        ([0, 1], r"got the shape \(2,\)"),
        (np.zeros((0, 2), dtype=int), "the table has no rows"),
    ],
)
def test_from_wrong_codes(codes: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Data.from_codes(np.array(codes), {"x": ["a", "b"], "y": ["a", "b"]})


def test_to_polars(data: Data) -> None:
    frame = data.to_polars()
    assert frame.schema == {
        "b": pl.Enum(["x", "y", "z"]),
        "a": pl.Enum(["0", "1"]),
        "c": pl.Enum(["k"]),
    }
    assert frame["b"].to_list() == ["x", "y", "x", "z", "z", "x"]
    assert Data(frame) == data


def test_copies(data: Data) -> None:
    assert data._engine_table is not None  # the engine's part cannot be copied, and is made again
    assert copy.deepcopy(data) == data
    assert copy.deepcopy(data).names == data.names


def test_write_leaves_whole_files_only(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    data.write(path)
    assert path.read_text() == "b,a,c\nx,0,k\ny,1,k\nx,1,k\nz,0,k\nz,0,k\nx,0,k\n"

    def broken(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", broken)
    with pytest.raises(DataError, match=r'cannot write ".*t.csv": No space left on device'):
        data.head(1).write(path)
    assert read_data(path) == data
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_equal_tables_make_equal_files(data: Data, tmp_path: Path) -> None:
    data.write(tmp_path / "a.csv.gz")
    data.write(tmp_path / "b.csv.gz")
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_write_where_one_cannot(data: Data, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'"t.xlsx" has an unknown ending; use .csv'):
        data.write(tmp_path / "t.xlsx")
    with pytest.raises(DataError, match=r'"t.parquet.gz" has an unknown ending'):
        data.write(tmp_path / "t.parquet.gz")
    with pytest.raises(DataError, match=r'cannot write ".*t.csv": No such file or directory'):
        data.write(tmp_path / "nowhere" / "t.csv")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(DataError, match=r'cannot write ".*d.csv": Is a directory'):
        data.write(tmp_path / "d.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["d.csv"]


def test_a_name_that_begins_with_a_byte_order_mark(tmp_path: Path) -> None:
    data = Data({"\ufeffa": ["x", "y"], "b": ["x", "y"]})
    data.write(tmp_path / "t.csv")
    assert read_data(tmp_path / "t.csv").names == ("\ufeffa", "b")
