"""``dagscape blanket``: what matters for one variable, how, and how much."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.file_kinds import GRAPH_ENDINGS
from dagscape.cli.inputs import (
    Json,
    Seed,
)
from dagscape.cli.long_work import ALL, STOPPED, LimitOptions, end_as
from dagscape.cli.output import emit_json, emit_table, note, note_data, plain_notes
from dagscape.cli.output_files import needs_table, try_network
from dagscape.cli.plots import FORMS, is_picture, refuse_no_picture, save_blanket
from dagscape.cli.reading import AS_IT_IS, Reading
from dagscape.cli.shared_options import BY_RULE, Scoring
from dagscape.regression import Slope, edge_slopes
from dagscape.search import Blanket, BlanketMember
from dagscape.search.local import ORDERS, SPOUSES

COLUMNS = ("target", "member", "role", "through", "support", "slope")
"""Slopes are shown where there are some."""


def blanket(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Table: .csv, .tsv, .parquet or .arrow.")
    ],
    target: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Whose blanket; repeatable.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="The blankets of all variables.")] = False,
    of: Annotated[
        Path | None,
        typer.Option(
            "--of",
            metavar="DIR",
            help="Read blankets from this network: a folder of dagscape learn, or a saved result.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help=f"File for the network around the target: a picture ({', '.join(FORMS)}; needs "
            f"matplotlib), its essential graph ({GRAPH_ENDINGS}) or the network, tables fitted "
            "(.bif, ...).",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="hill_climb (off a whole network), sll (around the target), hiton or mmpc (by "
            "tests).",
            show_default="hill_climb; sll with --cluster",
        ),
    ] = None,
    scoring: Scoring = BY_RULE,
    max_parents: Annotated[
        int | None,
        typer.Option(
            metavar="K", help="The most parents of a variable in a network.", show_default="5"
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"For sll: how candidates come in, {', '.join(ORDERS)}.",
            show_default="association",
        ),
    ] = None,
    spouses: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"For sll: what counts as a spouse, {', '.join(SPOUSES)}.",
            show_default="either",
        ),
    ] = None,
    exact_limit: Annotated[
        int,
        typer.Option(
            metavar="N", help="The most variables for which the best network is found exactly."
        ),
    ] = 20,
    alpha: Annotated[
        float | None,
        typer.Option(help="For tests: the largest p-value of dependence.", show_default="0.05"),
    ] = None,
    degrees: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="For tests: degrees of freedom adjusted to the states seen, or all declared ones.",
            show_default="adjusted",
        ),
    ] = None,
    limits: LimitOptions = ALL,
    reading: Reading = AS_IT_IS,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find which variables matter for one, what role each plays, and how much it matters.

    Roles are read from the best network on the target, its blanket and the neighbors of its
    neighbors: parent, child, "parent or child" where the data cannot tell, spouse (another parent
    of the children named under "through"), or none if the network does not need it. Support is how
    much lower the best score is without the member in the blanket. Where a column of numbers is the
    child of the two, slope is its rise for one unit of the other, or for one state instead of the
    first, with the 95 % interval; its other parents are held fixed. Such an interval does not allow
    for the arc having been found in the same rows.

    This looks around the target alone. The network of dagscape learn weighs all variables at
    once, so that the two can differ, most of all on small tables; --of shows the network's own,
    without support.
    """
    if every == bool(target):
        raise ds.ParameterError("give --target NAME, or --all, and not both")
    table = reading.read(data, seed)
    targets = list(table.names if every else target or ())
    if of is not None:
        learned = read_learned(of)
        _tell([own_blanket(learned, x, table) for x in targets], json, limits.quiet)
        return
    if output is not None:
        if len(targets) != 1:
            raise ds.ParameterError(f"-o is for one target, got {len(targets)}")
        if is_picture(output):
            refuse_no_picture(output, "-o")
        else:
            try_network(table.names, table, output)
    with limits.work() as means:
        found: Any = ds.describe_blanket(
            table,
            targets,
            method=method,
            order=order,
            spouses=spouses,
            **scoring.on(table),
            max_parents=max_parents,
            exact_limit=exact_limit,
            alpha=alpha,
            degrees=degrees,
            **means,
        )
    blankets: list[Blanket] = list(found.values())
    try:
        if output is not None:
            _write(blankets[0], table, output)
    finally:  # a disk that is full must not cost the answer as well
        if json:
            described = [_description(one) for one in blankets]
            emit_json({"blankets": described, "notes": plain_notes(table)})
        else:
            _emit(blankets)
    stopped = next((one.stopped for one in blankets if one.stopped), None)
    if stopped or not limits.quiet:
        note(_outcome(blankets, stopped))
    if not limits.quiet:
        _note_slopes(blankets)
        note_data(table)
    end_as(stopped)


def _tell(blankets: list[Blanket], json: bool, quiet: bool) -> None:
    """Say what the blankets of a network are."""
    if json:
        emit_json({"blankets": [_description(one) for one in blankets]})
    else:
        _emit(blankets)
    if not quiet:
        _note_slopes(blankets)


def _note_slopes(blankets: list[Blanket]) -> None:
    """Say what intervals leave out, where there are any."""
    shown = [slope for one in blankets for some in one.slopes.values() for slope in some]
    if any(slope.lower is not None for slope in shown):
        note(Slope.caution)


def _write(found: Blanket, table: ds.Data, output: Path) -> None:
    network = found.network
    if network is None:
        note(f"{output} is not written: there was no time for the network")
    elif is_picture(output):
        save_blanket(network, found.target, output)
    elif needs_table(output):
        ds.fit(network.dag, table.select(network.dag.names)).write(output)
    else:
        ds.write_graph(network.cpdag, output)


def _emit(blankets: list[Blanket]) -> None:
    rows = [
        (
            one.target,
            member.name,
            member.role or "",
            ",".join(member.through),
            "" if member.support is None else f"{member.support:.4f}",
            "; ".join(map(_slope, one.slopes.get(member.name, ()))),
        )
        for one in blankets
        for member in one.members
    ]
    shown = len(COLUMNS) if any(row[-1] for row in rows) else len(COLUMNS) - 1
    emit_table(COLUMNS[:shown], [row[:shown] for row in rows])


def _slope(slope: Slope) -> str:
    """Return a slope with its interval, and with the states that it compares."""
    if slope.value is None:
        return "cannot be told"
    between = "" if slope.lower is None else f" ({slope.lower:.4g} to {slope.upper:.4g})"
    return f"{'' if slope.state is None else f'{slope.state}: '}{slope.value:.4g}{between}"


def _outcome(blankets: list[Blanket], stopped: str | None) -> str:
    members = sum(len(one.members) for one in blankets)
    many = f"{members:,} member{'' if members == 1 else 's'}"
    whose = f'the Markov blanket of "{blankets[0].target}"'
    if len(blankets) != 1:
        whose = f"{len(blankets):,} Markov blankets"
    ended = f"; {STOPPED[stopped]}: what is not known is left empty" if stopped else ""
    how = blankets[0].method
    return f"{many} in {whose} ({how}; support by {blankets[0].score_name}{ended})"


def _description(one: Blanket) -> dict[str, Any]:
    return {
        "target": one.target,
        "method": one.method,
        "score": one.score_name,
        "stopped": one.stopped,
        "members": [
            {
                "name": member.name,
                "role": member.role,
                "through": list(member.through),
                "support": member.support,
                "slopes": [asdict(slope) for slope in one.slopes.get(member.name, ())],
            }
            for member in one.members
        ],
        "directed": [] if one.network is None else list(one.network.cpdag.directed),
        "undirected": [] if one.network is None else list(one.network.cpdag.undirected),
    }


def read_learned(where: Path) -> ds.Result:
    """Read what a search found: a saved result, or a folder of ``dagscape learn``."""
    path = where / "result.json" if where.is_dir() else where
    if not path.exists():
        raise ds.ParameterError(
            f'--of needs a folder of dagscape learn or a saved result, and there is no "{path}"'
        )
    return ds.load_result(path, ds.Result)


def own_blanket(found: ds.Result, target: str, table: ds.Data) -> Blanket:
    """Return the blanket of a variable in a network, with roles and without support."""
    dag, class_ = found.dag, found.mpdag
    if target not in dag.names:
        raise ds.ParameterError(f'the network has no variable "{target}"')
    near = set(dag.neighbors(target))
    members = []
    for name in dag.markov_blanket(target):
        if name not in near:
            through = [x for x in dag.children(target) if name in dag.parents(x)]
            members.append(BlanketMember(name, "spouse", tuple(through), None))
            continue
        directed = (name, target) in class_.directed, (target, name) in class_.directed
        role = {(True, False): "parent", (False, True): "child"}.get(directed, "parent or child")
        members.append(BlanketMember(name, role, (), None))
    slopes = {}
    if table.rows.groups is None:  # each group has lines of its own
        slopes = {one.name: edge_slopes(table, dag, target, one.name) for one in members}
    how = (found.method, found.score_name, None, 0.0)
    return Blanket(target, tuple(members), found, *how, slopes)
