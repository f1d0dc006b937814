"""What experiments did to rows: said in three ways and files, with sentences for what is wrong."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape.speech import speaking_of

FRAME: dict[str, Any] = {
    "a": ["l", "h", "l", "h"] * 5,
    "b": ["h", "l", "l", "h"] * 5,
    "target": ["", "b", "", "a+b"] * 5,
}
VARYING = {**FRAME, "b": ["h", "l", "l", "h", "h"] * 4}
TWICE = {"drug": {"b": "l"}, "heat": {"b": "h"}}
CONDITIONS: dict[str, Any] = {
    **{name: FRAME[name] for name in "ab"},
    "drug": [0, 1, 0, 1] * 5,
    "heat": ["no", "no", "no", "yes"] * 5,
}


def done(frame: Any, **how: Any) -> Any:
    return ds.Data(frame, interventions=ds.Interventions(**how))


def test_three_ways_say_the_same():
    by_target = done(FRAME, column="target")
    conditions = {"drug": {"b": None}, "heat": ["a"]}
    by_condition = done(CONDITIONS, conditions=conditions)
    named = {**FRAME, "target": ["seen", "one", "seen", "two"] * 5}
    by_name = done(named, column="target", experiments={"one": "b", "two": ["a", "b"]})
    for one in (by_target, by_condition, by_name):
        assert one.names == ("a", "b")
        sizes = [
            (dict(t), n)
            for t, n in zip(
                one.rows.interventions.targets, one.rows.interventions.sizes, strict=True
            )
        ]
        assert sorted(sizes, key=str) == sorted(
            [({}, 10), ({"b": "randomized"}, 5), ({"a": "randomized", "b": "randomized"}, 5)],
            key=str,
        )
        assert ds.score(one, [("a", "b")], score="bic") == pytest.approx(
            ds.score(by_target, [("a", "b")], score="bic")
        )
    assert by_target.rows.words["interventions"]["experiments"][0] == {
        "name": "none",
        "rows": 10,
        "targets": {},
    }


def test_values_are_written_into_the_table():
    set_low = done(CONDITIONS, conditions={"drug": {"b": "l"}, "heat": {}})
    assert [set_low.states["b"][code] for code in set_low.column("b")] == ["h", "l", "l", "l"] * 5
    same = done(FRAME, column="target", values={"b": "l", "a": "h"})
    assert [same.states["b"][code] for code in same.column("b")] == ["h", "l", "l", "l"] * 5
    assert same.rows.interventions.targets[1] == {"a": "set", "b": "set"}
    numbers = {"x": np.linspace(0, 1, 20) ** 2, "drug": CONDITIONS["drug"]}
    made = done({**numbers, "y": np.cos(np.arange(20.0))}, conditions={"drug": {"x": 7.5}})
    assert set(made.numbers["x"][1::2]) == {7.5}
    assert made.numbers["x"][2] == numbers["x"][2]
    counted = {"n": ["1", "2"] * 10, "m": ["1", "1", "2", "2"] * 5, "d": CONDITIONS["drug"]}
    assert done(counted, conditions={"d": {"n": 3}}).states["n"] == ("1", "3")
    assert done(counted, conditions={"d": {"n": 1.0}}).states["n"] == ("1",)


def test_tables_are_joined():
    tables = {
        "seen": {"a": ["l", "h"] * 5, "b": ["l", "l"] * 5},
        "drug": {"a": ["h"] * 4, "b": ["x"] * 4},
    }
    data = ds.join_experiments(tables, {"drug": {"b": "l"}})
    assert data.n_rows == 14
    assert data.states["b"] == ("l",)
    assert set(data.column("b")) == {0}
    assert dict(data.rows.interventions.by_name["drug"]) == {"b": "set"}
    mixed = {"one": {"x": [0.5, 1.25] * 6}, "two": {"x": [1, 2] * 6}}
    assert ds.join_experiments(mixed, {"two": ["x"]}).kinds == {"x": "continuous"}
    for wrong, words in (
        (({"one": {"a": ["l"]}}, {"two": ["a"]}), "no table; there are those of one"),
        (({"one": {"a": ["l"]}, "two": {"b": ["l"]}}, {"two": ["a"]}), 'different columns: "a"'),
        (([], {}), "tables must be a dict"),
        (
            ({"one": {"a": ["l"] * 3, "experiment": ["x"] * 3}}, {"one": ["a"]}),
            "has a column|have a column",
        ),
    ):
        with pytest.raises(ds.DagscapeError, match=words):
            ds.join_experiments(*wrong)
    with pytest.raises(ds.ParameterError, match='unknown setting "weihgts"'):
        ds.join_experiments(tables, {"drug": ["b"]}, weihgts="n")


def test_files_are_joined_and_words_for_nothing_are_known(tmp_path):
    rows = {"one": "a,b\nx,1\ny,2\n", "two": "a,b\ny,1\ny,2\n"}
    for name, text in rows.items():
        (tmp_path / f"{name}.csv").write_text(text)
    data = ds.join_experiments(
        {name: tmp_path / f"{name}.csv" for name in rows}, {"two": "a+b"}, how="randomized"
    )
    done = data.rows.interventions
    assert dict(done.by_name) == {"one": {}, "two": {"a": "randomized", "b": "randomized"}}
    assert data.n_rows == 4
    said = ["", "b", "None", "b"] * 5
    own = {"a": FRAME["a"], "b": FRAME["b"], "t": said}
    data = ds.Data(own, interventions=ds.Interventions(column="t"))
    assert data.rows.interventions.names == ("none", "b")
    # Something that is called so is meant.
    own = {"none": FRAME["a"], "b": FRAME["b"], "t": ["", "b", "none", "b"] * 5}
    done = ds.Data(own, interventions=ds.Interventions(column="t")).rows.interventions
    assert dict(done.by_name) == {
        "without a name": {},
        "b": {"b": "randomized"},
        "none": {"none": "randomized"},
    }
    marked = {**CONDITIONS, "drug": ["x", ""] * 10}
    data = ds.Data(marked, interventions=ds.Interventions(conditions={"drug": ["b"]}))
    assert data.rows.interventions.sizes.tolist() == [10, 10]


def test_files(tmp_path):
    path = tmp_path / "what.toml"
    path.write_text('[conditions]\ndrug = {b = "l"}\nheat = ["a"]\n', "utf-8")
    read = ds.read_interventions(path)
    assert dict(read.conditions["drug"]) == {"b": "l"}
    table = tmp_path / "table.csv"
    lines = [
        "a,b,drug,heat",
        *(",".join(map(str, row)) for row in zip(*CONDITIONS.values(), strict=True)),
    ]
    table.write_text("\n".join(lines) + "\n", "utf-8")
    data = ds.read_data(table, interventions=read)
    assert data.names == ("a", "b")
    assert data == done(CONDITIONS, conditions={"drug": {"b": "l"}, "heat": ["a"]})
    assert ds.read_data(table, interventions=read, columns=["b", "a"]).names == ("b", "a")
    for text, words in (
        ('colum = "target"', 'unknown key "colum"; choose .*did you mean "column"'),
        ('column = "t"\nhow = "sett"', "how must be one of randomized, set, shifted"),
        ("column = ", "not TOML"),
        ("", "need a column"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(ds.FileFormatError, match=words):
            ds.read_interventions(path)


def test_what_is_wrong_is_said():
    for frame, how, words in (
        (FRAME, {}, "need a column that names"),
        (FRAME, {"column": "target", "conditions": {}}, "and not both"),
        (FRAME, {"column": 3}, "must be the name of a column"),
        (
            FRAME,
            {"column": "targets"},
            'not there; did you mean "target"',
        ),
        (FRAME, {"column": "target", "how": "fixed"}, "how must be one of"),
        (
            FRAME,
            {"column": "target", "how": {"c": "set"}},
            'how speaks of "c", which no',
        ),
        (
            VARYING,
            {"column": "target", "how": "set"},
            '"b" was set in the rows of .*values=',
        ),
        (FRAME, {"column": "target", "values": {"b": "low"}}, '"b" is set to "low", which is none'),
        (FRAME, {"column": "target", "values": {"z": "l"}}, 'values speaks of "z"'),
        (FRAME, {"column": "target", "experiments": {"q": ["a"]}}, 'no row of column "target"'),
        (
            {**FRAME, "target": ["", "c"] * 10},
            {"column": "target"},
            'set by experiments, "c" is no variable',
        ),
        ({**FRAME, "target": [""] * 20}, {"column": "target"}, "sets nothing in any row"),
        ({**FRAME, "target": np.arange(20) / 7}, {"column": "target"}, "which holds numbers"),
        ({"t": FRAME["target"]}, {"column": "t"}, "none is left as a variable"),
        (CONDITIONS, {"conditions": {"drug": 3}}, "must say which variables"),
        (CONDITIONS, {"conditions": ["drug"]}, "must be a dict by name"),
        (
            CONDITIONS,
            {"conditions": {"drug": {"b": "l"}, "heat": {"b": "h"}}},
            "row 4 .b. is set",
        ),
        ({**CONDITIONS, "drug": [0, 2] * 10}, {"conditions": {"drug": ["b"]}}, 'has "2" in row 2'),
        (
            {**CONDITIONS, "drug": np.arange(20) / 2},
            {"conditions": {"drug": ["b"]}},
            ".0.5. in row 2",
        ),
        (
            FRAME,
            {"experiments": {"b": ["b"]}, "conditions": {"drug": ["b"]}},
            "name it with",
        ),
    ):
        with pytest.raises(ds.DagscapeError, match=words):
            done(frame, **how)
    with pytest.raises(ds.ParameterError, match=r"must be ds\.Interventions"):
        ds.Data(FRAME, interventions="target")
    with pytest.raises(ds.ParameterError, match="both name"):
        ds.Data(FRAME, groups="target", interventions=ds.Interventions(column="target"))
    with pytest.raises(ds.ParameterError, match="Data already"):
        ds.Data(ds.Data(FRAME), interventions=ds.Interventions(column="target"))


def test_set_to_what_the_column_holds():
    frame = {**FRAME, "b": ["h", "l", "l", "l"] * 5, "a": ["l", "h", "l", "l"] * 5}
    assert done(frame, column="target", how="set").rows.interventions.targets[1] == {
        "a": "set",
        "b": "set",
    }


def test_what_is_said_stays_with_the_rows():
    data = done(FRAME, column="target")
    assert data.take([0, 1, 2, 5]).rows.interventions.sizes.tolist() == [2, 2]
    assert data.select(["a"]).rows.interventions.by_name["b"] == {}
    again = pickle.loads(pickle.dumps(data))
    assert again == data
    assert again.rows.interventions.words == data.rows.interventions.words
    assert data != ds.Data({name: FRAME[name] for name in "ab"})
    assert data.plain.rows.interventions is None
    holes = {**FRAME, "a": [None, *FRAME["a"][1:]]}
    kept = ds.Data(holes, missing="drop", interventions=ds.Interventions(column="target"))
    assert kept.rows.interventions.sizes.sum() == 19
    twice = {**FRAME, "n": [2, 0] * 10}
    counted = ds.Data(twice, weights="n", interventions=ds.Interventions(column="target"))
    assert counted.rows.interventions.labels == ("",)
    assert any(
        "rows come from 3 experiments" in str(n.counts) or n.kind == "interventions"
        for n in data.notes
    )


def test_a_variable_that_is_always_set_has_no_parents():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 300)
    b = rng.integers(0, 2, 300)
    frame = {"a": a, "b": b, "c": a ^ b, "target": ["b", "a+b", "b"] * 100}
    data = done(frame, column="target")
    assert any('"b" is set in every row' in words for words in data.warnings)
    found = ds.exact(data)
    assert found.dag.parents("b") == ()
    assert set(found.dag.parents("c")) == {"a", "b"}
    assert ds.local_score(data, "b") == 0
    scope = found.scope
    assert str(scope) == "networks that give no parents to what was set in every row"
    assert type(scope).from_dict(scope.to_dict()) == scope
    assert str(type(scope).from_dict(scope.to_dict())) == str(scope)
    holes = {**frame, "c": [None, *frame["c"][1:]]}
    both = ds.Data(holes, missing="indicator", interventions=ds.Interventions(column="target"))
    assert str(ds.Problem(both).scope) == (
        "networks that join no variable to where it is missing and give no parents to what was set "
        "in every row"
    )
    with pytest.raises(ds.ParameterError, match='"b" was set in every row'):
        ds.score(data, [("a", "b")])


def test_what_cannot_obey_is_refused_by_name():
    data = done(FRAME, column="target")
    for search in (ds.ges, ds.kes, ds.local_optima):
        with pytest.raises(ds.ParameterError, match="classes cannot obey interventions"):
            search(data)
    for method in ("hiton", "mmpc"):
        with pytest.raises(ds.DataError, match="cannot obey: variables that were set"):
            ds.neighbors(data, "a", method=method)
    with pytest.raises(ds.DataError, match="cannot obey"):
        ds.mmhc(data)
    class_of_rows = ds.Dag(["a", "b"], [("a", "b")]).to_cpdag()
    with pytest.raises(ds.ParameterError, match='set one of "a" and "b" and not the other'):
        ds.score(data, class_of_rows)


def test_a_command_is_told_how_a_file_says_it():
    frame = {**FRAME, "a": ["l", "h"] * 10, "target": ["", "a"] * 5 + ["a", ""] * 5}
    with pytest.raises(ds.DataError, match=r'values={"a": \.\.\.}'):
        done(frame, column="target", how="set")
    with speaking_of({}), pytest.raises(ds.DataError, match=r'values = {"a" = \.\.\.}'):
        done(frame, column="target", how="set")


def test_a_value_that_is_no_state_is_refused_with_a_way_to_make_it_one():
    words = (
        'which is none of its states ("h", "l"); if it is one that no row shows, name all states'
    )
    with pytest.raises(ds.DataError) as refused:
        done(FRAME, column="target", values={"b": "zz"})
    assert f'{words}: states={{"b": ["h", "l", "zz"]}}' in str(refused.value)
    with speaking_of({"types": "--types"}), pytest.raises(ds.DataError) as refused:
        done(FRAME, column="target", values={"b": "zz"})
    assert f"{words}: --types 'b=h|l|zz'" in str(refused.value)
    made = ds.Data(
        FRAME,
        states={"b": ["h", "l", "zz"]},
        interventions=ds.Interventions(column="target", values={"b": "zz"}),
    )
    assert made.states["b"] == ("h", "l", "zz")
