"""The page as a file: nothing in it can end the script, notes are told."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pytest

import dagscape as ds
from dagscape.report import page_tables as notes_module
from dagscape.report.content import content
from dagscape.report.report import as_script, page

NASTY = [
    "</script><script>alert(1)</script>",
    "<!--DATA-->",
    "<!--SCRIPT-->",
    '"quoted" \\ back\\slash',
    "line\nend\u2028\u2029",
    "漢字 и ελληνικά 🦉",
    "&amp; <b>bold</b>",
    "$x^2$ __proto__",
]


class TestThePage:
    def test_names_cannot_break_out(self):
        columns = {name: [0, 1, 0, 1, 1, 0, 1, 0] for name in NASTY}
        columns[NASTY[0]] = ["</script>", "<!--", "</script>", "<!--"] * 2
        data = ds.Data(columns)
        result = ds.ges(data)
        text = page(content(result, data=data, title="</title><script>alert(2)</script>"))
        scripts = re.findall(r"<script\b[^>]*>", text)
        assert len(scripts) == text.count("</script>") == 2
        held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
        told = json.loads(held[1])
        assert told["names"] == list(result.dag.names)
        assert set(told["variables"][told["names"].index(NASTY[0])]["states"]) == {
            "</script>",
            "<!--",
        }
        assert "<title>&lt;/title&gt;&lt;script&gt;" in text

    def test_a_browser_runs_the_script_of_the_page_and_no_other(self):
        data = ds.Data({"a": [0, 1, 0, 1], "b": [0, 1, 1, 1]})
        result = ds.ges(data)
        text = page(content(result, data=data, title="'sha256-x' <!--SCRIPT-HASH-->"))
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
        known = b64encode(sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{known}';" in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2]
        assert not re.search(r"<[^>]*\son[a-z]+=", text.partition("<script")[0])

    @pytest.mark.parametrize("text", ["</script>", "<!--<script>", "\u2028\u2029", "\ud800 half"])
    def test_text_comes_back_as_it_was(self, text):
        safe = as_script({"name": text})
        assert not set("<>&\u2028\u2029\ud800") & set(safe)
        assert json.loads(safe) == {"name": text}

    def test_it_asks_for_nothing_outside(self, shown):
        text = page(shown)
        assert set(re.findall(r"(?:src|href)\s*=\s*(\S+?)[\s>]", text)) == {
            '"#network"',
            '"data:,"',
        }
        assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|WebSocket", text)
        assert "default-src 'none'" in text

    def test_it_is_the_same_every_time_and_for_any_order_of_columns(self, data):
        def written(table):
            result = ds.exact(table, max_parents=2)
            shown = content(result, data=table)
            names = shown["names"]
            return {frozenset((names[p[0]], names[p[1]])): p[6] for p in shown["pairs"]}, {
                n: v["at"] for n, v in zip(names, shown["variables"], strict=True)
            }

        few = data.select(data.names[:7])
        assert written(few) == written(few.select(few.names[::-1]))

    def test_it_is_small(self, shown):
        assert len(page(shown).encode()) < 450_000

    @pytest.mark.slow
    def test_hundreds_of_variables_stay_below_three_megabytes(self):
        rng = np.random.default_rng(0)
        names = [f"a variable with a long name {i}" for i in range(400)]
        arcs = [(names[rng.integers(j)], names[j]) for j in range(1, 400) for _ in range(3)]
        dag = ds.Dag(names, set(arcs))
        data = ds.Data(rng.integers(0, 3, (50, 400)), names=names)
        result = ds.Result(
            dag=dag, score=ds.score(data, dag, score="bic"), score_name="bic", method="x"
        )
        assert len(page(content(result, data=data)).encode()) < 3_000_000


class TestReport:
    def test_it_writes_the_page(self, result, tmp_path, data, landscape, truth):
        result.report(tmp_path / "r.html", data=data, landscape=landscape, truth=truth, title="T")
        text = (tmp_path / "r.html").read_text("utf-8")
        assert text.startswith("<!DOCTYPE html>")
        assert "<title>T</title>" in text
        result.report(str(tmp_path / "s.html"))
        assert "A Bayesian network of 20 variables" in (tmp_path / "s.html").read_text("utf-8")

    def test_a_network_of_one_variable_without_edges_has_one_too(self, tmp_path):
        data = ds.Data({"x": ["a", "b", "a"]})
        ds.exact(data).report(tmp_path / "r.html", data=data)
        assert (tmp_path / "r.html").stat().st_size > 10_000

    def test_settings_are_told_in_words(self, data):
        shown = content(ds.exact(data, max_parents=2))
        asked = dict(shown["result"]["asked"])
        assert asked["max parents"] == "2"
        assert asked["prune"] == "yes"
        assert "time limit" not in asked
        assert not any("mappingproxy" in words for _, words in shown["result"]["work"])

    def test_other_data_are_refused(self, result, truth, tmp_path):
        with pytest.raises(ds.ParameterError, match=r"not those of the result: .*scores -"):
            result.report(tmp_path / "r.html", data=truth.sample(300, seed=4))
        assert not (tmp_path / "r.html").exists()

    @pytest.mark.parametrize(
        ("what", "words"),
        [
            (lambda: {"landscape": 3}, "landscape must be a Landscape or a Bootstrap, got int"),
            (lambda: {"network": 3}, "network must be a Network, got int"),
            (lambda: {"truth": 3}, "truth must be a Dag, a Cpdag or a Network, got int"),
            (lambda: {"title": 3}, "title must be words, got int"),
            (lambda: {"truth": ds.Dag("ab")}, 'truth must have the same variables: "Age"'),
            (lambda: {"data": ds.Data({"a": [0, 1]})}, 'data must have the same variables: "Age"'),
            (lambda: {"weights": "sum"}, 'unknown weights "sum"'),
        ],
    )
    def test_what_is_wrong_is_said(self, result, landscape, tmp_path, what, words):
        with pytest.raises(ds.ParameterError, match=re.escape(words)):
            result.report(tmp_path / "r.html", **{"landscape": landscape} | what())

    def test_a_network_of_other_arcs_is_refused(self, result, truth, tmp_path):
        with pytest.raises(ds.ParameterError, match="must have the arcs of the result"):
            result.report(tmp_path / "r.html", network=truth)

    def test_a_folder_that_is_not_there_is_said(self, result, tmp_path):
        with pytest.raises(ds.ParameterError, match="cannot be written"):
            result.report(tmp_path / "nowhere" / "r.html")


@pytest.fixture(scope="module")
def lossy():
    """A table that lost most of its rows."""
    columns = {
        f"x{j}": [None if i % 10 == j else "ab"[(i + j) // 3 % 2] for i in range(100)]
        for j in range(8)
    }
    with pytest.warns(ds.DataWarning):
        return ds.Data(columns | {"y": ["u ", "u", "v", "n/a"] * 25}, missing="drop")


class TestNotes:
    def test_the_loud_come_first_and_all_columns_are_listed(self, lossy):
        result = ds.ges(lossy)
        for shown in (content(result), content(result, data=lossy)):
            first, *rest = shown["notes"]
            assert first["loud"]
            assert first["words"].startswith("80 of 100 rows (80 %) had a missing value")
            assert [name for name, _ in first["columns"]] == [f"x{j}" for j in range(8)]
            assert first["columns"][0][1] == "10 cells, 100 rows"
            assert not any(note["loud"] or note["columns"] for note in rest)
            assert 'column "y" has a state "n/a"' in " ".join(note["words"] for note in rest)

    def test_what_was_done_to_the_table_is_told_though_the_table_was_written_since(self, lossy):
        clean = ds.Data.from_codes(lossy.codes, lossy.states)
        assert content(ds.ges(lossy), data=clean)["notes"][0]["loud"]

    def test_very_many_columns_are_counted(self, monkeypatch, lossy):
        monkeypatch.setattr(notes_module, "MOST_LISTED", 6)
        first = content(ds.ges(lossy))["notes"][0]
        assert (len(first["columns"]), first["more"]) == (6, 2)

    def test_advice_names_no_settings(self, lossy):
        words = json.dumps(content(ds.ges(lossy))["notes"])
        assert "missing=" not in words
        assert "missing_values" not in words
        assert "--" not in words
