"""``dagscape demo``: what the package learns from data whose network is known."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.output import emit, printable, write_text

NETWORK, ROWS, MOST_PARENTS, RUNS = "alarm", 5_000, 3, 500


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path(
        "dagscape-demo"
    ),
) -> None:
    """Sample from a known network, find the best network for the sample, and say what to trust."""
    out.mkdir(parents=True, exist_ok=True)
    truth = ds.load_network(NETWORK)
    data = truth.sample(ROWS, seed=0)
    names = (f"{NETWORK}.csv", "learned.bif", "result.json", "result.txt")
    table, learned, saved, said = (out / name for name in names)
    data.write(table)
    best = ds.exact(data, max_parents=MOST_PARENTS)
    best.save(saved)
    fitted = ds.fit(best.dag, data)
    ds.write_network(fitted, learned)
    text = "\n".join(
        [
            f"{ROWS:,} rows sampled from {NETWORK.upper()} ({len(truth.names)} variables, "
            f"{len(truth.dag.arcs)} arcs), seed 0",
            "",
            *_network(data, best, truth),
            "",
            *_landscape(data, truth),
            "",
            *_tables(truth, fitted),
            "",
            f"In {printable(str(out))}: {', '.join(names)}",
            f"Next: dagscape exact {quote(str(table))} --max-parents 3",
        ]
    )
    write_text(said, f"{text}\n")
    emit(text)


def _network(data: ds.Data, best: ds.Result, truth: ds.Network) -> list[str]:
    """Tell what was proven, and where the true network was missed."""
    found = ds.compare(best.dag, truth.dag)
    scores = {
        "this one": best.score,
        "the true one": ds.score(data, truth.dag),
        "where greedy search stops": ds.ges(data).score,
    }
    return [
        f"The best network: {best.claim}",
        f"  proven in {best.seconds:.1f} s",
        *(f"  BIC {score:>12,.1f}  {of}" for of, score in scores.items()),
        f"  {len(best.dag.arcs)} arcs; of the true edges {len(found.missing)} are missing, "
        f"{len(found.misdirected)} directed otherwise, {len(found.extra)} are too many",
        *(f"    missing: {' - '.join(pair)}" for pair in found.missing),
        *(f"    extra:   {' - '.join(pair)}" for pair in found.extra),
    ]


def _landscape(data: ds.Data, truth: ds.Network) -> list[str]:
    """Tell what many searches agree on, and how that compares with the truth."""
    landscape = ds.local_optima(data, runs=RUNS, seed=0)
    lines = [
        f"The landscape: {RUNS} searches end at {len(landscape.optima)} different optima, "
        f"in {landscape.seconds:.1f} s",
        f"  {'features':<12}{'threshold':>10}{'confident':>11}{'true':>7}{'false':>7}{'missed':>8}",
    ]
    for kind in ("edges", "paths", "blankets"):
        at = landscape.threshold(kind)
        row = landscape.tradeoff(kind, truth.dag, thresholds=[at]).row(0, named=True)
        confident = row["tp"] + row["fp"]
        lines.append(
            f"  {kind:<12}{at:>10.2f}{confident:>11}{row['tp']:>7}{row['fp']:>7}{row['fn']:>8}"
        )
    return lines


def _tables(truth: ds.Network, fitted: ds.Network) -> list[str]:
    """Tell how well tables fitted to the sample foretell rows they have not seen."""
    fresh = truth.sample(ROWS, seed=1)
    per_row = [net.log_likelihood(fresh) / fresh.n_rows for net in (truth, fitted)]
    return [f"Log-likelihood per fresh row: true {per_row[0]:.4f}, learned {per_row[1]:.4f}"]
