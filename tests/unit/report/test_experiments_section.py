"""The page's section on experiments: the strip, the directions owed to each, the ranking."""

import re
from base64 import b64decode
from xml.etree import ElementTree

import numpy as np
import pytest

import dagscape as ds
from dagscape.report.claims import ALWAYS_SET
from dagscape.report.content import content
from dagscape.report.experiments_section import experiments_section, strip
from dagscape.report.page_answers import own_rows_of


@pytest.fixture(scope="module")
def learned():
    rng = np.random.default_rng(3)
    which = np.arange(600) % 3
    a = rng.integers(0, 2, 600)
    b = np.where(which == 1, rng.integers(0, 2, 600), a ^ (rng.random(600) < 0.1))
    c = b ^ (rng.random(600) < 0.1)
    d = np.where(which == 2, rng.integers(0, 2, 600), c ^ (rng.random(600) < 0.1))
    what = np.array(["", "b", "<d>"], dtype=object)[which]
    done = ds.Interventions(column="what", experiments={"b": ["b"], "<d>": ["d"]})
    data = ds.Data({"a": a, "b": b, "c": c, "d": d, "what": what}, interventions=done)
    return ds.learn(data, runs=0, resamples=4)


@pytest.mark.slow
def test_directions_are_owed_to_the_experiments_that_tell_them(learned):
    shown = experiments_section(learned).content()
    tables = {table["title"]: table for table in shown["tables"]}
    owed = {row[0]: row for row in tables["Directions owed to each experiment"]["rows"]}
    assert owed["b"][1:] == [200, "b", "a → b, b → c"]
    assert owed["<d>"][1:] == [200, "d", "c → d"]
    assert owed["none"][1:] == [200, "none", "none"]
    for (x, y), why in learned.mpdag.reasons.items():
        for label in why.experiments:
            assert f"{x} → {y}" in owed[label][3]


def test_the_ranking_is_that_of_the_posterior(learned):
    shown = experiments_section(learned).content()
    table = next(each for each in shown["tables"] if each["title"] == "Which experiment next")
    ranked = learned.posterior.next_experiments(frame="dict")
    assert [row[0] for row in table["rows"]] == ranked["variable"]
    said = dict(shown["lines"])
    assert said["Rows"] == ["rows by what: none 200, <d> 200 (sets d), b 200"]
    assert said["Directions"] == ["of 3 edges: 3 from experiments."]
    assert said["Ignored"][0].startswith("if they were ignored, the network would have")


def test_the_strip_has_a_box_for_each_target_as_wide_as_its_rows(learned):
    done = learned.data.rows.interventions
    picture = ElementTree.fromstring(strip(done))
    name = "{http://www.w3.org/2000/svg}"
    words = [each.text for each in picture.iter(f"{name}text")]
    assert words.count("200") == 3
    assert {"none", "<d>", "b", "d", "rows"} <= {*words}
    boxes = [each for each in picture.iter(f"{name}rect") if each.get("fill") == "#b4530a"]
    assert len(boxes) == 2
    assert [float(each.get("width")) for each in boxes] == pytest.approx([212.3, 212.3], abs=0.1)
    address = experiments_section(learned).content()["pictures"][0][1]
    assert b64decode(re.sub("^.*base64,", "", address)).decode() == strip(done)


def test_the_page_has_what_was_seen_where_an_experiment_set_a_variable(learned):
    data = learned.data
    done, own = data.rows.interventions, content(learned, data=data)["own_rows"]
    assert [(each["experiment"], each["node"], each["value"]) for each in own] == [
        *(("b", 1, code) for code in (0, 1)),
        *(("<d>", 3, code) for code in (0, 1)),
    ]
    b = done.labels.index("b")
    here = (done.codes == b) & (data.column("b") == 1)
    assert own[1]["rows"] == here.sum()
    assert {*own[1]["outcomes"]} == {"0", "2", "3"}
    share, low, high = own[1]["outcomes"]["2"][1]
    assert share == pytest.approx((data.column("c")[here] == 1).mean(), abs=1e-4)
    assert low < share < high
    assert own_rows_of(learned.dag, data.untouched) == []


def test_the_page_has_the_section_and_others_do_not(learned, tmp_path):
    learned.report(tmp_path / "page.html")
    assert "Directions owed to each experiment" in (tmp_path / "page.html").read_text("utf-8")
    plain = ds.learn(learned.data.untouched, runs=0, resamples=0)
    assert experiments_section(plain) is None
    titles = [section["title"] for section in content(plain, data=plain.data)["sections"]]
    assert "Experiments" not in titles


def test_a_table_of_two_variables_has_a_page_too(tmp_path):
    rng = np.random.default_rng(0)
    what = np.array(["", "a"], dtype=object)[np.arange(200) % 2]
    a = rng.integers(0, 2, 200)
    own = {"a": a, "b": a ^ (rng.random(200) < 0.2), "what": what}
    data = ds.Data(own, interventions=ds.Interventions(column="what"))
    learned = ds.learn(data, runs=0, resamples=2)
    assert learned.mpdag.directed == (("a", "b"),)
    learned.report(tmp_path / "page.html")
    assert learned.touched is not None


def test_what_was_set_in_every_row_is_no_knowledge_of_time():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 200))
    frame = {"a": a, "b": b, "c": a ^ b, "d": a, "what": ["b"] * 200}
    data = ds.Data(frame, interventions=ds.Interventions(column="what"))
    shown = content(ds.learn(data, runs=0, resamples=2), data=data)
    known = shown["knowledge"]
    assert known["by"] == "experiments"
    assert known["parts"] == [["Experiments", f"b. {ALWAYS_SET}"]]
