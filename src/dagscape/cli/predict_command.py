"""``dagscape predict``: a variable of a network, for the rows of a table."""

import re
from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Annotated

import polars as pl
import typer

import dagscape as ds
from dagscape.cli.file_kinds import ending_of
from dagscape.cli.folder import noted_in
from dagscape.cli.inputs import NETWORK_FILE, Json, NetworkName, read_network
from dagscape.cli.output import emit, emit_json, note, write_text
from dagscape.cli.reading import ROWS, Reading, RowReading
from dagscape.files.spreadsheets import guarded_frame

GAP = re.compile(r"missing(_\d+)?")
"""The state that --missing state adds to a column, as its last."""


def predict(
    network: NetworkName,
    rows: Annotated[
        Path,
        typer.Argument(
            metavar="ROWS",
            help="Table of cases (.csv, .tsv, .parquet, .arrow); cells and columns may be missing.",
        ),
    ],
    target: Annotated[str, typer.Option(metavar="NAME", help="The variable to predict.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write (.csv).", show_default="CSV on stdout"),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="How many; all by default.")] = None,
    reading: RowReading = ROWS,
    json: Json = False,
) -> None:
    """Predict a variable for every row of a table.

    With the network of a folder of learn, rows are read as the table was that it was learned from,
    but for the options that are given.
    """
    net = read_network(network)
    table = _rows(network, net, rows, reading)
    if not net.states.get(target, (target,)):
        _numbers(net.predict(table, target).tolist(), target, output, json)
        return
    probable = net.predict_proba(table, target, threads=threads)
    states = net.states[target]
    best = [states[place] for place in probable.argmax(axis=1)]
    if json:
        content = [
            {"prediction": state, "probabilities": dict(zip(states, line, strict=True))}
            for state, line in zip(best, probable.tolist(), strict=True)
        ]
        emit_json({"target": target, "rows": content})
        return
    columns = {
        f"P({state})": pl.Series(column, dtype=pl.Float64)
        for state, column in zip(states, probable.T, strict=True)
    }
    frame = pl.DataFrame({"row": range(1, len(best) + 1), target: best, **columns})
    _write(frame, output, digits=6)


def _rows(network: str, net: ds.Network, path: Path, reading: RowReading) -> pl.DataFrame:
    """Read the rows, as the table of the network's folder was if there is one, and say so."""
    named = Path(network)
    folder = named if named.is_dir() else named.parent
    learned = (folder / NETWORK_FILE).is_file()  # else a run.json there is something else
    source = noted_in(folder).get("source") if learned else None
    if not isinstance(source, dict):
        return reading.rows(path)
    before, table = str(source.get("file")), Reading.from_dict(source)
    alike = reading.like(table, separated=ending_of(path) == ending_of(before))
    taken = replace(alike, discretize=None)
    if taken != reading:
        note(f'rows are read as "{before}" was: {join(taken.options(ROWS))}')
    found = alike.rows(path)
    return _with_states_for_gaps(found, net) if table.missing == "state" else found


def _with_states_for_gaps(rows: pl.DataFrame, net: ds.Network) -> pl.DataFrame:
    """Return rows in which a gap is the state that stands for one, where the network has it."""
    states = {name: (net.states.get(name) or ("",))[-1] for name in rows.columns}
    return rows.with_columns(
        pl.col(name).fill_null(state)
        for name, state in states.items()
        if GAP.fullmatch(state) and rows[name].dtype == pl.String
    )


def _numbers(found: list[float], target: str, output: Path | None, json: bool) -> None:
    """Write the means of a variable with numbers."""
    if json:
        emit_json({"target": target, "rows": [{"prediction": mean} for mean in found]})
        return
    means = pl.Series(found, dtype=pl.Float64)
    _write(pl.DataFrame({"row": range(1, len(found) + 1), target: means}), output, digits=None)


def _write(frame: pl.DataFrame, output: Path | None, *, digits: int | None) -> None:
    text = guarded_frame(frame).write_csv(float_precision=digits)
    if output is None:
        emit(text.removesuffix("\n"))
        return
    if output.suffix.lower() != ".csv":
        raise ds.ParameterError(f'"{output}" must end in .csv')
    write_text(output, text)
    note(f"{len(frame):,} predictions in {output}")
