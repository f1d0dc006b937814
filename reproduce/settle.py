"""How often an open edge is settled by the rows that are foretold for it.

python reproduce/settle.py [--edges 200]

Two coins, the second of which falls like the first in a share of the rows; 600 rows by which the
edge has a probability of 0.3 to 0.7, so that it is open. Then fresh tables with as many rows as are
foretold: those if the edge is as strong as it seems, and those if it is as weak as the rows allow.
Settled is an arc that gains 3 nats there, by the default score. docs/explain/trust.md has the
figures.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence

import numpy as np

import dagscape as ds
from dagscape.learning.settle import SETTLED, rows_to_settle

ROWS, OPEN, STRENGTHS = 600, (0.3, 0.7), (0.15, 0.1, 0.06, 0.04)


def main() -> None:
    """Tell the shares that are settled, by how strong the edge is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edges", type=int, default=200)
    options = parser.parse_args()
    for line in settled(options.edges, STRENGTHS):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def table(rows: int, strength: float, rng: np.random.Generator) -> ds.Data:
    """Return two coins, the second of which falls like the first in this share of rows."""
    first = rng.integers(2, size=rows)
    second = np.where(rng.random(rows) < strength, first, rng.integers(2, size=rows))
    states = {"a": ["0", "1"], "b": ["0", "1"]}
    return ds.Data.from_codes(np.stack([first, second], 1), states)


def gain(data: ds.Data) -> float:
    """Return what the arc gains."""
    score = ds.default_score(data)
    joined, alone = (ds.local_score(data, "b", some, score=score) for some in (["a"], []))
    return joined - alone


def is_open(data: ds.Data) -> bool:
    """Tell whether the edge is: either arc may be there, or none."""
    both = 2 * math.exp(gain(data))
    return OPEN[0] <= both / (1 + both) < OPEN[1]


def settled(edges: int, strengths: Sequence[float]) -> Iterator[str]:
    """Yield a line for each strength."""
    for strength in strengths:
        rng = np.random.default_rng(1)
        near: list[bool] = []
        far: list[bool] = []
        unknown = 0
        while len(near) < edges:
            data = table(ROWS, strength, rng)
            if not is_open(data):
                continue
            score = ds.default_score(data)
            rows = rows_to_settle(data, ds.Dag(["a", "b"]), ("a", "b"), score)
            if rows.least is None:
                continue
            near.append(gain(table(int(rows.least), strength, rng)) >= SETTLED)
            if rows.most is None:
                unknown += 1
            else:
                far.append(gain(table(int(rows.most), strength, rng)) >= SETTLED)
        yield (
            f"{strength:g}: settled in {np.mean(near):.2f} by the least, in {np.mean(far):.2f} by "
            f"the most rows; no most is told in {unknown / edges:.2f}"
        )


if __name__ == "__main__":
    main()
