"""``dagscape examine``: a graph of one's own beside what a table says."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import GRAPH_KINDS, NETWORK_FILE, Json, Seed
from dagscape.cli.long_work import STOPPED, LimitOptions, end_as
from dagscape.cli.output import emit, emit_json, note, note_data, origin_of_call
from dagscape.cli.output_files import refuse_unwritable
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import (
    BY_RULE,
    KnowledgeFile,
    MaxParents,
    Scoring,
)

LIMITS = LimitOptions(time_limit=120.0, without=("cluster",))
PAGES = (".html", ".htm")


def examine(
    graph: Annotated[
        str,
        typer.Argument(
            metavar="GRAPH",
            help=f"Your graph: a {GRAPH_KINDS}; a folder of learn; or the text of DAGitty "
            "('dag { A -> B }'), of R's bnlearn ('[A][B|A]') or of Graphviz "
            "('digraph { A -> B }').",
        ),
    ],
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table (.csv, .tsv, .parquet, .arrow).")
    ],
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File for all of it: .html, a page to look at, or .json (.json.gz); repeatable.",
        ),
    ] = None,
    hidden: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A variable of the graph that is not in the table; repeatable. What the graph "
            "says of the others is examined.",
        ),
    ] = None,
    level: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="Independences fail that chance would make look so in this share of tables at "
            "most, all of them together.",
        ),
    ] = 0.05,
    relabelings: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Graphs of the same shape, names shuffled, to compare with; 0 for none.",
        ),
    ] = 200,
    resamples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Tables drawn from the rows for probabilities; 0 for none.",
            show_default="50, or as many as the time allows",
        ),
    ] = None,
    scoring: Scoring = BY_RULE,
    max_parents: MaxParents = None,
    knowledge: KnowledgeFile = None,
    limits: LimitOptions = LIMITS,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Set a graph of your own beside a table: how far below the best it is, and what fails of it.

    Tells which variables' parents lose it, how probable each arc is, which of the independences
    that the graph implies fail and what would mend them, and which graph that the table supports is
    nearest. Of a graph in which causes may be hidden (a PAG, or one with --hidden): what the table
    says of its edges, marks and independences. The exit code is 0 whatever is found.
    """
    targets = output or []
    for target in targets:
        _refuse_other_endings(target)
        refuse_unwritable(target)
    drawn = _graph(graph)
    table = reading.read(data, seed)
    problem = scoring.problem(table, max_parents, knowledge)
    with limits.work() as means:
        found = ds.examine(
            drawn,
            problem,
            hidden=hidden or (),
            level=level,
            relabelings=relabelings,
            resamples=resamples,
            seed=seed,
            **means,
        )
    for target in targets:
        if target.suffix.lower() in PAGES:
            found.report(target, origin=origin_of_call(data.name))
        else:
            found.save(target)
    if json:
        emit_json(found.to_dict())
    else:
        emit(found.summary)
    if not limits.quiet:
        for target in targets:
            note(f"all of it is in {target}")
        note_data(table)
    if found.stopped:
        note(f"{STOPPED[found.stopped]}; the answers cover what was done by then")
        end_as(found.stopped)


def _graph(name: str) -> str | ds.Network:
    """Return a network by name or of a folder; anything else the package reads itself."""
    if name in ds.embedded_networks():
        return ds.load_network(name)
    folder = Path(name)
    if name and folder.is_dir():
        if not (folder / NETWORK_FILE).is_file():
            raise ds.ParameterError(f'"{name}" is a folder without {NETWORK_FILE}; name a file')
        return str(folder / NETWORK_FILE)
    return name


def _refuse_other_endings(target: Path) -> None:
    endings = [suffix.lower() for suffix in target.suffixes[-2:]]
    if not endings or (endings[-1] not in (*PAGES, ".json") and endings[-2:] != [".json", ".gz"]):
        raise ds.ParameterError(f'"{target}" must end in .html, .json or .json.gz')
