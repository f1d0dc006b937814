"""The published settings of searches, at the command line: the same as in Python."""

from __future__ import annotations

import json

import pytest

import dagscape as ds


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = ds.load_network("asia").sample(300, seed=0)
    data.write(tmp_path / "t.csv")
    return ds.read_data(tmp_path / "t.csv")


def arcs_of(text):
    return [tuple(line.split("\t")) for line in text.splitlines()[1:]]


@pytest.mark.parametrize("settings", [
    {"neighborhood": "swap", "init": "dfs", "restarts": 3},
    {"neighborhood": "swap", "init": "random", "restarts": 2, "max_steps": 1},
    {"neighborhood": "block", "generations": 1, "restarts": 2},
    {"parent_sets": "grown", "restarts": 2},
    {"selection": "greedy", "generations": 0, "restarts": 2},
])  # fmt: skip
def test_order_is_the_search(run, table, settings):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    done = run("order", "t.csv", "--score", "bic", "--seed", 3, "--save", "r.json", *words)
    assert done.exit_code == 0, done.stderr
    expected = ds.order_search(table, score="bic", seed=3, **settings)
    found = ds.load_result("r.json")
    assert found.dag == expected.dag
    assert sorted(arcs_of(done.stdout)) == sorted(expected.dag.arcs)
    assert "order search" in done.stderr


def test_order_begins_where_it_is_told(run, table):
    words = ("--neighborhood", "swap", "--restarts", 1, "--score", "bic", "--save", "r.json")
    done = run("order", "t.csv", *words, "--start", "asia")
    assert done.exit_code == 0, done.stderr
    true = ds.load_network("asia").dag
    asked = {"neighborhood": "swap", "restarts": 1, "score": "bic"}
    assert ds.load_result("r.json").dag == ds.order_search(table, start=true, **asked).dag
    assert "from a given order" in done.stderr
    refused = run("order", "t.csv", *words, "--start", "alarm")
    assert refused.exit_code == 2
    assert "start must have the variables of the data" in refused.stderr


def test_order_takes_parent_sets_and_writes_what_exact_does(run, table):
    assert run("parents", "t.csv", "--score", "bic", "-o", "p.jkl").exit_code == 0
    done = run("order", "p.jkl", "-o", "found.dot", "--json")
    assert done.exit_code == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["score"] == pytest.approx(ds.exact(table, score="bic").score)
    assert ds.read_graph("found.dot").arcs
    for wrong, words in (
        (("order", "p.jkl", "--score", "bic"), "--score: only for tables"),
        (("order", "t.csv", "--init", "best"), 'unknown init "best"'),
        (("order", "t.csv", "-o", "x.json", "--save", "x.json"), "they write two files"),
    ):
        refused = run(*wrong)
        assert refused.exit_code == 2
        assert words in refused.stderr


@pytest.mark.parametrize("method", ["ges", "kes", "hill_climb", "mmhc", "sll_c", "sll_g"])
def test_learn_by_one_search(run, table, method):
    words = ("--runs", 0, "--resamples", 0, "--out", "o", "--score", "bic", "--k", 0.5, "--quiet")
    done = run("learn", "t.csv", "--method", method, *words)
    assert done.exit_code == 0, done.stderr
    search = getattr(ds, method)
    given = {"k": 0.5} if method == "kes" else {}
    assert ds.load_result("o/result.json").dag == search(table, score="bic", **given).dag


def test_blankets_by_the_papers_settings(run, table):
    words = ("--target", "lung", "--method", "sll", "--spouses", "published", "--order", "data")
    done = run("blanket", "t.csv", *words, "--json")
    assert done.exit_code == 0, done.stderr
    found = ds.markov_blanket(table, "lung", method="sll", spouses="published", order="data")
    members = json.loads(done.stdout)["blankets"][0]["members"]
    assert {member["name"] for member in members} == set(found)
    refused = run("blanket", "t.csv", "--target", "lung", "--spouses", "some")
    assert 'unknown spouses "some"' in refused.stderr


@pytest.mark.parametrize("rules", ["all", "none", "published", "limit,dominance"])
def test_pruning_by_name_changes_no_optimum(run, table, rules):
    done = run("exact", "t.csv", "--score", "bic", "--prune", rules, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["score"] == pytest.approx(ds.exact(table, score="bic").score)
    written = run("parents", "t.csv", "--score", "bic", "--prune", rules, "-o", "p.jkl", "--json")
    names = {"all": True, "none": False}.get(rules, rules.split(","))
    expected = ds.candidate_parents(table, score="bic", prune=names)
    assert json.loads(written.stdout)["sets"] == len(expected)


def test_a_number_of_sets_is_the_same_everywhere(run, table):
    words = ("--method", "independence", "--sets-per-variable", 30, "-o", "p.jkl", "--json")
    done = run("parents", "t.csv", *words)
    assert done.exit_code == 0, done.stderr
    expected = ds.candidate_parents(table, method="independence", sets_per_variable=30)
    assert json.loads(done.stdout)["sets"] == len(expected)
    assert "not for method" in run("parents", "t.csv", "--sets-per-variable", 30).stderr


def test_the_best_of_each_size_at_the_command_line(run, table):
    words = ("--keep-of-size", 2, "--score", "bic", "-o", "p.jkl", "--json")
    done = run("parents", "t.csv", *words)
    assert done.exit_code == 0, done.stderr
    expected = ds.candidate_parents(table, score="bic", keep_of_size=2)
    said = json.loads(done.stdout)
    assert (said["sets"], said["exhaustive"]) == (len(expected), False)


def test_trap_is_a_network_by_name(run):
    done = run("sample", "trap", "-n", 5, "--seed", 1)
    assert done.exit_code == 0, done.stderr
    assert len(done.stdout.splitlines()) == 6
    assert done.stdout.startswith(",".join(ds.trap().names[:4]))
