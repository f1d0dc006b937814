"""Which algorithm of exact learning follows which, and when."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.search.exact import dynamic_programming, portfolio
from limits import AMPLE, NO_TIME


def tangled(variables=12):
    """Parent sets of numbers that all depend on each other, and are not split."""
    rng = np.random.default_rng(1)
    hidden = rng.normal(size=(300, 2))
    values = hidden @ rng.normal(size=(2, variables)) + rng.normal(size=(300, variables))
    table = {f"x{v:02}": values[:, v] for v in range(variables)}
    return ds.candidate_parents(table, score="gaussian_bic", max_parents=3)


@pytest.fixture
def small_is_large(monkeypatch):
    """Twelve variables are treated as thirty are."""
    monkeypatch.setattr(portfolio, "DP_AT_ONCE", 4)
    monkeypatch.setattr(portfolio, "DP_IN_SECONDS", 5)


@pytest.mark.usefixtures("small_is_large")
class TestDynamicProgrammingAfterARace:
    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("sets", [0, 200_000])
    def test_what_does_not_end_is_cut_off(self, monkeypatch, threads, sets):
        monkeypatch.setattr(dynamic_programming, "STEPS_A_SECOND", 1e30)  # so the race has no time
        monkeypatch.setattr(portfolio, "MANY_SETS", sets)
        parents = tangled(20)  # a tenth of a second for A*, which gets a thousandth
        found = ds.exact(parents, threads=threads, time_limit=AMPLE)
        assert found.optimal
        assert found.stopped is None
        (part,) = found.work["components"]
        assert part["algorithms"].split("+")[-1] == "dp"
        assert found.score == pytest.approx(ds.exact(parents, algorithm="dp").score, abs=1e-9)

    def test_it_is_not_begun_where_it_cannot_end_in_time(self, monkeypatch):
        monkeypatch.setattr(dynamic_programming, "STEPS_A_SECOND", 1e-6)  # centuries
        found = ds.exact(tangled(), threads=1, time_limit=AMPLE)
        assert found.optimal
        assert "order_nodes_expanded" in found.work  # which dynamic programming does not count
        (part,) = found.work["components"]
        assert "dp" not in part["algorithms"]

    def test_a_race_that_ends_needs_nothing_more(self, monkeypatch):
        monkeypatch.setattr(dynamic_programming, "STEPS_A_SECOND", 1)  # so the race has minutes
        found = ds.exact(tangled(6), threads=2)
        assert found.optimal
        (part,) = found.work["components"]
        assert "dp" not in part["algorithms"]

    def test_the_time_limit_still_ends_all(self, monkeypatch):
        monkeypatch.setattr(dynamic_programming, "STEPS_A_SECOND", 1e30)
        parents = tangled(24)
        found = ds.exact(parents, threads=1, time_limit=NO_TIME)
        assert found.stopped == "time"
        assert found.score <= found.bound
