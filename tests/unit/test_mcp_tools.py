"""What agents are answered, and what they cannot reach; the server itself is tried elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import dagscape as ds
from dagscape.mcp import tools
from dagscape.mcp.permissions import Permissions


@pytest.fixture(scope="module")
def permissions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("read")
    net = ds.load_network("asia")
    net.sample(200, seed=0).write(folder / "asia.csv")
    net.write_bif(folder / "asia.bif")
    (folder / "odd.csv").write_text("id,a,b\n" + "".join(f"p{i},x ,{i % 3}\n" for i in range(30)))
    written = tmp_path_factory.mktemp("written")
    return Permissions.of(folder, written, 60, 2_000_000_000)


ASKED = {
    "check": {"table": "odd.csv"},
    "learn": {"table": "asia.csv", "max_parents": 2, "save": "asia"},
    "posterior": {"table": "asia.csv", "kind": "adjacencies", "least": 0.2, "max_parents": 2},
    "query": {"network": "asia.bif", "targets": ["lung"], "given": {"smoke": "yes"}},
    "effect": {"table": "asia.csv", "cause": "smoke", "outcome": "dysp", "max_parents": 2},
    "examine": {"table": "asia.csv", "graph": [["smoke", "lung"]], "max_parents": 2},
}


@pytest.mark.slow
@pytest.mark.parametrize("tool", ASKED)
def test_an_answer_is_a_claim_with_its_scope(permissions, tool):
    found = tools.TOOLS[tool](permissions, **ASKED[tool])
    assert json.loads(json.dumps(tools.finite(found), allow_nan=False))
    assert found["claim"]
    assert "scope" in found or tool == "check"
    if tool in ("learn", "posterior", "effect"):
        assert found["scope"]["max_parents"] == 2


def test_what_check_tells_is_taken(permissions):
    reading = tools.check(permissions, "odd.csv")["reading"]
    assert reading["leave_out"] == ["id", "a"]
    found = tools.posterior(permissions, "asia.csv", reading={"columns": ["smoke", "lung", "dysp"]})
    assert {row["from"] for row in found["features"]} <= {"smoke", "lung", "dysp"}


def test_a_part_of_what_can_be_known_is_enough(permissions):
    known = {"forbidden": [["smoke", "lung"]], "tiers": [["smoke"], ["lung"]]}
    reading = {"columns": ["smoke", "lung"]}
    found = tools.posterior(permissions, "asia.csv", reading=reading, knowledge=known, least=0)
    assert [row["probability"] for row in found["features"]] == [0, 0]
    assert found["scope"]["knowledge"]["tiers"] == [["smoke"], ["lung"]]


def test_a_table_that_cannot_be_read_is_said_to_be_so(permissions):
    Path(permissions.read, "empty.csv").write_text("")
    assert tools.check(permissions, "empty.csv")["claim"].startswith("cannot be read: ")


@pytest.mark.slow
def test_what_was_saved_is_where_it_may_be(permissions):
    tools.learn(permissions, "asia.csv", save="kept", reading={"columns": ["smoke", "lung"]})
    assert permissions.write is not None
    assert ds.read_network(Path(permissions.write, "kept.json")).names == ("smoke", "lung")
    assert Path(permissions.write, "kept.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_query_of_a_table_says_what_it_is_of(permissions):
    found = tools.query(
        permissions,
        ["lung"],
        table="asia.csv",
        reading={"columns": ["smoke", "lung"]},
        do={"smoke": "no"},
    )
    assert "the network learned from asia.csv: optimal" in found["claim"]
    assert found["scope"]["do"] == {"smoke": "no"}


@pytest.mark.parametrize(
    "name", ["../asia.csv", "/etc/passwd", "link.csv", ".", "", "a\0b", "no.csv"]
)
def test_no_other_file_is_read(permissions, name, tmp_path):
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    link = Path(permissions.read, "link.csv")
    if not link.is_symlink():
        link.symlink_to(tmp_path / "secret.csv")
    with pytest.raises(ds.ParameterError):
        tools.check(permissions, name)
    with pytest.raises(ds.ParameterError):
        tools.query(permissions, ["a"], network=name)
    with pytest.raises(ds.ParameterError):
        tools.examine(permissions, "asia.csv", graph=name)


@pytest.mark.parametrize("name", ["../x", "/x", "a/b", ".x", "link"])
def test_nothing_is_written_elsewhere(permissions, name, tmp_path):
    assert permissions.write is not None
    link = Path(permissions.write, "link.json")
    if not link.is_symlink():
        link.symlink_to(tmp_path / "away.json")
    with pytest.raises(ds.ParameterError):
        tools.learn(permissions, "asia.csv", save=name)
    assert os.listdir(tmp_path) == []
    with pytest.raises(ds.ParameterError, match="no folder to write into"):
        tools.learn(replace(permissions, write=None), "asia.csv", save="x")


def test_what_is_wrong_is_said_in_a_sentence(permissions):
    for tool, wrong, words in (
        ("posterior", {"reading": {"interventions": "x.toml"}}, "reading has no setting"),
        ("posterior", {"score": "bix"}, 'unknown score "bix"'),
        (
            "posterior",
            {"knowledge": {"require": []}},
            'no part "require"; it has required',
        ),
        ("posterior", {"knowledge": {"required": [["smoke"]]}}, "required arc"),
        ("query", {"targets": ["lung"]}, "a network or a table"),
        ("query", {"targets": [], "network": "asia.bif"}, "targets must be a list"),
        ("examine", {"graph": [["a", "b", "c"]]}, "an arc is a pair"),
        ("effect", {"cause": "smok", "outcome": "dysp"}, "smok"),
    ):
        given = wrong if tool == "query" else {"table": "asia.csv", **wrong}
        with pytest.raises(ds.DagscapeError, match=words):
            tools.TOOLS[tool](permissions, **given)
    with pytest.raises(ds.ParameterError, match="larger than the memory"):
        tools.check(replace(permissions, memory=100), "asia.csv")
    with pytest.raises(ds.ParameterError, match="no folder to write into"):
        Permissions.of(Path(permissions.read), Path(permissions.read, "none"), 60, 1)
    with pytest.raises(ds.ParameterError, match="1 second or more"):
        Permissions.of(Path(permissions.read), None, 0, 1)


@pytest.mark.slow
def test_a_call_in_its_own_process(permissions):
    def call(**request):
        text = json.dumps({"permissions": permissions.to_dict(), **request})
        done = subprocess.run(
            [sys.executable, "-P", "-m", "dagscape.mcp.tool_process"],
            input=text, capture_output=True, text=True, check=True, cwd=permissions.read,
        )  # fmt: skip
        return json.loads(done.stdout)

    Path(permissions.read, "json.py").write_text("raise SystemExit(3)")  # is not imported
    answer = call(tool="query", arguments=ASKED["query"])["answer"]
    assert answer["answers"][0]["exact"]
    other = {"table": "asia.csv", "graph": "asia.csv"}
    assert call(tool="examine", arguments=other)["error"].startswith("asia.csv: a file of arcs")
    assert "outside the folder" in call(tool="check", arguments={"table": "../x.csv"})["error"]
