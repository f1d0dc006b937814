"""Options that every command with long work has: what to score, and what it may use."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds

_WITH_PARAMETERS = next(words for kind in ds.SCORES.values() if "(" in (words := str(kind())))
SCORE_HELP = f"One of {', '.join(ds.SCORES)}; with parameters as in '{_WITH_PARAMETERS}'."
ScoreName = Annotated[
    str | None, typer.Option(metavar="NAME", help=SCORE_HELP, show_default="chosen by a rule")
]
"""Where none is named, the score is chosen, and its prior with it."""
Ess = Annotated[
    float | None,
    typer.Option(
        help=f"Equivalent sample size of {', '.join(ds.SCORES.with_parameter('ess'))}.",
        show_default="that of the score",
    ),
]
PriorName = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="NAME",
        help=f"Prior on structures, added to the score: {', '.join(ds.PRIORS)}; with parameters as "
        f"in '{ds.EdgePrior()}'.",
        show_default="with the score; uniform if --score is given",
    ),
]
MaxParents = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        help="The most parents of a variable.",
        show_default="as many as can pay off",
    ),
]
KnowledgeFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="TOML: required, forbidden, tiers, roots, leaves, max_parents."
    ),
]
Prune = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Rules that may leave parent sets out: all, none, published, or some of limit, bound, "
        "entropy and dominance, with commas. The best network is the same.",
        show_default="all",
    ),
]
TimeLimit = Annotated[float | None, typer.Option(metavar="S", help="Seconds for everything.")]
MaxMemory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory at which to stop, such as 4GB.",
        show_default="70 % of what is free",
    ),
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", help="Threads.", show_default="one for each core")
]
ClusterName = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster: tcp://HOST:PORT, or local:N for N processes.",
        show_default="threads of this process",
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print no messages, unless the command ends early or much of the table is lost.",
    ),
]


def rules_of(prune: str | None) -> bool | list[str]:
    """Return what --prune names, as :func:`dagscape.candidate_parents` takes it."""
    words = [word.strip() for word in ("all" if prune is None else prune).split(",")]
    if words in (["all"], ["none"]):
        return words == ["all"]
    return words


def as_bytes(text: str) -> int:
    """Return a size that is written like 4GB, 1.5 GiB or 500000 as bytes."""
    found = re.fullmatch(
        r"(\d{1,15}(?:\.\d*)?|\.\d+)\s*(?:([kmgt])(i?)b?|b)?", text.strip().lower()
    )
    if not found:
        raise ds.ParameterError(f'--max-memory must be a size such as 4GB or 500MB, got "{text}"')
    power = "kmgt".index(found[2]) + 1 if found[2] else 0
    return min(int(float(found[1]) * (1024 if found[3] else 1000) ** power), sys.maxsize)
