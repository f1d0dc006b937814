"""Candidate parent sets grown best first."""

import math

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from unit.parents.parents_cases import listed


class TestBestFirst:
    @pytest.mark.parametrize("method", ["greedy", "independence", "hybrid"])
    @pytest.mark.parametrize("score", ["bic", "bdeu", "k2"])
    def test_with_time_enough_nothing_is_missed(self, asia, method, score):
        everything = ds.candidate_parents(asia, score=score)
        found = ds.candidate_parents(asia, score=score, method=method)
        for name in asia.names:
            assert found[name][0][0] == pytest.approx(everything[name][0][0])
            for value, parents in found[name]:
                expected = ds.local_score(asia, name, parents, score=score)
                assert value == pytest.approx(expected, rel=1e-12)

    def test_hybrid_grows_no_set_that_is_full(self):
        """All sets of two parents are scored, none is looked at again, and no larger one."""
        data = ds.load_network("alarm").sample(400, seed=3)
        everything = ds.candidate_parents(data, score="bic", max_parents=2, method="sequential")
        found = ds.candidate_parents(data, score="bic", max_parents=2, method="hybrid")
        assert found.exhaustive_to == 2
        for counter in ("families_scored", "sets_counted"):
            assert found.work[counter] == everything.work[counter]
        assert all(listed(found, name) == listed(everything, name) for name in data.names)

    def test_children_whose_sets_are_full_stay_as_they_are(self, asia):
        start = ds.candidate_parents(asia, score="aic", max_parents=2)
        constraints = _core.Constraints(8, 2)
        scorer = _core.Scorer(ds.AIC().function(asia._engine_table), 1 << 20)
        rules = _core.PruningRules()

        def grown():
            return _core.best_first_selection(
                scorer, constraints, True, rules, 100, None, 1, start._lists
            )

        lists, work = grown()
        assert work["families_scored"] == work["sets_counted"] == 0
        assert lists.sets == len(start)
        constraints = _core.Constraints(8, 3)
        constraints.limit(0, 2)
        lists, work = grown()
        assert 0 < work["families_scored"] <= 7 * 100
        assert lists.size(0) == start._lists.size(0)
        assert lists.sets > len(start)

    @pytest.mark.parametrize("method", ["greedy", "independence"])
    def test_the_number_of_sets_is_obeyed(self, asia, method):
        found = ds.candidate_parents(
            asia, score="bic", method=method, sets_per_variable=10, prune=False
        )
        assert found.work["families_scored"] <= 8 * 11
        assert not found.exhaustive
        same = ds.candidate_parents(
            asia, score="bic", method=method, sets_per_variable=10, prune=False, threads=3
        )
        assert all(listed(found, name) == listed(same, name) for name in asia.names)

    def test_greedy_grows_the_best_set_first(self):
        """Hand-worked: d copies c, so {c} is the best single parent and is grown first."""
        rng = np.random.default_rng(0)
        codes = rng.integers(0, 2, (200, 4))
        codes[:, 3] = codes[:, 2] ^ (rng.random(200) < 0.1)
        data = ds.Data.from_codes(codes, {x: ["0", "1"] for x in "abcd"})
        found = ds.candidate_parents(
            data, score="bic", method="greedy", sets_per_variable=6, prune=False
        )
        expected = [(), ("a",), ("b",), ("c",), ("a", "c"), ("b", "c")]
        assert listed(found, "d") == {frozenset(parents) for parents in expected}

    @pytest.mark.parametrize("seed", range(4))
    def test_independence_takes_up_sets_by_their_promise(self, seed):
        """Equation 3 of Perez and Mauá (2016) with two to four states, for pairs and more."""
        rng = np.random.default_rng(seed)
        arity = [3, 2, 4, 3, 2]
        codes = np.stack([rng.integers(0, r, 400) for r in arity], axis=1)
        codes[:, 0] = (codes[:, 1] + codes[:, 2] // 2 + (rng.random(400) < 0.2)) % 3
        names = "cdefg"
        data = ds.Data.from_codes(
            codes, {x: [str(k) for k in range(r)] for x, r in zip(names, arity, strict=True)}
        )
        order = by_promise(data, "c")
        assert len(order) == 2**4
        pairs = [i for i, parents in enumerate(order) if len(parents) == 2]
        larger = [i for i, parents in enumerate(order) if len(parents) > 2]
        assert min(larger) < max(pairs)  # pairs do not all come first
        for count in range(5, len(order) + 1):
            found = ds.candidate_parents(
                data,
                score="bic",
                method="independence",
                sets_per_variable=count,
                max_parents=4,
                prune=False,
            )
            assert listed(found, "c") == set(order[:count])


def by_promise(data, child):
    """Return sets in the order in which they are scored: of those that wait, the most promising.

    Single parents come first. The promise of a set with one more parent is BIC* of equation 3: both
    scores, and what the penalties differ by, as if the parent told the same whatever the others.
    """
    others = [name for name in data.names if name != child]
    arity = data.arities
    none = ds.local_score(data, child, score="bic")
    weight = np.log(data.n_rows) / 2 * (arity[child] - 1)
    likelihood = none + weight

    def promise(parents, y):
        together = math.prod(arity[x] for x in parents)
        inter = weight * (together + arity[y] - together * arity[y] - 1) - likelihood
        return (
            ds.local_score(data, child, sorted(parents), score="bic")
            + ds.local_score(data, child, [y], score="bic")
            + inter
        )

    order, waiting, seen = [frozenset(), *(frozenset({y}) for y in others)], {}, set()

    def expand(parents):
        for y in others:
            larger = parents | {y}
            if y not in parents and larger not in seen:
                seen.add(larger)
                waiting[larger] = promise(parents, y)

    for single in order[1:]:
        expand(single)
    while waiting:
        parents = max(waiting, key=waiting.__getitem__)
        del waiting[parents]
        order.append(parents)
        expand(parents)
    return order
