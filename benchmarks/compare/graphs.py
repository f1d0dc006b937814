"""Essential graphs, extensions and SHD, small and plain, apart from dagscape's own.

The structural Hamming distance is between essential graphs: a pair of variables counts 1 where it
is joined in one graph only, or joined differently (other direction, or directed and undirected).
"""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.compare.table import Arc

Pdag = tuple[set[Arc], set[frozenset[str]]]  # arcs, undirected edges


def essential(names: Iterable[str], arcs: Iterable[Arc], targets: Iterable[str] = ()) -> Pdag:
    """Return the essential graph of a DAG: its v-structures, and what follows by Meek's rules.

    Where experiments set one variable each, these also tell the direction of every arc at it
    (Hauser and Bühlmann 2012).
    """
    arcs, touched = list(arcs), set(targets)
    parents: dict[str, set[str]] = {name: set() for name in names}
    near: dict[str, set[str]] = {name: set() for name in parents}
    for a, b in arcs:
        parents[b].add(a)
        near[a].add(b)
        near[b].add(a)
    fixed: set[Arc] = set()
    for child, some in parents.items():
        fixed |= {(a, child) for a in some if any(b != a and b not in near[a] for b in some)}
    fixed |= {arc for arc in arcs if touched & {*arc}}
    into: dict[str, set[str]] = {name: set() for name in parents}
    for a, b in fixed:
        into[b].add(a)
    loose = {(a, b) for b, some in parents.items() for a in some} - fixed
    changed = True
    while changed:
        changed = False
        for a, b in sorted(loose):
            # The DAG itself tells the direction; a rule only has to apply.
            if _forced(a, b, into, near):
                loose.discard((a, b))
                fixed.add((a, b))
                into[b].add(a)
                changed = True
    return fixed, {frozenset(arc) for arc in loose}


def _forced(a: str, b: str, into: dict[str, set[str]], near: dict[str, set[str]]) -> bool:
    """Tell whether Meek's first three rules direct a - b from a to b."""
    if any(c not in near[b] for c in into[a]):  # c -> a - b, with c and b apart
        return True
    if any(a in into[c] for c in into[b] & near[a]):  # a -> c -> b
        return True
    # a - c -> b and a - d -> b, with c and d apart
    middle = [c for c in into[b] & near[a] if a not in into[c] and c not in into[a]]
    return any(d not in near[c] for i, c in enumerate(middle) for d in middle[i + 1 :])


def extension(
    names: Iterable[str], directed: Iterable[Arc], undirected: Iterable[Arc]
) -> list[Arc]:
    """Return the arcs of a DAG with this skeleton and these v-structures (Dor and Tarsi 1992).

    Raises ValueError where there is none.
    """
    into: dict[str, set[str]] = {name: set() for name in names}
    out: dict[str, set[str]] = {name: set() for name in into}
    plain: dict[str, set[str]] = {name: set() for name in into}
    arcs = [(a, b) for a, b in directed]
    for a, b in arcs:
        into[b].add(a)
        out[a].add(b)
    for a, b in undirected:
        plain[a].add(b)
        plain[b].add(a)
    left = sorted(into)
    while left:
        sink = next((x for x in left if _is_sink(x, into, out, plain)), None)
        if sink is None:
            raise ValueError("no DAG has this skeleton and these v-structures")
        arcs += [(y, sink) for y in sorted(plain[sink])]
        for y in plain[sink]:
            plain[y].discard(sink)
        for y in into[sink]:
            out[y].discard(sink)
        left.remove(sink)
        into[sink], plain[sink] = set(), set()
    return arcs


def _is_sink(
    x: str, into: dict[str, set[str]], out: dict[str, set[str]], plain: dict[str, set[str]]
) -> bool:
    if out[x]:
        return False
    beside = into[x] | plain[x]
    return all(beside - {y} <= into[y] | out[y] | plain[y] for y in plain[x])


def shd(one: Pdag, other: Pdag) -> int:
    """Return how many pairs are joined in one graph only, or differently."""
    marks = [
        {frozenset(arc): arc for arc in arcs} | dict.fromkeys(edges, ("-", "-"))
        for arcs, edges in (one, other)
    ]
    return sum(
        marks[0].get(pair) != marks[1].get(pair) for pair in marks[0].keys() | marks[1].keys()
    )


def around(names: Iterable[str], arcs: Iterable[Arc], *, blankets: bool) -> dict[str, set[str]]:
    """Return the neighbors or, with the children's other parents, the blanket of each variable."""
    parents: dict[str, set[str]] = {name: set() for name in names}
    for a, b in arcs:
        parents[b].add(a)
    near = {name: set(some) for name, some in parents.items()}
    for child, some in parents.items():
        for parent in some:
            near[parent] |= ({child} | some if blankets else {child}) - {parent}
    return near
