"""``dagscape demo``: what the package learns from data whose network is known."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.folder_lock import one_writer
from dagscape.cli.learn_command import learn_into, source_of
from dagscape.cli.learn_summary import summary
from dagscape.cli.long_work import LimitOptions
from dagscape.cli.option_groups import CALL, Call
from dagscape.cli.output import emit, write_text
from dagscape.cli.reading import AS_IT_IS

NETWORK, ROWS, RUNS, RESAMPLES = "alarm", 5_000, 500, 25
MOST_PARENTS = 3
"""One variable of ALARM has 4 parents. Allowing 4 or more gives the same network on these rows, and
takes several times as long."""
SECONDS = 60
"""A third of that is enough on two cores."""


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path(
        "dagscape-demo"
    ),
    call: Call = CALL,
) -> None:
    """Sample from a known network, learn from the sample, and say where the truth was missed."""
    with one_writer(out):
        truth = ds.load_network(NETWORK)
        data = truth.sample(ROWS, seed=0)
        said = out / "summary.txt"
        data.write(out / f"{NETWORK}.csv")
        kept = out / f"{NETWORK}.parquet"  # a text file would lose the order of the states
        data.write(kept)
        report = learn_into(
            out,
            ds.Problem(data, max_parents=MOST_PARENTS),
            {"method": "auto", "k": 0.8},
            source=source_of(kept, data, AS_IT_IS),
            truth=truth.dag,
            limits=LimitOptions(time_limit=SECONDS, begun=call.begun),
            runs=RUNS,
            resamples=RESAMPLES,
        )
        text = "\n".join(
            [
                f"{ROWS:,} rows sampled from {NETWORK.upper()} ({len(truth.names)} variables, "
                f"{len(truth.dag.arcs)} arcs), seed 0",
                "",
                *summary(report),
                "",
                *_scores(data, report.learned, truth),
                "",
                f"Look at it: open {quote(str(out / 'report.html'))} in a browser",
                "Your own table: dagscape learn TABLE.csv",
            ]
        )
        write_text(said, f"{text}\n")
        emit(text)
    if report.learned.stopped == "interrupt":
        raise KeyboardInterrupt


def _scores(data: ds.Data, learned: ds.Result, truth: ds.Network) -> list[str]:
    """Compare the score with that of the true network, and of the one where greedy search stops."""
    kind = learned.score_kind or ds.default_score(data)
    scores = {
        "learned": learned.score,
        "the true network": ds.score(data, truth.dag, score=kind),
        "where greedy search stops": ds.ges(data, score=kind).score,
    }
    fresh = truth.sample(ROWS, seed=1)
    fitted = ds.fit(learned.dag, data)
    per_row = [net.log_likelihood(fresh) / fresh.n_rows for net in (fitted, truth)]
    return [
        *(f"Score {score:>12,.1f}  {of}" for of, score in scores.items()),
        f"Log-likelihood per fresh row: learned {per_row[0]:.4f}, true {per_row[1]:.4f}",
    ]
