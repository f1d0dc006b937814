"""A score that is a Python function, for trying one out before it is written in the engine."""

from __future__ import annotations

import hashlib
import math
import re
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape import _core
from dagscape.data.gaps import refuse_gaps
from dagscape.data.refusals import refuse_rows
from dagscape.errors import DataError, ParameterError
from dagscape.scores.base import SCORES, Score, _no_numbers
from dagscape.variables import check_name

if TYPE_CHECKING:
    import numpy.typing as npt

    from dagscape.data import Data

GIVEN = ("counts", "columns")
"""What a function may be given of a table."""

OF = ("families", "sets")
"""What a function may be of."""

MOST_CELLS = 1 << 26
"""Of a table of counts that a function is given: half a gigabyte."""

KEPT_SETS = 1 << 18
"""Values of sets that are kept, where a function of families is made one of sets."""

SAME = 1e-6
"""Scores of equivalent families that differ by more, beside rounding, are not the same."""

MEASURED_CALLS = 5
"""Calls that are measured to say what a search will cost."""


@dataclass(frozen=True, init=False)
class ScoreFunction(Score):
    """A score of one's own: a Python function of a variable and its parents, or of a set.

    Every search that takes a score takes it, with any prior. Each value is asked for once and kept.

    Parameters
    ----------
    name
        What results call it.
    function
        ``function(child, parents, table)`` returns the score of a variable given its parents: a
        finite number, higher is better, natural log. `child` is a name, `parents` a tuple of names
        in alphabetical order.
    equivalent
        Whether equivalent networks score the same. It is tried on a few pairs and triples of
        columns, and refused where it is not so. Searches over classes need it; where it is not
        so, every family is scored on its own, and lists are of networks instead of classes.
    given
        What `table` is. ``"counts"``: an array of how many rows have each combination of states,
        with an axis for each parent, in their order, and the last for the child; for columns of
        states. ``"columns"``: a dict of arrays by name, states as numbers from 0 up.
    of
        ``"sets"`` for a ``function(members, table)`` of a set of variables instead: a variable
        scores the value of its parents and itself less that of its parents. Counts then have an
        axis for each member; of the empty set they are the number of rows. Such a score is
        equivalent.

    Notes
    -----
    Cost: a call takes tens of microseconds at least, where the engine's scores take fractions of
    one, and calls are made one at a time whatever `threads` says. ``ds.estimate(data, "parents",
    score=mine)`` measures a few calls and says what scoring takes. Nothing is known of the function
    that would leave sets out unseen, so give `max_parents` with more than ten variables. Time
    limits end a search as ever; a Ctrl-C that meets the function is raised as KeyboardInterrupt.

    Files tell the name alone: a score cannot be read back from them. Stored work is gone on with
    where name and code are the same; give another name where something else that the function uses
    has changed. For :class:`Posterior` its exponential stands in for a marginal likelihood.

    Examples
    --------
    >>> import dagscape as ds, numpy as np
    >>> def entropy_and_price(child, parents, counts):
    ...     table = counts.reshape(-1, counts.shape[-1])
    ...     of_parents = table.sum(axis=1, keepdims=True)
    ...     share = table / np.where(of_parents > 0, of_parents, 1)
    ...     fit = (table * np.log(np.where(share > 0, share, 1))).sum()
    ...     return fit - 2.0 * table.shape[0] * (table.shape[1] - 1)
    >>> mine = ds.ScoreFunction("mine", entropy_and_price, equivalent=True)
    >>> data = ds.load_network("asia").sample(500, seed=0)
    >>> ds.exact(data, score=mine, max_parents=2).optimal
    True
    """

    name: str
    call: Callable[..., float]
    same: bool
    given: str
    of: str

    def __init__(
        self,
        name: str,
        function: Callable[..., float],
        *,
        equivalent: bool,
        given: str = "counts",
        of: str = "families",
    ) -> None:
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ParameterError(f"name must be a word of letters, digits and _, got {name!r}")
        if name.lower() in SCORES:
            raise ParameterError(f'there is a score "{name.lower()}" already; choose another name')
        if not callable(function):
            raise ParameterError(f"function must be a function, got {function!r}")
        if not isinstance(equivalent, bool):
            raise ParameterError(f"equivalent must be True or False, got {equivalent!r}")
        check_name("given", given, GIVEN)
        check_name("of", of, OF)
        if of == "sets" and not equivalent:
            raise ParameterError(
                "a difference of values of sets is the same for equivalent networks; give "
                'equivalent=True with of="sets"'
            )
        for key, value in (
            ("name", name),
            ("call", function),
            ("same", equivalent),
            ("given", given),
            ("of", of),
        ):
            object.__setattr__(self, key, value)

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """The name, as of every score."""
        return (self.name,)

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same."""
        return self.same

    def to_dict(self) -> dict[str, Any]:
        """Return the name: a function is no plain value."""
        return {"name": self.name}

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ScoreFunction({self.name!r}, {getattr(self.call, '__name__', '...')})"

    @property
    def code(self) -> str:
        """A digest of the function's code, by which stored work knows it."""
        code = getattr(self.call, "__code__", None)
        told = "" if code is None else repr(_told(code))
        return hashlib.sha256(f"{told} {self.same} {self.given} {self.of}".encode()).hexdigest()

    def for_table_to_keep(self) -> Score:
        """Return the same, which holds the function weakly.

        A function may well hold the table. If the table held it through the engine, where Python
        cannot follow, neither would ever be let go; the table knows the score by this object, too,
        and so keeps the function.
        """
        same = object.__new__(ScoreFunction)
        for key, value in vars(self).items():
            object.__setattr__(same, key, _HeldWeakly(value) if key == "call" else value)
        return same

    def of_rows(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        on = _OnTable(self, data)
        if self.same and self.of == "families":
            on.check_equivalence()
        joint = on.of_set if self.of == "sets" else on.of_chain
        # Then local(X | P) = 0 - given(X, P).
        given = None if self.same else (lambda child, parents: -on.of_family(child, parents))
        return _core.PythonFunction(
            data.n_variables,
            on.cases,
            joint if self.same else lambda _: 0.0,
            on.parameters,
            given,
        )

    def seconds_of(self, data: Data, sets: float, size: int) -> float:
        """Return what so many sets of up to so many variables take, measured on a few of them."""
        on = _OnTable(self, data)
        few = tuple(range(min(size, data.n_variables)))
        calls = sets if self.same else sets * size
        each = math.inf
        for _ in range(MEASURED_CALLS):
            begun = time.perf_counter()
            on.of_set(few) if self.of == "sets" else on.of_family(few[-1], few[:-1])
            each = min(each, time.perf_counter() - begun)
        return calls * each


def not_kept(*_: object) -> float:
    """Stand in for a function that a file does not hold."""
    raise DataError(
        "the file was made with a score that is a Python function, which it does not hold; "
        "compute again, with score="
    )


class _HeldWeakly:
    """A function that somebody else holds."""

    def __init__(self, function: Callable[..., float]) -> None:
        try:
            self._function: Callable[[], Callable[..., float] | None] = weakref.ref(function)
        except TypeError:  # an object without a place for it
            self._function = lambda: function

    def __call__(self, *given: Any) -> float:
        """Call it."""
        function = self._function()
        if function is None:
            raise ReferenceError("the function of a score is gone, and so is its table")
        return function(*given)


class _OnTable:
    """The function on one table, of variables by their numbers in the engine."""

    def __init__(self, score: ScoreFunction, data: Data) -> None:
        if data.numbers and score.given == "counts":
            raise _no_numbers(score, data)
        refuse_gaps(data)
        of_counts = ("survey_weights", "clusters") if score.given == "counts" else ()
        refuse_rows(data, ("series", *of_counts))
        if score.given == "columns":
            data = data._written  # rows that occur several times are several rows
        self.score = score
        self._names = data.variables.in_engine_order()
        self._columns = [
            data.numbers[name]
            if name in data.numbers
            else data.codes[:, data.variables.display_rank(v)].astype(np.int64)
            for v, name in enumerate(self._names)
        ]
        self._arities = [data.arities.get(name, 0) for name in self._names]
        self._each = data.rows.each
        self.cases = float(data.n_rows) if self._each is None else float(self._each.sum())
        self._kept = lru_cache(KEPT_SETS)(self._chain)

    def of_family(self, child: int, parents: Sequence[int]) -> float:
        """Return the score of a variable given its parents."""
        names = tuple(self._names[v] for v in parents)
        found = self.score.call(self._names[child], names, self._table([*parents, child]))
        return self._checked(found, self._names[child], names)

    def of_set(self, members: Sequence[int]) -> float:
        """Return the value of a set."""
        names = tuple(self._names[v] for v in members)
        found = self.score.call(names, self._table(members))
        return self._checked(found, f"{{{', '.join(names)}}}", ())

    def of_chain(self, members: Sequence[int]) -> float:
        """Return the score of a network that joins all of them: the same in any order."""
        return self._kept(tuple(members))

    def _chain(self, members: tuple[int, ...]) -> float:
        if not members:
            return 0.0
        return self._kept(members[:-1]) + self.of_family(members[-1], members[:-1])

    def parameters(self, members: Sequence[int]) -> float:
        """Return the free parameters of the joint distribution of a set, which guide searches."""
        cells = math.prod(self._arities[v] for v in members if self._arities[v])
        numbers = sum(not self._arities[v] for v in members)
        return float(cells * (1 + numbers * (numbers + 3) / 2) - 1)

    def check_equivalence(self) -> None:
        """Refuse a function that is said to score equivalent families alike, and does not."""
        some = range(min(4, len(self._names)))
        for given in [(), *((v,) for v in some)]:
            for x, y in combinations([v for v in some if v not in given], 2):
                one = self.of_family(x, given) + self.of_family(y, sorted((*given, x)))
                other = self.of_family(y, given) + self.of_family(x, sorted((*given, y)))
                if abs(one - other) > SAME * max(1.0, abs(one)):
                    a, b = self._names[x], self._names[y]
                    beside = f' beside "{self._names[given[0]]}"' if given else ""
                    raise ParameterError(
                        f'the score {self.score} gives "{a}" → "{b}"{beside} {one:.6f} and '
                        f'"{b}" → "{a}" {other:.6f}, so equivalent networks score differently; '
                        "give equivalent=False"
                    )

    def _table(self, members: Sequence[int]) -> dict[str, npt.NDArray[Any]] | npt.NDArray[Any]:
        if self.score.given == "columns":
            return {self._names[v]: self._columns[v] for v in members}
        if not members:
            return np.array(self.cases)
        shape = [self._arities[v] for v in members]
        cells = math.prod(shape)
        if cells > MOST_CELLS:
            raise DataError(
                f"a table of {', '.join(self._names[v] for v in members)} has {cells:,} "
                f"combinations of states, which is more than the score {self.score} can be given; "
                "choose a smaller max_parents"
            )
        place: npt.NDArray[Any] = np.zeros(len(self._columns[members[0]]), np.int64)
        for v in members:
            place = place * self._arities[v] + self._columns[v]
        counts: npt.NDArray[Any] = np.bincount(place, self._each, cells)
        return counts.reshape(shape)

    def _checked(self, found: object, child: str, parents: tuple[str, ...]) -> float:
        try:
            value = float(found)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            where = f"{child} given {', '.join(parents)}" if parents else child
            raise ParameterError(
                f"the score {self.score} must return a finite number, and returned {found!r} for "
                f"{where}"
            )
        return value


def _told(code: CodeType) -> tuple[Any, ...]:
    """Return what a function does, without where it stands."""
    inner = [_told(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return code.co_code, inner, code.co_names
