"""``dagscape effect``: what happens to an outcome if somebody sets a cause."""

from dataclasses import replace
from os.path import relpath
from pathlib import Path
from shlex import join
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.earlier_folder import is_folder, learned_in, table_of, table_source
from dagscape.cli.features_command import is_store
from dagscape.cli.folder import POSTERIOR_FILE
from dagscape.cli.inputs import (
    Json,
    Seed,
    saved_result,
)
from dagscape.cli.long_work import ONE_MACHINE, STOPPED, LimitOptions, end_as
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import emit, emit_json, emit_rows, note, note_data, plain_notes
from dagscape.cli.reading import WITH_GAPS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    Scoring,
)
from dagscape.effects import SlopeEffect
from dagscape.words import counted, listed

OF_TABLES = (
    *("--resamples", "--score", "--ess", "--prior", "--knowledge"),
    *("--max-parents", "--time-limit", "--threads"),
)
"""Options for a posterior that is yet to be made."""


def effect(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="Table (.csv, .tsv, .parquet, .arrow), or a folder of dagscape learn; or, with "
            "--data, a posterior that was saved, or a result (.json).",
        ),
    ],
    cause: Annotated[str, typer.Argument(metavar="CAUSE", help="The variable to set.")],
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="The outcome to look at.")],
    data: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="The table that SOURCE was made from.")
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="B", min=0, help="Average over this many resampled tables.")
    ] = 0,
    networks: Annotated[int, typer.Option(metavar="N", min=1, help="Networks to draw.")] = 2000,
    level: Annotated[
        float, typer.Option(metavar="P", help="How much probability the intervals contain.")
    ] = 0.95,
    hidden: Annotated[
        bool,
        typer.Option(
            "--hidden",
            help="Causes may be hidden: give the effect where that leaves it, else how strong a "
            "hidden cause would have to be. Of a folder of dagscape learn.",
        ),
    ] = False,
    scoring: Scoring = BY_RULE,
    knowledge: KnowledgeFile = None,
    max_parents: Annotated[
        int | None, typer.Option(metavar="K", help="The most parents of a variable.")
    ] = None,
    limits: LimitOptions = ONE_MACHINE,
    reading: Reading = WITH_GAPS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Estimate what setting a cause does to an outcome, averaged over what data leave open.

    This takes arcs for causes, and needs every common cause of the variables to be in the table,
    and rows that were not selected by what the variables cause.
    Tab-separated values go to stdout: a row for each state that the cause is set to and each state
    of the outcome, with its probability and between which numbers it lies. Of an outcome of
    numbers, its mean; of a cause of numbers, by how much the outcome rises for each unit of it.
    Each answer has two intervals: lower to upper is the posterior's, which shrinks toward no
    effect; adjusted_lower to adjusted_upper is by regression on the cause, its parents and the
    outcome's own, which does not.
    """
    of_folder = source.is_dir() and data is None
    if hidden:
        if not of_folder or not is_folder(source):
            raise ds.ParameterError(
                f'--hidden needs a folder of dagscape learn, and "{source}" is none; run '
                "dagscape learn on the table first"
            )
        asked: dict[str, Any] = {"networks": networks, "level": level, "seed": seed}
        told = ds.effect(
            learned_in(source, quiet=limits.quiet), cause, outcome, hidden=True, **asked
        )
        if json:
            emit_json(told.to_dict())
        else:
            emit(str(told))
        return
    made = _made(source)
    if made is not None and data is None and not of_folder:
        raise ds.ParameterError(
            f'"{source}" has no table; name the one it was made from with --data'
        )
    if made is None and data is not None:
        raise ds.ParameterError(f'--data goes with a posterior or a result; "{source}" is a table')
    if made is not None:  # a folder says itself how its table is read
        how = reading.given if of_folder else ()
        call.refuse(*OF_TABLES, *how, why=f'only for tables; "{source}" is made already')
    named = source if data is None else data
    table = table_of(source) if of_folder else reading.read(named, seed)
    for name in (cause, outcome):
        table.select([name])  # refuses a wrong name before anything takes long
    if isinstance(made, ds.Result) and table.missing:
        path, read = (named, reading) if not of_folder else table_source(source)[:2]
        known = made.scope.knowledge is not None
        words = replace(read, missing=WITH_GAPS.missing).options(WITH_GAPS)
        command = _command("effect", Path(relpath(path)), [cause, outcome, *words])
        raise ds.DataError(_with_gaps(table.missing.cells, known) + command)
    fresh = made is None
    if made is None:
        with limits.work() as means:
            made = ds.posterior(
                scoring.problem(table, max_parents, knowledge),
                resamples=resamples,
                seed=seed,
                **means,
            )
    found = ds.effect(
        made,
        cause,
        outcome,
        data=table,
        networks=networks,
        level=level,
        seed=seed,
        max_memory=limits.memory,
    )
    if json:
        emit_json({**found.to_dict(), "notes": plain_notes(table)})
    else:
        knowledge_by = "" if fresh else " of dagscape learn or posterior"
        _show(found, limits.quiet, f"--knowledge{knowledge_by}")
        note_data(table, advise=fresh)
    if isinstance(made, ds.Posterior) and made.stopped:
        note(f"{STOPPED[made.stopped]}; the posterior covers what was done by then")
        end_as(made.stopped)


def _with_gaps(cells: int, known: bool) -> str:
    """Say that a network alone gives no effect where cells are missing, and what does."""
    given = " (what is known is to be given again, by --knowledge)" if known else ""
    return (
        f"the table keeps {counted(cells, 'missing cell')}, and a network without probabilities "
        f"needs a value in every cell; networks of the posterior, with drawn cells, answer{given}: "
    )


def _command(name: str, source: Path, words: list[str]) -> str:
    return join(["dagscape", name, str(source), *words])


def _made(source: Path) -> ds.Posterior | ds.Result | None:
    """Return what was kept of an earlier command; None for a table.

    Of a folder that is the posterior, the network alone if there is none.
    """
    if source.is_dir():
        kept = source / "result.json"
        if not kept.exists():
            raise ds.ParameterError(f'"{source}" is not a folder of dagscape learn')
        weighed = source / POSTERIOR_FILE
        return (
            ds.load_result(weighed, ds.Posterior)
            if weighed.exists()
            else ds.load_result(kept, ds.Result)
        )
    if is_store(source):
        return ds.load_result(source, ds.Posterior)
    if source.suffix.lower() == ".json":
        result = saved_result(str(source))
        if result is None:
            raise ds.ParameterError(
                f'"{source}" is not a result of a search; result.json of dagscape learn is one'
            )
        return result
    return None


def _show(found: ds.Effect | SlopeEffect, quiet: bool, knowledge: str) -> None:
    columns = found.frame("dict")
    digits = ".6g" if isinstance(found, SlopeEffect) else ".6f"  # slopes can be tiny, or large
    cells = [
        [
            value if isinstance(value, str) else "" if value is None else f"{value:{digits}}"
            for value in row
        ]
        for row in zip(*columns.values(), strict=True)
    ]
    emit_rows(columns, cells)
    if quiet:
        return
    note(found.claim)
    for words in filter(None, (*found.own_words, found.adjusting, found.paths, *found.cautions)):
        note(words)
    if found.caution:
        note(f"{found.caution}; knowledge would ({knowledge})")
    if not found.weighted and len(found.alternatives) > 1:
        sets = [listed(one.parents) if one.parents else "nothing" for one in found.alternatives]
        note(f"{found.cause} may be caused by {', or by '.join(sets)}: the data cannot tell")
