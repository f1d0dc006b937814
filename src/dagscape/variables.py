"""Names of variables, and the numbers the engine knows them by.

The engine sees variables in the order of their names, so that no answer depends on the order of
a table's columns; the order in which the user listed them is kept for display.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import TypeGuard

from dagscape.arguments import as_list
from dagscape.errors import ParameterError

LONGEST_MISSPELLED = 200


def suggest(wrong: object, known: Iterable[object]) -> str:
    """Return ``; did you mean "..."?`` for the nearest known word, or nothing."""
    if not isinstance(wrong, str):
        return ""
    words = [word for word in known if isinstance(word, str)]
    near = [word for word in words if word.casefold() == wrong.casefold()]
    if not near and len(wrong) <= LONGEST_MISSPELLED:  # what it takes grows with the square
        near = difflib.get_close_matches(wrong, words, n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def check_name(what: str, name: object, known: Iterable[str]) -> None:
    """Refuse a word that is not among those known, with the nearest that is."""
    if not isinstance(name, str) or name not in known:
        near = suggest(name, known)
        raise ParameterError(f'unknown {what} "{name}"{near or "; choose " + ", ".join(known)}')


def is_pair(pair: object) -> TypeGuard[tuple[str, str]]:
    """Tell whether this is a pair of two different names, in an order: a set has none."""
    if type(pair) is tuple and list(map(type, pair)) == [str, str]:  # the usual case, at once
        return bool(pair[0] != pair[1])
    if isinstance(pair, (str, Set, Mapping)) or not isinstance(pair, Collection):
        return False
    names = list(pair)
    return len(names) == 2 and all(isinstance(x, str) for x in names) and names[0] != names[1]


class Variables:
    """Distinct names in display order, numbered from 0 in the order of the names."""

    __slots__ = ("_by_number", "_display_rank", "_names", "_number")

    def __init__(self, names: Iterable[str]) -> None:
        self._names: tuple[str, ...] = tuple(
            names if isinstance(names, str) else as_list("names", names, "names")
        )
        for name in self._names:
            if not isinstance(name, str):
                raise ParameterError(f"variable names must be strings, got {name!r}")
        self._by_number: tuple[str, ...] = tuple(sorted(self._names))
        self._number = {name: number for number, name in enumerate(self._by_number)}
        if len(self._number) != len(self._names):
            twice = next(a for a, b in itertools.pairwise(self._by_number) if a == b)
            raise ParameterError(f'the name "{twice}" is given to more than one variable')
        rank = {name: position for position, name in enumerate(self._names)}
        self._display_rank = tuple(rank[name] for name in self._by_number)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in display order."""
        return self._names

    def __len__(self) -> int:
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        """Compare the names; their order is for display only."""
        return isinstance(other, Variables) and self._by_number == other._by_number

    def __hash__(self) -> int:
        return hash(self._by_number)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._number

    def number(self, name: str) -> int:
        """Return the engine's number of a variable."""
        try:
            return self._number[name]
        except (KeyError, TypeError):
            hint = suggest(name, self.names) if isinstance(name, str) else ""
            raise ParameterError(f"unknown variable {_quote(name)}{hint}") from None

    def name(self, number: int) -> str:
        """Return the name of the variable with the engine's number."""
        return self._by_number[number]

    def display_rank(self, number: int) -> int:
        """Return where the user listed the variable with the engine's number."""
        return self._display_rank[number]

    def show(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the numbered variables, in display order."""
        return tuple(
            self._by_number[v] for v in sorted(numbers, key=self._display_rank.__getitem__)
        )

    def show_pairs(self, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
        """Return pairs of names, ordered as the user listed the variables."""
        rank, name = self._display_rank, self._by_number
        ordered = sorted(pairs, key=lambda pair: (rank[pair[0]], rank[pair[1]]))
        return tuple((name[a], name[b]) for a, b in ordered)

    def in_engine_order(self) -> Sequence[str]:
        """Return the names as the engine numbers them."""
        return self._by_number


def _quote(name: object) -> str:
    return f'"{name}"' if isinstance(name, str) else repr(name)
