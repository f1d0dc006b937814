"""How often two results are said to differ in what matters: of one truth, and of two.

python reproduce/what_changed.py [--pairs 5]

Networks with known truths, and one of numbers; of each, pairs of tables of fresh rows, learned from
by default and compared. Of one truth: both tables are drawn from the network. Of two truths: one of
the tables is drawn from the network without one arc, fitted to 50,000 rows of the other, where the
arc is worth 40 to 160 nats on as many rows as the table has; in every second pair it is the first
table. docs/howto/what-changed.md has the figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np

import dagscape as ds

CELLS = (
    ("asia", 500), ("asia", 2000), ("sachs", 500), ("sachs", 2000), ("child", 500),
    ("insurance", 1000), ("alarm", 1000), ("numbers", 500),
)  # fmt: skip
MANY = 50_000
WORTH = 40.0, 160.0
"""Nats: what an arc that is taken out costs on the rows of a table."""


def main() -> None:
    """Tell the shares, by network and for all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5, help="of each network")
    options = parser.parse_args()
    for line in told(options.pairs):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def network(name: str) -> ds.Network:
    """Return a network; that of numbers is of ten lines."""
    if name != "numbers":
        return ds.load_network(name)
    rng, rows = np.random.default_rng(5), {}
    arcs: list[tuple[str, str]] = []
    for v in range(10):
        above = sorted(rng.choice(v, min(v, 2), replace=False)) if v else []
        arcs += [(f"x{u}", f"x{v}") for u in above]
        slopes = [rng.uniform(0.3, 0.9) * rng.choice([-1, 1]) for _ in above]
        rows[f"x{v}"] = sum((b * rows[f"x{u}"] for b, u in zip(slopes, above, strict=True)),
                            start=rng.normal(size=MANY))  # fmt: skip
    return ds.fit(ds.Dag(rows, arcs), ds.Data(rows))


def without_an_arc(net: ds.Network, many: ds.Data, rows: int, seed: int) -> ds.Network:
    """Return the network without one arc, that is worth what it is to be worth."""
    arcs = sorted(net.dag.arcs)
    whole = ds.fit(net.dag, many).log_likelihood(many)
    for at in np.random.default_rng(seed).permutation(len(arcs)):
        dag = ds.Dag(net.dag.names, [each for each in net.dag.arcs if each != arcs[at]])
        less = ds.fit(dag, many)
        if WORTH[0] <= (whole - less.log_likelihood(many)) / MANY * rows <= WORTH[1]:
            return less
    raise SystemExit(f"no arc of this network is worth {WORTH[0]:g} nats on {rows} rows")


def told(pairs: int) -> Iterator[str]:
    """Yield a line for each network, and one for all."""
    of_one: list[bool] = []
    of_two: list[bool] = []
    for name, rows in CELLS:
        net = network(name)
        many = net.sample(MANY, seed=99)
        for pair in range(pairs):
            other = without_an_arc(net, many, rows, pair)
            first, second, third = (
                ds.learn(each.sample(rows, seed=10 * pair + at), runs=0, resamples=0)
                for at, each in enumerate((net, net, other), 1)
            )
            of_one.append(bool(ds.compare(first, second).matters))
            two = (first, third) if pair % 2 else (third, first)
            of_two.append(bool(ds.compare(*two).matters))
        yield (
            f"{name}, {rows:,} rows: {sum(of_one[-pairs:])} of {pairs} of one truth, "
            f"{sum(of_two[-pairs:])} of {pairs} of two truths"
        )
    yield f"all: {sum(of_one)} of {len(of_one)} of one truth, {sum(of_two)} of {len(of_two)} of two"


if __name__ == "__main__":
    main()
