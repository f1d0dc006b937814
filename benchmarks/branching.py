"""Estimate how many nodes a proof by branching would take, on dense tables.

python benchmarks/branching.py [--sets NAME ...] [--read DIR] [--seconds S] [--nodes N] [--levels L]
                               [--pairs K] [--within NATS] [--by order arc] [--seed N] [--data DIR]

Order search gives a network, then multipliers of cuts give a bound on all others, S seconds each.
From there a tree of N nodes is grown, the one of the least bound next, and beside it the same
multipliers go on for as long without decisions. Then a path goes down: at every node the pairs of
variables that the solution is least sure of are tried, both sides with multipliers warm from the
node above and new cuts; the pair whose sides rise most is decided, and chance takes one of its
sides (Knuth, Estimating the efficiency of backtrack programs, 1975).

A decision that u comes before v adds u to all of v's parent sets as far as cuts are concerned, and
takes those with v from u, along all that follows from other such decisions. A decision on an arc
requires it, with that order, or forbids it.

Only sets whose reduced costs are within some nats of the best take part in the tree. With the
others bounds could only be lower, so that the tree is estimated too small.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from gap_table import BESIDE, PARTS, part
from rich.console import Console

import dagscape as ds
from dagscape import _core

ROUNDS = 8
"""Rounds of ascent in a node."""

SETTLING = 40
"""Rounds before the first decision, after sets were left out."""

PARTS_OF_GAP = 80
"""The temperature is the gap, shared among so many times as many parts as there are variables."""

Multiplied = tuple[list[int], int, float, list[float], float]
"""A cut and its multiplier."""

Pair = tuple[int, int]
Decision = tuple[str, int, int]
"""What is decided of two variables: "before", "arc" or "no arc", from the first to the second."""


@dataclass
class Node:
    """The sets that decisions leave to each child, and multipliers to begin at."""

    sets: list[list[tuple[float, int]]]  # regret and parents, as bits
    before: list[int]  # by variable: those decided to come before it
    multipliers: list[Multiplied]
    bound: float = 0.0
    pairs: tuple[Pair, ...] = ()  # the least sure first

    def decided(self, decision: Decision) -> Node | None:
        """Return what a decision leaves; None if a child has no set any more.

        The order of the two must not be decided yet.
        """
        kind, u, v = decision
        sets, before = list(self.sets), list(self.before)
        if kind != "before":
            has = kind == "arc"
            sets[v] = [one for one in sets[v] if bool(one[1] >> u & 1) == has]
        if kind != "no arc":
            above = before[u] | 1 << u
            for w in range(len(sets)):
                if w != v and not before[w] >> v & 1:
                    continue
                new = above & ~before[w]
                before[w] |= above
                wider = [(cost, parents | above) for cost, parents in sorted(sets[w], reverse=True)]
                cheapest = {parents: cost for cost, parents in wider}
                sets[w] = [(cost, parents) for parents, cost in cheapest.items()]
                for x in bits(new):
                    sets[x] = [one for one in sets[x] if not one[1] >> w & 1]
        if not all(sets):
            return None
        return replace(self, sets=sets, before=before)


def bits(members: int) -> Iterator[int]:
    """Give the members of a set."""
    while members:
        yield (members & -members).bit_length() - 1
        members &= members - 1


def component_of(sets: list[list[tuple[float, int]]]) -> _core.Component:
    """Return the problem as the engine has it."""
    lines = [str(len(sets))]
    for child, own in enumerate(sets):
        lines.append(f"n{child:03} {len(own)}")
        for cost, parents in own:
            names = [f"n{parent:03}" for parent in bits(parents)]
            lines.append(" ".join([repr(-cost), str(len(names)), *names]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sets.jkl"
        path.write_text("\n".join(lines) + "\n", "ascii")
        return _core.components(ds.read_parents(path)._lists, False)[0]


def raised(node: Node, regret: float, rounds: int) -> Node:
    """Return the node with a better bound, fewer sets and its unsure pairs."""
    component = component_of(node.sets)
    base = -component.relaxed_score
    bound, closed = warm(component, node.multipliers, regret - base, node.bound - base, rounds)
    if closed:
        return replace(node, bound=regret)
    least = [min(own)[0] for own in node.sets]
    sets = [[(least[v] + c, p) for c, p in own] for v, own in enumerate(kept(component, bound))]
    best = max(node.bound, base + bound.bound)
    return Node(sets, node.before, bound.multipliers(), best, unsure(bound, node.before))


def warm(
    component: _core.Component,
    multipliers: list[Multiplied],
    regret: float,
    before: float,
    rounds: int,
) -> tuple[_core.DualBound, bool]:
    """Return a bound that began at multipliers, and whether it closes the gap."""
    n = len(component.variables)
    gap = _core.Gap()
    gap.offer(regret, [0] * n)
    bound = _core.DualBound(component, hulls=False)
    cuts = bound.families.tell([one[:4] for one in multipliers])
    temperature = (regret - before) / n / PARTS_OF_GAP
    bound.begin_at(cuts, [one[4] for one in multipliers], temperature)
    bound.raise_bound(gap, rounds)
    return bound, gap.closed


def kept(component: _core.Component, bound: _core.DualBound) -> list[list[tuple[float, int]]]:
    """Return each child's sets that were not dropped."""
    families, lists = bound.families, component.parents
    sets: list[list[tuple[float, int]]] = [[] for _ in component.variables]
    columns = families.best(families.columns)
    children = families.children(columns)
    places = columns - np.array([families.column(v, 0) for v in range(len(sets))])[children]
    numbers = [values.tolist() for values in (children, families.regrets(columns), places)]
    for v, cost, place in zip(*numbers, strict=True):
        sets[v].append((cost, sum(1 << p for p in lists.parents(v, place))))
    return sets


def unsure(bound: _core.DualBound, before: list[int]) -> tuple[Pair, ...]:
    """Return pairs by the weight that the solution gives to the lesser of their two arcs."""
    columns, x = bound.solution()
    arcs = [values.tolist() for values in bound.families.arcs(columns, x)]
    weights = {(u, v): w for u, v, w in zip(*arcs, strict=True) if not before[v] >> u & 1}
    lesser = {
        (u, v): min(weight, weights[v, u])
        for (u, v), weight in weights.items()
        if u < v and (v, u) in weights
    }
    return tuple(sorted(lesser, key=lambda pair: -lesser[pair]))


def branchings(pair: Pair, kinds: list[str]) -> Iterator[tuple[Decision, Decision]]:
    """Give the ways to decide something of a pair."""
    u, v = pair
    if "order" in kinds:
        yield ("before", u, v), ("before", v, u)
    if "arc" in kinds:
        yield ("arc", u, v), ("no arc", u, v)
        yield ("arc", v, u), ("no arc", v, u)


def root_of(parents: ds.CandidateParents, seconds: float, within: float) -> tuple[Node, float, int]:
    """Return the first node, the regret of the best network found, and the sets left there."""
    component = max(_core.components(parents._lists), key=lambda one: len(one.variables))
    lists, n = component.parents, len(component.variables)
    options = _core.OrderSearchOptions("fas", True, 20, 500, 1_000_000, 0, 2, False, 0)
    places = _core.order_search(lists, options, seconds)["places"]
    regret = sum(lists.score(v, 0) - lists.score(v, place) for v, place in enumerate(places))
    gap = _core.Gap()
    gap.offer(regret, places)
    bound = _core.DualBound(component, 2)
    begun = time.process_time()
    while not bound.done and time.process_time() - begun < seconds:
        facts = bound.raise_bound(gap, 1)
    # Once more from there: what greedy ascent still adds must not drop sets.
    again, _ = warm(component, bound.multipliers(), regret, bound.bound, 0)
    near, _ = warm(component, again.multipliers(), again.bound + within, bound.bound, 0)
    node = Node(kept(component, near), [0] * n, again.multipliers(), again.bound)
    return node, regret, facts["dual_sets_left"]


def grow(node: Node, regret: float, options: argparse.Namespace, table: Console) -> None:
    """Grow a tree, the node of the least bound next, and show that bound as it rises."""
    table.print("| nodes | gap | CPU s | gap without decisions | CPU s |")
    table.print("| --: | --: | --: | --: | --: |")
    open_nodes, nodes, plain, due = [(node.bound, 0, node)], 0, node, 8
    spent, plainly = 0.0, 0.0
    while open_nodes and nodes < options.nodes and open_nodes[0][2].pairs:
        begun = time.process_time()
        _, _, node = heapq.heappop(open_nodes)
        for decision in next(branchings(node.pairs[0], options.by)):
            side = node.decided(decision)
            after = side and raised(side, regret, ROUNDS)
            nodes += 1
            if after and after.bound < regret:
                heapq.heappush(open_nodes, (after.bound, nodes, after))
        spent += time.process_time() - begun
        while plainly < spent:
            begun = time.process_time()
            plain = raised(plain, regret, ROUNDS)
            plainly += time.process_time() - begun
        if nodes >= due:
            due *= 2
            least = open_nodes[0][0] if open_nodes else regret
            gaps = [f"{regret - bound:.1f}" for bound in (least, plain.bound)]
            table.print(f"| {nodes} | {gaps[0]} | {spent:.0f} | {gaps[1]} | {plainly:.0f} |")


@dataclass
class Tried:
    """Both sides of a branching."""

    decisions: tuple[Decision, Decision]
    after: list[Node | None]
    rises: list[float]

    @property
    def worth(self) -> float:
        """How good it is to branch here: sides that rise alike make the smallest tree."""
        return math.prod(max(rise, 1e-3) for rise in self.rises)


def tries(node: Node, regret: float, options: argparse.Namespace) -> Iterator[Tried]:
    """Try the branchings that the solution is least sure of."""
    for pair in node.pairs[: options.pairs]:
        for decisions in branchings(pair, options.by):
            sides = [node.decided(decision) for decision in decisions]
            after = [side and raised(side, regret, ROUNDS) for side in sides]
            rises = [(side.bound if side else regret) - node.bound for side in after]
            yield Tried(decisions, after, rises)


def dive(node: Node, regret: float, options: argparse.Namespace, table: Console) -> None:
    """Go down, a line for each level, and say what tree that would make."""
    chance = np.random.default_rng(options.seed)
    table.print("| level | decided | rise | rise of the other side | gap | sets | CPU s |")
    table.print("| --: | --- | --: | --: | --: | --: | --: |")
    first, doubled, begun = regret - node.bound, 0, time.process_time()
    for level in range(1, options.levels + 1):
        best = max(tries(node, regret, options), key=lambda one: one.worth, default=None)
        if best is None:
            break
        left = [at for at in (0, 1) if best.rises[at] < regret - node.bound]
        if not left:
            table.print(f"closed: a tree of about 2^{doubled} nodes")
            return
        doubled += len(left) == 2
        taken = int(chance.choice(left))
        node = best.after[taken] or node
        kind, u, v = best.decisions[taken]
        words = [
            f"{level}",
            f"{u} {kind} {v}",
            f"{best.rises[taken]:.2f}",
            f"{best.rises[1 - taken]:.2f}",
            f"{regret - node.bound:.1f}",
            f"{sum(map(len, node.sets)):,}",
            f"{time.process_time() - begun:.0f}",
        ]
        table.print(f"| {' | '.join(words)} |")
    gap = regret - node.bound
    levels = doubled * first / max(first - gap, 1e-9)
    table.print(
        f"{doubled} decisions took the gap from {first:.1f} to {gap:.1f}; "
        f"at this rate {levels:.0f} would close it: 2^{levels:.0f} nodes"
    )


def main() -> None:
    """Do what the command line says."""
    options = _options()
    table = Console(highlight=False, markup=False, soft_wrap=True)
    for name in options.sets:
        if options.read is not None:
            parents = ds.read_parents(options.read / f"{name}.jkl.gz")
        else:
            data = part(options.data / "debd", name, PARTS[name])
            parents = ds.candidate_parents(data, score="bic", max_parents=3, threads=2)
        node, regret, left = root_of(parents, options.seconds, options.within)
        table.print(
            f"{name}, {PARTS[name]}: gap {regret - node.bound:.1f}; it leaves {left:,} of "
            f"{len(parents):,} sets, {sum(map(len, node.sets)):,} within {options.within:g}"
        )
        node = raised(node, regret, SETTLING)
        grow(node, regret, options, table)
        dive(node, regret, options, table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=["jester"], choices=PARTS, metavar="NAME")
    parser.add_argument("--read", type=Path, metavar="DIR", help="parent sets of gap_table.py")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--nodes", type=int, default=64, metavar="N")
    parser.add_argument("--levels", type=int, default=20, metavar="L")
    parser.add_argument("--pairs", type=int, default=3, metavar="K")
    parser.add_argument("--within", type=float, default=3.0, metavar="NATS")
    parser.add_argument("--by", nargs="+", default=["order", "arc"], choices=("order", "arc"))
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    given = os.environ.get("DAGSCAPE_DATA")
    parser.add_argument("--data", type=Path, default=Path(given) if given else BESIDE)
    return parser.parse_args()


if __name__ == "__main__":
    main()
