"""Series as a table: each row a step, with the past of every variable as further columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.arguments import as_list, as_switch
from dagscape.data import Data
from dagscape.data.build import Built, build
from dagscape.data.columns import code_type
from dagscape.data.options import Options
from dagscape.data.rows import Rows
from dagscape.data.series_shape import SeriesShape, check_lags, past
from dagscape.errors import DataError, ParameterError
from dagscape.over_time.choose_lags import choose_lags
from dagscape.over_time.sources import READING, Source
from dagscape.over_time.times import Order, in_order
from dagscape.speech import setting
from dagscape.variables import check_name, suggest
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import TableLike

GAPS = ("error", "drop")
"""What to do where steps are left out."""

NOT_OVER_TIME = {
    "rows_independent": "its steps depend on each other, through the past that it takes as columns",
    "weights": "a step occurs once, between the step before it and the step after",
    "survey_weights": "a step stands for itself, between the step before it and the step after",
    "clusters": "a series is a subject already, and series= names the column that tells them apart",
    "groups": "one set of parameters holds for all series and times",
    "interventions": "a value that was set would be taken as a sign of the past, and an experiment "
    "lasts for several steps",
}
"""What may be said of other rows, and why not of steps."""


def series(
    frame: TableLike,
    *,
    time: str | None = None,
    series: str | None = None,
    lags: int | Sequence[int] | None = None,
    within_step: bool = False,
    own_past: bool = True,
    known: Collection[str] = (),
    gaps: str = "error",
    **table: Any,
) -> Data:
    """Make a table of series: each variable, and what it was one or more steps before.

    A row is a step: column "x" is x at that time, "x[-1]" one step before. Only variables at that
    time are children. Columns of the past are free: they may be parents of all, have no parents,
    and no score of their own. Every search obeys that, and what it returns is the network from one
    step to the next.

    Parameters
    ----------
    frame
        A frame, a dict of columns, or a file. Rows are sorted by series and time.
    time
        The column that says when each row was: numbers, or dates. Steps must be of one length, and
        months count as such. Without it each row is one step after the row before it.
    series
        The column that says which series each row is of, where there are several. No row has its
        past in another series.
    lags
        1 to this many steps back, or a list such as [1, 7]. The first rows of every series, as many
        as the longest lag, have no past and are left out. If not given, the number from 1 to 5 by
        which the best network of up to 2 parents beside the nearest past scores highest, by
        :func:`default_score`, on the rows that all of them have; `notes` tell the scores.
    within_step
        Whether variables may also have parents of the same time. Without, no cycle is possible,
        each variable is a problem of its own, and the optimum and the posterior are exact for
        hundreds of them.
    own_past
        Whether the nearest past of each variable is always one of its parents. Without it, what
        series have in common, such as a trend, becomes arcs.
    known
        Columns that are known ahead, such as the hour, the season or a plan of treatment: parents
        of all, like the past, and children of nothing.
    gaps
        Where time has gaps: "error", or "drop" rows whose past is not there.
    **table
        `states`, `discretize`, `kinds` and `seed` as for :class:`Data`; columns are cut before the
        past is taken, so that all lags of a variable have the same states. For files also
        `leave_out` and the settings of :func:`read_data` that say how cells are written.

    Notes
    -----
    The score is of each step given the past, so the rows need not be independent, as long as these
    lags are all the memory there is and nothing changes with time. Missing cells are refused. What
    drives several series from outside the table, common causes that are not measured, shows as arcs
    between them.

    Source: Murphy, Dynamic Bayesian networks, 2002; Dojer, Learning Bayesian networks does not have
    to be NP-hard, MFCS 2006.

    Examples
    --------
    >>> import dagscape as ds
    >>> s = ds.series({"x": [0, 1, 1, 0, 1, 0, 0, 1], "y": [1, 0, 1, 1, 0, 1, 0, 0]}, lags=1)
    >>> s.names
    ('x', 'y', 'x[-1]', 'y[-1]')
    """
    reading = {name: table.pop(name) for name in READING if name in table}
    steps = SeriesTable.read(frame, time, series, known, gaps, table, reading)
    as_switch("within_step", within_step)
    as_switch("own_past", own_past)
    rules = {"within_step": within_step, "own_past": own_past}
    if lags is not None:
        return steps.lagged(check_lags(lags, setting("lags")), **rules)
    return choose_lags(steps, **rules)


@dataclass(frozen=True)
class SeriesTable:
    """A table of series in order, before the past is taken."""

    built: Built
    order: Order
    known: tuple[str, ...]
    series: str | None

    @classmethod
    def read(
        cls,
        frame: Any,
        time: str | None,
        series: str | None,
        known: Iterable[str],
        gaps: str,
        table: Mapping[str, Any],
        reading: Mapping[str, Any],
    ) -> SeriesTable:
        """Read a table, and put its rows in order."""
        check_name("gaps", gaps, GAPS)
        allowed = ("states", "discretize", "kinds", "seed")
        for name in table:
            if name in NOT_OVER_TIME:
                raise ParameterError(
                    f"ds.series() takes no {name}: {NOT_OVER_TIME[name]}; leave the setting away"
                )
        if unknown := [name for name in table if name not in allowed]:
            raise ParameterError(
                f"ds.series() takes no {unknown[0]}; of the settings of a table it takes "
                f"{', '.join((*allowed, *READING))}"
            )
        given = {"states": None, "discretize": None, "kinds": None, "seed": 0, **table}
        options = Options.check(missing="error", **given)
        source = Source(frame, time, series, reading)
        built = build(source.columns, options)
        ahead = tuple(as_list("known", known, "names"))
        for name in ahead:
            if not isinstance(name, str) or name not in built.names:
                raise ParameterError(
                    f'{setting("known")} names "{name}", which is not a column'
                    f"{suggest(str(name), built.names)}"
                )
        if set(ahead) == set(built.names):
            raise DataError("every column is known ahead; none is left to learn")
        order = in_order(
            len(source.codes),
            source.times,
            source.labels,
            source.codes,
            source.series,
            split=gaps == "drop",
        )
        return cls(built, order, ahead, series)

    def lagged(
        self,
        lags: tuple[int, ...],
        *,
        within_step: bool,
        own_past: bool,
        longest: int | None = None,
    ) -> Data:
        """Return the table with these lags; its rows have a past of the longest lag."""
        most = max(lags) if longest is None else longest
        sorted_rows, at_lag = self.with_past(most)
        self._refuse_short(sorted_rows, most)
        here = self.order.rows[sorted_rows]
        before = {lag: self.order.rows[found] for lag, found in at_lag.items()}
        built, names = self.built, self.built.names
        variables = tuple(name for name in names if name not in self.known)
        columns = [(name, name, 0) for name in names]
        columns += [(past(name, lag), name, lag) for lag in lags for name in variables]
        if taken := next((new for new, _, lag in columns if lag and new in names), None):
            raise DataError(
                f'there is a column "{taken}" already, which is what the past of another is to be '
                "called; rename it"
            )
        place = {name: number for number, name in enumerate(names)}
        states = tuple(built.states[place[name]] for _, name, _ in columns)
        codes = np.empty(
            (len(here), len(columns)), dtype=code_type(max(map(len, states)) + 1), order="F"
        )
        numbers: dict[str, NDArray[np.float64]] = {}
        for at, (new, name, lag) in enumerate(columns):
            rows = before[lag] if lag else here
            codes[:, at] = built.codes[rows, place[name]]
            if name in built.numbers:
                numbers[new] = built.numbers[name][rows]
        codes.flags.writeable = False
        facts = SeriesShape(
            variables,
            self.known,
            {new: (name, lag) for new, name, lag in columns if lag},
            within_step,
            own_past,
            self.order.labels,
            self.order.codes[sorted_rows],
            self.order.steps[sorted_rows],
        )
        dropped = len(self.order.rows) - len(here)
        notes = (*built.notes, *facts.notes(dropped))
        made = Data._of(Built(tuple(new for new, _, _ in columns), states, codes, notes, numbers))
        return made._of_rows(Rows(independent=True, series=facts))

    def with_past(self, most: int) -> tuple[NDArray[np.intp], dict[int, NDArray[np.intp]]]:
        """Return the sorted rows that have all of their past, and where that is, by lag."""
        order = self.order
        span = int(order.steps.max(initial=0)) + most + 1
        keys = order.codes * span + order.steps
        there = np.ones(len(keys), dtype=np.bool_)
        at: dict[int, NDArray[np.intp]] = {}
        for lag in range(1, most + 1):
            wanted = keys - lag
            found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            there &= (keys[found] == wanted) & (order.steps >= lag)
            at[lag] = found
        rows = np.flatnonzero(there)
        return rows, {lag: found[rows] for lag, found in at.items()}

    def _refuse_short(self, rows: NDArray[np.intp], most: int) -> None:
        left = np.bincount(self.order.codes[rows], minlength=len(self.order.labels))
        if left.all():
            return
        at = int((left == 0).argmax())
        has = int((self.order.codes == at).sum())
        which = f'series "{self.order.labels[at]}"' if self.series is not None else "the table"
        raise DataError(
            f"{which} has {counted(has, 'row')}, and none of them has {counted(most, 'step')} "
            f"before it; with {setting('lags')} up to {most} a series needs {most + 1} rows "
            "without a gap: leave it out, or take fewer lags"
        )
