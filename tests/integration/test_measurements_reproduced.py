"""The scripts behind figures of the documentation that no paper has, each on its smallest table."""

from __future__ import annotations

import importlib
import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.regression import edge_slopes
from limits import AMPLE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(monkeypatch):
    """Import a script of the folder ``reproduce``."""
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))

    def imported(name):
        return importlib.import_module(name)

    return imported


def text_of(page):
    return " ".join((ROOT / "docs" / page).read_text("utf-8").split())


def rows_of(page):
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# --- neighbors and blankets ---------------------------------------------------------------------


def test_wrong_neighbors_on_the_page(script, monkeypatch, tmp_path):
    local = script("accuracy_local")
    monkeypatch.setattr(local, "EMBEDDED", ("child",))
    written = tmp_path / "out.md"
    words = ["accuracy_local", "--data", str(tmp_path), "--markdown", str(written)]
    monkeypatch.setattr(sys, "argv", words)
    local.main()
    (line,) = [one for one in written.read_text("utf-8").splitlines() if one.startswith("| child")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert len(cells) == 6
    assert cells in rows_of("reproduce/accuracy.md")
    data, truth = local.sampled("child", 0)
    found = ds.neighbors(data)
    wrong = sum(len({*found[x]} ^ {*truth.neighbors(x)}) for x in truth.names)
    assert local.judged(data, truth, {}, 60.0)[0] == wrong


# --- the balance of false and missing edges -----------------------------------------------------


def test_a_higher_balance_leaves_edges_out(script, monkeypatch, tmp_path):
    balance = script("balance")
    monkeypatch.setattr(balance, "PUBLISHED", {"asia": lambda _: ds.load_network("asia")})
    store, written = tmp_path / "kept.jsonl", tmp_path / "out.md"
    words = ["balance", "--seeds", "2", "--store", str(store), "--markdown", str(written)]
    monkeypatch.setattr(sys, "argv", words)
    assert balance.main() == 0
    kept = [json.loads(line)["found"]["shares"] for line in store.read_text("utf-8").splitlines()]
    assert len(kept) == 2
    for shares in kept:
        true, false = zip(*shares, strict=True)
        assert sorted(true, reverse=True) == list(true)
        assert sorted(false, reverse=True) == list(false)
    assert written.read_text("utf-8").count("\n| 0.") == len(balance.BALANCES)
    monkeypatch.setattr(balance, "shares", lambda *_: pytest.fail("done again"))
    assert balance.main() == 0


# --- fresh rows ---------------------------------------------------------------------------------


def test_fresh_rows_one_by_one(script):
    heldout = script("accuracy_heldout")
    network = ds.load_network("asia")
    data, fresh = network.sample(200, seed=0), network.sample(50, seed=1)
    fitted = ds.fit(ds.hill_climb(data, score="bic").dag, data)
    rows = heldout.row_likelihoods(fitted, fresh)
    assert len(rows) == 50
    assert rows.sum() == pytest.approx(fitted.log_likelihood(fresh))
    assert rows[0] == pytest.approx(fitted.log_likelihood(fresh.head(1)))


def test_what_the_default_gains_on_fresh_rows(script, monkeypatch, tmp_path):
    heldout = script("accuracy_heldout")
    found = tmp_path / "found.json"
    words = ["accuracy_heldout", "--only", "asia", "10 dense", "--rows", "100", "--seeds", "3"]
    monkeypatch.setattr(sys, "argv", [*words, "--json", str(found)])
    assert heldout.main() == 0
    records = json.loads(found.read_text("utf-8"))
    assert len(records) == 6
    first = records[0]
    network = ds.load_network("asia")
    data, fresh = network.sample(100, seed=0), network.sample(10_000, seed=1_000_000)
    default, bic = (
        ds.fit(ds.hill_climb(data, score=score, seed=0).dag, data).log_likelihood(fresh) / 10_000
        for score in (ds.default_score(data), "bic")
    )
    assert first["gain"] == pytest.approx(default - bic)
    below = heldout._below(records)
    dense = [record["gain"] for record in records[3:]]
    (line,) = [row for row in below.rows if row[0] == "10 dense, 100 rows"]
    error = float(np.std(dense, ddof=1)) / math.sqrt(3)
    assert line[2] == f"{np.mean(dense):+.4f} ± {error:.4f}"


# --- chance -------------------------------------------------------------------------------------


def test_how_often_scores_join_what_is_not_related(script, monkeypatch):
    """One family, the cheapest of the page."""
    noise = script("noise")
    name = "5 coins, 200 rows"
    monkeypatch.setattr(noise, "FAMILIES", {name: noise.FAMILIES[name]})
    _, _, line = noise.families(100)
    assert [cell.strip() for cell in line.strip("|").split("|")] in rows_of("explain/scores.md")


def test_tables_without_relations(script):
    """One table of each kind: a line for each on the page, with a count that includes it."""
    noise = script("noise")
    page = (ROOT / "docs/explain/scores.md").read_text("utf-8").splitlines()
    head, _, *lines = noise.families(1)
    assert head.replace("1 tables", "100 tables") in page
    for line in lines:
        name, *counts = (cell.strip() for cell in line.strip("|").split("|"))
        shown = next(row for row in page if row.startswith(f"| {name} |"))
        of_all = [cell.strip() for cell in shown.strip("|").split("|")][1:]
        for one, many in zip(counts, of_all, strict=True):
            assert (one == "") == (many == "")
            assert not one or int(one) <= int(many) <= 99 + int(one)


def test_the_figure_has_every_count_of_the_table(script):
    drawn = script("_noise_figure")
    scores, families = drawn.rows_of((ROOT / "docs/explain/scores.md").read_text("utf-8"))
    noise = script("noise")
    assert scores == [*noise.SCORES]
    assert [*families] == [name for name, own in noise.FAMILIES.items() if own.kind != "gaps"]
    assert all(counts[0] is not None for counts in families.values())
    figure = (ROOT / "docs/explain/noise.svg").read_text("utf-8")
    assert all(f">{name}<" in figure for name in [*scores, *families])


def test_rows_of_real_tables(script, tmp_path):
    real = script("real_tables")
    folder = tmp_path / "debd"
    folder.mkdir()
    whole = ds.load_network("asia").sample(330, seed=0)
    whole.write(folder / "some.csv.gz")
    (folder / "splits.csv").write_text("file,train,valid,test\nsome,200,30,100\n", "utf-8")
    train, test = real.parts(folder, "some")
    assert (train.n_rows, test) == (200, ds.read_data(folder / "some.csv.gz").take(range(230, 330)))
    lines = [*real.told(folder, "some", 9)]
    assert [line[0] for line in lines] == [f"some, {name}" for name in real.SCORES]
    found = ds.hill_climb(train, score="bic", restarts=0)
    mean = ds.fit(found.dag, train, ess=1).log_likelihood(test) / 100
    assert lines[2][1:] == [str(len(found.dag.arcs)), lines[2][2], lines[2][3], f"{mean:.3f}"]


# --- probabilities on known networks ------------------------------------------------------------


def test_what_posteriors_said_and_what_was_so(script, monkeypatch, capsys):
    posteriors = script("posterior_on_networks")
    monkeypatch.setattr(posteriors, "ROWS", (250,))
    words = ["posterior_on_networks", "--only", "cancer", "--seeds", "2", "--resamples", "2"]
    monkeypatch.setattr(sys, "argv", words)
    posteriors.main()
    head, *lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert head[:3] == ["way", "ECE", "Brier"]
    assert [line[0] for line in lines] == ["uniform prior", "fair prior", "fair prior, bagged"]
    truth = ds.load_network("cancer")
    missed = []
    for seed in range(2):
        said = ds.posterior(truth.sample(250, seed=seed), score="bdeu", prior="uniform")
        for i, a in enumerate(truth.names):
            for b in truth.names[i + 1 :]:
                there = (a, b) in truth.dag.arcs or (b, a) in truth.dag.arcs
                missed.append((said.probability(a, b, "adjacencies") - there) ** 2)
    assert lines[0][2] == f"{np.mean(missed):.4f}"
    counted = [cell.rpartition(" of ")[2] for cell in lines[0][3:] if cell != "-"]
    assert sum(map(int, counted)) == 2 * 10


def test_the_page_has_all_pairs_of_its_samples():
    """300 samples: 60 of each network, with 8, 11, 6, 5 and 5 variables."""
    page = (ROOT / "docs" / "explain" / "posterior.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if re.match(r"\| (\*\*)?(uniform|fair) prior", line)]
    assert len(rows) == 3
    for row in rows:
        assert sum(map(int, re.findall(r"\((\d+)\)", row))) == 60 * (28 + 55 + 15 + 10 + 10)


def test_pages_agree_on_which_number_is_nearest_to_the_truth():
    """What the page of the posterior says of the bagged one is what was measured."""
    rows = {row[0].strip("*"): row[1:] for row in rows_of("explain/trust.md") if len(row) == 6}
    said = text_of("explain/posterior.md")
    plain, bagged, both = (
        rows[name]
        for name in ("posterior, default", "bagged posterior, default", "mean of both, default")
    )
    assert f"({both[1]}, where the posterior has {plain[1]} and the bagged one {bagged[1]})" in said
    assert f"on 119 tables ({plain[0]}, bagged {bagged[0]})" in said
    fair = [rows[f"{kind}posterior, bdeu 1, fair"][0] for kind in ("bagged ", "")]
    assert f"there ({fair[0]} and {fair[1]})" in said
    assert float(both[1]) < min(float(plain[1]), float(bagged[1]))
    assert "the number to report is the mean of both" in said.lower()


def test_rows_that_are_foretold_settle_what_the_page_says(script):
    settle = script("settle")
    (line,) = settle.settled(20, [0.1])
    found = re.fullmatch(
        r"0\.1: settled in (\d\.\d\d) by the least, in (\d\.\d\d) by .* told in (\d\.\d\d)", line
    )
    assert found is not None, line
    (row,) = [row for row in rows_of("explain/trust.md") if row[0] == "0.1" and len(row) == 4]
    for said, measured in zip(row[1:], found.groups(), strict=True):
        assert float(said) == pytest.approx(float(measured), abs=0.2)


# --- slopes -------------------------------------------------------------------------------------


def test_intervals_of_slopes_that_were_found_hold_less_often(script):
    slopes = script("slopes")
    (line,) = slopes.coverage(4, [50])
    found = re.fullmatch(
        r"50 rows: (0\.\d\d) of (\d+) arcs found, .*; (0\.\d\d|1\.00) of (\d+) arcs of the true .*",
        line,
    )
    assert found is not None, line
    assert float(found[1]) < 0.95
    rows = {row[0]: row[1:] for row in rows_of("howto/numbers.md") if row[0].isdigit()}
    assert [*rows] == [str(n) for n in slopes.ROWS]
    for name in ("50", "1000"):  # the figures of the docstring
        shares = [f"{100 * float(cell.split()[0]):.0f} %" for cell in rows[name][:2]]
        assert all(share in edge_slopes.__doc__ for share in shares)


# --- calibration --------------------------------------------------------------------------------


def test_calibration_of_one_table(script):
    calibration = script("calibration")
    table, way = ("asia", 100, 700), "posterior, default"
    line = calibration.judge((table, (way,), math.inf))
    assert line["table"] == "asia/100/700"
    truth = ds.load_network("asia")
    data = truth.sample(100, seed=700)
    said = ds.posterior(data, max_parents=3, method="exact", seed=700)
    joined = {frozenset(arc) for arc in truth.dag.arcs}
    pairs = [
        (said.probability(a, b, "adjacencies"), frozenset((a, b)) in joined)
        for i, a in enumerate(truth.names)
        for b in truth.names[i + 1 :]
    ]
    told = [(p, true) for p, true in pairs if p >= calibration.LEAST]
    content = calibration.summarized([line])
    assert content["pairs"] == 28
    presence = content["ways"][way]["presence"]
    assert presence["claims"] == len(told)
    assert presence["brier"] == pytest.approx(np.mean([(p - true) ** 2 for p, true in told]))
    assert calibration.judge((table, (way,), -math.inf)) is None  # time was over


def test_what_is_said_of_one_table_is_counted_once(script, monkeypatch, tmp_path):
    words = script("words")
    monkeypatch.setattr(words, "ROWS", (100,))
    monkeypatch.setattr(words, "TIMES", {})
    kept = script("_kept").Kept(tmp_path / "kept")
    (found,) = words.said(["asia"], 1, kept)
    monkeypatch.setattr(words, "said_of", lambda *_: pytest.fail("it was kept"))
    (same,) = words.said(["asia"], 1, script("_kept").Kept(tmp_path / "kept"))
    assert found["edges"] == same["edges"]
    truth = ds.load_network("asia")
    data = truth.sample(100, seed=words.FIRST)
    asked = {"resamples": words.RESAMPLES, "max_parents": words.PARENTS}
    learned = ds.learn(data, runs=0, **asked, time_limit=AMPLE, seed=0)
    joined = {frozenset(arc) for arc in truth.dag.arcs}
    for word in words.WORDS:
        own = [edge for edge in learned.edges if edge.verdict == word]
        right = sum({edge.a, edge.b} in joined for edge in own)
        place = 3 + words.WORDS.index(word)
        assert words.words([found]).rows[0][place] == f"{right} of {len(own)}"
    presence = words.summed([found], words.MEAN)["presence"]
    pairs = [
        (learned.posterior.probability(a, b, "adjacencies"), frozenset((a, b)) in joined)
        for i, a in enumerate(truth.names)
        for b in truth.names[i + 1 :]
    ]
    said = [(p, true) for p, true in pairs if p >= 0.02]
    assert sum(cell[0] for cell in presence.cells[:-1]) == len(said)
    assert sum(cell[2] for cell in presence.cells[:-1]) == sum(true for _, true in said)
    brier = (sum((p - true) ** 2 for p, true in said) + presence.missed) / 28
    told = {words.MEAN: words.summed([found], words.MEAN)}
    (line,) = words.calibrated(told, words.pairs_of([found])).rows
    assert line[2] == f"{brier:.4f}"


def test_one_table_of_noise(script, monkeypatch, tmp_path):
    noise = script("noise")
    name = "6 coins, 4 rows"
    monkeypatch.setattr(noise, "FAMILIES", {name: noise.FAMILIES[name]})
    records = [*noise.words(2, script("_kept").Kept(tmp_path / "kept"))]
    whole = ["1 other kinds", "2", "0", "0"], ["all", "2", "0", "0"]
    assert noise.words_of(records).rows == [*whole]
    records[1]["number"] = True
    assert noise.words_of(records).rows[0] == [name, "2", "1", "0"]
    assert [*noise.words(2, script("_kept").Kept(tmp_path / "kept"), until=0.0)] == []
