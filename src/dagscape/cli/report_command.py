"""``dagscape report``: a page to look at what was found."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import (
    GRAPH_KINDS,
    Seed,
    read_graph,
)
from dagscape.cli.output import note, note_data, origin_of_call
from dagscape.cli.output_files import refuse_unwritable
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import Quiet
from dagscape.words import counted


def report(
    result: Annotated[
        Path, typer.Argument(metavar="RESULT", help="What a search saved: .json, .json.gz.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the page.")] = Path(
        "report.html"
    ),
    landscape: Annotated[
        Path | None,
        typer.Option(
            metavar="STORE", help="What dagscape optima --store kept, for confidence in edges."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DATA", help="The table it was learned from, for states, tables and losses."
        ),
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORK", help=f"The true network, to mark what differs: a {GRAPH_KINDS}."
        ),
    ] = None,
    weigh_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How optima are weighted: optima (each once), visits or score.",
            show_default="optima",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="WORDS", help="The heading.")] = None,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Write a page to look at in a browser: one HTML file that needs no other and no network.

    It draws the essential graph and lists its edges; with --landscape it shows how far to trust
    each of them, with --data what each variable depends on and how.
    """
    refuse_unwritable(output)
    if weigh_by is not None and landscape is None:
        raise ds.ParameterError("--weigh-by is for optima; name their store with --landscape")
    if reading.given and data is None:
        raise ds.ParameterError(
            f"{', '.join(reading.given)}: only for a table; name it with --data"
        )
    if (result / "result.json").is_file():
        raise ds.ParameterError(
            f'"{result}" is a folder of dagscape learn, and {result / "report.html"} is its page; '
            f"{result / 'result.json'} makes another"
        )
    found = ds.load_result(result, ds.Result)
    table = None if data is None else reading.read(data, seed)
    found.report(
        output,
        landscape=None if landscape is None else ds.load_result(landscape, ds.Landscape),
        data=table,
        truth=None if truth is None else read_graph(truth).on(found.dag.names),
        weights=weigh_by,
        title=title,
        origin=origin_of_call(None if data is None else data.name),
    )
    if quiet:
        return
    size = output.stat().st_size / 1e6
    variables = counted(len(found.dag.names), "variable")
    note(f"{output}: {variables}, {size:.2f} MB; open it in a browser")
    if table is not None:
        note_data(table)
