"""``dagscape exact``: the best network, with a proof or a bound."""

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
from dagscape.cli.inputs import (
    Json,
    Seed,
)
from dagscape.cli.long_work import ONE_MACHINE, LimitOptions
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import note
from dagscape.cli.output_files import seconds_to_write
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Prune,
    Scoring,
    rules_of,
)
from dagscape.search.exact import ALGORITHMS, HEURISTICS
from dagscape.shared_arguments import begin_with_sets
from dagscape.variables import check_name
from dagscape.words import counted


def exact(
    source: TableOrSets,
    output: NetworkFile = None,
    save: SavedResult = None,
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", help="auto, dp, astar, systematic or ilp.")
    ] = "auto",
    heuristic: Annotated[
        str, typer.Option(metavar="NAME", help="For astar: clusters, patterns, simple or cuts.")
    ] = "clusters",
    prune: Prune = None,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = ONE_MACHINE,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Find the network with the best score, and prove that none is better.

    Arcs go to stdout, a line for each; --json writes what --save keeps. A limit, or Ctrl-C, ends it
    with the best network so far, and how much better another can be at most.
    """
    given: ds.Problem | ds.CandidateParents
    table: ds.Data | None
    if kind_of(source) == SCORES:
        table, given = None, read_sets(source, call, "--prune", *reading.given)
        known = None if knowledge is None else ds.read_knowledge(knowledge)
        sets, variables = counted(len(given), "parent set"), counted(len(given.names), "variable")
        cost = f"{sets} of {variables} to choose from"
    else:
        table, known = reading.read(source, seed), None
        given = scoring.problem(table, max_parents, knowledge)
        cost = limits.cost_of_parents(given)
    check_name("algorithm", algorithm, ALGORITHMS)
    check_name("heuristic", heuristic, HEURISTICS)
    # What is wrong with options is said here, before it is said what this costs.
    begin_with_sets(given, {"knowledge": known, **limits.settings(), "seed": seed})
    check_files(given.variables.names, table, output, save)
    if not limits.quiet:
        note(cost)
    files = 0.0 if output is None or table is None else seconds_to_write(table)
    with limits.work(files) as means:
        found = ds.exact(
            given,
            algorithm=algorithm,
            heuristic=heuristic,
            prune=rules_of(prune),
            knowledge=known,
            seed=seed,
            **means,
        )
    tell_found(found, table, output, save, quiet=limits.quiet, json=json)
