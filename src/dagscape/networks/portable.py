"""Names and states that every reader of network files takes.

pgmpy and pyAgrum read BIF files whose words are made of letters, digits and underscores. Anything
else, such as ``(25.7,27.9]`` or a blank, breaks one of them or both, so it gets another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from dagscape.graphs import Dag
from dagscape.networks.network import Network

_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WHOLE = re.compile(r"[0-9]+")
_INTERVAL = re.compile(r"\(([^,()\[\]]+),([^,()\[\]]+)\]")
_BOUNDS = (("<=", "up_to_"), (">=", "from_"), ("<", "below_"), (">", "above_"))


class SafeName(NamedTuple):
    """A name that was made safe: of a variable, or of one of its states."""

    variable: str
    """The variable, by its own name."""
    state: str | None
    """The state; None if it is the variable that has another name."""
    became: str
    """What it is called in the file."""


def portable(net: Network, *, numbers: bool) -> tuple[Network, list[SafeName]]:
    """Do what :meth:`Network.portable` says."""
    names = _safe_words(net.names, "v", numbers=False)
    states = {x: _safe_words(net.states[x], "s", numbers=numbers) for x in net.names}
    renamed = []
    for x in net.names:
        renamed += [SafeName(x, None, names[x])] if names[x] != x else []
        renamed += [SafeName(x, s, word) for s, word in states[x].items() if word != s]
    if not renamed:
        return net, []
    dag = Dag(list(names.values()), [(names[a], names[b]) for a, b in net.dag.arcs])
    nodes = {}
    for x in net.names:
        parents, after = net.dag.parents(x), dag.parents(names[x])
        # Parents stand in the order of their names, which may be another now.
        order = [[names[parent] for parent in parents].index(parent) for parent in after]
        discrete = [bool(net.states[parent]) for parent in parents]
        nodes[names[x]] = net.node(x).reordered(order, discrete)
    labels = {names[x]: list(states[x].values()) for x in net.names}
    return Network(dag, labels, nodes, name=net.name, reference=net.reference), renamed


def _safe_words(words: Iterable[str], letter: str, *, numbers: bool) -> dict[str, str]:
    """Return a safe word for each, all different; those that are safe keep theirs."""
    listed = list(words)
    kept = {w for w in listed if _SAFE.fullmatch(w) or (numbers and _WHOLE.fullmatch(w))}
    found: dict[str, str] = {}
    taken = set(kept)
    for word in listed:
        if word in kept:
            found[word] = word
            continue
        base = safe = _safe_word(word, letter)
        count = 1
        while safe in taken:
            count += 1
            safe = f"{base}_{count}"
        taken.add(safe)
        found[word] = safe
    return found


def _safe_word(word: str, letter: str) -> str:
    if interval := _INTERVAL.fullmatch(word):
        word = f"from_{interval[1]}_to_{interval[2]}"
    for sign, said in _BOUNDS:
        if word.startswith(sign):
            word = said + word.removeprefix(sign)
            break
    word = re.sub(r"(?:^|(?<=_))-(?=[0-9])", "minus_", word)
    word = re.sub(r"[^A-Za-z0-9]+", "_", word).strip("_")
    return word if _SAFE.fullmatch(word) else f"{letter}_{word}".rstrip("_")
