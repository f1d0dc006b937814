"""Columns that say what rows are: taken out, checked, and kept beside the rows."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.data import row_weights

ROWS = 40


def columns(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        "a": rng.integers(0, 2, ROWS),
        "b": rng.integers(0, 3, ROWS),
        "n": rng.integers(1, 5, ROWS),
        "w": rng.random(ROWS) + 0.1,
        "who": np.repeat(np.arange(10), 4),
        "site": np.array(["north", "south"])[np.arange(ROWS) % 2],
    }


def test_columns_that_say_what_rows_are_are_no_variables() -> None:
    own = columns()
    data = ds.Data(own, survey_weights="w", clusters="who", groups="site", kinds={"n": "discrete"})
    assert data.names == ("a", "b", "n")
    assert tuple(data.rows.facts) == ("survey_weights", "clusters", "groups")
    assert data.rows.groups is not None
    assert data.rows.groups.labels == ("north", "south")
    counted = ds.Data(own, weights="n", kinds={"who": "discrete"})
    assert counted.names == ("a", "b", "w", "who", "site")
    assert counted.n_rows == own["n"].sum()


def test_what_is_said_goes_where_the_rows_go() -> None:
    own = columns()
    data = ds.Data(own, survey_weights="w", clusters="who", groups="site", kinds={"n": "discrete"})
    chosen = [5, 5, 0, 39]
    part = data.take(chosen).select(["b"])
    assert part.rows.survey_weights is not None
    assert part.rows.clusters is not None
    assert np.array_equal(part.rows.survey_weights.values, own["w"][chosen])
    assert np.array_equal(part.rows.clusters.codes, own["who"][chosen])
    for other in (data.head(7), pickle.loads(pickle.dumps(part)), ds.Data(part, missing="drop")):
        assert tuple(other.rows.facts) == tuple(data.rows.facts)
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_rows_that_are_dropped_take_what_is_said_of_them_along() -> None:
    own = columns()
    own["a"] = np.where(np.arange(ROWS) % 10 == 0, None, own["a"].astype(object))
    kept = np.flatnonzero(np.arange(ROWS) % 10)
    once = ds.Data(own, survey_weights="w", missing="drop")
    later = ds.Data(ds.Data(own, survey_weights="w", missing="keep"), missing="drop")
    for data in (once, later):
        assert data.rows.survey_weights is not None
        assert np.array_equal(data.rows.survey_weights.values, own["w"][kept])
    counted = ds.Data(own, weights="n", missing="drop")
    assert counted.n_rows == own["n"][kept].sum()


def test_another_column_of_subjects_makes_another_table() -> None:
    own = columns()
    marks = {
        ds.Data({"a": own["a"], "b": own["b"]}).fingerprint,
        *(
            ds.Data({"a": own["a"], "b": own["b"], "who": who}, clusters="who").fingerprint
            for who in (np.arange(ROWS) // 2, np.arange(ROWS) // 4)
        ),
        ds.Data({"a": own["a"], "b": own["b"], "w": own["w"]}, survey_weights="w").fingerprint,
    }
    assert len(marks) == 4


def test_a_counted_table_is_the_table_of_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    own = columns()
    del own["w"]
    each = np.repeat(np.arange(ROWS), own["n"])
    whole = ds.Data({name: own[name][each] for name in ("a", "b", "who", "site")})
    small = ds.Data(own, weights="n")
    monkeypatch.setattr(row_weights, "WRITTEN_OUT", 0)
    monkeypatch.setattr(row_weights, "FEW_TIMES", 0)
    packed = ds.Data(own, weights="n")
    assert packed.rows.times is not None
    for data in (small, packed):
        assert data.n_rows == whole.n_rows
        assert data.states == whole.states
        assert np.array_equal(data.codes, whole.codes)
        assert np.array_equal(data.column("b"), whole.column("b"))
        assert np.array_equal(data.head(9).codes, whole.head(9).codes)
        assert np.array_equal(data.take([8, 3, 8]).codes, whole.take([8, 3, 8]).codes)
        assert np.array_equal(data.select(["site", "a"]).codes, whole.select(["site", "a"]).codes)
        assert data.to_polars().equals(whole.to_polars())
    assert small == whole


def test_what_a_column_holds_is_told_by_the_rows_it_stands_for() -> None:
    values = [str(v) for v in range(40, 70)]  # as many values as lines, but not as rows
    lines = {"x": values, "y": ["u", "v"] * 15, "n": [100] * 30}
    with pytest.raises(ds.DataError, match="identifier"):
        ds.Data({"x": [f"s{v}" for v in values], "y": lines["y"]})
    for most in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(row_weights, "WRITTEN_OUT", most)
            assert ds.Data({**lines, "x": [f"s{v}" for v in values]}, weights="n").arities == {
                "x": 30,
                "y": 2,
            }
            assert ds.Data({**lines, "x": range(40, 70)}, weights="n").kinds["x"] == "continuous"


def test_rows_that_occur_never_are_none() -> None:
    own = columns()
    own["n"][:20] = 0
    own["b"][:20] = 7
    data = ds.Data({name: own[name] for name in "abn"}, weights="n")
    assert "7" not in data.states["b"]


def test_billions_of_rows() -> None:
    data = ds.Data({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "n": [10**9, 7, 5, 10**9]}, weights="n")
    assert data.n_rows == 2 * 10**9 + 12
    assert ds.exact(data).dag.arcs
    with pytest.raises(ds.DataError, match="too much"):
        data.codes  # noqa: B018
    with pytest.raises(ds.DataError, match="at most 4,294,967,295"):
        ds.Data({"a": [0, 1], "n": [2**32, 1]}, weights="n")


def test_files_take_the_same_words(tmp_path: Path) -> None:
    own = columns()
    path = tmp_path / "table.csv"
    pl.DataFrame({name: own[name] for name in ("a", "b", "n", "site")}).write_csv(path)
    data = ds.read_data(path, weights="n", groups="site")
    assert data == ds.Data(
        {name: own[name] for name in ("a", "b", "n", "site")}, weights="n", groups="site"
    )
    assert ds.read_data(path, columns=["b"], weights="n").names == ("b",)


WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"weights": "N"}, 'weights names "N", which is not a column; did you mean "n"'),
    ({}, {"clusters": "Who"}, 'did you mean "who"'),
    ({}, {"weights": "site"}, 'weights names "site", which has "north"; weights are numbers'),
    ({"n": [1.5] * ROWS}, {"weights": "n"}, "1.5 in row 1; .*give survey_weights"),
    ({"n": [1] * 39 + [-2]}, {"weights": "n"}, "-2 in row 40; a weight is 0 or more"),
    ({"n": [1] * 39 + [None]}, {"weights": "n"}, "no value in row 40; give every row a weight"),
    ({"n": [0] * ROWS}, {"weights": "n"}, "0 in every row"),
    ({"w": [0.5] * 39 + [np.inf]}, {"survey_weights": "w"}, "inf in row 40"),
    ({}, {"weights": "n", "survey_weights": "w"}, "both given"),
    ({}, {"clusters": "n", "groups": "n"}, 'both name "n"'),
    ({}, {"weights": [1, 2]}, "must be the name of a column, got list"),
    ({"who": range(ROWS)}, {"clusters": "who"}, "differs in every row"),
    ({"who": [1] * ROWS}, {"clusters": "who"}, 'is "1" in every row'),
    ({"who": [None] + [1] * 39}, {"clusters": "who"}, "no value in row 1"),
    ({"site": range(ROWS)}, {"groups": "site"}, "differs in every row"),
    ({"site": ["a"] * ROWS}, {"groups": "site"}, 'is "a" in every row'),
    ({"site": ["a", "a"] + ["b"] * 38}, {"groups": "site"}, '"a" has 2 rows; a group needs 10'),
]


def test_what_is_wrong_with_such_a_column_is_said() -> None:
    for changed, settings, said in WRONG:
        with pytest.raises(ds.DagscapeError, match=said):
            ds.Data({**columns(), **changed}, **settings)
    with pytest.raises(ds.ParameterError, match="where it is made"):
        ds.Data(ds.Data({"a": [0, 1] * 5, "n": [1, 2] * 5}), weights="n")
    with pytest.raises(ds.DataError, match="none is left"):
        ds.Data({"n": [1, 2, 3]}, weights="n")


def test_what_cannot_be_obeyed_is_refused_by_name() -> None:
    own = columns()
    data = ds.Data({name: own[name] for name in ("a", "b", "w")}, survey_weights="w")
    for use in (
        lambda: ds.cross_validate(data, "a"),
        lambda: ds.load_network("asia").log_likelihood(data),
        lambda: ds.score(data, [("a", "b")], score=ds.NAL()),
    ):
        with pytest.raises(ds.DataError, match=r'survey_weights .column "w".*cannot obey'):
            use()
