"""A file that was looked at once: its columns are there, and it need not be read again."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace

from dagscape.data.cell_rules import CellRules
from dagscape.data.cells import Spelling
from dagscape.data.columns import Column, Levels
from dagscape.data.formats import MISSING_VALUES, split_ending
from dagscape.data.many_files import files_of
from dagscape.data.text_tables import Choice
from dagscape.files.endings import ARROW, PARQUET

TYPED = (*PARQUET, *ARROW)
"""Files in which a value is missing or is not; only what the user adds is another word for it."""


@dataclass(frozen=True, eq=False)
class SeenFile:
    """The name of a file (or of several), and its columns as they are written, to be taken once."""

    path: str | os.PathLike[str]
    rules: CellRules
    """How it was read."""
    left_out: Collection[str]
    columns: list[Column]

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def take(self, rules: CellRules, choice: Choice) -> list[Column] | None:
        """Return what reading the file by these rules would; None where it has to be read."""
        columns = {column.name: column for column in self.columns}
        spelled = self._spelled(rules)
        names = [*columns, *self.left_out]
        chosen = [names[number] for number in choice.among(names)] if columns else []
        if spelled is None or not chosen or not columns.keys() >= set(chosen):
            return None
        self.columns.clear()
        return rules.spread([spelled.read(columns.pop(name)) for name in chosen])

    def _spelled(self, rules: CellRules) -> Spelling | None:
        """Return how cells that were read already are to be read by these rules, if they can."""
        spelling, known = rules.spelling, self.rules.spelling.missing_values
        same = replace(rules, spelling=self.rules.spelling, dates=self.rules.dates) == self.rules
        if not same or not spelling.missing_values >= known:
            return None
        typed = {split_ending(file)[0] in TYPED for file in files_of(self.path)}
        if typed == {True}:
            return without_usual(spelling)
        plain = replace(spelling, missing_values=known) == self.rules.spelling
        words = plain and spelling.missing_values == known
        # Of numbers in text, too many to be held as cells, the spelling is not known any more.
        if len(typed) > 1 or not (words or all(isinstance(one, Levels) for one in self.columns)):
            return None
        return spelling


def without_usual(spelling: Spelling) -> Spelling:
    """Return how cells of files with types are read."""
    return replace(spelling, missing_values=spelling.missing_values - set(MISSING_VALUES))


def taken(
    path: str | os.PathLike[str] | SeenFile, rules: CellRules, choice: Choice
) -> list[Column] | None:
    """Return the columns of a file that was looked at; None where it is to be read."""
    return path.take(rules, choice) if isinstance(path, SeenFile) else None
