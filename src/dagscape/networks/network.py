"""A Bayesian network: a DAG, the states of its variables and one table for each."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dagscape.data import Data, TableLike, as_data, check_data
from dagscape.errors import DataError, GraphError, ParameterError
from dagscape.graphs import Dag, Mpdag
from dagscape.networks.answers import Answers
from dagscape.networks.tables import Table, checked_table, refuse_huge
from dagscape.variables import suggest

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from dagscape.graphs import Dag

LARGEST_MARGINAL = 1e9
"""Bytes that a marginal may take."""


def check_dag(dag: object) -> None:
    """Refuse what is not a Dag, with what to do about it."""
    if isinstance(dag, Mpdag):
        kind = type(dag).__name__
        raise GraphError(f"a network needs a Dag, got a {kind}; choose a member with .to_dag()")
    if not isinstance(dag, Dag):
        raise GraphError(
            f"a network needs a Dag, got {type(dag).__name__}; make one with ds.Dag(names, arcs) "
            "or ds.Dag.from_networkx(graph)"
        )


class Network(Answers):
    """A DAG with a conditional probability table for each variable; immutable.

    Parameters
    ----------
    states
        The labels of each variable, in the order of the table's axis.
    tables
        For each variable an array with one axis per parent, in the order of ``dag.parents(x)``,
        and the variable's own states last. Rows rounded in print are rescaled to sum to 1.
    name, reference
        What the network is called, and where it was published.

    Notes
    -----
    Two networks are equal when arcs, states and tables are; display order, name and reference
    do not count.
    """

    __slots__ = ("_dag", "_name", "_reference", "_states", "_tables")

    def __init__(
        self,
        dag: Dag,
        states: Mapping[str, Sequence[str]],
        tables: Mapping[str, npt.ArrayLike],
        *,
        name: str = "",
        reference: str = "",
    ) -> None:
        check_dag(dag)
        _same_names("states", states, dag)
        _same_names("tables", tables, dag)
        self._dag = dag
        self._states = MappingProxyType({x: _checked_states(x, states[x]) for x in dag.names})
        self._tables: dict[str, Table] = {}
        for x in dag.names:
            parents = dag.parents(x)
            shape = [len(self._states[v]) for v in (*parents, x)]
            refuse_huge(x, shape)
            self._tables[x] = checked_table(x, tables[x], shape, parents)
        self._name = name
        self._reference = reference

    @property
    def dag(self) -> Dag:
        """The graph."""
        return self._dag

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in display order."""
        return self._dag.names

    @property
    def states(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each variable's states."""
        return self._states

    @property
    def arities(self) -> Mapping[str, int]:
        """The number of states of each variable."""
        return MappingProxyType({x: len(labels) for x, labels in self._states.items()})

    @property
    def name(self) -> str:
        """What the network is called, or nothing."""
        return self._name

    @property
    def reference(self) -> str:
        """Where the network was published, or nothing."""
        return self._reference

    @property
    def n_parameters(self) -> int:
        """The number of free parameters: (states - 1) times parent configurations, summed."""
        return sum(t.size - t.size // t.shape[-1] for t in self._tables.values())

    def table(self, x: str) -> Table:
        """Return P(x | parents), read-only: one axis per parent in ``dag.parents(x)``, x last."""
        try:
            return self._tables[x]
        except (KeyError, TypeError):
            raise ParameterError(_unknown(x, self.names)) from None

    def sample(self, n: int, seed: int = 0) -> Data:
        """Draw rows by forward sampling.

        The same seed gives the same columns whatever the display order of the variables.
        """
        if not isinstance(n, int | np.integer) or n < 1:
            raise ParameterError(f"the number of rows to sample must be at least 1, got {n!r}")
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ParameterError(f"seed must be a whole number from 0 up, got {seed!r}")
        rng = np.random.default_rng(int(seed))
        drawn: dict[str, npt.NDArray[np.intp]] = {}
        for x in self._dag.topological_order():  # ties by name: display order plays no part
            above = [drawn[p] for p in self._dag.parents(x)]
            drawn[x] = draw_states(self._tables[x], above, rng.random(int(n)))
        small = all(len(labels) <= 256 for labels in self._states.values())
        codes = np.empty((int(n), len(self.names)), np.uint8 if small else np.uint16, order="F")
        for column, x in enumerate(self.names):
            codes[:, column] = drawn[x]
        return Data.from_codes(codes, self._states)

    def log_likelihood(self, data: TableLike) -> float:
        """Return the natural log of the probability of all rows, ``-inf`` if one is impossible.

        States are matched by label, not by position; columns that are no variable of the network
        are left out of account.
        """
        data = as_data(data)
        check_data(data)
        codes = {x: codes_by_label(x, self._states[x], data) for x in self.names}
        total = 0.0
        for x in self.names:
            cells = tuple(codes[v] for v in (*self._dag.parents(x), x))
            with np.errstate(divide="ignore"):
                total += float(np.log(self._tables[x])[cells].sum())
        return total

    def marginal(self, names: Iterable[str]) -> Table:
        """Return the exact joint table of some variables, one axis each in the order given.

        :meth:`query` without evidence, as an array; refused where it would take more than a
        gigabyte.
        """
        wanted = [names] if isinstance(names, str) else list(names)
        for x in wanted:
            self.table(x)
        if len(set(wanted)) != len(wanted):
            raise ParameterError(f"each variable of a marginal is named once, got {wanted}")
        if not wanted:
            return np.ones(())
        return self.query(wanted, max_memory=LARGEST_MARGINAL, samples=0).array

    def _network(self) -> Network:
        return self

    def write_bif(self, path: str | os.PathLike[str]) -> None:
        """Write the network as BIF (gzip where the name ends in ``.gz``)."""
        from dagscape.networks.bif import write_bif  # it reads networks, so it imports this module

        write_bif(self, path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        if self._dag != other._dag or dict(self._states) != dict(other._states):
            return False
        for x in self.names:
            mine = self._dag.parents(x)
            axes = [other._dag.parents(x).index(p) for p in mine]
            if not np.array_equal(self._tables[x], other._tables[x].transpose(*axes, len(axes))):
                return False
        return True

    def __reduce__(self) -> tuple[Callable[..., Network], tuple[object, ...]]:
        """Pickle what it is made of, not what the engine has of it."""
        make = partial(Network, name=self._name, reference=self._reference)
        return make, (self._dag, dict(self._states), self._tables)

    def __hash__(self) -> int:
        return hash((self._dag, tuple(sorted(self._states.items()))))

    def __repr__(self) -> str:
        title = f' "{self._name}"' if self._name else ""
        return (
            f"<Network{title}: {len(self.names)} variables, {len(self._dag.arcs)} arcs, "
            f"{self.n_parameters} parameters>"
        )


def codes_by_label(
    x: str, states: Sequence[str], data: Data, where: str = "network"
) -> npt.NDArray[np.intp]:
    """Return a column of other data in the codes of these states, matched by their labels."""
    if x not in data.states:
        hint = suggest(x, data.names)
        raise DataError(f'the data has no column "{x}", a variable of the {where}{hint}')
    column = data.codes[:, data.names.index(x)].astype(np.intp)
    known = {label: code for code, label in enumerate(states)}
    translate = np.array([known.get(label, -1) for label in data.states[x]], dtype=np.intp)
    codes = translate[column]
    if codes.size and codes.min() < 0:
        row = int(codes.argmin())
        label = data.states[x][int(column[row])]
        raise DataError(
            f'column "{x}", row {row + 1}: "{label}" is no state of this variable in the '
            f"{where}; it has {', '.join(states)}"
        )
    return codes


def draw_states(
    table: Table, parents: Sequence[npt.NDArray[np.intp]], u: npt.NDArray[np.float64]
) -> npt.NDArray[np.intp]:
    """Return for each row the state whose stretch of the cumulated probabilities holds u."""
    shape = table.shape
    steps = np.cumsum(table.reshape(-1, shape[-1]), axis=1)
    steps /= steps[:, -1:]  # ends at exactly 1, and u < 1: a state of probability 0 is never drawn
    row = np.ravel_multi_index(tuple(parents), shape[:-1]) if parents else np.intp(0)
    code = np.zeros(len(u), dtype=np.intp)
    for k in range(shape[-1] - 1):
        code += u >= steps[row, k]
    return code


def _checked_states(x: str, labels: Sequence[str]) -> tuple[str, ...]:
    if isinstance(labels, str) or not all(isinstance(label, str) for label in labels):
        raise ParameterError(f'the states of "{x}" must be a list of strings, got {labels!r}')
    if not labels:
        raise ParameterError(f'variable "{x}" must have at least one state')
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if list(labels).count(label) > 1)
        raise ParameterError(f'variable "{x}" has the state "{twice}" more than once')
    return tuple(labels)


def _same_names(what: str, given: Mapping[str, object], dag: Dag) -> None:
    for x in dag.names:
        if x not in given:
            raise ParameterError(f'{what} must be given for every variable; "{x}" has none')
    for x in given:
        if x not in dag.variables:
            raise ParameterError(f"{what} are given for an {_unknown(x, dag.names)}")


def _unknown(x: object, names: Sequence[str]) -> str:
    hint = suggest(x, names) if isinstance(x, str) else ""
    return f'unknown variable "{x}"{hint}' if isinstance(x, str) else f"unknown variable {x!r}"
