"""How far the probability of an edge depends on choices that others would make otherwise.

A probability depends on a score and a prior, and on where numbers were cut. Nobody can say that
those taken here are the right ones, so the same is asked by the choices that others would make.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from dagscape.claims.journal import Reason
from dagscape.control.limits import FINAL
from dagscape.data.merge_intervals import coarser, intervals
from dagscape.defaults import default_score
from dagscape.errors import DagscapeError, ParameterError
from dagscape.files.plain_values import parse
from dagscape.files.text import read_text, write_text
from dagscape.landscape import as_frame
from dagscape.learning.findings import LearningPart
from dagscape.learning.plan import CHOICES, CHOICES_SHARE, SUMMED
from dagscape.posteriors.chains import CHAINS_EACH, ROUNDS_EACH
from dagscape.posteriors.make_posterior import posterior
from dagscape.posteriors.probable_features import KINDS
from dagscape.scores import BasisBIC, BDeu, BGe, GaussianBIC, RankBGe, Score, as_score
from dagscape.scores.priors import EdgePrior

if TYPE_CHECKING:
    from pathlib import Path

    from dagscape.posteriors import Posterior
    from dagscape.problem import Problem

SIZES = (1.0, 10.0)
"""Equivalent sample sizes that are in common use."""

NEIGHBORS = (0.5, 2.0)
"""Times the neighbors that the prior expects."""

MERGES = (0, 1)
"""Intervals are merged two by two, from the first or from the second on."""


@dataclass(frozen=True)
class Variation:
    """One other choice; ``str`` of it says which."""

    what: str
    """"score", "prior" or "cuts"."""
    words: str
    """The score or the prior, or which intervals are merged."""

    def __str__(self) -> str:
        return f"prior {self.words}" if self.what == "prior" else self.words


def variations(problem: Problem) -> Iterator[tuple[Variation, Problem]]:
    """Tell of the same question under every other choice."""
    base, prior = problem.score.base, problem.score.prior
    for score in _other_scores(problem):
        yield Variation("score", str(score)), problem.scored_by(as_score(score, prior))
    for other in _other_priors(problem):
        yield Variation("prior", str(other)), problem.scored_by(as_score(base, other))
    if intervals(problem.data):
        for first in MERGES:
            words = f"intervals merged two by two from the {'second' if first else 'first'} on"
            yield Variation("cuts", words), problem.on(coarser(problem.data, first))


def _other_scores(problem: Problem) -> list[Score]:
    """Return other sizes of the prior's sample for states, ranks or a bend more for numbers."""
    base = problem.score.base
    if not problem.data.numbers:
        # A size that somebody named stands among those that are in common use.
        return [score for score in map(BDeu, SIZES) if score != base]
    if isinstance(base, RankBGe) and problem.data.missing:  # whose cells are drawn by lines
        return [] if any(kind != "continuous" for kind in problem.data.kinds.values()) else [BGe()]
    if isinstance(base, RankBGe):
        return [RankBGe(base.degree + 1)] if base.degree == 1 else [RankBGe(base.degree - 1)]
    if problem.data.rows.series is not None and isinstance(base, GaussianBIC):
        return [BGe()]  # ranks are no lines in what they were
    if isinstance(base, BGe | GaussianBIC):
        return [RankBGe()]
    return [RankBGe(base.degree)] if isinstance(base, BasisBIC) else []


def _other_priors(problem: Problem) -> list[EdgePrior]:
    """Return priors that expect half and twice as many edges; beside others, the usual one."""
    prior = problem.score.prior
    if isinstance(prior, EdgePrior):
        return [EdgePrior(prior.neighbors * times) for times in NEIGHBORS]
    usual = default_score(problem.data).prior
    if not isinstance(usual, EdgePrior):  # as for numbers over time
        usual = EdgePrior(1.0)
    return [usual, EdgePrior(usual.neighbors * NEIGHBORS[-1])]


Pair = tuple[str, str]

LEAST = 1e-4
"""What is less probable is not kept."""


@dataclass(frozen=True)
class Band:
    """The range of an edge's probability, over all sensible choices."""

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

    def __repr__(self) -> str:
        return f"<Sensitivity: {'; '.join(map(str, self.variations)) or 'no other choices'}>"

    def band(self, pair: Pair, own: float) -> Band:
        """Return the range of a probability over the choices, its own included."""
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


class ChoicesFile:
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


# The step of learning that asks for the probabilities again.

LAST_SHARE = 0.9
"""Of the time then left, where nothing else comes."""

ROUNDS_WITH_GAPS = 100
"""Of each chain where cells are missing: enough to tell more than one half from less."""


class Varying(LearningPart):
    """Asks the table itself by each other choice; keeps what is done in a file, if there is one.

    These probabilities stand beside others, so chains are as short as those of a resampled table.
    """

    def run(
        self, problem: Problem, each: float, beside: Path | None, *, at_once: bool = False
    ) -> Sensitivity | None:
        """Return what could be had in time; None where nothing could, and the journal says why.

        Parameters
        ----------
        problem
            What is varied.
        each
            Seconds that it takes by one choice, about.
        beside
            The file that keeps it.
        at_once
            Whether it takes no time to speak of, and is had even where none is left.
        """
        kept = ChoicesFile(beside, problem.identity("choices", seed=self._budget.seed))
        asked = list(variations(problem))
        found: dict[Variation, dict[Pair, float]] = {}
        before = self._budget.seconds
        with self._findings.nothing_lost(CHOICES):
            for at, (variation, other) in enumerate(asked):
                known = kept.of(variation)
                if known is None:
                    known = self._probabilities(other, each, 1 / (len(asked) - at), at_once)
                    if known is None:
                        break
                    kept.keep(variation, known)
                found[variation] = known
        if self._journal.raised is not None or not found:
            if not any(step.name == CHOICES for step in self._journal.steps):
                why = self._findings.end() or Reason("table too slow", seconds=each)
                self._journal.leave_out(CHOICES, why)
            return None
        self._journal.note(
            CHOICES,
            Reason("varied", choices=[str(variation) for variation in found], asked=len(asked)),
            self._budget.seconds - before,
        )
        return Sensitivity(tuple(found), tuple(found.values()))

    def _probabilities(
        self, other: Problem, each: float, share: float, at_once: bool
    ) -> dict[Pair, float] | None:
        """Return how probable edges are by another choice; None if there is no time for that."""
        gaps = bool(self._data.missing)
        most = LAST_SHARE if gaps else CHOICES_SHARE  # nothing comes after it with gaps
        left = None if at_once else self._budget.left(most * share)
        ended = self._budget.interrupted if at_once else self._findings.end() is not None
        if ended or (left is not None and each > left):
            return None
        summed = self._problem.most_together <= SUMMED and not gaps
        limits = {**self._limits(CHOICES), "time_limit": left}
        try:
            found = posterior(
                other,
                method="exact" if summed else "mcmc",
                chains=None if summed else CHAINS_EACH,
                rounds=None if summed else ROUNDS_WITH_GAPS if gaps else ROUNDS_EACH,
                cluster=self._executor,
                **limits,
            )
        except ParameterError:
            raise
        except DagscapeError:  # time was over before
            return None
        if found.stopped in FINAL:
            self._budget.end(found.stopped)
        return None if found.stopped else joined(found)
