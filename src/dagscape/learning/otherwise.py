"""The network of the same rows if less were said of them: what groups or experiments change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dagscape.claims.journal import Reason
from dagscape.control.limits import FINAL
from dagscape.landscape.bootstrap import SEARCHES
from dagscape.learning.findings import LearningPart
from dagscape.learning.plan import LEAST, OTHERWISE_SHARE

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Mpdag
    from dagscape.results import Result


class Otherwise(LearningPart):
    """Looks for the network of another reading of the rows, by the same search."""

    def run(self, step: str, reason: str, data: Data) -> Result | None:
        """Return it; None where nothing less is said of the rows, or time was over."""
        if data is self._data:
            return None
        if (ended := self._findings.end()) is not None:
            self._journal.leave_out(step, ended)
            return None
        found: Result | None = None
        with self._findings.nothing_lost(step):
            limits = self._budget.words(OTHERWISE_SHARE, LEAST)
            del limits["progress"]
            found = SEARCHES["learn"](self._problem.on(data), seed=self._budget.seed, **limits)
        if found is not None:
            self._journal.record(step, Reason(reason), found)
            if found.stopped in FINAL:
                self._budget.end(found.stopped)
        return found


def differences(graph: Mpdag, otherwise: Mpdag) -> tuple[str, ...]:
    """Return in words in which edges another graph differs from this one."""
    mine, other = _edges(graph), _edges(otherwise)
    return (
        *(f"without {mine[pair]}" for pair in sorted(mine.keys() - other.keys())),
        *(f"with {other[pair]}" for pair in sorted(other.keys() - mine.keys())),
        *(
            f"{other[pair]} for {mine[pair]}"
            for pair in sorted(mine.keys() & other.keys())
            if mine[pair] != other[pair]
        ),
    )


def _edges(graph: Mpdag) -> dict[tuple[str, str], str]:
    """Return the edges by their ends, in words."""
    directed = {(min(a, b), max(a, b)): f"{a} -> {b}" for a, b in graph.directed}
    return directed | {(min(a, b), max(a, b)): f"{a} - {b}" for a, b in graph.undirected}
