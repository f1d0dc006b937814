"""What is to be measured, and what came of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One call of one tool, in a process of its own."""

    task: str
    case: str  # the row of the table it belongs to
    tool: str
    action: str  # a function of the tool's file in peers/
    data: str | None = None  # a name that datasets.py knows
    shuffle: int | None = None  # seed for the order of columns
    options: dict[str, Any] = field(default_factory=dict)
    limit: float = 60.0  # CPU seconds; the process is ended then
    environment: dict[str, str] = field(default_factory=dict)
    before: str | None = None  # a function of the tool's file instead of prepare(), not measured
    variant: str = ""  # words for another way to ask the same tool, which has a row of its own
    after: str | None = None  # a smaller case: a tool that did not finish it is not asked

    def record(self) -> Record:
        """Return what stands in the JSON for it."""
        return asdict(self)


@dataclass(frozen=True)
class Setup:
    """What the command line asks for."""

    quick: bool
    seed: int
    tools: tuple[str, ...]
    real: bool  # real files are there

    def shuffles(self, full: int) -> range:
        """Return the seeds of the orders of columns: so many, in a quick run one."""
        return range(self.seed, self.seed + (1 if self.quick else full))
