"""``dagscape posterior``: what it shows, keeps and refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import dagscape as ds


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(300, seed=1).write(path)
    return path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def test_adjacencies(run, table):
    done = run("posterior", table)
    found = ds.posterior(ds.read_data(table)).features("adjacencies", least=0.01)
    assert [row["feature"] for row in rows(done.stdout)] == found["feature"].to_list()
    assert [float(row["probability"]) for row in rows(done.stdout)] == pytest.approx(
        found["probability"].to_list()
    )
    score = "fitted_dirichlet, which stands in for a probability"
    assert f"exact: sums over all networks; score {score}; prior edges" in done.stderr


@pytest.mark.parametrize("kind", ["arcs", "ancestors", "blankets", "edges", "paths"])
def test_every_kind(run, table, kind):
    done = run("posterior", table, "--kind", kind, "--least", "0.5", "-q")
    found = ds.posterior(ds.read_data(table)).features(kind, least=0.5)
    assert [row["feature"] for row in rows(done.stdout)] == found["feature"].to_list()
    assert done.stderr == ""


def test_networks(run, table):
    done = run("posterior", table, "--networks", "3")
    shown = rows(done.stdout)
    assert len(shown) == 3
    best = ds.posterior(ds.read_data(table)).networks(1)[0]
    assert float(shown[0]["probability"]) == pytest.approx(best.probability)
    assert shown[0]["proven"] in ("true", "false")
    assert all(f"{a} -> {b}" in shown[0]["edges"] for a, b in best.cpdag.directed)


def test_json(run, table):
    done = run(
        "posterior", table, "--json", "--least", "0.2", "--score", "k2", "--max-parents", "2"
    )
    told = json.loads(done.stdout)
    assert told["exact"]
    assert told["score"] == {"name": "k2"}
    assert told["prior"] == {"name": "uniform"}
    assert told["scope"]["max_parents"] == 2
    assert told["log_evidence"] < 0
    assert {"probability", "lower", "upper"} <= set(told["features"][0])
    few = json.loads(run("posterior", table, "--json", "--networks", "2").stdout)
    assert len(few["networks"]) == 2


def test_ess_alone_keeps_the_prior(run, table):
    told = json.loads(run("posterior", table, "--json", "--ess", "5").stdout)
    assert (told["score"], told["prior"]) == (
        {"name": "bdeu", "ess": 5.0},
        {"name": "edges", "neighbors": 1.0},
    )


def test_saved_and_read(run, table, tmp_path):
    kept = tmp_path / "p.sqlite"
    first = run("posterior", table, "--save", kept, "--kind", "edges")
    again = run("posterior", kept, "--kind", "edges")
    assert again.stdout == first.stdout
    refused = run("posterior", kept, "--score", "bic", "--seed", "1")
    assert refused.exit_code == 2
    assert "--score, --seed: only for tables" in refused.stderr
    assert "holds posterior, not local optima" in run("features", kept).stderr


def test_a_page(run, table, tmp_path):
    run("posterior", table, "--report", tmp_path / "p.html", "--resamples", "2")
    assert "mean over 2 tables drawn from the rows" in (tmp_path / "p.html").read_text("utf-8")
    refused = run("posterior", table, "--report", tmp_path / "nowhere" / "p.html")
    assert refused.exit_code == 2
    assert "there is no folder" in refused.stderr


def test_resamples_go_on(run, table, tmp_path):
    kept = tmp_path / "bag.sqlite"
    run("posterior", table, "--resamples", "3", "--store", kept)
    done = run("posterior", table, "--resamples", "5", "--store", kept, "--json")
    told = json.loads(done.stdout)
    assert (told["resamples"], told["exact"], told["stopped"]) == (5, False, None)
    assert "mean of the posteriors of 5 tables" in told["claim"]
    assert json.loads(run("posterior", kept, "--json").stdout)["features"] == told["features"]


def test_knowledge(run, table, tmp_path):
    known = tmp_path / "known.toml"
    known.write_text('forbidden = [["dysp", "bronc"]]\n')
    done = run("posterior", table, "--knowledge", known, "--kind", "arcs", "--least", "0")
    arcs = {(row["from"], row["to"]): float(row["probability"]) for row in rows(done.stdout)}
    assert arcs["dysp", "bronc"] == 0
    assert arcs["bronc", "dysp"] > 0.9
    assert "networks that obey your knowledge" in done.stderr


def test_chains(run, table, tmp_path):
    kept = tmp_path / "chains.sqlite"
    words = ("--method", "mcmc", "--chains", "3", "--rounds", "300", "--save", kept)
    done = run("posterior", table, *words)
    assert done.exit_code == 0
    assert "sampled: 3 chains over all networks, from 3 kinds of starts" in done.stderr
    found = rows(done.stdout)
    assert all(float(r["lower"]) <= float(r["probability"]) <= float(r["upper"]) for r in found)
    told = json.loads(run("posterior", kept, "--json").stdout)
    assert told["agreement"]["chains"] == 3
    assert told["agreement"]["arcs"][0]["from"]
    assert told["exact"] is False
    bagged = run("posterior", table, "--method", "mcmc", "--rounds", "100", "--resamples", "2")
    assert "each by 2 chains over all networks" in bagged.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--score", "aic"], "choose another --score"),
        (["--method", "gibbs"], 'unknown method "gibbs"'),
        (["--chains", "3", "--method", "exact"], "ask for --method mcmc"),
        (["--kind", "arrows"], 'unknown --kind "arrows"'),
        (["--max-parents", "9"], "--max-parents must be between 0 and 7"),
        (["--least", "2"], "--least"),
        (["--max-memory", "1kB", "--method", "exact"], "--max-memory"),
    ],
)
def test_refusals(run, table, words, said):
    done = run("posterior", table, *words)
    assert said in done.stderr
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_missing_cells_are_kept_and_drawn(run, tmp_path):
    path = tmp_path / "gaps.csv"
    lines = ["a,b,c", *(f"{i % 2},{'' if i % 7 == 0 else i % 2},{i % 3}" for i in range(60))]
    path.write_text("\n".join(lines))
    few = ("--chains", "2", "--rounds", "10")
    done = run("posterior", path, "--ess", "2", *few)
    assert rows(done.stdout)[0]["feature"] == "a - b"
    assert "2 chains, through 8 tables with drawn cells each" in done.stderr
    assert (
        f"score bdeu(ess=2); prior {ds.default_score(ds.read_data(path, missing='keep')).prior}"
        in done.stderr
    )
    networks = rows(run("posterior", path, "--networks", "1", "-q", *few).stdout)
    assert networks[0]["score"] == ""
    assert json.loads(run("posterior", path, "--json", *few).stdout)["agreement"]["completed"] == 8
    refused = run("posterior", path, "--method", "exact")
    assert "9 cells are missing; ask for --method mcmc" in refused.stderr


def test_numbers_have_the_prior_and_so_the_probabilities_of_learning(run, tmp_path):
    data = ds.random_network(4, neighbors=2, kind="gaussian", seed=1).sample(100, seed=1)
    data.write(tmp_path / "n.csv")
    shown = run("posterior", "n.csv", "--max-parents", 3)
    learned = ds.learn(ds.read_data(tmp_path / "n.csv"), runs=0, resamples=2)
    assert f"prior {learned.score_kind.prior}" in shown.stderr
    plain = {frozenset((edge.a, edge.b)): edge.plain for edge in learned.edges}
    for each in rows(shown.stdout):
        pair = frozenset((each["from"], each["to"]))
        assert float(each["probability"]) == pytest.approx(plain[pair], abs=1e-9)
