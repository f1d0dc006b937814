"""Intervals against the plain formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.data import Data, read_data
from dagscape.data.discretize import codes_in, intervals_of
from dagscape.errors import DataError
from seeds import for_each

FLOATS = st.lists(
    st.one_of(
        st.floats(-1e6, 1e6), st.sampled_from([0.0, 0.1, 0.30000000000000004, 1e-300, -2.0, 1e15])
    ),
    min_size=1,
    max_size=30,
)
RULES = st.one_of(
    st.sampled_from(["mean", "median"]),
    st.tuples(st.sampled_from(["quantile", "width"]), st.integers(2, 6)),
)


def formula(x: np.ndarray, rule: str | tuple[str, int]) -> np.ndarray:
    """Return for each value how many cut points lie below it."""
    if rule == "mean":
        points = [np.mean(x)]
    elif rule == "median":
        points = [np.median(x)]
    elif rule[0] == "quantile":
        points = [np.quantile(x, i / rule[1]) for i in range(1, rule[1])]
    else:
        points = [x.min() + (x.max() - x.min()) * (i / rule[1]) for i in range(1, rule[1])]
    return np.array([sum(value > point for point in points) for value in x])


def same_groups(a: np.ndarray, b: np.ndarray) -> bool:
    """Say whether two codings split the rows alike and in the same order."""
    return bool((np.sign(np.subtract.outer(a, a)) == np.sign(np.subtract.outer(b, b))).all())


@pytest.mark.slow
@given(FLOATS, RULES)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_against_formulas(values: list[float], rule: str | tuple[str, int]) -> None:
    x = np.array(values)
    data = Data({"x": x}, discretize=rule)
    codes = data.codes[:, 0].astype(int)
    if rule != "mean" or len(set(values)) > 1:  # the mean of equal numbers may be off by rounding
        assert same_groups(codes, formula(x, rule))
    assert set(codes) == set(range(data.arities["x"]))
    for value, code in zip(values, codes, strict=True):
        assert inside(value, data.states["x"][code])


def inside(value: float, label: str) -> bool:
    """Say whether a value lies in the interval its state names."""
    if label.startswith("<="):
        return value <= float(label[2:])
    if label.startswith(">"):
        return value > float(label[1:])
    low, high = label.removeprefix("(").removesuffix("]").split(",")
    return float(low) < value <= float(high)


@pytest.mark.parametrize(
    ("values", "rule", "states"),
    [
        ([1.0, 2.0, 3.0, 8.0], "mean", ("<=3.5", ">3.5")),
        ([1.0, 2.0, 3.0, 8.0], "median", ("<=2.5", ">2.5")),
        ([0.0, 1.0, 1.0], "mean", ("<=0.6667", ">0.6667")),
        ([0.0, 10.0, 20.0, 30.0], ("width", 3), ("<=10", "(10,20]", ">20")),
        ([0.0, 30.0], ("width", 3), ("<=10", ">20")),
        ([0.0, 0.0, 0.0, 5.0], ("quantile", 4), ("<=0", ">1.25")),
        ([0.0, 1.0, 1.0, 1.0], "median", ("<=1",)),
        ([4.5, 4.5], ("width", 5), ("<=4.5",)),
        ([123456.25, 123456.5], "mean", ("<=123456.4", ">123456.4")),
        ([1e20, 3e20], "mean", ("<=2e+20", ">2e+20")),
    ],
)
def test_names_of_states(
    values: list[float], rule: str | tuple[str, int], states: tuple[str, ...]
) -> None:
    assert Data({"x": values}, discretize=rule).states["x"] == states


def test_one_rule_is_for_floats_alone() -> None:
    frame = {"f": [0.5, 1.5, 2.5], "i": [1, 2, 2], "s": ["a", "b", "a"]}
    data = Data(frame, discretize="mean")
    assert data.states == {"f": ("<=1.5", ">1.5"), "i": ("1", "2"), "s": ("a", "b")}


def test_rules_by_column() -> None:
    frame = {"f": [0.5, 1.5, 2.5, 9.5], "i": [1, 2, 3, 4]}
    data = Data(frame, discretize={"f": "mean", "i": ("quantile", 2)})
    assert data.states == {"f": ("<=3.5", ">3.5"), "i": ("<=2.5", ">2.5")}
    assert Data(frame, discretize={"i": "mean"}).kinds == {"f": "continuous", "i": "discrete"}
    with pytest.raises(
        DataError, match=r'discretize names column "s", which does not hold numbers'
    ):
        Data({"s": ["a", "b"]}, discretize={"s": "mean"})


def test_cut_points_come_from_values_that_are_there() -> None:
    frame = {"x": [1.0, None, 3.0, 8.0, 4.0]}
    data = Data(frame, discretize="mean", missing="state")
    assert data.states == {"x": ("<=4", ">4", "missing")}
    assert data.codes[:, 0].tolist() == [0, 2, 0, 1, 0]


def test_many_integers() -> None:
    values = np.arange(70_000)
    data = Data({"x": values}, discretize={"x": "mean"})
    assert data.states["x"] == ("<=34999.5", ">34999.5")
    assert data.codes[:, 0].sum() == 35_000


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_numbers_in_text_files(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("f,i\n0.5,1\n 1.5,2\n,2\n1e1,1\n")
    data = read_data(path, discretize={"f": "mean", "i": "mean"}, missing="drop")
    assert data.states == {"f": ("<=4", ">4"), "i": ("<=1.333", ">1.333")}
    assert data.codes.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert read_data(path, missing="drop").numbers["f"].tolist() == [0.5, 1.5, 10.0]
    assert read_data(path, missing="drop", states={"f": ["0.5", " 1.5", "1e1"]}).arities["f"] == 3


def test_infinite_numbers_in_text_files(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("f\n0.5\ninf\n")
    with pytest.raises(DataError, match=r'"f" has the infinite value inf in row 2'):
        read_data(path, discretize="mean")
    path.write_text("f\nno\ninf\n")
    assert read_data(path).states == {"f": ("inf", "no")}


@pytest.mark.slow
@pytest.mark.parametrize("numbers", ["float", "integer"])
def test_more_numbers_in_a_text_file_than_states(tmp_path: Path, numbers: str) -> None:
    n = 90_000
    values = np.random.default_rng(3).permutation(n) / (4 if numbers == "float" else 1)
    cells = [repr(float(v)) if numbers == "float" else str(int(v)) for v in values]
    cells[5] = "NA"
    path = tmp_path / "t.csv"
    pl.DataFrame({"k": ["a", "b"] * (n // 2), "x": cells}).write_csv(path)
    data = read_data(path, discretize={"x": ("quantile", 3)}, missing="drop")
    kept = np.delete(values, 5)
    assert same_groups(data.codes[::97, 1].astype(int), formula(kept, ("quantile", 3))[::97])
    assert read_data(path, missing="drop").numbers["x"].tolist() == kept.tolist()
    with pytest.raises(DataError, match="89,999 states, and at most 65,536 are possible"):
        read_data(path, missing="drop", kinds={"x": "discrete"})
    path.write_text(path.read_text() + "a,word\n")
    with pytest.raises(DataError, match=r'65,537 states, mostly numbers, .* such as "word"; if'):
        read_data(path, discretize={"x": "mean"}, missing="drop")
    path.write_text("x\n" + "".join(f"word {i}\n" for i in range(n)))
    with pytest.raises(DataError, match='column "x" has at least 65,537 states, and at most'):
        read_data(path, discretize="mean")


def test_numbers_too_large_to_average() -> None:
    with pytest.raises(DataError, match=r'column "x" has numbers beyond 1e\+300; scale it down'):
        Data({"x": [1.7e308, 1.7e308]}, discretize="mean")


@for_each("seed", range(40))
def test_names_of_intervals_cut_as_the_rule_did(seed):
    """Whatever a rule made of a column, its names alone give the same states again."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.integers(-9, 9)
    values = scale * rng.normal(rng.choice([0.0, -50.0, 1e4]), 1, size=rng.integers(2, 60))
    if seed % 3 == 0:
        values = np.round(values, int(9 - np.log10(scale)) % 5)  # ties
    rule = [("quantile", 4), ("width", 5), "mean", "median", [-1.0, 0.0, 2.5]][seed % 5]
    data = Data({"x": values}, discretize={"x": rule})
    intervals = intervals_of(data.states["x"])
    assert codes_in(values, intervals).tolist() == data.column("x").tolist()
    # And one number after another, from the words.
    for number, code in zip(values, data.column("x"), strict=True):
        low, high = intervals[code]
        assert low < number <= high
    outside = codes_in(np.array([np.nan]), intervals)
    assert outside.tolist() == [len(intervals)]


def test_other_states_are_no_intervals():
    for states in (("yes", "no"), ("<=2", "more"), ("<=two", ">two"), (), ("(1,2)",)):
        assert intervals_of(states) is None
