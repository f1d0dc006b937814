"""The scripts that repeat the papers, each on its smallest set, and their answers on the pages.

Where the papers' data sets are not at hand (folder DAGSCAPE_DATA), tables of the same form are
drawn from embedded networks, and what the pages say of the real ones is skipped.
"""

from __future__ import annotations

import gzip
import importlib
import itertools
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import dagscape as ds
from data_sets import data_folder, data_set

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run a script as from the command line; return what ``--json`` says."""

    def done(name, *words, data=None):  # False if the script reads none
        monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
        script = importlib.import_module(name)
        found, written = tmp_path / "found.json", tmp_path / "found.md"
        folder = [] if data is False else ["--data", tmp_path if data is None else data]
        given = [*folder, "--json", found, "--markdown", written, *words]
        monkeypatch.setattr("sys.argv", [name, *map(str, given)])
        assert script.main() == 0
        return json.loads(found.read_text("utf-8")), written.read_text("utf-8")

    return done


def page_rows(page, *begin, after=""):
    """Return the lines of a page's tables that begin with these cells, without the bars."""
    text = (ROOT / "docs" / "reproduce" / page).read_text("utf-8")
    text = text[text.index(after) :]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return [row for row in rows if row[: len(begin)] == list(begin)]


def write_table(data, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(data.names), *(",".join(map(str, row)) for row in data.codes)]
    path.write_bytes(gzip.compress("\n".join(lines).encode("ascii")))


# --- Table 4.1 of the A* paper ------------------------------------------------------------------


def test_every_method_of_the_a_star_table(run, tmp_path):
    sample = ds.load_network("survey").sample(400, seed=0)
    write_table(sample, tmp_path / "ebnsl" / "iris.csv.gz")
    (record,), text = run("astar_table4_1", "--only", "iris")
    assert list(record["runs"]) == ["DP", "DP-E", "SS", "A*", "SS, later bounds", "auto"]
    assert all(one["optimal"] for one in record["runs"].values())
    best = ds.exact(sample, score="bic").score
    assert record["optimum"] == pytest.approx(best)
    scored = {name: one["families_scored"] for name, one in record["runs"].items()}
    assert scored["DP"] >= scored["DP-E"] == scored["SS"] == scored["A*"] >= scored["auto"]
    assert record["any_tie_order"]["nodes"][0] <= record["runs"]["A*"]["order_nodes"] <= 64
    assert f"{best:.4f}" in text


@pytest.mark.parametrize("name", ["iris", "liver", "car", "acute"])
def test_the_a_star_page_has_what_the_script_finds(run, name):
    files = {"iris": "ebnsl/iris.csv.gz"}
    data_set(files.get(name, f"uci/{name}_t41.csv"))
    _, text = run("astar_table4_1", "--only", name, data=data_folder())
    times, *others = [line for line in text.splitlines() if line.startswith(f"| {name} ")]
    assert len(others) == 3  # the order graph, counted otherwise too, and the AD-tree
    on_page = page_rows("astar-table-4-1.md", name, after="## Seconds")
    assert on_page[0][-1] == times.strip("| ").split("|")[-1].strip()
    assert on_page[1:] == [[cell.strip() for cell in row.strip("|").split("|")] for row in others]


def test_what_a_star_reaches(run, tmp_path):
    sample = ds.load_network("asia").sample(500, seed=0)
    write_table(sample, tmp_path / "ebnsl" / "horse.csv.gz")
    (record,), text = run("astar_reach", "--only", "horse")
    assert all(one["optimal"] for one in record["runs"].values())
    assert 1 < record["runs"]["A*"]["nodes"] <= 2**8
    assert f"| horse | 8 | {record['parent_sets']} |" in text


def test_what_a_star_reaches_is_on_the_page(run):
    data_set("ebnsl/horse.csv.gz")
    _, text = run("astar_reach", "--only", "horse", data=data_folder())
    (line,) = [line for line in text.splitlines() if line.startswith("| horse ")]
    ours = [cell.strip() for cell in line.strip("|").split("|")]
    (on_page,) = page_rows("../explain/exact-learning.md", "horse")
    assert on_page[:5] == ours[:5]  # after that: bytes and seconds


def test_layers_and_late_sets_by_definition(run, tmp_path):
    """On five variables: every path, every set."""
    sample = ds.load_network("survey").sample(150, seed=1).select(list("ASEOR"))
    write_table(sample, tmp_path / "ebnsl" / "iris.csv.gz")
    (record,), _ = run("astar_layers", "--only", "iris")
    parents = ds.candidate_parents(sample, score="bic", prior="uniform", prune="published")
    names = parents.names

    def lost(child, before):
        return parents[child][0][0] - parents.best(child, allowed=before)[0]

    cost = {frozenset(): 0.0}
    for size in range(1, 6):
        for some in map(frozenset, itertools.combinations(names, size)):
            cost[some] = min(cost[some - {x}] + lost(x, some - {x}) for x in some)
    expanded = [some for some in cost if cost[some] < cost[frozenset(names)] - 1e-6]
    visited = [0] * 5
    for some in expanded:
        visited[len(some)] += sum(cost[some | {x}] - cost[some] > 1e-6 for x in set(names) - some)
    assert record["visited"] == visited
    assert record["full"] == [5, 20, 30, 20, 5]
    most = math.floor(math.log2(300 / math.log(150)))
    needed = {
        (child, frozenset(held))
        for child in names
        for some in expanded
        if child not in some
        for size in range(most + 1)
        for held in itertools.combinations(some, size)
    }
    kept = {(child, frozenset(chosen)) for child in names for _, chosen in parents[child]}
    assert record["scored_late"] == len(needed)
    assert record["kept_late"] == len(needed & kept)
    assert record["kept_before"] == len(kept)


# --- the KES paper ------------------------------------------------------------------------------


def test_the_kes_page_has_what_trap_gives(run):
    """Trap needs no data, so that its lines can be compared anywhere."""
    (record,), text = run("kes_table1", "--only", "trap-rounded")
    assert record["score"] == "bic"
    assert record["prior"] == "uniform"
    lines = [line for line in text.splitlines() if line.startswith("| trap-rounded | ")]
    ours = [[cell.strip() for cell in line.strip("|").split("|")][:-1] for line in lines[:4]]
    heading = "## Best score, and runs above and below greedy search"
    assert [
        row[:-1] for row in page_rows("kes-table-1.md", "trap-rounded", after=heading)[:4]
    ] == ours


def test_parts_of_a_set_by_bdeu_and_what_is_kept(run, tmp_path):
    sample = ds.load_network("asia").sample(700, seed=0)
    write_table(sample, tmp_path / "kes" / "coil.csv.gz")
    words = ("--only", "coil", "--score", "bdeu", "--rows", 100, "--runs", 20)
    store = tmp_path / "kept.jsonl"
    records, text = run("kes_table1", *words, "--store", store)
    assert [record["first_row"] for record in records] == [0, 100, 200, 300, 400]
    assert all(record["score"] == "bdeu(ess=1)" and record["rows"] == 100 for record in records)
    first = ds.Data.from_codes(sample.codes[:100], sample.states)
    greedy = ds.kes(first, k=1, score="bdeu", neighborhood="exact").score
    assert records[0]["lines"][-1]["best"] == pytest.approx(greedy)
    assert text.count("| coil | 100 |") == 3
    kept = store.read_text("utf-8")
    again, _ = run("kes_table1", *words, "--store", store)
    assert store.read_text("utf-8") == kept
    assert again == records  # seconds too: nothing was run
    store.write_text(kept[:-20], "utf-8")  # cut short
    run("kes_table1", *words, "--store", store)
    assert len(store.read_text("utf-8").splitlines()) == len(kept.splitlines()) + 1


def test_figure_1_in_numbers(run):
    found, text = run("kes_figure1", "--set", "trap", "--runs", 6)
    assert [line["k"] for line in found["lines"]] == [0, 0.005, 0.02, 0.1, 0.4, 0.8, 1]
    for line in found["lines"]:
        assert len(line["scores"]) == (1 if line["k"] == 1 else 6)
        assert line["scores"] == sorted(line["scores"])
    assert f"| {found['lines'][-1]['scores'][0] / math.log(10):.0f} |" in text


def test_how_often_the_sampler_meets_the_best_step(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    sampler = importlib.import_module("kes_sampler")
    data = ds.load_network("cancer").sample(4000, seed=0)
    found = sampler.climb(data, draws=200, reversals=7, seed=0)
    greedy = ds.kes(data, k=1, score="bic", neighborhood="exact")
    assert found["score"] == pytest.approx(greedy.score)
    assert len(found["met"]) == greedy.work["steps"]
    # Either direction of the first arc gives the same class: 2 of n(n - 1) draws.
    assert found["met"][0] == pytest.approx(2 * sampler.PAPER_DRAWS, rel=0.3)
    assert found["all_met"] > 0.99


def test_the_choice_of_k(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    script = importlib.import_module("choice_of_k")
    monkeypatch.setitem(script.CASES, "asia-300", ("asia", 300))
    words = ["--only", "asia-300", "coil", "--k", "0.4", "1", "--runs", "8", "--data", "nowhere"]
    monkeypatch.setattr("sys.argv", ["choice_of_k", *words])
    script.main()
    shown = capsys.readouterr()
    rows = [line.split("\t") for line in shown.out.splitlines()[1:]]
    assert [row[:2] for row in rows] == [["asia-300", "0.4"], ["asia-300", "1"]]
    assert rows[1][2] == "1"  # a greedy search has one optimum
    samples = [ds.load_network("asia").sample(300, seed=seed) for seed in range(5)]
    lacking = [
        ds.exact(data, score="bic", max_parents=3).score
        - ds.kes(data, k=1, score="bic", max_parents=3, neighborhood="exact").score
        for data in samples
    ]
    assert rows[1][3] == f"{sum(lacking) / 5:.1f}"
    assert rows[1][-1] == "5 of 5"
    assert shown.err == "coil: left out, its file is not in nowhere\n"


def test_margins_of_trap(run):
    """The page's lines of the printed and the rounded margins, which need no sample."""
    found, text = run("trap_margins", "--steps", 2, "--seeds", 1, "--runs", 5, data=False)
    assert found["grid"] == 12  # 6 of 8 margins of X and Y leave the fourth in its range; times 2
    for name in ("printed", "trap-rounded"):
        line = next(line for line in text.splitlines() if line.startswith(f"| {name} | 0."))
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert page_rows("kes-table-1.md", name, cells[1]) == [cells]
    assert found["chosen"]["printed"]["chain"] < found["chosen"]["printed"]["collider"]
    assert found["chosen"]["trap-rounded"]["chain"] > found["chosen"]["trap-rounded"]["collider"]
    printed, rounded = found["runs"]
    assert printed["above"] == [0, 0, 0]
    assert rounded["above"][0] > 0


def test_where_greedy_search_ends_on_samples_of_alarm(run):
    """The page's seed that needs no data, among its neighbors."""
    records, text = run("alarm_search", "--network", "embedded", "--seeds", "253:256")
    assert [record["seed"] for record in records if record["as_in_papers"]] == [254]
    assert "| embedded | 3 | 1 (254) | 0 | 0 | 2 (" in text
    ((_, _, seeds, *_),) = page_rows("kes-table-1.md", "embedded", "400")
    assert "254" in seeds


# --- the features paper -------------------------------------------------------------------------


def test_features_for_several_k(run, tmp_path):
    sample = ds.load_network("alarm").sample(2000, seed=0)
    write_table(sample, tmp_path / "bnlearn" / "alarm.csv.gz")
    records, text = run("features", "--only", "alarm", "--sizes", 5, "--runs", 12, "--k", 0.8, 0.4)
    assert [record["k"] for record in records] == [0.8, 0.4]
    assert all(len(record["sizes"][0]["samples"]) == 5 for record in records)
    titles = [line for line in text.splitlines() if line.startswith("Other k")]
    assert len(titles) == 4
    distinct = [
        sum(sample["distinct"] for sample in record["sizes"][0]["samples"]) / 5
        for record in records
    ]
    assert f"| alarm | 5 % | {distinct[1]:.4g} | {distinct[0]:.4g} |" in text


def test_samples_of_alarm(run, tmp_path):
    sample = ds.load_network("alarm").sample(1000, seed=0)
    write_table(sample, tmp_path / "bnlearn" / "alarm.csv.gz")
    records, text = run("alarm_samples", "--seeds", 3, "--rows", 300, "--runs", 5)
    assert len(records) == 7
    assert text.count("seed ") == 4
    assert re.search(r"correlation with edges -?[01]\.\d\d, of ranks -?[01]\.\d\d", text)


def test_samples_on_which_greedy_search_finds_what_the_papers_found(monkeypatch):
    """The seed that needs no data."""
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    optima = importlib.import_module("_optima_data")
    assert optima.alarm_like(Path("nowhere")).n_rows == 20_000  # else it raises


def test_a_sample_of_alarm_on_the_page(monkeypatch):
    """The seed that needs no data: its line of runs above and below greedy search."""
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    samples = importlib.import_module("alarm_samples")
    asked = SimpleNamespace(rows=samples.CASES, runs=1000, threads=None)
    settings = {"network": "embedded", "seed": 254}
    record = samples._record(ds.load_network("alarm"), 254, samples.SHARES, asked)
    row, paper = samples._counts([{**settings, **record}]).rows
    assert row[-1] == paper[-1] == "yes"
    assert page_rows("kes-table-1.md", "embedded, seed 254") == [row]


def test_features_on_the_page(run):
    data_set("bnlearn/alarm.csv.gz")
    _, text = run("features", "--only", "alarm", "--sizes", 1, data=data_folder())
    line = next(line for line in text.splitlines() if line.startswith("| alarm | 1 % | 46 |"))
    ours = [cell.strip() for cell in line.strip("|").split("|")]
    assert page_rows("features.md", "alarm", "1 %", "46") == [ours]


# --- the orders paper ---------------------------------------------------------------------------


def test_tables_of_orders(run, tmp_path):
    sample = ds.load_network("child").sample(300, seed=0)
    binary = ds.Data.from_codes(
        sample.codes[:, :9] > 0, {name: ["0", "1"] for name in sample.names[:9]}
    )
    write_table(binary, tmp_path / "debd" / "nltcs.csv.gz")
    words = ("--only", "nltcs", "--restarts", 6, "--sets-per-variable", 40, "--families", 1000)
    store = tmp_path / "kept.jsonl"
    (record,), _ = run("orders_tables", *words, "--store", store)
    best = ds.exact(binary, score="bic").score
    empty = ds.score(binary, ds.Dag(binary.names, []), score="bic")
    assert record["optimum"] == pytest.approx((best - empty) / -empty)
    for method in ("sequential", "greedy", "independence"):
        line = record["methods"][method]
        for init in ("random", "fas", "dfs"):
            means = line[init]["mean_initial"], line[init]["mean_best"]
            assert means[0] - 1e-12 <= means[1] <= line[init]["best"] + 1e-12
            assert line[init]["best"] <= record["optimum"] + 1e-12
    # 9 children, all sets of up to 3 of 8 others: 9 · 93 = 837; with 4 it would be 1,467.
    assert record["methods"]["sequential"]["exhaustive_to"] == 3
    (same,), _ = run("orders_tables", *words, "--store", store, "--kept-only")
    assert same == record
    nothing, _ = run("orders_tables", *words, "--kept-only", "--store", tmp_path / "none.jsonl")
    assert nothing == []
    # As many sets as the paper had of the real table, of which the best of each size are kept.
    (most,), _ = run("orders_tables", *words[:4], "--paper", "--keep-of-size", 3)
    lines = most["methods"]
    assert 837 < lines["sequential"]["scored"] <= 9 * sum(math.comb(8, k) for k in range(7))
    assert lines["sequential"]["exhaustive_to"] == 6
    assert lines["sequential"]["kept"] <= 9 * 7 * 3
    assert lines["independence"]["scored"] > 9 * 40
    (alone,), text = run("orders_tables", *words, "--store", store, "--methods", "sequential")
    assert alone["methods"] == {"sequential": record["methods"]["sequential"]}
    assert text.count("| nltcs |") == 6
    assert "greedy" not in text


def test_walks_over_orders(run, tmp_path):
    sample = ds.load_network("asia").sample(400, seed=0)
    write_table(sample, tmp_path / "debd" / "nltcs.csv.gz")
    (record,), _ = run("orders_walks", "--only", "nltcs", "--restarts", 4)
    best = ds.exact(sample, score="bic", max_parents=2).score
    empty = ds.score(sample, ds.Dag(sample.names, []), score="bic")
    for line in record["lines"]:
        for i, start in enumerate(line["initial"]):
            assert start - 1e-12 <= line["climb"][i] <= line["tabu"][i] + 1e-12
            assert max(line["tabu"][i], line["annealing"][i]) <= (best - empty) / -empty + 1e-12
    walks = importlib.import_module("orders_walks")
    orders = walks.Orders(ds.candidate_parents(sample, score="bic", max_parents=2))
    order = [3, 1, 7, 0, 2, 6, 5, 4]
    walk = walks.Walk(orders, order)
    for at in (0, 3, 6, 3, 2):
        expected = orders.score(
            [*walk.order[:at], *walk.order[at : at + 2][::-1], *walk.order[at + 2 :]]
        )
        walk.swap(at)
        assert walk.score == pytest.approx(expected) == pytest.approx(orders.score(walk.order))


def test_tables_of_orders_on_the_page(run):
    """All tables of the smallest set; its optimum is proven on the way."""
    data_set("debd/nltcs.csv.gz")
    _, text = run("orders_tables", "--only", "nltcs", data=data_folder())
    lines = [line for line in text.splitlines() if line.startswith("| nltcs |")]
    ours = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert len(ours) == 12
    assert page_rows("orders-tables.md", "nltcs", after="## Outcome") == ours


def test_walks_on_the_page(run):
    data_set("debd/nltcs.csv.gz")
    _, text = run("orders_walks", "--only", "nltcs", data=data_folder())
    lines = [line for line in text.splitlines() if line.startswith("| nltcs |")]
    ours = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert page_rows("orders-tables.md", "nltcs")[:3] == ours


def test_the_optimum_of_nltcs_is_on_the_page():
    data = ds.read_data(data_set("debd/nltcs.csv.gz"))
    best = ds.exact(data, score="bic", prior="uniform")
    assert best.optimal
    empty = ds.score(data, ds.Dag(data.names, []), score="bic")
    (row,) = [row for row in page_rows("orders-tables.md", "nltcs") if "impossible" in row]
    assert row[2] == f"{(best.score - empty) / -empty:.4f}"


# --- the tests that the orders paper uses -------------------------------------------------------

ROUNDING_FIRST_BASE = """
5.40 5.50 5.55  5.85 5.70 5.75  5.20 5.60 5.50  5.55 5.50 5.40  5.90 5.85 5.70  5.45 5.55 5.60
5.40 5.40 5.35  5.45 5.50 5.35  5.25 5.15 5.00  5.85 5.80 5.70  5.25 5.20 5.10  5.65 5.55 5.45
5.60 5.35 5.45  5.05 5.00 4.95  5.50 5.50 5.40  5.45 5.55 5.50  5.55 5.55 5.35  5.45 5.50 5.55
5.50 5.45 5.25  5.65 5.60 5.40  5.70 5.65 5.55  6.30 6.30 6.25
"""
"""Hollander and Wolfe 1973, page 140, which R's friedman.test has as its example: with ties."""


@pytest.fixture
def ranks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    return importlib.import_module("_ranks")


def test_friedman_against_known_values(ranks):
    numbers = [float(word) for word in ROUNDING_FIRST_BASE.split()]
    blocks = [numbers[i : i + 3] for i in range(0, len(numbers), 3)]
    assert len(blocks) == 22
    test = ranks.friedman(blocks)  # R: chi-squared 11.143, p 0.003805
    assert -2 * math.log(test.p_value) == pytest.approx(11.143, abs=5e-4)
    assert test.p_value == pytest.approx(0.003805, abs=5e-7)
    # The example of scipy.stats.friedmanchisquare: 10.571428571428571, 0.005063414171757498.
    columns = ([72, 96, 88, 92, 74, 76, 82], [120, 120, 132, 120, 101, 96, 112])
    columns += ([76, 95, 104, 96, 84, 72, 76],)
    test = ranks.friedman(list(zip(*columns, strict=True)))
    assert test.p_value == pytest.approx(0.005063414171757498, rel=1e-12)
    assert test.mean_ranks == pytest.approx((18 / 7, 1, 17 / 7))
    assert ranks.friedman([[1, 1, 1], [2, 2, 2]]) is None


def test_nemenyi_against_the_studentized_range(ranks):
    """P(range of three normal variables < q √2) is 0.95, and the distance is Demšar's formula."""
    q, step = ranks.Q_05 * math.sqrt(2), 0.001

    def below(z):
        return (1 + math.erf(z / math.sqrt(2))) / 2

    grid = [i * step for i in range(-8000, 12000)]
    density = [math.exp(-z * z / 2) / math.sqrt(2 * math.pi) for z in grid]
    inside = sum(3 * d * (below(z) - below(z - q)) ** 2 for z, d in zip(grid, density, strict=True))
    assert inside * step == pytest.approx(0.95, abs=1e-4)
    test = ranks.friedman([[3, 2, 1]] * 20)
    assert test.critical_distance == pytest.approx(2.343 * math.sqrt(3 * 4 / (6 * 20)))


# --- the paper on local learning ----------------------------------------------------------------


def write_child(folder):
    """Write a sample of 500 rows of Child as the paper's samples are; return it and the truth."""
    true = ds.load_network("child")
    names = {name: f"X{i + 1:02}" for i, name in enumerate(true.dag.names)}
    folder = folder / "mmhc"
    folder.mkdir()
    arcs = [(names[a], names[b]) for a, b in true.dag.arcs]
    lines = ["parent,child", *(",".join(arc) for arc in arcs)]
    (folder / "Child_graph.csv").write_text("\n".join(lines), "ascii")
    sizes = [f"Child,{names[x]},{len(states)}" for x, states in true.states.items()]
    (folder / "arities.csv").write_text("\n".join(["network,variable,states", *sizes]), "ascii")
    sample = true.sample(500, seed=0)
    renamed = ds.Data.from_codes(
        sample.codes,
        {names[x]: [str(i) for i in range(len(true.states[x]))] for x in sample.names},
    )
    write_table(renamed, folder / "Child_s500_v1.csv.gz")
    return renamed, ds.Dag(list(names.values()), arcs)


def test_one_data_set_of_the_paper_on_local_learning(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    figures = importlib.import_module("sll_figures")
    tables = importlib.import_module("_sll_tables")
    sample, truth = write_child(tmp_path)
    (record,) = figures._records(tmp_path, ("Child", 500, 1))
    assert record["arcs"] == 25
    learned = ds.neighbors(sample, method="sll", score="bdeu", max_parents=5, exact_limit=20)
    assert record["neighbors"]["SLL"] == ds.slhd(learned, truth)
    assert set(record["shd"]) == {"GS", "GES", "MMHC", "SLL+C", "SLL+C strict", "SLL+G"}
    shown = list(tables.tables([record], [], [figures.described(tmp_path, "Child")]))
    assert shown[0].rows == [["Child", "20 (20)", "2 / 7 (2 / 7)", "2-6 (2-6)"]]
    for row, key in zip(shown[-1].rows, ("score", "shd"), strict=True):
        least = min(record[key].values())
        firsts = [method for method, value in record[key].items() if value == least]
        header = shown[-1].header[1:]
        assert {m for m, cell in zip(header, row[1:], strict=True) if cell == "1 (1)"} == set(
            firsts
        )


def test_local_learning_on_alarm_as_on_the_page(monkeypatch):
    data_set("bnlearn/alarm.csv.gz")
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    figures = importlib.import_module("sll_figures")
    tables = importlib.import_module("_sll_tables")
    shown = [
        row
        for table in tables.tables([], figures._known_alarm(data_folder()), [])
        for row in table.rows
        if row[0] in ("SLL, bic", "SLL, bdeu(ess=1)", "HITON")
    ]
    heading = "## First 5,000 rows of bnlearn's Alarm"
    assert len(shown) == 3
    for row in shown:
        assert page_rows("sll-figures.md", *row[:3], after=heading)


def test_degrees_of_freedom_that_tests_count(run, tmp_path):
    """SLL is SLL, whatever method is the default; the script itself checks HITON's two answers."""
    sample, truth = write_child(tmp_path)
    (record,), text = run("sll_freedom", "--only", "Child", "--rows", 500)
    learned = ds.neighbors(sample, method="sll", score="bdeu", prior="uniform")
    assert record["SLL"] == ds.slhd(learned, truth)
    distances = [record[way] for way in ("SLL", "HITON, plain", "HITON, adjusted")]
    assert len(set(distances)) > 1
    cells = " | ".join(map(str, distances))
    assert f"| Child | 500 | {cells} |" in text
    nearer = ["1 | 0 | 0", "0 | 1 | 0", "0 | 0 | 1"][
        1 + (distances[0] > distances[1]) - (distances[0] < distances[1])
    ]
    assert f"| SLL | HITON, plain | all | {nearer} |" in text


def test_degrees_of_freedom_on_the_page(run):
    data_set("mmhc/Child_s500_v1.csv.gz")
    _, text = run("sll_freedom", "--only", "Child", data=data_folder())
    lines = [line for line in text.splitlines() if line.startswith("| Child |")]
    ours = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heading = "## Degrees of freedom decide how good HITON is"
    assert page_rows("sll-figures.md", "Child", after=heading)[:3] == ours


# --- spouses ------------------------------------------------------------------------------------


def test_spouses_in_the_limit(run):
    """The example in all orders, as the page has it; and two random graphs."""
    found, written = run("sll_spouses", "--graphs", "2", "--orders", "3", data=False)
    assert found["example"] == {"published": 360, "either": 72, "checked": 0}
    line = next(line for line in written.splitlines() if line.startswith("| orders of the example"))
    assert line in (ROOT / "docs" / "explain" / "spouses.md").read_text("utf-8")
    assert set(found["graphs"]) == {"published", "either", "checked"}
