"""A network as an R script for bnlearn: its model string, its tables, a reader of rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import write_text
from dagscape.networks.network import refuse_numbers

if TYPE_CHECKING:
    from dagscape.networks.network import Network

_NOT_IN_MODELS = set("[]|:")

_SCRIPT = """\
# A Bayesian network for R's bnlearn, written by dagscape. To use it:
#   install.packages("bnlearn"); source({file})
# Then `network` is the fitted network, `dag` its graph, and read_rows("table.csv") reads rows
# of its variables with the states below, for example to fit it anew:
#   bn.fit(dag, read_rows("table.csv"))
library(bnlearn)

model <- {model}
dag <- model2network(model)

states <- list(
{states}
)

# The first index of a table is the variable's own state, the others are its parents'.
tables <- list(
{tables}
)

network <- custom.fit(dag, tables)

read_rows <- function(file) {{
  rows <- read.csv(file, check.names = FALSE, colClasses = "character", na.strings = c("", "NA"))
  rows <- rows[names(states)]
  for (name in names(states)) rows[[name]] <- factor(rows[[name]], levels = states[[name]])
  rows
}}
"""


def model_string(net: Network) -> str:
    """Return the graph as bnlearn writes it: ``[A][B|A]``."""
    odd = next((name for name in net.names if _NOT_IN_MODELS.intersection(name)), None)
    if odd is not None:
        raise ParameterError(
            f'variable "{odd}" has a character that a model string of bnlearn cannot hold '
            "([, ], | or :); write net.portable()[0] instead"
        )
    parts = []
    for name in net.dag.topological_order():
        parents = ":".join(net.dag.parents(name))
        parts.append(f"[{name}|{parents}]" if parents else f"[{name}]")
    return "".join(parts)


def write_r(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network as an R script."""
    refuse_numbers(net, "these scripts have")
    states = [f"  {_text(x)} = {_vector(map(_text, net.states[x]))}" for x in net.names]
    tables = [_table(net, x) for x in net.names]
    script = _SCRIPT.format(
        file=_text(os.path.basename(os.fspath(path))),
        model=_text(model_string(net)),
        states=",\n".join(states),
        tables=",\n".join(tables),
    )
    write_text(path, script)


def read_r(path: str | os.PathLike[str]) -> Network:
    """Refuse to read a script."""
    raise FileFormatError(f'"{os.fspath(path)}" is an R script; scripts are written, not read')


def _table(net: Network, name: str) -> str:
    family = (name, *net.dag.parents(name))
    values = np.moveaxis(net.table(name), -1, 0)
    numbers = _vector(repr(float(value)) for value in values.ravel(order="F"))  # as R counts
    names = ", ".join(f"{_text(x)} = states[[{_text(x)}]]" for x in family)
    sizes = _vector(f"{size}" for size in values.shape)
    return f"  {_text(name)} = array({numbers}, dim = {sizes}, dimnames = list({names}))"


def _vector(items: Iterable[str]) -> str:
    return f"c({', '.join(items)})"


def _text(word: str) -> str:
    """Return a string of R: its escapes are those of JSON but for the slash, which needs none."""
    if "\0" in word:
        raise ParameterError(
            f"{word!r} has a character that no text of R can hold (NUL); write "
            "net.portable()[0] instead"
        )
    return json.dumps(word, ensure_ascii=False)
