"""Pieces of work side by side on the threads of one process, each by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from dagscape.control.budget import Budget

T = TypeVar("T")


class EndedError(Exception):
    """A piece is to be given up."""


def side_by_side(
    do: Callable[[int, Callable[[float], None]], T],
    batch: Sequence[int],
    budget: Budget,
    text: str,
) -> tuple[list[T], str]:
    """Do pieces on several threads at once, each by itself; return those done, and what ended it.

    Parameters
    ----------
    do
        Does a piece by its number. It must call what it is given now and then, with the share that
        is done: :class:`EndedError` there ends it.
    text
        Says what is being done.
    """
    over = threading.Event()
    shares = [0.0] * len(batch)

    def piece_of(place: int, number: int) -> T:
        def look(share: float) -> None:
            if over.is_set():
                raise EndedError
            shares[place] = max(shares[place], min(1.0, share))

        done = do(number, look)
        shares[place] = 1.0
        return done

    stopped = ""
    with ThreadPoolExecutor(budget.threads) as pool:
        pieces = [pool.submit(piece_of, *each) for each in enumerate(batch)]
        try:
            stopped = _wait(pieces, shares, budget, text)
        except KeyboardInterrupt:
            stopped = "interrupt"
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)
    ended = [piece for piece in pieces if not piece.cancelled()]
    errors = [piece.exception() for piece in ended]
    for error in errors:
        if error is not None and not isinstance(error, EndedError):
            raise error
    return [piece.result() for piece in ended if piece.exception() is None], stopped


def _wait(pieces: list[Future[T]], shares: list[float], budget: Budget, text: str) -> str:
    """Wait for all pieces; return "time" if that takes too long."""
    tell_share = budget.telling(text)
    pending = set(pieces)
    while pending:
        _, pending = wait(pending, timeout=0.1, return_when=FIRST_COMPLETED)
        if tell_share is not None:
            tell_share(sum(shares) / len(shares))
        if budget.over:
            return "time"
    return ""
