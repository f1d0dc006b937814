"""What would mend misfits: arcs, a split by a column, a logarithm, a cause outside the table.

A change is named only if the network with it, fitted anew, makes rows that are nearer to the table
by half of the difference at least. One fault makes many misfits, so the change that mends most of
them is taken first, and the others are asked of what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dagscape.errors import DagscapeError
from dagscape.graphs import Dag
from dagscape.networks import Network
from dagscape.networks.fit import fit_nodes
from dagscape.scoring import local_score
from dagscape.words import counted, difference, listed

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.misfits.row_groups import Counting
    from dagscape.networks.nodes import Node
    from dagscape.problem import Problem

Arc = tuple[str, str]

HALF = 0.5
"""The share of the difference that must be gone."""
ROWS = 20_000
"""Rows drawn from a network that may be better."""
MOST_STATES = 50
"""States of a variable that may get numbers for parents."""
MOST, ASKED = 3, 5
"""Changes that are named at most, and misfits that each is looked for among."""

ARCS, SPLIT, LOGARITHM, HIDDEN = "arcs", "split", "logarithm", "hidden cause"


@dataclass(frozen=True)
class Mend:
    """What would bring a network's rows near to those of the table; ``str`` of it says what."""

    kind: str
    """"arcs"; "split" (an arc from a column by whose states a relation differs); "logarithm" of a
    column; "hidden cause", where no arc may join columns that belong together."""
    columns: tuple[str, ...]
    """Those that it is about; of a split, by which, and then what is split."""
    misfits: int
    """How many it mends; of a hidden cause, how many it could."""
    arcs: tuple[Arc, ...] = ()
    """What is added."""
    gain: float | None = None
    """By how much the score is higher with these arcs; it may not pay for them."""

    def __str__(self) -> str:
        many = counted(self.misfits, "misfit")
        if self.kind == HIDDEN:
            return (
                f"no arc that may be there joins {listed(self.columns)}; a common cause outside "
                f"the table could mend {many}"
            )
        if self.kind == LOGARITHM:
            return f"the logarithm of {self.columns[0]} mends {many}"
        arcs = listed([f"{a} -> {b}" for a, b in self.arcs])
        gain = self.gain or 0.0
        pays = f"the score {'gains' if gain >= 0 else 'loses'} {difference(abs(gain))}"
        if self.kind == SPLIT:
            by, *split = self.columns
            return f"a split of {listed(split)} by {by} ({arcs}) mends {many}; {pays}"
        mend = "mends" if len(self.arcs) == 1 else "mend"
        return f"{arcs} {mend} {many}; {pays}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**asdict(self), "words": str(self)}


class Odd(NamedTuple):
    """Rows of which a network makes too many or too few."""

    size: int
    """Of how many columns it is told."""
    at: int
    """The place of the set of columns among those of this size."""
    cell: tuple[int, ...]
    table: float
    network: float
    weight: float
    """How much they matter."""


@dataclass(frozen=True)
class _Change:
    """A change of a network, and what it leads to."""

    kind: str
    columns: tuple[str, ...]
    dag: Dag
    arcs: tuple[Arc, ...] = ()
    gain: float | None = None

    def told(self, misfits: int) -> Mend:
        return Mend(self.kind, self.columns, misfits, self.arcs, self.gain)


class Mending:
    """Looks for what mends the misfits of one network."""

    def __init__(self, problem: Problem, counting: Mapping[int, Counting]) -> None:
        self._problem = problem
        self._data = problem.data
        self._allowed = problem.constraints()
        self._counting = counting
        self._nodes: dict[tuple[str, tuple[str, ...], frozenset[str]], Node] = {}

    def mends(self, dag: Dag, odd: Sequence[Odd]) -> dict[int, Mend]:
        """Return for misfits by their places, the worst first, what mends them."""
        left = list(range(len(odd)))
        found: dict[int, Mend] = {}
        for _ in range(MOST):
            asked = (c for at in left[:ASKED] for c in self._changes(dag, odd[at]))
            best, mended, most = None, [], (0.0, 0.0)
            for change in dict.fromkeys(asked):
                fine = self._mended(change, [odd[at] for at in left])
                own = [at for at, mends in zip(left, fine, strict=True) if mends]
                worth = sum(odd[at].weight for at in own), change.gain or 0.0
                if own and worth > most:
                    best, mended, most = change, own, worth
            if best is None:
                break
            found |= dict.fromkeys(mended, best.told(len(mended)))
            left = [at for at in left if at not in found]
            dag = best.dag
        return found | self._hidden(dag, odd, left)

    def _changes(self, dag: Dag, odd: Odd) -> Iterator[_Change]:
        """Yield changes that may mend a misfit."""
        columns = self._counting[odd.size].sets[odd.at]
        if odd.size == 1:
            values = self._data.numbers.get(columns[0])
            if values is not None and values.min() > 0:
                yield _Change(LOGARITHM, columns, dag)
            return
        for child in columns:
            new = self._new_parents(dag, child, [x for x in columns if x != child])
            if not new:
                continue
            arcs = tuple((x, child) for x in new)
            more = Dag(dag.names, [*dag.arcs, *arcs])
            if self._is_long(more, child):
                continue
            gain = self._gain(dag.parents(child), child, new)
            by = new[0]
            if odd.size == 3 and len(new) == 1 and by not in self._data.numbers:
                split = tuple(x for x in columns if x != by)
                yield _Change(SPLIT, (by, *split), more, arcs, gain)
            else:
                yield _Change(ARCS, columns, more, arcs, gain)

    def _new_parents(self, dag: Dag, child: str, wanted: Sequence[str]) -> list[str]:
        """Return which of some columns are to become parents; none if one of them may not."""
        number, has = self._problem.variables.number, dag.parents(child)
        new = [x for x in wanted if x not in has]
        below = dag.descendants(child)
        legal = all(self._allowed.has(number(child), number(x)) and x not in below for x in new)
        fit_in = len(has) + len(new) <= self._allowed.max_parents(number(child))
        return new if legal and fit_in else []

    def _is_long(self, dag: Dag, child: str) -> bool:
        """Tell whether a variable of many states has numbers for parents: it is slow to fit."""
        numbers = any(x in self._data.numbers for x in dag.parents(child))
        return numbers and self._data.arities[child] > MOST_STATES

    def _gain(self, has: Sequence[str], child: str, new: Sequence[str]) -> float:
        score = self._problem.score
        more = local_score(self._data, child, [*has, *new], score=score)
        return more - local_score(self._data, child, has, score=score)

    def _mended(self, change: _Change, odd: Sequence[Odd]) -> list[bool]:
        """Tell which misfits are gone once the network is fitted anew."""
        logarithms = change.columns if change.kind == LOGARITHM else ()
        logs = {x: np.log(self._data.numbers[x]) for x in logarithms}
        try:
            drawn = self._fitted(change.dag, logs).sample(ROWS, seed=0)
        except DagscapeError:  # it cannot be fitted
            return [False] * len(odd)
        back = {x: np.exp(np.minimum(drawn.numbers[x], 700.0)) for x in logarithms}
        drawn = _but(drawn, back)
        then = [self._counting[each.size].rows_in(drawn, each.at, each.cell).mean() for each in odd]
        return [
            bool(abs(share - each.table) <= HALF * abs(each.network - each.table))
            for share, each in zip(then, odd, strict=True)
        ]

    def _fitted(self, dag: Dag, logs: Mapping[str, NDArray[np.float64]]) -> Network:
        """Fit a network; each family is fitted once, whatever networks have it."""
        keys = {
            x: (x, dag.parents(x), frozenset(logs.keys() & {x, *dag.parents(x)})) for x in dag.names
        }
        new = [x for x, key in keys.items() if key not in self._nodes]
        for x, node in fit_nodes(dag, _but(self._data, logs), new).items():
            self._nodes[keys[x]] = node
        nodes = {x: self._nodes[key] for x, key in keys.items()}
        return Network(dag, {x: self._data.states[x] for x in dag.names}, nodes)

    def _hidden(self, dag: Dag, odd: Sequence[Odd], left: Sequence[int]) -> dict[int, Mend]:
        """Return, for pairs that no arc may join, that a common cause may be missing.

        Pairs that share a column share the cause.
        """
        apart = {
            at: {*self._counting[2].sets[odd[at].at]}
            for at in left
            if odd[at].size == 2 and self._kept_apart(dag, self._counting[2].sets[odd[at].at])
        }
        groups: list[set[str]] = []
        for pair in apart.values():
            joined = [group for group in groups if group & pair]
            groups = [group for group in groups if not group & pair]
            groups.append(pair.union(*joined))
        found: dict[int, Mend] = {}
        for group in groups:
            own = [at for at, pair in apart.items() if pair <= group]
            mend = Mend(HIDDEN, tuple(sorted(group)), len(own))
            found |= dict.fromkeys(own, mend)
        return found

    def _kept_apart(self, dag: Dag, pair: Sequence[str]) -> bool:
        """Tell whether knowledge forbids both arcs between two columns."""
        a, b = map(self._problem.variables.number, pair)
        joined = pair[0] in dag.neighbors(pair[1])
        return not (joined or self._allowed.has(a, b) or self._allowed.has(b, a))


def _but(data: Data, others: Mapping[str, NDArray[np.float64]]) -> Data:
    """Return a table with other values in some columns."""
    if not others:
        return data
    columns = {x: others.get(x, data.column(x)) for x in data.names}
    return type(data).from_columns(columns, data.states)
