"""``dagscape predict``: a variable of a network, for the rows of a table."""

from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

import dagscape as ds
from dagscape.cli.inputs import Json, NetworkName, read_network
from dagscape.cli.output import emit, emit_json, note, write_text
from dagscape.files.spreadsheets import guarded_frame


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
    json: Json = False,
) -> None:
    """Predict a variable for every row of a table."""
    net = read_network(network)
    if not net.states.get(target, (target,)):
        _numbers(net.predict(rows, target), target, output, json)
        return
    found = net.predict_proba(rows, target, threads=threads)
    states = net.states[target]
    best = [states[place] for place in found.argmax(axis=1)]
    if json:
        content = [
            {"prediction": state, "probabilities": dict(zip(states, map(float, line), strict=True))}
            for state, line in zip(best, found, strict=True)
        ]
        emit_json({"target": target, "rows": content})
        return
    columns = {f"P({state})": found[:, place] for place, state in enumerate(states)}
    frame = pl.DataFrame({"row": range(1, len(best) + 1), target: best, **columns})
    _write(frame, output, digits=6)


def _numbers(found: Any, target: str, output: Path | None, json: bool) -> None:
    """Write the means of a variable with numbers."""
    if json:
        emit_json({"target": target, "rows": [{"prediction": float(mean)} for mean in found]})
        return
    _write(pl.DataFrame({"row": range(1, len(found) + 1), target: found}), output, digits=None)


def _write(frame: pl.DataFrame, output: Path | None, *, digits: int | None) -> None:
    text = guarded_frame(frame).write_csv(float_precision=digits)
    if output is None:
        emit(text.removesuffix("\n"))
        return
    if output.suffix.lower() != ".csv":
        raise ds.ParameterError(f'"{output}" must end in .csv')
    write_text(output, text)
    note(f"{len(frame):,} predictions in {output}")
