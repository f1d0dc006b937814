"""Pieces of work that outlive their process, in a SQLite file.

A batch of pieces is one transaction, so a process that is killed loses the batch at hand and
nothing else. Others may read meanwhile; a second writer is refused.
"""

from __future__ import annotations

import json
import os
import sqlite3
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from dagscape.arguments import file_path
from dagscape.control.limits import Progress
from dagscape.errors import FileFormatError, ParameterError
from dagscape.executors import TellPieces
from dagscape.files.plain_values import json_value
from dagscape.speech import setting
from dagscape.words import counted, printable

APPLICATION = 0x64616773
"""The mark in a SQLite file that tells a store from other people's files: "dags"."""
FORMAT = 1
"""The version of the tables below."""
MAGIC = b"SQLite format 3\0"
"""How every SQLite file begins."""
PATIENCE = 30.0
"""Seconds to wait while somebody else reads or writes."""

S = TypeVar("S", bound="WorkStore")

FACTS = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
"""What all stores have: settings and names of variables, as JSON."""


def stored_kind(path: Path) -> str | None:
    """Return what a file says that it holds, if it is a store; empty if that cannot be read."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return None
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as file:
            (text,) = file.execute("SELECT value FROM facts WHERE name = 'settings'").fetchone()
        return str(json.loads(text)["kind"])
    except OSError:  # for the sentence of the one who reads it
        return None
    except (sqlite3.Error, TypeError, ValueError, KeyError, RecursionError):
        return ""


class WorkStore:
    """Many pieces with the same settings; in a file, or in memory where it has no path."""

    KINDS: ClassVar[tuple[str, ...]]
    """What it may hold, in the words of its settings."""
    TABLES: ClassVar[str]
    """How its tables are made."""
    WRONG: ClassVar[Mapping[str, str]]
    """What no row of a table may be: SQLite keeps what it is given, of whatever type."""
    NUMBERED: ClassVar[tuple[str, str]]
    """The table with a row for each piece, and its number there."""

    def __init__(
        self, path: str | os.PathLike[str] | None, settings: Mapping[str, Any], names: Sequence[str]
    ) -> None:
        """Open a store to add runs, made if it is not there; refuse one with other settings."""
        self.path = None if path is None else _checked(path)
        if self.path is not None and not self.path.parent.is_dir():
            raise ParameterError(f'there is no folder "{self.path.parent}" to keep runs in')
        with self._explained():
            self._lock = None if self.path is None else _lock(self.path)
            made = self.path is not None and not self.path.exists()
            try:
                self._open(":memory:" if self.path is None else os.fspath(self.path))
                if self._is_new():
                    self._make(settings, names)
                else:
                    self._identify()
                    if self._is_unused():  # as a call leaves it that ended before its first piece
                        self._keep_safe()
                        with self._transaction():
                            self._state(settings, names)
                    else:
                        self._check(settings)
                        self._keep_safe()
            except BaseException:
                self.close()
                if made:  # what is not whole, as on a full disk, is not left behind
                    for ending in ("", "-wal", "-shm"):
                        with suppress(OSError):
                            os.unlink(f"{self.path}{ending}")
                raise

    @classmethod
    def read(cls: type[S], path: str | os.PathLike[str]) -> S:
        """Open a store to read it."""
        store = cls.__new__(cls)
        store.path = _checked(path)
        store._lock = None
        if not store.path.is_file():
            raise ParameterError(f'there is no file "{store.path}"')
        with store._explained():
            store._open(f"{store.path.as_uri()}?mode=rw")
            try:
                if store._is_new():
                    raise FileFormatError(f'"{store.path}" is empty: it holds no runs')
                store._identify()
            except BaseException:
                store.close()
                raise
        return store

    def _open(self, database: str) -> None:
        self._db = sqlite3.connect(database, timeout=PATIENCE, isolation_level=None, uri=True)
        # Who drops a store without closing it, as of a landscape in memory, need not know of it.
        weakref.finalize(self, _let_go, self._db)

    def _make(self, settings: Mapping[str, Any], names: Sequence[str]) -> None:
        """Write the tables."""
        self._keep_safe()
        with self._transaction():
            for statement in self.TABLES.split(";"):
                self._db.execute(statement)
            self._state(settings, names)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _state(self, settings: Mapping[str, Any], names: Sequence[str]) -> None:
        """Write what all pieces have in common."""
        facts = {"settings": dict(settings), "names": list(names)}
        self._db.executemany(
            "INSERT OR REPLACE INTO facts VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in facts.items()],
        )

    def _keep_safe(self) -> None:
        """Make sure that what is written stays, whatever happens to this process or the machine."""
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")

    def _identify(self) -> None:
        """Refuse a file that is not a store, or a later one."""
        if self._pragma("application_id") != APPLICATION:
            raise FileFormatError(
                f'"{self.path}" is a SQLite file of some other program, not a store of runs'
            )
        if self._pragma("user_version") > FORMAT:
            raise FileFormatError(
                f'"{self.path}" was written by a later version of dagscape: update dagscape'
            )
        # Others may have views here that never end, or tables whose cells are of any kind.
        if _schema(self._db) != _expected_schema(self.TABLES):
            self._refuse_others()
            raise FileFormatError(f'"{self.path}" is damaged: its tables are not those of a store')
        for table, wrong in self.WRONG.items():
            query = f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {wrong})"  # noqa: S608 (above)
            if self._db.execute(query).fetchone() != (0,):
                raise FileFormatError(f'"{self.path}" is damaged: its {table} cannot be right')

    def _refuse_others(self) -> None:
        """Refuse a store of another kind by its name, if it is one."""
        with suppress(FileFormatError):
            kind = self.settings.get("kind")
            if isinstance(kind, str) and kind not in self.KINDS:
                holds, wanted = printable(kind), " or ".join(self.KINDS)
                raise ParameterError(f'"{self.path}" holds {holds}, not {wanted}')

    def _check(self, settings: Mapping[str, Any]) -> None:
        """Refuse other settings than those of the runs that are there."""
        stored = self.settings
        for name, value in settings.items():
            if name not in stored or stored[name] != value:
                raise ParameterError(
                    f'"{self.path}" {_difference(name, stored.get(name), value)}; '
                    "choose another store, or the same settings to go on with this one"
                )

    @property
    def settings(self) -> dict[str, Any]:
        """What all runs here have in common."""
        return dict(self._fact("settings", dict))

    @property
    def names(self) -> list[str]:
        """The variables, in the order in which they are shown."""
        return list(self._fact("names", list))

    def missing(self, runs: int) -> list[range]:
        """Return the runs below this number that are not there, in stretches."""
        gaps, expected = [], 0
        table, number = self.NUMBERED
        query = (
            f"SELECT {number} FROM {table} WHERE {number} BETWEEN 0 AND ? - 1 "  # noqa: S608
            f"UNION ALL SELECT ? ORDER BY {number}"
        )
        with self._explained():
            for (run,) in self._db.execute(query, (runs, runs)):
                if run > expected:
                    gaps.append(range(expected, run))
                expected = run + 1
        return gaps

    def count(self, runs: int | None = None) -> int:
        """Return how many of the runs below this number are there."""
        return self._sum("count(*)", runs)

    def telling(self, tell: Progress | None, pieces: int, what: str) -> TellPieces:
        """Return what tells the user's function how far all pieces are."""
        if tell is None:
            return lambda _done, _where: None
        before = self.count(pieces)

        def tell_pieces(done: float, where: str) -> None:
            count = min(pieces, before + int(done + 1e-6))
            text = f"{count:,} of {counted(pieces, what)}{self.beside()}"
            tell(min(1.0, (before + done) / pieces), f"{text}{where and ', '}{where}")

        return tell_pieces

    def beside(self) -> str:
        """Return what is told beside how many pieces are done."""
        return ""

    def close(self) -> None:
        """Leave the file to others."""
        if (db := getattr(self, "_db", None)) is not None:
            if self._lock is not None:
                # Without its log beside it the file can be copied, and read where nobody may write.
                with suppress(sqlite3.Error, UnicodeDecodeError):
                    db.execute("PRAGMA busy_timeout = 0")
                    db.execute("PRAGMA journal_mode = DELETE")
            db.close()
        if self._lock is not None:
            with suppress(OSError):
                os.unlink(f"{self.path}-lock")
            self._lock.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the first error says more
                self._db.execute("ROLLBACK")
            raise

    def _sum(self, what: str, runs: int | None) -> int:
        with self._explained():
            table, number = self.NUMBERED
            query = f"SELECT {what} FROM {table} WHERE {number} < ?"  # noqa: S608 (from above)
            return int(self._db.execute(query, (below(runs),)).fetchone()[0])

    def _is_new(self) -> bool:
        empty = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        return empty and self._pragma("application_id") == 0

    def _is_unused(self) -> bool:
        """Tell whether nothing but settings and names is there."""
        tables = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        rows = {
            table: self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for (table,) in tables.fetchall()  # those of TABLES
        }
        return rows.pop("facts") <= len(("settings", "names")) and not any(rows.values())

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def _fact(self, name: str, kind: type) -> Any:
        with self._explained():
            row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        damaged = FileFormatError(f'"{self.path}" is damaged: its {name} cannot be read')
        try:
            value = json_value(row[0], f'"{self.path}"')
        except (TypeError, RecursionError, FileFormatError):
            raise damaged from None
        if not isinstance(value, kind):
            raise damaged
        return value

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the errors of SQLite into ours."""
        try:
            yield
        except UnicodeDecodeError:  # from a damaged name of a table, say
            raise FileFormatError(
                f'"{self.path}" is damaged: a text in it cannot be read'
            ) from None
        except sqlite3.DatabaseError as error:
            reason = str(error)
            if "locked" in reason:
                raise ParameterError(f'"{self.path}" is in use by another process; wait') from None
            broken = ("no such", "malformed", "decode to UTF-8", "overflow")
            usable = isinstance(error, sqlite3.OperationalError)
            if usable and not any(word in reason for word in broken):
                raise ParameterError(f'"{self.path}" cannot be used as a store: {reason}') from None
            raise FileFormatError(
                f'"{self.path}" is not a store of runs, or a damaged one: {reason}'
            ) from None


def _checked(path: str | os.PathLike[str]) -> Path:
    """Return a path that may be a file's, whatever links lead to it."""
    file_path(path, "store")
    if not os.fspath(path) or os.path.isdir(path):
        raise ParameterError(f'"{path}" is a folder; name a file in it')
    return Path(os.path.realpath(path))


def _let_go(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.ProgrammingError):  # collected on another thread
        db.close()


def _schema(db: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Return the tables of a file, and whatever else it has, as it declares them."""
    rows = db.execute("SELECT type, name, sql FROM sqlite_master")
    return {tuple(" ".join(str(text).split()) for text in row) for row in rows}


@cache
def _expected_schema(tables: str) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in tables.split(";"):
            empty.execute(statement)
        return _schema(empty)


def _lock(path: Path) -> sqlite3.Connection:
    """Keep other writers out until the connection is closed, if only by the process's end.

    A lock of the store itself would keep out readers as well, or end with each transaction.
    """
    lock = sqlite3.connect(f"{path}-lock", timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            with suppress(OSError):
                os.unlink(f"{path}-lock")
            raise
        raise ParameterError(
            f'another process is adding runs to "{path}"; wait for it to end, or choose another '
            "store"
        ) from None
    return lock


def _difference(name: str, stored: object, asked: object) -> str:
    """Say how a setting differs."""
    if name == "data":
        return "holds runs on other data"
    if name == "version":
        return f"holds runs of dagscape {stored}, and this is {asked}, which may go other ways"
    if name == "kind":
        return f"holds runs of {stored}, not of {asked}"
    if name == "jumps":
        return "holds chains of an earlier dagscape, which do not jump as chains do now"
    return f"holds runs with {setting(name)} = {_shown(stored)}, not {_shown(asked)}"


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else "none"


def below(runs: int | None) -> int:
    """Return the number that all are below, where none is given."""
    return (1 << 63) - 1 if runs is None else runs
