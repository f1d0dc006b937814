"""Margins of Trap that round to the printed ones: which of them deceive greedy search.

python reproduce/trap_margins.py [--steps N] [--seeds N] [--markdown FILE]

The paper gives Trap by margins of two digits. Greedy search is deceived if I(Y;U) > I(Y;U|X): then
it takes the chain Y - X - U and not the collider. The script goes through a grid of margins that
round to the printed ones and have their symmetries, and tells how many are so and what the best
model is expected to score. On samples of the printed margins and of those of `trap-rounded` it
counts the runs that end above greedy search.

Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from typing import Any, NamedTuple

import numpy as np
from _optima_data import CASES, ROUNDED
from _tables import Table, add_output_options, console, put_out

import dagscape as ds
from dagscape.networks.trap import PRINTED, trap_joint

HALF = 0.0049
"""How far from a printed digit a margin may be and still round to it."""

GROUPS = 10
PARAMETERS = 19
"""Of the better of the two models of a group."""

SHARES = (0.0, 0.4, 0.8)
SAME = 1e-6

Record = dict[str, Any]


class Margins(NamedTuple):
    """A choice of margins, and what follows from it."""

    own: tuple[float, ...]
    same: float
    chain: float
    """I(Y;U)."""
    collider: float
    """I(Y;U|X)."""
    entropy: float

    @property
    def deceives(self) -> bool:
        """Whether greedy search takes the chain."""
        return self.chain > self.collider

    @property
    def expected(self) -> float:
        """Of the best model's BIC on a sample, in log base 10, without the error of estimates."""
        penalty = 0.5 * math.log(CASES) * PARAMETERS
        return -GROUPS * (CASES * self.entropy + penalty) / math.log(10)

    @property
    def deviation(self) -> float:
        """Of that score between samples: sqrt(groups · cases · variance of ln p)."""
        joint = trap_joint((self.own, self.same))
        variance = float((joint * np.log(joint) ** 2).sum()) - self.entropy**2
        return math.sqrt(GROUPS * CASES * variance) / math.log(10)


def main() -> int:
    """Do what the command line says; return the exit code."""
    options = _options()
    screen = console()
    grid = _grid(options.steps)
    chosen = {"printed": _margins(*PRINTED), "trap-rounded": _margins(*ROUNDED)}
    networks = {"trap": ds.trap(), "trap-rounded": ds.trap(margins=ROUNDED)}
    counts: list[Record] = []
    for name, network in networks.items():
        for seed in range(options.seeds):
            with screen.status(f"{name}, seed {seed}"):
                counts.append({"set": name, "seed": seed, **_counted(network, seed, options)})
    content = {
        "grid": len(grid),
        "deceive": sum(one.deceives for one in grid),
        "chosen": {name: one._asdict() for name, one in chosen.items()},
        "runs": counts,
    }
    put_out(screen, options, [_choices(grid, chosen), _runs(counts)], content)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--steps", type=int, default=5, metavar="N", help="values of each margin on the grid; 5"
    )
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="samples of each; 3")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each k; 1000")
    parser.add_argument("--threads", type=int, metavar="N", help="all, if not given")
    add_output_options(parser)
    return parser.parse_args()


def _grid(steps: int) -> list[Margins]:
    """Return margins that round to the printed ones: three of X and Y, one of Y and Z are free."""
    first, second, third, _ = PRINTED[0]
    values = [
        np.linspace(digit - HALF, digit + HALF, steps).round(6).tolist()
        for digit in (first, second, third, PRINTED[1])
    ]
    found = []
    for a, b, c, same in itertools.product(*values):
        last = round(0.5 - a - b - c, 6)
        if abs(last - PRINTED[0][3]) < HALF + 1e-9:
            found.append(_margins((a, b, c, last), same))
    return found


def _margins(own: tuple[float, ...], same: float) -> Margins:
    joint = trap_joint((own, same))

    def entropy(*axes: int) -> float:
        kept = np.einsum(joint, [0, 1, 2, 3], list(axes)).ravel()
        return float(-(kept * np.log(kept)).sum())

    chain = entropy(1) + entropy(3) - entropy(1, 3)
    collider = entropy(0, 1) + entropy(0, 3) - entropy(0, 1, 3) - entropy(0)
    return Margins(own, same, chain, collider, entropy(0, 1, 2, 3))


def _counted(network: ds.Network, seed: int, options: argparse.Namespace) -> Record:
    """Return how many runs of each k end above greedy search."""
    data = network.sample(CASES, seed=seed)
    scored: Record = {"score": "bic", "prior": "uniform"}
    greedy = ds.ges(data, phases=1, **scored).score
    above = []
    for k in SHARES:
        found = ds.local_optima(data, k=k, runs=options.runs, threads=options.threads, **scored)
        above.append(sum(one.visits for one in found.optima if one.score > greedy + SAME))
    return {"above": above}


def _choices(grid: list[Margins], chosen: dict[str, Margins]) -> Table:
    deceiving = [one for one in grid if one.deceives]
    rows = []
    for name, one in chosen.items():
        rows.append([name, _words(one), *_figures(one)])
    if deceiving:
        ends = (min(deceiving, key=_expected), max(deceiving, key=_expected))
        for name, one in zip(("lowest", "highest"), ends, strict=True):
            rows.append([f"grid, deceive, {name}", _words(one), *_figures(one)])
    header = ["margins", "p(X, Y=1st); p(Y=1st, Z=1st)", "I(Y;U)", "I(Y;U given X)"]
    header += ["expected score, log 10", "± between samples"]
    title = f"Trap: {len(deceiving)} of {len(grid)} margins on the grid deceive greedy search"
    return Table(title, header, rows)


def _expected(one: Margins) -> float:
    return one.expected


def _words(one: Margins) -> str:
    return f"{', '.join(f'{p:g}' for p in one.own)}; {one.same:g}"


def _figures(one: Margins) -> list[str]:
    shown = [f"{one.chain:.5f}", f"{one.collider:.5f}"]
    return [*shown, f"{one.expected:,.0f}", f"{one.deviation:,.0f}"]


def _runs(counts: list[Record]) -> Table:
    rows = [[line["set"], str(line["seed"]), *map(str, line["above"])] for line in counts]
    header = ["set", "seed of the sample", *(f"k = {k:g}" for k in SHARES)]
    return Table("Runs that end above greedy search", header, rows)


if __name__ == "__main__":
    sys.exit(main())
