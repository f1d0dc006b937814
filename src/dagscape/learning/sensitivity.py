"""How far the probability of an edge depends on choices that others would make otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from dagscape.errors import DagscapeError
from dagscape.files.plain_values import parse
from dagscape.files.text import read_text, write_text
from dagscape.landscape import as_frame
from dagscape.learning.variations import Variation
from dagscape.posteriors.probable_features import KINDS

if TYPE_CHECKING:
    from pathlib import Path

    from dagscape.posteriors import Posterior

Pair = tuple[str, str]

LEAST = 1e-4
"""What is less probable is not kept."""


@dataclass(frozen=True)
class Band:
    """Between what the probability of an edge lies, by all sensible choices."""

    least: float
    most: float
    least_by: str
    """The choice by which it is least; empty where that is the one taken."""


@dataclass(frozen=True)
class Sensitivity:
    """The probabilities of edges by other choices, each from the table itself."""

    variations: tuple[Variation, ...]
    probabilities: tuple[Mapping[Pair, float], ...]
    """For each of them, by pairs of names in order; pairs that it lacks are below 0.0001."""

    def band(self, pair: Pair, own: float) -> Band:
        """Return between what a probability lies, its own included."""
        found = [(each.get(pair, 0.0), str(v)) for v, each in self._both]
        least, by = min(found, default=(own, ""), key=lambda each: each[0])
        most = max((each[0] for each in found), default=own)
        return Band(min(own, least), max(own, most), by if least < own else "")

    def features(self, *, frame: str = "polars") -> Any:
        """Return a row for each pair: from, to, and its probability by each of the choices."""
        pairs = sorted({pair for _, each in self._both for pair in each})
        columns = {
            "from": pl.Series([a for a, _ in pairs], dtype=pl.String),
            "to": pl.Series([b for _, b in pairs], dtype=pl.String),
        }
        for variation, each in self._both:
            own = [each.get(pair, 0.0) for pair in pairs]
            columns[str(variation)] = pl.Series(own, dtype=pl.Float64)
        return as_frame(columns, frame)

    @property
    def _both(self) -> list[tuple[Variation, Mapping[Pair, float]]]:
        return list(zip(self.variations, self.probabilities, strict=True))


def joined(posterior: Posterior) -> dict[Pair, float]:
    """Return how probable it is that two variables are joined, for all pairs worth keeping."""
    (part,) = KINDS["adjacencies"].values()
    table = posterior._estimates.estimate(part).probability
    names = posterior._variables.in_engine_order()
    return {
        (names[u], names[v]): round(float(table[u, v]), 6)
        for v in range(len(names))
        for u in range(v)
        if table[u, v] >= LEAST
    }


class Kept:
    """What was asked by other choices already, in a file, or nowhere where it has no path."""

    def __init__(self, path: Path | None, identity: Mapping[str, Any]) -> None:
        self._path = path
        self._identity = json.loads(json.dumps(identity))
        self._found: dict[str, dict[Pair, float]] = {}
        if path is not None and path.exists():
            self._found = self._read(path)

    def of(self, variation: Variation) -> dict[Pair, float] | None:
        """Return what was found by a choice, if it was asked."""
        return self._found.get(str(variation))

    def keep(self, variation: Variation, found: Mapping[Pair, float]) -> None:
        """Keep what was found by a choice."""
        self._found[str(variation)] = dict(found)
        if self._path is None:
            return
        rows = {
            words: [[a, b, probability] for (a, b), probability in each.items()]
            for words, each in self._found.items()
        }
        content = {"kind": "choices", "identity": self._identity, "found": rows}
        write_text(self._path, json.dumps(content, ensure_ascii=False, allow_nan=False))

    def _read(self, path: Path) -> dict[str, dict[Pair, float]]:
        """Return what a file has; what is of another question, or damaged, is asked again."""
        try:
            content = parse(read_text(path), path)
            if content["identity"] != self._identity:
                return {}
            found = {words: _pairs(rows) for words, rows in content["found"].items()}
        except (DagscapeError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
            return {}
        return found


def _pairs(rows: Sequence[Sequence[Any]]) -> dict[Pair, float]:
    found = {(a, b): float(probability) for a, b, probability in rows}
    for (a, b), probability in found.items():
        if not (isinstance(a, str) and isinstance(b, str) and 0 <= probability <= 1):
            raise ValueError("not a probability of a pair")
    return found
