"""Networks over time against brute force over all parent sets, and against the ordinary search."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape.posteriors.exact_sums import parent_sets
from oracles import scores, series

NAMES = ("b", "a", "c")


def case(
    seed: int, *, wide: bool = False
) -> tuple[dict[str, Any], series.Rules, ds.Data, dict[str, list[Any]]]:
    """Return columns, rules, the table of ours and that of the oracle; wide: more in the past."""
    rng = np.random.default_rng(seed)
    n = 3 if wide else int(rng.integers(1, 4))
    within = not wide and bool(rng.random() < 0.5)
    lags = (1, 2, 3) if wide else (1,) if n == 3 else tuple(range(1, int(rng.integers(1, 3)) + 1))
    rows = int(rng.integers(12, 60))
    columns: dict[str, Any] = {x: rng.integers(0, rng.integers(1, 4), rows) for x in NAMES[:n]}
    for x in NAMES[1:n]:  # some follow others, at once or later
        lag = int(rng.integers(0, 3))
        copied = rng.random(rows) < rng.choice([0.0, 0.5, 1.0])
        columns[x] = np.where(copied, np.roll(columns[NAMES[0]], lag), columns[x])
    known = ("hour",) if n < 3 and rng.random() < 0.3 else ()
    for x in known:
        columns[x] = np.arange(rows) % 3
    which = np.sort(rng.integers(0, 2, rows)) if rng.random() < 0.5 else np.zeros(rows, int)
    times = np.arange(rows) * 5
    order = rng.permutation(rows)
    shuffled = {x: values[order] for x, values in columns.items()}
    frame = {**{x: v.astype(str) for x, v in shuffled.items()}, "s": which[order]}
    own = bool(rng.random() < 0.5)
    if min(np.bincount(which)) <= max(lags):
        which, frame["s"] = np.zeros(rows, int), np.zeros(rows, int)
    made = ds.series(
        {**frame, "t": times[order]},
        time="t",
        series="s",
        lags=list(lags),
        within_step=within,
        own_past=own,
        known=known,
    )
    expected = series.with_past(columns, which, np.arange(rows), lags, known)
    most = 99 if n < 3 and not within else 3
    return columns, series.Rules(NAMES[:n], lags, known, within, own, most), made, expected


def locals_of(made: ds.Data, expected: dict[str, list[Any]]) -> Any:
    names = list(expected)
    rows = [[int(v) for v in row] for row in zip(*expected.values(), strict=True)]
    states = {x: [int(label) for label in made.states[x]] for x in names}
    codes = [[states[x].index(v) for x, v in zip(names, row, strict=True)] for row in rows]
    arities = [len(states[x]) for x in names]

    def local(child: str, parents: series.Parents) -> float:
        given = [names.index(x) for x in sorted(parents, key=names.index)]
        return scores.local_score(codes, arities, names.index(child), given, "bdeu", 1.0)

    return local


def limit(rules: series.Rules, made: ds.Data) -> int | None:
    return None if rules.max_parents >= made.n_variables else rules.max_parents


def test_the_table_is_that_of_the_definition():
    for seed in range(40):
        _, _, made, expected = case(seed)
        found = {x: [int(made.states[x][c]) for c in made.column(x)] for x in made.names}
        assert found == {x: list(map(int, values)) for x, values in expected.items()}, seed


def test_optimum_and_posterior_are_those_of_all_networks():
    for seed in range(30):
        _, rules, made, expected = case(seed)
        scored = series.weighed(rules, locals_of(made, expected))
        most = limit(rules, made)
        found = ds.exact(made, score="bdeu", max_parents=most)
        assert found.score == pytest.approx(scored[0][0]), seed
        assert found.optimal, seed
        assert ds.score(made, found.dag, score="bdeu") == pytest.approx(found.score), seed
        assert ds.hill_climb(made, score="bdeu", max_parents=most).score <= found.score + 1e-9
        climbed = ds.order_search(made, score="bdeu", max_parents=most, seed=seed)
        assert climbed.score == pytest.approx(found.score), seed
        near = ds.near_optimal(made, within=1.5, score="bdeu", max_parents=most)
        expected_near = [score for score, _ in scored if score > scored[0][0] - 1.5 + 1e-6]
        ties = [score for score, _ in scored if score > scored[0][0] - 1.5 - 1e-6]
        assert len(expected_near) <= len(near) <= len(ties), seed
        truth = series.arc_probabilities(scored)
        rows = ds.posterior(made, score="bdeu", max_parents=most).features("arcs")
        for a, b, p in rows.select("from", "to", "probability").iter_rows():
            assert p == pytest.approx(truth.get((a, b), 0.0), abs=1e-6), (seed, a, b)


@pytest.mark.parametrize("algorithm", ["dp", "astar", "systematic", "ilp"])
def test_every_exact_solver_obeys(algorithm):
    for seed in range(6):
        _, rules, made, _ = case(seed)
        most = limit(rules, made)
        best = ds.exact(made, score="bic", max_parents=most)
        found = ds.exact(made, score="bic", max_parents=most, algorithm=algorithm)
        assert found.score == pytest.approx(best.score), (seed, algorithm)


def test_it_is_the_ordinary_search_on_the_same_columns_with_tiers():
    """Columns of the past then have scores of their own, which are the same in every network."""
    for seed in range(25):
        _, rules, made, expected = case(seed)
        columns = {x: [str(v) for v in values] for x, values in expected.items()}
        plain = ds.Data(columns, states={x: made.states[x] for x in made.names})
        past = [x for x in made.names if x not in rules.variables]
        flat = [] if rules.within_step else [*itertools.permutations(rules.variables, 2)]
        knowledge = ds.Knowledge(
            required=[(f"{x}[-1]", x) for x in rules.variables] if rules.own_past else [],
            forbidden=[*itertools.permutations(past, 2), *flat],
            tiers=[past, rules.variables],
        )
        most = limit(rules, made)
        # The prior of the parents counts all columns in both.
        for score, prior in (("bic", "uniform"), ("fitted", "fair"), ("qnml", "uniform")):
            asked: dict[str, Any] = {"score": score, "prior": prior, "max_parents": most}
            one = ds.exact(made, **asked)
            other = ds.exact(plain, knowledge=knowledge, **asked)
            own = sum(ds.local_score(plain, x, score=score) for x in past)
            assert one.score == pytest.approx(other.score - own), (seed, score)
            assert ds.score(plain, one.dag, score=score, prior=prior) == pytest.approx(other.score)
            assert [ds.local_score(made, x, score=score) for x in past] == [0.0] * len(past)


def test_children_that_are_scored_alone_have_all_their_sets():
    alone = 0
    for seed in range(30):
        _, rules, made, expected = case(seed, wide=seed % 3 > 0)
        most = min(rules.max_parents, made.n_variables - 1)
        local = locals_of(made, expected)
        past = [x for x in made.names if x not in rules.variables]
        lists: dict[str, dict[frozenset[str], float]] = {x: {frozenset(): 0.0} for x in past}
        for x in rules.variables:
            own = frozenset([f"{x}[-1]"] if rules.own_past else [])
            pool = [y for y in made.names if y not in own and y != x]
            if not rules.within_step:
                pool = [y for y in pool if y in past]
            sizes = range(min(most - len(own), len(pool)) + 1)
            sets = [own | set(c) for k in sizes for c in itertools.combinations(pool, k)]
            lists[x] = {s: local(x, tuple(s)) for s in sets}
        for score in ("bdeu", ds.Problem(made, score="bdeu").score):
            every = ds.candidate_parents(made, score=score, max_parents=most, prune=False)
            for x in made.names:
                found = {frozenset(parents): value for value, parents in every[x]}
                assert found == pytest.approx(lists[x]), (seed, x)
        kept = ds.candidate_parents(made, score="bdeu", max_parents=most)
        work = ds.candidate_parents(made, score="bdeu", max_parents=most, threads=2).work
        assert work == kept.work, seed
        alone += work["sizes_done_together"] == 0
        for x in made.names:
            found = {frozenset(parents): value for value, parents in kept[x]}
            for parents, value in lists[x].items():
                better = [v for s, v in found.items() if s <= parents]
                assert max(better) >= value - 1e-9, (seed, x, parents)
            assert all(lists[x][s] == pytest.approx(v) for s, v in found.items()), (seed, x)
    assert alone > 5, alone


def test_wide_tables_count_each_set_once():
    """Of 20 series with 3 lags no set of four of the 80 columns is looked at for its own sake."""
    rng = np.random.default_rng(0)
    for values in (rng.integers(3, size=(203, 20)), rng.normal(size=(203, 20))):
        made = ds.series({f"v{i:02}": values[:, i] for i in range(20)}, lags=3)
        found = ds.candidate_parents(made, max_parents=3, prune=False)
        assert len(found) == 60 + 20 * (1 + 59 + 59 * 58 // 2)
        assert found.work["sets_counted"] == len(found)
        assert found.exhaustive_to == 3
        fewer = ds.candidate_parents(made, max_parents=3, max_memory=100_000, prune=False)
        assert fewer.stopped == "memory"
        problem = ds.Problem(made, max_parents=3)
        assert parent_sets(problem) == len(found)
        for x in list(made.names)[:20:7]:
            for value, parents in list(found[x])[:50]:
                expected = ds.local_score(made, x, parents)
                assert value == pytest.approx(expected), (x, parents)
