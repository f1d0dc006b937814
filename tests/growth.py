"""Whether the time that something takes grows with its size and no faster."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

SIZE = 100_000
SMALLER = SIZE // 4
# Four times the size takes four times as long where time is linear, and sixteen where it is
# quadratic. What takes no more than this many seconds of the processor is too short to compare.
LIMIT = 10
TOO_SHORT = 0.02


def grows_faster(work: Callable[[int], Callable[[], object]], attempts: int = 8) -> str:
    """Return how much longer the larger of two sizes took, or nothing if that is linear.

    Takes the best time of several for each: whatever else the machine does only adds to them.
    """
    small, large = work(SMALLER), work(SIZE)
    least, most = float("inf"), float("inf")
    for _ in range(attempts):
        least, most = min(least, _took(small)), min(most, _took(large))
        if most <= max(LIMIT * least, TOO_SHORT):
            return ""
    return f"{SIZE:,} took {most / least:.0f} times as long as {SMALLER:,}"


def _took(work: Callable[[], object]) -> float:
    gc.disable()  # a collection takes as long as all that other tests have left behind
    try:
        begun = time.process_time()
        work()
        return time.process_time() - begun
    finally:
        gc.enable()
