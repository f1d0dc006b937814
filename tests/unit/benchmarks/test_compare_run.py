"""How jobs are run, summed up and told of; no other tool is needed."""

import json

import pytest
from benchmarks.compare import measure, peers
from benchmarks.compare.datasets import DataSets
from benchmarks.compare.job import Job, Setup
from benchmarks.compare.report.ahead import FIGURES, ahead, beats, losses
from benchmarks.compare.report.page import draw, page
from benchmarks.compare.report.summary import Spread, spread
from benchmarks.compare.report.tables import comparison, table
from benchmarks.compare.report.words import seconds, times
from benchmarks.compare.runner import CELL_SECONDS, Runner
from benchmarks.compare.runs import joined, runs_of
from benchmarks.compare.tasks import TASKS, load_task

from limits import FOR_ENDLESS_WORK

pytestmark = pytest.mark.slow


@pytest.fixture
def sets(tmp_path):
    return DataSets(tmp_path, None)


def record(tool, case="alarm-1000", **facts):
    job = Job("hill_climbing", case, tool, "hill_climbing", case, 1, limit=40.0)
    known = {"status": "done", "cpu_seconds": 1.0, "wall_seconds": 2.0, "grown_mb": 1.0}
    known["peak_bytes"] = 5e7
    return {**job.record(), **known, "score": -100.0, "shd": 3, **facts}


def test_a_job_is_a_process_of_its_own(sets):
    job = Job("hill_climbing", "asia-200", "dagscape", "hill_climbing", "asia-200", 1)
    outcome = measure.run(job, sets.file("asia-200", 1))
    assert outcome["status"] == "done"
    assert outcome["answer"]["arcs"]
    measured = outcome["measured"]
    assert measured["cpu_seconds"] > 0
    assert measured["peak_bytes"] >= measured["grown_bytes"] >= 0


def test_a_job_over_its_limit_is_ended(sets):
    job = Job("exact", "a", "dagscape", "exact", "insurance-5000", limit=FOR_ENDLESS_WORK)
    assert measure.run(job, sets.file("insurance-5000", None)) == {"status": "over"}


def test_a_failure_is_one_sentence():
    job = Job("bif", "a", "dagscape", "read_bif", options={"source": "none.bif"}, before="load")
    outcome = measure.run(job, None)
    assert outcome["status"] == "failed"
    assert outcome["why"].startswith('ParameterError: there is no file "none.bif"')
    assert measure.shortened("x" * 1000) == "x" * 199 + "…"


def test_what_would_only_take_time_is_left_out(sets, tmp_path, monkeypatch):
    asked = []

    def run(job, _table, _folder):
        asked.append((job.case, job.tool, job.shuffle))
        if job.tool == "pgmpy":
            return {"status": "over"}
        cpu = CELL_SECONDS * 0.6
        measured = {"cpu_seconds": cpu, "wall_seconds": cpu, "grown_bytes": 0}
        return {"status": "done", "measured": measured, "answer": {"arcs": [], "undirected": []}}

    monkeypatch.setattr(measure, "run", run)
    runner = Runner(sets, tmp_path)
    for case, smaller in (("asia-50", None), ("asia-60", "asia-50")):
        for tool in ("dagscape", "pgmpy"):
            for order in (1, 2, 3):
                job = Job("ges", case, tool, "ges", case, order, after=smaller)
                runner.do(load_task("ges"), job)
    ours = [(case, "dagscape", order) for case in ("asia-50", "asia-60") for order in (1, 2)]
    assert asked == [*ours[:2], ("asia-50", "pgmpy", 1), *ours[2:]]
    assert [r["status"] for r in runner.records] == [
        *("done", "done", "over"),
        *("done", "done", "not asked"),
    ]
    assert runner.records[0]["score"] < 0


def test_what_is_kept_is_not_run_again(sets, tmp_path, monkeypatch):
    jobs = [Job("ges", "asia-50", "dagscape", "ges", "asia-50", order) for order in (1, 2)]
    file = tmp_path / "kept.jsonl"
    first = Runner(sets, tmp_path, file)
    for job in jobs:
        first.do(load_task("ges"), job)
    lines = file.read_text("utf-8").splitlines(keepends=True)
    assert [json.loads(line) for line in lines] == first.records
    file.write_text(lines[0] + lines[1][:20], "utf-8")  # as a kill would leave it
    asked = []
    real = measure.run
    monkeypatch.setattr(measure, "run", lambda job, *rest: asked.append(job) or real(job, *rest))
    again = Runner(sets, tmp_path, file)
    for job in jobs:
        again.do(load_task("ges"), job)
    assert asked == jobs[1:]
    assert again.records[0] == first.records[0]
    assert [json.loads(line) for line in file.read_text("utf-8").splitlines()] == again.records


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("quick", [False, True])
def test_jobs_name_what_there_is(name, quick):
    task = load_task(name)
    setup = Setup(quick=quick, seed=1, tools=peers.TOOLS, real=False)
    jobs = list(task.jobs(setup))
    assert jobs
    cases = {job.case for job in jobs}
    for job in jobs:
        assert job.task == task.name == name
        assert peers.can(job.tool, job.action)
        assert job.after is None or job.after in cases
        json.dumps(job.record())


def test_words():
    figures = (0, 0.00004, 0.00123, 0.0456, 0.5, 4.56, 45.6, 4567)
    words = ["0", "0.0000", "0.0012", "0.046", "0.50", "4.6", "46", "4,567"]
    assert [seconds(value) for value in figures] == words
    assert [times(value) for value in (0.333, 1.96, 12.4, 1234)] == [
        "0.33 ×",
        "2 ×",
        "12 ×",
        "1,234 ×",
    ]
    assert table(["a", "b"], [["x|y", "1"]]) == "| a | b |\n| --- | --: |\n| x/y | 1 |"


def test_spread_is_over_the_records_that_have_a_figure():
    some = [record("pgmpy", score=value) for value in (-5.0, -1.0, -3.0)]
    assert spread(some, "score") == Spread(-5.0, -3.0, -1.0)
    assert spread([{"status": "over"}], "score") is None


def test_who_is_ahead_is_computed():
    assert beats("score", -99.0, -100.0)
    assert not beats("score", -100.0, -100.0)
    assert not beats("cpu_seconds", 0.97, 1.0)
    assert beats("cpu_seconds", 0.5, 1.0)
    assert beats("shd", 2, 3)
    records = [
        record("dagscape"),
        record("pyagrum", score=-90.0, cpu_seconds=0.5),
        record("pyagrum", score=-120.0, cpu_seconds=9.0),
        record("pyagrum", score=-95.0, cpu_seconds=8.0),
        record("pybnesian", shd=1),
        record("pgmpy", case="other", shd=0),
    ]
    assert list(losses(records)) == [
        ("score", "pyagrum", "pyAgrum on alarm-1000 by 5.0"),
        ("shd", "pybnesian", "PyBNesian on alarm-1000, 1 against 3"),
    ]
    reasons = {
        "score": "\nBecause\nof ties.\n",
        "score pyagrum": "And so.",
        "score pgmpy": "Not this.",
    }
    said = ahead(records, reasons)
    assert "pyAgrum on alarm-1000 by 5.0. Because of ties. And so.\n" in said
    assert "1 against 3. Why is not known." in said
    assert ahead(records[:1], {}).startswith("No peer is ahead")


def test_table_of_a_task():
    records = [
        record("dagscape"),
        record("pyagrum", score=-90.0, cpu_seconds=12.0),
        record("pyagrum", score=-120.0, cpu_seconds=10.0),
        record("dagscape", score=-101.0, cpu_seconds=0.5, variant="one climb"),
        {**record("pgmpy"), "status": "over"},
        {**record("pybnesian"), "status": "failed", "why": "ValueError: no"},
    ]
    for some in records[4:]:
        for name in (*FIGURES, "wall_seconds", "peak_bytes"):
            some.pop(name)
    lines = comparison(records).splitlines()
    assert lines[2] == "| alarm-1000 | dagscape | 1 | 1.0 |  | 2.0 | 1 of 50 | -100.0 |  | 3 |"
    assert lines[3] == (
        "|  | dagscape, one climb | 1 | 0.50 | 0.5 × | 2.0 | 1 of 50 | -101.0 | -1.0 | 3 |"
    )
    assert lines[4] == (
        "|  | pyAgrum | 2 | 11 (10 to 12) | 11 × | 2.0 | 1 of 50 | -105.0 | -20.0 to +10.0 | 3 |"
    )
    assert lines[5] == "|  | pgmpy |  | over 40 |  |  |  |  |  |  |"
    assert lines[6] == "|  | PyBNesian |  | ValueError: no |  |  |  |  |  |  |"


EXACT = {"task": "exact", "case": "alarm-1000-first4", "data": "alarm-1000-first4"}


def a_run():
    return {
        "date": "2026-01-02T03:04:05+00:00",
        "machine": {"cpu": "A", "cores": 2, "memory_bytes": 8e9, "load_at_start": 0.5},
        "versions": {"python": "3.11"},
        "peers": {"pgmpy": "1.2.3"},
        "commit": "0123456789abcdef+",
        "settings": {"quick": True, "seed": 1, "data": False},
        "seconds": 120.0,
        "records": [
            record("dagscape"),
            record("pyagrum", score=-90.0, cpu_seconds=5.0),
            {**record("dagscape"), **EXACT},
            {**record("pgmpy"), **EXACT, "status": "over"},
        ],
    }


def test_one_task_anew_leaves_the_others_as_they_were():
    old = a_run()
    later = {**old, "date": "2026-02-03", "records": [{**record("dagscape"), **EXACT, "seed": 9}]}
    both = joined(json.loads(json.dumps(old)), later)
    assert [(run["date"][:10], run["tasks"]) for run in runs_of(both)] == [
        ("2026-01-02", ["hill_climbing"]),
        ("2026-02-03", ["exact"]),
    ]
    assert [r for r in both["records"] if r["task"] == "exact"] == later["records"]
    assert [r["tool"] for r in both["records"]] == ["dagscape", "pyagrum", "dagscape"]
    text = page(both, 20.0)
    assert '"Hill climbing": a quick run on sampled tables, 2026-01-02' in text
    assert '"Exact learning": a quick run on sampled tables, 2026-02-03' in text
    assert "A run that was ended before it was done on sampled tables" in page(
        {**old, "ended": True}, 20.0
    )
    again = joined(both, {**old, "date": "2026-03-04"})  # both tasks: nothing earlier is left
    assert [run["date"] for run in runs_of(again)] == ["2026-03-04"]


def test_the_page_is_made_from_the_json_alone(tmp_path):
    content = a_run()
    text = page(json.loads(json.dumps(content)), 20.0)
    assert "A quick run on sampled tables, 2026-01-02, 2 minutes: pgmpy 1.2.3, Python 3.11" in text
    assert "commit 012345678." in text
    assert "had other work" not in text
    busy = {**content, "machine": {**content["machine"], "load_at_start": 3.0}}
    assert "**The machine had other work**" in page(busy, 20.0)
    assert "| Hill climbing | pyAgrum | 1 | 0 | 5 × | 1 of 1 | 0 of 1 | 0 of 1 | 0 of 1 |" in text
    assert "pyAgrum on alarm-1000 by 10.0. A climb" in text
    assert text.index("## Hill climbing") < text.index("## Exact learning")
    draw(content, tmp_path / "plots")
    for name in ("hill_climbing", "exact"):
        assert "pyAgrum" in (tmp_path / "plots" / "hill_climbing.svg").read_text("utf-8")
        assert f"compare/{name}.svg" in text
