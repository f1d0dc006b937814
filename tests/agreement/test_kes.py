"""KES against its definition: chances of the next class, ends of runs, threads and limits."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import equivalence as oracle
from toys.classes import (
    NO_LIMIT,
    SCORES,
    as_class,
    boundary,
    kes,
    mixed,
    pdag,
    some_classes,
    sparse,
    total_of,
)


def statistic(counts, chances, runs):
    """Pearson's, and how far it may be from nothing: five standard deviations above its mean."""
    rare = [outcome for outcome in chances if runs * chances[outcome] < 5]
    cells = {outcome: [outcome] for outcome in chances if outcome not in rare}
    if rare:
        cells["rare"] = rare
    value = 0.0
    for outcomes in cells.values():
        expected = float(runs * sum(chances[outcome] for outcome in outcomes))
        seen = sum(counts[outcome] for outcome in outcomes)
        value += (seen - expected) ** 2 / expected
    freedom = max(len(cells) - 1, 1)
    return value, freedom + 5 * math.sqrt(2 * freedom)


def next_counts(on_data, n, here, k, runs, seed):
    """Which class comes next: half by runs of one seed, half by seeds."""
    options = _core.KesOptions(k, max_steps=1, start=pdag(n, here))
    half = runs // 2
    found, _ = _core.kes_runs(on_data, options, seed, 0, half, 1)
    classes = [as_class(run.graph) for _, run in found]
    seeds = range(seed + 1, seed + 1 + runs - half)
    return Counter(
        classes + [as_class(_core.kes(on_data, options, number)[0].graph) for number in seeds]
    )


def grouped(counts, chances):
    """Counts of the groups of classes that tie."""
    return {group: sum(counts[there] for there in group) for group, _ in chances}


@pytest.mark.parametrize("k", ["0", "0.3", "0.8"])
@pytest.mark.parametrize("score", ["bic", "loglik", "bdeu 10"])
def test_the_next_class_has_its_exact_chances(k, score):
    n, runs = 4, 1000
    data = mixed(41, n, rows=60)
    on_data, total, neighbors = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    starts = sorted(some_classes(n), key=lambda here: -len(oracle.better(here, total, neighbors)))
    for here in [oracle.EMPTY, starts[0], starts[5]]:
        chances = oracle.next_classes(here, total, neighbors, Fraction(k))
        assert len(chances) > 1
        counts = next_counts(on_data, n, here, float(k), runs, seed=11)
        seen = grouped(counts, chances)
        assert sum(seen.values()) == runs  # nothing else is ever next
        assert all(seen[group] == 0 for group, chance in chances if chance == 0)
        value, most = statistic(seen, {g: p for g, p in chances if p}, runs)
        assert value < most


def test_the_draw_is_from_classes_not_from_steps():
    """On the empty graph X → Y and Y → X are one; elsewhere some classes have two steps."""
    n, runs = 4, 3000
    data = mixed(41, n, rows=60)
    on_data, total, neighbors = (
        scorer(data, SCORES["loglik"]),
        total_of(data, "loglik"),
        boundary(n),
    )

    def steps_to_better(here):
        steps = {**oracle.insertions(n, here), **oracle.deletions(n, here)}
        better = set(oracle.better(here, total, neighbors))
        return Counter(there for there in steps.values() if there in better)

    def mixture(here):
        ways = Counter(steps_to_better(here).values())
        return min(ways[1], ways[2])

    here = max(some_classes(n), key=mixture)
    steps = steps_to_better(here)
    assert set(steps.values()) == {1, 2}
    counts = next_counts(on_data, n, here, 0.0, runs, seed=5)
    value, most = statistic(counts, dict.fromkeys(steps, Fraction(1, len(steps))), runs)
    assert value < most
    by_steps = {there: Fraction(ways, steps.total()) for there, ways in steps.items()}
    value, most = statistic(counts, by_steps, runs)
    assert value > most


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu 10"])
def test_whole_runs_end_where_runs_by_the_book_end(score):
    """In an optimum by definition; in each as often as they do."""
    n, runs = 4, 600
    data = mixed(77, n, rows=80)
    on_data, total, neighbors = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    for k in ("0", "0.3", "0.8"):
        found, _ = _core.kes_runs(on_data, _core.KesOptions(float(k)), 3, 0, runs, 1)
        ends = Counter(as_class(run.graph) for _, run in found)
        assert all(run.done for _, run in found)
        assert not any(oracle.better(here, total, neighbors) for here in ends)
        rng = random.Random(3)
        book = Counter(
            oracle.kes_by_the_book(total, neighbors, Fraction(k), rng) for _ in range(runs)
        )
        groups = oracle.ties(set(ends) | set(book), total)
        for group in groups:
            one, other = (sum(counts[here] for here in group) for counts in (ends, book))
            assert abs(one - other) < 5 * math.sqrt(one + other + 1)


@pytest.mark.parametrize("neighborhood", ["auto", "exact", "sampled"])
def test_a_start_must_be_a_class_of_the_variables(neighborhood):
    on_data = scorer(mixed(1, 4), "bic")
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]  # no network without a v-structure has this skeleton
    starts = [_core.Pdag(3, [], []), _core.Pdag(4, [], square), _core.Pdag(4, [(0, 1)], [])]
    for start in starts:
        with pytest.raises(ds.ParameterError, match="class"):
            kes(on_data, neighborhood=neighborhood, start=start)


def test_five_variables_end_in_optima():
    n = 5
    for seed, score in enumerate(SCORES):
        data = mixed(300 + seed, n, rows=100)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for max_parents in (1, 2, None):
            limit = NO_LIMIT if max_parents is None else max_parents
            options = _core.KesOptions(0.4, max_parents=limit)
            found, _ = _core.kes_runs(on_data, options, seed, 0, 25, 1)
            for _, run in found:
                here = as_class(run.graph)
                assert not oracle.better(here, total, boundary(n, max_parents))
                assert run.score == pytest.approx(total(here), abs=1e-9)


def test_runs_are_the_same_for_any_number_of_threads_and_any_cut():
    on_data = scorer(sparse(4, 25), "bic")
    options = _core.KesOptions(0.5)
    one, _ = _core.kes_runs(on_data, options, 9, 0, 24, 1)
    two, _ = _core.kes_runs(on_data, options, 9, 0, 24, 2)
    late, _ = _core.kes_runs(on_data, options, 9, 10, 14, 2)
    assert [(i, run.graph) for i, run in one] == [(i, run.graph) for i, run in two]
    assert [(i, run.graph) for i, run in one[10:]] == [(i, run.graph) for i, run in late]
    assert len({str(as_class(run.graph)) for _, run in one}) > 3
    assert kes(on_data, 9, 7, k=0.5).graph == one[7][1].graph
