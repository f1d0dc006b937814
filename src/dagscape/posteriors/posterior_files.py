"""Posteriors in a SQLite file: as they are saved, and as samples of the rows come in one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from dagscape import _core
from dagscape.errors import FileFormatError
from dagscape.posteriors.pieces import Chain, ChainPool, Networks, Piece
from dagscape.stores.work_store import FACTS, WorkStore

KIND = "posterior"

LITTLE = np.dtype("<f8")
ROUNDING = 1e-6
MOST_DRAWN = 10_000_000
"""Networks that a file may say were drawn: a list has a place for each."""


class PosteriorStore(WorkStore):
    """The posterior of the data, with number -1, or of many samples of their rows."""

    KINDS: ClassVar[tuple[str, ...]] = (KIND,)
    TABLES: ClassVar[str] = (
        FACTS
        + """
CREATE TABLE pieces (
    number INTEGER PRIMARY KEY,
    about TEXT NOT NULL,
    arcs BLOB NOT NULL,
    ancestors BLOB NOT NULL,
    weights BLOB NOT NULL,
    lengths BLOB NOT NULL,
    codes BLOB NOT NULL
);
CREATE TABLE classes (
    graph BLOB PRIMARY KEY,
    probability REAL NOT NULL,
    lower REAL NOT NULL,
    upper REAL NOT NULL,
    score REAL NOT NULL,
    proven INTEGER NOT NULL
);
"""
    )
    WRONG: ClassVar[Mapping[str, str]] = {
        "pieces": "number NOT BETWEEN -1 AND 1 << 62 OR typeof(about) <> 'text'"
        + "".join(
            f" OR typeof({cell}) <> 'blob'"
            for cell in ("arcs", "ancestors", "weights", "lengths", "codes")
        ),
        "classes": "typeof(graph) <> 'blob' OR NOT probability BETWEEN 0 AND 1.000001"
        " OR NOT lower BETWEEN 0 AND 1 OR NOT upper BETWEEN 0 AND 1.000001"
        " OR typeof(score) <> 'real' OR NOT proven BETWEEN 0 AND 1",
    }
    NUMBERED: ClassVar[tuple[str, str]] = ("pieces", "number")

    def add(self, pieces: Iterable[Piece]) -> None:
        """Keep posteriors: all of these, on disk when this returns, or none."""
        rows = [_row(piece) for piece in pieces]
        with self._explained(), self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def pieces(self, below: int = 1 << 62) -> list[Piece]:
        """Return the posteriors with numbers below this."""
        n = len(self.names)
        with self._explained():
            rows = self._db.execute(
                "SELECT * FROM pieces WHERE number < ? ORDER BY number", (below,)
            ).fetchall()
        try:
            return [_piece(n, row) for row in rows]
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise FileFormatError(f'"{self.path}" is damaged: its pieces cannot be read') from None

    def add_classes(self, rows: Iterable[tuple[bytes, float, float, float, float, int]]) -> None:
        """Keep classes with their probabilities."""
        with self._explained(), self._transaction():
            self._db.executemany("INSERT INTO classes VALUES (?, ?, ?, ?, ?, ?)", list(rows))

    def classes(self) -> list[tuple[bytes, float, float, float, float, int]]:
        """Return classes, the most probable first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT * FROM classes ORDER BY probability DESC, graph"
            ).fetchall()
        try:
            for row in rows:
                _core.decode_graph(len(self.names), row[0])
        except FileFormatError as error:
            raise FileFormatError(f'"{self.path}" is damaged: {error}') from None
        return rows

    def tell(self, name: str, value: Any) -> None:
        """Keep a fact."""
        with self._explained(), self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value))
            )

    def facts_of(self, name: str) -> dict[str, Any]:
        """Return a fact that is a mapping; an empty one if it is not there."""
        with self._explained():
            row = self._db.execute("SELECT 1 FROM facts WHERE name = ?", (name,)).fetchone()
        return {} if row is None else dict(self._fact(name, dict))


def _row(piece: Piece) -> tuple[Any, ...]:
    networks = piece.networks
    codes = () if networks is None else networks.codes
    weights = np.zeros(0) if networks is None else networks.weights
    about: dict[str, Any] = {
        "log_total": piece.log_total,
        "dropped": piece.dropped,
        "rounding": piece.rounding,
        "components": list(piece.components),
        "drawn": None if networks is None else networks.drawn,
    }
    if piece.chain is not None:
        about["chain"] = asdict(piece.chain)
    if piece.pooled is not None:
        about["pooled"] = asdict(piece.pooled)
    return (
        piece.number,
        json.dumps(about),
        _bytes(piece.arcs),
        _bytes(piece.ancestors),
        _bytes(weights),
        np.array([len(code) for code in codes], dtype="<u4").tobytes(),
        b"".join(codes),
    )


def _piece(n: int, row: tuple[Any, ...]) -> Piece:
    number, about, arcs, ancestors, weights, lengths, codes = row
    facts: Mapping[str, Any] = json.loads(about)
    networks = None
    if facts["drawn"] is not None:
        parts = _networks(n, lengths, codes)
        shares = np.frombuffer(weights, dtype=LITTLE).astype(float)
        if len(shares) != len(parts):
            raise ValueError("its networks and their weights are not as many")
        if not (shares >= 0).all() or not abs(shares.sum() - 1) < 1e-9:
            raise ValueError("the weights of its networks are not shares")
        networks = Networks(n, parts, shares, int(_between(facts["drawn"], 0, MOST_DRAWN)))
    sampled = "chain" in facts or "pooled" in facts
    return Piece(
        number=int(number),
        log_total=None if sampled else _between(facts["log_total"], -math.inf, math.inf),
        dropped=_between(facts["dropped"], 0, math.inf),
        arcs=_table(n, arcs),
        ancestors=_table(n, ancestors),
        networks=networks,
        rounding=_between(facts["rounding"], 0, math.inf),
        components=tuple(map(int, facts["components"])),
        chain=_chain(facts["chain"]) if "chain" in facts else None,
        pooled=_pooled(facts["pooled"]) if "pooled" in facts else None,
    )


@lru_cache(maxsize=1)
def _networks(n: int, lengths: bytes, codes: bytes) -> tuple[bytes, ...]:
    """Return networks that stand one after the other.

    Kept for the next row: where all networks are listed, it has the same ones.
    """
    ends = np.cumsum(np.frombuffer(lengths, dtype="<u4"), dtype=np.int64)
    if len(ends) and ends[-1] != len(codes):
        raise ValueError("its networks are cut off")
    found = tuple(codes[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=False))
    for code in found:
        _core.decode_graph(n, code)
    return found


def _chain(facts: Mapping[str, Any]) -> Chain:
    return Chain(
        str(facts["start"]),
        int(_between(facts["rounds"], 1, 1 << 62)),
        _between(facts["start_log_weight"], -math.inf, math.inf),
        _between(facts["best_log_weight"], -math.inf, math.inf),
        facts["completed"] is True,
        int(_between(facts["jumps_tried"], 0, 1 << 62)),
        int(_between(facts["jumps_taken"], 0, 1 << 62)),
    )


def _pooled(facts: Mapping[str, Any]) -> ChainPool:
    return ChainPool(int(_between(facts["chains"], 1, 1 << 31)), _between(facts["apart"], 0, 1))


def _bytes(table: np.ndarray) -> bytes:
    return np.ascontiguousarray(table, dtype=LITTLE).tobytes()


def _table(n: int, content: bytes) -> np.ndarray:
    values = np.frombuffer(content, dtype=LITTLE)
    if values.size != n * n:
        raise ValueError("a table of probabilities has another size")
    if ((values < 0) | (values > 1 + ROUNDING)).any():  # NaN where sums do not tell
        raise ValueError("a probability is not between 0 and 1")
    return values.reshape(n, n).astype(float)


def _between(value: Any, least: float, most: float) -> float:
    """Return a number; refuse anything else, and numbers out of range."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(value)
    return float(value)
