"""Chains beside exact sums on tables: asia, child in components, a part of insurance."""

import numpy as np
import pytest

import dagscape as ds

NEAR = 0.03


def arcs_of(posterior):
    rows = posterior.features("arcs")
    return {(a, b): (p, low, high) for _, a, b, p, low, high in rows.iter_rows()}


def check(data, rounds, **asked):
    truth = arcs_of(ds.posterior(data, method="exact", **asked))
    told = ds.posterior(data, method="mcmc", rounds=rounds, **asked)
    found = arcs_of(told)
    assert max(abs(found[arc][0] - truth[arc][0]) for arc in truth) < NEAR
    assert told.agreement.error < 2 * NEAR
    # Intervals are for 19 of 20; arcs depend on each other.
    held = [low <= truth[arc][0] <= high for arc, (_, low, high) in found.items()]
    assert np.mean(held) > 0.85


@pytest.mark.parametrize("rows", [100, 5000])
@pytest.mark.parametrize("prior", ["fair", "uniform"])
def test_asia(rows, prior):
    check(ds.load_network("asia").sample(rows, seed=rows), 8000, score="bdeu", prior=prior)


def test_child_in_components():
    child = ds.load_network("child")
    names = list(child.dag.names)
    tiers = [names[i : i + 5] for i in range(0, len(names), 5)]
    known = ds.Knowledge(tiers=tiers)
    check(child.sample(500, seed=1), 4000, knowledge=known, max_parents=3)


def test_a_part_of_insurance():
    table = ds.load_network("insurance").sample(1000, seed=2)
    names = table.names[:12]
    part = ds.Data(
        {
            name: [table.states[name][c] for c in column]
            for name, column in zip(names, table.codes.T, strict=False)
        }
    )
    check(part, 6000, max_parents=3, score="bic", prior="fair")
