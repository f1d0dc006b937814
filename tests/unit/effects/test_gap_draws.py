"""Effects where cells are missing: in tables completed given the networks that were drawn."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.effects.gap_draws import TABLES, completed

TIERS = ds.Knowledge(tiers=[["age", "ward"], ["drug"], ["event"]])


def hospital(rows=400, share=0.15, seed=1, numbers=False):
    """A drug that goes to one ward more often, and lowers the risk of an event by 0.3."""
    rng = np.random.default_rng(seed)
    ward = rng.random(rows) < 0.5
    drug = rng.random(rows) < np.where(ward, 0.75, 0.25)
    event = rng.random(rows) < 0.45 + 0.3 * ward - 0.3 * drug
    words = {"ward": ward, "drug": drug, "event": event}
    frame = {x: np.where(column, "yes", "no").tolist() for x, column in words.items()}
    age = 50 + 10 * ward + 8 * rng.normal(size=rows)
    frame["age"] = age.tolist() if numbers else np.where(age > 55, "old", "young").tolist()
    return {x: [None if rng.random() < share else c for c in col] for x, col in frame.items()}


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [False, True])
def test_intervals_hold_the_truth_and_say_how_many_cells_are_missing(numbers):
    widths = []
    for share in (0.0, 0.3):
        data = ds.Data(hospital(share=share, numbers=numbers), missing="keep")
        posterior = ds.posterior(data, knowledge=TIERS, method="mcmc", rounds=30)
        e = ds.effect(posterior, "drug", "event", networks=150)
        _, low, high = e.difference("yes", "no", interval="adjusted")["yes"]
        assert low < -0.3 < high
        widths.append(high - low)
        assert sum(one.probability for one in e.alternatives) == pytest.approx(1)
        assert all("ward" in names for names, share in e.adjusted_for if share > 0.5)
    assert widths[1] > widths[0]


@pytest.mark.slow
def test_completed_tables_keep_what_is_there_and_share_out_the_networks():
    for numbers in (False, True):
        data = ds.Data(hospital(60, numbers=numbers), missing="keep")
        score = ds.default_score(data)
        names = data.names
        networks = [ds.Dag(names, [("ward", "drug")])] * 3 + [ds.Dag(names, [])] * (TABLES + 2)
        found = completed(data, score, networks, 0)
        assert len(found) == TABLES
        assert sum(len(own) for _, own in found) == len(networks)
        there = ~data.missing.mask
        for table, _ in found:
            assert not table.missing
            for at, name in enumerate(names):
                kept = there[:, at]
                assert np.array_equal(table.column(name)[kept], data.column(name)[kept])
        again = completed(data, score, networks, 0)
        assert all(
            np.array_equal(a.column("drug"), b.column("drug"))
            for (a, _), (b, _) in zip(found, again, strict=True)
        )


def test_of_a_whole_table_it_is_the_table():
    data = ds.Data(hospital(60, share=0.0))
    networks = [ds.Dag(data.names, [])] * 3
    assert completed(data, ds.default_score(data), networks, 0) == [(data, networks)]
