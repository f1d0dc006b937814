"""How a table is read: one object, made of the options that every command with a table has.

A command passes it on, and a folder notes it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import typer

import dagscape as ds
from dagscape.cli.column_options import as_cuts, as_dates, as_types
from dagscape.cli.file_kinds import GRAPH, NETWORK, SCORES, kind_of
from dagscape.cli.option_groups import Call, OptionGroup
from dagscape.cli.output import warn_of_losses
from dagscape.control import progress
from dagscape.control.limits import Progress

if TYPE_CHECKING:
    import polars as pl

AnyReading = TypeVar("AnyReading", bound="Reading")


LONG_READING = 1.0
"""Seconds that a file is read before a bar shows how far that is."""


def option(default: Any, **words: Any) -> Any:
    """Return a setting of this default with an option, in the words of :class:`typer.Option`."""
    return field(default=default, metadata=words)


@dataclass(frozen=True)
class Reading(OptionGroup):
    """How to read a table; the words are those of the command line."""

    missing: str = option(
        "error",
        metavar="POLICY",
        help="Missing values: error, drop, mode, random, state, keep or indicator.",
    )
    discretize: str | None = option(
        None,
        metavar="RULE",
        help="Cut columns of decimal numbers: mean, median, quantile:3, width:4, or mdl:ILL, "
        "where cuts say most about column ILL; or rules by column, with points of your own "
        "if you like: age=quantile:3,bmi=18.5,25:thin/normal/heavy.",
    )
    continuous: tuple[str, ...] = option(
        (), metavar="COLUMN", help="Column of numbers to treat as continuous; repeatable."
    )
    discrete: tuple[str, ...] = option(
        (), metavar="COLUMN", help="Column of numbers to treat as states; repeatable."
    )
    types: str | None = option(
        None,
        metavar="KINDS",
        help="What columns hold: age=continuous,item=states,grade=ordered, or words in their "
        "order: size=small<medium<large, or all states: color=red|green|blue.",
    )
    separator: str | None = option(
        None, metavar="CHAR", help="What separates the cells of a text file."
    )
    missing_values: str | None = option(
        None,
        metavar="WORDS",
        help="Cells that mean a missing value, besides the usual ones: n/a,.,unknown,-9.",
    )
    """Words that are missing values beside the usual ones, with commas between them."""
    trim: bool = option(False, help="Strip blanks from both ends of every cell.")
    decimal: str = option(
        ".",
        metavar="MARK",
        help="The decimal mark of numbers: a point or a comma.",
        show_default=".",
    )
    bounds: str = option(
        "text",
        metavar="WHAT",
        help='Bounds among numbers ("<0.3"): text, half of the limit, or limit.',
        show_default="text; half where a table is mended",
    )
    dates: str | None = option(
        None,
        metavar="PARTS",
        help="Parts that stand for dates: days, hour, weekday, month, year, joined by +; for "
        "all columns of dates, or by column: admitted=days+hour,born=year.",
    )
    strict: bool = option(False, help="Mend nothing and leave nothing out: refuse a table instead.")
    """Whether the table is read as these settings say, and in no other way."""
    repair_names: bool = option(False, help="Give columns without a name of their own one.")
    header: bool = option(True, help="The file has no line of names; its columns are X1, X2, ...")
    leave_out: tuple[str, ...] = option(
        (),
        metavar="COLUMN",
        help="Column to leave out, such as one that numbers the rows; repeatable.",
    )
    rows_independent: bool = option(
        False, help="The rows are independent of each other, even if they do not look so."
    )
    weights: str | None = option(
        None, metavar="COLUMN", help="Column that says how often each row occurs."
    )
    survey_weights: str | None = option(
        None, metavar="COLUMN", help="Column that says for how much each row stands."
    )
    clusters: str | None = option(
        None, metavar="COLUMN", help="Column that says which subject a row is of."
    )
    groups: str | None = option(
        None,
        metavar="COLUMN",
        help="Column that says where a row is from: one network, its parameters for each.",
    )
    interventions: str | None = option(
        None,
        metavar="COLUMN_OR_FILE",
        help="Rows come from experiments: column that names the variables that were set, "
        "joined by +, or a file that says more (.toml).",
    )
    """A column, or a file that ends with .toml."""
    time: str | None = option(
        None,
        metavar="COLUMN",
        help="Rows are steps of series: column that says when each was, numbers or dates.",
    )
    series: str | None = option(
        None, metavar="COLUMN", help="Column that says which series each row is of."
    )
    lags: str | None = option(
        None,
        metavar="N",
        help="Rows are steps of series: take the past up to so many steps back, or a list "
        "such as 1,7.",
        show_default="chosen by the score, where rows are steps",
    )
    within_step: bool = option(False, help="Of series: allow arcs within a time step, too.")
    known: tuple[str, ...] = option(
        (),
        metavar="COLUMN",
        help="Of series: column that is known ahead, such as the hour; repeatable.",
    )
    gaps: str | None = option(
        None,
        metavar="POLICY",
        help="Of series with gaps in time: error, or drop rows whose past is not there.",
        show_default="error",
    )
    given: tuple[str, ...] = field(default=(), compare=False)
    """The options that the user gave."""
    quiet: bool = field(default=False, compare=False)
    ended: list[str] = field(default_factory=list, compare=False)
    """What Ctrl-C ended, in words."""

    OFFERED: ClassVar[tuple[str, ...] | None] = None
    """The settings that a command has options for; None for all."""

    def offered(self) -> Mapping[str, tuple[Any, Any]]:
        """Return the options of a command; it is read so where none is given."""
        offered: dict[str, tuple[Any, Any]] = {}
        for each in SETTINGS:
            asked = self.OFFERED is None or each.name in self.OFFERED
            if not asked or (each.name == "strict" and self.strict):
                continue
            words = dict(each.metadata)
            if each.name == "missing":  # what it is by default differs by command
                words["show_default"] = self.missing
            flag = isinstance(each.default, bool)
            kind: Any = bool if flag else _kind(each.default)
            named = typer.Option(_option(each.name), **words)
            offered[each.name] = Annotated[kind, named], False if flag else None
        return offered

    def filled(self: AnyReading, said: Mapping[str, Any], call: Call) -> AnyReading:
        """Return it with what the user said."""
        settings = {name: value for name, value in said.items() if value is not None}
        settings["header"] = not said["header"]  # the option takes it away
        for name in ("continuous", "discrete", "leave_out", "known"):
            if name in settings:
                settings[name] = tuple(settings[name])
        given = tuple(_option(name) for name in said if _option(name) in call.given)
        return replace(self, **settings, given=given, quiet=call.quiet, ended=call.ended)

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults as plain values; the rest is None."""
        values = {}
        for each in NOTED:
            value = getattr(self, each.name)
            plain = list(value) if isinstance(value, tuple) else value
            values[each.name] = None if value == each.default else plain
        return values

    @classmethod
    def from_dict(cls, noted: Mapping[str, Any]) -> Reading:
        """Return what :meth:`to_dict` gave; other entries are passed over."""
        known: dict[str, Any] = {"strict": True}  # all that was settled at first sight is noted
        for each in NOTED:
            value = noted.get(each.name)
            if value is None:
                continue
            if isinstance(value, list) and all(isinstance(part, str) for part in value):
                value = tuple(value)
            if not isinstance(value, str if each.default is None else type(each.default)):
                raise ds.ParameterError(f"the folder's run.json is damaged: {each.name} {value!r}")
            known[each.name] = value
        return cls(**known)

    def mended(self, settings: Mapping[str, Any], kept: Collection[str] = ()) -> Reading:
        """Return it with what a check of the table asks for added; some columns are kept."""
        own = [] if self.missing_values is None else self.missing_values.split(",")
        words = [*own, *settings.get("missing_values", ())]
        added = [word for word in dict.fromkeys(words) if word and "," not in word]
        more = [name for name in settings.get("leave_out", ()) if name not in kept]
        left_out = [*self.leave_out, *more]
        numbers = [*self.continuous, *settings.get("kinds", ())]  # that is all it may ask for
        return replace(
            self,
            missing=settings.get("missing", self.missing),
            separator=settings.get("separator", self.separator),
            missing_values=",".join(w for w in added if w not in ds.data.MISSING_VALUES) or None,
            trim=settings.get("trim", self.trim),
            decimal=settings.get("decimal", self.decimal),
            bounds=settings.get("bounds", self.bounds),
            repair_names=settings.get("repair_names", self.repair_names),
            header=settings.get("header", self.header),
            leave_out=tuple(dict.fromkeys(left_out)),
            continuous=tuple(dict.fromkeys(numbers)),
        )

    def options(self, usual: Reading) -> list[str]:
        """Return it as words of a command whose defaults are the usual ones."""
        words: list[str] = []
        for each in SETTINGS:
            value, option = getattr(self, each.name), _option(each.name)
            if value == getattr(usual, each.name):
                continue
            if isinstance(value, bool):
                words.append(option)
            elif isinstance(value, tuple):
                words += [word for part in value for word in (option, part)]
            elif value.startswith("-"):  # else it would be taken for an option
                words.append(f"{option}={value}")
            else:
                words += [option, "tab" if value == "\t" else value]
        return words

    def read(self, path: Path, seed: int) -> ds.Data:
        """Read a table, and say at once if much of it is lost."""
        return self.settled(path, seed)[0]

    def settled(self, path: Path, seed: int) -> tuple[ds.Data, Reading]:
        """Read a table as it is plainly meant; return it, and how it was read."""
        self._refuse_others(path)
        if self.strict:
            table = self._read(path, seed)
            warn_of_losses(table)
            return table, self
        settings = self._settings(seed)
        with self.bar(path) as tell:
            seen = ds.data.contact_with_file(
                path, settings, kept=self.about_rows(path), progress=tell
            )
        changed = {
            name: value for name, value in seen.settings.items() if value != settings.get(name)
        }
        kinds = {
            name: kind
            for name, kind in (changed.pop("kinds", None) or {}).items()
            if name not in (settings["kinds"] or {})
        }
        reading = replace(self.mended(changed | {"kinds": kinds}), strict=True)
        table = reading._read(path, seed, seen.file or path)
        table = table._noting(seen.notes) if seen.notes else table
        warn_of_losses(table)
        return table, reading

    def about_rows(self, table: Path) -> list[str]:
        """Return the columns that say what rows are, which are no variables."""
        roles = (getattr(self, role) for role in ROLES)
        done = self._interventions(table)
        columns = () if done is None else done.columns
        return [*(name for name in roles if isinstance(name, str)), *columns]

    def _refuse_others(self, path: Path) -> None:
        """Refuse what is no table."""
        name = str(path)
        if not path.exists() and name in ds.embedded_networks():
            raise ds.ParameterError(
                f'"{name}" is a network, not a table; dagscape sample {name} -n 1000 -o '
                f"{name}.csv draws one from it"
            )
        ending = kind_of(path)
        if path.is_file() and ending in (NETWORK, GRAPH, SCORES) and self.separator is None:
            raise ds.ParameterError(f'"{name}" is a {ending} by its ending, not a table')

    def _settings(self, seed: int) -> dict[str, Any]:
        """Return the settings of :func:`dagscape.read_data` that both kinds of table take."""
        kinds, states = as_types(self.types, self.continuous, self.discrete)
        return {
            "leave_out": self.leave_out,
            "discretize": None if self.discretize is None else as_cuts(self.discretize),
            "seed": seed,
            "kinds": kinds,
            "states": states,
            **self._cells(),
        }

    def _cells(self) -> dict[str, Any]:
        """Return the settings that say how cells are written."""
        words = self.missing_values
        return {
            "separator": "\t" if self.separator in (r"\t", "tab") else self.separator,
            "missing_values": (*ds.data.MISSING_VALUES, *(words.split(",") if words else ())),
            "trim": self.trim,
            "decimal": self.decimal,
            "bounds": self.bounds,
            "dates": None if self.dates is None else as_dates(self.dates),
            "header": self.header,
            "repair_names": self.repair_names,
        }

    @contextmanager
    def bar(self, path: Path) -> Iterator[Progress | None]:
        """Show a bar while a file is read, if that takes long; say what Ctrl-C ended."""
        try:
            if self.quiet or not sys.stderr.isatty():
                yield None
                return
            with progress.bar(None, LONG_READING) as tell:
                yield tell
        except KeyboardInterrupt:
            self.ended.append(f'while reading "{path}"; nothing was learned from a part of it')
            raise

    def _read(self, path: Path, seed: int, source: os.PathLike[str] | None = None) -> ds.Data:
        """Read a table as the settings say; ``source`` is the same file, of which more is known."""
        settings = self._settings(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DataWarning)  # said below, in words of the shell
            if self.over_time:
                return self._series(path, settings)
            with self.bar(path) as tell:
                return ds.read_data(
                    path if source is None else source,
                    progress=tell,
                    missing=self.missing,
                    rows_independent=self.rows_independent or None,
                    weights=self.weights,
                    survey_weights=self.survey_weights,
                    clusters=self.clusters,
                    groups=self.groups,
                    interventions=self._interventions(path),
                    **settings,
                )

    def _interventions(self, table: Path) -> ds.Interventions | None:
        """Return what experiments did; a file is looked for here, and beside the table."""
        said = self.interventions
        if said is None:
            return None
        if not said.endswith(".toml"):
            return ds.Interventions(column=said)
        beside = table.parent / said
        return ds.read_interventions(
            said if Path(said).is_file() or not beside.is_file() else beside
        )

    @property
    def over_time(self) -> bool:
        """Whether the rows are steps of series."""
        return any(getattr(self, name) for name in ("time", "series", "lags", *ONLY_OVER_TIME))

    def _series(self, path: Path, settings: Mapping[str, Any]) -> ds.Data:
        """Read a table of series."""
        for name in NOT_OVER_TIME:
            if getattr(self, name):
                raise ds.ParameterError(
                    f"{_option(name)} does not go with a table of series: leave out either it or "
                    f"{', '.join(each for each in self.given if each[2:] in OVER_TIME)}"
                )
        if self.missing not in (AS_IT_IS.missing, WITH_GAPS.missing):
            raise ds.ParameterError(
                f"--missing {self.missing} does not go with a table of series: a cell is in "
                "several rows there, once for each lag; fill the cells before"
            )
        return ds.series(
            path,
            time=self.time,
            series=self.series,
            lags=None if self.lags is None else _as_lags(self.lags),
            within_step=self.within_step,
            known=self.known,
            gaps=self.gaps or "error",
            **settings,
        )


ONLY_OVER_TIME = ("within_step", "known", "gaps")
OVER_TIME = ("time", "series", "lags", "within-step", "known", "gaps")
NOT_OVER_TIME = (
    *("rows_independent", "weights", "survey_weights"),
    *("clusters", "groups", "interventions"),
)


def _as_lags(words: str) -> int | list[int]:
    """Return what --lags says: the longest, or a list."""
    try:
        lags = [int(word) for word in words.split(",")]
    except ValueError:
        raise ds.ParameterError(
            f'--lags must be a whole number of steps, or a list such as 1,7, got "{words}"'
        ) from None
    return lags if "," in words else lags[0]


class RowReading(Reading):
    """How to read rows to predict, which are taken as they are."""

    OFFERED: ClassVar[tuple[str, ...]] = (
        "separator",
        "missing_values",
        "trim",
        "decimal",
        "bounds",
        "dates",
        "repair_names",
        "header",
    )

    def like(self, other: Reading, *, separated: bool) -> RowReading:
        """Return it with what nobody gave an option for as another table was read.

        Cells are separated in the same way too, if ``separated``.
        """
        given = {*self.given, *(() if separated else ("--separator",))}
        same = [name for name in self.OFFERED or () if _option(name) not in given]
        return replace(self, **{name: getattr(other, name) for name in (*same, "discretize")})

    def rows(self, path: Path) -> pl.DataFrame:
        """Read rows; columns that were cut at points of the user's own are cut again."""
        rules = None if self.discretize is None else as_cuts(self.discretize)
        own = rules.items() if isinstance(rules, dict) else ()
        cuts = {name: rule for name, rule in own if not isinstance(rule[0], str)}
        return ds.data.read_rows(path, discretize=cuts, **self._cells())


SETTINGS = tuple(each for each in fields(Reading) if each.compare)
NOTED = tuple(each for each in SETTINGS if each.name != "strict")
ROLES = ("weights", "survey_weights", "clusters", "groups", "time", "series")
"""Settings that name a column which is no variable."""

AS_IT_IS = Reading(strict=True)
WITH_GAPS = Reading(missing="keep")
"""For commands that complete what is missing, and so can read a messy table at once."""
ROWS = RowReading()


def option_names() -> dict[str, bool]:
    """Return the options of a table, and whether a value follows each."""
    return {_option(each.name): not isinstance(each.default, bool) for each in SETTINGS}


def _kind(usual: object) -> Any:
    return list[str] | None if isinstance(usual, tuple) else str | None


def _option(name: str) -> str:
    """Return what a setting is called on the command line."""
    own = {"missing_values": "--na", "header": "--no-header"}
    return own.get(name, f"--{name.replace('_', '-')}")
