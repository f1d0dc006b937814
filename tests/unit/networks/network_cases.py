"""Networks to test with: random ones with names and labels that break careless writers."""

import numpy as np
from hypothesis import strategies as st

from dagscape.graphs import Dag
from dagscape.networks import Network
from data_sets import data_set

NASTY = [
    "a b",
    'say "hi"',
    "back\\slash",
    "x,y",
    "{a}",
    "(b)",
    "[c]",
    "p;q",
    "a|b",
    "",
    " ",
    " lead",
    "trail ",
    "line\nend",
    "cr\rend",
    "tab\t",
    "//no comment",
    "/* nor this */",
    "Asy/Patch",
    "1_1",
    "<5",
    ">=7.5",
    "-1",
    "12-18",
    "0.5",
    "&amp;",
    "<b>",
    "\\n",
    "\\u0041",
    "network",
    "variable",
    "probability",
    "property",
    "property x;",
    "table",
    "default",
    "type",
    "unknown",
    "Ärger",
    "概率",
    "\u2028",
    "\x85",
    "\xa0",
    "🙂",
]


def texts(exclude=""):
    """Return a strategy of names and labels, mostly awkward ones."""
    alphabet = st.characters(exclude_categories=("Cs",), exclude_characters=exclude)
    return st.one_of(st.sampled_from(NASTY), st.text(alphabet, max_size=5))


@st.composite
def networks(draw, words=None, max_variables=4):
    """Draw a small network: any DAG, one to four states each, zeros and ones among the tables."""
    words = texts() if words is None else words
    names = draw(st.lists(words, min_size=1, max_size=max_variables, unique=True))
    states = {x: draw(st.lists(words, min_size=1, max_size=4, unique=True)) for x in names}
    order = draw(st.permutations(names))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    arcs = [pair for pair in pairs if draw(st.booleans())]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return random_network(Dag(names, arcs), states, rng, name=draw(words), reference=draw(words))


def random_network(dag, states, rng, **labels):
    """Return a network with random tables, a third of the rows without doubt."""
    tables = {}
    for x in dag.names:
        shape = [len(states[p]) for p in dag.parents(x)]
        table = rng.dirichlet(np.ones(len(states[x])), size=shape)
        sure = np.eye(len(states[x]))[rng.integers(len(states[x]), size=shape)]
        tables[x] = np.where(rng.random([*shape, 1]) < 1 / 3, sure, table)
    return Network(dag, states, tables, **labels)


def same(a, b):
    """Tell whether two networks agree in everything, display order and titles included."""
    return a == b and a.names == b.names and (a.name, a.reference) == (b.name, b.reference)


def joint(net):
    """Return the whole joint table of a small network by plain multiplication."""
    sizes = [net.arities[x] for x in net.names]
    table = np.ones(sizes)
    for cell in np.ndindex(*sizes):
        value = dict(zip(net.names, cell, strict=True))
        for x in net.names:
            row = tuple(value[p] for p in net.dag.parents(x))
            table[cell] *= net.table(x)[(*row, value[x])]
    return table


def published(name=""):
    """Return the folder of published networks, or one of them; skip where there is none."""
    return data_set("networks") / name
