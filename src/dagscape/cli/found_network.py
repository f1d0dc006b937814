"""What a command does with the network that it found: files, arcs, and a line about it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.file_kinds import GRAPH_ENDINGS
from dagscape.cli.long_work import STOPPED, end_as
from dagscape.cli.option_groups import Call
from dagscape.cli.output import emit_json, emit_rows, note, note_data
from dagscape.cli.output_files import (
    refuse_unwritable,
    said_of_names,
    try_network,
    try_out,
    write_found,
)
from dagscape.words import counted

TableOrSets = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="Table (.csv, .tsv, .parquet, .arrow), or scored parent sets "
        "(.jkl, .pss; .gz may follow).",
    ),
]
NetworkFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="File for the network, tables fitted (.bif, .xmlbif, .json, ...), or for its "
        f"graph ({GRAPH_ENDINGS}).",
    ),
]
SavedResult = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="File for the result with all that is known about it."),
]


def read_sets(source: Path, call: Call, *of_tables: str) -> ds.CandidateParents:
    """Read scored parent sets; refuse options of tables."""
    options = ("--score", "--ess", "--prior", "--max-parents", *of_tables)
    call.refuse(*options, why=f'only for tables; "{source}" holds sets that are scored')
    return ds.read_parents(source)


def tell_found(
    found: ds.Result,
    table: ds.Data | None,
    output: Path | None,
    save: Path | None,
    *,
    quiet: bool,
    json: bool,
) -> None:
    """Write the files, the arcs and what is to be known; exit by code if it was interrupted."""
    try:
        renamed = [] if output is None else write_found(found.dag, table, output)
        if output is not None and renamed and not quiet:
            note(said_of_names(renamed, output))
        if save is not None:
            found.save(save)
    finally:  # a disk that is full must not cost the network as well
        if json:
            emit_json(found.to_dict())
        else:
            _emit_arcs(found.dag)
    if found.stopped or not quiet:
        note(_outcome(found, output))
        if found.score_reason:
            note(found.score_reason)
    if table is not None and not quiet:
        note_data(table)
    end_as(found.stopped)


def check_files(
    names: Sequence[str], table: ds.Data | None, output: Path | None, save: Path | None
) -> None:
    """Write a network without arcs elsewhere, to see whether names and files will do."""
    if output is not None and output == save:
        raise ds.ParameterError(f'-o and --save both name "{output}"; they write two files')
    if output is not None:
        try_network(names, table, output)
    if save is not None:
        refuse_unwritable(save)
        result = ds.Result(dag=ds.Dag(names), score=0.0, score_name="none", method="none")
        try_out(result.save, save.name, str(save))


def _emit_arcs(dag: ds.Dag) -> None:
    """Write the arcs as a file of arcs that other commands read."""
    emit_rows(("from", "to"), dag.arcs)


def _outcome(found: ds.Result, output: Path | None) -> str:
    bound = "" if found.optimal or found.bound is None else f", bound {found.bound:.4f}"
    where = "" if output is None else f" in {output}"
    ended = f"{STOPPED[found.stopped]} after " if found.stopped else ""
    return (
        f"{found.claim}; {found.score_name} {found.score:.4f}{bound}; "
        f"{counted(len(found.dag.arcs), 'arc')} of "
        f"{counted(len(found.dag.names), 'variable')}{where} "
        f"({found.method}; {ended}{found.seconds:.1f} s)"
    )
