"""Time, memory and Ctrl-C end a selection."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import dagscape as ds
from dagscape.selection import estimate_parents
from limits import FOR_ENDLESS_WORK, NO_TIME, Heard, longer_and_longer
from listening import press_at_work


class TestLimits:
    def test_time(self, wide):
        found = ds.candidate_parents(
            wide, score="bic", max_parents=5, prune=False, time_limit=FOR_ENDLESS_WORK
        )
        assert found.stopped == "time"
        assert not found.exhaustive
        assert found.exhaustive_to < 5
        assert "stopped by time" in repr(found)
        for value, parents in found["x3"][:5]:
            assert value == pytest.approx(ds.local_score(wide, "x3", parents, score="bic"))

    def test_time_per_variable(self, wide):
        found = ds.candidate_parents(
            wide, score="bic", max_parents=5, prune=False, time_per_variable=NO_TIME
        )
        assert found.stopped == "time"

    @pytest.mark.parametrize("method", ["greedy", "independence", "hybrid"])
    def test_time_of_best_first_is_shared_fairly(self, wide, method):
        for limit in longer_and_longer():
            found = ds.candidate_parents(
                wide, score="bic", method=method, time_limit=limit, prune=False
            )
            # Without shares, the first two or three would use it all, however much it is.
            reached = sum(len(found[name]) > 1 for name in wide.names)
            if reached > len(wide.names) / 2:
                return
        raise AssertionError(f"{reached} variables had a share of {limit} seconds")

    def test_memory(self, wide):
        found = ds.candidate_parents(wide, score="bic", max_parents=3, prune=False, max_memory=20e6)
        assert found.stopped == "memory"
        assert found.bytes < 20e6

    def test_memory_that_a_walk_gives_back(self):
        rng = np.random.default_rng(1)
        few = ds.Data({x: rng.integers(0, 2, 3000) for x in "abcd"})
        assert ds.candidate_parents(few, score="bdeu", prune=False).stopped is None

    @pytest.mark.slow
    def test_memory_of_the_process_stays_near_the_limit(self):
        """Unlimited, this case takes over 300 MB; in a process of its own it must not."""
        script = """
import resource, numpy as np, dagscape as ds
rng = np.random.default_rng(0)
data = ds.Data.from_codes(rng.integers(0, 2, (500, 80)), {f"x{v}": ["0", "1"] for v in range(80)})
data._engine_table
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
found = ds.candidate_parents(data, max_parents=4, prune=False, max_memory=100e6, threads=2)
print(found.stopped, (peak() - before) * 1024)
"""
        ran = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        stopped, used = ran.stdout.split()
        assert stopped == "memory"
        assert float(used) < 1.5 * 100e6

    def test_interrupt(self, wide):
        """Ctrl-C ends it with what is there, and is not raised again."""
        found = ds.candidate_parents(
            wide, score="bic", max_parents=6, prune=False, progress=press_at_work()
        )
        assert found.stopped == "interrupt"
        assert len(found) > 0

    def test_what_another_signal_raises_comes_through(self, wide):
        def late(*_):
            raise TimeoutError("too late")

        def tell(*_):
            os.kill(os.getpid(), signal.SIGALRM)

        before = signal.signal(signal.SIGALRM, late)
        try:
            with pytest.raises(TimeoutError, match="too late"):
                ds.candidate_parents(wide, score="bic", max_parents=6, prune=False, progress=tell)
        finally:
            signal.signal(signal.SIGALRM, before)

    @pytest.mark.parametrize("method", ["greedy", "independence"])
    def test_time_per_variable_of_best_first_is_said(self, wide, method):
        found = ds.candidate_parents(
            wide, score="bic", method=method, time_per_variable=NO_TIME, prune=False
        )
        assert found.stopped == "time"

    def test_progress_is_told_and_its_errors_come_through(self, wide):
        told = Heard(3)
        ds.candidate_parents(wide, score="bic", max_parents=5, prune=False, progress=told)
        assert len(told) == 3
        shares = [share for share, _ in told]
        assert shares == sorted(shares)
        assert all(0 <= share <= 1.001 for share in shares)

        def failing(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.candidate_parents(wide, score="bic", max_parents=5, prune=False, progress=failing)

    def test_estimates_come_before_the_work(self, wide):
        small, large = (estimate_parents(wide, score="bic", max_parents=k) for k in (2, 3))
        assert small.sets == 90 + 90 * 89 / 2 + 90 * 89 * 88 / 6
        assert large.sets > small.sets
        assert large.seconds > small.seconds
        assert large.bytes > small.bytes
        assert (
            small.list_bytes
            >= ds.candidate_parents(wide, score="bic", max_parents=2, prune=False).bytes
        )
        assert large.complete
        assert not estimate_parents(wide, score="bic", max_parents=6, max_memory=1e6).complete


def test_a_change_of_counting_between_sizes_is_no_lack_of_memory():
    """Bitmaps give their memory back when rows take over, and the selection goes on."""
    rng = np.random.default_rng(0)
    states = {"a": [str(i) for i in range(3)], "b": [str(i) for i in range(4)]}
    codes = np.stack([rng.integers(0, 3, 257), rng.integers(0, 4, 257)], axis=1)
    found = ds.candidate_parents(ds.Data.from_codes(codes, states), score="aic")
    assert found.stopped is None
    assert found.exhaustive


def test_states_beside_numbers_are_counted_in_the_estimate():
    """Rows are counted for sets of states, and wide columns meet all others: neither is free."""
    rng = np.random.default_rng(0)

    def seconds(rows, states):
        frame = {f"s{i}": rng.integers(0, states, rows).astype(str) for i in range(6)}
        frame |= {f"x{i}": rng.normal(size=rows) for i in range(3)}
        return estimate_parents(ds.Data(frame), max_parents=2).seconds

    small = seconds(200, 3)
    assert seconds(20_000, 3) > 20 * small
    assert seconds(200, 60) > 20 * small
