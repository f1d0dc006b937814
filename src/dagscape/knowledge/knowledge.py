"""What the user knows before the search: one object for all searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from types import MappingProxyType
from typing import Any, overload

from dagscape.arguments import as_list
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag, Mpdag, Pag
from dagscape.knowledge.marks import with_marks
from dagscape.variables import Variables, is_pair

Pair = tuple[str, str]

_PARTS = ("required", "forbidden", "tiers", "max_parents")
_ENDS = ("roots", "leaves")
"""Parts that earlier files do not have, and that are written only where they say anything."""

_OF_TABLE = "of_table"

KNOWLEDGE_PARTS = ("required", "forbidden", "tiers", "roots", "leaves", "max_parents")
"""What can be known."""


class Knowledge:
    """Arcs that must be there or must not, tiers of variables, and limits on parents.

    Immutable. It is checked against the data's variables when a search begins; a search that cannot
    obey a part of it refuses by name.

    Parameters
    ----------
    required
        Arcs (from, to) that every network has.
    forbidden
        Arcs (from, to) that no network has.
    tiers
        Groups of variables, causes first: no arc goes from a later group to an earlier one.
        A variable in no group is free.
    roots
        Variables that have no parents: what nothing in the table causes.
    leaves
        Variables that have no children: what causes nothing in the table.
    max_parents
        The most parents a variable may have, by name.

    Raises
    ------
    ParameterError
        If the parts contradict each other.

    Examples
    --------
    >>> import dagscape as ds
    >>> k = ds.Knowledge(required=[("A", "B")], tiers=[["A"], ["B", "C"]])
    >>> k.allows("C", "A")
    False
    """

    __slots__ = (
        *("_forbidden", "_leaves", "_max_parents", "_required", "_roots", "_tier", "_tiers"),
    )

    def __init__(
        self,
        *,
        required: Iterable[Pair] = (),
        forbidden: Iterable[Pair] = (),
        tiers: Iterable[Sequence[str]] = (),
        roots: Iterable[str] = (),
        leaves: Iterable[str] = (),
        max_parents: Mapping[str, int] | None = None,
    ) -> None:
        # Dicts, since they keep the order given and look up at once.
        self._required = dict.fromkeys(_pairs("required", required, "a required arc"))
        self._forbidden = dict.fromkeys(_pairs("forbidden", forbidden, "a forbidden arc"))
        self._tiers = _groups(tiers)
        self._tier = _levels(self._tiers)
        self._roots = dict.fromkeys(_named("roots", roots))
        self._leaves = dict.fromkeys(_named("leaves", leaves))
        self._max_parents = _limits({} if max_parents is None else max_parents)
        self._check_itself()

    @property
    def required(self) -> tuple[Pair, ...]:
        """Arcs (from, to) that every network has."""
        return tuple(self._required)

    @property
    def forbidden(self) -> tuple[Pair, ...]:
        """Arcs (from, to) that no network has."""
        return tuple(self._forbidden)

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of variables, causes first."""
        return self._tiers

    @property
    def roots(self) -> tuple[str, ...]:
        """Variables that have no parents."""
        return tuple(self._roots)

    @property
    def leaves(self) -> tuple[str, ...]:
        """Variables that have no children."""
        return tuple(self._leaves)

    @property
    def max_parents(self) -> Mapping[str, int]:
        """The most parents a variable may have, by name; read-only."""
        return MappingProxyType(self._max_parents)

    @property
    def empty(self) -> bool:
        """Whether it says nothing, so that every network obeys it."""
        return not any(getattr(self, part) for part in KNOWLEDGE_PARTS)

    def allows(self, parent: str, child: str) -> bool:
        """Tell whether required arcs, forbidden arcs and tiers each leave room for this arc."""
        for name in (parent, child):
            if not isinstance(name, str):
                raise ParameterError(f"variable names must be strings, got {name!r}")
        return parent != child and not self._objection(parent, child)

    def _objection(self, parent: str, child: str) -> str:
        """Return what rules out the arc, or nothing."""
        if (parent, child) in self._forbidden:
            return "it is forbidden"
        if (child, parent) in self._required:
            return f"{child} -> {parent} is required"
        if child in self._roots:
            return f"{child} is a root, which has no parents"
        if parent in self._leaves:
            return f"{parent} is a leaf, which has no children"
        tier = self._tier
        if parent in tier and child in tier and tier[parent] > tier[child]:
            return f"{parent} is in a later tier than {child}"
        return ""

    def check(self, variables: Variables) -> None:
        """Refuse names that are not among the variables, and limits out of range."""
        for name in self._names():
            variables.number(name)
        most = len(variables) - 1
        for name, limit in self.max_parents.items():
            if limit > most:
                raise ParameterError(
                    f'max_parents of "{name}" must be between 0 and {most} (variables - 1), '
                    f"got {limit}"
                )

    def violations(self, dag: Dag) -> tuple[str, ...]:
        """Return a sentence for each piece of knowledge that the network does not obey."""
        if not isinstance(dag, Dag):
            raise GraphError(f"a Dag is needed, got {type(dag).__name__}")
        self.check(dag.variables)
        arcs = set(dag.arcs)
        missing = [
            f"the required arc {a} -> {b} is missing"
            for a, b in self.required
            if (a, b) not in arcs
        ]
        wrong = [
            f"the arc {a} -> {b} is not allowed: {reason}"
            for a, b in dag.arcs
            if (reason := self._objection(a, b))
        ]
        crowded = [
            f"{name} has {len(dag.parents(name))} parents, at most {limit} are allowed"
            for name, limit in self.max_parents.items()
            if len(dag.parents(name)) > limit
        ]
        return (*missing, *wrong, *crowded)

    @overload
    def orient(self, graph: Mpdag) -> Mpdag: ...
    @overload
    def orient(self, graph: Pag) -> Pag: ...
    def orient(self, graph: Mpdag | Pag) -> Mpdag | Pag:
        """Return a graph with the directions that this implies, and all that follows from them.

        Of an essential graph, an edge is directed if all networks of the class that obey agree.
        That is so for required and forbidden arcs and tiers (Meek, UAI 1995). Limits add what can
        be seen at once: a variable with as many parents as it may have is no child by its other
        edges.

        Of a :class:`Pag`, an arc that is required makes its beginning a cause, and one that is
        ruled out makes its beginning no cause of its end, not even through others; limits say
        nothing there.

        Raises
        ------
        GraphError
            If no network, or no ancestral graph, that the graph stands for obeys.
        """
        if isinstance(graph, Pag):
            self.check(graph.variables)
            return with_marks(graph, self.required, self._objection)
        if not isinstance(graph, Mpdag):
            raise GraphError(f"a Cpdag, Mpdag or Pag is needed, got {type(graph).__name__}")
        self.check(graph.variables)
        directions = []
        for a, b in graph.directed:
            if reason := self._objection(a, b):
                raise GraphError(
                    f"no network of the class obeys: {a} -> {b} is there, but {reason}"
                )
        for a, b in graph.undirected:
            reason = self._objection(a, b)
            if reason and self._objection(b, a):
                raise GraphError(f"no network of the class obeys: {a} - {b} is there, but {reason}")
            if reason or self._objection(b, a):
                directions.append((b, a) if reason else (a, b))
        for a, b in self.required:
            if b not in graph.neighbors(a):
                raise GraphError(f"no network of the class obeys: {a} -> {b} is not there")
        known = graph.orient(directions)
        while full := [
            (name, other)
            for name, limit in self.max_parents.items()
            if len(known.parents(name)) >= limit
            for other in known.undirected_neighbors(name)
        ]:
            known = known.orient(full)
        return known

    def directs(self, a: str, b: str) -> bool:
        """Tell whether an edge between the two can only be an arc from the first to the second."""
        return self._objection(b, a) is not None and self._objection(a, b) is None

    def also(self, other: Knowledge) -> Knowledge:
        """Return what both say together; refuse contradictions.

        Two different lists of tiers do not make one: the other's are then written as arcs that are
        forbidden.
        """
        described(other)
        if other is None:
            return self
        forbidden = [*self.forbidden, *other.forbidden]
        if self.tiers and other.tiers and self.tiers != other.tiers:
            forbidden += _against(other.tiers)
        limits = [*self.max_parents.items(), *other.max_parents.items()]
        kind = next(each for each in KINDS if isinstance(self, each) and isinstance(other, each))
        return kind(
            required=[*self.required, *other.required],
            forbidden=forbidden,
            tiers=self.tiers or other.tiers,
            roots=[*self.roots, *other.roots],
            leaves=[*self.leaves, *other.leaves],
            # The later of two entries stays, so the lower limit comes last.
            max_parents=dict(sorted(limits, key=lambda limit: -limit[1])),
        )

    @property
    def of_table(self) -> bool:
        """Whether all of it follows from the columns of a table, and none is from the user."""
        return isinstance(self, OfTable)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, which JSON can hold and :meth:`from_dict` takes."""
        ends = {part: list(getattr(self, part)) for part in _ENDS if getattr(self, part)}
        return {
            "required": [list(pair) for pair in self.required],
            "forbidden": [list(pair) for pair in self.forbidden],
            "tiers": [list(tier) for tier in self.tiers],
            "max_parents": dict(self.max_parents),
            **ends,
            **({_OF_TABLE: "rows" if self.of_rows else True} if self.of_table else {}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Knowledge:
        """Return what :meth:`to_dict` gave."""
        if isinstance(values, Mapping) and values.get(_OF_TABLE) in (True, "rows"):
            kind = OfTable if values[_OF_TABLE] is True else OfRows
            return kind.from_dict({k: v for k, v in values.items() if k != _OF_TABLE})
        if not isinstance(values, Mapping) or set(values) - set(_ENDS) != set(_PARTS):
            raise ParameterError(
                f"knowledge as plain values must have {', '.join(_PARTS)} and nothing else, "
                f"got {values!r}"
            )
        for part in (*_PARTS[:-1], *(part for part in _ENDS if part in values)):
            if not isinstance(values[part], Sequence) or isinstance(values[part], str):
                raise ParameterError(f"{part} must be a list, got {values[part]!r}")
        return cls(**values)

    def _names(self) -> Iterator[str]:
        for pair in (*self.required, *self.forbidden):
            yield from pair
        for tier in self.tiers:
            yield from tier
        yield from self.roots
        yield from self.leaves
        yield from self.max_parents

    def _check_itself(self) -> None:
        for a, b in self._required:
            if reason := self._objection(a, b):
                raise ParameterError(f"the arc {a} -> {b} is required, but {reason}")
        ends = dict.fromkeys(name for pair in self.required for name in pair)
        try:
            Dag(ends, self.required)
        except GraphError as error:
            raise ParameterError(f"the required arcs cannot be obeyed: {error}") from None
        wanted = Counter(child for _, child in self._required)
        for name, limit in self.max_parents.items():
            if wanted[name] > limit:
                raise ParameterError(
                    f'"{name}" has {wanted[name]} required parents, but max_parents allows {limit}'
                )

    @property
    def of_rows(self) -> bool:
        """Whether all of it follows from columns of gaps and experiments; see :class:`OfRows`."""
        return isinstance(self, OfRows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Knowledge) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        limits = frozenset(self.max_parents.items())
        tiers = tuple(frozenset(tier) for tier in self.tiers)
        ends = frozenset(self.roots), frozenset(self.leaves)
        return frozenset(self.required), frozenset(self.forbidden), tiers, *ends, limits

    def __repr__(self) -> str:
        values = {part: getattr(self, part) for part in KNOWLEDGE_PARTS[:-1]}
        values["max_parents"] = dict(self.max_parents)
        parts = [f"{name}={value!r}" for name, value in values.items() if value]
        return f"Knowledge({', '.join(parts)})"


class OfTable(Knowledge):
    """What the columns of a table are, such as those of the past, which have no parents.

    Beside anything that the user knows it is :class:`Knowledge` like any other.
    """

    __slots__ = ()


class OfRows(OfTable):
    """What gaps and experiments make of columns.

    Columns stay apart from those that tell their gaps (`forbidden`), and what was set in every row
    has no parents (`roots`).
    """

    __slots__ = ()


KINDS = (OfRows, OfTable, Knowledge)


def described(knowledge: Knowledge | None) -> dict[str, Any] | None:
    """Return knowledge as plain values; refuse what is no knowledge."""
    if knowledge is None:
        return None
    if not isinstance(knowledge, Knowledge):
        raise ParameterError(f"knowledge must be a ds.Knowledge, got {knowledge!r}")
    return knowledge.to_dict()


def _pairs(name: str, pairs: Iterable[Pair], what: str) -> Iterator[Pair]:
    for pair in as_list(name, pairs, "pairs of names"):
        if not is_pair(pair):
            raise ParameterError(f"{what} must be a pair of two different names, got {pair!r}")
        first, second = pair
        yield first, second


def _named(name: str, given: Iterable[str]) -> Iterator[str]:
    for each in as_list(name, given, "names"):
        if not isinstance(each, str):
            raise ParameterError(f"{name} must hold names, got {each!r}")
        yield each


def _groups(tiers: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    groups = []
    for tier in as_list("tiers", tiers, "lists of names"):
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise ParameterError(f"a tier must be a list of names, got {tier!r}")
        groups.append(tuple(tier))
    return tuple(groups)


def _against(tiers: tuple[tuple[str, ...], ...]) -> Iterator[Pair]:
    """Yield the arcs that tiers rule out: from a later one to an earlier one."""
    for level, tier in enumerate(tiers):
        for later in tiers[level + 1 :]:
            yield from ((a, b) for a in later for b in tier)


def _levels(tiers: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """Return the number of the tier of each variable in one."""
    levels: dict[str, int] = {}
    for level, tier in enumerate(tiers):
        for name in tier:
            if not isinstance(name, str):
                raise ParameterError(f"a tier must hold names, got {name!r}")
            if name in levels:
                raise ParameterError(f'the tiers list "{name}" twice')
            levels[name] = level
    return levels


def _limits(max_parents: Mapping[str, int]) -> dict[str, int]:
    if not isinstance(max_parents, Mapping):
        raise ParameterError(
            f'max_parents must give limits by name, such as {{"A": 2}}, got {max_parents!r}'
        )
    for name, limit in max_parents.items():
        if isinstance(limit, bool) or not isinstance(limit, Integral) or limit < 0:
            raise ParameterError(
                f'max_parents of "{name}" must be a whole number from 0, got {limit!r}'
            )
    return {name: int(limit) for name, limit in max_parents.items()}
