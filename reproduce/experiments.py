"""Experiments on five variables of ALARM and INSURANCE: how many directions, and how many true.

python reproduce/experiments.py [--tables 5] [--contexts]

From each network tables of 2,000 rows are drawn: all of them observed, or 1,000 observed and 200
from each of five experiments, which set a variable, drawn at random, to each of its states equally
often. Counted are pairs that the true network joins and the posterior (chains, at most 3 parents)
makes at least as probable as not: how often the direction that is said with a probability is the
true one, what share is settled (0.95 and more for one direction), and how much of that is right.

--contexts: small random networks with experiments of which nobody says what they set, in nine
designs; how often what `touched` says to be acted on is.

docs/reproduce/experiments.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import polars as pl

import dagscape as ds
from dagscape.posteriors import Posterior, touched

NETWORKS = ("alarm", "insurance")
ROWS, EACH, EXPERIMENTS, MOST = 2_000, 200, 5, 3
SETTLED = 0.95
NETWORKS_EACH, FIRST = 40, 100
LEVELS = (0.5, 0.7, 0.9, 0.95, 1.0)
Said = list[tuple[float, bool]]
"""How probable a direction was said to be, and whether it is the true one."""


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=5, metavar="N")
    parser.add_argument("--contexts", action="store_true")
    options = parser.parse_args()
    for line in acted(NETWORKS_EACH) if options.contexts else directions(options.tables):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def directions(tables: int) -> Iterator[str]:
    """Yield what the directions of edges come to, without and with experiments."""
    found: dict[tuple[str, str], Said] = {}
    yield "| network | rows | edges | settled | of them right | all right |"
    yield "| --- | --- | --: | --: | --: | --: |"
    for name in NETWORKS:
        for how in ("observed", "experiments"):
            said: Said = []
            for seed in range(tables):
                net = ds.load_network(name)
                data = drawn(net, seed, touch=how == "experiments")
                said += judged(ds.posterior(data, max_parents=MOST, seed=seed), net.dag)
            found[name, how] = said
            settled = [right for share, right in said if share >= SETTLED]
            right = np.mean([right for _, right in said])
            yield (
                f"| {name} | {how} | {len(said):,} | {len(settled) / len(said):.2f} | "
                f"{np.mean(settled):.3f} | {right:.3f} |"
            )
    yield ""
    yield "| rows | said | edges | mean said | true |"
    yield "| --- | --- | --: | --: | --: |"
    for how in ("observed", "experiments"):
        both = [one for name in NETWORKS for one in found[name, how]]
        yield from (f"| {how} {line}" for line in by_level(both, LEVELS))


def drawn(net: ds.Network, seed: int, *, touch: bool) -> ds.Data:
    """Return rows of a network, half of them from experiments if that is asked for."""
    if not touch:
        return net.sample(ROWS, seed=seed)
    rng = np.random.default_rng(seed)
    parts = [net.sample(ROWS - EACH * EXPERIMENTS, seed=seed).to_polars()]
    parts[0] = parts[0].with_columns(what=pl.lit(""))
    for number, at in enumerate(rng.choice(len(net.names), EXPERIMENTS, replace=False)):
        x = net.names[at]
        states = net.states[x]
        counts = np.bincount(rng.integers(len(states), size=EACH), minlength=len(states))
        for place, (state, rows) in enumerate(zip(states, counts.tolist(), strict=True)):
            if rows:
                part = net.do({x: state}).sample(rows, seed=1000 * seed + 10 * number + place)
                parts.append(part.to_polars().with_columns(what=pl.lit(x)))
    frame = pl.concat([part.with_columns(pl.all().cast(pl.String)) for part in parts])
    states = {x: list(net.states[x]) for x in net.names}
    return ds.Data(frame, states=states, interventions=ds.Interventions(column="what"))


def judged(found: Posterior, truth: ds.Dag) -> Said:
    """Return of each true edge that is probable the more probable direction, and if it is true."""
    shares = {
        (a, b): p for a, b, p in found.features("arcs").select("from", "to", "probability").rows()
    }
    said = []
    for a, b in truth.arcs:
        ahead, back = shares.get((a, b), 0.0), shares.get((b, a), 0.0)
        if ahead + back >= 0.5:
            share = max(ahead, back) / (ahead + back)
            said.append((share, ahead >= back))
    return said


def by_level(said: Said, levels: tuple[float, ...]) -> Iterator[str]:
    """Yield how much came true, by how probable it was said to be."""
    shares, true = (np.array(each, dtype=float) for each in zip(*said, strict=True))
    for low, high in pairwise(levels):
        here = (shares >= low) & ((shares < high) | (high == levels[-1]))
        if here.any():
            yield (
                f"| {low:g} to {high:g} | {here.sum():,} | {shares[here].mean():.3f} | "
                f"{true[here].mean():.3f} |"
            )


@dataclass(frozen=True)
class Design:
    """How small tables of unknown experiments are drawn."""

    name: str
    rows: int = 900
    states: int = 2
    even: float = 1.0
    """Of the Dirichlet distribution that chances are drawn from."""
    soft: bool = False
    """Whether variables that are acted on still obey their parents, with chances of their own."""
    experiments: int = 2


DESIGNS = (
    Design("two states, 900 rows"),
    Design("250 rows", rows=250),
    Design("6,000 rows", rows=6_000),
    Design("three states", states=3),
    Design("three states, soft, 300 rows", rows=300, states=3, soft=True),
    Design("soft", soft=True),
    Design("rare states", even=0.3),
    Design("even states", even=5.0),
    Design("four experiments, 1,000 rows", rows=1_000, experiments=4),
)


def acted(networks: int) -> Iterator[str]:
    """Yield how often what is said to be acted on is: four variables, unknown experiments."""
    found: dict[str, Said] = {}
    for design in DESIGNS:
        said: Said = []
        for seed in range(FIRST, FIRST + networks):
            data, targets = unknown(seed, design)
            shares = touched(data, reference="n").shares
            said += [(p, x in targets[e]) for e, each in shares.items() for x, p in each.items()]
        found[design.name] = said
    yield "| said | pairs | mean said | true |"
    yield "| --- | --: | --: | --: |"
    yield from by_level([*chain(*found.values())], (0.0, 0.1, 0.5, 0.9, 0.95, 1.0))
    yield ""
    yield "| tables | pairs | acted on | from 0.95 | of them true | 0.5 to 0.9 | mean | true |"
    yield "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for name, said in found.items():
        shares, true = (np.array(each, dtype=float) for each in zip(*said, strict=True))
        sure, between = shares >= SETTLED, (shares >= 0.5) & (shares < 0.9)
        cells = (
            f"{len(said)} | {true.sum():.0f} | {sure.sum()} | {true[sure].mean():.3f}",
            f"{between.sum()} | {shares[between].mean():.2f} | {true[between].mean():.2f}",
        )
        yield f"| {name} | {' | '.join(cells)} |"


def unknown(seed: int, design: Design) -> tuple[ds.Data, dict[str, set[str]]]:
    """Return rows of a random network, in groups in which up to two variables were touched."""
    rng = np.random.default_rng(seed)
    n, k, rows, groups = 4, design.states, design.rows, range(1, design.experiments + 1)
    order = [int(v) for v in rng.permutation(n)]
    parents = {v: [u for u in order[:at] if rng.random() < 0.5][:2] for at, v in enumerate(order)}
    sizes = {v: k ** len(parents[v]) for v in order}
    chances = {v: rng.dirichlet([design.even] * k, sizes[v]) for v in order}
    least = 0 if design.soft else 1
    targets = {e: {*rng.choice(n, rng.integers(least, 3), replace=False).tolist()} for e in groups}
    own = {
        (e, v): rng.dirichlet([design.even] * k, sizes[v] if design.soft else 1)
        for e, hit in targets.items()
        for v in hit
    }
    which = rng.integers(0, len(groups) + 1, rows)
    values = np.zeros((rows, n), dtype=int)
    for v in order:
        cell = np.zeros(rows, dtype=int)
        for u in parents[v]:
            cell = k * cell + values[:, u]
        chance = chances[v][cell]
        for e in groups:
            if v in targets[e]:
                here = which == e
                chance[here] = own[e, v][cell[here] if design.soft else 0]
        values[:, v] = (rng.random(rows)[:, None] > chance.cumsum(axis=1)[:, :-1]).sum(axis=1)
    frame = {f"x{v}": values[:, v].astype(str) for v in range(n)}
    frame["group"] = np.array(["n", *(f"e{e}" for e in groups)])[which]
    states = {f"x{v}": [str(code) for code in range(k)] for v in range(n)}
    named = {f"e{e}": {f"x{v}" for v in hit} for e, hit in targets.items()}
    return ds.Data(frame, groups="group", states=states), named


if __name__ == "__main__":
    main()
