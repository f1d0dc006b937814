"""``dagscape order``: a good network by a search over orders of the variables."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.clock import seconds_to_write, within
from dagscape.cli.file_kinds import GRAPH_ENDINGS, SCORES, kind_of
from dagscape.cli.found_network import check_files, tell_found
from dagscape.cli.inputs import Json, Seed, problem_of, read_graph
from dagscape.cli.long_work import bar
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    ClusterName,
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
from dagscape.search.initial_orders import INITS
from dagscape.search.order import NEIGHBORHOODS, PARENT_SETS
from dagscape.selection import METHODS


def order(
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
    init: Annotated[
        str, typer.Option(metavar="NAME", help=f"Where to begin: {', '.join(INITS)}.")
    ] = "fas",
    start: Annotated[
        str | None,
        typer.Option(
            metavar="GRAPH",
            help="Begin with an order of this network: a network or graph file, a saved result, or "
            "an embedded network. Other restarts begin as --init says.",
        ),
    ] = None,
    neighborhood: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"How orders change: {', '.join(NEIGHBORHOODS)}; swap is the published one.",
        ),
    ] = "insert",
    parent_sets: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Where parents come from: {', '.join(PARENT_SETS)}.",
            show_default="listed up to 64 variables",
        ),
    ] = None,
    selection: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"How candidate parents are selected: {', '.join(METHODS)}.",
            show_default="hybrid",
        ),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Initial orders.", show_default="20, or 100 with swaps"
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Generations of the population, with insert and block.",
            show_default="50, or as time allows",
        ),
    ] = None,
    max_steps: Annotated[
        int, typer.Option(metavar="N", min=1, help="Swaps from each initial order, at most.")
    ] = 500,
    score: ScoreName = None,
    ess: Ess = None,
    prior: PriorName = None,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    time_limit: TimeLimit = None,
    max_memory: MaxMemory = None,
    threads: Threads = None,
    cluster: ClusterName = None,
    quiet: Quiet = False,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Search over orders of the variables for a good network, without proof.

    Arcs go to stdout, a line for each; --json writes what --save keeps. The published settings are
    --neighborhood swap --init random, dfs or fas. A limit, or Ctrl-C, ends it with the best network
    so far. For up to some thirty variables, dagscape exact finds the best one and proves it.
    """
    memory = None if max_memory is None else as_bytes(max_memory)
    given: ds.Problem | ds.CandidateParents
    table: ds.Data | None
    known: ds.Knowledge | None = None
    if kind_of(source) == SCORES:
        of_tables = {
            "--score": score,
            "--ess": ess,
            "--prior": prior,
            "--max-parents": max_parents,
            "--selection": selection,
            **dict.fromkeys(reading.given, True),
        }
        if of_these := [name for name, value in of_tables.items() if value is not None]:
            raise ds.ParameterError(
                f'{", ".join(of_these)}: only for tables; "{source}" holds sets that are scored'
            )
        table, given = None, ds.read_parents(source)
        known = None if knowledge is None else ds.read_knowledge(knowledge)
    else:
        table = reading.read(source, seed)
        given = problem_of(table, score, ess, prior, max_parents, knowledge)
    first = None if start is None else _network_on(start, given.variables.names)
    check_files(given.variables.names, table, output, save)
    limit = within(time_limit, 0.0 if output is None or table is None else seconds_to_write(table))
    with bar(not quiet and sys.stderr.isatty(), limit) as progress:
        found = ds.order_search(
            given,
            init=init,
            start=first,
            neighborhood=neighborhood,
            parent_sets=parent_sets,
            selection=selection,
            restarts=restarts,
            generations=generations,
            max_steps=max_steps,
            knowledge=known,
            time_limit=limit,
            max_memory=memory,
            threads=threads,
            cluster=cluster,
            seed=seed,
            progress=progress,
        )
    tell_found(found, table, output, save, quiet=quiet, json=json)


def _network_on(name: str, variables: tuple[str, ...]) -> ds.Dag:
    graph = read_graph(name).on(variables)
    return graph if isinstance(graph, ds.Dag) else graph.to_dag()
