"""Many runs of a search, batch by batch, each batch kept as soon as it is done."""

from __future__ import annotations

from dagscape.control.budget import Budget
from dagscape.control.limits import Progress
from dagscape.errors import ParameterError
from dagscape.executors import Executor, Job, TellPieces
from dagscape.speech import setting
from dagscape.stores.runs import Store


def use_runs(runs: int) -> int:
    """Return how many runs there are to be, checked."""
    if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs < 1 << 62:
        raise ParameterError(f"{setting('runs')} must be a whole number from 1, got {runs!r}")
    return runs


def repeat(store: Store, runs: int, budget: Budget, executor: Executor, job: Job) -> str | None:
    """Do the runs that the store lacks; return what stopped it, if something did."""
    missing, tell_pieces = store.missing(runs), _teller(store, runs, budget.progress)
    stopped = executor.do(job, missing, store.add, tell_pieces, budget.deadline)
    budget.end(stopped)
    return None if store.count(runs) == runs else stopped


def _teller(store: Store, runs: int, tell: Progress | None) -> TellPieces:
    """Return what tells the user's function how far all runs are."""
    if tell is None:
        return lambda _done, _where: None
    before = store.count(runs)

    def tell_pieces(done: float, where: str) -> None:
        share = min(1.0, (before + done) / runs)
        count = min(runs, before + int(done + 1e-6))
        text = f"{count:,} of {runs:,} runs, {store.distinct():,} different ends"
        tell(share, f"{text}{where and ', '}{where}")

    return tell_pieces
