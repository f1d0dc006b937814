"""``dagscape exact``: the best network, with a proof or a bound."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.clock import seconds_to_write, within
from dagscape.cli.file_kinds import GRAPH_ENDINGS, SCORES, kind_of
from dagscape.cli.inputs import (
    Json,
    Seed,
    problem_of,
)
from dagscape.cli.long_work import STOPPED, bar, cost_of_parents
from dagscape.cli.output import emit_json, emit_rows, note, note_data
from dagscape.cli.output_files import (
    refuse_unwritable,
    said_of_names,
    try_network,
    try_out,
    write_found,
)
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    Ess,
    KnowledgeFile,
    MaxMemory,
    MaxParents,
    PriorName,
    Quiet,
    ScoreName,
    Threads,
    TimeLimit,
    as_bytes,
)
from dagscape.search.exact import ALGORITHMS, HEURISTICS
from dagscape.shared_arguments import begin_with_sets
from dagscape.starting import INTERRUPTED
from dagscape.variables import check_name
from dagscape.words import counted


def exact(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="Table (.csv, .tsv, .parquet, .arrow), or scored parent sets "
            "(.jkl, .pss; .gz may follow).",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File for the network, tables fitted (.bif, .xmlbif, .json, ...), or for its "
            f"graph ({GRAPH_ENDINGS}).",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the result with all that is known about it."),
    ] = None,
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", help="auto, dp, astar, systematic or ilp.")
    ] = "auto",
    heuristic: Annotated[
        str, typer.Option(metavar="NAME", help="For astar: clusters, patterns, simple or cuts.")
    ] = "clusters",
    score: ScoreName = None,
    ess: Ess = None,
    prior: PriorName = None,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    time_limit: TimeLimit = None,
    max_memory: MaxMemory = None,
    threads: Threads = None,
    quiet: Quiet = False,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find the network with the best score, and prove that none is better.

    Arcs go to stdout, a line for each; --json writes what --save keeps. A limit, or Ctrl-C, ends it
    with the best network so far, and how much better another can be at most.
    """
    memory = None if max_memory is None else as_bytes(max_memory)
    given: ds.Problem | ds.CandidateParents
    table: ds.Data | None
    if kind_of(source) == SCORES:
        of_tables = {
            "--score": score,
            "--ess": ess,
            "--prior": prior,
            "--max-parents": max_parents,
            **dict.fromkeys(reading.given, True),
        }
        if of_these := [name for name, value in of_tables.items() if value is not None]:
            raise ds.ParameterError(
                f'{", ".join(of_these)}: only for tables; "{source}" holds sets that are scored'
            )
        table, given = None, ds.read_parents(source)
        known = None if knowledge is None else ds.read_knowledge(knowledge)
        sets, variables = counted(len(given), "parent set"), counted(len(given.names), "variable")
        cost = f"{sets} of {variables} to choose from"
    else:
        table, known = reading.read(source, seed), None
        given = problem_of(table, score, ess, prior, max_parents, knowledge)
        cost = cost_of_parents(given, memory, threads)
    check_name("algorithm", algorithm, ALGORITHMS)
    check_name("heuristic", heuristic, HEURISTICS)
    words = {"time_limit": time_limit, "max_memory": memory, "threads": threads, "seed": seed}
    begin_with_sets(given, {"knowledge": known, **words})  # which refuses what is wrong
    _check_files(given.variables.names, table, output, save)
    if not quiet:
        note(cost)
    files = 0.0 if output is None or table is None else seconds_to_write(table)
    limit = within(time_limit, files)
    with bar(not quiet and sys.stderr.isatty(), limit) as progress:
        found = ds.exact(
            given,
            algorithm=algorithm,
            heuristic=heuristic,
            knowledge=known,
            time_limit=limit,
            max_memory=memory,
            threads=threads,
            seed=seed,
            progress=progress,
        )
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
    if found.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def _check_files(
    names: Sequence[str], table: ds.Data | None, output: Path | None, save: Path | None
) -> None:
    """Write what has no arcs elsewhere, to see whether names and files will do."""
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
