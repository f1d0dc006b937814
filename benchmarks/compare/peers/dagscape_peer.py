"""dagscape."""

from __future__ import annotations

from typing import Any

from benchmarks.compare.behavior import answer
from benchmarks.compare.peers import each, found
from benchmarks.compare.table import TARGET, Table

NAME = "dagscape"
PACKAGE = "dagscape"


def prepare(table: Table) -> Any:
    """Make a Data; import the searches, which dagscape does when they are first named."""
    import dagscape as ds

    _ = ds.hill_climb, ds.ges, ds.exact, ds.order_search, ds.learn, ds.series, ds.posterior
    if TARGET in table.names:
        return ds.Data(table.frame(), interventions=ds.Interventions(column=TARGET))
    return ds.Data(table.frame())


def hill_climbing(data: Any) -> dict[str, Any]:
    """Climb as by default, by BIC."""
    import dagscape as ds

    return found(ds.hill_climb(data, score="bic", threads=1).dag.arcs)


def one_climb(data: Any) -> dict[str, Any]:
    """Climb once, without restarts, as the other tools do."""
    import dagscape as ds

    return found(ds.hill_climb(data, score="bic", restarts=0, threads=1).dag.arcs)


def best_effort(data: Any, seconds: float) -> dict[str, Any]:
    """Learn by BIC until the limit, as a user who has this long would."""
    import dagscape as ds

    return found(ds.learn(data, score="bic", resamples=0, time_limit=seconds, threads=1).dag.arcs)


def default(data: Any, seconds: float) -> dict[str, Any]:
    """Learn with nothing but defaults; what changes no network (optima, resamples) is left out."""
    import dagscape as ds

    return found(ds.learn(data, runs=0, resamples=0, time_limit=seconds, threads=1).dag.arcs)


def ges(data: Any) -> dict[str, Any]:
    """Greedy equivalence search by BIC: insertions, then deletions."""
    import dagscape as ds

    cpdag = ds.ges(data, score="bic").cpdag
    return found(cpdag.directed, cpdag.undirected)


def ges_bdeu(data: Any) -> dict[str, Any]:
    """Greedy equivalence search by BDeu with a sample size of 1."""
    import dagscape as ds

    cpdag = ds.ges(data, score=ds.BDeu(ess=1.0)).cpdag
    return found(cpdag.directed, cpdag.undirected)


def experiments(data: Any) -> dict[str, Any]:
    """Climb as by default, by the BIC of Gaussian networks, each variable where it was free."""
    import dagscape as ds

    graph = ds.hill_climb(data, score="gaussian_bic", threads=1).mpdag
    return found(graph.directed, graph.undirected)


def ignored(data: Any) -> dict[str, Any]:
    """Do the same as if no row came from an experiment."""
    import dagscape as ds

    graph = ds.hill_climb(data.untouched, score="gaussian_bic", threads=1).mpdag
    return found(graph.directed, graph.undirected)


def gaussian_climb(data: Any) -> dict[str, Any]:
    """Climb once by the BIC of Gaussian networks, as the other tools do."""
    import dagscape as ds

    return found(ds.hill_climb(data, score="gaussian_bic", restarts=0, threads=1).dag.arcs)


def gaussian_ges(data: Any) -> dict[str, Any]:
    """Greedy equivalence search by the BIC of Gaussian networks."""
    import dagscape as ds

    cpdag = ds.ges(data, score="gaussian_bic").cpdag
    return found(cpdag.directed, cpdag.undirected)


def gaussian_orders(data: Any) -> dict[str, Any]:
    """Search orders by the BIC of Gaussian networks, parents grown on demand."""
    import dagscape as ds

    search = {"score": "gaussian_bic", "parent_sets": "grown"}
    return found(ds.order_search(data, **search, threads=1).dag.arcs)


def mixed_climb(data: Any) -> dict[str, Any]:
    """Climb once by the conditional Gaussian BIC."""
    import dagscape as ds

    return found(ds.hill_climb(data, score="conditional_gaussian", restarts=0, threads=1).dag.arcs)


def mixed_default(data: Any) -> dict[str, Any]:
    """Learn as by default; what changes no network (optima, resamples) is left out."""
    import dagscape as ds

    return found(ds.learn(data, runs=0, resamples=0, time_limit=20, threads=1).dag.arcs)


def exact(data: Any) -> dict[str, Any]:
    """Find the best network by BIC, and prove it."""
    import dagscape as ds

    result = ds.exact(data, score="bic", threads=1)
    return found(result.dag.arcs, proven=result.optimal and not result.scope.candidates_only)


def series(data: Any, lags: int) -> list[list[Any]]:
    """Weigh arcs from the past, by default but for the number of parents."""
    import dagscape as ds

    several = "series" if "series" in data.names else None
    table = ds.series(data, series=several, lags=lags)
    arcs = ds.posterior(table, max_parents=4, threads=1).features("arcs")
    places = table.rows.series.places
    return [
        [places[start][0], end, places[start][1], share, share >= 0.5]
        for start, end, share in arcs.select("from", "to", "probability").rows()
        if start in places and places[start][0] != end
    ]


def load(**_: Any) -> None:
    """Import, outside the clock."""
    import dagscape  # noqa: F401


def open_embedded(network: str, **_: Any) -> Any:
    """Load a bundled network, outside the clock."""
    import dagscape as ds

    return ds.load_network(network)


def open_bif(source: str, **_: Any) -> Any:
    """Read a BIF file, outside the clock."""
    import dagscape as ds

    return ds.read_bif(source)


def write_bif(net: Any, target: str, **_: Any) -> None:
    """Write a BIF file."""
    net.write_bif(target)


def read_bif(_: None, source: str) -> None:
    """Read a BIF file."""
    open_bif(source)


def read_all_bif(_: None, sources: dict[str, str]) -> dict[str, Any]:
    """Read many and say what is in them."""
    return each(sources, lambda source: describe_network(open_bif(source)))


def describe_network(net: Any) -> dict[str, Any]:
    """Return states, parents and tables; the last axis of a table is the variable's own."""
    return {
        name: {
            "states": list(net.states[name]),
            "parents": list(net.dag.parents(name)),
            "table": net.table(name).tolist(),
        }
        for name in net.names
    }


def neighbors(data: Any, **asked: Any) -> dict[str, Any]:
    """Find the neighbors of all variables, by optimal networks on small sets unless asked."""
    import dagscape as ds

    return {name: list(near) for name, near in ds.neighbors(data, threads=1, **asked).items()}


def blankets(data: Any, **asked: Any) -> dict[str, Any]:
    """Find the Markov blankets of all variables."""
    import dagscape as ds

    return {name: list(near) for name, near in ds.markov_blanket(data, threads=1, **asked).items()}


def confidence(data: Any, samples: int = 200) -> list[Any]:
    """Bootstrap k-greedy search: what data and search both leave open. No parameter to choose."""
    import dagscape as ds

    return _strengths(
        ds.bootstrap(data, runs=samples, method="kes", k=0.5, score="qnml", threads=1)
    )


def confidence_same_score(data: Any, samples: int = 200) -> list[Any]:
    """Bootstrap k-greedy search by BIC, the peers' score."""
    import dagscape as ds

    return _strengths(ds.bootstrap(data, runs=samples, method="kes", k=0.5, score="bic", threads=1))


def confidence_bootstrap(data: Any, samples: int = 200) -> list[Any]:
    """Bootstrap GES by BIC."""
    import dagscape as ds

    return _strengths(ds.bootstrap(data, runs=samples, score="bic", threads=1))


def confidence_landscape(data: Any) -> list[Any]:
    """Take the landscape of local optima as by default: 1,000 runs, k = 0.8, BIC."""
    import dagscape as ds

    return _strengths(ds.local_optima(data, score="bic", threads=1))


def _strengths(models: Any) -> list[Any]:
    table = models.strengths(frame="dict")
    rows = zip(table["from"], table["to"], table["strength"], strict=True)
    return [[a, b, strength] for a, b, strength in rows if a < b]


def behavior(_: None, what: str) -> dict[str, Any]:
    """Try odd tables, Ctrl-C, or the same again."""
    return answer("dagscape", what)
