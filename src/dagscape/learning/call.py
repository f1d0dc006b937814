"""One call of learn, as all its parts see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.control.budget import Budget
from dagscape.executors import Executor
from dagscape.learning.findings import Findings
from dagscape.learning.plan import Journal

if TYPE_CHECKING:
    from dagscape.data import Data


@dataclass(frozen=True)
class Call:
    """The table, what is asked of it, what may be used, and what was found so far."""

    data: Data
    question: dict[str, Any]
    """Score, most parents, knowledge and threads, as every search takes them."""
    seed: int
    budget: Budget
    executor: Executor
    findings: Findings
    journal: Journal


class Part:
    """A part of learning: it reads the call, improves the findings and writes the journal."""

    def __init__(self, call: Call) -> None:
        self._data = call.data
        self._question = call.question
        self._seed = call.seed
        self._budget = call.budget
        self._executor = call.executor
        self._findings = call.findings
        self._journal = call.journal
