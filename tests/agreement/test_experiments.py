"""Scores, classes, optima and posteriors of tables from experiments, against their definitions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from oracles import experiments, graphs

NAMES = ("a", "b", "c", "d")


def random_targets(
    rng: np.random.Generator, variables: int, hows: tuple[str, ...] = ("set",)
) -> list[dict[int, str]]:
    """Return what one to four experiments do; the first may leave all free, or not."""
    made: list[dict[int, str]] = [{}] if rng.random() < 0.7 else []
    for _ in range(int(rng.integers(1, 4))):
        chosen = rng.choice(variables, int(rng.integers(1, 3)), replace=False)
        made.append({int(v): str(rng.choice(hows)) for v in chosen})
    return made


def case(seed: int, hows: tuple[str, ...] = ("set", "shifted")) -> tuple[Any, ...]:
    """Return a table, its codes, arities, and what each row's experiment did."""
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(2, 5)), int(rng.integers(8, 60))
    arities = [int(k) for k in rng.integers(1, 4, n)]
    targets = random_targets(rng, n, hows)
    which = rng.integers(0, len(targets), rows)
    codes = np.stack([rng.integers(0, k, rows) for k in arities], axis=1)
    if n > 2 and arities[1] == arities[2]:
        codes[:, 2] = np.where(rng.random(rows) < 0.7, codes[:, 1], codes[:, 2])
    labels = [f"e{number}" for number in range(len(targets))]
    seen = sorted(set(which.tolist()))
    effects = {labels[e]: {NAMES[v]: None for v in targets[e]} for e in seen if targets[e]}
    if not effects:
        return case(seed + 1000, hows)
    frame: dict[str, Any] = {NAMES[v]: codes[:, v].astype(str) for v in range(n)}
    frame["what"] = [labels[e] for e in which]
    by_how = {(NAMES[v], how) for e in seen for v, how in targets[e].items()}
    if len({x for x, _ in by_how}) < len(by_how):  # one way for each variable
        return case(seed + 1000, hows)
    how = {x: "randomized" if h == "set" else h for x, h in by_how}
    data = ds.Data(
        frame,
        states={NAMES[v]: [str(s) for s in range(k)] for v, k in enumerate(arities)},
        interventions=ds.Interventions(column="what", experiments=effects, how=how),
    )
    return data, codes.tolist(), arities, which.tolist(), targets


def oracle(seed_case: tuple[Any, ...], score: str) -> Any:
    _, codes, arities, which, targets = seed_case

    def local(child: int, parents: tuple[int, ...]) -> float:
        return experiments.local_score(codes, which, targets, arities, child, parents, score)

    return local


def always(seed_case: tuple[Any, ...]) -> set[int]:
    _, _, arities, which, targets = seed_case
    seen = [targets[e] for e in set(which)]
    return {v for v in range(len(arities)) if all(each.get(v) == "set" for each in seen)}


def test_a_child_is_scored_where_it_was_free():
    compared = 0
    for seed in range(60):
        made = case(seed)
        data, n, set_in_all = made[0], len(made[2]), always(made)
        for score in ("bic", "bdeu", "k2", "fitted", "qnml", "fnml", "aic", "loglik"):
            local = oracle(made, score)
            for child in range(n):
                others = [v for v in range(n) if v != child]
                if child in set_in_all:
                    assert ds.local_score(data, NAMES[child], score=score) == 0
                    continue
                for size in range(n):
                    for parents in itertools.combinations(others, size):
                        own = ds.local_score(
                            data, NAMES[child], [NAMES[p] for p in parents], score=score
                        )
                        expected = local(child, parents)
                        assert own == pytest.approx(expected, abs=1e-7), (seed, score, child)
                        compared += 1
    assert compared > 5000


def test_classes_are_those_of_the_definition():
    """All networks of four variables, with random families of targets."""
    rng = np.random.default_rng(5)
    for trial in range(12):
        n = 3 if trial < 6 else 4
        targets = random_targets(rng, n)
        family = [frozenset(each) for each in targets]
        named = {f"e{k}": [NAMES[v] for v in each] for k, each in enumerate(targets)}
        for members in experiments.classes(n, family).values():
            union = experiments.essential(members)
            if not all(any(v not in each for each in family) for v in range(n)):
                continue  # not conservative: another theorem
            directed = {(a, b) for a, b in union if (b, a) not in union}
            graph = ds.Dag(NAMES[:n], [(NAMES[a], NAMES[b]) for a, b in members[0]]).to_mpdag(named)
            assert set(graph.directed) == {(NAMES[a], NAMES[b]) for a, b in directed}, trial
            assert set(graph.reasons) == set(graph.directed)
    assert graph.to_dag().to_mpdag(named) == graph


def test_networks_of_a_class_score_the_same_and_only_they():
    rng = np.random.default_rng(8)
    for trial in range(8):
        n, rows = 4, 120
        targets = random_targets(rng, n)
        if not all(any(v not in each for each in targets) for v in range(n)):
            continue
        which = np.arange(rows) % len(targets)
        words = ["+".join(NAMES[v] for v in targets[e]) for e in which]
        done = ds.Interventions(column="what")
        columns: dict[str, Any] = {x: rng.integers(0, 3, rows).astype(str) for x in NAMES}
        numbers: dict[str, Any] = {x: rng.normal(size=rows) for x in NAMES}
        tables = {
            "bic": columns,
            "bdeu": columns,
            "qnml": columns,
            "bge": numbers,
            "gaussian_bic": numbers,
            "rank_bge": {**numbers, "a": columns["a"]},
            "conditional_gaussian": {**numbers, "b": columns["b"]},
        }
        family = [frozenset(each) for each in targets]
        groups = experiments.classes(n, family)
        for score, table in tables.items():
            data = ds.Data({**table, "what": words}, interventions=done)
            scorer = ds.Problem(data, score=score, prior="fair").scorer
            seen: dict[float, int] = {}
            for number, members in enumerate(groups.values()):
                totals = [
                    sum(scorer.local(v, sorted(graphs.parents(dag, v))) for v in range(n))
                    for dag in members
                ]
                assert max(totals) - min(totals) < 1e-7, (trial, score)
                seen.setdefault(round(totals[0], 6), number)
            if score in ("bge", "gaussian_bic"):  # no two classes of such rows score the same
                assert len(seen) == len(groups), (trial, score)


def test_optima_and_posteriors_are_those_of_all_networks():
    for seed in range(14):
        made = case(seed)
        data, n, set_in_all = made[0], len(made[2]), always(made)
        local = oracle(made, "bdeu")
        scored = {
            dag: math.fsum(local(v, tuple(sorted(graphs.parents(dag, v)))) for v in range(n))
            for dag in graphs.all_dags(n)
            if not any(b in set_in_all for _, b in dag)
        }
        best = max(scored.values())
        asked: dict[str, Any] = {"score": "bdeu", "prior": "uniform"}
        found = ds.exact(data, **asked)
        assert found.optimal, seed
        assert found.score == pytest.approx(best), seed
        assert ds.score(data, found.dag, **asked) == pytest.approx(best), seed
        assert ds.score(data, found.mpdag, **asked) == pytest.approx(best), seed
        algorithm = ("dp", "astar", "systematic", "ilp")[seed % 4]
        assert ds.exact(data, algorithm=algorithm, **asked).score == pytest.approx(best), seed
        assert ds.hill_climb(data, restarts=8, **asked).score == pytest.approx(best), seed
        assert ds.order_search(data, seed=1, **asked).score == pytest.approx(best), seed
        weights = np.exp(np.array(list(scored.values())) - best)
        P = ds.posterior(data, **asked)
        assert P.exact
        for a, b in itertools.permutations(range(n), 2):
            has = np.array([(a, b) in dag for dag in scored])
            share = float(weights[has].sum() / weights.sum())
            assert P.probability(NAMES[a], NAMES[b]) == pytest.approx(share, abs=1e-9), seed
        names = NAMES[:n]
        experiment = data.rows.interventions.by_name
        of_class: dict[Any, float] = {}
        for dag, weight in zip(scored, weights / weights.sum(), strict=True):
            own = ds.Dag(names, [(names[a], names[b]) for a, b in dag]).to_mpdag(experiment)
            of_class[own] = of_class.get(own, 0.0) + float(weight)
        if not set_in_all:
            ours = {each.cpdag: each.probability for each in P.networks(10**6)}
            assert {g: pytest.approx(p) for g, p in of_class.items()} == ours, seed
            near = ds.near_optimal(data, within=2.0, **asked)
            classes = {
                ds.Dag(names, [(names[a], names[b]) for a, b in dag]).to_mpdag(experiment)
                for dag, total in scored.items()
                if total > best - 2 + 1e-6
            }
            assert classes <= {each.cpdag for each in near}, seed
            assert len(near) == len({each.cpdag for each in near}), seed
        if n == 4:  # too many pairs of classes
            continue
        consensus = P.consensus()
        distance = {
            graph: sum(p * ds.shd(graph, other, experiments=data) for other, p in of_class.items())
            for graph in of_class
        }
        assert consensus.expected_shd <= min(distance.values()) + 1e-9, seed


def test_best_networks_on_few_variables_around_a_target():
    for seed in range(20):
        made = case(seed, ("set",))
        data, n = made[0], len(made[2])
        if always(made) or n < 3:
            continue
        local = oracle(made, "bdeu")
        best = max(
            math.fsum(local(v, tuple(sorted(graphs.parents(dag, v)))) for v in range(n))
            for dag in graphs.all_dags(n)
        )
        scorer = ds.Problem(data, score="bdeu", prior="uniform").scorer
        for limit in (20, 0):
            arcs = _core.optimal_network(scorer, list(range(n)), limit, n)
            total = sum(scorer.local(v, sorted(a for a, b in arcs if b == v)) for v in range(n))
            assert total <= best + 1e-7, seed
            if limit:
                assert total == pytest.approx(best), seed


def test_chains_come_to_the_same_as_sums():
    made = case(3, ("set",))
    exact = ds.posterior(made[0], score="bdeu", prior="uniform")
    chains = ds.posterior(made[0], score="bdeu", prior="uniform", method="mcmc", seed=1, rounds=300)
    both = [
        p.features("arcs").sort("from", "to")["probability"].to_numpy() for p in (exact, chains)
    ]
    assert np.abs(both[0] - both[1]).max() < 0.06


def test_the_next_experiment_settles_what_the_definition_says():
    compared = 0
    for seed in range(12):
        made = case(seed, ("set",))
        data, n = made[0], len(made[2])
        if always(made):
            continue
        local = oracle(made, "bdeu")
        done = [frozenset(NAMES.index(x) for x in each) for each in data.rows.interventions.targets]
        scored = {
            dag: math.fsum(local(v, tuple(sorted(graphs.parents(dag, v)))) for v in range(n))
            for dag in graphs.all_dags(n)
        }
        total = np.logaddexp.reduce(list(scored.values()))

        def open_edges(
            family: list[frozenset[int]], n: int = n, scored: Any = scored, total: float = total
        ) -> float:
            found = 0.0
            for members in experiments.classes(n, family).values():
                union = experiments.essential(members)
                here = sum((b, a) in union for a, b in union) / 2
                found += here * sum(math.exp(scored[dag] - total) for dag in members)
            return found

        rows = ds.posterior(data, score="bdeu", prior="uniform").next_experiments(frame="dict")
        ours = dict(zip(rows["variable"], rows["expected_settled"], strict=True))
        before = open_edges(done)
        assert rows["open"] == pytest.approx([before] * n)
        assert rows["expected_settled"] == sorted(rows["expected_settled"], reverse=True)
        for v in range(n):
            expected = before - open_edges([*done, frozenset({v})])
            assert ours[NAMES[v]] == pytest.approx(expected, abs=1e-9), seed
            compared += 1
    assert compared > 15


def test_knowledge_settles_directions_before_any_experiment():
    data = ds.load_network("asia").sample(400, seed=2).select(["asia", "tub", "either"])
    free = ds.posterior(data).next_experiments(frame="dict")
    tiers = ds.Knowledge(tiers=[["asia"], ["tub"], ["either"]])
    known = ds.posterior(data, knowledge=tiers).next_experiments(frame="dict")
    assert sum(free["expected_settled"]) > 0.1
    assert known["open"] == [0.0] * 3
