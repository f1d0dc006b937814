"""Numbered pieces of work, and what does them. Searches do not know where that is."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape.errors import ClusterWarning, LostClusterError

if TYPE_CHECKING:
    from dagscape.control.budget import Budget

Work = Callable[..., tuple[list[Any], str]]
"""Does a batch of pieces, given what all pieces share, settings, the numbers of the pieces and its
:class:`Budget`. Returns what came of those that it finished, and what stopped it, or nothing. It
must be a function of a module, and what comes of a piece must not depend on who does it, or beside
which others."""

TellPieces = Callable[[float, str], object]
"""Takes the number of pieces done, and where, in words, a few times a second."""

Keep = Callable[[list[Any]], None]
"""Takes what came of a batch; batches come in no particular order."""


@dataclass(frozen=True)
class Job:
    """Pieces of work of one kind."""

    work: Work
    shared: Mapping[str, Any]
    """What is large, by fingerprint: it travels once to wherever pieces are done."""
    settings: Any
    """What is small: it travels with every batch."""
    seed: int = 0
    """Of all that is drawn."""
    max_memory: float | None = None
    """Bytes that each batch may use, if the user said so."""

    @classmethod
    def of(cls, budget: Budget, work: Work, shared: Mapping[str, Any], settings: Any) -> Job:
        """Return pieces with the seed and memory of a budget."""
        return cls(work, shared, settings, budget.seed, budget.settings.get("max_memory"))


class Executor(ABC):
    """Does the pieces of jobs."""

    scattered: bool
    """Whether batches are done in places that do not see what others found on the way."""

    @abstractmethod
    def hands(self) -> int:
        """Return how many threads there are to do batches."""

    @abstractmethod
    def each(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        tell_pieces: TellPieces,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces, in batches within stretches; return what stopped it, or nothing.

        Parameters
        ----------
        deadline
            By :func:`time.monotonic`.
        """

    def do(
        self,
        job: Job,
        stretches: Sequence[Sequence[int]],
        keep: Keep,
        tell_pieces: TellPieces,
        deadline: float | None = None,
    ) -> str:
        """Do all pieces as :meth:`each` does; Ctrl-C, or a lost cluster, ends it as limits do."""
        try:
            return self.each(job, stretches, keep, tell_pieces, deadline)
        except KeyboardInterrupt:  # a batch that is not kept whole is not kept
            return "interrupt"
        except LostClusterError as error:
            warnings.warn(f"{error}; what came back before is kept", ClusterWarning, stacklevel=2)
            return "cluster"
