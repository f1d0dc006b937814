"""What experiments act on: contexts as free ancestors, with a posterior of their own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.control.limits import use_count
from dagscape.data import check_data
from dagscape.errors import DataError, ParameterError
from dagscape.landscape import as_frame
from dagscape.posteriors.make_posterior import posterior
from dagscape.scores.contexts import (
    ContextFamilies,
    ScoreWithContexts,
    comparable,
    sets_of_contexts,
)
from dagscape.shared_arguments import ForSearch, begin, takes
from dagscape.speech import choice, setting
from dagscape.variables import check_name
from dagscape.words import first_of

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.posteriors.posterior import Posterior

MOST_SCORES = 3_000_000
"""Scores of parts of the rows that are worth the wait: about ten seconds."""
MOST_PARENTS, CONTEXTS = 3, 3
NETWORKS = 1000
"""Networks that are drawn, to weigh parents by."""
UNSEEN, SEEN = 0.5, 0.95
"""A stated target below the first is told of, and others from the second on."""
NAMED = 6


@dataclass(frozen=True, repr=False)
class Touched:
    """How probable it is that each experiment acts on each variable; see :func:`touched`."""

    shares: Mapping[str, Mapping[str, float]]
    """By experiment and variable: P(experiment -> variable)."""
    stated: Mapping[str, tuple[str, ...]]
    """What each is said to set; empty where nothing is said."""
    reference: str
    """The experiment that the others are compared with."""
    posterior: Posterior
    """Networks of the variables, weighed with what contexts tell."""

    def features(self, *, frame: str = "polars") -> Any:
        """Return a row for each experiment and variable: probability, and whether it is stated."""
        rows = [
            (label, x, share, x in self.stated[label])
            for label, each in self.shares.items()
            for x, share in each.items()
        ]
        names = ("experiment", "variable", "probability", "stated")
        columns = zip(*rows, strict=True)
        return as_frame(
            {name: pl.Series(list(cells)) for name, cells in zip(names, columns, strict=True)},
            frame,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences: stated targets that the rows do not show, and others that were hit."""
        found = []
        for label, each in self.shares.items():
            stated = self.stated[label]
            unseen = [f"{x} {each[x]:.2f}" for x in stated if each[x] < UNSEEN]
            if unseen:
                found.append(
                    f"{label} is said to set {first_of(unseen, NAMED)}, which behaves there as it "
                    "does elsewhere: unless it has no causes and was set as often to each state, "
                    "was it set, and does the column hold what others saw of it?"
                )
            hit = sorted((-share, x) for x, share in each.items() if share >= SEEN)
            others = [f"{x} {-share:.2f}" for share, x in hit if x not in stated]
            if stated and others:
                found.append(
                    f"{label} seems to act on more than {first_of([*stated], NAMED)}: "
                    f"{first_of(others, NAMED)}; learning takes its rows as if nothing else had "
                    "changed"
                )
        return tuple(found)

    @property
    def told(self) -> tuple[str, ...]:
        """The warnings in one sentence of each kind."""
        unseen, others = [], []
        for label, each in self.shares.items():
            stated = self.stated[label]
            unseen += [f"{x} by {label} ({each[x]:.2f})" for x in stated if each[x] < UNSEEN]
            more = [x for x, share in each.items() if share >= SEEN and x not in stated]
            if stated and more:
                others.append(f"{label} on {first_of(more, 3)}")
        sentences = []
        if unseen:
            named = first_of(unseen, NAMED)
            sentences.append(
                f"the rows do not show that these were set, or they have no causes: {named}"
            )
        if others:
            acts = "; ".join(others[:NAMED])
            sentences.append(f"experiments seem to act on more than is said: {acts}")
        return tuple(sentences)

    def __repr__(self) -> str:
        lines = [f"compared with {self.reference}, experiments act on"]
        for label, each in self.shares.items():
            order = sorted((-share, x) for x, share in each.items() if share >= UNSEEN)
            named = [f"{x}{'*' * (x in self.stated[label])} {-share:.2f}" for share, x in order]
            lines.append(f"  {label}: {first_of(named, NAMED) if named else 'nothing'}")
        if any(self.stated.values()):
            lines.append("* as stated")
        return "\n".join(lines)


@takes(ForSearch)
def touched(
    data: Data,
    *,
    contexts: int = CONTEXTS,
    reference: str | None = None,
    **shared: Unpack[ForSearch],
) -> Touched:
    """Tell which variables each experiment acts on, whatever it is said to set.

    Each experiment is a context: it may give any variable parameters of its own in its rows. How
    probable that is, and which networks are, is averaged over all networks and all sets of up to
    `contexts` experiments for each variable.

    Parameters
    ----------
    data
        A table with ``interventions=``; or with ``groups=``, where nobody knows what was done in
        each of them.
    contexts
        The most experiments that act on one variable, beside its parents and not among them.
    reference
        The experiment that the others are compared with: rows in which nothing was set, if there
        are such, else that with most rows.
    max_parents
        The most parents of a variable: 3, or fewer where scoring would take long.

    Returns
    -------
    Touched
        P(experiment -> variable), warnings where a stated target does not show or others do, and
        the posterior.

    Notes
    -----
    A variable is acted on directly if its probabilities given its parents differ; what follows from
    that further down is not counted, as far as the rows tell. Large tables show every small
    difference, so an experiment with a batch or a day of its own acts on nearly everything. The
    prior takes each number of contexts for as probable. Families are scored by :class:`FNML` where
    no score is given, or one that is fitted to what it scores, such as the default elsewhere: a fit
    to each part of the rows makes parts look more different than they are
    (``reproduce/experiments.py --contexts``). Do not use it where experiments are few
    rows each: what is not seen is then called unlikely by the prior alone.

    Examples
    --------
    >>> import dagscape as ds
    >>> from dagscape.posteriors import touched
    >>> table = {"a": [0, 1] * 60 + [1] * 60, "b": [0, 0, 1, 1] * 45}
    >>> table["what"] = [""] * 120 + ["a"] * 60
    >>> data = ds.Data(table, interventions=ds.Interventions(column="what"))
    >>> touched(data).shares["a"]["a"] > 0.95
    True
    """
    check_data(data, rows=("interventions", "groups"))
    if data.numbers:
        x = next(iter(data.numbers))
        raise DataError(
            f'column "{x}" holds numbers, and what experiments act on is told of states, since '
            "scores of numbers scale them within each part of the rows; cut the column: "
            f"{choice('discretize', {x: ('quantile', 3)})}"
        )
    labels, codes, stated = _experiments(data)
    if reference is not None:
        check_name("reference", reference, labels)
    first = _reference(labels, codes, stated, data) if reference is None else reference
    order = [labels.index(first), *(at for at, label in enumerate(labels) if label != first)]
    place = np.argsort(order)
    most = min(use_count("contexts", contexts, 1), len(labels) - 1)
    plain = data.untouched.pooled
    problem, _ = begin(plain, shared)
    limit = _parents(plain, len(labels), most, shared["max_parents"])
    if scores_of(plain, len(labels), most, limit) > MOST_SCORES:
        raise ParameterError(
            f"{plain.n_variables:,} variables with up to {limit:,} parents and {most:,} contexts "
            f"of {len(labels) - 1:,} would take too many scores; choose a smaller max_parents, "
            "fewer contexts, or some of the columns"
        )
    own = comparable(problem.score.base, plain)
    score = ScoreWithContexts(own, place[codes].astype(np.int64).tobytes(), most)
    asked: dict[str, Any] = {**shared, "score": score, "prior": problem.score.prior}
    found = posterior(plain, **{**asked, "max_parents": limit})
    shares = _shares(found, ContextFamilies(score, plain), plain)
    names = [labels[at] for at in order[1:]]
    return Touched(
        {name: shares[code] for code, name in enumerate(names, start=1)},
        {name: stated[labels.index(name)] for name in names},
        first,
        found,
    )


def _experiments(data: Data) -> tuple[list[str], NDArray[np.intp], list[tuple[str, ...]]]:
    """Return the experiments by name, that of each row, and what each is said to set."""
    done, groups = data.rows.interventions, data.rows.groups
    if done is not None and groups is not None:
        raise DataError(
            f"{setting('interventions')} and {setting('groups')} both say where rows come from; "
            "make the table with one of them"
        )
    if done is not None:
        labels, codes = [*done.names], done.codes
        stated = [tuple(each) for each in done.targets]
    elif groups is not None:
        labels, codes, stated = list(groups.labels), groups.codes, [()] * len(groups.labels)
    else:
        raise DataError(
            "the table says of no row where it comes from; name the column: "
            f"{setting('interventions')}, or {setting('groups')} where nobody knows what was set"
        )
    if len(labels) < 2:
        raise DataError("all rows come from one experiment, and there is none to compare it with")
    return labels, codes, stated


def _reference(
    labels: list[str], codes: NDArray[np.intp], stated: list[tuple[str, ...]], data: Data
) -> str:
    """Return what others are compared with: rows in which nothing was set, else the most."""
    free = [at for at, targets in enumerate(stated) if not targets]
    if data.rows.interventions is None or not free:
        free = [*range(len(labels))]
    sizes = np.bincount(codes, minlength=len(labels))
    return labels[max(free, key=lambda at: (sizes[at], -at))]


def scores_of(data: Data, experiments: int, most: int, parents: int) -> int:
    """Return how many scores of parts of the rows it takes."""
    families = sum(math.comb(data.n_variables - 1, size) for size in range(parents + 1))
    each = len(sets_of_contexts(experiments, most)) + experiments
    return data.n_variables * families * each


def _parents(data: Data, experiments: int, most: int, asked: int | None) -> int:
    """Return the most parents: what was asked for, else what does not take long."""
    limit = min(MOST_PARENTS if asked is None else asked, data.n_variables - 1)
    while asked is None and limit > 1 and scores_of(data, experiments, most, limit) > MOST_SCORES:
        limit -= 1
    return limit


def _shares(found: Posterior, families: ContextFamilies, data: Data) -> dict[int, dict[str, float]]:
    """Return how probable each context is for each variable, over the networks."""
    drawn, number = found.sample(NETWORKS), data.variables.number
    experiments = sorted({code for each in families.sets for code in each})
    shares = {code: dict.fromkeys(data.names, 0.0) for code in experiments}
    for x in data.names:
        for parents, times in Counter(dag.parents(x) for dag in drawn).items():
            known = sorted(number(name) for name in parents)
            for contexts, share in families.shares(number(x), known):
                for code in contexts:
                    shares[code][x] += share * times / len(drawn)
    return {
        code: {x: min(1.0, share) for x, share in each.items()} for code, each in shares.items()
    }
