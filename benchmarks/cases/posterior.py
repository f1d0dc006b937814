"""The posterior: how long exact sums over all networks take, and how exact they are."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import dagscape as ds
from cases import Facts, Run, case
from dagscape import _core
from dagscape.scores import as_score


def _enter(name: str, network: str, columns: int, rows: int, max_parents: int | None) -> None:
    """Enter a case on the first columns of a sample from a network."""
    limit = "any number of parents" if max_parents is None else f"to {max_parents} parents"

    def run_case(run: Run) -> Facts:
        data = ds.load_network(network).sample(rows, seed=0)
        data = data.select(data.names[:columns])
        found = run.timed(ds.posterior, data, max_parents=max_parents, threads=run.threads)
        arcs = found.features("arcs")
        sure = int((arcs["probability"] > 0.99).sum())
        return {
            "components": list(found.components),
            "log_evidence": found.log_evidence,
            "rounding": found.rounding,
            "remark": f"ln evidence {found.log_evidence:.4f}; {sure} arcs above 0.99; what should "
            f"add up to 1 misses it by {found.rounding:.0e} at most",
        }

    run_case.__doc__ = f"Sum over all networks of {columns} variables of {network}, {limit}."
    case(name)(run_case)


_enter("posterior-alarm16-1000", "alarm", 16, 1000, None)
_enter("posterior-alarm20-1000", "alarm", 20, 1000, None)
_enter("posterior-alarm20-1000-to4", "alarm", 20, 1000, 4)
_enter("posterior-child-20000-to3", "child", 20, 20_000, 3)


@case("posterior-samples-alarm20")
def samples(run: Run) -> Facts:
    """Draw a thousand networks: 20 variables of alarm, to 4 parents."""
    data = ds.load_network("alarm").sample(1000, seed=0)
    found = ds.posterior(
        data.select(data.names[:20]),
        score="bdeu",
        prior="fair",
        max_parents=4,
        threads=run.threads,
    )
    drawn = run.timed(found.sample, 1000)
    return {"remark": f"{len(set(drawn))} different networks"}


@case("posterior-resamples-asia")
def resamples(run: Run) -> Facts:
    """Bag fifty resamples of asia (8 variables, 1,000 rows)."""
    data = ds.load_network("asia").sample(1000, seed=0)
    found = run.timed(ds.posterior, data, resamples=50, threads=run.threads)
    return {"remark": f"{found.resamples} resamples"}


# --- arcs that may be left out -------------------------------------------------------------------


@case("posterior-groups-30")
def groups(run: Run) -> Facts:
    """Sum over 30 variables in three groups that know nothing of each other (2,000 rows)."""
    rng, columns = np.random.default_rng(0), {}
    for group in "abc":
        last = rng.integers(0, 3, 2000)
        for i in range(10):
            last = np.where(rng.random(2000) < 0.7, last, rng.integers(0, 3, 2000))
            columns[f"{group}{i}"] = last
    found = run.timed(ds.posterior, ds.Data(columns), max_parents=3, threads=run.threads)
    return {
        "components": list(found.components),
        "dropped": found.dropped,
        "remark": f"components of {', '.join(map(str, found.components))} variables; what was left "
        f"out weighs at most {found.dropped:.0e} of the rest",
    }


@case("posterior-arcs-left-out", threads=(2,))
def arcs_left_out(run: Run) -> Facts:
    """How far known networks fall apart without their least probable arcs (to 3 parents)."""
    facts: dict[str, Any] = {}
    for network, rows in itertools.product(("asia", "child", "insurance", "alarm"), (1000, 20_000)):
        data = ds.load_network(network).sample(rows, seed=0)
        score = as_score("bdeu", "fair")
        lists = ds.candidate_parents(data, score=score, max_parents=3, prune=False)._lists
        arcs, _ = run.timed(_core.bounded_arcs, lists, run.threads)
        largest = {}
        for most in (0.01, 0.5):
            pruned = _core.pruned_to_fit(lists, arcs, most, 1e300, 1e300, data.n_variables)
            largest[most] = max(_core.component_sizes(pruned[0]))
        facts[f"{network} x {rows}"] = largest
    words = "; ".join(
        f"{name}: {each[0.01]} for 0.01, {each[0.5]} for 0.5" for name, each in facts.items()
    )
    return {
        **facts,
        "remark": f"variables of the largest component, by the probability lost at most: {words}",
    }


# --- beside wider floats -------------------------------------------------------------------------


@case("posterior-error-13", threads=(1,))
def error(run: Run) -> Facts:
    """Compare sums over 13 variables with the same in extended precision."""
    n, facts = 13, {}
    for spread in (0.0, 30.0, 800.0):  # more would not fit extended precision either
        lists = _drawn_lists(n, spread)
        engine, _ = run.timed(_core.exact_posterior, _engine_lists(lists), False, run.threads)
        arcs, total = engine.arcs(), _log_total(lists)
        off = abs(engine.log_total - float(total))
        worst = 0.0
        for u, v in ((0, 1), (5, 2), (12, 7), (3, 11)):
            having = list(lists)
            having[v] = {s: w for s, w in lists[v].items() if s >> u & 1}
            worst = max(worst, abs(arcs[u, v] - float(np.exp(_log_total(having) - total))))
        facts[f"weights over {2 * spread:g} nats"] = {"ln_total": off, "arcs": worst}
    words = "; ".join(
        f"{name}: ln of the sum off by {each['ln_total']:.0e}, arcs by {each['arcs']:.0e}"
        for name, each in facts.items()
    )
    return {
        **facts,
        "remark": f"{words} (extended precision has {np.finfo(np.longdouble).nmant} bits)",
    }


def _drawn_lists(n: int, spread: float) -> list[dict[int, float]]:
    rng = np.random.default_rng(int(spread))
    return [
        {
            sum(1 << u for u in members): float(rng.uniform(-spread, spread))
            for k in range(4)
            for members in itertools.combinations([u for u in range(n) if u != v], k)
        }
        for v in range(n)
    ]


def _engine_lists(lists: list[dict[int, float]]) -> Any:
    lines = [str(len(lists))]
    for child, sets in enumerate(lists):  # the engine numbers variables in the order of names
        lines.append(f"{child:02} {len(sets)}")
        for mask, weight in sets.items():
            members = [f"{u:02}" for u in range(len(lists)) if mask >> u & 1]
            lines.append(" ".join([repr(weight), str(len(members)), *members]))
    return _core.read_jkl("\n".join([*lines, ""]).encode())[1]


def _log_total(lists: list[dict[int, float]]) -> np.longdouble:
    """Return the log of the sum over all networks, by sets of sinks, in extended precision."""
    n, wide = len(lists), np.longdouble
    among = []
    for v in range(n):
        table = np.zeros(1 << n, dtype=wide)
        for mask, weight in lists[v].items():
            table[mask] = np.exp(wide(weight))
        for bit in range(n):
            pairs = table.reshape(-1, 2, 1 << bit)
            pairs[:, 1] += pairs[:, 0]
        among.append(table)
    sums = np.zeros(1 << n, dtype=wide)
    sums[0] = 1
    for placed in range(1 << n):
        terms, sets = np.array([-sums[placed]], dtype=wide), np.array([placed])
        for v in range(n):
            if not placed >> v & 1:
                terms = np.concatenate([terms, -among[v][placed] * terms])
                sets = np.concatenate([sets, sets | 1 << v])
        sums[sets[1:]] += terms[1:]
    return np.log(sums[-1])
