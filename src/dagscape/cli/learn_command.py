"""``dagscape learn``: from a table to a network, what to trust in it, and a page that shows it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.earlier_folder import earlier_in, read_alike, refuse_other_columns
from dagscape.cli.folder import MOST_DRAWN, Folder, default_folder
from dagscape.cli.folder_lock import one_writer
from dagscape.cli.inputs import (
    GRAPH_KINDS,
    Json,
    Seed,
    read_graph,
)
from dagscape.cli.learn_summary import Report, summary
from dagscape.cli.long_work import ALL, LimitOptions, end_as
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import emit, emit_json, note, note_data
from dagscape.cli.output_files import said_of_names, seconds_to_write
from dagscape.cli.part_of_file import part_of, reading_seconds
from dagscape.cli.reading import WITH_GAPS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)
from dagscape.cli.short_check import read_to_learn, short_check, with_tiers
from dagscape.learning import LEARN_METHODS, LearnResult
from dagscape.notes import AT_FIRST_SIGHT
from dagscape.words import counted, duration

ENDED = ("interrupt", "cluster")
"""After these the folder waits for the same command."""

TIME_LIMIT = 120.0
OTHER_LIMITS = LimitOptions(without=("time_limit",))

GRAPHS = ("best", "consensus")
"""What files of networks can hold."""

AT_ONCE = 0.5
"""Seconds that files may take to be written after Ctrl-C."""


def learn(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table (.csv, .tsv, .parquet, .arrow).")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for what is found.", show_default="DATA-learned"),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Seconds for everything; the default does not cover runs that --runs asks for.",
            show_default=f"{TIME_LIMIT:g}",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Runs that look for local optima; 0 for none.",
            show_default="1000, or as many as the time allows",
        ),
    ] = None,
    resamples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Tables drawn from the rows for probabilities, twice as many for stability; "
            "0 for neither.",
            show_default="50, or as many as the time allows",
        ),
    ] = None,
    null: Annotated[
        int,
        typer.Option(
            "--null",
            metavar="N",
            help="Tables with shuffled columns, to see how many edges appear by chance.",
        ),
    ] = 0,
    graph: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What network.json (and .bif, for states) holds: best, the network of the best "
            "score; or consensus, one of the graph of least expected error.",
        ),
    ] = "best",
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"What looks for the network: {', '.join(LEARN_METHODS)}."
        ),
    ] = "auto",
    k: Annotated[
        float,
        typer.Option(help="Share of the better neighbors that a run draws, from 0 to 1."),
    ] = 0.8,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    tiers: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What comes first, causes before effects: age,sex<smoker<ill. No arc goes back; "
            "columns that are not named are free.",
        ),
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option(metavar="NETWORK", help=f"A known truth to compare with: a {GRAPH_KINDS}."),
    ] = None,
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of an earlier learn: say what has changed since then, and why.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done and what it costs.")
    ] = False,
    limits: LimitOptions = OTHER_LIMITS,
    reading: Reading = WITH_GAPS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Learn a network from a table, say what to trust in it, and write a page that shows it.

    Proves that the network is the best where that can be done in time; else says how much better
    another could be. A limit, or Ctrl-C, ends it with what is found; the same command continues
    from there.
    """
    if graph not in GRAPHS:
        raise ds.ParameterError(f'unknown --graph "{graph}"; choose {", ".join(GRAPHS)}')
    if since is not None and truth is not None:
        raise ds.ParameterError(
            "--since and --truth both name a network to compare with; give one of them"
        )
    folder = out or default_folder(data)
    earlier = None if since is None else earlier_in(since, folder)
    if since is not None:
        reading = read_alike(since, reading)
    limits = replace(limits, time_limit=time_limit, without=())
    memory, threads = limits.memory, limits.threads
    means: Any = {"time_limit": time_limit, "max_memory": memory, "threads": threads}

    def asked_of(table: ds.Data) -> ds.Problem:
        return scoring.problem(table, max_parents, knowledge, tiers)

    if dry_run and since is None and (part := part_of(data, reading, seed)) is not None:
        emit(f"{part}\n{ds.estimate(asked_of(part.table), rows=part.rows, **means)}")
        return
    limit = TIME_LIMIT if time_limit is None else time_limit
    timed = runs is None or time_limit is not None
    if timed and not limits.quiet and (seconds := reading_seconds(data)) > limit:
        note(
            f"reading the table takes about {duration(seconds)}, and the time limit is "
            f"{duration(limit)}: little or nothing can be learned in it; --time-limit changes that"
        )
    table, settled = read_to_learn(data, reading, seed, call.words)
    if since is not None and earlier is not None:
        refuse_other_columns(table, earlier, since)
    problem = asked_of(table)
    # What is wrong with options is said here, before a folder is made.
    cost = ds.estimate(problem, **means)
    if dry_run:
        emit(str(cost))
        return
    to_mend = short_check(data, table, reading, call.words)
    if not limits.quiet:
        for line in to_mend:
            note(line)
    known = None if truth is None else read_graph(truth).on(table.names)
    with one_writer(folder):
        report = learn_into(
            folder,
            problem,
            {"method": method, "k": k},
            source=source_of(data, table, settled),
            truth=known,
            earlier=earlier,
            limits=limits,
            runs=runs,
            resamples=resamples,
            null=null,
            graph=graph,
            seed=seed,
            to_mend=to_mend,
        )
    if json:
        emit_json(report.learned.to_dict())
    else:
        emit("\n".join(summary(report, with_tiers(folder, call.words))))
    if not limits.quiet:
        note_data(report.learned.data or table, but=() if json else AT_FIRST_SIGHT)
    end_as(report.learned.stopped)


def source_of(path: Path, table: ds.Data, reading: Reading) -> dict[str, Any]:
    """Return where a table is from and how it was read, as a folder notes it."""
    size = f"{counted(table.n_rows, 'row')}, {counted(table.n_variables, 'variable')}"
    return {"file": path.name, "size": size, **reading.to_dict()}


MOST_WRITING = 0.5
"""Of a time limit, at most, is kept for files."""


def learn_into(
    out: Path,
    problem: ds.Problem,
    settings: dict[str, Any],
    *,
    source: dict[str, Any] | None = None,
    truth: ds.Dag | ds.Mpdag | None = None,
    earlier: LearnResult | None = None,
    limits: LimitOptions = ALL,
    runs: int | None = None,
    resamples: int | None = None,
    null: int = 0,
    graph: str = "best",
    seed: int = 0,
    to_mend: Sequence[str] = (),
) -> Report:
    """Learn, and fill a folder; where one with the same settings is there, go on from it."""
    table = problem.data
    identity = problem.identity("learn", **settings, seed=seed)
    folder = Folder(out, identity, source, chosen=problem.chosen)
    limit = TIME_LIMIT if limits.time_limit is None else limits.time_limit
    fixed = runs is not None and limits.time_limit is None
    if not limits.quiet:
        note(_announcement(table, folder, limit, runs if fixed else None))
    drawn = table.n_variables <= MOST_DRAWN
    writing = limits.slowness() * seconds_to_write(table, page=True, pictures=drawn)
    writing = min(MOST_WRITING * limit, writing)
    means = replace(limits, time_limit=None if fixed else limit).settings(writing)
    folder.enter("running")
    with limits.bar(limit) as progress:
        learned = ds.learn(
            problem,
            **settings,
            runs=runs,
            resamples=resamples,
            null=null,
            seed=seed,
            store=folder.store,
            checkpoint=folder.search,
            progress=progress,
            **means,
        )
    ended = learned.stopped in ENDED
    changed = None if earlier is None else ds.compare(earlier, learned)
    facts = _facts(learned)
    if changed is not None:
        facts["since"] = changed.to_dict()
    files: list[str] = []
    if (
        ended
    ):  # first what the same command goes on from: who presses again does not wait for a page
        files = folder.write_result(learned)
        folder.enter("running", learned.seconds, **facts, to_mend=list(to_mend))
    if not ended or seconds_to_write(table, page=True) <= AT_ONCE:
        chosen, held = _chosen(learned, graph)
        shown = "best" if held != graph else graph
        pictures = drawn and not ended
        files = folder.write(
            learned, table, truth, chosen, shown, pictures=pictures, changed=changed
        )
        if held != graph:
            note(f"{held}; network.json holds the network of the best score")
        if folder.renamed and not limits.quiet:
            safe = said_of_names(folder.renamed, folder / "network.bif")
            note(f"{safe}; network.json has the names as they are")
    if not ended:
        folder.enter("done", learned.seconds, **facts, to_mend=list(to_mend))
    return Report(table, learned, folder, [*files, "run.json"], truth, changed)


def _chosen(learned: LearnResult, graph: str) -> tuple[ds.Dag, str]:
    """Return the arcs that were asked for and "best" or "consensus", or why it is not that."""
    if graph == "best":
        return learned.dag, graph
    if learned.consensus is None:
        return learned.dag, "there is no consensus without probabilities"
    dag, known = learned.consensus.to_dag(), learned.scope.knowledge
    if known is not None and (broken := known.violations(dag)):
        return learned.dag, f"the consensus does not obey your knowledge: {broken[0]}"
    return dag, graph


def _announcement(table: ds.Data, folder: Folder, limit: float, runs: int | None) -> str:
    """Return what will be done, and for how long at most."""
    where = f"in {folder.path}"
    if folder.resumed:
        return f"going on {where}, where {duration(folder.used)} were spent before"
    much = f"{counted(table.n_variables, 'variable')}, {counted(table.n_rows, 'row')}"
    if table.missing:
        much += f", {counted(table.missing.cells, 'missing cell')} (completed by structural EM)"
    after = "" if runs is None else f" and then {counted(runs, 'run')}"
    time = "as long as it takes" if limit == math.inf else f"at most {duration(limit)}"
    return f"{much}: {time} to learn{after}, {where}; --time-limit changes that"


def _facts(learned: LearnResult) -> dict[str, Any]:
    """Return what run.json says of the outcome."""
    landscape = learned.landscape
    return {
        "score": learned.score,
        "claim": learned.claim,
        "notes": [note.to_dict() for note in learned.notes],
        "method": learned.method,
        "stopped": learned.stopped,
        "steps": [step.to_dict() | {"why": str(step.reason)} for step in learned.steps],
        "runs": 0 if landscape is None else landscape.runs,
        "optima": 0 if landscape is None else len(landscape.optima),
        "probabilities": None if learned.posterior is None else learned.posterior.claim,
        "resamples": 0 if learned.posterior is None else learned.posterior.resamples,
        "stability_samples": 0 if learned.stability is None else learned.stability.runs,
        "near_ties": None if learned.near is None else str(learned.near.claim),
        "not_linear": [one.to_dict() for one in learned.not_linear],
        "fit": None if learned.fit is None else learned.fit.to_dict(),
        "groups": None if learned.groups is None else learned.groups.to_dict(),
        "experiments_ignored": None if learned.ignored is None else learned.ignored.to_dict(),
        "experiments_touch": None if learned.touched is None else learned.touched.shares,
        "by_chance": None if learned.chance is None else learned.chance.to_dict(),
    }
