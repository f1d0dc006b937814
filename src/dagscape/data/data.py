"""The table that everything else learns from: codes of states, column by column."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape import _core
from dagscape.arguments import as_list, as_switch
from dagscape.control.limits import ShowProgress
from dagscape.control.progress import followed
from dagscape.data.blocks import occurrences
from dagscape.data.build import Built
from dagscape.data.cell_rules import CellRules
from dagscape.data.columns import Codes, Column
from dagscape.data.contents import (
    completed,
    fingerprint_of,
    lost_in_text,
    narrow,
    pandas_frame,
    polars_frame,
    shown,
)
from dagscape.data.date_parts import Dates
from dagscape.data.discretize import Discretize
from dagscape.data.first_sight import columns_to_build
from dagscape.data.from_arrays import from_codes, from_columns
from dagscape.data.gaps import MissingCells, refuse_gaps
from dagscape.data.interventions import Interventions
from dagscape.data.kinds import Kind, Kinds, states_only
from dagscape.data.odd_numbers import odd_numbers
from dagscape.data.oddities import oddities
from dagscape.data.options import Options
from dagscape.data.refusals import refuse_rows
from dagscape.data.roles import ROLES, Roles
from dagscape.data.row_weights import build_rows
from dagscape.data.rows import Rows
from dagscape.data.table_rows import TableRows
from dagscape.data.write import write_frame
from dagscape.errors import DataWarning, ParameterError
from dagscape.notes import OF_ROWS, Note, sentences
from dagscape.speech import in_python
from dagscape.variables import Variables, suggest

if TYPE_CHECKING:
    import pandas as pd


def check_data(data: object, *, gaps: bool = False, rows: Collection[str] = ()) -> None:
    """Refuse what is not a Data, and missing cells unless they are allowed.

    And one of whose rows more is said than the facts that are obeyed (``rows``).
    """
    if not isinstance(data, Data):
        raise ParameterError(
            f"data must be a ds.Data, got {type(data).__name__}; wrap a table: ds.Data(table)"
        )
    if not gaps:
        refuse_gaps(data)
    refuse_rows(data, rows)


class Data(TableRows):
    """A table of discrete and continuous variables; it never changes.

    Columns of decimal numbers are continuous, and so are whole numbers with more than 20 different
    values (or more than 10, if these are more than half as many as the rows that have one), up to
    2^53: longer ones name something. Strings, other integers, booleans and categories are states.
    So are decimal numbers that are all whole, of no more values than these. States are kept as
    strings, in natural order ("s2" before "s10", numbers by value); categories keep the order and
    the unused levels that their column declares.

    Parameters
    ----------
    frame
        A pandas, polars or pyarrow frame (or another that narwhals reads), a dict of columns, or
        a two-dimensional NumPy array, rows by variables. An index is not a column. What comes in
        parts is read part by part, and held as codes alone: whatever has ``__arrow_c_stream__``
        (results of DuckDB and ADBC, readers of pyarrow), lazy frames of polars, frames of Dask.
    names
        Names of the columns of an array; X1, X2, ... by default.
    states
        Declared states by column, in their order; other values are an error. Without it the
        states are those of a categorical type, else those that occur.
    discretize
        How to cut columns of floats into states: ``"mean"`` or ``"median"`` (two states, up to it
        and above), ``("quantile", k)`` or ``("width", k)``; ``("mdl", "ill")`` cuts where that says
        most about the states of "ill" (Fayyad and Irani, 1993), and not at all if it says nothing;
        at points of your own, ``[18.5, 25]``, with names for the intervals ``([18.5, 25], ["thin",
        "normal", "heavy"])``; or a dict by column, which may name columns of integers too. An
        interval includes its upper bound. Intervals are named by their bounds; those that nothing
        falls into are left out, except your own. Where one rule is given for all, integers are
        states.
    missing
        What to do with nulls and NaN: ``"error"``, ``"drop"`` their rows first of all, fill with
        the ``"mode"`` of the column or with a value drawn at ``"random"`` from it, make them a last
        ``"state"`` named "missing", or ``"keep"`` them: :attr:`missing` describes them, and
        functions that need a value in every cell refuse the table; ``"indicator"`` keeps them and
        adds columns such as "x missing", variables that say where others have no value. With
        ``"mode"`` a continuous column takes its median; its gaps cannot be a state.
    seed
        For ``missing="random"``.
    kinds
        ``"discrete"`` or ``"continuous"`` by column, where the rule above would say otherwise;
        ``"ordered"`` for numbers as states in their order, and for `states` whose order counts.
        :func:`default_score` scores these by their ranks; other scores of states use no order.
    missing_values
        Strings that mean a missing value, besides nulls and NaN; "-9" also where a number is -9.
    trim
        Whether to take blanks away from both ends of strings.
    decimal
        ``","`` reads strings such as "2,5" as numbers, in columns that hold nothing else.
    bounds
        What bounds among numbers are ("<0.3", below what can be measured): ``"text"``, half of the
        limit (``"half"``; those above a limit are the limit) or the ``"limit"`` itself.
    dates
        Parts that stand for dates and times, which are refused otherwise: "days" since the first,
        "hour", "weekday", "month", "year": for all (``"days+hour"``) or ``{"admitted": "hour"}``.
    strict
        False mends what is plain (blanks, words for a missing value, decimal commas, bounds), keeps
        gaps, and leaves out identifiers and dates; `notes` tell it. What is given stays.
    rows_independent
        Whether rows are independent of each other: False for several rows of one subject, or for
        rows of successive days. None: unknown, and :func:`learn` looks whether they seem to be.
        Unless they are, it calls no edge more than open.
    weights
        Name of a column that says how often each row occurs, in whole numbers, as in a table that
        was counted (``GROUP BY``). Every answer is that of the table with each row repeated. This
        column and the next three are no variables.
    survey_weights
        Name of a column of numbers that says for how much each row stands, as surveys have them.
        Scores count (Σw)² / Σw² rows, and probabilities are approximate.
    clusters
        Name of a column that says whose a row is, where several rows are of one subject. Counts are
        divided by a design effect, estimated from the table; subjects are drawn and shuffled as
        wholes.
    groups
        Name of a column that says where a row is from, where networks are the same at each site,
        and parameters need not be.
    interventions
        Which variables experiments set, in which rows: :class:`Interventions`.
    leave_out
        Columns that are not to be in the table, such as one that numbers the rows.
    progress
        Hears how many rows of a table in parts are read; True shows a bar.

    Notes
    -----
    Infinite values are refused. Continuous columns that never change, repeat or add up others, or
    have values far off are named in :attr:`warnings`.
    A polars Categorical declares no order (an Enum does): its states are those that occur.
    Two tables are equal if names, states and values are, whatever the order of their columns.
    A table that keeps missing cells can be completed later: ``ds.Data(data, missing="drop")``.
    """

    __slots__ = (
        "_arities",
        "_codes",
        "_done",
        "_fingerprint",
        "_looked_for_repeats",
        "_looked_over",
        "_missing",
        "_mixed",
        "_notes",
        "_numbers",
        "_scorers",
        "_states",
        "_table",
        "_variables",
    )

    def __init__(
        self,
        frame: object,
        *,
        names: Sequence[str] | None = None,
        states: Mapping[str, Sequence[object]] | None = None,
        discretize: Discretize = None,
        missing: str = "error",
        seed: int = 0,
        kinds: Kinds = None,
        missing_values: Collection[str] = (),
        trim: bool = False,
        decimal: str = ".",
        bounds: str = "text",
        dates: Dates = None,
        strict: bool = True,
        rows_independent: bool | None = None,
        weights: str | None = None,
        survey_weights: str | None = None,
        clusters: str | None = None,
        groups: str | None = None,
        interventions: Interventions | None = None,
        leave_out: Collection[str] = (),
        progress: ShowProgress = None,
    ) -> None:
        options = Options.check(
            states=states, discretize=discretize, missing=missing, seed=seed, kinds=kinds
        )
        rules = CellRules.check(None, missing_values, trim, decimal, bounds, dates=dates)
        as_switch("strict", strict)
        roles = Roles.check(
            rows_independent=rows_independent,
            weights=weights,
            survey_weights=survey_weights,
            clusters=clusters,
            groups=groups,
            interventions=interventions,
        )
        if isinstance(frame, Data):
            if not rules.plain:
                raise ParameterError("the table is Data already: its cells are read")
            if any(given is not None for given in (names, states, discretize, kinds)):
                raise ParameterError(
                    "the table is Data already: it takes no names, states, cuts or kinds"
                )
            if leave_out:
                raise ParameterError("the table is Data already; take columns of it: select")
            if roles.given not in ((), ("rows_independent",)):
                raise ParameterError(
                    "the table is Data already, and its columns are variables: name those that "
                    f"say what rows are ({roles.given[-1]}) where it is made"
                )
            built = completed(frame, options)
            rows = frame.rows if built.kept is None else frame.rows.take(built.kept)
            rows = rows.since(built.before)
            said = rows_independent is not None
            rows = rows.but(independent=rows_independent) if said else rows
        else:
            with followed(progress) as tell:
                columns, rules, options, named = columns_to_build(
                    frame, names, leave_out, rules, options, roles, strict=strict, tell=tell
                )
            columns, rows = roles.apart(rules.read(columns), options.states)
            built, rows = build_rows(columns, rows, options)
            built = replace(built, notes=(*named, *built.notes))
        self._set(built)
        self._of_rows(rows)
        if not isinstance(frame, Data):
            self._warn(stacklevel=3)

    def _set(self, built: Built) -> None:
        self._variables = Variables(built.names)
        self._states = MappingProxyType(dict(zip(built.names, built.states, strict=True)))
        self._arities = MappingProxyType({name: len(s) for name, s in self._states.items()})
        self._codes = built.codes
        numbers = {name: built.numbers[name] for name in built.names if name in built.numbers}
        for values in numbers.values():
            values.flags.writeable = False
        self._numbers = MappingProxyType(numbers)
        self._mixed: _core.MixedTable | None = None
        self._done = built.notes
        self._notes: tuple[Note, ...] | None = None
        self._looked_over = self._looked_for_repeats = False  # see closer_look.py, repeats.py
        self._rows_of = Rows()
        self._written_out: Data | None = None
        self._fingerprint: str | None = None
        self._missing: MissingCells | None = None
        self._table: _core.Table | None = None
        self._scorers: dict[Hashable, _core.Scorer] = {}

    @classmethod
    def _of(cls, built: Built) -> Data:
        data = cls.__new__(cls)
        data._set(built)
        return data

    def _noting(self, found: Sequence[Note]) -> Data:
        """Return the same table, and all that was computed of it, with further notes."""
        data = Data.__new__(Data)
        for name in (*self.__slots__, *TableRows.__slots__):
            setattr(data, name, getattr(self, name))
        data._done, data._notes = (*self._done, *found), (*self.notes, *found)
        return data

    def _uncut(self) -> Data:
        """Return the table with numbers in the place of what was cut, as far as they are known."""
        before = self._rows_of.before
        if not (known := {} if before is None else dict(before.numbers)):
            return self
        states = tuple(() if x in known else own for x, own in self._states.items())
        made = Data._of(Built(self.names, states, self._codes, self._done, self._numbers | known))
        return made._of_rows(self._rows_of)

    def _saying(self, rows: Rows) -> Data:
        """Return a table with the same cells, and with these facts about its rows."""
        labels = tuple(self._states.values())
        built = Built(self.names, labels, self._codes, self._done, self._numbers)
        return Data._of(built)._of_rows(rows)

    def _data(self) -> Data:
        return self

    def _of_rows(self, rows: Rows) -> Data:
        """Return the same table, with what is known of its rows."""
        self._rows_of = rows
        return self

    @classmethod
    def _build(cls, columns: list[Column], options: Options, roles: Roles = Roles()) -> Data:  # noqa: B008
        variables, rows = roles.apart(columns, options.states)
        columns.clear()  # each is let go of as soon as it is packed
        built, rows = build_rows(variables, rows, options)
        return cls._of(built)._of_rows(rows)

    @classmethod
    def _of_columns(cls, columns: Sequence[Column], settings: Mapping[str, Any]) -> Data:
        """Make a table of columns by settings of :class:`Data`, as it would be made of a frame."""
        roles = {name: settings[name] for name in ROLES if name in settings}
        given = {name: value for name, value in settings.items() if name not in ROLES}
        usual = {"states": None, "discretize": None, "missing": "error", "seed": 0, "kinds": None}
        if odd := given.keys() - usual.keys():
            raise ParameterError(f'unknown setting "{min(odd)}"{suggest(min(odd), usual)}')
        data = cls._build([*columns], Options.check(**{**usual, **given}), Roles.check(**roles))
        data._warn(stacklevel=4)
        return data

    @classmethod
    def _read(cls, columns: Sequence[Column], settings: Mapping[str, Any]) -> Data:
        """Make a table of columns by settings of :class:`Data`, without a word about losses."""
        rules = CellRules.of({"missing_values": (), **settings})
        missing, kinds = settings.get("missing", "error"), settings.get("kinds")
        options = Options.check(states=None, discretize=None, missing=missing, seed=0, kinds=kinds)
        return cls._build(rules.read(columns), options)

    def _warn(self, stacklevel: int) -> None:
        """Warn whoever made the table of what must not be overlooked."""
        for said in sentences(self._done, in_python):
            if said.loud:
                warnings.warn(said.words, DataWarning, stacklevel=stacklevel)

    @classmethod
    def from_codes(cls, codes: NDArray[Any], states: Mapping[str, Sequence[object]]) -> Data:
        """Make a table from codes, rows by variables, and the states they count from 0.

        Nothing is inferred: every declared state counts, whether it occurs or not.
        """
        return cls._of(from_codes(codes, states))

    @classmethod
    def from_columns(
        cls, columns: Mapping[str, NDArray[Any]], states: Mapping[str, Sequence[object]]
    ) -> Data:
        """Make a table of columns of codes, with the states they count from 0, and of numbers.

        Columns without states are numbers. Nothing is inferred: every declared state counts,
        whether it occurs or not.
        """
        return cls._of(from_columns(columns, states))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in the order of the source."""
        return self._variables.names

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What each variable is: "discrete" or "continuous"."""
        return MappingProxyType(
            {x: "continuous" if x in self._numbers else "discrete" for x in self.names}
        )

    @property
    def states(self) -> Mapping[str, tuple[str, ...]]:
        """States of each variable, in their order; continuous ones have none."""
        return self._states

    @property
    def arities(self) -> Mapping[str, int]:
        """Number of states of each variable; 0 for continuous ones."""
        return self._arities

    @property
    def numbers(self) -> Mapping[str, NDArray[np.float64]]:
        """Values of the continuous variables, row by row, read-only; NaN where one is missing."""
        return self._numbers

    @property
    def n_rows(self) -> int:
        """Number of rows, each as often as it occurs."""
        times = self._rows_of.times
        return int(self._codes.shape[0]) if times is None else int(times.sum())

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return int(self._codes.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes that codes and numbers take."""
        return int(self._codes.nbytes) + sum(one.nbytes for one in self._numbers.values())

    @property
    def codes(self) -> Codes:
        """Codes of the states, rows by variables, column-major, read-only.

        The code of a missing cell is the number of states of its column.
        A table with continuous variables has no such thing, and the attempt is refused.
        """
        if self._numbers:
            raise states_only(self.names, self.kinds)
        return self._written._codes

    def column(self, name: str) -> NDArray[Any]:
        """Return the codes of a discrete variable, or the numbers of a continuous one, read-only.

        The code of a missing cell is the number of states, a missing number is NaN.
        """
        if isinstance(name, str) and name in self._numbers:
            return self._numbers[name]
        rank = self._variables.display_rank(self._variables.number(name))
        return np.asarray(self._written._codes[:, rank])

    @property
    def missing(self) -> MissingCells:
        """The missing cells that the table keeps: how many, where, and which go together."""
        if self._missing is None:
            arities = tuple(self._arities.values())
            self._missing = MissingCells(self.names, arities, self._codes)
        return self._missing

    @property
    def rows_independent(self) -> bool | None:
        """Whether the rows are independent of each other, as the user says; None: unknown."""
        return self._rows_of.independent

    @property
    def rows(self) -> Rows:
        """What is said of the rows: how often they occur, whose they are, where they are from."""
        return self._rows_of

    @property
    def variables(self) -> Variables:
        """The names, and the numbers that the engine knows them by."""
        return self._variables

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was done to the table as it was read, and what is odd about it, as facts.

        Rows and cells lost, cuts made, states that look like missing values, and the like. Reports,
        results of commands and files include them; what is lost beyond a tenth is also a
        :class:`DataWarning` when the table is made.
        """
        if self._notes is None:
            odd = oddities(
                self._with_states(), self.n_variables, self.n_rows, self.counts, self._done
            )
            said = self._rows_of.notes(self.n_rows)
            self._notes = (*self._done, *said, *odd, *odd_numbers(self._numbers))
        return self._notes

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know before trusting the table: a sentence for each of the notes.

        Left out is what was done as asked: cuts, and missing values made a state.
        """
        return tuple(
            said.words
            for said in sentences(self.notes, in_python)
            if any(note.level != "fact" for note in said.notes)
        )

    @property
    def lost_as_text(self) -> tuple[str, ...]:
        """What a text file (.csv, .tsv) of the table would lose: a sentence for each loss.

        States that read as missing values ("NA") or as numbers ("1.5"), numbers that read as
        states. Text files never keep states that do not occur, nor their order.
        """
        return lost_in_text(self)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of names, states and values; the order of the columns does not matter."""
        if self._fingerprint is None:
            self._fingerprint = fingerprint_of(self)
        return self._fingerprint

    @property
    def _engine_table(self) -> _core.Table:
        """The engine's own copy of states, made when first asked for and kept."""
        if self._numbers:
            raise states_only(self.names, self.kinds)
        if self._table is None:
            refuse_gaps(self)
            # Columns of the past are given no parents by searches; scores divide the counts.
            refuse_rows(self, ("series", "survey_weights", "clusters"))
            weights, _ = self._rows_of.counted
            self._table = _core.Table(self._engine_columns(), self._engine_arities(), weights)
        return self._table

    @property
    def _engine_mixed(self) -> _core.MixedTable:
        """The engine's own copy of states and numbers, made when first asked for and kept."""
        if self._mixed is None:
            refuse_gaps(self)
            refuse_rows(self, ("series", "clusters"))
            _, unit = self._rows_of.counted
            ordered = self._variables.in_engine_order()
            coded = zip(ordered, self._engine_columns(), strict=True)
            columns: list[NDArray[Any]] = [self._numbers.get(name, own) for name, own in coded]
            self._mixed = _core.MixedTable(columns, self._engine_arities(), unit)
        return self._mixed

    def counts(self, name: str) -> dict[str, int]:
        """Return how many rows have each state of a discrete variable."""
        column = self._codes[:, self._variables.display_rank(self._variables.number(name))]
        found = occurrences(column, self._arities[name], self._rows_of.times)
        return {label: int(n) for label, n in zip(self._states[name], found, strict=False)}

    def _scorer_of(self, key: Hashable, make: Callable[[], _core.Scorer]) -> _core.Scorer:
        """Return the engine's scorer for a score, made when first asked for and kept."""
        if key not in self._scorers:
            self._scorers[key] = make()
        return self._scorers[key]

    def _with_states(self) -> dict[str, tuple[str, ...]]:
        """Return the states of the discrete variables."""
        return {name: own for name, own in self._states.items() if name not in self._numbers}

    def _engine_arities(self) -> list[int]:
        return [self._arities[name] for name in self._variables.in_engine_order()]

    def _engine_columns(self) -> list[Codes]:
        ranks = (self._variables.display_rank(number) for number in range(self.n_variables))
        return [self._codes[:, rank] for rank in ranks]

    def select(self, names: Sequence[str]) -> Data:
        """Return a table of these variables, in this order."""
        if not (wanted := as_list("names", names, "at least one name")):
            raise ParameterError(f"names must be a list of at least one name, got {names!r}")
        chosen = Variables(wanted)
        ranks = [self._variables.display_rank(self._variables.number(n)) for n in chosen.names]
        states = tuple(self._states[name] for name in chosen.names)
        about = {None, *chosen.names}
        done = tuple(note for note in self._lasting if note.column in about)
        codes = narrow(self._codes[:, ranks], states)
        built = Built(chosen.names, states, codes, done, self._numbers)
        return Data._of(built)._of_rows(self._rows_of.of(chosen.names))

    @property
    def _lasting(self) -> tuple[Note, ...]:
        """What was done to the table, without what is true of exactly these rows."""
        return tuple(note for note in self._done if note.kind not in OF_ROWS)

    def to_polars(self) -> pl.DataFrame:
        """Return a polars frame of floats, and of Enums, which keep states and their order."""
        return polars_frame(self._states, self._written._codes, self._numbers)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame of floats, and of categories, which keep states and their order."""
        return pandas_frame(self._states, self._written._codes, self._numbers)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file: .csv, .tsv (also .gz, .zst), .parquet, .arrow, .feather.

        Parquet and Arrow files keep states that do not occur, and their order. Text files do
        not; what else they would change, :attr:`lost_as_text` says. A state that reads as a missing
        value ("", "NA", ...) comes back only with ``read_data(..., missing_values=())``.
        """
        write_frame(self.to_polars(), path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Data) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return shown(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # The engine's copy cannot travel to another process; it is made again there.
        states, numbers = tuple(self._states.values()), dict(self._numbers)
        built = Built(self.names, states, self._codes, self._done, numbers)
        return _made_again, (built, self._rows_of)


def _made_again(built: Built, rows: Rows) -> Data:
    built = replace(built, codes=narrow(built.codes, built.states))
    return Data._of(built)._of_rows(rows)
