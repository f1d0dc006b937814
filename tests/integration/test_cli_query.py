"""``dagscape query`` and ``dagscape predict``: the package's answers, on the terminal."""

from __future__ import annotations

import csv
import json

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia")


def table(text):
    return [line.split("\t") for line in text.splitlines()]


def test_a_query_is_what_the_package_answers(run, asia):
    found = table(
        run("query", "asia", "lung", "--given", "smoke=yes", "--given", "xray=yes").stdout
    )
    expected = asia.query("lung", {"smoke": "yes", "xray": "yes"})
    assert found == [["lung", "probability"], *([s, f"{p:.6f}"] for s, p in expected.items())]


def test_several_targets_are_asked_together(run, asia):
    found = table(run("query", "asia", "lung", "bronc").stdout)
    assert found[0] == ["lung", "bronc", "probability"]
    assert found[2][:2] == ["yes", "no"]
    assert float(found[2][2]) == pytest.approx(asia.query(["lung", "bronc"])["yes", "no"], abs=1e-6)


def test_without_a_target_each_variable(run, asia):
    found = table(run("query", "asia", "--given", "dysp=yes").stdout)
    assert found[0] == ["variable", "state", "probability"]
    assert [row[0] for row in found[1::2]] == list(asia.names)


def test_what_is_set_is_not_what_is_seen(run):
    seen = table(run("query", "asia", "smoke", "--given", "lung=yes").stdout)[1][1]
    done = table(run("query", "asia", "smoke", "--do", "lung=yes").stdout)[1][1]
    assert (seen, done) == ("0.909091", "0.500000")


def test_setting_what_no_directed_path_leads_from_says_so(run):
    stays = run("query", "asia", "smoke", "--do", "xray=yes")
    assert "setting xray changes nothing here: no directed path leads to smoke" in stays.stderr
    assert "equivalent networks" not in stays.stderr  # xray is below a collider in all of them
    either = run("query", "asia", "smoke", "--do", "bronc=yes")
    assert "equivalent networks have one, and data alone cannot tell" in either.stderr
    for words in (
        ("lung", "--do", "smoke=yes"),
        ("smoke", "--do", "bronc=yes", "--given", "dysp=yes"),  # dysp joins what both cause
        ("lung", "--do", "smoke=yes", "--json"),
    ):
        assert "directed path" not in run("query", "asia", *words).stderr
    assert "no directed path leads to smoke" in (
        run("query", "asia", "smoke", "--do", "xray=yes", "--json").stderr
    )
    both = run("query", "asia", "smoke", "lung", "--do", "bronc=yes").stderr
    assert "leads to smoke" in both
    assert "leads to lung" in both
    some = run("query", "asia", "--do", "lung=yes").stderr
    assert "setting lung changes only either, xray and dysp, where directed paths lead" in some
    none = run("query", "asia", "--do", "xray=yes").stderr
    assert "setting xray changes nothing: no directed path leads to any variable" in none


def test_weights(run, asia):
    found = table(run("query", "asia", "lung", "--given", "xray=yes:3,no:1").stdout)
    expected = asia.query("lung", {"xray": {"yes": 3, "no": 1}})
    assert found[1] == ["yes", f"{expected['yes']:.6f}"]


def test_names_and_states_with_signs(run, tmp_path):
    dag = ds.Dag(["a=b", "c"], [("a=b", "c")])
    states = {"a=b": ["x:1", "y=2"], "c": ["u", "v"]}
    net = ds.Network(dag, states, {"a=b": [0.5, 0.5], "c": [[0.2, 0.8], [0.7, 0.3]]})
    net.write(tmp_path / "odd.json")
    for state, expected in (("x:1", "0.200000"), ("y=2", "0.700000")):
        found = table(run("query", "odd.json", "c", "--given", f"a=b={state}").stdout)
        assert found[1] == ["u", expected]


def test_json(run, asia):
    found = json.loads(run("query", "asia", "lung", "--given", "smoke=yes", "--json").stdout)
    assert found["targets"] == ["lung"]
    assert found["given"] == ["smoke = yes"]
    assert found["exact"] is True
    assert found["probabilities"][0] == {"lung": "yes", "probability": pytest.approx(0.1)}
    every = json.loads(run("query", "asia", "--json").stdout)
    assert [one["targets"][0] for one in every] == list(asia.names)


def test_the_most_probable_case(run, asia):
    found = run("query", "asia", "--most-probable", "--given", "xray=yes")
    expected = asia.most_probable({"xray": "yes"})
    assert dict(table(found.stdout)[1:]) == expected.states
    assert f"together they have probability {expected.probability:.4g}" in found.stderr
    told = json.loads(run("query", "asia", "--most-probable", "--json").stdout)
    assert told["states"] == asia.most_probable().states


def test_an_estimate_says_so(run):
    found = run("query", "asia", "lung", "--max-memory", "10", "--samples", "1000")
    assert table(found.stdout)[0] == ["lung", "probability", "error"]
    assert "probabilities are estimated from 1,000 weighted samples" in found.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lungs"], 'no variable "lungs"; did you mean "lung"?'),
        (["lung", "--given", "smoke"], '--given must be NAME=STATE, got "smoke"'),
        (["lung", "--given", "smok=yes"], 'no variable "smok"; did you mean "smoke"?'),
        (["lung", "--given", "smoke=y"], '"y" is not a state of "smoke"'),
        (["lung", "--given", "smoke=yes:2,no:x"], "--given has weights as STATE:2,STATE:1"),
        (["lung", "--given", "smoke=yes", "--given", "smoke=no"], '--given names "smoke" twice'),
        (["lung", "--do", "smoke"], '--do must be NAME=STATE, got "smoke"'),
        (["lung", "--most-probable"], "--most-probable is about all variables together"),
        (["dysp", "--given", "lung=yes", "--given", "either=no"], "are impossible together"),
    ],
)
def test_mistakes(run, words, said):
    found = run("query", "asia", *words)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert said in found.stderr


def test_predictions(run, asia, tmp_path):
    (tmp_path / "rows.csv").write_text("smoke,xray,note\nyes,yes,first\nno,NA,second\n,,\n")
    shown = run("predict", "asia", "rows.csv", "--target", "lung")
    rows = list(csv.reader(shown.stdout.splitlines()))
    assert rows[0] == ["row", "lung", "P(yes)", "P(no)"]
    expected = [{"smoke": "yes", "xray": "yes"}, {"smoke": "no"}, {}]
    for place, given in enumerate(expected, 1):
        answer = asia.query("lung", given)
        assert rows[place] == [
            str(place),
            max(answer, key=answer.get),
            *(f"{p:.6f}" for p in answer.values()),
        ]
    stored = run("predict", "asia", "rows.csv", "--target", "lung", "-o", "out.csv")
    assert "3 predictions in out.csv" in stored.stderr
    assert (tmp_path / "out.csv").read_text() == shown.stdout
    told = json.loads(run("predict", "asia", "rows.csv", "--target", "lung", "--json").stdout)
    assert told["rows"][0]["prediction"] == "yes"


def test_predictions_from_a_typed_file(run, asia, tmp_path):
    data = asia.sample(30, seed=1)
    data.write(tmp_path / "rows.parquet")
    shown = run("predict", "asia", "rows.parquet", "--target", "dysp").stdout.splitlines()
    assert [line.split(",")[1] for line in shown[1:]] == list(asia.predict(data, "dysp"))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("smoke\noften\n", 'column "smoke", row 1: "often" is not a state of this variable'),
        ("Smoke\nyes\n", 'column "Smoke" is not a variable of the network; did you mean "smoke"?'),
        ("weight\n3\n", "the table has none of the network's other variables"),
        ("smoke;xray\nyes;no\n", "smoke;xray"),
    ],
)
def test_bad_rows(run, tmp_path, cells, said):
    (tmp_path / "rows.csv").write_text(cells)
    found = run("predict", "asia", "rows.csv", "--target", "lung")
    assert found.exit_code == 2
    assert said in found.stderr


def test_a_folder_of_learn_is_asked_by_its_network(run, asia, tmp_path):
    asia.sample(300, seed=1).write(tmp_path / "t.csv")
    assert run("learn", "t.csv", "--out", "learned", "--runs=0", "--resamples", 0).exit_code == 0
    asked = [run("query", where, "lung").stdout for where in ("learned", "learned/network.json")]
    assert asked[0] == asked[1] != ""


def test_predictions_go_to_a_csv(run, tmp_path):
    (tmp_path / "rows.csv").write_text("smoke\nyes\n")
    found = run("predict", "asia", "rows.csv", "--target", "lung", "-o", "out.xlsx")
    assert found.exit_code == 2
    assert '"out.xlsx" must end in .csv' in found.stderr


def test_rows_with_semicolons_are_read_by_an_option(run, tmp_path):
    ds.load_network("asia").sample(20, seed=1).write(tmp_path / "t.csv")
    text = (tmp_path / "t.csv").read_text()
    (tmp_path / "s.csv").write_text(text.replace(",", ";"))
    refused = run("predict", "asia", "s.csv", "--target", "lung")
    assert refused.exit_code == 2
    assert "by semicolons: give --separator ';'" in refused.stderr
    read = run("predict", "asia", "s.csv", "--target", "lung", "--separator", ";")
    assert read.stdout == run("predict", "asia", "t.csv", "--target", "lung").stdout != ""


def test_what_knowledge_rules_out_is_not_called_open(run, tmp_path):
    (tmp_path / "known.toml").write_text('tiers = [["smoke"], ["bronc"]]\n', encoding="utf-8")
    data = ds.load_network("asia").sample(300, seed=1).select(["smoke", "bronc"])
    data.write(tmp_path / "t.csv")
    run("learn", "t.csv", "--knowledge", "known.toml", "--runs", "0", "--resamples", "0")
    said = run("query", "t-learned", "smoke", "--do", "bronc=yes").stderr
    assert "setting bronc changes nothing here: no directed path leads to smoke" in said
    assert "equivalent networks" not in said
