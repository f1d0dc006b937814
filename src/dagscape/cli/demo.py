"""``dagscape demo``: what the package can tell about data whose network is known."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.output import emit, printable, write_text

NETWORK, ROWS = "alarm", 20_000
Arc = tuple[str, str]


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path(
        "dagscape-demo"
    ),
) -> None:
    """Sample from a known network, score it, damage it, and fit its tables again."""
    out.mkdir(parents=True, exist_ok=True)
    truth = ds.load_network(NETWORK)
    data = truth.sample(ROWS, seed=0)
    names = (f"{NETWORK}.csv", f"{NETWORK}.bif", "result.txt")
    table, network, result = (out / name for name in names)
    data.write(table)
    ds.write_network(truth, network)
    text = "\n".join(
        [
            f"{ROWS:,} rows sampled from {NETWORK.upper()} ({len(truth.names)} variables, "
            f"{len(truth.dag.arcs)} arcs, {truth.n_parameters} parameters), seed 0",
            "",
            *_structure(data, truth.dag),
            "",
            *_tables(data, truth),
            "",
            f"In {printable(str(out))}: {', '.join(names)}",
            f"Next: dagscape score {quote(str(table))} {quote(str(network))}",
        ]
    )
    write_text(result, f"{text}\n")
    emit(text)


def _structure(data: ds.Data, dag: ds.Dag) -> list[str]:
    """Tell what each score makes of the true graph, and of two small damages to it."""
    weakest, wrong = _weakest(data, dag), _most_tempting(data, dag)
    fewer = ds.Dag(dag.names, set(dag.arcs) - {weakest})
    more = ds.Dag(dag.names, {*dag.arcs, wrong})
    lines = [
        f"The arc that matters least to BIC:  {' -> '.join(weakest)}",
        f"The wrong arc that tempts it most:  {' -> '.join(wrong)}",
        "",
        f"{'score':<14}{'true network':>16}{'without the arc':>18}{'with the wrong one':>21}",
    ]
    for kind in dict.fromkeys(make() for make in ds.SCORES.values()):
        base, less, plus = (ds.score(data, graph, score=kind) for graph in (dag, fewer, more))
        lines.append(f"{kind!s:<14}{base:>16,.1f}{less - base:>+18,.1f}{plus - base:>+21,.1f}")
    both = ds.compare(ds.Dag(dag.names, {*fewer.arcs, wrong}), dag)
    return [
        *lines,
        "Below 0 the score prefers the true network, above 0 the damaged one.",
        "",
        f"Both at once: structural Hamming distance {both.shd} "
        f"(missing {len(both.missing)}, extra {len(both.extra)}, "
        f"misdirected {len(both.misdirected)})",
    ]


def _tables(data: ds.Data, truth: ds.Network) -> list[str]:
    """Tell how well tables fitted to the sample foretell rows they have not seen."""
    fitted = ds.fit(truth.dag, data)
    fresh = truth.sample(ROWS, seed=1)
    per_row = [net.log_likelihood(fresh) / fresh.n_rows for net in (truth, fitted)]
    return [f"Log-likelihood per fresh row: true tables {per_row[0]:.4f}, fitted {per_row[1]:.4f}"]


def _gain(data: ds.Data, dag: ds.Dag, arc: Arc) -> float:
    """Return what BIC gains by an arc: its child's score with it and without."""
    start, child = arc
    others = [x for x in dag.parents(child) if x != start]
    return ds.local_score(data, child, [*others, start]) - ds.local_score(data, child, others)


def _weakest(data: ds.Data, dag: ds.Dag) -> Arc:
    return min(dag.arcs, key=lambda arc: _gain(data, dag, arc))


def _most_tempting(data: ds.Data, dag: ds.Dag) -> Arc:
    order = dag.topological_order()  # an arc along the order closes no cycle
    absent = [
        (a, b) for i, a in enumerate(order) for b in order[i + 1 :] if a not in dag.neighbors(b)
    ]
    return max(absent, key=lambda arc: _gain(data, dag, arc))
