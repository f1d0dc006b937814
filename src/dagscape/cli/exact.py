"""``dagscape exact``: the best network, with a proof or a bound."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.clock import seconds_to_write, within
from dagscape.cli.exports import said_of_names
from dagscape.cli.inputs import (
    Json,
    Seed,
    named_score,
)
from dagscape.cli.kinds import GRAPH_ENDINGS, SCORES, kind_of
from dagscape.cli.options import (
    Ess,
    KnowledgeFile,
    LearningPriorName,
    LearningScoreName,
    MaxMemory,
    MaxParents,
    Quiet,
    Threads,
    TimeLimit,
    read_knowledge,
)
from dagscape.cli.output import emit_json, emit_rows, note, note_data
from dagscape.cli.progress import STOPPED, bar, cost_of_parents
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.sizes import as_bytes
from dagscape.cli.targets import (
    refuse_unwritable,
    rehearse,
    rehearse_found,
    trial_table,
    write_found,
)
from dagscape.control.limits import Progress
from dagscape.starting import INTERRUPTED
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
    score: LearningScoreName = None,
    ess: Ess = None,
    prior: LearningPriorName = None,
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
    known = read_knowledge(knowledge)
    given: ds.Data | ds.CandidateParents
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
        named: dict[str, Any] = {}
        given = ds.read_parents(source)
    else:
        given = reading.read(source, seed)
        named = named_score(given, score, ess, prior)

    def search(
        on: ds.Data | ds.CandidateParents,
        most: int | None = None,
        obeyed: ds.Knowledge | None = None,
        limit: float | None = None,
        progress: Progress | None = None,
    ) -> ds.Result:
        return ds.exact(
            on,
            algorithm=algorithm,
            heuristic=heuristic,
            **named,
            max_parents=most,
            knowledge=obeyed,
            time_limit=limit,
            max_memory=memory,
            threads=threads,
            seed=seed,
            progress=progress,
        )

    # What is wrong with options, names or files is said before the work, not after it.
    _rehearse(given, output, save)
    trial = trial_table(given.names)
    if isinstance(given, ds.Data):
        rehearsed = search(trial, 0, limit=time_limit)
        kind = named.get("score") or ds.default_score(given, prior)
        cost = cost_of_parents(given, kind, max_parents, memory, threads, known)
    else:
        rehearsed = search(
            ds.candidate_parents(trial, max_parents=0), obeyed=known, limit=time_limit
        )
        sets, variables = counted(len(given), "parent set"), counted(len(given.names), "variable")
        cost = f"{sets} of {variables} to choose from"
    if rehearsed.stopped == "interrupt":
        raise KeyboardInterrupt
    if not quiet:
        note(cost)
    files = seconds_to_write(given) if output is not None and isinstance(given, ds.Data) else 0.0
    limit = within(time_limit, files)
    with bar(not quiet and sys.stderr.isatty(), limit) as progress:
        found = search(given, max_parents, known, limit, progress)
    try:
        if output is not None:
            table = given if isinstance(given, ds.Data) else None
            if (renamed := write_found(found.dag, table, output)) and not quiet:
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
    if isinstance(given, ds.Data) and not quiet:
        note_data(given)
    if found.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def _rehearse(given: ds.Data | ds.CandidateParents, output: Path | None, save: Path | None) -> None:
    """Write what has no arcs elsewhere, to see whether names and files will do."""
    if output is not None and output == save:
        raise ds.ParameterError(f'-o and --save both name "{output}"; they write two files')
    if output is not None:
        rehearse_found(given, output)
    if save is not None:
        refuse_unwritable(save)
        empty = ds.Dag(given.names)
        result = ds.Result(dag=empty, score=0.0, score_name="none", method="none")
        rehearse(result.save, save.name, str(save))


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
