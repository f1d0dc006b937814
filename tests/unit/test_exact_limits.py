"""Exact search that is stopped while lists are put in order, split or checked."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.selection.in_parts import _joined
from limits import NO_TIME
from toys.parent_sets import from_file, out_of_order


def lists_of(seed, n=7, sets=40):
    """Return lists of ties, each with an empty set."""
    rng = random.Random(seed)
    found = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        drawn = {frozenset(rng.sample(others, rng.randint(1, 4))) for _ in range(sets)}
        found[child] = [(float(rng.randint(-9, 0)), p) for p in sorted(drawn, key=sorted)]
        found[child].append((-9.0, frozenset()))
    return found


def press(*_):
    raise KeyboardInterrupt


def test_it_is_looked_at_before_lists_are_in_order():
    parents = out_of_order(lists_of(1))
    for split in (True, False):
        assert _core.components_in_time(parents._lists, split, 1, None, press) == ([], "interrupt")
        found, stopped = _core.components_in_time(parents._lists, split, 2)
        assert stopped == ""
        whole = _core.components(parents._lists, split)
        assert [part.variables for part in found] == [part.variables for part in whole]
    assert _core.components_in_time(parents._lists, True, 1, NO_TIME)[1] == "time"


def test_asking_for_sizes_puts_nothing_in_order():
    lists = out_of_order(lists_of(1))._lists
    before = _core.pack_lists(lists)
    assert [lists.size(child) for child in range(7)] == [len(sets) for sets in lists_of(1).values()]
    assert _core.pack_lists(lists) == before
    assert lists.sort() == ""
    assert _core.pack_lists(lists) != before


def test_who_stops_exact_search_at_once_waits_for_no_order():
    for seed in range(5):
        parents = out_of_order(lists_of(seed))
        before = _core.pack_lists(parents._lists)
        assert ds.exact(parents, progress=press, threads=1).stopped == "interrupt", seed
        assert _core.pack_lists(parents._lists) == before, seed


def test_order_search_without_time_to_put_them_in_order(monkeypatch):
    monkeypatch.setattr("dagscape.parents.candidates.AT_ONCE", 0.0)
    for seed in range(5):
        best = ds.exact(from_file(lists_of(seed)), algorithm="dp").score
        for few in (1, 3, 1000):
            monkeypatch.setattr("dagscape.parents.candidates.FEW_SETS", few)
            parents = out_of_order(lists_of(seed))
            before = _core.pack_lists(parents._lists)
            found = ds.order_search(parents, time_limit=NO_TIME)
            assert found.stopped == "time", (seed, few)
            assert found.score <= best, (seed, few)
            assert _core.pack_lists(parents._lists) == before, (seed, few)


@pytest.mark.parametrize("stopped", ["", "memory", "time", "interrupt"])
def test_parts_of_a_selection_that_was_stopped_are_given_back_at_once(stopped):
    names = ("stopped", "sizes_done_together", "sizes_from_bitmaps")
    call = SimpleNamespace(budget=Budget(deadline=None, memory=1 << 30, threads=1))
    halves = [{c: sets[half::2] for c, sets in lists_of(1).items()} for half in (0, 1)]
    found = [(0, from_file(half)._lists, dict.fromkeys(names, 0)) for half in halves]
    joined, facts = _joined(call, found, stopped, [])
    before = _core.pack_lists(joined)
    joined.sort()
    assert (_core.pack_lists(joined) == before) == (stopped in ("", "memory"))
    assert (facts["stopped"] or "") == stopped


def test_what_is_found_then_is_a_network_with_a_bound(monkeypatch):
    for seed in range(20):
        lists = lists_of(seed)
        parents = out_of_order(lists)
        best = ds.exact(parents, algorithm="dp").score
        for few in (1, 3, 1000):
            monkeypatch.setattr("dagscape.search.exact.exact_search.FEW_SETS", few)
            found = ds.exact(parents, progress=press, threads=1)
            assert found.stopped == "interrupt", (seed, few)
            assert found.score <= best <= found.bound, (seed, few)
            assert found.optimal == (found.score == found.bound), (seed, few)
            local = {child: {p: s for s, p in sets} for child, sets in lists.items()}
            chosen = {
                c: frozenset(int(p[1:]) for p in found.dag.parents(f"n{c:03}")) for c in lists
            }
            assert sum(local[c][p] for c, p in chosen.items()) == found.score, (seed, few)


def test_a_few_of_the_sets():
    lists = lists_of(3)
    few = out_of_order(lists)._lists.best_few(5)
    for child, sets in lists.items():
        ranked = sorted(sets, key=lambda s: (-s[0], len(s[1]), sorted(s[1])))
        kept = ranked[:5] + [s for s in ranked[5:] if not s[1]]
        found = [(few.score(child, i), few.parents(child, i)) for i in range(few.size(child))]
        assert found == [(score, sorted(members)) for score, members in kept]


@pytest.mark.long
def test_ties_are_sorted_by_pieces():
    """More sets of one score than one piece has: they are merged."""
    others = range(1, 19)
    sets = [frozenset(s) for k in range(19) for s in itertools.combinations(others, k)]
    random.Random(0).shuffle(sets)
    lists = {0: [(-1.0, s) for s in sets]} | {v: [(0.0, frozenset())] for v in others}
    found = out_of_order(lists)._lists
    expected = sorted((sorted(s) for s in sets), key=lambda s: (len(s), s))
    assert [found.parents(0, at) for at in range(found.size(0))] == expected
