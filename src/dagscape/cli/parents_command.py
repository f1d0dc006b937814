"""``dagscape parents``: scored parent sets of every variable, in a file that solvers read."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import (
    Json,
    Seed,
)
from dagscape.cli.long_work import ALL, STOPPED, LimitOptions, end_as
from dagscape.cli.output import emit_file, emit_json, note, note_data, plain_notes
from dagscape.cli.output_files import refuse_unwritable, try_out
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Prune,
    Scoring,
    rules_of,
)
from dagscape.control.budget import Budget
from dagscape.selection import METHODS
from dagscape.variables import check_name
from dagscape.words import counted


def parents(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table: .csv, .tsv, .parquet or .arrow.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write (.jkl, .pss; .gz may follow).",
            show_default=".jkl on stdout",
        ),
    ] = None,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="sequential, greedy, independence or hybrid.")
    ] = "sequential",
    prune: Prune = None,
    sets_per_variable: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="For the other methods: how many sets to score for each variable; the same on "
            "every machine, unlike a time limit.",
            show_default="20000, or as many as time allows",
        ),
    ] = None,
    keep_of_size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Of each variable's sets with as many parents, keep the best N, so that memory "
            "holds them.",
            show_default="all",
        ),
    ] = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = ALL,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Score parent sets of every variable, and keep those that can be part of a best network.

    A limit, or Ctrl-C, ends it with the sets found so far. --json describes the result; the sets
    go to the file.
    """
    if json and output is None:
        raise ds.ParameterError("--json needs -o FILE: without it the parent sets go to stdout")
    table = reading.read(data, seed)
    problem = scoring.problem(table, max_parents, knowledge)
    check_name("method", method, METHODS)
    Budget.of(limits.time_limit, limits.memory, limits.threads)  # refuses what is wrong
    _check_file(problem, output)
    if method == "sequential" and not limits.quiet:  # the others take the time they are given
        note(limits.cost_of_parents(problem))
    with limits.work() as means:
        found = ds.candidate_parents(
            problem,
            method=method,
            prune=rules_of(prune),
            sets_per_variable=sets_per_variable,
            keep_of_size=keep_of_size,
            **means,
        )
    _write(found, output)
    if json:
        emit_json(_description(table, found, output))
    if found.stopped or not limits.quiet:
        note(_outcome(found, output))
    if not limits.quiet:
        note_data(table)
    end_as(found.stopped)


def _check_file(problem: ds.Problem, output: Path | None) -> None:
    """Write a set without parents elsewhere, to see whether names and file will do."""
    if output is not None:
        refuse_unwritable(output)
    few = 0 if problem.data.rows.series is None else 1  # their own past, which is required
    least = ds.candidate_parents(problem.data, score=problem.score, max_parents=few)
    name = "parents.jkl" if output is None else output.name
    try_out(least.write, name, str(output or "stdout"))


def _write(found: ds.CandidateParents, output: Path | None) -> None:
    if output is not None:
        found.write(output)
        return
    emit_file("parents.jkl", found.write)


def _outcome(found: ds.CandidateParents, output: Path | None) -> str:
    how_far = "exhaustive"
    if not found.exhaustive:
        most = found.exhaustive_to
        how_far = f"exhaustive to {counted(most, 'parent')}" if most else "not exhaustive"
    if found.knowledge is not None and not found.knowledge.of_table:
        how_far += " under your knowledge"
    ended = f"{STOPPED[found.stopped]} after " if found.stopped else ""
    where = "" if output is None else f" in {output}"
    return (
        f"{counted(len(found), 'parent set')} of {counted(len(found.names), 'variable')}{where} "
        f"({how_far}; {ended}{found.seconds:.1f} s)"
    )


def _description(
    table: ds.Data, found: ds.CandidateParents, output: Path | None
) -> dict[str, object]:
    return {
        "file": str(output),
        "score": found.score,
        "method": found.method,
        "rows": table.n_rows,
        "variables": table.n_variables,
        "sets": len(found),
        "exhaustive": found.exhaustive,
        "knowledge": None if found.knowledge is None else found.knowledge.to_dict(),
        "exhaustive_to": found.exhaustive_to,
        "stopped": found.stopped,
        "relaxed_score": found.relaxed_score,
        "seconds": found.seconds,
        "notes": plain_notes(table),
        "work": {name: value for name, value in found.work.items() if name != "stopped"},
    }
