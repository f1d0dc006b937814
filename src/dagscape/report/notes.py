"""What the page tells of the table: sentences, and all the columns that a sentence is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dagscape.notes import NAMED, Note, in_no_words, sentences

MOST_LISTED = 1000
"""The most columns that are listed below a sentence: some tens of kilobytes."""


def notes_of(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """Return what is to be known of the table, the loud first.

    A sentence names a few columns; where it is about more, `columns` has each with its values or
    counts, and `more` says how many are left out even so.
    """
    shown = []
    for said in sorted(sentences(notes, in_no_words), key=lambda said: not said.loud):
        about = [note for note in said.notes if note.column is not None]
        listed = about[:MOST_LISTED] if len(about) > NAMED else []
        shown.append(
            {
                "words": said.words,
                "loud": said.loud,
                "columns": [[note.column, _detail(note)] for note in listed],
                "more": len(about) - len(listed) if listed else 0,
            }
        )
    return shown


def _detail(note: Note) -> str:
    if note.examples:
        return ", ".join(f'"{example}"' for example in note.examples)
    return ", ".join(f"{number:,} {name}" for name, number in note.counts.items())
