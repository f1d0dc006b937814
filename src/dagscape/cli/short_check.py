"""What is to be looked at in a table, in two lines, before it is learned from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import join, quote

import dagscape as ds
from dagscape.cli.reading import WITH_GAPS, Reading, option_names
from dagscape.notes import in_brief
from dagscape.words import counted


def read_to_learn(
    path: Path, reading: Reading, seed: int, words: Sequence[str]
) -> tuple[ds.Data, Reading]:
    """Read a table; where it cannot be used, say also what else is wrong and what would do.

    Return how it was read, too. Advice repeats the words of the command line.
    """
    try:
        return reading.settled(path, seed)
    except ds.DataError as error:
        if not path.is_file() or reading.over_time:
            raise
        advice = _advice(path, reading, seed, words)
        raise ds.DataError(f"{error} ({advice})" if advice else str(error)) from None


def short_check(path: Path, table: ds.Data, reading: Reading, words: Sequence[str]) -> list[str]:
    """Return what is to be looked at in a table that was read, and the command that mends it."""
    found = ds.check(table)
    if not found.notes:
        return []
    lines = [in_brief(found.notes)]
    mended = reading.mended(found.settings, reading.about_rows(path))
    if mended != reading:
        lines.append(f"to read it differently: {_command(mended, words)}")
    return lines


def with_tiers(folder: Path, words: Sequence[str]) -> str:
    """Return the command that was called, with a place to say what comes first."""
    at = next((i for i, word in enumerate(words) if word.partition("=")[0] == "--out"), len(words))
    kept = (
        [*words[:at], *words[at + (1 if "=" in words[at] else 2) :]] if at < len(words) else words
    )
    first = "--tiers 'FIRST<LATER<LAST'"
    return f"dagscape {join(kept)} {first} --out {quote(f'{folder}-tiers')}"


def _advice(path: Path, reading: Reading, seed: int, words: Sequence[str]) -> str:
    """Say how many problems a table has, and which command would read it; "" if it adds nothing."""
    lists = f"dagscape check {quote(str(path))} lists all problems at once"
    found = ds.check(path)
    if found.refused and not found.notes:
        return ""
    if found.refused or found.renamed or not found.settings:
        return lists
    mended = reading.mended(found.settings, reading.about_rows(path))
    if mended.options(WITH_GAPS) == reading.options(WITH_GAPS):  # something else is wrong
        return ""
    try:
        mended.settled(path, seed)
    except ds.DagscapeError:  # nor would that do: what columns say of rows is no part of a check
        return ""
    problems, command = counted(len(found.sentences), "problem"), _command(mended, words)
    return f"{problems}: {lists}; this reads it: {command}"


def _command(reading: Reading, words: Sequence[str]) -> str:
    """Return the command that was called, with the table read so."""
    given, kept = iter(words), []
    for word in given:
        option, is_, _ = word.partition("=")
        if option not in option_names():
            kept.append(word)
        elif not is_ and option_names()[option]:
            next(given, None)
    return f"dagscape {join([*kept, *reading.options(WITH_GAPS)])}"
