"""Options that many commands have: what to score by, how many parents, what is known before."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.option_groups import OptionGroup
from dagscape.scores import as_score

_WITH_PARAMETERS = next(words for kind in ds.SCORES.values() if "(" in (words := str(kind())))
SCORE_HELP = f"One of {', '.join(ds.SCORES)}; with parameters as in '{_WITH_PARAMETERS}'."
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
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print no messages, unless the command ends early or much of the table is lost.",
    ),
]


@dataclass(frozen=True)
class Scoring(OptionGroup):
    """The score and its prior; where no option names them, they are chosen by a rule."""

    score: Annotated[
        str | None, typer.Option(metavar="NAME", help=SCORE_HELP, show_default="chosen by a rule")
    ] = None
    ess: Annotated[
        float | None,
        typer.Option(
            help=f"Equivalent sample size of {', '.join(ds.SCORES.with_parameter('ess'))}.",
            show_default="that of the score",
        ),
    ] = None
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Prior on structures, added to the score: {', '.join(ds.PRIORS)}; with "
            f"parameters as in '{ds.EdgePrior()}'.",
            show_default="with the score; uniform if --score is given",
        ),
    ] = None

    def on(self, table: ds.Data) -> dict[str, Any]:
        """Return score and prior as the package takes them; what no option names is left to it.

        --ess alone is that of BDeu, with the default prior.
        """
        if self.score is not None:
            named = self._with_ess(ds.SCORES.from_words(self.score), self.score)
            return {"score": as_score(named, self.prior)}
        if self.ess is None:
            return {"prior": self.prior}
        usual = ds.default_score(table, self.prior)
        base = usual.base if table.numbers else ds.BDeu()
        return {"score": as_score(self._with_ess(base, str(base)), usual.prior)}

    def problem(
        self,
        table: ds.Data,
        max_parents: int | None = None,
        knowledge: Path | None = None,
        tiers: str | None = None,
    ) -> ds.Problem:
        """Return what is asked of a table."""
        known = None if knowledge is None else ds.read_knowledge(knowledge)
        if tiers is not None:
            if known is not None and known.tiers:
                raise ds.ParameterError(f'"{knowledge}" has tiers, and so has --tiers; give one')
            own = ds.Knowledge(tiers=[tier.split(",") for tier in tiers.split("<")])
            known = own if known is None else known.also(own)
        return ds.Problem(table, **self.on(table), max_parents=max_parents, knowledge=known)

    def _with_ess(self, score: ds.Score, words: str) -> ds.Score:
        if self.ess is None:
            return score
        fitting = ds.SCORES.with_parameter("ess")
        if score.names[0] not in fitting:
            raise ds.ParameterError(
                f'--ess is a parameter of {", ".join(fitting)}, the score is "{words}"'
            )
        return ds.SCORES.changed(score, ess=self.ess)


BY_RULE = Scoring()


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
