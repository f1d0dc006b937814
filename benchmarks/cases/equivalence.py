"""Search over equivalence classes: one greedy run, and a thousand k-greedy ones."""

from __future__ import annotations

import dagscape as ds
from cases import Facts, Run, case

RUNS = 1000
WIDE = {
    "bnetflix": "100 binary variables, 20,000 rows",
    "dna": "180 binary variables, 3,186 rows",
    "tmovie_partial": "500 binary variables, 1,593 rows",
}
WIDE_RUNS = 5


def _enter(name: str) -> None:
    """Enter the two cases on a sample of 20,000 rows from a network."""

    def greedy(run: Run) -> Facts:
        data = run.read(f"bnlearn/{name}.csv.gz")
        result = run.timed(ds.ges, data, score="bic", phases=2)
        check_score(data, result.dag, result.score)
        true = true_score(data, name)
        return {
            "variables": data.n_variables,
            "rows": data.n_rows,
            "score": result.score,
            "true_score": true,
            "stopped": result.stopped,
            "work": dict(result.work),
            "sets_counted": result.work["sets_counted"],
            "remark": (
                f"{result.score:.1f} (true network {true:.1f}); {result.work['steps']} steps"
            ),
        }

    def many(run: Run) -> Facts:
        data = run.read(f"bnlearn/{name}.csv.gz")
        found = run.timed(ds.local_optima, data, score="bic", k=0.8, runs=RUNS, threads=run.threads)
        check_score(data, found.best.dag, found.best.score)
        true = true_score(data, name)
        return {
            "variables": data.n_variables,
            "rows": data.n_rows,
            "runs": found.runs,
            "score": found.best.score,
            "true_score": true,
            "visits_of_best": found.best.visits,
            "distinct": len(found.optima),
            "runs_with_drawn_neighbors": found.sampled,
            "stopped": found.stopped,
            "work": dict(found.work),
            "remark": (
                f"best {found.best.score:.1f} (true network {true:.1f}), "
                f"{found.best.visits} visits; {len(found.optima)} distinct optima, "
                f"{found.work['steps'] / found.runs:.0f} steps a run"
            ),
        }

    greedy.__doc__ = f"Greedy search, two phases, on {name}, 20,000 rows."
    many.__doc__ = f"{RUNS:,} runs of k-greedy search, k=0.8, on {name}, 20,000 rows."
    case(f"ges-{name}-20000", threads=(1,))(greedy)
    case(f"kes-{name}-20000-x{RUNS}", threads=(1,))(many)


def _enter_wide(name: str) -> None:
    """Enter the two cases on many variables."""

    def greedy(run: Run) -> Facts:
        data = run.read(f"debd/{name}.csv.gz")
        result = run.timed(ds.ges, data, score="bic")
        check_score(data, result.dag, result.score)
        return {
            "variables": data.n_variables,
            "rows": data.n_rows,
            "score": result.score,
            "stopped": result.stopped,
            "work": dict(result.work),
            "remark": f"{result.score:.1f}; {result.work['steps']:,} steps",
        }

    def some(run: Run) -> Facts:
        data = run.read(f"debd/{name}.csv.gz")
        found = run.timed(
            ds.local_optima, data, score="bic", k=0.8, runs=WIDE_RUNS, threads=run.threads
        )
        check_score(data, found.best.dag, found.best.score)
        return {
            "variables": data.n_variables,
            "rows": data.n_rows,
            "runs": found.runs,
            "score": found.best.score,
            "stopped": found.stopped,
            "work": dict(found.work),
            "remark": (
                f"best {found.best.score:.1f}; {found.work['steps'] / found.runs:,.0f} steps a run"
            ),
        }

    greedy.__doc__ = f"Greedy search, two phases, on {name} ({WIDE[name]})."
    some.__doc__ = f"{WIDE_RUNS} runs of k-greedy search, k=0.8, on {name} ({WIDE[name]})."
    case(f"ges-{name}", threads=(1,))(greedy)
    case(f"kes-{name}-x{WIDE_RUNS}", threads=(1,))(some)


def check_score(data: ds.Data, dag: ds.Dag, score: float) -> None:
    """Score the network on the data again."""
    own = ds.score(data, dag, score="bic")
    if abs(own - score) > 1e-9 * abs(own):
        raise AssertionError(f"the search says {score}, the data say {own}")


def true_score(data: ds.Data, name: str) -> float:
    """Return the score of the network that the rows were drawn from."""
    # Some names have lost their underscores in the data.
    plain = {x.replace("_", ""): x for x in data.names}
    arcs = ds.load_network(name).dag.arcs
    own = [(plain[a.replace("_", "")], plain[b.replace("_", "")]) for a, b in arcs]
    return ds.score(data, ds.Dag(data.names, own), score="bic")


for _name in ("alarm", "insurance", "hailfinder"):
    _enter(_name)
for _name in WIDE:
    _enter_wide(_name)
