"""``dagscape score``: how well a network fits data."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import (
    GRAPH_KINDS,
    Json,
    Seed,
    read_graph,
)
from dagscape.cli.output import emit, emit_json, emit_table, note_data, plain_notes
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import BY_RULE, Scoring


def score(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table: .csv, .tsv, .parquet or .arrow.")
    ],
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help=f"A {GRAPH_KINDS}.")],
    scoring: Scoring = BY_RULE,
    by_variable: Annotated[
        bool, typer.Option("--by-variable", help="Show each variable's share.")
    ] = False,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Score a network's graph on data (natural log, higher is better).

    Of the network only the arcs count; the states are those of the data.
    """
    given = read_graph(graph)
    table = reading.read(data, seed)
    problem = scoring.problem(table)
    on_table = given.on(table.names)
    total = ds.score(problem, on_table)
    dag = on_table if isinstance(on_table, ds.Dag) else on_table.to_dag()
    parts = {x: ds.local_score(problem, x, dag.parents(x)) for x in table.names}
    if json:
        content: dict[str, object] = {
            "score": str(problem.score),
            "total": total,
            "rows": table.n_rows,
            "variables": table.n_variables,
            "arcs": len(dag.arcs),
            "notes": plain_notes(table),
        }
        if by_variable:
            content["by_variable"] = [
                {"variable": x, "parents": dag.parents(x), "score": part}
                for x, part in parts.items()
            ]
        emit_json(content)
    elif by_variable:
        rows = [(x, ", ".join(dag.parents(x)), repr(part)) for x, part in parts.items()]
        emit_table(("variable", "parents", "score"), rows, ("total", "", repr(total)))
    else:
        emit(repr(total))
    note_data(table)
