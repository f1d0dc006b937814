"""What probability, stability and agreement have meant on tables whose network is known.

python reproduce/calibration.py --out FOLDER [--design five] [--budget SECONDS] [--workers N]

Each table is a sample of a known or a random network; every way says of each pair of variables how
much it believes in an edge, and of each true arc that data can direct, in which direction it goes.
Of what was said at 0.8, four fifths should be true. Tables are done one by one and kept in
FOLDER/tables.jsonl; the same command goes on from there, and does ways that are new.
--design five takes other tables: ASIA, CHILD, INSURANCE, ALARM and HAILFINDER with 250, 1,000 and
5,000 rows, one sample each, on which earlier measurements of other tools were made. --ways names
the ways to ask, if not all.
Writes FOLDER/calibration.json, the reliability diagrams, and table.md for docs/explain/trust.md.
What words.py tells is of `learn` as it is; this compares ways to ask.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from _calibration_page import TOLD, markdown
from _calibration_tally import LEAST, Said, Tally, figures, measures, tally
from _calibration_truths import truth_of

import dagscape as ds

ROWS = (100, 250, 500, 1000, 2000, 5000, 10000)
FIRST, CHOSEN = 700, 3
"""The first seed, and how many of them were looked at before it was chosen what learn calls
probability. What was not seen then is also told apart."""
RESAMPLES, ROUNDS, ROUNDS_EACH = 30, 2000, 500
RUNS = 100
PARENTS = 3
SUMMED = 12
"""Up to so many variables the posterior is summed, else chains are run."""

Join = Callable[[tuple[float, float], tuple[float, float]], tuple[float, float]]

Rule = tuple[tuple[str, str], ...]
"""Score and prior, as pairs of words."""
DEFAULT: Rule = ()
"""What is taken where the user names neither."""
FAIR: Rule = (("score", "bdeu"), ("prior", "fair"))


def main() -> None:
    """Do the tables that are missing, then tell of all that are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--budget", type=float, default=1800, help="seconds for new tables")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--design", choices=tuple(DESIGNS), default="own")
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=list(WAYS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "tables.jsonl"
    done: dict[str, dict[str, Any]] = {}
    for line in _lines(kept):
        done[line["table"]] = both(done.get(line["table"]), line)
    until = time.monotonic() + options.budget
    jobs = (
        (table, missing, until)
        for table in DESIGNS[options.design](options.seeds)
        if (missing := missing_ways(done.get(label(*table)), options.ways))
    )
    with kept.open("a", encoding="utf-8") as file, ProcessPoolExecutor(options.workers) as pool:
        for line in pool.map(judge, jobs):
            if line is not None:
                file.write(json.dumps(line) + "\n")
                file.flush()
                done[line["table"]] = both(done.get(line["table"]), line)
    judged = [line for line in done.values() if not missing_ways(line, options.ways)]
    unseen = [line for line in judged if int(line["table"].split("/")[-1]) >= FIRST + CHOSEN]
    content = summarized(judged)
    content["unseen"] = {"tables": len(unseen), **summarized(unseen)["ways"].get(TOLD, {})}
    (options.out / "calibration.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    (options.out / "table.md").write_text(markdown(content), "utf-8")
    figures(content, options.out)
    for way, kinds in content["ways"].items():
        said = "; ".join(
            f"{kind}: ECE {m['ece']:.3f}, Brier {m['brier']:.4f} of what was said"
            + (f", {m['brier_all']:.4f} of all pairs" if m["brier_all"] is not None else "")
            + f", 0.7-0.9 true in {m['likely']}"
            for kind, m in kinds.items()
            if kind != "tables"
        )
        sys.stdout.write(f"{way}: {said}\n")
    if unseen:
        sys.stdout.write(f"{TOLD}, {judgment(content['unseen'])}\n")


def judgment(found: dict[str, Any]) -> str:
    """Say how what learn calls probability did where nobody had looked before."""
    presence = found["presence"]
    near = [level for level in presence["levels"] if 0.7 <= level["said"] < 0.9]
    lowest = min((level["true"] for level in near), default=1.0)
    return (
        f"{found['tables']} tables that were not seen before: ECE {presence['ece']:.3f}, Brier "
        f"{presence['brier_all']:.4f}, the lowest of the tenths from 0.7 to 0.9 {lowest:.2f}"
    )


def tables(seeds: int) -> Iterator[tuple[str, int, int]]:
    """Return the tables, seed by seed, so that a run that is cut short has all sizes.

    Those that were not seen before the choice come first.
    """
    truths = ("asia", "child", "insurance", "alarm", "random-10", "random-20", "random-35", "sachs")
    for seed in (*range(CHOSEN, seeds), *range(min(CHOSEN, seeds))):
        for at, truth in enumerate(truths):
            for place, rows in enumerate(ROWS):
                if (at + place + seed) % 2 == 0:  # every size of every truth, in turn
                    yield truth, rows, FIRST + seed


def five_networks(_: int) -> Iterator[tuple[str, int, int]]:
    """Return fifteen tables of five known networks, small ones first."""
    for rows in (250, 1000, 5000):
        for truth in ("asia", "child", "insurance", "alarm", "hailfinder"):
            yield truth, rows, FIRST + CHOSEN


DESIGNS: dict[str, Callable[[int], Iterator[tuple[str, int, int]]]] = {
    "own": tables,
    "five": five_networks,
}


def label(name: str, rows: int, seed: int) -> str:
    """Return what a table is kept under."""
    return f"{name}/{rows}/{seed}"


def missing_ways(line: dict[str, Any] | None, wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the ways that have not said anything of a table."""
    return tuple(way for way in wanted if line is None or way not in line["ways"])


def both(line: dict[str, Any] | None, later: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a table from two lines."""
    if line is None:
        return later
    return later | {"cpu": line["cpu"] + later["cpu"], "ways": line["ways"] | later["ways"]}


def judge(job: tuple[tuple[str, int, int], tuple[str, ...], float]) -> dict[str, Any] | None:
    """Return what some ways say of one table, counted; None when time is over."""
    (name, rows, seed), ways, until = job
    if time.monotonic() > until:
        return None
    begun = _cpu()
    truth = truth_of(name, seed)
    data = truth.sample(rows, seed=seed)
    posterior_of.cache_clear()
    found = {way: tally(WAYS[way](data, seed), truth.dag) for way in ways}
    return {
        "table": label(name, rows, seed),
        "variables": data.n_variables,
        "rows": rows,
        "cpu": round(_cpu() - begun, 2),
        "ways": {way: {k: t.cells for k, t in kinds.items()} for way, kinds in found.items()},
    }


# --- the ways ------------------------------------------------------------------------------------


@cache
def posterior_of(data: ds.Data, rule: Rule, resamples: int, seed: int) -> Said:
    """Return what the posterior says, plain or bagged."""
    chains = data.n_variables > SUMMED
    found = ds.posterior(
        data,
        **dict(rule),
        resamples=resamples,
        max_parents=PARENTS,
        method="mcmc" if chains else "exact",
        rounds=(ROUNDS_EACH if resamples else ROUNDS) if chains else None,
        seed=seed,
        threads=1,
    ).features("adjacencies", frame="dict")
    rows = zip(found["from"], found["to"], found["probability"], found["direction"], strict=True)
    return {(a, b): (p, 0.5 if way is None else way) for a, b, p, way in rows}


def by_posterior(rule: Rule, resamples: int) -> Callable[[ds.Data, int], Said]:
    """Return what asks the posterior, plain or bagged."""
    return lambda data, seed: posterior_of(data, rule, resamples, seed)


def by_both(rule: Rule, join: Join) -> Callable[[ds.Data, int], Said]:
    """Return what joins what the plain posterior says and what the bagged one does.

    A resampled table repeats rows, so that chance looks stronger in it than in the table itself.
    """

    def say(data: ds.Data, seed: int) -> Said:
        plain = posterior_of(data, rule, 0, seed)
        bagged = posterior_of(data, rule, RESAMPLES, seed)
        return {pair: join(said, plain[pair]) for pair, said in bagged.items()}

    return say


def mean(bagged: tuple[float, float], plain: tuple[float, float]) -> tuple[float, float]:
    """Return the mean of two presences, and the direction that goes with it."""
    both = bagged[0] + plain[0]
    forth = bagged[0] * bagged[1] + plain[0] * plain[1]
    return both / 2, forth / both if both else 0.5


def lesser(bagged: tuple[float, float], plain: tuple[float, float]) -> tuple[float, float]:
    """Return the lesser of two presences, and the bagged direction."""
    return min(bagged[0], plain[0]), bagged[1]


def by_models(make: Callable[[ds.Data, int], Any]) -> Callable[[ds.Data, int], Said]:
    """Return what counts models: samples or optima."""

    def say(data: ds.Data, seed: int) -> Said:
        found = make(data, seed).strengths(frame="dict")
        rows = zip(found["from"], found["to"], found["strength"], found["direction"], strict=True)
        return {(a, b): (p, way) for a, b, p, way in rows if a < b}

    return say


def samples(rule: Rule) -> Callable[[ds.Data, int], Said]:
    """Return what asks what order search finds on samples of the rows."""
    return by_models(
        lambda data, seed: ds.bootstrap(
            data,
            method="order",
            **dict(rule),
            max_parents=PARENTS,
            runs=RUNS,
            seed=seed,
            threads=1,
        )
    )


def greedy(data: ds.Data, seed: int) -> ds.Bootstrap:
    """Return what greedy equivalence search finds on samples of the rows."""
    return ds.bootstrap(data, method="ges", runs=RUNS, seed=seed, threads=1)


def landscape(data: ds.Data, seed: int) -> ds.Landscape:
    """Return the local optima."""
    return ds.local_optima(data, score="bic", runs=RUNS, seed=seed, threads=1)


WAYS: dict[str, Callable[[ds.Data, int], Said]] = {
    "posterior, default": by_posterior(DEFAULT, 0),
    "bagged posterior, default": by_posterior(DEFAULT, RESAMPLES),
    "mean of both, default": by_both(DEFAULT, mean),
    "lesser of both, default": by_both(DEFAULT, lesser),
    "stability of order search, default": samples(DEFAULT),
    "posterior, bdeu 1, fair": by_posterior(FAIR, 0),
    "bagged posterior, bdeu 1, fair": by_posterior(FAIR, RESAMPLES),
    "lesser of both, bdeu 1, fair": by_both(FAIR, lesser),
    "stability of order search, bdeu 1, fair": samples(FAIR),
    "stability of ges, bic": by_models(greedy),
    "agreement of kes, bic": by_models(landscape),
}


def summarized(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the sums over all tables."""
    ways: dict[str, Any] = {}
    for way in WAYS:
        own = [line for line in lines if way in line["ways"]]
        if own:
            presence = Tally.summed(line["ways"][way]["presence"] for line in own)
            direction = Tally.summed(line["ways"][way]["direction"] for line in own)
            ways[way] = {
                "tables": len(own),
                "presence": measures(presence, sum(pairs_of(line) for line in own)),
                "direction": measures(direction),
            }
    return {
        "tables": len(lines),
        "pairs": sum(pairs_of(line) for line in lines),
        "least": LEAST,
        "resamples": RESAMPLES,
        "runs": RUNS,
        "max_parents": PARENTS,
        "cpu": round(sum(line["cpu"] for line in lines)),
        "ways": ways,
    }


def pairs_of(line: dict[str, Any]) -> int:
    """Return how many pairs of variables a table has."""
    return line["variables"] * (line["variables"] - 1) // 2


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    whole = [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    return [json.loads(line) for line in whole]


def _cpu() -> float:
    used = os.times()
    return used.user + used.system


if __name__ == "__main__":
    main()
