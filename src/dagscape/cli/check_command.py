"""``dagscape check``: all that is wrong with a table, and one command that reads it well."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import Json
from dagscape.cli.output import emit, emit_json, note
from dagscape.speech import speaking_of

FIXED = {
    "separator": "commas between cells",
    "header": "a line of names",
    "decimal": "decimal points",
    "trim": "no blanks around cells",
    "missing_values": "empty cells for missing values",
}
READING = {
    "separator": "--separator",
    "missing_values": "--na",
    "trim": "--trim",
    "decimal": "--decimal",
    "header": "--no-header",
    "missing": "--missing",
    "leave_out": "--leave-out",
    "discretize": "--discretize",
    "clusters": "--clusters",
    "rows_independent": "--rows-independent",
    "bounds": "--bounds",
}
"""Options of the commands that read tables, which sentences speak of here."""


def check(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table (.csv, .tsv, .parquet, .arrow).")
    ],
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write a copy with harmless problems fixed, DATA-fixed.csv."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where --fix writes the copy."),
    ] = None,
    json: Json = False,
) -> None:
    """Look for everything that may be wrong with a table, and fill in the command that reads it.

    One line for each problem, with counts and examples; the last line is the command. --fix changes
    only how cells are written: separators, decimal commas, blanks, words for missing values.
    """
    with speaking_of(READING):
        found = ds.check(data)
        if fix or output is not None:
            fixed = output or found.copy
            found.write(fixed)
            done = [FIXED[name] for name in FIXED if name in found.harmless]
            if any(each.kind == "twin_numbers" for each in found.notes):
                done.append("whole numbers without a point")
            if found.renamed:
                done.append("a name of its own for every column")
            note(f"{fixed} has {', '.join(done) or 'the cells as they were'}")
            if found.unreadable:
                note(f"{fixed} lacks columns that cannot be read: {', '.join(found.unreadable)}")
            found = ds.check(fixed)
        if json:
            emit_json(found.to_dict())
        else:
            emit(str(found))
