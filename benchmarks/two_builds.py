"""The same calls in two builds of dagscape: CPU seconds, answers and counted work of each.

    python benchmarks/two_builds.py OLD/.venv/bin/python NEW/.venv/bin/python

The builds take turns, each call in a fresh process with one thread; of each the quickest counts. So
a machine with other work disturbs both alike.
"""

import argparse
import json
import subprocess
import sys
from typing import NamedTuple

ALARM = 'data = ds.load_network("alarm").sample(5000, seed=0)'
TILES = (
    "from dagscape.networks.tiling import tile_network; "
    'data = tile_network(ds.load_network("alarm"), 20).sample(2000, seed=0)'
)
NETWORK = "[r.score, sorted(r.dag.arcs)]"
CASES = {
    "`candidate_parents`, to 4 parents": (
        ALARM,
        "ds.candidate_parents(data, score='bic', max_parents=4, threads=1)",
        "[len(r), [r.best(x)[0] for x in data.names]]",
    ),
    "`exact`, to 3 parents": (
        ALARM,
        "ds.exact(data, score='bic', max_parents=3, threads=1)",
        NETWORK,
    ),
    "`exact` by A*, 37 variables": (
        ALARM,
        "ds.exact(data, score='bic', max_parents=3, algorithm='astar', split=False, threads=1)",
        NETWORK,
    ),
    "`order_search`, 20 restarts": (
        ALARM,
        "ds.order_search(data, score='bic', max_parents=3, restarts=20, generations=50, threads=1)",
        NETWORK,
    ),
    "`local_optima`, 2,000 runs": (
        ALARM,
        "ds.local_optima(data, score='bic', runs=2000, threads=1)",
        "[[o.score, o.visits] for o in r.optima]",
    ),
    "`ges`, 740 variables": (TILES, "ds.ges(data, score='bic')", NETWORK),
    "`hill_climb`, 740 variables": (TILES, "ds.hill_climb(data, score='bic', threads=1)", NETWORK),
    "`markov_blanket`, 740 variables": (
        TILES,
        "ds.markov_blanket(data, method='sll', score='bic', threads=1)",
        "[sorted(r[x]) for x in data.names]",
    ),
    "`learn`, 200 runs": (
        ALARM,
        "ds.learn(data, score='bic', max_parents=3, runs=200, threads=1, resamples=0)",
        "[r.score, r.claim, r.landscape.runs, len(r.landscape.optima)]",
    ),
}
"""What is prepared, called and looked at. ALARM has 37 variables, and 5,000 rows here."""

ONCE = """
import json, time
import dagscape as ds
{prepare}
{search}  # imported when first named
begun = time.process_time()
r = {call}
seconds = time.process_time() - begun
work = getattr(r, "work", None) or {{}}
counts = {{name: count for name, count in work.items() if isinstance(count, int)}}
print(json.dumps([seconds, {answer}, counts]))
"""


class Measured(NamedTuple):
    """What one call took, what came of it, and what it counted meanwhile."""

    seconds: float
    answer: object
    counts: dict[str, int]


def measure(python: str, case: str) -> Measured:
    """Make one call in a process of its own."""
    prepare, call, answer = CASES[case]
    search = call.partition("(")[0]
    code = ONCE.format(prepare=prepare, search=search, call=call, answer=answer)
    words = [python, "-B", "-c", code]
    done = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603
    return Measured(*json.loads(done.stdout))


def compare(old: str, new: str, case: str, rounds: int) -> str:
    """Return a row of the table."""
    pairs = [(measure(old, case), measure(new, case)) for _ in range(rounds)]
    before, since = (min(pair[i].seconds for pair in pairs) for i in range(2))
    same = all(_rounded(one.answer) == _rounded(other.answer) for one, other in pairs)
    cells = (
        *(case, f"{before:.2f}", f"{since:.2f}", f"{since / before:.2f}"),
        *("yes" if same else "no", _work(*(one.counts for one in pairs[0]))),
    )
    return f"| {' | '.join(cells)} |"


def _work(before: dict[str, int], since: dict[str, int]) -> str:
    """Tell whether the second counted more, by what both count."""
    both = before.keys() & since.keys()
    if not both:
        return "not counted"
    if any(since[name] > before[name] for name in both):
        return "more"
    return "less" if any(since[name] < before[name] for name in both) else "the same"


def _rounded(value: object) -> object:
    """Return an answer with its scores to 12 digits."""
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return value


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description="The same calls in two builds of dagscape.")
    parser.add_argument("old", help="the Python of the one build")
    parser.add_argument("new", help="the Python of the other build")
    parser.add_argument("--rounds", type=int, default=5, help="calls of each (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their name")
    asked = parser.parse_args()
    sys.stdout.write("| call | before, s | since, s | ratio | same answer | work |\n")
    sys.stdout.write("| --- | --: | --: | --: | --- | --- |\n")
    for case in filter(lambda name: asked.only in name, CASES):
        sys.stdout.write(f"{compare(asked.old, asked.new, case, asked.rounds)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
