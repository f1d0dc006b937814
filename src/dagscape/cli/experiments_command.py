"""``dagscape experiments``: which experiment next, and how well those made are foretold."""

from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.features_command import is_store
from dagscape.cli.folder import POSTERIOR_FILE
from dagscape.cli.inputs import Json, Seed
from dagscape.cli.long_work import ONE_MACHINE, STOPPED, LimitOptions, end_as
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import emit_columns, emit_json, note, note_data, rows_of
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)
from dagscape.posteriors import Touched
from dagscape.posteriors import touched as what_is_touched


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
    scoring: Scoring = BY_RULE,
    knowledge: KnowledgeFile = None,
    max_parents: MaxParents = None,
    limits: LimitOptions = ONE_MACHINE,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Say which experiment next would settle most directions of edges.

    Averaged over all that is probable: for each variable, how many edges that are open now an
    experiment on it would direct, if it hits nothing else and has rows enough. The table may come
    from experiments already (--interventions). Tab-separated values go to stdout, that which
    settles most first; with --left-out, the log-loss of each experiment, foretold without it; with
    --touched, how probable it is that each experiment acts on each variable.
    """
    kept = source / POSTERIOR_FILE if source.is_dir() else source
    if source.is_dir() or is_store(kept):
        made_already = f'only for tables; "{source}" holds a posterior'
        call.refuse_all_but("--quiet", "--json", why=made_already)
        _ranked(ds.load_result(kept, ds.Posterior), json=json, quiet=limits.quiet)
        return
    table = reading.read(source, seed)
    problem = scoring.problem(table, max_parents, knowledge)
    if left_out and touched:
        raise ds.ParameterError("--left-out and --touched are two questions: ask one of them")
    said = {"json": json, "quiet": limits.quiet}
    with limits.work() as means:
        asked = {**means, "max_parents": max_parents, "knowledge": problem.knowledge}
        asked |= {"score": problem.score.base, "prior": problem.score.prior, "seed": seed}
        if left_out:
            _foretold(ds.leave_one_experiment_out(table, **asked), **said)
        elif touched:
            _acted(what_is_touched(table, **asked), **said)
        else:
            _ranked(ds.posterior(problem, seed=seed, **means), **said)
    if not limits.quiet:
        note_data(table)


def _ranked(found: ds.Posterior, *, json: bool, quiet: bool) -> None:
    """Write the experiments, that which settles most first."""
    columns = found.next_experiments(frame="dict")
    is_open = columns.pop("open")[0]
    if json:
        emit_json({"claim": found.claim, "open": is_open, "experiments": rows_of(columns)})
    else:
        emit_columns(columns)
    if not quiet:
        note(f"{found.claim} ({found.seconds:.1f} s)")
        note(
            f"of the edges, {is_open:.2f} are expected to have no direction now"
            + ("; what is uncertain is which edges there are" if is_open < 0.005 else "")
        )
    if found.stopped:
        note(STOPPED[found.stopped])
    end_as(found.stopped)


def _foretold(found: Any, *, json: bool, quiet: bool) -> None:
    """Write how well each experiment was foretold."""
    if json:
        emit_json(found.to_dict())
        return
    emit_columns(found.by_experiment(frame="dict"))
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
        emit_json({"reference": found.reference, "touched": rows_of(columns)})
    else:
        emit_columns(
            columns | {"stated": ["yes" if there else "no" for there in columns["stated"]]}
        )
    if not quiet:
        note(f"{found.posterior.claim}; compared with {found.reference}")
        for words in found.warnings:
            note(words)
