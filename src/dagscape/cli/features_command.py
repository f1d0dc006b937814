"""``dagscape features``: what many networks agree on, and how far to trust each part of it."""

from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.confidence import Answer, Models, Question, as_level, judged
from dagscape.cli.inputs import (
    GRAPH_KINDS,
    Json,
    Seed,
    read_graph,
)
from dagscape.cli.long_work import (
    NO_MEMORY,
    LimitOptions,
    Neighborhood,
    StoreFile,
    early_end,
    end_as,
    require_runs,
    with_rate,
)
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import emit_columns, emit_json, note, note_data, plain_notes, rows_of
from dagscape.cli.plots import refuse_no_picture, save_picture
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)
from dagscape.words import counted

STORE_FILES = (".sqlite", ".sqlite3", ".db")
OF_ANY = (
    *("--kind", "--threshold", "--weigh-by", "--reference", "--tradeoff"),
    *("--fp-weight", "--fn-weight", "--quiet", "--plot", "--json"),
)
"""Options that are of use whatever the networks are from."""
RUNS = {"optima": 1000, "bootstrap": 200}


def features(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="DATA_OR_STORE",
            help="Table (.csv, .tsv, .parquet, .arrow), or what dagscape optima --store kept.",
        ),
    ],
    kind: Annotated[
        str, typer.Option(metavar="NAME", help="What to look at: edges, paths or blankets.")
    ] = "edges",
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Show what has this confidence or more; auto: where fp + fn is least.",
            show_default="show all",
        ),
    ] = None,
    weigh_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How networks are weighted: optima (each once), visits or score.",
            show_default="optima; visits for bootstrap",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORK",
            help=f"What to compare with: a {GRAPH_KINDS}.",
            show_default="the best network found",
        ),
    ] = None,
    tradeoff: Annotated[
        bool, typer.Option("--tradeoff", help="Show tp, fp and fn for each threshold instead.")
    ] = False,
    fp_weight: Annotated[
        float, typer.Option(metavar="W", help="What a false positive costs, for the threshold.")
    ] = 1,
    fn_weight: Annotated[
        float, typer.Option(metavar="W", help="What a false negative costs, for the threshold.")
    ] = 1,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Where networks come from: optima, or bootstrap (samples of the rows).",
            show_default="optima",
        ),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="For bootstrap: ges, kes, exact, order, wide, hill_climb or learn.",
            show_default="ges",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="How many runs.",
            show_default=", ".join(f"{n} of {name}" for name, n in RUNS.items()),
        ),
    ] = None,
    k: Annotated[
        float | None,
        typer.Option(
            help="Share of the better neighbors that each step draws, from 0 to 1.",
            show_default="0.8",
        ),
    ] = None,
    store: StoreFile = None,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    neighborhood: Neighborhood = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = NO_MEMORY,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File for a picture of the trade-off: .svg, .png or .pdf (needs matplotlib).",
        ),
    ] = None,
    json: Json = False,
    call: Call = CALL,
) -> None:
    """Say how far to trust each edge, directed path or pair of a Markov blanket.

    Confidence is the share of networks that have it, among the optima of many runs or among
    networks learned from samples of the rows. Tab-separated values go to stdout; the threshold
    with the fewest features wrongly kept and wrongly dropped is said on stderr.
    """
    question = Question(
        kind,
        weigh_by,
        None if reference is None else read_graph(reference).alike,
        as_level(threshold),
        fp_weight,
        fn_weight,
    )
    table: ds.Data | None = None
    if plot is not None:
        refuse_no_picture(plot)
    if is_store(source):
        call.refuse_all_but(*OF_ANY, why=f'only for tables; "{source}" holds runs that are done')
        asked = 0
        found: Models = ds.load_result(source, ds.Landscape)
    else:
        way = method or "optima"
        if way not in RUNS:
            raise ds.ParameterError(f'unknown --method "{way}"; choose {", ".join(RUNS)}')
        _refuse_others(way, search, k, neighborhood)
        asked = runs or RUNS[way]
        table = reading.read(source, seed)
        question.check(ds.Landscape if way == "optima" else ds.Bootstrap, table.names)
        problem = scoring.problem(table, max_parents, knowledge)
        with limits.work() as means:
            settings: dict[str, Any] = {
                "k": 0.8 if k is None else k,
                "runs": asked,
                "store": store,
                "seed": seed,
                **means,
                "progress": with_rate(means["progress"], asked),
            }
            if way == "optima":
                found = ds.local_optima(problem, neighborhood=neighborhood or "auto", **settings)
            else:
                found = ds.bootstrap(problem, method=search or "ges", **settings)
        require_runs(found)
    answer = question.ask(found)
    if plot is not None:
        save_picture(found, question, answer, plot)
    if json:
        notes = None if table is None else plain_notes(table)  # a store does not know its table
        emit_json(_description(found, question, answer, reference, tradeoff) | {"notes": notes})
    else:
        emit_columns(answer.tradeoff if tradeoff else answer.features)
    if not limits.quiet:
        note(_outcome(found))
        note(judged(found, question, answer, reference))
    if found.stopped:
        note(early_end(found, asked, store))
    if table is not None and not limits.quiet:
        note_data(table)
    end_as(found.stopped)


def is_store(path: Path) -> bool:
    """Tell a store from a table, by what it is or by its name."""
    if path.suffix.lower() in STORE_FILES:
        return True
    if not path.is_file():  # what is wrong with it, its reader says
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _refuse_others(way: str, search: str | None, k: float | None, neighborhood: str | None) -> None:
    """Refuse options of another way to make networks."""
    if way == "optima":
        if search is not None:
            raise ds.ParameterError("--search is for --method bootstrap; optima are found by kes")
        return
    if neighborhood is not None:
        raise ds.ParameterError("--neighborhood is for --method optima")
    if k is not None and search != "kes":
        raise ds.ParameterError("--k is for kes; with --method bootstrap choose --search kes")


def _outcome(found: Models) -> str:
    took = f"; {found.seconds:.1f} s" if found.seconds else ""
    if isinstance(found, ds.Landscape):
        many = "optimum" if len(found.optima) == 1 else "optima"
        best = f"best {found.score_name} {found.best.score:.4f}"
        return (
            f"{len(found.optima):,} {many} of {counted(found.runs, 'run')} (k={found.k:g}{took}), "
            f"{best}"
        )
    classes = counted(len(found.networks), "different network")
    return (
        f"{classes} on {counted(found.runs, 'sample')} of the rows ({found.method}{took}), "
        f"on the rows themselves {found.score_name} {found.best.score:.4f}"
    )


def _description(
    found: Models, question: Question, answer: Answer, reference: str | None, tradeoff: bool
) -> dict[str, Any]:
    name = "tradeoff" if tradeoff else "features"
    columns = answer.tradeoff if tradeoff else answer.features
    landscape = isinstance(found, ds.Landscape)
    tp, fp, fn = answer.counts
    return {
        "kind": question.kind,
        "method": "optima" if landscape else "bootstrap",
        "runs": found.runs,
        "distinct": len(found.optima if isinstance(found, ds.Landscape) else found.networks),
        "stopped": found.stopped,
        "seed": found.seed,
        "score": found.score_name,
        "weights": question.weights or found.WEIGHTS[0],
        "reference": reference,
        "best_threshold": answer.best,
        "threshold": answer.level,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        name: rows_of(columns),
    }
