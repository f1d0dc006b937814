"""Every command's answer for programs has its schema, and is as that has it."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest
import typer

import dagscape as ds
from answers import SCHEMA, check_answer
from dagscape.cli.app import app


def commands_with_json():
    group = typer.main.get_command(app)
    return {
        name
        for name in group.commands
        if any("--json" in each.opts for each in group.whole(name).params)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables of states, and of numbers beside states."""
    place = tmp_path_factory.mktemp("tables")
    ds.load_network("asia").sample(200, seed=0).write(place / "asia.csv")
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = x + rng.normal(size=200)
    kind = np.where(y > 0, "high", "low")
    ds.Data({"x": x, "y": y, "kind": kind}).write(place / "mixed.csv")
    return place


ASKED = {
    "learn": ["asia.csv --runs 3 --resamples 2", "mixed.csv --runs 0 --resamples 2"],
    "check": ["asia.csv", "mixed.csv"],
    "examine": ["asia asia.csv --relabelings 3 --resamples 0"],
    "score": ["asia.csv asia --by-variable"],
    "compare": ["asia asia"],
    "parents": ["asia.csv -o sets.jkl"],
    "exact": ["asia.csv", "mixed.csv"],
    "order": ["asia.csv"],
    "optima": ["asia.csv --runs 3", "asia.csv --runs 3 --store runs.sqlite"],
    "features": [
        "asia.csv --method bootstrap --runs 3",
        "asia.csv --method bootstrap --runs 3 --tradeoff",
    ],
    "posterior": [
        "asia.csv",
        "asia.csv --kind ancestors",
        "asia.csv --networks 3",
        "mixed.csv",
    ],
    "experiments": ["asia.csv"],
    "query": ["asia", "asia lung --given smoke=yes", "asia --most-probable --given smoke=yes"],
    "predict": ["asia asia.csv --target lung"],
    "effect": ["asia.csv smoke dysp", "mixed.csv x y", "mixed.csv x kind", "mixed.csv kind y"],
    "blanket": ["asia.csv --target lung", "mixed.csv --target y"],
}


def test_every_command_that_writes_json_has_an_entry_and_is_tried():
    entries = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    assert commands_with_json() <= {*entries}
    assert commands_with_json() == {*ASKED}


def test_the_schema_is_one_and_leaves_nothing_unnamed():
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    text = SCHEMA.read_text("utf-8")
    used = {name for name in schema["$defs"] if f'"#/$defs/{name}"' in text}
    assert {*schema["$defs"]} - used - commands_with_json() == set()


@pytest.mark.parametrize(
    ("command", "words"), [(command, each) for command, asked in ASKED.items() for each in asked]
)
def test_answers(run, folder, tmp_path, command, words):
    for table in folder.iterdir():
        (tmp_path / table.name).write_bytes(table.read_bytes())
    result = run(command, *words.split(), "--json")  # which checks it
    assert result.exit_code == 0, result.stderr


def test_what_is_not_as_the_schema_has_it_is_found(run, folder):
    answer = json.loads(run("score", folder / "asia.csv", "asia", "--json").stdout)
    for wrong in (
        {**answer, "more": 1},
        {**answer, "total": "high"},
        {name: part for name, part in answer.items() if name != "rows"},
    ):
        with pytest.raises(AssertionError, match="score --json"):
            check_answer("score", json.dumps(wrong))
