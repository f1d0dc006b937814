"""From a result, and what else is known, to the text of a page."""

from __future__ import annotations

from collections.abc import Iterable

import dagscape as ds
from dagscape.report.content import content
from dagscape.report.page import page
from dagscape.report.pairs import Models


def report_page(
    result: ds.Result,
    *,
    landscape: Models | None = None,
    data: ds.Data | None = None,
    truth: ds.Dag | ds.Mpdag | ds.Network | None = None,
    network: ds.Network | None = None,
    weights: str | None = None,
    title: str | None = None,
) -> str:
    """Return the report as HTML; :meth:`dagscape.Result.report` says what it shows."""
    _check(result, landscape, data, network, title)
    shown = content(
        result,
        landscape=landscape,
        data=data,
        truth=None if truth is None else essential(truth, result.dag.names, "the result"),
        network=network,
        weights=weights,
        title=title,
    )
    return page(shown)


def _check(
    result: ds.Result,
    landscape: Models | None,
    data: ds.Data | None,
    network: ds.Network | None,
    title: str | None,
) -> None:
    """Refuse what is of another kind, or about other variables."""
    kinds = {
        "landscape": (landscape, (ds.Landscape, ds.Bootstrap), "a Landscape or a Bootstrap"),
        "data": (data, (ds.Data,), "a ds.Data"),
        "network": (network, (ds.Network,), "a Network"),
        "title": (title, (str,), "words"),
    }
    for name, (given, kind, words) in kinds.items():
        if given is not None and not isinstance(given, kind):
            raise ds.ParameterError(f"{name} must be {words}, got {type(given).__name__}")
    own = set(result.dag.names)
    of = {"landscape": landscape, "data": data, "network": network}
    for what, some in of.items():
        if some is not None and (odd := own ^ set(some.names)):
            raise ds.ParameterError(
                f"the result and the {what} must have the same variables: "
                f'"{min(odd)}" is in one of them only'
            )
    if network is not None and network.dag != result.dag:
        raise ds.ParameterError("the network must have the arcs of the result; they differ")
    if landscape is not None and not landscape.runs:
        raise ds.ParameterError("the landscape has no runs: there is nothing to show of it")


def essential(truth: ds.Dag | ds.Mpdag | ds.Network, names: Iterable[str], other: str) -> ds.Cpdag:
    """Return the essential graph of the truth, refusing other variables."""
    graph = truth.dag if isinstance(truth, ds.Network) else truth
    if not isinstance(graph, ds.Dag | ds.Mpdag):
        raise ds.ParameterError(
            f"truth must be a Dag, a Cpdag or a Network, got {type(truth).__name__}"
        )
    if odd := set(names) ^ set(graph.names):
        raise ds.ParameterError(
            f"{other} and the truth must have the same variables: "
            f'"{min(odd)}" is in one of them only'
        )
    return graph.to_cpdag()
