"""``progress=True`` shows a bar while a search runs, and leaves its result alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dagscape as ds
from dagscape.control import progress
from limits import AMPLE

SEARCHES: dict[str, Callable[..., Any]] = {
    "candidate_parents": ds.candidate_parents,
    "exact": ds.exact,
    "near_optimal": ds.near_optimal,
    "ges": ds.ges,
    "kes": ds.kes,
    "order_search": lambda data, **o: ds.order_search(data, restarts=2, generations=1, **o),
    "hill_climb": ds.hill_climb,
    "learn": lambda data, **options: ds.learn(data, runs=2, resamples=2, **options),
    "local_optima": lambda data, **options: ds.local_optima(data, runs=5, **options),
    "bootstrap": lambda data, **options: ds.bootstrap(data, runs=3, **options),
    "neighbors": ds.neighbors,
    "markov_blanket": ds.markov_blanket,
    "sll_c": ds.sll_c,
    "sll_g": ds.sll_g,
    "mmhc": ds.mmhc,
}


@pytest.fixture(scope="module")
def data() -> ds.Data:
    return ds.load_network("asia").sample(200, seed=0)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())
def test_true_and_false_are_taken_by_all(data, search):
    assert search(data, progress=True) is not None
    assert search(data, progress=False) is not None


def test_the_bar_is_told_and_taken_away(monkeypatch):
    shown: list[tuple[float | None, str]] = []
    ended = []

    class Display:
        def __init__(self, limit: float | None) -> None:
            assert limit == AMPLE

        def __enter__(self) -> Callable[[float | None, str], None]:
            return lambda share, text: shown.append((share, text))

        def __exit__(self, *_: object) -> None:
            ended.append(True)

    monkeypatch.setattr(progress, "bar", Display)
    table = ds.load_network("alarm").sample(300, seed=0)
    found = ds.local_optima(table, runs=10, time_limit=AMPLE, threads=1, progress=True)
    assert found.runs
    assert ended == [True]
    assert shown
    assert "runs" in shown[-1][1]


def test_a_search_keeps_its_name_and_signature():
    import inspect

    assert ds.exact.__name__ == "exact"
    assert "algorithm" in inspect.signature(ds.exact).parameters
    assert ds.exact.__doc__ is not None
