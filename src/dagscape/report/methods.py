"""A paragraph on methods for a paper, and the works that it cites: what was asked and proven."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import dagscape as ds
from dagscape.learning import LearnResult
from dagscape.report.claims import prior_words
from dagscape.words import counted

WORKS: dict[str, str] = json.loads(
    (files("dagscape.report") / "assets" / "works.json").read_text("utf-8")
)
"""The works that can be cited, by what stands in the text."""

BY_SCORE = {
    "bic": ("the Bayesian information criterion", ["Schwarz 1978"]),
    "aic": ("Akaike's information criterion", ["Akaike 1974"]),
    "bdeu": ("the BDeu score", ["Heckerman and others 1995"]),
    "fitted_dirichlet": (
        "a Dirichlet likelihood with the sample size that fits each set of variables best",
        ["Heckerman and others 1995", "Levin and Reeds 1977"],
    ),
    "k2": ("the K2 score", ["Cooper and Herskovits 1992"]),
    "qnml": ("quotient normalized maximum likelihood", ["Silander and others 2018"]),
    "fnml": ("factorized normalized maximum likelihood", ["Silander and others 2008"]),
    "gaussian_bic": ("the BIC of linear Gaussian networks", ["Schwarz 1978"]),
    "bge": ("the BGe score", ["Geiger and Heckerman 2002", "Kuipers and others 2014"]),
    "rank_bge": (
        "the BGe score of normal scores",
        ["Geiger and Heckerman 2002", "Kuipers and others 2014"],
    ),
    "basis_bic": ("BIC on basis functions", ["Schwarz 1978", "Andrews and others 2019"]),
    "conditional_gaussian": ("the conditional Gaussian BIC", ["Andrews and others 2018"]),
}
"""What a score is called in a paper, and its sources; others go by their own names."""

BY_METHOD = {
    "exact: dp": ["Silander and Myllymäki 2006"],
    "exact: astar": ["Yuan and Malone 2013"],
    "exact: ilp": ["Bartlett and Cussens 2017"],
    "ges": ["Chickering 2002"],
    "kes": ["Nielsen and others 2003"],
}
"""The sources of a method, by what its name begins with."""


def methods_of(
    result: ds.Result, data: ds.Data | None, proven: str | None = None
) -> dict[str, Any]:
    """Return the paragraph and the works it cites, as plain values.

    ``proven`` is what to say in place of what is proven of the network.
    """
    cited: list[str] = []
    text = " ".join(_sentences(result, data, cited, proven or _proven(result))).replace(
        "your knowledge", "what we knew before"
    )
    return {"text": text, "works": [WORKS[key] for key in sorted(set(cited))]}


def _sentences(
    result: ds.Result, data: ds.Data | None, cited: list[str], proven: str
) -> Iterator[str]:
    def cite(keys: list[str]) -> str:
        cited.extend(keys)
        return f" ({'; '.join(keys)})" if keys else ""

    table = counted(len(result.dag.names), "variable")
    if data is not None:
        table = f"{counted(data.n_rows, 'row')} of {table}"
    ran = next((BY_METHOD[key] for key in BY_METHOD if result.method.lower().startswith(key)), [])
    yield (
        f"We learned the structure of a Bayesian network from {table} with dagscape "
        f"{result.version}; the method that found the network is “{result.method}”{cite(ran)}."
    )
    yield _scored(result, cite)
    if not result.scope.everything:
        yield f"The search was over {result.scope}."
    if result.scope.knowledge is not None and not result.scope.knowledge.of_table:
        yield "What was known before (arcs, tiers) is listed with the network."
    yield proven
    if isinstance(result, LearnResult):
        yield from _trusted(result, cite)
    if result.seed is not None:
        yield f"The seed was {result.seed}."


def _scored(result: ds.Result, cite: Any) -> str:
    kind = result.score_kind
    if kind is None:
        return f"Networks were scored by {result.score_name}."
    name = str(kind.base).partition("(")[0]
    words, keys = BY_SCORE.get(name, (str(kind.base), []))
    settings = "" if str(kind.base) == words else f", “{kind.base}”"
    prior = prior_words(kind)
    if not prior:
        equal = "structures being equally probable"
        return f"Networks were scored by {words}{cite(keys)}{settings}, {equal}."
    source = cite(["Eggeling and others 2019"])
    return (
        f"Networks were scored by {words}{cite(keys)}{settings}, plus the logarithm of a prior on "
        f"structures, “{prior}”{source}."
    )


def _proven(result: ds.Result) -> str:
    among = "" if result.scope.everything else " of these"
    score = f"{result.score:,.2f}".replace("-", "\N{MINUS SIGN}")
    if result.optimal:
        return f"The network has the highest score{among}, {score}, which was proven."
    if result.bound is not None and result.bound - result.score < abs(result.score):
        gap = f"{result.bound - result.score:,.2f}"
        return f"The network scores {score}; no network{among} can score more than {gap} higher."
    return f"The network scores {score}; nothing is proven about better ones."


def _trusted(learned: LearnResult, cite: Any) -> Iterator[str]:
    if learned.posterior is not None:
        of = cite(["Tian and He 2009"] if learned.posterior.exact else [])
        bagged = cite(["Huggins and Miller 2019"]) if learned.posterior.resamples else ""
        yield f"Probabilities of edges{of}{bagged} are {learned.posterior.claim}."
    if learned.stability is not None:
        samples = counted(learned.stability.runs, "table")
        source = cite(["Friedman and others 1999"])
        yield (
            f"Stability is the share of {samples} drawn from the rows on which the search finds "
            f"an edge{source}."
        )
    if learned.landscape is not None:
        runs, optima = learned.landscape.runs, len(learned.landscape.optima)
        source = cite(["Nielsen and others 2003"])
        ended = f"{optima:,} local {'optimum' if optima == 1 else 'optima'}"
        yield f"{counted(runs, 'run')} of k-greedy equivalence search{source} ended at {ended}."
