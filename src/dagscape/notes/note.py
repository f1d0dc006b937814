"""One fact about a table, as data; its sentence is made where it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from dagscape.errors import ParameterError

Level = Literal["fact", "warning", "loud"]

MOST_LOST = 0.1
"""What may be lost or filled in without being loud about it: a tenth."""

MOST_EXAMPLES = 10
"""Examples that a note keeps where there may be many."""

INVENTED = ("mode", "random")
"""Policies for missing values that put in values nobody observed."""


KINDS: dict[str, tuple[str, ...]] = {
    "rows_dropped": ("rows", "dropped"),
    "missing_cells": ("cells", "rows"),
    "cut": ("asked", "states"),
    "not_cut": ("numbers", "others", "states"),
    "missing_words": ("cells",),
    "blanks": ("states", "cells", "twins"),
    "constant": (),
    "dates": (),
    "decimal_commas": (),
    "many_integers": ("states",),
    "numbers": ("values",),
    "whole_floats": ("states",),
    "few_integers": ("states",),
    "ordered": ("states",),
    "far_values": ("cells",),
    "copy": (),
    "sum_of_others": (),
    "names_are_values": (),
    "one_column": (),
    "few_rows": ("rows",),
    "empty_rows": ("rows", "empty"),
    "names_made_text": ("columns",),
    "separator": (),
    "no_header": (),
    "no_values": (),
    "identifier": ("states", "rows"),
    "many_states": ("states", "rows"),
    "number_codes": ("cells",),
    "twin_numbers": ("values", "cells"),
    "twin_words": ("values", "cells"),
    "indicator": ("cells", "rows"),
    "gaps_go_with": ("cells", "rows", "tests"),
    "near_copy": ("agree", "rows"),
    "gaps": ("cells", "rows"),
    "infinite": ("cells",),
    "unreadable": (),
    "renamed": ("columns",),
    "sorted_by": (),
    "neighbors_alike": ("distance", "cells", "alike", "expected"),
    "rows_copied": ("rows", "distinct", "times", "alike"),
    "rows_repeat": ("rows", "distinct", "expected"),
    "rows_share": ("rows", "values"),
    "rows_weighted": ("lines", "different", "rows"),
    "rows_dependent": (),
    "weights": ("rows",),
    "survey_weights": ("rows", "effective"),
    "clusters": ("rows", "clusters", "effective"),
    "groups": ("rows", "groups"),
    "interventions": ("rows", "experiments", "targets", "observed"),
    "always_set": ("rows",),
    "series": ("series", "rows", "dropped"),
    "lagged": ("lag",),
    "known_ahead": (),
    "lag_score": ("lag", "chosen"),
    "read_as": (),
    "left_out": ("states", "rows"),
    "words_for_gaps": ("cells",),
    "trimmed": ("cells",),
    "commas_read": ("cells",),
    "bounds_read": ("cells",),
}
"""Every kind of note, and the counts it has."""

OF_TABLES = (
    "rows_dropped",
    "names_are_values",
    "few_rows",
    "empty_rows",
    "names_made_text",
    "separator",
    "no_header",
    "renamed",
    "read_as",
    "sorted_by",
    *("series", "lag_score", "interventions"),
    *(
        "neighbors_alike",
        "rows_copied",
        "rows_repeat",
        "rows_share",
        "rows_weighted",
        "rows_dependent",
    ),
)
"""Kinds that are about no single column."""

DEPENDENT = (
    "neighbors_alike",
    "rows_copied",
    "rows_repeat",
    "rows_share",
    "rows_weighted",
    "rows_dependent",
)
"""Kinds that say that rows are not independent of each other."""
AT_FIRST_SIGHT = (
    *("read_as", "left_out", "words_for_gaps", "trimmed", "commas_read", "bounds_read"),
)
"""Kinds that tell how a table was read where nobody said how."""
SAID_OF_ROWS = ("weights", "survey_weights", "clusters", "groups", "interventions")
"""Kinds that repeat what a column says of the rows."""
OF_ROWS = ("sorted_by", *DEPENDENT)
"""Kinds that are no longer true of some of the rows, or of some columns."""

WITH_EXAMPLES = (
    *("missing_words", "blanks", "constant", "dates", "decimal_commas"),
    *("names_are_values", "names_made_text", "whole_floats", "few_integers", "ordered"),
    *("far_values", "copy", "indicator", "gaps_go_with"),
    *("separator", "no_header", "identifier", "number_codes", "twin_numbers", "read_as"),
    *(
        "twin_words",
        "unreadable",
        "rows_share",
        "renamed",
        "sorted_by",
        "lag_score",
        "interventions",
    ),
)
"""Kinds that have an example at least."""


SAID_OF_SERIES = ("series", "lagged", "known_ahead", "lag_score")
"""Kinds that tell what a table of series is."""


@dataclass(frozen=True, slots=True)
class Note:
    """A fact about a table that a reader of what is learned from it should know.

    Immutable. `counts` has whole numbers by name, `examples` has states or values.

    ``"rows_dropped"``
        Rows with missing values are gone: `counts` has "rows" (before) and "dropped".
    ``"missing_cells"``
        A column had missing cells. `how` says what became of them ("keep": nothing; "drop": their
        rows are gone; "mode", "random", "state"); `counts` has "cells" and "rows".
    ``"cut"``
        A column of numbers was cut. `how` is the rule, `counts` has the intervals "asked" for and
        the "states" made, `examples` the first of these.
    ``"not_cut"``
        A column of numbers has cells that are not numbers, so each value is a state of its own.
        `how` is the rule by which it should have been cut, if one was given; `counts` has
        "numbers" and "others" (cells) and "states"; `examples` are the others, most frequent
        first.
    ``"missing_words"``
        States of a column read as if the value were missing: "n/a", ".", "unknown". `counts` has
        "cells".
    ``"blanks"``
        States of a column begin or end with blanks. `counts` has "states", "cells", and "twins":
        how many of them are other states once the blanks are gone.
    ``"constant"``, ``"dates"``, ``"decimal_commas"``, ``"many_integers"``
        What the states of a column are.
    ``"empty_rows"``
        Rows without any value, which add nothing: `counts` has "rows" and "empty".
    ``"numbers"``
        A column is continuous. `how` says why: "decimals", "many_integers", "spread_integers" or
        "asked"; `counts` has the different "values".
    ``"whole_floats"``
        Decimal numbers that are all whole and few were taken for states; `counts` has "states".
    ``"few_integers"``
        Whole numbers with few different values were taken for states, beside columns that are
        continuous; `counts` has "states".
    ``"ordered"``
        A column of states has an order, as the user says; `counts` has the "states".
    ``"far_values"``, ``"copy"``, ``"sum_of_others"``
        A continuous column has values far from all others (`counts` has "cells"), or is another
        column up to scale, or a weighted sum of others.
    ``"names_made_text"``
        Columns were named by whole numbers, which became text: `counts` has "columns".
    ``"separator"``, ``"no_header"``, ``"no_values"``, ``"identifier"``, ``"many_states"``
        What :func:`dagscape.check` finds of a file and of its columns.
    ``"number_codes"``, ``"twin_numbers"``
        Numbers that stand for a missing value (-9), or are spelled in several ways ("1", "1.0").
    ``"twin_words"``
        States of a column differ only in upper and lower case ("Female", "female"): `counts` has
        the "values" that are spelled in several ways, and their "cells".
    ``"gaps"``
        A column has "cells" without a value, in so many "rows".
    ``"indicator"``
        A column says in which rows the columns that `examples` name have no value: so many "cells"
        of the "rows".
    ``"gaps_go_with"``
        Whether a column has no value goes with what the column that `how` names says. `examples`
        are the probability of as much by chance; then, of states, the one that tells most of it,
        and the shares of missing cells there and elsewhere; of numbers, "", and the medians where a
        cell is missing and where not. `counts` has the missing "cells" of the "rows", and how many
        such "tests" were done.
    ``"near_copy"``
        A column says the same as the column that `how` names, in "agree" of "rows".
    ``"infinite"``
        A column of numbers has infinite ones, in so many "cells".
    ``"unreadable"``
        A column holds what can be neither states nor numbers. `how` says why ("type", "types",
        "states", "categories", "shape"); `examples` are types or values.
    ``"renamed"``
        So many "columns" had no name, or another's; `examples` are the new names.
    ``"sorted_by"``
        The rows are sorted by columns, which `examples` name.
    ``"neighbors_alike"``
        Rows at a "distance" in the file (1: neighbors) are more alike than independent rows: so
        many of so many "cells" are "alike", where so many are "expected".
    ``"rows_copied"``, ``"rows_repeat"``
        Of the "rows", so many are "distinct". Of these, too many ("alike") are there equally often
        ("times"); or more distinct ones are "expected" of a network. `examples` are the columns of
        which that is true, if not of all.
    ``"rows_share"``
        Of the "rows", those with the same of the "values" of a column of numbers (the first of the
        `examples`) agree in others, too, which follow it in no curve.
    ``"rows_weighted"``
        The weights of a column (`examples`) may be no counts: the "lines" with them, of which so
        many are "different", count as many "rows".
    ``"rows_dependent"``
        The rows are not independent, as the user says.
    ``"weights"``, ``"survey_weights"``, ``"clusters"``, ``"groups"``
        What the column says of the rows, see :class:`dagscape.Data`; of survey weights, how many
        rows of equal weights would tell as much ("effective").
    ``"interventions"``
        Rows come from so many "experiments", "observed" ones from none, and so many variables are
        "targets"; `examples` are the columns that say so.
    ``"always_set"``
        A variable was set in every row, so that nothing is learned of its causes.
    ``"series"``
        The table is of "rows" steps of so many "series"; "dropped" ones had no past. `how`:
        "within" if parents may be of the same step, else "across".
    ``"lagged"``, ``"known_ahead"``
        A column is the one that `how` names, so many steps before ("lag"), or is known ahead.
    ``"lag_score"``
        How well the longest "lag" scores (`examples`), and whether it was "chosen" (1 or 0).
    ``"read_as"``
        How a text file was read, as nobody said how: `how` is "separator", "header" (there is
        none), "names" (new ones) or "words" (for gaps, in all columns); `examples` show it.
    ``"left_out"``
        A column is no variable, and was left out. `how` says why: "identifier", "subjects" (an
        identifier that repeats), or another kind of note; `counts` has its "states" and "rows".
    ``"words_for_gaps"``, ``"trimmed"``, ``"commas_read"``, ``"bounds_read"``
        So many "cells" of a column had words for a missing value, blanks at an end, decimal commas,
        or bounds ("<0.3"), which became numbers: `how` is "half" (of the limit) or "limit".
    ``"names_are_values"``, ``"one_column"``, ``"few_rows"``
        What is odd about the whole table.
    """

    kind: str
    """What the note is about: one of the words above."""
    column: str | None = None
    """The column it is about; None for the whole table."""
    how: str = ""
    """The rule or policy that was followed, where there was one."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Numbers by name; read-only."""
    examples: tuple[str, ...] = ()
    """States or values that show it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))
        object.__setattr__(self, "examples", tuple(self.examples))
        if (
            set(self.counts) != set(KINDS.get(self.kind, ("unknown",)))
            or (self.column is None) is not (self.kind in OF_TABLES)
            or (self.kind in WITH_EXAMPLES and not self.examples)
            or (
                self.kind == "missing_cells"
                and self.how not in ("keep", "drop", "state", *INVENTED)
            )
        ):
            raise ParameterError(f"there is no such note: {self!r}")

    @property
    def level(self) -> Level:
        """How much it matters.

        "fact": done as asked. "warning": to be looked at. "loud": more than a tenth of the rows
        dropped or of a column's cells filled in, columns left out that nobody named, or left uncut
        that were to be cut, or rows that are not independent.
        """
        counts = self.counts
        if self.kind == "rows_dropped":
            return "loud" if counts["dropped"] > MOST_LOST * counts["rows"] else "warning"
        if self.kind == "missing_cells":
            if self.how not in INVENTED:
                return "fact"
            return "loud" if counts["cells"] > MOST_LOST * counts["rows"] else "warning"
        if self.kind == "not_cut":
            return "loud" if self.how else "warning"
        if self.kind in (*DEPENDENT, "left_out"):
            return "loud"
        done = ("cut", "numbers", "whole_floats", "few_integers", "ordered", "names_made_text")
        gaps = ("indicator", "gaps_go_with")
        facts = (*done, *gaps, "sorted_by", *SAID_OF_ROWS, *SAID_OF_SERIES, *AT_FIRST_SIGHT)
        return "fact" if self.kind in facts else "warning"

    @property
    def loud(self) -> bool:
        """Whether it must not be overlooked."""
        return self.level == "loud"

    def to_dict(self) -> dict[str, Any]:
        """Return the fact as plain values that JSON can hold."""
        return {
            "kind": self.kind,
            "level": self.level,
            "column": self.column,
            "how": self.how,
            "counts": dict(self.counts),
            "examples": list(self.examples),
        }

    @classmethod
    def from_dict(cls, values: object) -> Note:
        """Return the fact that :meth:`to_dict` wrote."""
        known = values if isinstance(values, Mapping) else {}
        kind, column, how = known.get("kind"), known.get("column"), known.get("how")
        counts, examples = known.get("counts"), known.get("examples")
        if (
            not isinstance(kind, str)
            or not isinstance(how, str)
            or not (column is None or isinstance(column, str))
            or not (isinstance(counts, Mapping) and isinstance(examples, list))
            or not all(type(number) is int for number in counts.values())
            or not all(isinstance(example, str) for example in examples)
        ):
            raise ParameterError(f"not a note on a table: {values!r}")
        return cls(kind, column, how, counts, tuple(examples))

    def __hash__(self) -> int:
        counts = tuple(self.counts.items())
        return hash((self.kind, self.column, self.how, counts, self.examples))

    def __reduce__(self) -> tuple[Callable[..., Note], tuple[Any, ...]]:
        # A read-only mapping cannot be pickled; it is made again from a plain one.
        return Note, (self.kind, self.column, self.how, dict(self.counts), self.examples)


def has_number(text: str) -> bool:
    """Tell whether text among numbers has a number in it: "<0.3", "70 kg"."""
    return any(map(str.isdigit, text))
