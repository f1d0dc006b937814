"""One column of several that follow each other: of files, batches of a stream, tables joined."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dagscape.data.blocks import GrowingArray, recoded
from dagscape.data.columns import (
    MAX_STATES,
    Column,
    LevelKind,
    Levels,
    Numbers,
    code_type,
    too_many_states,
)
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import spell_numbers
from dagscape.errors import DataError


def joined(pieces: Iterable[Column]) -> Column:
    """Return the column with the rows of all pieces, of which there is one at least."""
    first, *others = pieces
    growing = JoinedColumn(first)
    for piece in others:
        growing.add(piece)
    return growing.finish()


class JoinedColumn:
    """A column to which the rows of further pieces are added, held as codes or numbers alone.

    States are those of any piece, in the order in which they come (whole numbers in their own), and
    declared if all pieces declare the same. Where one piece has numbers, all have; and where whole
    numbers are too many to be states together.
    """

    def __init__(self, first: Column) -> None:
        self.name = first.name
        self._only: Column | None = first  # as it came, as long as no other has rows
        self._kind: LevelKind = first.kind if isinstance(first, Levels) else "label"
        self._kinds: set[str] = set()
        self._declared: tuple[str, ...] | None = None
        self._labels: dict[str, int] = {}  # from 1: 0 is a cell without a value
        self._values = GrowingArray()  # places among the labels, or numbers
        self._numbers = self._measured = False
        self._whole = True

    @property
    def n_rows(self) -> int:
        """Number of rows so far."""
        return self._values.length if self._only is None else self._only.n_rows

    def add(self, piece: Column) -> None:
        """Add the rows of a piece. One without rows knows no types, and is passed over."""
        if not piece.n_rows:
            return
        before, self._only = self._only, None
        if before is not None and not before.n_rows:
            self.__init__(piece)  # type: ignore[misc]
            return
        if before is not None:
            self._declared = before.labels if isinstance(before, Levels) else None
            self._add(before)
            del before
        self._add(piece)

    def _add(self, piece: Column) -> None:
        if isinstance(piece, Numbers):
            self._measured = True
            self._turn_to_numbers()
            self._whole = self._whole and piece.whole
            self._values.add(piece.values)
            return
        if piece.labels:
            self._kind = self._kind if self._kinds else piece.kind
            self._kinds.add(piece.kind)
        if not piece.declared or piece.labels != self._declared:
            self._declared = None
        if not self._numbers:
            for label in piece.labels:
                self._labels.setdefault(label, len(self._labels) + 1)
            if len(self._labels) > MAX_STATES:
                if not self._kinds <= {"integer", "cell"} or not spell_numbers(self._labels):
                    raise too_many_states(self.name, len(self._labels))
                self._turn_to_numbers()
        if self._numbers:
            self._values.add(self._valued(piece).values)
            return
        if {"integer", "label"} <= self._kinds and not spell_numbers(self._labels):
            raise self._mixed()
        places = [*map(self._labels.__getitem__, piece.labels), 0]
        table = np.array(places, dtype=code_type(len(self._labels) + 1))
        self._values.add(recoded(piece.codes, table))

    def _valued(self, piece: Levels) -> Numbers:
        if not piece.labels:
            return as_numbers(piece)
        if not spell_numbers(piece.labels):
            raise self._mixed()
        numbers = as_numbers(piece)
        self._whole = self._whole and numbers.whole
        return numbers

    def _turn_to_numbers(self) -> None:
        if self._numbers:
            return
        self._numbers, labels = True, tuple(self._labels)
        self._labels = {}
        places = Levels(self.name, np.arange(len(labels), dtype=np.uint32), labels, "cell")
        self._values.recode(np.array([np.nan, *self._valued(places).values]))

    def finish(self) -> Column:
        """Return the column; this one is empty then."""
        if self._only is not None:
            return self._only
        if {"integer", "label"} <= self._kinds and not self._measured:
            raise self._mixed()
        if self._numbers:
            return Numbers(self.name, self._values.finish(), whole=self._whole)
        declared = self._declared == tuple(self._labels)
        whole = self._kinds == {"integer"} and not declared
        labels = tuple(sorted(self._labels, key=int) if whole else self._labels)
        table = np.full(len(labels) + 1, len(labels), dtype=code_type(len(labels) + 1))
        for code, label in enumerate(labels):
            table[self._labels[label]] = code
        self._values.recode(table)
        return Levels(self.name, self._values.finish(), labels, self._kind, declared)

    def _mixed(self) -> DataError:
        return DataError(
            f'column "{self.name}" holds numbers in one part of the table and words in another; '
            "convert it to one type"
        )
