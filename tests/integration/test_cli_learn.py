"""``dagscape learn``: what it writes and says, goes on with and refuses."""

from __future__ import annotations

import csv
import json
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from clocks import Clock
from dagscape.graph_files import read_edges
from dagscape.knowledge import Knowledge
from dagscape.landscape import optima
from dagscape.learning import learn_result
from dagscape.posteriors.posterior import Posterior
from dagscape.report import content
from dagscape.words import duration
from limits import AMPLE, WAIT
from listening import LISTENING, interrupted, wait_until

FILES = {
    "network.svg",
    "network.pdf",
    "network.bif",
    "network.json",
    "essential.graphml",
    "consensus.graphml",
    "edges.csv",
    "agreement.csv",
    "posterior.sqlite",
    "search-choices.json",
    "search-posterior.sqlite",
    "search-posterior-plain.sqlite",
    "search-stability.sqlite",
    "result.json",
    "report.html",
    "run.json",
    "runs.sqlite",
    "search.json",
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(400, seed=2).write(path)
    return path


def outcome(folder: Path) -> tuple[object, ...]:
    """Return all of a folder that does not depend on time."""
    run = json.loads((folder / "run.json").read_text())
    result = ds.load_result(folder / "result.json")
    return (
        (folder / "network.bif").read_text(),
        (folder / "edges.csv").read_text(),
        (folder / "agreement.csv").read_text(),
        (folder / "essential.graphml").read_text(),
        (result.dag, result.score, result.bound, result.claim, result.method),
        (run["state"], run["runs"], run["optima"]),
        ds.load_result(folder / "runs.sqlite", ds.Landscape).optima,
    )


def test_every_promised_file_is_written_and_reads_back(run, table, tmp_path):
    result = run("learn", table, "--runs", "30")
    assert result.exit_code == 0
    folder = tmp_path / "asia-learned"
    assert {path.name for path in folder.iterdir()} == FILES
    data = ds.read_data(table)
    best = ds.exact(data)
    network = ds.read_bif(folder / "network.bif")
    assert network.dag == best.dag
    assert ds.read_network(folder / "network.json").dag == best.dag
    assert ds.read_graph(folder / "essential.graphml") == best.cpdag
    saved = ds.load_result(folder / "result.json")
    assert saved.optimal
    assert saved.score == pytest.approx(best.score, abs=1e-9)
    with open(folder / "edges.csv", newline="") as file:
        edges = list(csv.DictReader(file))
    posterior = ds.load_result(folder / "posterior.sqlite", ds.Posterior)
    said = posterior.features("adjacencies", least=0.01).iter_rows(named=True)
    probable = {frozenset((row["from"], row["to"])): row["probability"] for row in said}
    told = {frozenset((row["from"], row["to"])): float(row["probability"]) for row in edges}
    for row in edges:
        pair = frozenset((row["from"], row["to"]))
        assert float(row["probability"]) == pytest.approx(probable.get(pair, 0), abs=0.01)
    nearest = ds.read_graph(folder / "consensus.graphml")
    assert nearest == posterior.consensus()
    marks = read_edges(folder / "consensus.graphml")
    for pair in (*nearest.directed, *nearest.undirected):
        assert marks[pair]["probability"] == pytest.approx(told[frozenset(pair)])
    with open(folder / "agreement.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert "agreement" in rows[0]
    assert "confidence" not in rows[0]
    assert {row["of"] for row in rows} == {"edges", "paths", "blankets"}
    landscape = ds.local_optima(data, runs=30, score=best.score_kind)
    assert len([row for row in rows if row["of"] == "edges"]) == landscape.features("edges").height
    noted = json.loads((folder / "run.json").read_text())
    assert noted["state"] == "done"
    assert noted["identity"]["data"] == data.fingerprint
    assert noted["versions"]["dagscape"] == ds.__version__
    assert "<html" in (folder / "report.html").read_text()


@pytest.mark.usefixtures("table")
def test_one_call_makes_its_edges_and_its_layout_once(run, monkeypatch):
    made: Counter[str] = Counter()

    def counting(module, name):
        original = getattr(module, name)

        def counted(*args, **settings):
            made[name] += 1
            return original(*args, **settings)

        monkeypatch.setattr(module, name, counted)

    counting(learn_result, "edges_of")
    counting(Posterior, "pair_choices")
    counting(Posterior, "consensus")
    counting(Knowledge, "orient")
    counting(content, "layered")
    content._laid_out.cache_clear()
    Path("order.toml").write_text('tiers = [["asia", "smoke"]]', "utf-8")
    shown = run("learn", "asia.csv", "--resamples", 4, "--runs", 0, "--knowledge", "order.toml")
    assert shown.exit_code == 0, shown.stderr
    once = {"edges_of", "consensus", "pair_choices", "layered"}
    assert {name for name, many in made.items() if many == 1} == once
    # The class of the network, with hidden causes and without, the consensus, and the networks of
    # eight resampled tables.
    assert made["orient"] == 3 + 8


def test_features_are_marked_by_the_network_beside_them(run, tmp_path):
    # Greedy search cannot see parity, so the best local optimum is another network.
    rows = ["a,b,c,d"] + [
        f"{i & 1},{i >> 1 & 1},{(i ^ i >> 1) & 1},{i >> 2 & 1}" for i in range(400)
    ]
    (tmp_path / "parity.csv").write_text("\n".join(rows) + "\n")
    assert run("learn", "parity.csv", "--runs", "20", "--resamples", "3").exit_code == 0
    folder = tmp_path / "parity-learned"
    graph = ds.read_bif(folder / "network.bif").dag.to_cpdag()
    assert len(graph.directed) == 2
    with open(folder / "agreement.csv", newline="") as file:
        edges = [row for row in csv.DictReader(file) if row["of"] == "edges"]
    marked = {(row["from"], row["to"]) for row in edges if row["in_best"] == "true"}
    assert marked == {*graph.directed, *graph.undirected}


def test_the_summary_fits_a_screen_and_says_what_was_proven(run, table):
    result = run("learn", table, "--runs", "30", "--truth", "asia")
    lines = result.stdout.splitlines()
    assert len(lines) <= 30
    assert max(len(line) for line in lines if "asia-learned" not in line) < 100
    titles = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert titles == [
        "Network",
        "Edges",
        "Open",
        "Nearest",
        "Fit",
        "Hidden",
        "Table",
        "Knowledge",
        "Search",
        "Truth",
        "Files",
    ]
    assert "optimal" in result.stdout
    assert "of 8 true edges are missing" in result.stdout
    assert "at most 2 min to learn and then 30 runs" in result.stderr


def test_knowledge_is_in_the_claim_the_graph_and_the_summary(run, table, tmp_path):
    (tmp_path / "known.toml").write_text(
        'required = [["smoke", "lung"]]\nforbidden = [["bronc", "dysp"], ["dysp", "bronc"]]\n'
        'tiers = [["asia", "smoke"], ["tub", "bronc"]]\n'
    )
    result = run("learn", table, "--knowledge", "known.toml")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "optimal among networks that obey your knowledge; the best network without it" in said
    assert "Knowledge 1 required arc, 2 forbidden arcs, 2 tiers; " in said
    assert "no arc that may be there joins bronc and dysp; a common cause outside" in said
    folder = tmp_path / "asia-learned"
    saved = ds.load_result(folder / "result.json")
    assert "without it" in saved.claim
    noted = json.loads((folder / "run.json").read_text())
    assert noted["claim"] == saved.claim
    assert ["bronc", "dysp"] in [each["columns"] for each in noted["fit"]["misfits"]]
    assert noted["fit"]["mends"][0]["kind"] == "hidden cause"
    graph = ds.read_graph(folder / "essential.graphml")
    assert graph == saved.mpdag != saved.cpdag
    assert ("smoke", "lung") in graph.directed
    marks = {
        pair: words["knowledge"]
        for pair, words in read_edges(folder / "essential.graphml").items()
        if "knowledge" in words
    }
    assert marks[("smoke", "lung")] == "required"
    assert set(marks) == {*graph.directed} - {*saved.cpdag.directed} | {("smoke", "lung")}
    # What was written is taken by other commands.
    assert run(
        "compare", "asia-learned/essential.graphml", "asia-learned/result.json"
    ).stdout.startswith("structural Hamming distance  0")


def test_json_is_the_result(run, table):
    said = json.loads(run("learn", table, "--runs", "5", "--json").stdout)
    assert said["kind"] == "result"
    assert said["optimal"]


def test_a_dry_run_only_says_what_it_would_cost(run, table, tmp_path):
    result = run("learn", table, "--dry-run")
    assert result.exit_code == 0
    assert "Scoring parent sets" in result.stdout
    words = ("--dry-run", "--time-limit", AMPLE, "--max-memory", "1GB")
    assert f"at most {duration(AMPLE)}" in run("learn", table, *words).stdout
    assert not (tmp_path / "asia-learned").exists()


def test_the_same_command_again_gives_the_same(run, table, tmp_path):
    words = ("learn", table, "--runs", "20", "--resamples", "5")
    run(*words)
    first = outcome(tmp_path / "asia-learned")
    again = run(*words)
    assert again.exit_code == 0
    assert "going on in" in again.stderr
    assert outcome(tmp_path / "asia-learned") == first


def test_more_runs_are_added(run, table, tmp_path):
    words = ("learn", table, "--resamples", "5", "--runs")
    run(*words, "20")
    run(*words, "40")
    run(*words, "40", "--out", "other")
    assert outcome(tmp_path / "asia-learned") == outcome(tmp_path / "other")


def test_knowledge_is_obeyed(run, table, tmp_path):
    (tmp_path / "k.toml").write_text('required = [["xray", "asia"]]\n')
    result = run("learn", table, "--knowledge", "k.toml", "--out", "o")
    assert result.exit_code == 0
    assert ("xray", "asia") in ds.read_bif(tmp_path / "o" / "network.bif").dag.arcs
    said = " ".join(result.stdout.split())
    halves = "half the table's own, half the mean of 50 resampled tables"
    assert f"probabilities: {halves}, fitted_dirichlet" in said
    assert (tmp_path / "o" / "edges.csv").exists()
    assert not (tmp_path / "o" / "agreement.csv").exists()


def test_which_graph_files_of_networks_hold(run, tmp_path):
    table = tmp_path / "few.csv"
    ds.load_network("asia").sample(500, seed=4).write(table)
    words = ("learn", table, "--runs", "5", "--resamples", "8")
    assert run(*words, "--out", "best").exit_code == 0
    assert run(*words, "--out", "near", "--graph", "consensus").exit_code == 0
    nearest = ds.read_graph(tmp_path / "near" / "consensus.graphml")
    best = ds.load_result(tmp_path / "best" / "result.json")
    assert nearest != best.cpdag  # else this says nothing
    assert ds.read_bif(tmp_path / "best" / "network.bif").dag == best.dag
    assert ds.read_bif(tmp_path / "near" / "network.bif").dag.to_cpdag() == nearest
    assert ds.load_result(tmp_path / "near" / "result.json").dag == best.dag
    said = run(*words, "--out", "wrong", "--graph", "mean")
    assert said.exit_code == 2
    assert 'unknown --graph "mean"; choose best, consensus' in said.stderr
    none = run("learn", table, "--resamples", "0", "--out", "none", "--graph", "consensus")
    assert "there is no consensus without probabilities; network.json holds" in none.stderr


def loose(ess: int) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return words and settings under which the graphs of these samples differ."""
    prior = ds.EdgePrior(neighbors=2)
    words = ("--score", "bdeu", "--ess", str(ess), "--prior", str(prior))
    return words, {"score": ds.BDeu(ess), "prior": prior}


def test_the_nearest_graph_is_told_with_the_probabilities_that_it_is_made_of(run, tmp_path):
    data = ds.load_network("asia").sample(500, seed=1)
    data.write(tmp_path / "few.csv")
    words, named = loose(1)
    shown = run("learn", "few.csv", *words, "--runs", 5, "--resamples", 8).stdout
    shown = " ".join(shown.split())
    learned = ds.learn(ds.read_data(tmp_path / "few.csv"), **named, runs=5, resamples=8)
    edge = learned.differences[0]
    assert f"{edge.resampled:.2f}" != f"{edge.probability:.2f}"  # else this says nothing
    _, _, said = shown.partition("least expected error differs in ")
    assert f"{edge.b} {edge.probability:.2f}" in said.partition(" Table ")[0]
    free = sum(
        edge.in_network == "undirected" and edge.verdict in ("near certain", "likely")
        for edge in learned.edges
    )
    assert f"of those near certain or likely, {free} have no direction" in shown


def test_noise_is_said_to_be_noise(run, tmp_path):
    rng = np.random.default_rng(0)
    codes = rng.integers(2, size=(100, 12))
    flips = ds.Data.from_codes(codes, {f"c{i}": ["0", "1"] for i in range(12)})
    flips.write(tmp_path / "coins.csv")
    words = ("--score", "bdeu", "--prior", "fair", "--runs", "0", "--resamples", "10")
    words += ("--max-parents", "2")
    result = run("learn", "coins.csv", *words, "--null", "3")
    assert "no structure found: no edge is likely; the most probable has 0." in result.stdout
    words = ("--score", "aic", "--runs", "0", "--resamples", "5", "--max-parents", "2")
    said = " ".join(run("learn", "coins.csv", *words, "--out", "aic").stdout.split())
    assert "no probabilities: aic gives networks no probability by stability, " in said
    assert "): no structure found: no edge is likely; the most stable has " in said


def test_edges_by_chance_are_told(run, table):
    result = run("learn", table, "--runs", "0", "--resamples", "5", "--null", "3")
    said = " ".join(result.stdout.split())
    assert "by chance, on average over 3 tables with shuffled columns: " in said


def test_the_open_questions_say_what_would_settle_them(run, table, tmp_path):
    words, _ = loose(1)
    said = " ".join(run("learn", table, *words, "--runs", "0").stdout.split())
    posteriors = [
        ds.load_result(tmp_path / "asia-learned" / f"search-posterior{kind}.sqlite", ds.Posterior)
        for kind in ("", "-plain")
    ]
    halves = [
        {(r["from"], r["to"]): r["probability"] / 2 for r in each.iter_rows(named=True)}
        for each in (P.features("adjacencies") for P in posteriors)
    ]
    shares = [half + halves[1][pair] for pair, half in halves[0].items()]
    unsure = [share for share in shares if 0.3 <= share < 0.7]
    assert unsure  # else this says nothing
    for share in sorted(unsure, key=lambda share: abs(share - 0.5))[:5]:
        assert f"{share:.2f} (" in said
    assert "and no number of rows settles it" in said


def has_runs(store: Path) -> bool:
    try:
        return ds.load_result(store, ds.Landscape).runs > 0
    except ds.DagscapeError:  # it is not there, or its tables are still to be made
        return False


def test_killed_in_the_middle_it_ends_where_an_undisturbed_one_does(spawn, run, table, tmp_path):
    words = ("learn", table, "--k", "0.3", "--threads", "1", "--resamples", "3")
    process = spawn(*words, "--runs", "10000000", "--out", "killed")
    wait_until(process, lambda: has_runs(tmp_path / "killed" / "runs.sqlite"))
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=WAIT)
    noted = json.loads((tmp_path / "killed" / "run.json").read_text())
    assert noted["state"] == "running"
    runs = ds.load_result(tmp_path / "killed" / "runs.sqlite", ds.Landscape).runs + 10
    for out in ("killed", "undisturbed"):
        assert run(*words, "--runs", runs, "--out", out).exit_code == 0
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "undisturbed")


def test_ctrl_c_leaves_what_is_there_and_the_same_command_goes_on(spawn, run, table, tmp_path):
    words = ("learn", table, "--k", "0.3", "--threads", "1", "--out", "o")
    words += ("--resamples", "3")
    process = spawn(*words, "--runs", "10000000", program=LISTENING)
    wait_until(process, lambda: has_runs(tmp_path / "o" / "runs.sqlite"))
    _, out, _ = interrupted(process)
    assert b"stopped by Ctrl-C" in out
    done = ds.load_result(tmp_path / "o" / "runs.sqlite", ds.Landscape).runs
    pictures = {"network.svg", "network.pdf"}  # these come when all is done
    assert {path.name for path in (tmp_path / "o").iterdir()} >= FILES - pictures
    assert json.loads((tmp_path / "o" / "run.json").read_text())["state"] == "running"
    assert run(*words, "--runs", str(done)).exit_code == 0
    assert {path.name for path in (tmp_path / "o").iterdir()} >= FILES
    assert json.loads((tmp_path / "o" / "run.json").read_text())["state"] == "done"


def test_a_time_limit_goes_on_with_what_is_left_of_it(run, tmp_path, monkeypatch):
    clock, batch = Clock(monkeypatch), optima.kes_batch

    def last_batch(*given):
        done = batch(*given)
        clock.end()
        return done

    monkeypatch.setattr(optima, "kes_batch", last_batch)
    ds.load_network("child").sample(300, seed=3).write(tmp_path / "child.csv")
    words = ("learn", "child.csv", "--time-limit", AMPLE, "--runs", "10000000")
    words += ("--resamples", "0")
    first = run(*words)
    assert first.exit_code == 0
    runs = ds.load_result(tmp_path / "child-learned" / "runs.sqlite", ds.Landscape).runs
    used = json.loads((tmp_path / "child-learned" / "run.json").read_text())["seconds_used"]
    assert used >= AMPLE
    again = run(*words)  # nothing is left: the same, or one batch
    assert again.exit_code == 0
    later = ds.load_result(tmp_path / "child-learned" / "runs.sqlite").runs
    assert runs <= later <= 2 * runs  # less than a whole batch, where it ended in the middle


def test_tables_with_gaps(run, tmp_path: Path) -> None:
    whole = ds.load_network("asia").sample(300, seed=3)
    frame = whole.to_polars().to_dict(as_series=False)
    frame["xray"] = [x if row % 4 else None for row, x in enumerate(frame["xray"])]
    ds.Data(frame, missing="keep").write(tmp_path / "gaps.csv")
    result = run("learn", tmp_path / "gaps.csv")
    folder = tmp_path / "gaps-learned"
    assert result.exit_code == 0
    assert '75 missing cells (3.1 %) in 75 rows: "xray" (75)' in result.stdout
    assert "structural EM (" in result.stdout
    assert "completed by structural EM" in result.stderr
    assert ds.load_result(folder / "result.json").steps[0].name == "structural EM"
    assert (folder / "report.html").exists()


@pytest.mark.parametrize("variables", [2, 3])
def test_doubt_names_the_pairs_there_are(run, tmp_path: Path, variables: int) -> None:
    """Two rare events that never meet look tied to a prior that expects balanced columns."""
    first = [int(row in (3, 90)) for row in range(200)]
    other = [int(row in (50, 170)) for row in range(200)]
    third = [row // 2 % 2 for row in range(200)]
    columns = dict(zip("abc"[:variables], (first, other, third), strict=False))
    ds.Data(columns).write(tmp_path / "rare.csv")
    words = ("--runs", "0", "--resamples", "10", "--score", "bdeu(ess=32)")
    result = run("learn", tmp_path / "rare.csv", *words)
    assert result.exit_code == 0
    among = {2: "", 3: "among 3 pairs, "}[variables]
    said = " ".join(result.stdout.split())
    assert (
        f"and is called open: {among}a column whose rows are shuffled may look as related" in said
    )


def test_an_edge_that_the_nearest_graph_lacks_has_a_reason(run, tmp_path: Path) -> None:
    data = ds.load_network("asia").sample(200, seed=0)
    data.write(tmp_path / "asia.csv")
    words, named = loose(1)
    result = run("learn", tmp_path / "asia.csv", "--runs", "0", "--resamples", "20", *words)
    choices = ds.learn(data, **named, runs=0, resamples=20).consensus_choices
    torn = [each for each in choices if each.chosen == "absent" and each.absent < 0.5]
    assert torn  # else this says nothing
    said = " ".join(result.stdout.split())
    for each in torn:
        assert (
            f"it leaves out {each.a} - {each.b}: no edge {each.absent:.2f} is more probable than "
            "any way to draw it ("
        ) in said
        assert f"{each.a} -> {each.b} {each.forth:.2f}" in said
        assert f"{each.b} -> {each.a} {each.back:.2f}" in said
        assert f"undirected {each.undirected:.2f}" in said
    turned = [each.reason for each in choices if each.chosen != "absent"]
    assert turned
    likeliest = turned.count("likeliest")
    assert f"directed differently: {likeliest} in the most probable way" in said


def test_tiers_are_said_in_a_word_and_asked_for(run, table, tmp_path):
    fast = ("--runs", "0", "--resamples", "0")
    asked = " ".join(run("learn", table, *fast).stdout.split())
    assert "none; give tiers if you know what comes first: dagscape learn " in asked
    assert " --runs 0 --resamples 0 --tiers 'FIRST<LATER<LAST' --out " in asked
    told = run("learn", table, *fast, "--tiers", "smoke,asia<bronc<dysp", "--out", "t")
    assert "3 tiers" in told.stdout
    assert "give tiers" not in told.stdout
    (tmp_path / "k.toml").write_text('tiers = [["asia"], ["tub"]]\n')
    both = run("learn", table, "--knowledge", "k.toml", "--tiers", "asia<tub")
    assert (both.exit_code, "give one" in both.stderr) == (2, True)
    wrong = run("learn", table, "--tiers", "asai<tub")
    assert 'did you mean "asia"' in wrong.stderr
