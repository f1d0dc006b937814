"""Tables in text files: read in blocks, each turned into codes at once.

Memory stays near the size of the codes, because no more than one block is ever held as strings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, compress
from operator import not_
from typing import IO, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from dagscape.arguments import as_list
from dagscape.data.blocks import GrowingArray
from dagscape.data.build import check_names, usable_names
from dagscape.data.cells import Spelling
from dagscape.data.columns import MAX_STATES, Column, Levels, Numbers, code_type, too_many_states
from dagscape.data.labels import NUMBER_PATTERN, kind_of, look_like_values
from dagscape.data.lines import Block, blocks, decode, explain, marks_fit, records
from dagscape.errors import DataError, ParameterError
from dagscape.files.spreadsheets import unguarded
from dagscape.speech import choice, for_python, setting
from dagscape.variables import suggest

LONGEST_SHOWN = 60
"""Letters of a header that an error repeats."""
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}

# polars 2 turned this option round.
_KEEP_EMPTY: dict[str, Any] = (
    {"empty_string_is_null": False}
    if "empty_string_is_null" in inspect.signature(pl.read_csv).parameters
    else {"missing_utf8_is_empty_string": True}
)


def read_text(
    stream: IO[bytes],
    separator: str,
    spelling: Spelling,
    choice: Choice,
    *,
    header: bool = True,
    repair: bool = False,
    tell: Callable[[int, float | None], object] = lambda *_: None,
    size: int | None = None,
) -> list[Column]:
    """Return the columns of a text file, named by its first line or, without one, X1, X2, ...

    ``repair`` gives a name to columns that have none, or that of another. ``tell`` hears how many
    rows are read, and which share of the file that is, if its size is known.
    """
    source = blocks(stream)
    names, first = _header(source, separator, named=header, repair=repair)
    chosen = choice.among(names)
    everything = chosen == list(range(len(names)))
    growing = {number: _GrowingColumn(names[number], spelling) for number in chosen}
    rows = done = 0
    for block in _bodies(first, source, last_blank=len(names) == 1):
        frame = _parse(block, separator, len(names))
        rows, done = rows + frame.height, done + len(block.data)
        tell(rows, None if size is None else done / size)
        _encode(frame if everything else frame.select(pl.nth(*chosen)), list(growing.values()))
    return [growing.pop(number).finish() for number in chosen]


def _header(
    source: Iterator[Block], separator: str, *, named: bool, repair: bool
) -> tuple[list[str], Block]:
    """Return the names, and what follows them in the first block."""
    block = next(source, Block(b"", 1))
    data = block.data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise DataError("the file is empty; its first line must name the columns")
    if b"\x00" in data:
        raise DataError("the file holds binary data, not text; its ending says it is text")
    text = decode(Block(data, 1))
    record = next(records(text, separator))
    unquoted = re.sub('"[^"]*"', "", text[: record.end].rstrip("\r\n"))
    if "\r" in unquoted:
        raise DataError(
            "line 1: a carriage return stands alone, as lines end on old Macs, and others end "
            "differently; save the file with line ends of one kind"
        )
    _check_separator(record.cells, text, record.end, separator)
    if not named:
        return [f"X{number}" for number in range(1, len(record.cells) + 1)], Block(data, 1)
    before_writing = unguarded(record.cells)
    names = [before_writing[cell] for cell in record.cells]
    names = usable_names(names) if repair else names
    try:
        check_names(names, from_file=True)
    except DataError:
        if look_like_values(names):
            raise no_header(names) from None
        raise
    after = text[: record.end]
    return names, Block(data[len(after.encode()) :], 1 + after.count("\n"))


def no_header(names: Sequence[str]) -> DataError:
    """Return the error for a file whose first line is no line of names, whatever came of that."""
    shown = ", ".join(f'"{name}"' for name in names[:3])
    return DataError(
        f"the first line looks like values, not like names ({shown}, ...); if the file has no line "
        f"of names, give {for_python('header=False', setting('header'))}"
    )


def _check_separator(cells: Sequence[str], text: str, end: int, separator: str) -> None:
    """Refuse a header of one unquoted cell that holds another separator."""
    if len(cells) != 1 or text.startswith('"'):
        return
    counts = {mark: cells[0].count(mark) for mark in SEPARATORS if mark != separator}
    mark = max(counts, key=counts.__getitem__)
    if not counts[mark]:
        # A name may well hold blanks; but not if the next line has as many.
        following = text[end:].partition("\n")[0].removesuffix("\r")
        if not 0 < cells[0].count(" ") == following.count(" "):
            return
        mark = " "
    raise DataError(
        f'the file has one column, named "{_short(cells[0])}"; it seems to be separated by '
        f"{SEPARATORS.get(mark, 'blank')}s: give {choice('separator', mark)} "
        "(or put quotation marks around the name)"
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}..."


def check_left_out(leave_out: Collection[str]) -> Collection[str]:
    """Refuse what is no list of names."""
    names = as_list("leave_out", leave_out, "names")
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(f"{setting('leave_out')} must be a list of names, got {leave_out!r}")
    return tuple(names)


class Choice(NamedTuple):
    """Which columns to read: those wanted, or all but some."""

    wanted: Sequence[str] | None = None
    left_out: Collection[str] = ()

    def without(self, names: Collection[str]) -> Choice:
        """Return the choice without some columns more."""
        wanted = None if self.wanted is None else [x for x in self.wanted if x not in names]
        return Choice(wanted, tuple(dict.fromkeys([*self.left_out, *names])))

    def among(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of the chosen columns, in their order."""
        number = {name: i for i, name in enumerate(names)}
        for option, listed in (("columns", self.wanted or ()), ("leave_out", self.left_out)):
            for name in listed:
                if name not in number:
                    near = suggest(name, names)
                    raise ParameterError(
                        f'{setting(option)} names "{name}", which is not a column{near}'
                    )
        left_out = frozenset(self.left_out)
        chosen = [name for name in self.wanted or names if name not in left_out]
        if not chosen:
            raise ParameterError(f"{setting('leave_out')} names every column; leave one at least")
        return [number[name] for name in chosen]


def _bodies(first: Block, source: Iterator[Block], *, last_blank: bool) -> Iterator[Block]:
    """Yield the blocks that have records, without blank lines at the end of the file.

    With a single column (``last_blank``) a blank line is an empty cell, and stays.
    """
    waiting: Block | None = None
    for block in chain([first], source):
        if waiting is not None and waiting.data:
            yield waiting
        waiting = block
    if waiting is None:
        return
    data = waiting.data if last_blank else waiting.data.rstrip(b"\r\n")
    if data:
        yield Block(data, waiting.line)


def _parse(block: Block, separator: str, width: int) -> pl.DataFrame:
    """Return a block as strings; every row must have as many cells as the header.

    polars refuses longer rows but fills shorter ones, so the separators are counted: those
    outside of cells must be one fewer than the cells of each row.
    """
    # A header of our own keeps polars from reading names, or a byte order mark, into the data.
    header = separator.join(map(str, range(width))) + "\n"
    try:
        frame = pl.read_csv(
            header.encode() + block.data, separator=separator, infer_schema=False, **_KEEP_EMPTY
        )
    except PolarsError:
        raise explain(block, separator, width) from None
    outside = int(np.count_nonzero(np.frombuffer(block.data, np.uint8) == ord(separator)))
    if b'"' in block.data:
        if not marks_fit(block.data, separator):
            raise explain(block, separator, width)
        inside = pl.all().str.count_matches(separator, literal=True).sum()
        outside -= sum(frame.select(inside).row(0))
    if outside != frame.height * (width - 1):
        raise explain(block, separator, width)
    return frame


FEW_ROWS = 4096
"""In blocks with fewer rows than this, what polars takes for each column, whatever it holds, is
more than what Python takes for its cells."""


def _encode(frame: pl.DataFrame, columns: Sequence[_GrowingColumn]) -> None:
    """Add a block to its columns: many rows by one cast, which polars runs in parallel."""
    if frame.height < FEW_ROWS:
        for column, cells in zip(columns, frame.iter_columns(), strict=True):
            column.add_few(cells)
        return
    levels = {
        name: column.dtype
        for name, column in zip(frame.columns, columns, strict=True)
        if column.dtype is not None
    }
    encoded = frame.cast(levels, strict=False)  # type: ignore[arg-type]
    for column, cells, known in zip(
        columns, frame.iter_columns(), encoded.iter_columns(), strict=True
    ):
        column.add(cells, known)


class _GrowingColumn:
    """A column while its file is read: codes of the cells so far, in order of appearance.

    Once it has more distinct cells than there can be states it can only be a column of numbers,
    and is kept as such (``dtype`` is None then).
    """

    def __init__(self, name: str, spelling: Spelling) -> None:
        self.name = name
        self.spelling = spelling
        self.comma = spelling.decimal == ","
        self.labels: dict[str, int] = {}
        self.numeric = False
        self.whole = True
        self.values = GrowingArray()  # places among the labels, or numbers
        self._dtype: tuple[int, pl.Enum] | None = None

    @property
    def dtype(self) -> pl.Enum | None:
        """The cells so far as a type of polars; None for numbers."""
        if self.numeric:
            return None
        if self._dtype is None or self._dtype[0] != len(self.labels):
            self._dtype = len(self.labels), pl.Enum(list(self.labels))
        return self._dtype[1]

    def add(self, cells: pl.Series, known: pl.Series) -> None:
        """Take a block of cells; ``known`` is the same cast to the levels so far."""
        if self.numeric:
            self.values.add(self._numbers(cells))
            return
        if known.null_count():
            self._learn(cells.filter(known.is_null()).unique(maintain_order=True).to_list())
            if len(self.labels) > MAX_STATES:
                self._turn_to_numbers()
                self.values.add(self._numbers(cells))
                return
            known = cells.cast(self.dtype or pl.String)
        self.values.add(known.to_physical().to_numpy())

    def add_few(self, cells: pl.Series) -> None:
        """Take a block of few cells."""
        if not self.numeric:
            texts = cells.to_list()
            self._learn(texts)
            if len(self.labels) <= MAX_STATES:
                codes = list(map(self.labels.__getitem__, texts))
                self.values.add(np.array(codes, dtype=code_type(len(self.labels) + 1)))
                return
            self._turn_to_numbers()
        self.values.add(self._numbers(cells))

    def _learn(self, texts: Iterable[str]) -> None:
        for text in texts:
            if text not in self.labels:
                self.labels[text] = len(self.labels)

    def _turn_to_numbers(self) -> None:
        table = self._numbers(pl.Series(list(self.labels), dtype=pl.String))
        self.values.recode(table)
        self.numeric, self.labels = True, {}

    def _numbers(self, cells: pl.Series) -> NDArray[np.float64]:
        texts = cells.set(cells.is_in(list(self.spelling.missing_values)), None)
        if self.comma:
            texts = texts.str.replace(",", ".", literal=True)
        strange = texts.filter(~texts.str.contains(NUMBER_PATTERN).fill_null(True))
        if len(strange):
            few = self.numeric or 2 * len(strange) < len(texts)  # numbers so far
            raise too_many_states(self.name, MAX_STATES + 1, strange[0] if few else None)
        self.whole = self.whole and kind_of(texts.drop_nulls().to_list()) in ("integer", "label")
        numbers = texts.str.strip_chars().cast(pl.Float64)
        values = np.array(numbers.fill_null(np.nan).to_numpy())
        values[np.isin(values, self.spelling.missing_numbers)] = np.nan
        return values

    def finish(self) -> Column:
        """Return the column, its missing cells marked."""
        if not self.values.length:
            return Levels(self.name, np.zeros(0, dtype=np.uint8), (), "cell")
        if self.numeric:
            return Numbers(self.name, self.values.finish(), whole=self.whole)
        before_writing = unguarded(self.labels)
        labels = [before_writing[cell] for cell in self.labels]
        missing = [
            any(map(self.spelling.means_missing, both))
            for both in zip(self.labels, labels, strict=True)
        ]
        kept = list(compress(labels, map(not_, missing)))
        position = {label: code for code, label in enumerate(kept)}
        new = [
            len(kept) if gone else position[label]
            for label, gone in zip(labels, missing, strict=True)
        ]
        table = np.array(new, dtype=code_type(len(kept) + 1))
        self.values.recode(table)
        return Levels(self.name, self.values.finish(), tuple(kept), "cell")
