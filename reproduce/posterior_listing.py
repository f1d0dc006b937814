"""Every probability of the posterior beside a list of all networks of up to five variables.

python reproduce/posterior_listing.py [--tables N]

Scores, priors and features are written here from their definitions, in plain NumPy: local scores
from counts, classes by skeleton and v-structures, compelled arcs as those that all members share.
Nothing is taken from dagscape but what is compared. Each table is asked with every prior, several
limits of parents, and knowledge; some have copied or constant columns, three rows or 20,000.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from posterior_calibration import NAMES, all_networks

import dagscape as ds

EXACT = 1e-9
NEIGHBORS = 1.5
PRIORS = {
    "uniform": ds.UniformPrior(),
    "fair": ds.FairPrior(),
    "edges": ds.EdgePrior(neighbors=NEIGHBORS),
}
SCORES = {"bdeu 1": ds.BDeu(1.0), "bdeu 10": ds.BDeu(10.0), "k2": ds.K2(), "bic": ds.BIC()}


def main() -> int:
    """Print the largest difference for each number of variables, score and prior."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=4, help="of each number of variables")
    options = parser.parse_args()
    start, worst = time.perf_counter(), 0.0
    sys.stdout.write("variables\tscore\tprior\tposteriors\tprobabilities\tlargest difference\n")
    for n, score, prior in itertools.product(range(1, 6), SCORES, PRIORS):
        count, most, asked = 0, 0.0, 0
        for number in range(options.tables):
            for known, limit in settings(n, number):
                difference, compared = compare(drawn_table(n, number), score, prior, known, limit)
                count, most, asked = count + compared, max(most, difference), asked + 1
        worst = max(worst, most)
        sys.stdout.write(f"{n}\t{score}\t{prior}\t{asked:,}\t{count:,}\t{most:.0e}\n")
        sys.stdout.flush()
    sys.stdout.write(f"at most {worst:.0e}, {time.perf_counter() - start:.0f} s\n")
    return 0 if worst < EXACT else 1


# --- tables and questions ------------------------------------------------------------------------


def drawn_table(n: int, number: int) -> ds.Data:
    """Return columns that follow or repeat others, some constant, some with states never seen."""
    rng = np.random.default_rng([n, number])
    rows = (3, 40, 400, 20_000)[number % 4]
    arities = rng.integers(1, 5, n)
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        parent, share = int(rng.integers(child)), (0.0, 0.5, 0.9, 1.0)[int(rng.integers(4))]
        if share == 1:
            arities[child] = arities[parent]
        copied = rng.random(rows) < share
        codes[copied, child] = codes[copied, parent] % arities[child]
    unseen = int(rng.integers(2))
    states = {NAMES[v]: [str(s) for s in range(arities[v] + unseen)] for v in range(n)}
    return ds.Data.from_codes(codes, states)


def settings(n: int, number: int) -> Iterator[tuple[ds.Knowledge, int | None]]:
    """Yield knowledge and a limit of parents: none, each limit in turn, tiers, single arcs."""
    rng = np.random.default_rng([n, number, 1])
    yield ds.Knowledge(), None
    yield ds.Knowledge(), number % n
    if n > 1:
        order = [NAMES[v] for v in rng.permutation(n)]
        half = (n + 1) // 2
        yield ds.Knowledge(tiers=[order[:half], order[half:]]), None
        pairs = list(itertools.combinations(order, 2))
        required = [pairs[int(rng.integers(len(pairs)))]]
        forbidden = [pair[::-1] for pair in pairs if rng.random() < 0.4]
        yield ds.Knowledge(required=required, forbidden=forbidden), max(1, n - 2)


# --- the list ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listing:
    """All networks of n variables: what each has, as tables of 0 and 1 by network and pair."""

    sets: list[tuple[int, ...]]
    places: np.ndarray
    """Of the parents of each variable among `sets`, by network."""
    features: dict[str, np.ndarray]
    classes: np.ndarray
    """The number of its class, by network."""
    class_of: dict[frozenset[tuple[int, int]], int]
    """The same by the arcs of a network."""


@cache
def listing(n: int) -> Listing:
    """List them, once."""
    sets = [s for k in range(n) for s in itertools.combinations(range(n), k)]
    place = {s: at for at, s in enumerate(sets)}
    networks = all_networks(n)
    places = np.array([[place[parents] for parents in network] for network in networks])
    holds = np.array([[u in s for u in range(n)] for s in sets])
    arcs = holds[places].transpose(0, 2, 1)  # network, parent, child
    joined = arcs | arcs.transpose(0, 2, 1)
    spouses = np.einsum("gac,gbc->gab", arcs.astype(int), arcs.astype(int)) > 0
    apart = ~joined & ~np.eye(n, dtype=bool)
    vees = arcs[:, :, None, :] & arcs[:, None, :, :] & apart[:, :, :, None]
    key = np.concatenate([joined.reshape(len(networks), -1), vees.reshape(len(networks), -1)], 1)
    _, classes = np.unique(np.packbits(key, axis=1), axis=0, return_inverse=True)
    classes = classes.reshape(-1)
    shared = np.ones((classes.max() + 1, n, n), dtype=bool)
    np.logical_and.at(shared, classes, arcs)
    compelled = shared[classes]
    features = {
        "arcs": arcs,
        "adjacencies": joined,
        "ancestors": closure(arcs),
        "blankets": joined | spouses,
        "directed": compelled,
        "undirected": joined & ~compelled & ~compelled.transpose(0, 2, 1),
        "paths": closure(compelled),
    }
    ends = [frozenset((u, v) for v in range(n) for u in network[v]) for network in networks]
    return Listing(sets, places, features, classes, dict(zip(ends, classes, strict=True)))


def closure(arcs: np.ndarray) -> np.ndarray:
    """Return which variables are joined by a path, by network."""
    reach = arcs.copy()
    for _ in range(arcs.shape[1]):
        reach |= np.einsum("gab,gbc->gac", reach.astype(int), arcs.astype(int)) > 0
    return reach


def local_score(data: ds.Data, score: str, child: int, parents: tuple[int, ...]) -> float:
    """Return a local score from counts, by its formula."""
    arities = [len(data.states[NAMES[v]]) for v in range(data.n_variables)]
    cells = np.zeros(data.n_rows, dtype=np.int64)
    for u in parents:
        cells = cells * arities[u] + data.codes[:, u]
    q, r = math.prod(arities[u] for u in parents), arities[child]
    counts = np.bincount(cells * r + data.codes[:, child], minlength=q * r).reshape(q, r)
    seen = counts[counts.sum(axis=1) > 0]
    if score == "bic":
        totals = seen.sum(axis=1, keepdims=True)
        pairs = ((n, t) for row, t in zip(seen, totals[:, 0], strict=True) for n in row if n)
        terms = [n * math.log(n / t) for n, t in pairs]
        return math.fsum(terms) - math.log(data.n_rows) / 2 * (r - 1) * q
    alpha = 1.0 if score == "k2" else float(score.split()[1]) / (q * r)
    terms = []
    for row in seen:
        terms.append(math.lgamma(r * alpha) - math.lgamma(r * alpha + int(row.sum())))
        terms += [math.lgamma(alpha + int(n)) - math.lgamma(alpha) for n in row]
    return math.fsum(terms)


def log_prior(prior: str, n: int, parents: int) -> float:
    """Return the log prior of a variable with so many parents."""
    if prior == "fair":
        return -math.log(math.comb(n - 1, parents))
    p = min(NEIGHBORS / max(1, n - 1), 0.5)
    return parents * math.log(p / 2 / (1 - p)) if prior == "edges" else 0.0


def allowed(known: ds.Knowledge, limit: int | None, child: int, parents: tuple[int, ...]) -> bool:
    """Tell whether a parent set obeys."""
    tier = {name: at for at, names in enumerate(known.tiers) for name in names}
    have, name = {NAMES[u] for u in parents}, NAMES[child]
    return (
        (limit is None or len(parents) <= limit)
        and all(a in have for a, b in known.required if b == name)
        and not any(a in have for a, b in known.forbidden if b == name)
        and not (tier and any(tier[u] > tier[name] for u in have))
    )


# --- one comparison ------------------------------------------------------------------------------


def compare(
    data: ds.Data, score: str, prior: str, known: ds.Knowledge, limit: int | None
) -> tuple[float, int]:
    """Return the largest difference of any probability, and how many were compared."""
    n = data.n_variables
    listed = listing(n)
    scores, priors = (np.full((n, len(listed.sets)), -np.inf) for _ in range(2))
    for v, (at, parents) in itertools.product(range(n), enumerate(listed.sets)):
        if v not in parents and allowed(known, limit, v, parents):
            priors[v, at] = log_prior(prior, n, len(parents))
            scores[v, at] = priors[v, at] + local_score(data, score, v, parents)
    logs, log_priors = (
        sum(table[v, listed.places[:, v]] for v in range(n)) for table in (scores, priors)
    )
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    found = ds.posterior(
        data,
        score=SCORES[score],
        prior=PRIORS[prior],
        knowledge=known,
        max_parents=limit,
        threads=1,
    )
    said = list(differences(found, listed, weights))
    if score != "bic":
        evidence = log_total(logs) - log_total(log_priors)
        said.append(abs(found.log_evidence - evidence) / max(1.0, abs(evidence)))
    return max(said), len(said)


def differences(found: ds.Posterior, listed: Listing, weights: np.ndarray) -> Iterator[float]:
    """Yield how far each probability is from that of the list."""
    number = {name: v for v, name in enumerate(NAMES)}
    for kind in ("arcs", "adjacencies", "ancestors", "blankets", "edges", "paths"):
        for row in found.features(kind).iter_rows(named=True):
            having = listed.features[row.get("kind", kind)]
            truth = weights @ having[:, number[row["from"]], number[row["to"]]]
            yield abs(row["probability"] - truth)
    for v in range(len(found.names)):
        shares = np.bincount(listed.places[:, v], weights, len(listed.sets))
        for parents, p in found.parent_sets(NAMES[v], least=0.0).iter_rows():
            yield abs(p - shares[listed.sets.index(tuple(sorted(number[u] for u in parents)))])
    shares = np.bincount(listed.classes, weights)
    total = 0.0
    for each in found.networks(len(shares)):
        arcs = frozenset((number[a], number[b]) for a, b in each.dag.arcs)
        truth = shares[listed.class_of[arcs]]
        total += truth
        yield abs(each.probability - truth)
    yield abs(1 - total)


def log_total(logs: np.ndarray) -> float:
    """Return ln Σ exp."""
    return float(logs.max() + math.log(np.exp(logs - logs.max()).sum()))


if __name__ == "__main__":
    sys.exit(main())
