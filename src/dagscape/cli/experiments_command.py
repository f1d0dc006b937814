"""``dagscape experiments``: which experiment next, and how well those made are foretold."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.clock import within
from dagscape.cli.features_command import is_store
from dagscape.cli.folder import POSTERIOR_FILE
from dagscape.cli.inputs import Json, problem_of
from dagscape.cli.long_work import STOPPED, bar
from dagscape.cli.output import emit_json, emit_rows, note, note_data
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
from dagscape.posteriors import Touched
from dagscape.posteriors import touched as what_is_touched
from dagscape.starting import INTERRUPTED


def experiments(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DATA_OR_POSTERIOR",
            help="Table (.csv, .tsv, .parquet, .arrow), a folder of learn, or what posterior kept.",
        ),
    ],
    left_out: Annotated[
        bool,
        typer.Option(
            "--left-out",
            help="Instead: leave each experiment out, and say how well it is foretold.",
        ),
    ] = False,
    touched: Annotated[
        bool,
        typer.Option(
            "--touched",
            help="Instead: which variables each experiment acts on, whatever it is said to set; "
            "with --groups where nobody knows.",
        ),
    ] = False,
    score: ScoreName = None,
    ess: Ess = None,
    prior: PriorName = None,
    knowledge: KnowledgeFile = None,
    max_parents: MaxParents = None,
    time_limit: TimeLimit = None,
    max_memory: MaxMemory = None,
    threads: Threads = None,
    quiet: Quiet = False,
    reading: Reading = AS_IT_IS,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed for random draws.", show_default="0")
    ] = None,
    json: Json = False,
) -> None:
    """Say which experiment next would settle most directions of edges.

    Averaged over all that is probable: for each variable, how many edges that are open now an
    experiment on it would direct, if it hits nothing else and has rows enough. The table may come
    from experiments already (--interventions). Tab-separated values go to stdout, that which
    settles most first; with --left-out, the log-loss of each experiment, foretold without it; with
    --touched, how probable it is that each experiment acts on each variable.
    """
    of_tables: dict[str, object] = {
        "--left-out": left_out or None,
        "--touched": touched or None,
        "--score": score,
        "--ess": ess,
        "--prior": prior,
        "--knowledge": knowledge,
        "--max-parents": max_parents,
        "--time-limit": time_limit,
        "--max-memory": max_memory,
        "--threads": threads,
        **dict.fromkeys(reading.given, True),
        "--seed": seed,
    }
    kept = source / POSTERIOR_FILE if source.is_dir() else source
    if source.is_dir() or is_store(kept):
        if given := [name for name, value in of_tables.items() if value is not None]:
            raise ds.ParameterError(
                f'{", ".join(given)}: only for tables; "{source}" holds a posterior'
            )
        _ranked(ds.load_result(kept, ds.Posterior), json=json, quiet=quiet)
        return
    table = reading.read(source, seed or 0)
    limit = within(time_limit)
    limits: dict[str, Any] = {"threads": threads, "time_limit": limit}
    if max_memory is not None:
        limits["max_memory"] = as_bytes(max_memory)
    problem = problem_of(table, score, ess, prior, max_parents, knowledge)
    if left_out and touched:
        raise ds.ParameterError("--left-out and --touched are two questions: ask one of them")
    with bar(not quiet and sys.stderr.isatty(), limit) as progress:
        if left_out:
            asked = {**limits, "max_parents": max_parents, "knowledge": problem.knowledge}
            asked |= {"score": problem.score.base, "prior": problem.score.prior}
            found = ds.leave_one_experiment_out(table, seed=seed or 0, progress=progress, **asked)
            _foretold(found, json=json, quiet=quiet)
        elif touched:
            asked = {**limits, "max_parents": max_parents, "knowledge": problem.knowledge}
            asked |= {"score": problem.score.base, "prior": problem.score.prior}
            acts = what_is_touched(table, seed=seed or 0, progress=progress, **asked)
            _acted(acts, json=json, quiet=quiet)
        else:
            made = ds.posterior(problem, seed=seed or 0, progress=progress, **limits)
            _ranked(made, json=json, quiet=quiet)
    if not quiet:
        note_data(table)


def _ranked(found: ds.Posterior, *, json: bool, quiet: bool) -> None:
    """Write the experiments, that which settles most first."""
    columns = found.next_experiments(frame="dict")
    is_open = columns.pop("open")[0]
    if json:
        emit_json({"claim": found.claim, "open": is_open, "experiments": _rows(columns)})
    else:
        _write(columns)
    if not quiet:
        note(f"{found.claim} ({found.seconds:.1f} s)")
        note(
            f"of the edges, {is_open:.2f} are expected to have no direction now"
            + ("; what is uncertain is which edges there are" if is_open < 0.005 else "")
        )
    if found.stopped:
        note(STOPPED[found.stopped])
    if found.stopped == "interrupt":
        raise typer.Exit(INTERRUPTED)


def _foretold(found: Any, *, json: bool, quiet: bool) -> None:
    """Write how well each experiment was foretold."""
    if json:
        emit_json(found.to_dict())
        return
    _write(found.by_experiment(frame="dict"))
    if quiet:
        return
    means = ", ".join(
        f"{name} {loss:.4f}" for name, loss in found.log_loss.items() if loss is not None
    )
    note(f"log-loss of a variable, lower is better; over all rows: {means}")


def _acted(found: Touched, *, json: bool, quiet: bool) -> None:
    """Write what each experiment acts on."""
    columns = found.features(frame="dict")
    if json:
        emit_json({"reference": found.reference, "touched": _rows(columns)})
    else:
        _write(columns | {"stated": ["yes" if there else "no" for there in columns["stated"]]})
    if not quiet:
        note(f"{found.posterior.claim}; compared with {found.reference}")
        for words in found.warnings:
            note(words)


def _rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _write(columns: dict[str, list[Any]]) -> None:
    rows = zip(*columns.values(), strict=True)
    emit_rows(columns, (["" if cell is None else str(cell) for cell in row] for row in rows))
