"""``dagscape sample``: rows drawn from a network."""

from pathlib import Path
from typing import Annotated

import typer

from dagscape.cli.inputs import NetworkName, Seed, read_network
from dagscape.cli.output import emit_file, note, note_losses
from dagscape.words import counted


def sample(
    network: NetworkName,
    rows: Annotated[int, typer.Option("--rows", "-n", min=1, max=10**12, help="How many rows.")],
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write (.csv, .tsv, .parquet, .arrow).",
            show_default="CSV on stdout",
        ),
    ] = None,
) -> None:
    """Draw rows from a network."""
    data = read_network(network).sample(rows, seed)
    if output is not None:
        data.write(output)
        size = f"{counted(data.n_rows, 'row')} of {counted(data.n_variables, 'variable')}"
        note(f"{size} in {output}")
        note_losses(data, output)
        return
    emit_file("sample.csv", data.write)
    note_losses(data, Path("sample.csv"))
