"""Draw the picture of README's first screen: what ``dagscape learn`` finds in 2,000 rows of ASIA.

python tools/first_picture.py docs/tutorial/asia.svg

A test draws it again and compares, so that it cannot age.
"""

import math
import sys
from pathlib import Path

import dagscape as ds

PICTURE = Path("docs", "tutorial", "asia.svg")


def draw(path: Path) -> None:
    """Write the graph of least expected error, with lines as thick as edges are probable."""
    data = ds.load_network("asia").sample(2000, seed=0)
    learned = ds.learn(data, runs=0, resamples=20, time_limit=math.inf)
    learned.plot(path, graph="consensus")


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
