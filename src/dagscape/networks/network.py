"""A Bayesian network: a DAG, the states of its variables and a node for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dagscape.arguments import as_list, as_mapping
from dagscape.control.limits import ENDLESS
from dagscape.data import Data, TableLike, as_data, check_data
from dagscape.errors import DataError, GraphError, ParameterError
from dagscape.graphs import Dag, Mpdag
from dagscape.networks.answers import Answers
from dagscape.networks.distributions import Distribution
from dagscape.networks.nodes import Column, Node, TableNode
from dagscape.networks.nodes.table import Table, checked_table, refuse_huge
from dagscape.speech import choice
from dagscape.variables import suggest

if TYPE_CHECKING:
    import os

    import polars as pl

    from dagscape.data.kinds import Kind
    from dagscape.networks.own_rows import ExperimentRows
    from dagscape.networks.portable import SafeName

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
    """A DAG with the distribution of each variable given its parents; immutable.

    Parameters
    ----------
    states
        The labels of each variable, in the order of the table's axis. Variables with numbers have
        none, and may be left out.
    tables
        For each variable with states an array with one axis per parent, in the order of
        ``dag.parents(x)``, and the variable's own states last. Rows rounded in print are rescaled
        to sum to 1. A :class:`.SoftmaxNode` where a parent has numbers; a :class:`.GaussianNode`
        for each variable with numbers.
    name, reference
        What the network is called, and where it was published.

    Notes
    -----
    Two networks are equal when arcs, states and nodes are; display order, name and reference
    do not count.
    """

    __slots__ = ("_dag", "_name", "_nodes", "_reference", "_seen", "_states")

    def __init__(
        self,
        dag: Dag,
        states: Mapping[str, Sequence[str]],
        tables: Mapping[str, npt.ArrayLike | Node],
        *,
        name: str = "",
        reference: str = "",
    ) -> None:
        check_dag(dag)
        tables, states = (
            as_mapping("tables", tables, "tables"),
            as_mapping("states", states, "lists"),
        )
        for what, words in (("name", name), ("reference", reference)):
            if not isinstance(words, str):
                raise ParameterError(f"{what} must be a string, got {words!r}")
        _same_names("tables", tables, dag)
        numbers = {x for x in dag.names if _has_numbers(tables[x])}
        _same_names("states", {**dict.fromkeys(numbers, ()), **states}, dag)
        self._dag = dag
        self._states = MappingProxyType(
            {x: _checked_states(x, states.get(x, ()), x in numbers) for x in dag.names}
        )
        self._nodes = {x: self._checked_node(x, tables[x]) for x in dag.names}
        self._name = name
        self._reference = reference
        self._seen: ExperimentRows | None = None

    @classmethod
    def _of_parts(
        cls,
        dag: Dag,
        states: Mapping[str, tuple[str, ...]],
        nodes: Mapping[str, Node],
        name: str,
        reference: str,
    ) -> Network:
        """Return a network of parts that come from networks, and fit."""
        made = cls.__new__(cls)
        made._dag, made._name, made._reference = dag, name, reference
        made._states = MappingProxyType({x: states[x] for x in dag.names})
        made._nodes = {x: nodes[x] for x in dag.names}
        made._seen = None
        return made

    def _checked_node(self, x: str, given: npt.ArrayLike | Node) -> Node:
        """Return the node of a variable, which must fit its states and parents."""
        parents = {p: len(self._states[p]) for p in self._dag.parents(x)}
        states = len(self._states[x])
        node = given.table if isinstance(given, TableNode) else given
        if not isinstance(node, Node):
            shape = [*parents.values(), states]
            if all(shape):
                refuse_huge(x, shape)
                node = TableNode(checked_table(x, node, shape, tuple(parents)))
            else:
                node = TableNode(np.ones(1))  # for a sentence that names the parent
        node.check(x, states, parents)
        return node

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
        """The labels of each variable's states; variables with numbers have none."""
        return self._states

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What each variable is: "discrete" or "continuous"."""
        return MappingProxyType(
            {x: "continuous" if node.continuous else "discrete" for x, node in self._nodes.items()}
        )

    @property
    def arities(self) -> Mapping[str, int]:
        """The number of states of each variable; 0 for numbers."""
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
        """The number of free parameters.

        Of a table (states - 1) times parent configurations; of a :class:`.GaussianNode` a mean, an
        sd and the slopes in each configuration of the parents with states.
        """
        return sum(node.n_parameters for node in self._nodes.values())

    def node(self, x: str) -> Node:
        """Return how a variable follows from its parents: a table, a Gaussian or a softmax."""
        try:
            return self._nodes[x]
        except (KeyError, TypeError):
            raise ParameterError(_unknown(x, self.names)) from None

    def table(self, x: str) -> Table:
        """Return P(x | parents), read-only: one axis per parent in ``dag.parents(x)``, x last."""
        node = self.node(x)
        if not isinstance(node, TableNode):
            raise no_table(self, x)
        return node.table

    def sample(self, n: int, seed: int = 0) -> Data:
        """Draw rows by forward sampling.

        The same seed gives the same columns whatever the display order of the variables.
        """
        if not isinstance(n, int | np.integer) or not 1 <= n <= ENDLESS:
            raise ParameterError(f"the number of rows to sample must be at least 1, got {n!r}")
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ParameterError(f"seed must be a whole number from 0 up, got {seed!r}")
        rng = np.random.default_rng(int(seed))
        drawn: dict[str, Column] = {}
        for x in self._dag.topological_order():  # ties by name: display order plays no part
            above = [drawn[p] for p in self._dag.parents(x)]
            drawn[x] = draw_column(self, x, above, int(n), rng)
        return Data.from_columns({x: drawn[x] for x in self.names}, self._states)

    def log_likelihood(self, data: TableLike) -> float:
        """Return the natural log of the probability of all rows, ``-inf`` if one is impossible.

        Numbers count by their density, in the units of their columns: with other units the sum is
        another, differences between networks are not. States are matched by label, not by
        position; columns that are no variable of the network are left out of account.
        """
        return sum(float(logs.sum()) for logs in self.log_densities(as_data(data)).values())

    def log_densities(self, data: Data) -> dict[str, npt.NDArray[np.float64]]:
        """Return ln P(value | parents) of each variable in each row; of numbers, the density's."""
        columns = columns_for(self, data)
        above = {x: [columns[p] for p in self._dag.parents(x)] for x in self.names}
        return {x: self._nodes[x].log_density(columns[x], above[x]) for x in self.names}

    def forecast(
        self,
        history: TableLike,
        steps: int = 1,
        *,
        ahead: TableLike | None = None,
        do: Mapping[str, Any] | None = None,
        draws: int = 10_000,
        level: float = 0.9,
        seed: int = 0,
    ) -> pl.DataFrame:
        """Draw what the next steps of a series will be; for networks fitted to :func:`series`.

        Parameters
        ----------
        history
            The last rows of one series in their order, at least as many as the longest lag.
        steps
            How many to foretell.
        ahead
            What is known ahead, a row for each step, where the network has such columns.
        do
            Values that somebody sets: one for all steps, or a list with one for each, None where
            it is left alone.
        draws
            Courses that are drawn; shares and intervals are of these.
        level
            How many of them an interval holds.

        Returns
        -------
        table
            Rows of ``step`` and ``variable``: for each ``state`` its ``probability``; of a number
            ``mean``, ``lower`` and ``upper``.

        Notes
        -----
        The network is taken as it is: how well arcs and parameters are known is not in the
        intervals.
        """
        from dagscape.networks.time_steps import forecast

        return forecast(self, history, steps, ahead, do, draws, level, seed)

    def unrolled(self, steps: int) -> Network:
        """Return the network of several steps of a series, ``x[1]`` to ``x[steps]`` of each x.

        Before these stand the values of the past, ``x[0]``, ``x[-1]`` and so on, without parents:
        give them in :meth:`query`, or they are taken as independent. :meth:`do` sets a variable
        at one step.
        """
        from dagscape.networks.time_steps import unrolled

        return unrolled(self, steps)

    def marginal(self, names: Iterable[str]) -> Table:
        """Return the exact joint table of some variables, one axis each in the order given.

        :meth:`query` without evidence, as an array; refused where it would take more than a
        gigabyte.
        """
        wanted = [names] if isinstance(names, str) else as_list("names", names, "names")
        for x in wanted:
            if not self.node(x).continuous:
                continue
            raise no_table(self, x)
        if len(set(wanted)) != len(wanted):
            raise ParameterError(f"each variable of a marginal is named once, got {wanted}")
        if not wanted:
            return np.ones(())
        found = self.query(wanted, max_memory=LARGEST_MARGINAL, samples=0)
        if not isinstance(found, Distribution):
            raise no_table(self, wanted[0])
        return found.array

    def _network(self) -> Network:
        return self

    # What follows is about networks, so its modules import this one.

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the network; the ending of the name says how, as in :func:`read_network`.

        ``.R`` is a script for R's bnlearn, which is not read back. ``.json`` keeps everything
        exactly, and is the one for networks with numbers, which the others refuse by name;
        :meth:`portable` makes names safe for readers of the other formats. ``.net``, by pyAgrum,
        prints six digits; where it would change more than that, a name or a label, nothing is
        written.
        """
        from dagscape.networks.network_files import write_network

        write_network(self, path)

    def write_bif(self, path: str | os.PathLike[str]) -> None:
        """Write the network as BIF (gzip where the name ends in ``.gz``)."""
        from dagscape.networks.bif import write_bif

        write_bif(self, path)

    def portable(self, *, numbers: bool = True) -> tuple[Network, list[SafeName]]:
        """Return it with names and states that other libraries can read, and what changed.

        Words of letters, digits and underscores stay as they are, and so do whole numbers as
        states. A network that needs no change is returned itself.

        Parameters
        ----------
        numbers
            Whether states may be whole numbers. GeNIe takes none.

        Examples
        --------
        >>> import dagscape as ds
        >>> states = {"body mass": ["<=25.7", "(25.7,27.9]"]}
        >>> net = ds.Network(ds.Dag(["body mass"]), states, {"body mass": [0.25, 0.75]})
        >>> safe, renamed = net.portable()
        >>> safe.states
        mappingproxy({'body_mass': ('up_to_25_7', 'from_25_7_to_27_9')})
        >>> [each.became for each in renamed]
        ['body_mass', 'up_to_25_7', 'from_25_7_to_27_9']
        """
        from dagscape.networks.portable import portable

        return portable(self, numbers=numbers)

    def tile(self, copies: int, seed: int = 0) -> Network:
        """Join copies of it into a large network in which each copy keeps its distribution.

        The copies of variable ``X`` are called ``X_1``, ``X_2`` and so on; with ten copies of ALARM
        this makes a network of the kind called Alarm10.

        Notes
        -----
        The same seed gives the same network whatever the display order of the variables.
        Source: Tsamardinos, Statnikov, Brown and Aliferis, FLAIRS 2006; new parents of different
        nodes of one tile are kept independent, so that tiles keep their distribution exactly.
        """
        from dagscape.networks.tiling import tile_network

        return tile_network(self, copies, seed)

    def to_pgmpy(self) -> Any:
        """Return it as a pgmpy ``DiscreteBayesianNetwork``."""
        from dagscape.networks.pgmpy_and_pyagrum import to_pgmpy

        return to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any) -> Network:
        """Return the network of a pgmpy model whose tables are all set.

        States become strings. They are matched by name where a table lists the states of a parent
        in an order of its own.
        """
        from dagscape.networks.pgmpy_and_pyagrum import from_pgmpy

        return from_pgmpy(model)

    def to_pyagrum(self) -> Any:
        """Return it as a pyAgrum ``BayesNet``."""
        from dagscape.networks.pgmpy_and_pyagrum import to_pyagrum

        return to_pyagrum(self)

    @classmethod
    def from_pyagrum(cls, bn: Any) -> Network:
        """Return the network of a pyAgrum ``BayesNet``."""
        from dagscape.networks.pgmpy_and_pyagrum import from_pyagrum

        return from_pyagrum(bn)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        if self._dag != other._dag or dict(self._states) != dict(other._states):
            return False
        return all(self._nodes[x] == other.node_for(x, self._dag) for x in self.names)

    def node_for(self, x: str, dag: Dag) -> Node:
        """Return the node of a variable with its parents in the order that another graph has."""
        check_dag(dag)
        before = self._dag.parents(x)
        order = [before.index(p) for p in dag.parents(x)]
        if order == sorted(order):
            return self._nodes[x]
        return self._nodes[x].reordered(order, [bool(self._states[p]) for p in before])

    def _beside(self, seen: ExperimentRows) -> Network:
        """Return the same network, whose answers show beside what a table of experiments saw.

        Networks that are read from a file, or pickled, have no table.
        """
        made = Network._of_parts(self._dag, self._states, self._nodes, self._name, self._reference)
        made._seen = seen
        return made

    def __reduce__(self) -> tuple[Callable[..., Network], tuple[object, ...]]:
        """Pickle what it is made of, not what the engine has of it."""
        make = partial(Network, name=self._name, reference=self._reference)
        return make, (self._dag, dict(self._states), self._nodes)

    def __hash__(self) -> int:
        return hash((self._dag, tuple(sorted(self._states.items()))))

    def __repr__(self) -> str:
        title = f' "{self._name}"' if self._name else ""
        numbers = sum(node.continuous for node in self._nodes.values())
        kinds = f" ({numbers} continuous)" if numbers else ""
        return (
            f"<Network{title}: {len(self.names)} variables{kinds}, {len(self._dag.arcs)} arcs, "
            f"{self.n_parameters} parameters>"
        )


def codes_by_label(x: str, states: Sequence[str], data: Data) -> npt.NDArray[np.intp]:
    """Return a column of other data in the codes of these states, matched by their labels."""
    _check_column(x, data)
    if x in data.numbers:
        raise DataError(
            f'column "{x}" holds numbers, and "{x}" has states in the network: '
            f"{', '.join(states)}; cut the column at the same points, or declare its states"
        )
    column = data.column(x).astype(np.intp)
    known = {label: code for code, label in enumerate(states)}
    translate = np.array([known.get(label, -1) for label in data.states[x]], dtype=np.intp)
    codes = translate[column]
    if codes.size and codes.min() < 0:
        row = int(codes.argmin())
        label = data.states[x][int(column[row])]
        raise DataError(
            f'column "{x}", row {row + 1}: "{label}" is not a state of this variable in the '
            f"network; it has {', '.join(states)}"
        )
    return codes


def _check_column(x: str, data: Data) -> None:
    if x not in data.states:
        hint = suggest(x, data.names)
        raise DataError(f'the data has no column "{x}", a variable of the network{hint}')


def draw_column(
    net: Network, x: str, above: Sequence[Column], rows: int, rng: np.random.Generator
) -> Column:
    """Draw a variable given its parents' columns; refuse infinite numbers."""
    drawn = net.node(x).draw(above, rows, rng)
    if drawn.dtype.kind == "f" and not np.isfinite(drawn).all():
        raise ParameterError(
            f'numbers of "{x}" were drawn beyond the largest there are (1.8e308); change the units '
            "of the network"
        )
    return drawn


def columns_for(net: Network, data: Data) -> dict[str, Column]:
    """Return the columns of a table as the nodes of a network take them: codes, or numbers."""
    check_data(data)
    return {
        x: codes_by_label(x, net.states[x], data) if net.states[x] else numbers_of(x, data)
        for x in net.names
    }


def numbers_of(x: str, data: Data) -> npt.NDArray[np.float64]:
    """Return a column of numbers, or say that the table has none of this name."""
    _check_column(x, data)
    if x not in data.numbers:
        raise DataError(
            f'column "{x}" holds states, and "{x}" is a number in the network; '
            f"{choice('kinds', {x: 'continuous'})}"
        )
    return data.numbers[x]


def check_network(net: object) -> None:
    """Refuse what is no network."""
    if not isinstance(net, Network):
        raise ParameterError(f"a Network is needed, got {type(net).__name__}")


def refuse_numbers(net: Network, what: str) -> None:
    """Refuse a network with numbers where there is nothing but tables of states.

    ``what`` begins the clause: "BIF files have".
    """
    check_network(net)
    for x in net.names:
        if not net.states[x]:
            raise ParameterError(
                f'"{x}" holds numbers, and {what} tables of states alone; a .json file keeps such '
                f"a network, or cut the column before learning: "
                f"{choice('discretize', {x: ('quantile', 3)})}"
            )


def no_table(net: Network, x: str) -> ParameterError:
    """Return the error for a variable without a table where one is needed."""
    if net.states[x]:
        parent = next(p for p in net.dag.parents(x) if not net.states[p])
        what = f'"{x}" has a parent with numbers, "{parent}"'
    else:
        what = f'"{x}" holds numbers'
    return ParameterError(f"{what}, so it has no table; net.node({x!r}) has its parameters")


def _has_numbers(given: npt.ArrayLike | Node) -> bool:
    return isinstance(given, Node) and given.continuous


def _checked_states(x: str, labels: Sequence[str], numbers: bool) -> tuple[str, ...]:
    listed = isinstance(labels, Sequence) and not isinstance(labels, str)
    if not listed or not all(isinstance(label, str) for label in labels):
        raise ParameterError(f'the states of "{x}" must be a list of strings, got {labels!r}')
    if not labels and not numbers:
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
