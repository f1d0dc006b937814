"""How pieces of work are cut and done in this process."""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dagscape.control.budget import Budget
from dagscape.control.held_ctrl_c import held_ctrl_c
from dagscape.executors import Batches, Executor, InProcess, Job, side_by_side, use_executor
from seeds import for_each

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


def one_by_one(_settings: int, batch: range, budget: Budget) -> tuple[list[int], str]:
    """Do pieces on threads, each by itself."""
    return side_by_side(lambda number, look: look(1.0) or number, batch, budget, "")


class TestCtrlC:
    @pytest.fixture(autouse=True)
    def heard(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        sys.setprofile(None)
        signal.signal(signal.SIGINT, before)

    @for_each("moment", range(1, 700, 7))
    def test_at_any_moment_it_ends_the_work_and_nothing_else(self, moment):
        """Within a lock of a condition it once came out as "release unlocked lock"."""
        left = moment

        def count(_frame: FrameType, _event: str, _argument: object) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                sys.setprofile(None)
                signal.raise_signal(signal.SIGINT)

        def keep(finished):
            kept.extend(finished)
            if kept and left == moment:
                sys.setprofile(count)

        kept = []
        job = Job(one_by_one, {}, 1)
        assert InProcess(2).do(job, [range(10**9)], keep, lambda *_: None) == "interrupt"
        assert kept == list(range(len(kept)))
        assert len(kept) >= 8

    def test_other_errors_that_come_of_it_are_no_errors(self):
        class Breaks(Executor):
            scattered = False

            def hands(self):
                return 1

            def each(self, *_):
                try:
                    raise KeyboardInterrupt
                finally:
                    raise cause

        cause = RuntimeError("release unlocked lock")
        assert Breaks().do(Job(squares, {}, 1), [], list.append, print) == "interrupt"

    def test_an_error_of_its_own_is_one(self):
        class Breaks(InProcess):
            def each(self, *_):
                raise RuntimeError("its own")

        with pytest.raises(RuntimeError, match="its own"):
            Breaks(1).do(Job(squares, {}, 1), [], list.append, print)

    def test_it_is_held_until_it_is_minded(self):
        with held_ctrl_c() as mind:
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                mind()
            mind()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_or_until_the_end(self):
        done = []

        def press():
            with held_ctrl_c():
                signal.raise_signal(signal.SIGINT)
                done.append(1)

        with pytest.raises(KeyboardInterrupt):
            press()
        assert done == [1]

    def test_who_presses_again_does_not_wait(self):
        done = []

        def press_twice():
            with held_ctrl_c():
                signal.raise_signal(signal.SIGINT)
                done.append(1)
                signal.raise_signal(signal.SIGINT)
                done.append(2)

        with pytest.raises(KeyboardInterrupt):
            press_twice()
        assert done == [1]

    def test_where_it_is_ignored_it_stays_so(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with held_ctrl_c() as mind:
            signal.raise_signal(signal.SIGINT)
            mind()
