"""``dagscape optima``: the networks that many runs of k-greedy search end at."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.file_kinds import GRAPH_ENDINGS
from dagscape.cli.inputs import (
    Json,
    Seed,
)
from dagscape.cli.long_work import (
    NO_MEMORY,
    STOPPED,
    LimitOptions,
    Neighborhood,
    StoreFile,
    already_in,
    early_end,
    end_as,
    require_runs,
    with_rate,
)
from dagscape.cli.output import emit_json, emit_table, note, note_data, plain_notes
from dagscape.cli.output_files import said_of_names, seconds_to_write, try_network, write_found
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)
from dagscape.landscape import Optimum
from dagscape.words import counted

SHOWN = 20
COLUMNS = ("score", "difference", "visits", "first_run", "edges")


def optima(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table: .csv, .tsv, .parquet or .arrow.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File for the best optimum, tables fitted (.bif, .xmlbif, .json, ...), or for its "
            f"graph ({GRAPH_ENDINGS}).",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(metavar="N", min=1, help="How many runs.")] = 1000,
    k: Annotated[
        float,
        typer.Option(help="Share of the better neighbors that each step draws, from 0 to 1."),
    ] = 0.8,
    store: StoreFile = None,
    prove: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Seconds for a proof of how far the best optimum is from the best network.",
            show_default="no proof",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help=f"Show all optima, not only the best {SHOWN}.")
    ] = False,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    neighborhood: Neighborhood = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = NO_MEMORY,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find the networks that no neighbor beats, by many runs of k-greedy equivalence search.

    Optima go to stdout, the best first: score, difference to the best, how many runs ended there,
    the first of them, edges. A limit, or Ctrl-C, ends it with the optima so far. The next question,
    what they agree on, is for dagscape features.
    """
    if prove is not None and not prove > 0:
        raise ds.ParameterError(f"--prove must be a positive number of seconds, got {prove:g}")
    table = reading.read(data, seed)
    problem = scoring.problem(table, max_parents, knowledge)
    if output is not None:
        if output == store:
            raise ds.ParameterError(f'-o and --store both name "{output}"; they are two files')
        try_network(table.names, table, output)
    before = already_in(store)
    with limits.work(0.0 if output is None else seconds_to_write(table)) as means:
        means["progress"] = with_rate(means["progress"], runs)
        found = ds.local_optima(
            problem,
            k=k,
            runs=runs,
            neighborhood=neighborhood or "auto",
            seed=seed,
            store=store,
            **means,
        )
    require_runs(found)
    if prove is not None and found.stopped not in ("interrupt", "cluster"):
        with limits.bar(prove) as progress:
            found.prove(time_limit=prove, threads=limits.threads, progress=progress)
    few = found.optima if everything else found.optima[:SHOWN]
    try:
        renamed = [] if output is None else write_found(found.best.dag, table, output)
        if output is not None and renamed and not limits.quiet:
            note(said_of_names(renamed, output))
    finally:  # a disk that is full must not cost the optima as well
        if json:
            emit_json(_description(found, few, runs, store) | {"notes": plain_notes(table)})
        else:
            _emit(found, few)
    if not limits.quiet:
        note(_outcome(found, before, output))
        if found.proof is not None:
            note(_gap(found, found.proof))
        if len(few) < len(found.optima):
            note(f"the best {len(few)} of {len(found.optima):,} optima are shown; --all shows all")
    if found.stopped:
        note(early_end(found, runs, store))
    if not limits.quiet:
        note_data(table)
    end_as(found.stopped)
    end_as(None if found.proof is None else found.proof.stopped)


def _edges(optimum: Optimum) -> int:
    graph = optimum.cpdag
    return len(graph.directed) + len(graph.undirected)


def _emit(found: ds.Landscape, few: tuple[Optimum, ...]) -> None:
    """Write a table: aligned on a terminal, else tab-separated with all digits."""
    terminal = sys.stdout.isatty()
    rows = []
    for optimum in few:
        scores = (optimum.score, optimum.score - found.best.score)
        counts = (optimum.visits, optimum.first_run, _edges(optimum))
        rows.append([*(f"{x:,.4f}" if terminal else repr(x) for x in scores), *map(str, counts)])
    titles = [title.replace("_", " ") for title in COLUMNS] if terminal else COLUMNS
    emit_table(titles, rows, numbers=titles)


def _outcome(found: ds.Landscape, before: str, output: Path | None) -> str:
    best, runs = found.best, counted(found.runs, "run")
    many = "optimum" if len(found.optima) == 1 else "different optima"
    where = "" if output is None else f" in {output}"
    drawn = f"neighbors drawn in {counted(found.sampled, 'run')}" if found.sampled else ""
    extra = "; ".join(filter(None, (f"k={found.k:g}", drawn, before, f"{found.seconds:.1f} s")))
    return (
        f"{runs} ended at {len(found.optima):,} {many}; best {found.score_name} {best.score:.4f}"
        f"{where}, met by {counted(best.visits, 'run')} ({extra})"
    )


def _gap(found: ds.Landscape, proof: ds.Result) -> str:
    """Say what is known of better networks."""
    everything = proof.scope.everything
    ended = f"{STOPPED[proof.stopped]} after " if proof.stopped else ""
    took = f"({proof.method}; {ended}{proof.seconds:.1f} s)"
    if found.gap is None:
        beyond = " of networks with larger parent sets" if proof.optimal else ""
        help_ = "more seconds or a limit by --max-parents would help"
        return f"nothing is proven{beyond}; {help_} {took}"
    if found.gap == 0:
        none = "no network" if everything else f"none of the {proof.scope}"
        return f"proven: {none} scores higher than the best optimum {took}"
    if proof.optimal:
        best = "the best network" if everything else f"the best of {proof.scope}"
        return f"proven: {best} scores {found.gap:.4f} higher {took}"
    some = "no network" if everything else f"none of the {proof.scope}"
    return f"not proven: {some} scores more than {found.gap:.4f} higher {took}"


def _description(
    found: ds.Landscape, few: tuple[Optimum, ...], runs: int, store: Path | None
) -> dict[str, Any]:
    proof = found.proof
    return {
        "runs": found.runs,
        "asked": runs,
        "stopped": found.stopped,
        "k": found.k,
        "seed": found.seed,
        "score": found.score_name,
        "max_parents": found.max_parents,
        "neighborhood": found.neighborhood,
        "sampled": found.sampled,
        "store": None if store is None else str(store),
        "seconds": found.seconds,
        "work": dict(found.work),
        "gap": found.gap,
        "proof": None if proof is None else proof.to_dict(),
        "distinct": len(found.optima),
        "optima": [
            {
                "score": optimum.score,
                "difference": optimum.score - found.best.score,
                "visits": optimum.visits,
                "first_run": optimum.first_run,
                "directed": optimum.cpdag.directed,
                "undirected": optimum.cpdag.undirected,
            }
            for optimum in few
        ],
    }
