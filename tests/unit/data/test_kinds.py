"""Which columns hold states and which hold numbers, and what a table with numbers can do."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagscape as ds

RNG = np.random.default_rng(0)
N = 200
FRAME = {
    "sex": RNG.choice(["f", "m"], N),
    "age": RNG.integers(18, 90, N),
    "bmi": RNG.normal(25, 4, N),
    "ward": RNG.integers(0, 20, N),
    "flag": RNG.integers(0, 2, N).astype(float),
}
KINDS = {
    "sex": "discrete",
    "age": "continuous",
    "bmi": "continuous",
    "ward": "discrete",
    "flag": "discrete",
}


@pytest.fixture
def data() -> ds.Data:
    return ds.Data(FRAME)


@pytest.mark.parametrize("library", [dict, pd.DataFrame, pl.DataFrame])
def test_the_rule(library, data: ds.Data) -> None:
    made = ds.Data(library(FRAME))
    assert made.kinds == KINDS
    assert made == data
    assert made.states["flag"] == ("0", "1")
    assert made.states["age"] == ()
    assert made.arities == {"sex": 2, "age": 0, "bmi": 0, "ward": 20, "flag": 2}
    assert made.numbers["bmi"].tolist() == FRAME["bmi"].tolist()
    assert list(made.numbers) == ["age", "bmi"]


def test_the_rule_is_told_with_how_to_change_it(data: ds.Data) -> None:
    said = [words.words for words in ds.notes.sentences(data.notes, ds.speech.in_python)]
    assert said[0] == (
        'taken as continuous: "bmi" (decimal numbers); "age" (whole numbers with more than 20 '
        'different values); to have states instead, give kinds={"age": "discrete"}'
    )
    assert said[1].startswith("taken as states, since they are whole numbers with few values: ")
    assert 'give kinds={"flag": "continuous"}' in said[1]
    assert data.warnings == ()


def _few_integers(table: ds.Data) -> list[str | None]:
    return [note.column for note in table.notes if note.kind == "few_integers"]


def test_few_whole_numbers_beside_measurements_are_told_as_states(data: ds.Data) -> None:
    assert _few_integers(data) == ["ward"]  # two values, words and floats are not
    (words,) = [
        said.words
        for said in ds.notes.sentences(data.notes, ds.speech.in_python)
        if said.notes[0].kind == "few_integers"
    ]
    assert words == (
        'taken as states, since they are whole numbers with few values: "ward" ("0", "1", "2", '
        '...); to have numbers instead, give kinds={"ward": "continuous"}'
    )


def test_nothing_is_told_of_whole_numbers_that_need_no_choice() -> None:
    for kind in ("continuous", "discrete"):
        assert _few_integers(ds.Data(FRAME, kinds={"ward": kind})) == []
    assert _few_integers(ds.Data({"ward": FRAME["ward"], "sex": FRAME["sex"]})) == []
    cut = {"age": ("quantile", 3), "bmi": ("quantile", 3)}
    assert _few_integers(ds.Data(FRAME, discretize=cut)) == []
    assert _few_integers(ds.Data(FRAME, discretize=("quantile", 3))) == []
    only = ds.Data(FRAME, kinds={"age": "discrete", "bmi": "continuous"})
    assert _few_integers(only) == ["ward"]


def test_the_user_decides() -> None:
    kinds = {"age": "discrete", "ward": "continuous", "flag": "continuous"}
    made = ds.Data(FRAME, kinds=kinds)
    assert made.kinds == KINDS | kinds
    assert made.states["age"] == tuple(map(str, sorted(set(FRAME["age"].tolist()))))
    few = ds.Data({"x": [0.5, 1.5, 0.5, 0.5, 1.5]}, kinds={"x": "discrete"})
    assert few.states == {"x": ("0.5", "1.5")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": {"bim": "discrete"}}, 'kinds names "bim", which is not a column; did you mean'),
        ({"kinds": {"bmi": "number"}}, 'kind of "bmi" must be "discrete", "ordered" or'),
        ({"kinds": ["bmi"]}, "kinds must be a dict by column"),
        ({"kinds": {"bmi": "discrete"}, "discretize": {"bmi": "mean"}}, "in both kinds and discr"),
        ({"kinds": {"sex": "discrete"}, "states": {"sex": ["f", "m"]}}, "in both kinds and states"),
        ({"kinds": {"sex": "continuous"}}, 'kinds names column "sex", which does not hold numbers'),
        ({"kinds": {"bmi": "discrete"}}, '"bmi" has 200 states in 200 rows, more than half'),
    ],
)
def test_what_cannot_be(options, message: str) -> None:
    with pytest.raises(ds.DagscapeError, match=message):
        ds.Data(FRAME, **options)
    made = ds.Data(FRAME)
    with pytest.raises(ds.ParameterError, match="Data already"):
        ds.Data(made, kinds={"bmi": "continuous"})
    assert ds.Data(made) == made


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "tsv.gz", "parquet", "arrow"])
def test_files_give_back_what_was_written(tmp_path: Path, data: ds.Data, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    data.write(path)
    again = ds.read_data(path)
    assert again == data
    assert again.numbers["bmi"].tolist() == FRAME["bmi"].tolist()


def test_extreme_numbers_survive_text(tmp_path: Path) -> None:
    values = [1e300, -1e-300, 5e-324, 0.1 + 0.2, 3.0, -0.0]
    table = ds.Data({"x": values, "y": list("abcabc")})
    table.write(tmp_path / "t.csv")
    assert ds.read_data(tmp_path / "t.csv").numbers["x"].tolist() == values


def test_what_text_would_change_is_said() -> None:
    table = ds.Data(FRAME, kinds={"flag": "continuous", "age": "discrete"})
    said = table.lost_as_text
    assert any('"flag" holds whole numbers with few values' in words for words in said)
    assert any('"age" has' in words and "gives back as numbers" in words for words in said)


def test_fingerprints(data: ds.Data) -> None:
    shuffled = ds.Data({name: FRAME[name] for name in reversed(FRAME)})
    assert shuffled.fingerprint == data.fingerprint
    moved = FRAME | {"bmi": FRAME["bmi"] + np.eye(1, N)[0] * 1e-9}
    assert ds.Data(moved).fingerprint != data.fingerprint
    swapped = FRAME | {"bmi": FRAME["age"] + 0.5, "age": FRAME["bmi"]}
    assert ds.Data(swapped).fingerprint != data.fingerprint
    assert ds.Data({"x": [-0.0, 0.5]}).fingerprint == ds.Data({"x": [0.0, 0.5]}).fingerprint


def test_rows_columns_and_copies(data: ds.Data) -> None:
    rows = np.array([5, 5, 0, 199])
    taken = data.take(rows)
    assert taken.numbers["bmi"].tolist() == FRAME["bmi"][rows].tolist()
    assert taken.states == data.states
    assert data.take(np.arange(N)) == data
    assert data.head(3) == data.take([0, 1, 2])
    assert data.select(["bmi"]).kinds == {"bmi": "continuous"}
    assert data.select(["sex", "bmi"]).numbers.keys() == {"bmi"}
    assert data.select(["sex"]).codes.shape == (N, 1)
    for again in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):
        assert again == data
        with pytest.raises(ValueError, match="read-only"):
            again.numbers["bmi"][0] = 1
    for wrong, message in (([N], "between 0 and 199"), ([], "one whole"), ([0.5], "one whole")):
        with pytest.raises(ds.ParameterError, match=message):
            data.take(wrong)
    discrete = data.select(["sex", "ward"])
    assert discrete.take([3, 1]).codes.tolist() == discrete.codes[[3, 1]].tolist()


def test_codes_and_tables_of_states_are_refused(data: ds.Data) -> None:
    dag = ds.Dag(data.names, [])
    for use in (
        lambda: data.codes,
        lambda: data._engine_table,
        lambda: ds.exact(data, score="bdeu"),
        lambda: ds.ges(data, score="qnml"),
        lambda: ds.hill_climb(data, score="k2"),
        lambda: ds.local_score(data, "sex", ["bmi"], score="bdeu"),
        lambda: ds.score(data, dag, score="bic"),
        lambda: ds.posterior(data, score="bdeu"),
        lambda: ds.bootstrap(data, score="bic", runs=2),
        lambda: ds.candidate_parents(data, score="bic"),
        lambda: ds.candidate_parents(data, score="bic", counting="adtree"),
    ):
        with pytest.raises(ds.DagscapeError, match=r'column "age" holds numbers.*discretize='):
            use()


def test_gaps_in_numbers() -> None:
    holes = {"x": [0.5, None, 2.5, 9.5], "s": ["a", "b", None, "a"]}
    with pytest.raises(ds.DataError, match='column "x" has 1 missing value'):
        ds.Data(holes)
    with pytest.warns(ds.DataWarning, match="dropped"):
        assert ds.Data(holes, missing="drop").numbers["x"].tolist() == [0.5, 9.5]
    with pytest.warns(ds.DataWarning, match="filled"):
        assert ds.Data(holes, missing="mode").numbers["x"].tolist() == [0.5, 2.5, 2.5, 9.5]
    with pytest.warns(ds.DataWarning, match="filled"):
        assert ds.Data(holes, missing="random", seed=1).numbers["x"][1] in (0.5, 2.5, 9.5)
    with pytest.raises(ds.DataError, match='column "x" holds numbers, and a gap cannot be a state'):
        ds.Data(holes, missing="state")
    kept = ds.Data(holes, missing="keep")
    assert kept.missing.columns == {"x": 1, "s": 1}
    assert kept.missing.mask[:, 0].tolist() == [False, True, False, False]
    assert np.isnan(kept.numbers["x"]).tolist() == [False, True, False, False]
    assert kept.to_polars()["x"].to_list() == [0.5, None, 2.5, 9.5]
    assert kept.take([0, 1]).missing.cells == 1
    assert kept.select(["s", "x"]) == kept == pickle.loads(pickle.dumps(kept))
    assert ds.Data(kept, missing="mode").numbers["x"].tolist() == [0.5, 2.5, 2.5, 9.5]
    assert not [note for note in kept.notes if note.kind in ("copy", "constant", "sum_of_others")]
    with pytest.raises(ds.DataError, match='column "x" has no values at all'):
        ds.Data(
            {"x": [None, None, None], "s": ["a", "b", "a"]},
            missing="keep",
            kinds={"x": "continuous"},
        )


def test_gaps_beside_numbers() -> None:
    kept = ds.Data({"x": [0.5, 1.5, 2.5, 9.5], "s": ["a", "b", None, "a"]}, missing="keep")
    assert kept.missing.cells == 1
    assert kept.take([0, 2]).missing.cells == 1
    assert pickle.loads(pickle.dumps(kept)) == kept
    whole = ds.Data(kept, missing="drop")
    assert whole.numbers["x"].tolist() == [0.5, 1.5, 9.5]
    assert not whole.missing
    with pytest.raises(ds.DataError, match="missing"):
        _ = kept._engine_mixed


def test_what_is_odd_about_numbers() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 100))
    wild = x * 2 + rng.normal(size=100)
    wild[3] = 1e300
    table = ds.Data(
        {"x": x, "y": y, "copy": 3 - 2 * x, "sum": x - 4 * y, "wild": wild, "still": [2.5] * 100}
    )
    said = table.warnings
    assert 'column "copy" is column "x" up to scale' in " ".join(said)
    assert 'column "sum" is a weighted sum of other columns' in " ".join(said)
    assert 'column "wild" has 1 value far from all others: "1e+300"' in " ".join(said)
    assert 'column "still" has only one state, "2.5"' in " ".join(said)
    assert len(said) == 4
    assert ds.Data({"x": x, "y": y}).warnings == ()


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities_are_refused(value: float) -> None:
    with pytest.raises(ds.DataError, match=r'"x" has the infinite value -?inf in row 3; replace'):
        ds.Data({"x": [0.5, 1.5, value]})
