"""How pieces of work are cut and done in this process."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagscape.control.budget import Budget
from dagscape.executors import Batches, InProcess, Job, use_executor

STRETCHES = st.lists(st.integers(0, 30), max_size=5).map(
    lambda sizes: [range(100 * i, 100 * i + size) for i, size in enumerate(sizes)]
)


def squares(base: int, settings: int, batch: range, budget: Budget) -> tuple[list[int], str]:
    """Do a batch; piece -1 stops it."""
    assert budget.progress is not None
    budget.progress(0.5, "")
    if -1 in batch:
        return [], "memory"
    return [base + settings * piece * piece for piece in batch], ""


class TestBatches:
    @pytest.mark.slow
    @given(STRETCHES, st.lists(st.floats(0, 100), min_size=1, max_size=4), st.integers(0, 9))
    def test_every_piece_once_and_within_its_stretch(self, stretches, seconds, hands):
        batches, seen = Batches(stretches), []
        while batches.left:
            batch = batches.next(3.0, hands)
            assert len(batch) > 0
            assert any(set(batch) <= set(stretch) for stretch in stretches)
            batches.cost(len(batch), seconds[len(seen) % len(seconds)])
            seen += batch
        assert seen == [piece for stretch in stretches for piece in stretch]

    def test_the_first_are_single_until_something_is_known(self):
        batches = Batches([range(1000)])
        assert [len(batches.next(3.0, 2)) for _ in range(3)] == [1, 1, 1]

    def test_they_grow_to_the_time_wanted_but_not_at_once(self):
        batches, sizes = Batches([range(10**6)]), []
        for _ in range(5):
            batch = batches.next(3.0, 2)
            sizes.append(len(batch))
            batches.cost(len(batch), 0.01 * len(batch))
        assert sizes == [1, 8, 64, 300, 300]

    def test_the_last_are_small_so_that_all_hands_end_together(self):
        batches = Batches([range(100)])
        batches.cost(len(batches.next(3.0, 4)), 1e-6)
        batches.cost(8, 1e-6)
        assert len(batches.next(3.0, 4)) == 13  # an eighth of 99
        sizes = []
        while batches.left:
            sizes.append(len(batches.next(3.0, 4)))
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] == 1

    def test_a_dear_piece_makes_the_next_batches_smaller(self):
        batches = Batches([range(10**6)])
        batches.cost(100, 1.0)
        before = len(batches.next(3.0, 1))
        batches.cost(100, 100.0)
        assert len(batches.next(3.0, 1)) < before / 5


class TestInProcess:
    @pytest.mark.parametrize("threads", [1, 3])
    def test_all_pieces(self, threads):
        kept, told = [], []
        job = Job(squares, {"mark": 7}, 2)
        stopped = InProcess(threads).each(
            job, [range(5), range(10, 13)], kept.extend, lambda *words: told.append(words)
        )
        assert stopped == ""
        assert kept == [7 + 2 * piece * piece for piece in (0, 1, 2, 3, 4, 10, 11, 12)]
        assert all(0 < done < 8 for done, _ in told)

    def test_what_stops_a_batch_stops_all(self):
        kept = []
        job = Job(squares, {"mark": 0}, 1)
        stretches = [range(3), range(-1, 0), range(3, 6)]
        stopped = InProcess(1).each(job, stretches, kept.extend, lambda *_: None)
        assert stopped == "memory"
        assert kept == [0, 1, 4]

    def test_nothing_is_begun_when_time_is_over(self):
        kept = []
        job = Job(squares, {"mark": 0}, 1)
        over = time.monotonic() - 1
        assert InProcess(1).each(job, [range(3)], kept.extend, lambda *_: None, over) == "time"
        assert kept == []


def test_an_executor_can_be_handed_on():
    with use_executor(Budget.of(threads=2)) as executor:
        assert executor.hands() == 2
        with use_executor(Budget.of(cluster=executor)) as same:
            assert same is executor
