"""The proof by cuts: multipliers of them, orders that look ahead by these, the integer program.

Each takes up what the one before has left. With few parent sets the integer program alone does it,
as quickly. All of it runs in a thread of its own, so that the other can look out for Ctrl-C, or
search the same part in another way.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from dagscape import _core
from dagscape.search.exact import integer_program, multipliers, order_proof
from dagscape.search.exact.part import Part, Run, StoppedError


class ByCuts:
    """Closes the gap of a part beside what is done until it is left.

    Parameters
    ----------
    orders
        Whether orders are searched, where parent sets are many; the integer program alone
        otherwise, from multipliers on.
    """

    def __init__(self, part: Part, run: Run, *, orders: bool) -> None:
        self._part = part
        self._run = run
        self._orders = orders
        self._leave = threading.Event()
        self._facts: dict[str, dict[str, Any]] = {}
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._close, name="dagscape-cuts")

    def __enter__(self) -> ByCuts:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.set()
        self._thread.join()
        if self._error is not None:
            raise self._error
        stopped = self._part.stopped
        for algorithm, facts in self._facts.items():
            self._part.note(algorithm, facts)
        self._part.stopped = stopped

    def wait(self) -> str:
        """Wait until it is done; return what ended it early, or nothing."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.05)
                self._run.tell(0.0)
        except KeyboardInterrupt:
            return "interrupt"
        return "time" if self._run.budget.over and not self._part.gap.closed else ""

    def _over(self) -> bool:
        return self._leave.is_set() or self._part.gap.closed or self._run.budget.over

    def _close(self) -> None:
        try:
            self._one_after_the_other()
        except BaseException as error:
            self._error = error

    def _one_after_the_other(self) -> None:
        part, options, budget = self._part, self._run.options, self._run.budget
        begun: _core.DualBound | None = None
        if _core.DualBound.bytes_for(part.component) <= budget.memory:
            bound = _core.DualBound(part.component, budget.threads, options.seed)
            since = time.monotonic()
            many = part.sets >= multipliers.MANY_SETS
            # Where it goes straight on to the integer program, they are how that begins.
            name = "multipliers" if many and self._orders else "ilp"
            self._facts[name] = multipliers.raise_bound(
                bound, part, budget.memory, self._check, many=many
            )
            begun = bound if many else None
            if many and self._orders:
                self._facts |= order_proof.solve(
                    part,
                    bound,
                    spent=time.monotonic() - since,
                    deadline=budget.deadline,
                    threads=budget.threads,
                    memory=budget.memory,
                    over=self._over,
                    briefly=part.sets <= multipliers.QUICK_SETS,
                )
        if not self._over():
            known = options.known and options.known.within(part.component.variables)
            facts = integer_program.solve(part, self._over, begun=begun, known=known)
            self._facts["ilp"] = {**self._facts.get("ilp", {}), **facts}

    def _check(self, _: float) -> None:
        if self._over():
            raise StoppedError
