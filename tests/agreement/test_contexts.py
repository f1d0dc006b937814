"""What experiments act on, against sums over all networks with all sets of contexts."""

import itertools
import math

import numpy as np
import pytest

import dagscape as ds
from dagscape.posteriors import touched
from oracles import graphs, scores

NAMES = ("a", "b", "c")


def table(seed, rows=90):
    rng = np.random.default_rng(seed)
    which = rng.integers(0, 3, rows)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < np.where(which == 1, 0.5, 0.2), 1 - a, a)
    c = np.where(which == 2, rng.integers(0, 3, rows), b + (rng.random(rows) < 0.3))
    return np.stack([a, b, c], axis=1), which, [2, 2, 3]


def family(codes, which, arities, child, parents, contexts, most):
    """Return the score of a family with contexts, each number of these as probable."""
    parts = [~np.isin(which, contexts), *(which == each for each in contexts)]
    total = sum(
        scores.local_score(codes[part].tolist(), arities, child, parents, "bdeu") for part in parts
    )
    return total - math.log((most + 1) * math.comb(2, len(contexts)))


def by_hand(codes, which, arities, most):
    """Return P(arc), and P(context -> variable), by the definition."""
    sets = [each for size in range(most + 1) for each in itertools.combinations((1, 2), size)]
    weights, arcs, acts = [], [], []
    for dag in graphs.all_dags(3):
        total, shares = 0.0, np.zeros((3, 3))
        for child in range(3):
            parents = tuple(sorted(graphs.parents(dag, child)))
            logs = np.array(
                [family(codes, which, arities, child, parents, each, most) for each in sets]
            )
            total += np.logaddexp.reduce(logs)
            for each, share in zip(sets, np.exp(logs - np.logaddexp.reduce(logs)), strict=True):
                shares[list(each), child] += share
        weights.append(total)
        arcs.append([[(x, y) in dag for y in range(3)] for x in range(3)])
        acts.append(shares)
    p = np.exp(np.array(weights) - np.logaddexp.reduce(weights))
    return np.tensordot(p, np.array(arcs, float), 1), np.tensordot(p, np.array(acts), 1)


@pytest.mark.parametrize("most", [1, 2])
def test_contexts_are_those_of_the_definition(most):
    for seed in range(3):
        codes, which, arities = table(seed)
        frame = {x: codes[:, v].astype(str) for v, x in enumerate(NAMES)}
        frame["what"] = np.array(["", "b", "c"], dtype=object)[which]
        states = {x: [str(s) for s in range(k)] for x, k in zip(NAMES, arities, strict=True)}
        done = ds.Interventions(column="what")
        data = ds.Data(frame, states=states, interventions=done)
        found = touched(data, contexts=most, score="bdeu", prior="uniform")
        arcs, acts = by_hand(codes, which, arities, most)
        for (i, x), (j, y) in itertools.permutations(enumerate(NAMES), 2):
            assert found.posterior.probability(x, y) == pytest.approx(arcs[i, j], abs=1e-9)
        for (code, label), (v, x) in itertools.product([(1, "b"), (2, "c")], enumerate(NAMES)):
            assert found.shares[label][x] == pytest.approx(acts[code, v], abs=0.04), (seed, x)
        assert found.reference == "none"
        grouped = {**frame, "what": np.where(frame["what"] == "", "none", frame["what"])}
        data = ds.Data(grouped, states=states, groups="what")
        again = touched(data, contexts=most, reference="none", score="bdeu", prior="uniform")
        assert again.shares == found.shares
        assert again.warnings == ()


def test_a_target_that_does_not_show_and_one_that_was_hit_are_told_of():
    rng, which = np.random.default_rng(0), np.arange(600) % 3
    a, c = rng.integers(0, 2, (2, 600))
    b = np.where(which == 1, rng.random(600) < 0.95, a ^ (rng.random(600) < 0.1))
    frame = {"a": a, "b": b.astype(int), "c": np.where(which == 2, 1, c)}
    said = np.array(["", "a", "c"], dtype=object)[which]  # a was not touched, b was
    data = ds.Data({**frame, "what": said}, interventions=ds.Interventions(column="what"))
    found = touched(data, score="bdeu")
    assert found.shares["a"]["b"] > 0.95 > 0.5 > found.shares["a"]["a"]
    assert found.shares["c"]["c"] > 0.95
    assert found.warnings[0].startswith("a is said to set a 0.")
    assert found.warnings[1].startswith("a seems to act on more than a: b 1.00; learning")
    assert len(found.warnings) == 2
    assert len(found.told) == 2
    assert repr(found).endswith("* as stated")
    r = ds.learn(data, score="bdeu", runs=0, resamples=0)
    assert r.touched.told == (
        "the rows do not show that these were set, or they have no causes: a by a "
        f"({r.touched.shares['a']['a']:.2f})",
        "experiments seem to act on more than is said: a on b",
    )
    plain = ds.learn(ds.Data(frame), score="bdeu", runs=0, resamples=0)
    assert plain.touched is None


def test_a_score_that_is_fitted_to_what_it_scores_does_not_compare_parts():
    """Unrelated columns of which nothing was touched, where a score fitted to each part says so."""
    which = np.arange(300) % 3
    shares = []
    for seed in range(12):
        columns = np.random.default_rng(seed).integers(0, 2, (3, 300))
        frame = dict(zip(NAMES, columns, strict=True)) | {"what": which}
        data = ds.Data(frame, groups="what")
        found = touched(data, score=ds.FittedDirichlet() if seed % 2 else None)
        assert "fnml with at most 2 contexts" in str(found.posterior.score_kind)
        shares += [share for each in found.shares.values() for share in each.values()]
    assert np.mean(shares) < 0.2


def test_knowledge_is_obeyed_there_too():
    codes, which, _ = table(7, 300)
    frame = {x: codes[:, v] for v, x in enumerate(NAMES)}
    frame["what"] = np.array(["", "b", "c"], dtype=object)[which]
    data = ds.Data(frame, interventions=ds.Interventions(column="what"))
    tiers = ds.Knowledge(tiers=[["c"], ["b"], ["a"]])
    for found in (
        touched(data, knowledge=tiers),
        ds.learn(data, knowledge=tiers, runs=0, resamples=0).touched,
    ):
        arcs = found.posterior.features("arcs", least=1e-12)
        seen = set(zip(arcs["from"], arcs["to"], strict=True))
        assert seen <= {("c", "b"), ("c", "a"), ("b", "a")}
    always = ds.Data(
        {**frame, "what": ["b"] * 150 + ["b+c"] * 150},
        interventions=ds.Interventions(column="what"),
    )
    assert ds.learn(always, runs=0, resamples=0).touched is not None


def test_what_is_wrong_is_said():
    codes, which, _ = table(1)
    frame = {x: codes[:, v] for v, x in enumerate(NAMES)}
    with pytest.raises(ds.DataError, match="of no row where it comes from"):
        touched(ds.Data(frame))
    frame["what"] = np.array(["none", "b", "c"], dtype=object)[which]
    data = ds.Data(frame, groups="what")
    with pytest.raises(ds.ParameterError, match="reference"):
        touched(data, reference="d")
    with pytest.raises(ds.ParameterError, match="contexts must be"):
        touched(data, contexts=0)
    numbers = {"x": np.linspace(0, 1, 90), "what": frame["what"]}
    with pytest.raises(ds.DataError, match="is told of states"):
        touched(ds.Data(numbers, groups="what"))
    many = {f"x{v}": np.random.default_rng(v).integers(0, 2, 60) for v in range(60)}
    many["what"] = np.arange(60) % 5
    with pytest.raises(ds.ParameterError, match="would take too many scores"):
        touched(ds.Data(many, groups="what"), max_parents=4)
