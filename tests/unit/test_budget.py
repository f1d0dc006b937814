"""One budget for a computation and its steps: what is left of it, and what ended it."""

import math
import time

import pytest

import dagscape as ds
from dagscape.control.budget import AT_ONCE, MOMENT, Budget
from dagscape.control.limits import TimeLimit
from limits import Clock


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_time_is_shared_from_what_is_left(clock):
    budget = Budget.of(100)
    assert budget.left(0.5) == pytest.approx(50)
    assert budget.total == pytest.approx(100)
    clock.spend(10)
    assert budget.left(0.5) == pytest.approx(45)
    assert budget.total == pytest.approx(100)
    assert budget.limited
    assert not budget.over


@pytest.mark.parametrize("limit", [None, math.inf])
def test_without_a_limit_there_is_no_end(limit):
    budget = Budget.of(limit)
    assert budget.left(0.5) is None
    assert budget.until(0.5) is None
    assert budget.total == math.inf
    assert not budget.limited
    assert not budget.over


def test_a_step_gets_a_moment_though_nothing_is_left():
    budget = Budget(time.monotonic() - 1, 1, 1)
    assert budget.over
    assert budget.ended
    assert budget.left() == 0
    assert budget.left(least=0.2) == 0.2
    assert budget.words()["time_limit"] == MOMENT


def test_a_part_is_a_budget_of_its_own():
    whole = Budget.of(100, max_memory=1000, threads=3)
    part = whole.part(0.25)
    assert part.total == pytest.approx(25)
    assert (part.memory, part.threads) == (1000, 3)
    part.end("time")
    assert whole.stopped is None


def test_the_first_end_counts_but_what_ends_all_counts_more():
    budget = Budget.of(100)
    budget.end(None)
    budget.end("")
    assert budget.stopped is None
    budget.end("time")
    budget.end("memory")
    assert budget.stopped == "time"
    assert not budget.interrupted
    budget.end("interrupt")
    budget.end("time")
    assert budget.stopped == "interrupt"
    assert budget.interrupted


@pytest.mark.parametrize("limit", [None, 100])
def test_after_an_interrupt_there_is_only_a_moment(limit):
    budget = Budget.of(limit)
    with budget.minding_interrupts():
        raise KeyboardInterrupt
    assert budget.stopped == "interrupt"
    assert budget.left(least=50) == pytest.approx(AT_ONCE)


def test_a_limit_may_count_from_before():
    assert Budget.of(TimeLimit(100, time.monotonic() - 60)).left() == pytest.approx(40)


def test_seconds_of_earlier_calls_count():
    budget = Budget.of(100)
    budget.spend(30)
    assert budget.left() == pytest.approx(70)
    assert budget.left(0.5) == pytest.approx(35)
    assert budget.seconds == pytest.approx(30)
    assert budget.total == pytest.approx(100)


def test_a_step_that_is_done_again_has_the_time_it_would_have_had():
    budget = Budget.of(100)
    budget.spend(30, lost=20)
    assert budget.left() == pytest.approx(70)  # what is lost is gone
    assert budget.left(0.5) == pytest.approx(45)
    budget.spend(60, lost=60)
    assert budget.left(0.5) == pytest.approx(10)


def test_progress_is_told_with_the_words_of_a_step():
    told = []
    budget = Budget.of(progress=lambda *words: told.append(words))
    budget.telling("searching")(0.5)
    budget.telling("searching", known=False)(0.5)
    assert told == [(0.5, "searching"), (None, "searching")]
    assert Budget.of().telling("searching") is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"max_memory": -1}, "max_memory must be a positive number"),
        ({"threads": 0}, "threads must be a positive whole number"),
        ({"progress": 3}, "progress must be a function"),
    ],
)
def test_what_is_wrong_is_said(words, message):
    with pytest.raises(ds.ParameterError, match=message):
        Budget.of(**words)


def test_a_ctrl_c_that_came_when_a_step_was_done_ends_what_would_follow():
    whole = Budget.of(100)
    step = whole.part(0.5)
    step.end("interrupt")  # though its search had found all there is
    assert whole.interrupted
    assert whole.stopped == "interrupt"
    assert not Budget.of(100).interrupted  # the next call is another
