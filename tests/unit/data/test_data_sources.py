"""The same table from every source is the same Data."""

from __future__ import annotations

import csv
import gzip
import hashlib
import random
import sys
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest
from hypothesis import strategies as st

from dagscape.data import Data, read_data
from dagscape.data.labels import kind_of
from dagscape.errors import DataError, DataWarning
from dagscape.files.compression import ZSTD
from dagscape.files.spreadsheets import unguarded
from drawn import drawn

# An apostrophe before what begins like a formula is how such a cell is written, by us and others.
NASTY = st.text(
    alphabet=st.sampled_from(list("ab01 .,;|\"'\n\r\t-#é漢😀\u00a0")), max_size=4
).filter(lambda text: unguarded([text])[text] == text)
LABELS = st.one_of(NASTY, st.sampled_from(["NA", "nan", "None", "?", "null", "-3", "007", "1e"]))
NAMES = NASTY.filter(lambda name: name.strip() != "")
Table = dict[str, list[str]]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n_rows = draw(st.integers(6, 12))
    made: Table = {}
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)):
        labels = draw(
            st.lists(LABELS, min_size=1, max_size=3, unique=True).filter(
                lambda some: kind_of(some) != "number"  # a text file of these would hold floats
            )
        )
        cells = st.lists(st.sampled_from(labels), min_size=n_rows, max_size=n_rows)
        # The labels that occur decide the type, so all of them are made to.
        made[name] = [*labels, *draw(cells)][:n_rows]
    return made


def write_text(table: Table, path: Path, separator: str, quoting: int = csv.QUOTE_MINIMAL) -> None:
    """Write with the standard library, which knows nothing of this package."""
    lone = len(table) == 1
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(
            file,
            delimiter=separator,
            quoting=csv.QUOTE_ALL if lone else quoting,
            lineterminator="\r\n",
        )
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


@pytest.mark.slow
@drawn(tables(), usual=15, long=40)
def test_every_source_agrees(table: Table) -> None:
    expected = Data(table)
    array = np.array(list(table.values()), dtype=object).T
    assert Data(pd.DataFrame(table)) == expected
    assert Data(pd.DataFrame(table, dtype=object)) == expected
    assert Data(pl.DataFrame(table)) == expected
    assert Data(pl.DataFrame(table).cast(pl.Categorical)) == expected
    assert Data(pa.table(table)) == expected
    assert Data({name: np.array(cells) for name, cells in table.items()}) == expected
    assert Data({name: pd.Series(cells) for name, cells in table.items()}) == expected
    assert Data(array, names=list(table)) == expected
    assert Data(array.astype(str), names=list(table)) == expected
    with TemporaryDirectory() as folder:
        here = Path(folder)
        write_text(table, here / "a.csv", ",")
        write_text(table, here / "b.csv", ",", csv.QUOTE_ALL)
        write_text(table, here / "c.tsv", "\t")
        (here / "d.csv.gz").write_bytes(gzip.compress((here / "a.csv").read_bytes()))
        pl.DataFrame(table).write_parquet(here / "e.parquet")
        parquet.write_table(pa.table(table), here / "f.pq")
        pl.DataFrame(table).write_ipc(here / "g.arrow")
        feather.write_feather(pa.table(table), here / "h.feather")
        pl.DataFrame(table).write_ipc_stream(here / "i.ipc")
        for file in sorted(here.iterdir()):
            assert read_data(file, missing_values=()) == expected, file.name
        for ending in ("csv", "tsv", "csv.gz", "tab", "parquet", "arrow", "feather"):
            expected.write(here / f"own.{ending}")
            again = read_data(here / f"own.{ending}", missing_values=())
            assert again == expected, ending
            assert again.names == expected.names
    assert [expected.states[name][code] for name in table for code in _column(expected, name)] == [
        cell for cells in table.values() for cell in cells
    ]


def _column(data: Data, name: str) -> list[int]:
    return [int(code) for code in data.codes[:, data.names.index(name)]]


@pytest.mark.slow
@drawn(tables(), st.randoms(use_true_random=False), usual=15, long=40)
def test_column_order_is_for_display_only(table: Table, rng: random.Random) -> None:
    names = list(table)
    rng.shuffle(names)
    one, other = Data(table), Data({name: table[name] for name in names})
    assert one.fingerprint == other.fingerprint
    assert one == other
    assert hash(one) == hash(other)
    assert other.names == tuple(names)
    for name in names:
        assert _column(one, name) == _column(other, name)


def test_fingerprint_sees_every_part() -> None:
    base = Data({"a": ["x", "y", "x", "y"], "b": ["u", "u", "v", "v"]})
    assert base != Data({"a": ["x", "y", "x", "y"], "c": ["u", "u", "v", "v"]})
    assert base != Data({"a": ["x", "z", "x", "z"], "b": ["u", "u", "v", "v"]})
    assert base != Data({"a": ["x", "y", "y", "x"], "b": ["u", "u", "v", "v"]})
    assert base != Data({"b": ["x", "y", "x", "y"], "a": ["u", "u", "v", "v"]})
    assert base != base.head(2)
    assert base != "a table"
    # Saved results refer to it, so what goes into it is fixed.
    head = b'[4, [["a", ["x", "y"]], ["b", ["u", "v"]]]]'
    expected = hashlib.sha256(head + bytes([0, 1, 0, 1]) + bytes([0, 0, 1, 1]))
    assert base.fingerprint == expected.hexdigest()


def test_zstd(tmp_path: Path) -> None:
    pytest.importorskip(ZSTD, reason="the zstd module is not installed")
    data = Data({"a": ["x", "y"] * 50, "b": list("uvw") * 33 + ["u"]})
    data.write(tmp_path / "t.csv.zst")
    assert (tmp_path / "t.csv.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    assert read_data(tmp_path / "t.csv.zst") == data
    (tmp_path / "cut.csv.zst").write_bytes((tmp_path / "t.csv.zst").read_bytes()[:-20])
    with pytest.raises(DataError, match=r'in "cut.csv.zst": the file is damaged, cut short'):
        read_data(tmp_path / "cut.csv.zst")


def test_zstd_without_its_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, ZSTD, None)
    with pytest.raises(DataError, match=rf".zst files need the package {ZSTD}; install it, or use"):
        Data({"a": ["x", "y"]}).write(tmp_path / "t.csv.zst")
    assert list(tmp_path.iterdir()) == []


INTEGERS = [10, 9, -1, 9, 10, -1, 9, 9]


@pytest.mark.parametrize(
    "column",
    [
        INTEGERS,
        np.array(INTEGERS, dtype=np.int8),
        np.array(INTEGERS, dtype=object),
        pd.Series(INTEGERS),
        pd.Series(INTEGERS, dtype="Int64"),
        pl.Series(INTEGERS),
        pa.chunked_array([INTEGERS[:3], INTEGERS[3:]]),
        [str(value) for value in INTEGERS],
    ],
    ids=lambda column: f"{type(column).__module__}.{type(column).__name__}",
)
def test_integers_in_numeric_order(column: object) -> None:
    data = Data({"x": column})
    assert data.states == {"x": ("-1", "9", "10")}
    assert data.codes[:, 0].tolist() == [2, 1, 0, 1, 2, 0, 1, 1]


def test_integers_of_the_whole_range() -> None:
    for dtype in (np.int8, np.int64, np.uint64):
        ends = [np.iinfo(dtype).min, np.iinfo(dtype).max]
        data = Data(np.array([ends * 2], dtype=dtype).T)
        assert data.states == {"X1": tuple(str(end) for end in ends)}
        near = [np.iinfo(dtype).max - 1, np.iinfo(dtype).max]
        assert Data(np.array([near * 2], dtype=dtype).T).states["X1"] == tuple(map(str, near))
    assert Data({"x": [10**30, 1, 1, 10**30]}).states["x"] == ("1", str(10**30))


@pytest.mark.parametrize(
    "column",
    [
        [True, False, True],
        np.array([True, False, True]),
        pd.Series([True, False, True]),
        pd.Series([True, False, True], dtype=object),
        pl.Series([True, False, True]),
        pa.array([True, False, True]),
        ["True", "False", "True"],
    ],
    ids=lambda column: f"{type(column).__module__}.{type(column).__name__}",
)
def test_booleans(column: object) -> None:
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    data = Data({"x": column})
    assert data.states == {"x": ("False", "True")}
    assert data.codes[:, 0].tolist() == [1, 0, 1]


def test_strings_in_natural_order() -> None:
    labels = ["s10", "s2", "s1", "t", "S3"]
    assert Data({"x": labels * 2}).states["x"] == ("S3", "s1", "s2", "s10", "t")
    assert Data({"x": ["10", "9", "010"] * 2}).states["x"] == ("9", "010", "10")
    assert Data({"x": ["0.5", "0.25", "3"] * 2}).states["x"] == ("0.25", "0.5", "3")


def test_categories_keep_order_and_unused_levels() -> None:
    levels, cells = ["hi", "never", "lo"], ["lo", "hi", "lo"]
    category = pd.Categorical(cells, categories=levels)
    ordered = pd.Categorical(cells, categories=levels, ordered=True)
    dictionary = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2]), pa.array(levels))
    chunked = pa.chunked_array([dictionary[:1], dictionary[1:]])
    for frame in (
        pd.DataFrame({"x": category}),
        pd.DataFrame({"x": ordered}),
        pl.DataFrame({"x": cells}, schema={"x": pl.Enum(levels)}),
        pa.table({"x": dictionary}),
        pa.table({"x": chunked}),
        {"x": pd.Series(category)},
    ):
        data = Data(frame)
        assert data.states == {"x": tuple(levels)}
        assert data.arities == {"x": 3}
        assert data.codes[:, 0].tolist() == [2, 0, 2]


def test_categories_that_are_not_strings() -> None:
    assert Data(pd.DataFrame({"x": pd.Categorical([10, 9], [9, 8, 10])})).states["x"] == (
        "9",
        "8",
        "10",
    )
    cut = pd.cut(pd.Series([0.0, 1.0, 2.0]), [-1, 0.5, 3])
    assert Data(pd.DataFrame({"x": cut})).states["x"] == ("(-1.0, 0.5]", "(0.5, 3.0]")


@pytest.mark.slow
def test_enum_survives_a_file(tmp_path: Path) -> None:
    data = Data({"x": ["lo", "hi"]}, states={"x": ["lo", "mid", "hi"]})
    for name in ("a.parquet", "a.arrow"):
        data.write(tmp_path / name)
        assert read_data(tmp_path / name).states == {"x": ("lo", "mid", "hi")}
    data.write(tmp_path / "a.csv")
    assert read_data(tmp_path / "a.csv").states == {"x": ("hi", "lo")}
    assert read_data(tmp_path / "a.csv", states={"x": ["lo", "mid", "hi"]}) == data


def test_names_of_arrays() -> None:
    array = np.arange(24).reshape(2, 12) % 2
    assert Data(array).names == tuple(f"X{number}" for number in range(1, 13))
    assert Data(array[:, :2], names=["b", "a"]).names == ("b", "a")


def test_data_of_data_is_the_same() -> None:
    data = Data({"x": [0, 1], "y": [1, 0]})
    assert Data(data) == data
    assert Data(data).codes is data.codes


def test_columns_of_pyarrow_that_no_other_library_knows_are_refused_in_a_sentence() -> None:
    odd = [
        pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["x", "y"])),
        pa.array([Decimal("1.5"), Decimal("2.5")] * 2, pa.decimal256(60, 2)),
    ]
    for values in odd:
        for table in (pa.table({"v": values}), {"v": values}):
            with pytest.raises(DataError) as error:
                Data(table)
            said = f'column "v" holds values of type {values.type}, which are not states; '
            assert str(error.value).startswith(said)


def test_arrays_of_pandas_and_pyarrow_are_columns_of_a_dict() -> None:
    words, wholes, decimals = ["a", "b", "a", None], [1, 2, 3, None], [0.5, 1.25, 2.5, None]
    exact = [Decimal("0.5"), Decimal("1.25"), Decimal("2.5"), None]
    of_words = [
        pd.array(words, dtype="string"),
        pd.array(words, dtype="string[python]"),
        pd.array(words, dtype=pd.ArrowDtype(pa.string())),
        pd.array(words, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        pd.Categorical(words),
        pd.Index(words),
        pa.array(words),
        pa.array(words).dictionary_encode(),
        pa.chunked_array([words]),
    ]
    of_wholes = [
        pd.array(wholes, dtype="Int64"),
        pd.array(wholes, dtype="UInt8"),
        pd.array(wholes, dtype="int64[pyarrow]"),
        pd.Categorical(wholes),
        pa.array(wholes),
    ]
    of_decimals = [
        pd.array(decimals, dtype="Float64"),
        pd.array(decimals, dtype="float32[pyarrow]"),
        pd.array(exact, dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
        pd.arrays.SparseArray([0.5, 1.25, 2.5, np.nan]),
        pa.array(decimals),
        exact,
    ]
    rest = ["x", "y", "x", "y"]
    for values in of_words:
        data = Data({"v": values, "x": rest}, missing="keep")
        assert data == Data({"v": words, "x": rest}, missing="keep"), values
    for values in of_wholes:
        data = Data({"v": values, "x": rest}, missing="keep")
        assert data == Data({"v": wholes, "x": rest}, missing="keep"), values
    for values in of_decimals:
        with pytest.warns(DataWarning):
            data = Data({"v": values, "x": rest}, missing="mode")
        assert data.numbers["v"].tolist() == [0.5, 1.25, 2.5, 1.25], values
    truth = Data({"v": pd.array([True, False, None, True], dtype="boolean")}, missing="keep")
    assert truth.states == {"v": ("False", "True")}
    declared = pd.Categorical(words, ["b", "a", "c"], ordered=True)
    assert Data({"v": declared}, missing="keep").states == {"v": ("b", "a", "c")}
