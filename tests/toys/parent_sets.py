"""Parent sets that no data gave, and how the engine sees them."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from oracles import orders as oracle
from seeds import in_part


def some(examples):
    return settings(derandomize=True, deadline=None, max_examples=in_part(examples))


seeds = st.integers(0, 2**32 - 1)


def random_lists(rng, n, most_sets=8, most_parents=3, empty=True, grain=64):
    """Parent sets that no data gave. Scores are binary fractions, so that every sum is exact.

    A coarse grain makes ties; without the empty set a variable may need parents, and there may be
    no network at all.
    """
    lists = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        needy = not empty and n > 1 and rng.random() < 0.7
        sets = set() if needy else {frozenset()}
        for _ in range(rng.randint(int(needy), most_sets)):
            size = rng.randint(int(needy), min(most_parents, len(others)))
            sets.add(frozenset(rng.sample(others, size)))
        lists[child] = [
            (rng.randint(-40 * grain, 0) / grain - 100 + 8 * len(parents), parents)
            for parents in sorted(sets, key=sorted)
        ]
    return lists


def from_file(lists):
    """As a score file has them; the engine numbers variables as they are numbered here."""
    lines = [str(len(lists))]
    for child, sets in lists.items():
        lines.append(f"n{child:03} {len(sets)}")
        for value, parents in sets:
            lines.append(" ".join([f"{value!r} {len(parents)}", *(f"n{p:03}" for p in parents)]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sets.jkl"
        path.write_text("\n".join(lines) + "\n", "ascii")
        return ds.read_parents(path)


def out_of_order(lists):
    """The same in no order yet, as parts of a selection leave it."""
    parts = [{child: sets[half::2] for child, sets in lists.items()} for half in (0, 1)]
    joined = _core.join_lists([from_file(part)._lists for part in parts])
    return from_file(lists).with_lists(joined)


def searched(parents, *, init="random", swap=False, restarts=1, steps=500, generations=0, seed=0):
    """What the engine says of a search, with the order that the user does not see."""
    options = _core.OrderSearchOptions(init, not swap, restarts, steps, generations, seed, 1)
    return _core.order_search(parents._lists, options)


def check_order(facts, parents, lists):
    """Every variable has its best set among those before it, and the score is their sum."""
    order = facts["order"]
    assert sorted(order) == sorted(lists)
    for at, child in enumerate(order):
        place = facts["places"][child]
        assert set(parents._lists.parents(child, place)) <= set(order[:at])
        assert parents._lists.score(child, place) == oracle.best_among(lists, child, order[:at])
    assert facts["score"] == oracle.order_score(lists, order)


def numbers(dag):
    """The arcs of a network on a score file's variables."""
    return {(int(a[1:]), int(b[1:])) for a, b in dag.arcs}


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-6)
