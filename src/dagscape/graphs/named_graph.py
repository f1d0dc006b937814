"""What all graphs on named variables share, and two rules of theirs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from dagscape.shows_itself import ShowsItself
from dagscape.variables import Variables

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")


class NamedGraph(ShowsItself):
    """A graph of the engine on variables with names; immutable."""

    __slots__ = ("_graph", "_variables")
    _graph: Any
    _variables: Variables

    @classmethod
    def _wrap(cls, variables: Variables, graph: Any) -> Self:
        made = cls.__new__(cls)
        made._variables = variables
        made._graph = graph
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order they were listed."""
        return self._variables.names

    @property
    def variables(self) -> Variables:
        """The variables with their engine numbers."""
        return self._variables

    def _named(self, numbers: Callable[[int], Iterable[int]], name: str) -> tuple[str, ...]:
        """Return the variables that the engine tells of one."""
        return self._variables.show(numbers(self._variables.number(name)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedGraph) or type(self._graph) is not type(other._graph):
            return NotImplemented
        return bool(self._variables == other._variables and self._graph == other._graph)

    @abstractmethod
    def __hash__(self) -> int: ...


def reached(start: T, steps: Callable[[T], Iterable[T]]) -> set[T]:
    """Return what can be reached step by step, the start among it."""
    found, stack = {start}, [start]
    while stack:
        new = {*steps(stack.pop())} - found
        found |= new
        stack += new
    return found


def thinned(names: Sequence[T], fits: Callable[[list[T]], bool]) -> list[T]:
    """Return what is left once each in turn is left out, if the others fit without it."""
    left = list(names)
    for one in names:
        rest = [other for other in left if other != one]
        if fits(rest):
            left = rest
    return left
