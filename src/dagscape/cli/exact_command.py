"""``dagscape exact``: the best network, with a proof or a bound."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.clock import seconds_to_write, within
from dagscape.cli.file_kinds import GRAPH_ENDINGS, SCORES, kind_of
from dagscape.cli.found_network import check_files, tell_found
from dagscape.cli.inputs import (
    Json,
    Seed,
    problem_of,
)
from dagscape.cli.long_work import bar, cost_of_parents
from dagscape.cli.output import note
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    Ess,
    KnowledgeFile,
    MaxMemory,
    MaxParents,
    PriorName,
    Prune,
    Quiet,
    ScoreName,
    Threads,
    TimeLimit,
    as_bytes,
    rules_of,
)
from dagscape.search.exact import ALGORITHMS, HEURISTICS
from dagscape.shared_arguments import begin_with_sets
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
    prune: Prune = None,
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
            "--prune": prune,
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
    check_files(given.variables.names, table, output, save)
    if not quiet:
        note(cost)
    files = 0.0 if output is None or table is None else seconds_to_write(table)
    limit = within(time_limit, files)
    with bar(not quiet and sys.stderr.isatty(), limit) as progress:
        found = ds.exact(
            given,
            algorithm=algorithm,
            heuristic=heuristic,
            prune=rules_of(prune),
            knowledge=known,
            time_limit=limit,
            max_memory=memory,
            threads=threads,
            seed=seed,
            progress=progress,
        )
    tell_found(found, table, output, save, quiet=quiet, json=json)
