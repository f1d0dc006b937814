"""A Ctrl-C that comes while a progress function runs ends a search as any other does."""

from collections.abc import Callable

import pytest

import dagscape as ds


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "search",
    [
        lambda data: ds.candidate_parents(data, progress=interrupt),
        lambda data: ds.exact(data, progress=interrupt),
        lambda data: ds.order_search(data, time_limit=60, progress=interrupt),
        lambda data: ds.local_optima(data, runs=10**6, progress=interrupt),
    ],
    ids=["candidate_parents", "exact", "order_search", "local_optima"],
)
def test_interrupts_within_progress_are_results(
    search: Callable[[ds.Data], ds.Result | ds.CandidateParents | ds.Landscape],
) -> None:
    data = ds.load_network("alarm").sample(5000, seed=0)
    assert search(data).stopped == "interrupt"
