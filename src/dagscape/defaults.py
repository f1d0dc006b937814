"""The score and prior that are taken where the user names none: one rule for all that learn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.data import as_data, check_data
from dagscape.scores import (
    BIC,
    CACHE_BYTES,
    BasisBIC,
    BDeu,
    BGe,
    Score,
    ScoreLike,
    as_score,
)
from dagscape.scores.priors import EdgePrior, PriorLike
from dagscape.selection import candidate_parents
from dagscape.speech import choice

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike

SIZES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Equivalent sample sizes to choose from."""
CUBIC_ROWS = 1000
"""From so many rows on, columns of numbers beside states are scored with their third powers."""
CHILDREN, PARENTS = 200, 1000
"""Columns that are looked at, and columns that their parents are looked for in."""


def default_score(data: TableLike, prior: PriorLike | None = None) -> Score:
    """Return the score, with its prior, that learning takes where the user names no score.

    BDeu and the edge prior with 2 neighbors. The equivalent sample size is that power of two from ½
    to 32 which makes the columns most probable, each given the one other column that says most
    about it by BIC, if any does. It is small where tables of the network are nearly deterministic,
    and larger where they are not; a size fixed for all tables is far off on one or the other.
    Tables with numbers have scores by their kinds of columns and the uniform prior: BGe on
    standardized columns; where there are states too, :class:`BasisBIC` of degree 2, from 1,000 rows
    on of degree 3. Tables with gaps have BIC. The pages "Which score and prior" and "Networks of
    numbers" in the documentation have the measurements.

    Parameters
    ----------
    prior
        Another prior, to go with the same score.

    Notes
    -----
    Columns with a single state are ignored. Of more than 200 others 200 are looked at,
    evenly spread over the names in order, and parents are looked for among 1,000.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> str(ds.default_score(data))
    'bdeu(ess=1), prior edges(neighbors=2)'
    """
    data = as_data(data, missing="keep")
    check_data(data, gaps=True)
    if data.numbers:
        return as_score(BGe(standardized=True) if BGe.takes(data) else _mixed(data), prior)
    if data.missing:
        return as_score(BIC(), prior)
    return as_score(BDeu(_likely_size(data)), EdgePrior() if prior is None else prior)


def _mixed(data: Data) -> BasisBIC:
    """Return the score of a table with numbers and states: curves as the rows allow."""
    return BasisBIC(degree=2 if data.n_rows < CUBIC_ROWS else 3)


def _likely_size(data: Data) -> float:
    """Return the equivalent sample size under which pairs of columns are most probable."""
    varied = sorted(name for name in data.names if data.arities[name] > 1)
    if not varied:
        return 1.0
    table = data.select(_spread(varied, PARENTS))
    pairs = candidate_parents(table, score="bic", max_parents=min(1, table.n_variables - 1))
    number = table.variables.number
    families = [
        (number(name), [number(parent) for parent in pairs[name][0][1]])
        for name in _spread(list(table.names), CHILDREN)
    ]

    def evidence(ess: float) -> float:
        on_data = _core.Scorer(BDeu(ess).function(table.table), CACHE_BYTES)
        return math.fsum(on_data.local(child, parents) for child, parents in families)

    return max(SIZES, key=evidence)


def _spread(names: list[str], most: int) -> list[str]:
    """Return so many of the names, evenly spread over them."""
    count = min(most, len(names))
    return [names[i * len(names) // count] for i in range(count)]


def score_for(data: Data, score: ScoreLike | None, prior: PriorLike | None) -> Score:
    """Return what the user's words mean for a table.

    A score without a prior has the uniform one, as published. A prior alone goes with the default
    score. With neither, both are chosen.
    """
    return default_score(data, prior) if score is None else as_score(score, prior)


def left_open(score: ScoreLike | None, prior: PriorLike | None) -> list[str]:
    """Return which of the two the user left to the rule."""
    return [] if score is not None else ["score"] if prior is not None else ["score", "prior"]


def why_chosen(asked: Mapping[str, Any]) -> str:
    """Return why a result has its score and prior; "" where the user named them."""
    chosen = asked.get("chosen")
    if not chosen:
        return ""
    what = f"{' and '.join(chosen)} chosen by default"
    score = str(asked.get("score", ""))
    if score == str(BIC()):
        return f"{what}, for a table with missing cells"
    if not score.startswith(BDeu.names[0]):
        return f"{what}, for the kinds of columns"
    return f"{what}; {choice('score', 'bic')} gives the score of the papers"
