"""``dagscape order``: a good network by a search over orders of the variables."""

from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.file_kinds import SCORES, kind_of
from dagscape.cli.found_network import (
    NetworkFile,
    SavedResult,
    TableOrSets,
    check_files,
    read_sets,
    tell_found,
)
from dagscape.cli.inputs import Json, Seed, read_graph
from dagscape.cli.long_work import ALL, LimitOptions
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output_files import seconds_to_write
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)
from dagscape.search.initial_orders import INITS
from dagscape.search.order import NEIGHBORHOODS, PARENT_SETS
from dagscape.selection import METHODS


def order(
    source: TableOrSets,
    output: NetworkFile = None,
    save: SavedResult = None,
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
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = ALL,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Search over orders of the variables for a good network, without proof.

    Arcs go to stdout, a line for each; --json writes what --save keeps. The published settings are
    --neighborhood swap --init random, dfs or fas. A limit, or Ctrl-C, ends it with the best network
    so far. For up to some thirty variables, dagscape exact finds the best one and proves it.
    """
    given: ds.Problem | ds.CandidateParents
    table: ds.Data | None
    known: ds.Knowledge | None = None
    if kind_of(source) == SCORES:
        table, given = None, read_sets(source, call, "--selection", *reading.given)
        known = None if knowledge is None else ds.read_knowledge(knowledge)
    else:
        table = reading.read(source, seed)
        given = scoring.problem(table, max_parents, knowledge)
    first = None if start is None else _network_on(start, given.variables.names)
    check_files(given.variables.names, table, output, save)
    with limits.work(0.0 if output is None or table is None else seconds_to_write(table)) as means:
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
            seed=seed,
            **means,
        )
    tell_found(found, table, output, save, quiet=limits.quiet, json=json)


def _network_on(name: str, variables: tuple[str, ...]) -> ds.Dag:
    graph = read_graph(name).on(variables)
    return graph if isinstance(graph, ds.Dag) else graph.to_dag()
