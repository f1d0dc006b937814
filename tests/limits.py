"""Limits of time for tests whose outcome does not depend on how fast or how busy a machine is.

Seconds that are passed to what is tested are named here and nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest

NO_TIME = 1e-9
"""Seconds in which nothing can be done."""

AMPLE = 1e6
"""Seconds that no test takes, where a limit is wanted and not to be reached."""

FOR_ENDLESS_WORK = 0.1
"""Seconds for work that is not done in them on any machine, to see that they end it."""

WAIT = 600
"""Seconds against hanging for ever: what waits so long has failed."""

WATCH = 0.02
"""Seconds between two looks at another process, which decide nothing."""


def longer_and_longer() -> Iterator[float]:
    """Yield limits of time, each twice the last, for what must come true in one of them.

    A quick machine needs the first alone; where something is wrong, none is enough.
    """
    yield from (FOR_ENDLESS_WORK * 2**doubled for doubled in range(8))


def more_and_more() -> Iterator[int]:
    """Yield amounts of work, for what is to be seen while it goes on, however quick a machine is.

    Where something is wrong, none is enough.
    """
    yield from (4**grown for grown in range(6))


def wait_for(reached: Callable[[], bool], going: Callable[[], bool] = lambda: True) -> None:
    """Wait until something is reached elsewhere, while that goes on."""
    give_up = time.monotonic() + WAIT
    while not reached():
        assert going(), "it ended before"
        assert time.monotonic() < give_up, "it takes for ever"
        time.sleep(WATCH)


def stop_at(call: int, raised: type[BaseException] = KeyboardInterrupt) -> Callable[..., None]:
    """Return a progress function that ends the search when it tells of itself this time.

    An engine tells for the first time when its work begins, whatever the machine, and then a few
    times a second: more than 1 is for work that does not end before.
    """
    told = 0

    def tell(*_: object) -> None:
        nonlocal told
        told += 1
        if told >= call:
            raise raised

    return tell


class Heard(list[tuple[float | None, str]]):
    """All that a search tells of itself; it is ended when it has told so often."""

    def __init__(self, most: int) -> None:
        self._most = most

    def __call__(self, share: float | None, text: str) -> None:
        self.append((share, text))
        if len(self) >= self._most:
            raise KeyboardInterrupt


class Clock:
    """A clock for what asks Python for the time: it stands still unless it is told otherwise.

    So time ends between two pieces of work that a test counts, and not when a machine gets there.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: self._now)

    def spend(self, seconds: float) -> None:
        """Let seconds pass."""
        self._now += seconds

    def time_is_over(self) -> None:
        """Let more seconds pass than any limit allows."""
        self.spend(2 * AMPLE)


def untimed(search: Callable[..., Any], **settings: Any) -> Callable[..., Any]:
    """Return a search that does all its work whatever time it is given, and how much that is."""

    @wraps(search)
    def called(*arguments: Any, **options: Any) -> Any:
        return search(*arguments, **{**options, "time_limit": None}, **settings)

    return called
