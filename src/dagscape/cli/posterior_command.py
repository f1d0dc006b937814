"""``dagscape posterior``: how probable every arc, ancestor and network is."""

from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.features_command import is_store
from dagscape.cli.inputs import (
    Json,
    Seed,
)
from dagscape.cli.long_work import ALL, STOPPED, LimitOptions, end_as
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import (
    emit_columns,
    emit_json,
    emit_rows,
    note,
    note_data,
    origin_of_call,
    plain_notes,
)
from dagscape.cli.output_files import refuse_unwritable
from dagscape.cli.reading import WITH_GAPS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    Scoring,
)
from dagscape.posteriors import Agreement, ProbableClass
from dagscape.words import counted

OF_ANY = ("--kind", "--least", "--networks", "--save", "--report", "--quiet", "--json")
"""Options that are of use whatever the posterior is from."""
KINDS = ("arcs", "adjacencies", "ancestors", "blankets", "edges", "paths")


def posterior(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DATA_OR_POSTERIOR",
            help="Table (.csv, .tsv, .parquet, .arrow), or what --save or --store kept.",
        ),
    ],
    kind: Annotated[
        str, typer.Option(metavar="NAME", help=f"What to show: {', '.join(KINDS)}.")
    ] = "adjacencies",
    least: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="Show what is at least this probable.")
    ] = 0.01,
    networks: Annotated[
        int | None,
        typer.Option(
            metavar="K", min=1, help="Show the K most probable classes of networks instead."
        ),
    ] = None,
    resamples: Annotated[
        int | None,
        typer.Option(
            metavar="B",
            min=0,
            help="Mean of the posteriors of this many tables drawn from the rows.",
            show_default="0: the posterior of the table itself",
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to keep it in: .sqlite.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for a page to look at: .html.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File to keep resamples or chains in: the same command goes on with it.",
        ),
    ] = None,
    scoring: Scoring = BY_RULE,
    knowledge: KnowledgeFile = None,
    max_parents: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="The most parents of a variable.",
            show_default="none up to 20 variables, then what 12 million parent sets allow",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Way to compute it: exact sums, mcmc chains, or auto: sums if an hour is enough.",
            show_default="auto",
        ),
    ] = None,
    chains: Annotated[
        int | None,
        typer.Option(
            metavar="C", min=1, help="How many chains.", show_default="8; 2 on each resample"
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            min=1,
            help="How long each chain is.",
            show_default="4000; 1000 on resamples; 500 with missing cells",
        ),
    ] = None,
    limits: LimitOptions = ALL,
    reading: Reading = WITH_GAPS,
    seed: Seed = 0,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Compute how probable every arc, ancestor or class of networks is, given the table.

    By exact sums over all networks, weighed by score and prior, or by chains of networks where
    these are too many. Where cells are missing, chains draw these and networks in turn.
    Tab-separated values go to stdout: a row for each pair of variables with its probability, and
    between which numbers it lies; on stderr is said which networks this is about.
    """
    if kind not in KINDS:
        raise ds.ParameterError(f'unknown --kind "{kind}"; choose {", ".join(KINDS)}')
    if report is not None:
        refuse_unwritable(report)
    table: ds.Data | None = None
    if is_store(source):
        call.refuse_all_but(*OF_ANY, why=f'only for tables; "{source}" holds a posterior')
        asked = 0
        found = ds.load_result(source, ds.Posterior)
    else:
        asked = resamples or 0
        table = reading.read(source, seed)
        with limits.work() as means:
            found = ds.posterior(
                scoring.problem(table, max_parents, knowledge),
                method=method or "auto",
                resamples=asked,
                chains=chains,
                rounds=rounds,
                seed=seed,
                store=store,
                **means,
            )
    if save is not None:
        found.save(save)
    if report is not None:
        found.report(report, origin=origin_of_call(source.name))
    if json:
        shown = _networks(found, networks) if networks else _features(found, kind, least)
        notes = [each.to_dict() for each in found.notes] if table is None else plain_notes(table)
        emit_json(_description(found, asked) | shown | {"notes": notes})
    elif networks:
        _emit_networks(found.networks(networks))
    else:
        emit_columns(found.features(kind, least=least, frame="dict"))
    if not limits.quiet:
        note(f"{found.claim} ({found.seconds:.1f} s)")
        if not found.rows_independent:
            note("the rows seem to depend on each other: the probabilities are surer than is right")
    if found.stopped:
        note(f"{STOPPED[found.stopped]}{_how_far(found, asked)}")
    if table is not None and not limits.quiet:
        note_data(table)
    end_as(found.stopped)


def _how_far(found: ds.Posterior, asked: int) -> str:
    """Say how much was done before it was stopped."""
    if found.empty:
        return ""
    if found.agreement is not None:
        return f"; {counted(found.agreement.chains, 'chain')} used, some of them cut short"
    return f" with {found.resamples:,} of {counted(asked or found.resamples, 'resample')} done"


def _features(found: ds.Posterior, kind: str, least: float) -> dict[str, Any]:
    rows = found.features(kind, least=least).to_dicts()
    return {"kind": kind, "least": least, "features": rows}


def _networks(found: ds.Posterior, k: int) -> dict[str, Any]:
    return {
        "networks": [
            {
                "probability": each.probability,
                "lower": each.lower,
                "upper": each.upper,
                "score": each.score,
                "proven": each.proven,
                "directed": each.cpdag.directed,
                "undirected": each.cpdag.undirected,
            }
            for each in found.networks(k)
        ]
    }


def _emit_networks(classes: list[ProbableClass]) -> None:
    """Write a line for each class: its numbers, and its edges in words."""
    rows = []
    for each in classes:
        graph = each.cpdag
        edges = [f"{a} -> {b}" for a, b in graph.directed]
        edges += [f"{a} -- {b}" for a, b in graph.undirected]
        numbers = (each.probability, each.lower, each.upper, each.score)
        cells = ("" if number is None else str(number) for number in numbers)
        rows.append([*cells, str(each.proven).lower(), ", ".join(edges)])
    emit_rows(("probability", "lower", "upper", "score", "proven", "edges"), rows)


def _description(found: ds.Posterior, asked: int) -> dict[str, Any]:
    return {
        "claim": found.claim,
        "exact": found.exact,
        "score": found.score_kind.base.to_dict(),
        "prior": found.prior.to_dict(),
        "scope": found.scope.to_dict(),
        "resamples": found.resamples,
        "asked": asked,
        "stopped": found.stopped,
        "seed": found.seed,
        "seconds": found.seconds,
        "components": list(found.components),
        "dropped": found.dropped,
        "agreement": _agreement(found.agreement),
        "log_evidence": found.log_evidence,
    }


def _agreement(chains: Agreement | None) -> dict[str, Any] | None:
    if chains is None:
        return None
    names = ("from", "to", "least", "most")
    return {
        "chains": chains.chains,
        "starts": list(chains.starts),
        "error": chains.error,
        "apart": chains.apart,
        "together": chains.together,
        "completed": chains.completed,
        "arcs": [dict(zip(names, arc, strict=True)) for arc in chains.arcs],
    }
