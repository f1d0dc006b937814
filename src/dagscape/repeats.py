"""Whether rows repeat in a way that independent rows do not.

Rows of few states repeat, and rows of a network that ties its variables to each other repeat more
often still: an honest sample of ASIA has 24 different rows among 300, where shuffled columns have
40. So repetition as such says nothing, and three things are asked.

- How many rows there are once, twice, three times, and so on. Each of independent rows has its own
  chance, so these numbers are a mixture of Poisson distributions, whatever the rows come from; and
  no mixture has many rows that are there ten times, and none nine or eleven times.
- How many different rows a network that was learned from them would give. It has learned from
  copies too, and real tables are richer than any network: only half as many tell.
- How many rows have a twin that the network, were it wrong by a factor of a thousand, would not
  give one. That is how copies of rows of numbers are found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dagscape.chance import Shuffles
from dagscape.data import looked_over
from dagscape.data.shared_rows import varying_least
from dagscape.defaults import score_for
from dagscape.errors import DagscapeError
from dagscape.networks import Network, fit
from dagscape.notes import DEPENDENT, Note
from dagscape.search import hill_climb

if TYPE_CHECKING:
    from dagscape.data import Data

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FITTED, DRAWN, MOST_COLUMNS = 5_000, 2_000, 64
"""Rows that a network is learned from, rows that are drawn from it, and its columns, at most."""
LEAST_ROWS = 20

LEAST_ALIKE, MOST_TIMES = 5, 20
"""Rows that must be there equally often to be looked at, and how many such numbers are."""
EVIDENCE, EVIDENCE_EACH = 15.0, 0.02
"""Nats by which no mixture fits, in all and for each different row: chance gives the first to one
table in a million, and what the search for the best mixture leaves is less than the second."""

LEAST_DIFFERENT, LN_RELATED = 10, math.log(1e-3)
"""Where only some columns are looked at: rows that must be different, and how rarely chance may
relate two of the columns as strongly."""

DEVIATIONS, LEAST_SHARE = 5.0, 0.5
"""Different rows are too few from so many standard deviations below what the network gives on, and
below this share of it."""

ONE_NETWORK = {"survey_weights"}
"""What may be said of rows that one network gives: those of groups and of experiments come from
several."""
RARE, TWINS = 1e-3, 0.2
"""Of rows that the network would repeat less often than this, so many have a twin; and of all."""
ATOM, ATOM_RATIO = 0.02, 5.0
"""A number that so many rows have, and as many times more than most numbers, is one of a kind: a
zero, or a limit of detection. The network knows nothing of these, and such rows are left out."""


@dataclass(frozen=True)
class Repeats:
    """How often rows repeat, and what tells that they are not independent."""

    rows: int
    distinct: int
    """Rows that are different."""
    expected: int = 0
    """As many would be different if they were independent, by the network."""
    times: int = 0
    """How often rows are there that are there equally often, where that tells; else 0."""
    alike: int = 0
    """The rows that are there as often."""
    columns: tuple[str, ...] = ()
    """Where that is so of some columns only, these."""


def repeats(data: Data) -> Repeats | None:
    """Return how rows repeat as independent ones would not; None where nothing shows it.

    The work hardly grows with the number of rows: they are counted, and the rest is done on some.
    Rows with gaps are left out.
    """
    names = data.variables.in_engine_order()
    step = -(-len(names) // MOST_COLUMNS)
    if step > 1:
        data = data.select(names[::step])
    if data.missing:
        whole = np.flatnonzero(_whole(data))
        if len(whole) < LEAST_ROWS:
            return None
        data = data.take(whole)
    if data.n_rows < LEAST_ROWS:
        return None
    marks = _marks(data)
    counts, twins = np.unique(marks, return_inverse=True, return_counts=True)[1:][::-1]
    if len(counts) < data.n_rows:
        if (found := _too_even(counts)) is not None:
            return Repeats(data.n_rows, len(counts), times=found[0], alike=found[1])
        if (seen := _against_network(data, counts, (counts > 1)[twins.reshape(-1)])) is not None:
            return seen
    for columns in varying_least(data):
        some = np.unique(_marks(data.select(columns)), return_counts=True)[1]
        if len(some) < LEAST_DIFFERENT:
            break
        if (found := _too_even(some)) is not None and _related(data, columns):
            return Repeats(data.n_rows, len(some), times=found[0], alike=found[1], columns=columns)
    return None


def _related(data: Data, columns: tuple[str, ...]) -> bool:
    """Tell whether some of these look related, as columns of an experiment laid out evenly do not.

    If rows repeat and no two look related, that does no harm.
    """
    shuffles, pairs = Shuffles(data), list(combinations(columns, 2))
    return min(shuffles.alone(*pair) for pair in pairs) < LN_RELATED - math.log(len(pairs))


def with_repeats(data: Data) -> Data:
    """Return the table with a note on rows that repeat as independent rows do not, if they do.

    Not where the user has said what rows are, or how often they occur, nor where it is known that
    they depend on each other.
    """
    if data._looked_for_repeats:
        return data
    looked = data._noting([note]) if (note := _note_on_repeats(data)) is not None else data
    looked._looked_for_repeats = True
    return looked


def _note_on_repeats(data: Data) -> Note | None:
    """Return the note, if there is one."""
    rows = data.rows
    said = rows.weights is not None or rows.clusters is not None
    known = said or any(note.kind in DEPENDENT for note in data.notes)
    if known or data.rows_independent is not None or (found := repeats(data)) is None:
        return None
    counts = {"rows": found.rows, "distinct": found.distinct}
    if found.times:
        counts |= {"times": found.times, "alike": found.alike}
        return Note("rows_copied", counts=counts, examples=found.columns)
    return Note("rows_repeat", counts=counts | {"expected": found.expected})


def with_closer_look(data: Data) -> Data:
    """Return the table with notes on all that a closer look finds."""
    return with_repeats(looked_over(data))


def rows_seem_independent(data: Data) -> bool:
    """Tell whether rows are independent, as far as the user says, or the table tells."""
    return not any(note.kind in DEPENDENT for note in with_closer_look(data).notes)


# How many rows are there how often.


def _too_even(counts: Ints) -> tuple[int, int] | None:
    """Return a number of times that too many rows occur, and how many rows occur so often."""
    times, alike = np.unique(counts, return_counts=True)
    looked_at = [at for at in np.argsort(-alike, kind="stable")[:MOST_TIMES] if times[at] > 1]
    rows = dict(zip(times.tolist(), alike.tolist(), strict=True))
    for at in looked_at:
        t, many = int(times[at]), int(alike[at])
        if many < LEAST_ALIKE:
            break
        near = np.array([rows.get(t - 1, 0), many, rows.get(t + 1, 0)], dtype=np.float64)
        misfit = _misfit(t, np.append(near, len(counts) - near.sum()))
        if misfit > max(EVIDENCE, EVIDENCE_EACH * len(counts)):
            return t, many
    return None


def _misfit(times: int, rows: Floats) -> float:
    """Return how much less probable rows are by any mixture than by their own shares, in nats.

    Parameters
    ----------
    rows
        How many are there one time less than `times`, as often, one time more, or otherwise.
    """
    means = np.concatenate(
        [np.geomspace(0.01, 3 * times + 10, 60), np.linspace(0.5, 1.5, 41) * times]
    )
    at = np.arange(times - 1, times + 2)
    logs = at[:, None] * np.log(means) - means - np.array([math.lgamma(k + 1) for k in at])[:, None]
    chances = np.exp(logs) / -np.expm1(-means)  # of those that are there at all
    chances = np.vstack([chances, np.maximum(0.0, 1 - chances.sum(axis=0))])
    weights = np.full(len(means), 1 / len(means))
    shares = rows / rows.sum()
    for _ in range(500):  # the best mixture, by EM
        mixed = np.maximum(chances @ weights, 1e-300)
        weights *= chances.T @ (shares / mixed)
    mixed = np.maximum(chances @ weights, 1e-300)
    there = rows > 0
    return float((rows[there] * np.log(shares[there] / mixed[there])).sum())


# What a network would give.


def _against_network(data: Data, counts: Ints, twin: NDArray[np.bool_]) -> Repeats | None:
    n, distinct = data.n_rows, len(counts)
    if twin.mean() < TWINS or not {*data.rows.facts} <= ONE_NETWORK:
        return None
    data = data.plain
    some = data if n <= FITTED else data.take(_spread(n, FITTED))
    try:
        score = score_for(some, None, None) if some.numbers else "bic"
        network = fit(hill_climb(some, score=score, restarts=0).dag, some)
    except DagscapeError:  # such a network cannot be fitted, and nothing is known
        return None
    if data.numbers:
        places, chances = _chances_of_numbers(data, network)
        expected, spread = float(n), 1.0
    else:
        drawn = network.sample(DRAWN, seed=0)
        expected, spread = _different(n, _chances(network, drawn))
        places = _spread(n, DRAWN)
        chances = _chances(network, data.take(places))
        if distinct < min(LEAST_SHARE * expected, expected - DEVIATIONS * spread):
            return Repeats(n, distinct, round(expected))
    rare = twin[places][n * chances <= RARE]
    if len(rare) >= LEAST_ROWS and rare.mean() >= TWINS:
        return Repeats(n, distinct, round(expected))
    return None


def _chances(network: Network, data: Data) -> Floats:
    logs = network.log_densities(data)
    return np.asarray(np.exp(sum(logs[name] for name in network.names)))


def _chances_of_numbers(data: Data, network: Network) -> tuple[NDArray[np.intp], Floats]:
    """Return some rows, and the chance of each.

    A number as exact as it is written has the chance of its interval, and at least that of its
    share of the rows.
    """
    n = data.n_rows
    usual = np.ones(n, dtype=bool)
    least: dict[str, Floats] = {}
    steps: dict[str, float] = {}
    for name, values in data.numbers.items():
        found, place, counts = np.unique(values, return_inverse=True, return_counts=True)
        atoms = (counts > ATOM * n) & (counts > ATOM_RATIO * np.median(counts))
        usual &= ~atoms[place.reshape(-1)]
        least[name] = np.log(counts[place.reshape(-1)] / n)
        steps[name] = float(np.median(np.diff(found))) if len(found) > 1 else 1.0
    places = np.flatnonzero(usual)
    places = places[_spread(len(places), DRAWN)]
    total = np.zeros(len(places))
    if not len(places):
        return places, total
    for name, logs in network.log_densities(data.take(places)).items():
        if name in least:
            logs = np.maximum(logs + math.log(steps[name]), least[name][places])
        total += np.minimum(logs, 0.0)
    return places, np.exp(total)


def _different(n: int, chances: Floats) -> tuple[float, float]:
    """Return how many of n rows are different, and the standard deviation, by chances of some."""
    chances = np.maximum(chances, 1e-15)
    unseen = np.exp(-n * chances)
    seen = np.minimum(1.0, -np.expm1(-n * chances) / (n * chances))
    # The variance of an occupancy (Johnson and Kotz 1977), and the error of the mean.
    variance = float((unseen * (1 - unseen) / (n * chances)).mean()) - float(unseen.mean()) ** 2
    error = n * float(seen.std()) / math.sqrt(len(chances))
    return n * float(seen.mean()), math.sqrt(max(0.0, n * variance) + error**2 + 1)


# Rows.


def _marks(data: Data) -> NDArray[np.uint64]:
    """Return 64 bits for each row, which are mixed from its cells."""
    marks = np.zeros(data.n_rows, dtype=np.uint64)
    for name in data.variables.in_engine_order():
        column = data.column(name)
        cells = (column + 0.0).view(np.uint64) if name in data.numbers else column
        marks ^= cells.astype(np.uint64)
        marks *= np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(29)
    return marks


def _whole(data: Data) -> NDArray[np.bool_]:
    whole = np.ones(data.n_rows, dtype=bool)
    for name, arity in data.arities.items():
        if name not in data.numbers:
            whole &= data.column(name) != arity
    return whole


def _spread(n: int, most: int) -> NDArray[np.intp]:
    """Return at most so many places, evenly spread."""
    return np.unique(np.linspace(0, max(0, n - 1), min(n, most)).astype(np.intp))
