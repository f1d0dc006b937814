"""What a check of a table found: sentences, settings, and the call and command that have them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from dagscape.arguments import file_path
from dagscape.data.cells import Spelling
from dagscape.data.columns import Column, Levels
from dagscape.data.formats import MISSING_VALUES
from dagscape.data.labels import spells_number
from dagscape.data.write import write_frame
from dagscape.errors import DataError, ParameterError
from dagscape.files.endings import COMPRESSIONS
from dagscape.files.plain_values import thawed
from dagscape.notes import NAMED, Note, Sentence, sentences
from dagscape.shows_itself import ShowsItself
from dagscape.speech import in_python, in_shell, spoken
from dagscape.words import counted

GAPS = {
    "keep": "keeps gaps as they are",
    "random": "fills gaps with values drawn from their columns",
    "state": "makes gaps a state of their own",
}


@dataclass(frozen=True)
class Check(ShowsItself):
    """What is wrong with a table, and the settings that mend it; see :func:`check`."""

    notes: tuple[Note, ...]
    """Every problem, as data."""
    settings: Mapping[str, Any]
    """What :func:`read_data` needs to read the table well, or :class:`Data` for a frame."""
    harmless: Mapping[str, Any]
    """Those of the settings that only mend the spelling: what :meth:`write` applies."""
    rows: int = 0
    columns: int = 0
    path: Path | None = None
    """The file; None for a table in memory."""
    refused: str = ""
    """What still keeps the table from being read with these settings; "" if nothing does."""
    dropped: int = 0
    """Rows that are dropped with these settings."""
    left_out: tuple[str, ...] = ()
    """Columns that are left out."""
    unreadable: tuple[str, ...] = ()
    """Those of them that cannot be read at all, so that :meth:`write` cannot write them."""
    _columns: tuple[Column, ...] = field(default=(), repr=False, compare=False)
    _frame: str = field(default="frame", repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # Read-only mappings cannot be pickled; they are made again from plain ones.
        plain = {"settings": thawed(self.settings), "harmless": thawed(self.harmless)}
        return self.__dict__ | plain

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            kept = MappingProxyType(value) if isinstance(value, dict) else value
            object.__setattr__(self, name, kept)

    def __bool__(self) -> bool:
        """Tell whether anything is to be looked at."""
        return bool(self.notes) or bool(self.refused)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each problem; one for many columns with the same."""
        return tuple(said.words for said in self._said())

    def _said(self) -> list[Sentence]:
        return sentences(self.notes, in_python if spoken() is None else in_shell)

    @property
    def renamed(self) -> bool:
        """Whether columns of a file need other names: only a copy of it can be read."""
        return self.path is not None and any(note.kind == "renamed" for note in self.notes)

    @property
    def copy(self) -> Path:
        """Where a mended copy of the file goes: my.table-fixed.csv for my.table.csv.gz."""
        path = Path("frame.csv") if self.path is None else self.path
        unpacked = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
        return unpacked.with_name(f"{unpacked.stem}-fixed.csv")

    @property
    def call(self) -> str:
        """The call in Python that reads the table with all settings; "" if none does.

        A file whose columns need other names is written anew first, by another call.
        """
        if self.refused or not self._frame:
            return ""
        if self.renamed:
            return f"ds.check({_in_python(str(self.path))}).write({_in_python(str(self.copy))})"
        name = self._frame if self.path is None else _in_python(str(self.path))
        given = [f"{key}={_in_python(value)}" for key, value in self.settings.items()]
        function = "ds.Data" if self.path is None else "ds.read_data"
        return f"{function}({', '.join([name, *given])})"

    @property
    def command(self) -> str:
        """The command that learns from the table with all settings; "" if none does.

        A file whose columns need other names is written anew first, by another command.
        """
        if self.path is None or self.refused:
            return ""
        name = str(self.path)
        file = quote(f"./{name}" if name.startswith("-") else name)
        if self.renamed:
            return f"dagscape check {file} --fix"
        return " ".join(["dagscape learn", file, *_options(self.settings)])

    @property
    def changes(self) -> str:
        """What these settings leave out or change, in a few words; "" if that is nothing."""
        if self.refused:
            return ""
        if self.renamed:
            return f"writes {self.copy}, where every column has a name of its own"
        done = []
        if self.left_out:
            done.append(f"leaves out {_listed(self.left_out)}")
        words = [w for w in self.settings.get("missing_values", ()) if w not in MISSING_VALUES]
        if words:
            done.append(f"takes {_listed(words)} for a missing value")
        policy = self.settings.get("missing", "")
        if self.dropped:
            done.append(f"drops {self.dropped:,} of {counted(self.rows, 'row')} because of gaps")
        elif policy in GAPS:
            done.append(GAPS[policy])
        return "; ".join(done)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table with what is harmless mended, and all else as it is.

        Cells lose blanks at their ends, words for a missing value become empty cells, decimal
        commas points, and numbers that were spelled in several ways are spelled in one. Columns
        without a name, or with that of another, get one.
        """
        if not self._columns:
            raise DataError(self.refused or "the table could not be read")
        spelling = Spelling.check(
            self.harmless.get("missing_values", ()),
            self.harmless.get("trim", False),
            self.harmless.get("decimal", "."),
        )
        target = file_path(path)
        if self.path is not None and target.exists() and target.samefile(self.path):
            raise ParameterError(
                f'"{target}" is the table itself, which stays as it is; name another file'
            )
        made = {column.name: _as_text(spelling.read(column)) for column in self._columns}
        write_frame(pl.DataFrame(made), path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON can hold."""
        return {
            "file": None if self.path is None else str(self.path),
            "rows": self.rows,
            "columns": self.columns,
            "problems": [
                {"words": said.words, "notes": [note.to_dict() for note in said.notes]}
                for said in self._said()
            ],
            "settings": _plain(self.settings),
            "harmless": sorted(self.harmless),
            "left_out": list(self.left_out),
            "dropped": self.dropped,
            "refused": self.refused,
            "command": self.command,
            "call": self.call,
        }

    def __repr__(self) -> str:
        size = f"{counted(self.rows, 'row')}, {counted(self.columns, 'column')}"
        found = counted(len(self.notes), "note") if self.notes else "nothing to mend"
        return f"<Check: {size}; {found}{', which cannot be read' if self.refused else ''}>"

    def __str__(self) -> str:
        if self.refused and not self.rows:
            again = "mend this first, and check the table again"
            return "\n".join(["the table cannot be read:", *self.sentences, self.refused, again])
        size = f"{counted(self.rows, 'row')}, {counted(self.columns, 'column')}"
        lines = [*self.sentences, *([f"still in the way: {self.refused}"] if self.refused else [])]
        ready = self.call if spoken() is None else self.command
        if not lines:
            return "\n".join([f"{size}: nothing to mend", *([ready] if ready else [])])
        if self.changes and ready:
            lines.append(f"this {'call' if spoken() is None else 'command'} {self.changes}:")
        elif self.refused:
            ready = "mend this first, and check the table again"
        elif not ready and self.settings:
            given = [f"{key}={_in_python(value)}" for key, value in self.settings.items()]
            ready = f"read it again with {', '.join(given)}"
        count = len(self._said()) + bool(self.refused)
        return "\n".join([f"{size}: {count} to look at", *lines, *([ready] if ready else [])])


def _as_text(column: Column) -> pl.Series:
    if not isinstance(column, Levels):
        values = pl.Series(column.name, column.values, nan_to_null=True)
        if not column.whole:
            return values
        if (values.abs() >= 2**53).any():
            raise DataError(
                f'column "{column.name}" has whole numbers too large to be copied exactly; leave '
                "it out of the file"
            )
        return values.cast(pl.Int64)
    spelled = all(map(spells_number, column.labels))
    labels = [_number(label) if spelled else label for label in column.labels]
    return pl.Series(column.name, [*labels, None], dtype=pl.String).gather(
        column.codes.astype(np.int64)
    )


def _number(label: str) -> str:
    """Return a whole number without a point or a sign that says nothing: "1" for "1.0" and "+1".

    Zeros in front stay, for they are part of codes.
    """
    whole, _, rest = label.partition(".")
    if not whole.lstrip("+-").isdigit() or rest.strip("0"):
        return label
    return "0" if whole.startswith("-") and not whole.strip("-0") else whole.removeprefix("+")


def _options(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as options of a command."""
    words: list[str] = []
    for name, value in settings.items():
        if name == "leave_out":
            words += [_option("--leave-out", column) for column in value]
        elif name == "kinds":
            words += [_option(f"--{kind}", column) for column, kind in value.items()]
        elif name == "missing_values":
            added = [word for word in value if word not in MISSING_VALUES and "," not in word]
            words += [f"--na={quote(','.join(added))}"] if added else []
        elif name == "header":
            words.append("--no-header")
        elif name == "trim":
            words.append("--trim")
        else:
            words.append(f"--{name} {'tab' if value == chr(9) else quote(value)}")
    return words


def _option(option: str, value: str) -> str:
    """Write an option; a value that begins with a dash would be taken for another."""
    return f"{option}={quote(value)}" if value.startswith("-") else f"{option} {quote(value)}"


def _listed(words: Sequence[str]) -> str:
    shown = [f'"{word}"' for word in words[:NAMED]]
    if len(words) > NAMED:
        shown.append(f"{len(words) - NAMED:,} more")
    *most, last = shown
    return f"{', '.join(most)} and {last}" if most else last


def _in_python(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_in_python(k)}: {_in_python(v)}' for k, v in value.items())}}}"
    if isinstance(value, list | tuple):
        if tuple(value[: len(MISSING_VALUES)]) == MISSING_VALUES:
            rest = ", ".join(map(_in_python, value[len(MISSING_VALUES) :]))
            return f"[*ds.data.MISSING_VALUES, {rest}]"
        return f"[{', '.join(map(_in_python, value))}]"
    return repr(value)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()
    }
