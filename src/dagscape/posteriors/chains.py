"""The posterior of one table by chains of networks, where sums are out of reach."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.control.limits import TellShare
from dagscape.posteriors.exact_sums import SumsStoppedError, weigh
from dagscape.posteriors.pieces import Chain, ChainPool, Networks, Piece, merged

if TYPE_CHECKING:
    from dagscape.problem import Problem

CHAINS = 8
"""Chains on the data."""

ROUNDS = 4000
"""Rounds of a chain, in each of which every variable's parents are drawn about once."""

CHAINS_EACH = 2
ROUNDS_EACH = 1000
"""Chains on each resample, and their rounds: their errors cancel in the mean over many."""

FORGOTTEN = 0.2
"""The share of its rounds that a chain forgets, since they depend on its start."""

KEPT = 500
"""Networks that are kept of each chain."""

STARTS = ("optimum", "empty", "random", "optimum")
"""What chains begin with, one after another."""

BEGUN = tuple(number for number in range(CHAINS) if STARTS[number % len(STARTS)] == "optimum")
"""The chains whose optima are known to all: as many as are usual, whatever number is asked for, so
that more chains go on where fewer ended."""

MORE_OPTIMA = 4
"""Searches beyond these, where they end so far apart that chains need jumps."""

WEIGHING_SHARE = 0.1
"""The part of the work that weighing parent sets takes, to tell how far it is."""


Jump: TypeAlias = tuple[list[int], list[int]]
"""A block of variables, in the order of one optimum and in that of another."""


@dataclass(frozen=True)
class Lists:
    """Every parent set of a table with its weight, and the same as chains read them."""

    parents: _core.ParentLists
    chains: _core.ChainLists
    found: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """Optima by number and seed: several chains ask for the same."""

    def optimum(self, number: int, seed: int, budget: Budget) -> list[int]:
        """Return where a search from a random order ends, as places of parent sets."""
        if (number, seed) not in self.found:
            self._search(number, 1, seed, 1, budget)
        return self.found[number, seed]

    def jumps(self, seed: int, budget: Budget) -> list[Jump]:
        """Return what leads from one known optimum to another, the same for all chains."""
        optima = [self.optimum(number, seed, budget) for number in BEGUN]
        if not _core.known_jumps(self.chains, optima):
            return []
        more = range(CHAINS, CHAINS + MORE_OPTIMA)
        if any((number, seed) not in self.found for number in more):
            self._search(more.start, len(more), seed, budget.threads, budget)
        optima += [self.found[number, seed] for number in more]
        return _core.known_jumps(self.chains, optima)

    def _search(self, first: int, count: int, seed: int, threads: int, budget: Budget) -> None:
        """Find optima, each with a stream of its number."""
        options = _core.OrderSearchOptions(
            "random", True, count, 500, 0, seed, threads, False, first
        )
        ends, stopped = _core.order_restarts(
            self.parents, options, seconds=budget.left(least=MOMENT)
        )
        if stopped:
            raise SumsStoppedError(stopped)
        for number, (order, *_) in enumerate(ends, first):
            places = _core.chain_start(self.chains, "order", seed, number, order)
            self.found[number, seed] = places


@dataclass(frozen=True)
class ChainRun:
    """What all chains on a table have in common, beside the problem."""

    chains: int
    rounds: int

    @property
    def forgotten(self) -> int:
        """The rounds that a chain forgets."""
        return int(FORGOTTEN * self.rounds)


def read_lists(parents: _core.ParentLists, budget: Budget) -> Lists:
    """Make weighed parent sets ready for chains."""
    made, stopped = _core.chain_lists(
        parents, budget.threads, seconds=budget.left(least=MOMENT), max_bytes=budget.memory
    )
    if made is None:
        raise SumsStoppedError(stopped)
    return Lists(parents, made)


def start_of(lists: Lists, number: int, seed: int, budget: Budget) -> tuple[str, list[int]]:
    """Return where a chain begins: a word for it, and the places of parent sets."""
    kind = STARTS[number % len(STARTS)]
    if kind != "optimum":
        return kind, _core.chain_start(lists.chains, kind, seed, number)
    # Each from a random order of its own, so that they end in different optima if there are any.
    return kind, lists.optimum(number, seed, budget)


class ChainResults(NamedTuple):
    """The results of some chains."""

    pieces: list[Piece]
    whole: list[bool]
    """Which of them did all their rounds."""
    stopped: str


def run_chains(
    lists: Lists,
    run: ChainRun,
    numbers: Sequence[int],
    budget: Budget,
    tell: TellShare | None = None,
    stream: int = 0,
    jumps: Sequence[Jump] = (),
) -> ChainResults:
    """Run chains by their numbers, in what time there is.

    Parameters
    ----------
    stream
        Tells the chains of one table from those of another.
    jumps
        Those of the table, for each of its chains.
    """
    streams = [(stream << 32) + number for number in numbers]
    starts = [start_of(lists, n, budget.seed ^ (stream << 20), budget) for n in numbers]
    left = budget.left(least=MOMENT)
    # Chains that come later must have their time too.
    waiting = max(len(numbers), run.chains - min(numbers, default=0))
    found, stopped = _core.run_chains(
        lists.chains,
        [places for _, places in starts],
        streams,
        run.rounds,
        run.forgotten,
        KEPT,
        budget.seed,
        budget.threads,
        seconds=left,
        seconds_each=None if left is None else left / -(-waiting // budget.threads),
        progress=tell,
        jumps=jumps,
    )
    pieces, whole = [], []
    for number, (kind, _), facts in zip(numbers, starts, found, strict=True):
        if facts is not None:
            pieces.append(_piece(lists, number, kind, facts))
            whole.append(bool(facts["whole"]))
    if not all(whole) and not stopped:
        stopped = "time"
    return ChainResults(pieces, whole, stopped)


def _piece(lists: Lists, number: int, kind: str, facts: dict[str, Any]) -> Piece:
    codes = _core.network_codes(lists.parents, facts["kept"])
    return Piece(
        number=number,
        log_total=None,
        dropped=0.0,
        arcs=facts["arcs"],
        ancestors=facts["ancestors"],
        networks=Networks.from_draws(lists.parents.variables, codes),
        rounding=0.0,
        components=(),
        chain=Chain(
            kind,
            facts["rounds"],
            facts["start_log_weight"],
            facts["best_log_weight"],
            jumps_tried=facts["jumps_tried"],
            jumps_taken=facts["jumps_taken"],
        ),
    )


def pool(pieces: Sequence[Piece], number: int) -> Piece:
    """Return several chains on one table as one piece, the mean over them."""
    arcs = [piece.arcs for piece in pieces]
    apart = float((np.max(arcs, axis=0) - np.min(arcs, axis=0)).max(initial=0))
    return Piece(
        number=number,
        log_total=None,
        dropped=0.0,
        arcs=np.mean(arcs, axis=0),
        ancestors=np.mean([piece.ancestors for piece in pieces], axis=0),
        networks=merged([piece.networks for piece in pieces if piece.networks is not None]),
        rounding=0.0,
        components=(),
        pooled=ChainPool(len(pieces), min(1.0, apart)),
    )


class KeptLists:
    """The lists of the table at hand: else every batch of chains on it would weigh its sets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: str | None = None
        self._lists: Lists | None = None

    def get(self, problem: Problem, budget: Budget, tell: TellShare | None) -> Lists:
        """Return them; make them if they are not there."""
        with self._lock:
            if self._lists is None or self._key != problem.mark:
                self._lists = None
                on_data = problem.scorer_within(budget.memory)
                parents = weigh(on_data, problem.constraints(), budget, tell)
                self._lists = read_lists(parents, budget)
                self._key = problem.mark
            return self._lists

    def put(self, problem: Problem, lists: Lists) -> None:
        """Keep what has been made."""
        with self._lock:
            self._key, self._lists = problem.mark, lists

    def forget(self) -> None:
        """Give their memory back."""
        with self._lock:
            self._key = self._lists = None


kept_lists = KeptLists()
"""Of this process."""


class Batch(NamedTuple):
    """A chain, or a resample, as it comes back from wherever it ran."""

    piece: Piece
    whole: bool
    """Whether it is what the seed gives: chains that time cut short are not."""


def chain_batch(
    problem: Problem, run: ChainRun, batch: Sequence[int], budget: Budget
) -> tuple[list[Batch], str]:
    """Run some of the chains on a table."""
    tell = budget.telling("chains of networks")
    first = tell and (lambda share: tell(WEIGHING_SHARE * share))
    then = tell and (lambda share: tell(WEIGHING_SHARE + (1 - WEIGHING_SHARE) * share))
    try:
        lists = kept_lists.get(problem, budget, first)
        ran = run_chains(lists, run, batch, budget, then, jumps=lists.jumps(budget.seed, budget))
    except SumsStoppedError as stopped:
        return [], stopped.reason
    return [Batch(*each) for each in zip(ran.pieces, ran.whole, strict=True)], ran.stopped
