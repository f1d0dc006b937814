"""Networks over time by brute force: tables with a past, all parent sets, all orders of a step."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Parents = frozenset[str]
Network = Mapping[str, Parents]


def with_past(
    columns: Mapping[str, Sequence[object]],
    series: Sequence[object],
    times: Sequence[int],
    lags: Sequence[int],
    known: Sequence[str] = (),
) -> dict[str, list[object]]:
    """Return the columns of every row that has all of its past, by series and time."""
    at = {(s, t): row for row, (s, t) in enumerate(zip(series, times, strict=True))}
    most = max(lags)
    made: dict[str, list[object]] = {name: [] for name in columns}
    made |= {f"{name}[-{lag}]": [] for lag in lags for name in columns if name not in known}
    for s, t in sorted(at):
        if any((s, t - lag) not in at for lag in range(1, most + 1)):
            continue
        for name, values in columns.items():
            made[name].append(values[at[s, t]])
            for lag in () if name in known else lags:
                made[f"{name}[-{lag}]"].append(values[at[s, t - lag]])
    return made


@dataclass(frozen=True)
class Rules:
    """Which networks there are."""

    variables: Sequence[str]
    lags: Sequence[int]
    known: Sequence[str] = ()
    within_step: bool = False
    own_past: bool = True
    max_parents: int = 99

    def sets(self, child: str) -> Iterator[Parents]:
        """Yield every parent set that a variable may have."""
        free = [f"{name}[-{lag}]" for lag in self.lags for name in self.variables]
        others = [name for name in self.variables if name != child] if self.within_step else []
        candidates = [*free, *self.known, *others]
        for size in range(min(self.max_parents, len(candidates)) + 1):
            for chosen in itertools.combinations(candidates, size):
                if not self.own_past or f"{child}[-{min(self.lags)}]" in chosen:
                    yield frozenset(chosen)

    def networks(self) -> Iterator[Network]:
        """Yield every network: no cycle among variables of one time."""
        for sets in itertools.product(*(list(self.sets(child)) for child in self.variables)):
            network = dict(zip(self.variables, sets, strict=True))
            if _in_some_order(network):
                yield network


def _in_some_order(network: Network) -> bool:
    left = dict(network)
    while left:
        first = next((v for v, parents in left.items() if not parents & left.keys()), None)
        if first is None:
            return False
        del left[first]
    return True


def weighed(rules: Rules, local: Callable[[str, Parents], float]) -> list[tuple[float, Network]]:
    """Return all networks with their scores, best first."""
    known = {v: {parents: local(v, parents) for parents in rules.sets(v)} for v in rules.variables}
    scored = [
        (math.fsum(known[v][parents] for v, parents in network.items()), network)
        for network in rules.networks()
    ]
    return sorted(scored, key=lambda pair: -pair[0])


def arc_probabilities(scored: Sequence[tuple[float, Network]]) -> dict[tuple[str, str], float]:
    """Return the share of the weight of all networks that those with an arc have."""
    highest = scored[0][0]
    total = math.fsum(math.exp(score - highest) for score, _ in scored)
    arcs: dict[tuple[str, str], float] = {}
    for score, network in scored:
        for child, parents in network.items():
            for parent in parents:
                share = math.exp(score - highest) / total
                arcs[parent, child] = arcs.get((parent, child), 0.0) + share
    return arcs
