"""One column of several that follow each other: of files, batches of a stream, tables joined."""

from __future__ import annotations

import numpy as np

from dagscape.data.columns import MAX_STATES, Column, Levels, Numbers, code_type, too_many_states
from dagscape.data.kinds import as_numbers
from dagscape.data.labels import spell_numbers
from dagscape.errors import DataError


def joined(pieces: list[Column]) -> Column:
    """Return the column with the rows of all pieces; the list is emptied on the way.

    States are those of any piece, in the order in which they come, and declared if all pieces
    declare the same. Where one piece has numbers, all have; and where whole numbers are too many to
    be states together.
    """
    pieces[1:] = [piece for piece in pieces[1:] if piece.n_rows]  # which know no types
    if len(pieces) > 1 and not pieces[0].n_rows:
        del pieces[0]
    if len(pieces) == 1:
        return pieces.pop()
    if any(isinstance(piece, Numbers) for piece in pieces):
        return _joined_numbers(pieces)
    levels = [piece for piece in pieces if isinstance(piece, Levels)]
    first = levels[0]
    labels = tuple(dict.fromkeys(label for piece in levels for label in piece.labels))
    kinds = {piece.kind for piece in levels if piece.labels}
    if {"integer", "label"} <= kinds:
        raise _mixed(first.name)
    if len(labels) > MAX_STATES:
        if kinds == {"integer"}:
            return _joined_numbers(pieces)
        raise too_many_states(first.name, len(labels))
    declared = all(piece.declared and piece.labels == labels for piece in levels)
    del levels
    position = {label: code for code, label in enumerate(labels)}
    codes = np.empty(sum(piece.n_rows for piece in pieces), dtype=code_type(len(labels) + 1))
    end = len(codes)
    while pieces:
        piece = pieces.pop()
        assert isinstance(piece, Levels), "numbers were joined above"  # noqa: S101
        table = np.array([*map(position.__getitem__, piece.labels), len(labels)], codes.dtype)
        codes[end - piece.n_rows : end] = table[piece.codes]
        end -= piece.n_rows
    return Levels(first.name, codes, labels, kinds.pop() if kinds else first.kind, declared)


def _joined_numbers(pieces: list[Column]) -> Numbers:
    name, whole = pieces[0].name, True
    values = np.empty(sum(piece.n_rows for piece in pieces), dtype=np.float64)
    end = len(values)
    while pieces:
        piece = pieces.pop()
        valued = isinstance(piece, Numbers) or bool(piece.labels)
        if isinstance(piece, Levels):
            if piece.labels and not spell_numbers(piece.labels):
                raise _mixed(name)
            piece = as_numbers(piece)
        values[end - piece.n_rows : end] = piece.values
        end -= piece.n_rows
        whole = whole and (piece.whole or not valued)
    return Numbers(name, values, whole=whole)


def _mixed(name: str) -> DataError:
    return DataError(
        f'column "{name}" holds numbers in one part of the table and words in another; convert it '
        "to one type"
    )
