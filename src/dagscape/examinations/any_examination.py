"""What examinations of all graphs share: settings, independences, the page and the file."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dagscape.examinations import implications
from dagscape.files.plain_values import dump_lines
from dagscape.files.text import write_text
from dagscape.shows_itself import ShowsItself
from dagscape.words import titled

if TYPE_CHECKING:
    from dagscape.examinations.implications import Implication
    from dagscape.examinations.relabelings import Relabelings
    from dagscape.notes import Note

KIND = "examination"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AnyExamination(ShowsItself):
    """What a table says of a graph, of whatever kind it is."""

    level: float
    """Independences fail that chance makes look so in this share of tables at most."""
    relabelings: Relabelings | None
    """How many graphs of the same shape with other names do as well; None where not asked for."""
    implication_rows: tuple[Implication, ...] = field(repr=False)
    notes: tuple[Note, ...]
    """What is to be known of the table."""
    seconds: float
    stopped: str | None
    """What ended it early: "time", "memory" or "interrupt"."""
    asked: Mapping[str, Any]
    """The settings."""

    @property
    def failing(self) -> tuple[Implication, ...]:
        """The independences that fail."""
        return tuple(row for row in self.implication_rows if row.verdict == implications.FAILS)

    @property
    def summary(self) -> str:
        """What a person wants to know first, in one screen."""
        return "\n".join(titled(self.blocks))

    @property
    @abstractmethod
    def blocks(self) -> dict[str, list[str]]:
        """The sentences of the summary, by title."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, gzip where the name ends in ``.gz``; all of it or nothing."""
        write_text(path, dump_lines(self.to_dict()))

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> None:
        """Write a page to look at in a browser: your graph first, then what was learned.

        Parameters
        ----------
        origin
            As in :meth:`Result.report`.
        """
        from dagscape.report import examination_page  # it sees the whole package

        page = examination_page(self, title, origin)  # type: ignore[arg-type]  # one of the two
        write_text(path, page)
