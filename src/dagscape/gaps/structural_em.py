"""Networks from tables with gaps: structural EM with any search."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

from dagscape.control.limits import use_count
from dagscape.errors import DagscapeError
from dagscape.gaps.drawn_em import DrawnEM, End, check_lines
from dagscape.gaps.em import Point, StructuralEM, Trace
from dagscape.gaps.model import MOST_LISTED, Incomplete
from dagscape.gaps.stand_in_scores import check_real_counts
from dagscape.gaps.starts import starts, without_arcs
from dagscape.graphs import Dag
from dagscape.landscape.bootstrap import SEARCHES, search_by_name
from dagscape.networks import fit
from dagscape.results import Result
from dagscape.shared_arguments import ForSearch, begin, takes
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data, TableLike
    from dagscape.problem import Problem


@takes(ForSearch)
def structural_em(
    data: TableLike | Problem,
    *,
    search: str = "learn",
    restarts: int = 2,
    **shared: Unpack[ForSearch],
) -> Result:
    """Learn a network from a table with missing cells.

    Completes the rows by what the present network says of their gaps, each completion weighted by
    its probability; looks for a better network on the expected counts; and so on, until nothing
    changes. Several starts are tried, and the best end is the result.

    Parameters
    ----------
    data
        A table that keeps its missing cells: ``ds.read_data(path, missing="keep")``; or a frame, or
        the path of a file, which is read so. Rows without any value are left out of account.
    search
        What looks for the network: "learn", "exact", "order", "hill_climb", "ges" or "kes".
        Climbs go before it, until they change nothing; then it gets half of the time left, or,
        without a time limit, half of the time that they took. Whatever it finds, the present
        network stays unless another scores higher on the same counts.
    score, prior
        What networks are scored by, and a prior on structures, as in :func:`exact`. fNML is not
        defined for such counts.
    restarts
        Starts after the first. The first network is found by available cases (:class:`NAL`), the
        second has no arcs, others are found by available cases of resampled rows. With numbers in
        the table each start has cells of its own, drawn from their columns.
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed, where `search` can.
    seed
        For what is drawn: resampled rows, and completions where they are too many to be listed.

    Returns
    -------
    Result
        A :class:`Result` with `network`, whose tables are fitted to the expected counts. Its
        `score` is ln P(what is observed | the network, its tables), less what the score takes off a
        likelihood: for BIC, the BIC of what is observed; for BDeu and the fitted Dirichlet score,
        the approximation of Cheeseman and Stutz. With numbers in the table it is the mean score of
        the drawn tables. `starts` shows how each start converged.

    Notes
    -----
    It is assumed that cells are missing at random: whether a cell is missing may depend on cells
    that are there, not on the missing value itself. That cannot be seen in a table. Where a gap is
    itself information, read the table with ``missing="state"``.

    Missing cells of a row that bear on each other are completed together: all ways to do so are
    listed where there are at most 1,000, else 100 of them are drawn from their distribution. While
    all are listed, the objective never falls for a penalized likelihood (BIC, AIC, qNML); for BDeu
    and the fitted Dirichlet score it may. Expected counts favor the network that they come from:
    before any `search` but "hill_climb", networks of ten tables with drawn cells are tried from the
    best of the starts. The end is a local optimum, and a proof of `search` would
    be about the last expected counts alone, so that nothing is claimed to be proven. Where nothing
    is missing, the result is that of `search` itself.

    Where there are numbers, whichever cells are missing, 10 completed tables (3 at least, of large
    ones) are drawn side by side. For each, the parameters of the present network are drawn given
    the table, and its missing cells given these and what the rows have; the search looks for the
    highest mean score over all tables; and so on, until what is gained is no more than other draws
    would change. A score by ranks draws normal scores, and a cell gets the number that stands at
    this rank of its column; other scores draw in units of the column. Numbers are drawn by lines,
    so a score that sees curves is refused. Of several starts, the end counts that scores highest on
    the tables of all.

    Source: Friedman, Learning belief networks in the presence of missing values and hidden
    variables, ICML 1997, and The Bayesian structural EM algorithm, UAI 1998. Cheeseman and Stutz,
    Bayesian classification (AutoClass), 1996.

    Examples
    --------
    >>> import dagscape as ds
    >>> whole = ds.load_network("asia").sample(500, seed=0)
    >>> cells = whole.to_polars().with_row_index("row").to_dict(as_series=False)
    >>> cells["either"] = [x if i % 5 else None for i, x in zip(cells["row"], cells["either"])]
    >>> data = ds.Data({name: cells[name] for name in whole.names}, missing="keep")
    >>> r = ds.structural_em(data, search="hill_climb")
    >>> r.dag.neighbors("either") == ds.hill_climb(whole).dag.neighbors("either")
    True
    """
    check_name("search", search, SEARCHES)
    use_count("restarts", restarts)
    problem, budget = begin(data, shared, gaps=True)
    data = problem.data
    asked = {
        **problem.settings,
        **budget.settings,
        "search": search,
        "restarts": restarts,
    }
    if not data.missing:
        found = search_by_name(search, problem, {**budget.words(), "seed": budget.seed})
        return _of_complete(found, data, asked)
    if data.numbers:
        return by_draws(problem, budget, search, restarts, asked)
    check_real_counts(problem.score)
    table = Incomplete(data)
    em = StructuralEM(table, problem, budget)
    ends = Ends()
    with budget.minding_interrupts():
        _climb_from_starts(em, table, problem, restarts, budget, ends)
        if search != "hill_climb" and ends.best is not None:
            drawn, trace = Trace("drawn tables"), Trace(f"{search}, from the best")
            ends.best = em.from_draws(ends.best, drawn)
            ends.best, ends.last = em.look(search, ends.best, trace)
            ends.traces += [each for each in (drawn, trace) if each.objectives]
    best = _best_of(em, table, problem, budget, ends)
    model = table.fitted(best.model.dag, best.completions.counts, ess=None)
    return Result(
        dag=best.model.dag,
        score=best.objective,
        score_kind=problem.score,
        method=_words(ends.last, len(ends.traces)),
        scope=problem.scope,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            "starts": [trace.to_dict() for trace in ends.traces],
            "log_likelihood": best.completions.log_likelihood,
            "missing_cells": data.missing.cells,
            "rows_drawn": best.completions.rows_drawn,
            "most_listed": MOST_LISTED,
        },
        notes=data.notes,
        asked=asked,
        network=table.network(model),
        data=data,
    )


@dataclass
class Ends:
    """Where the starts ended."""

    best: Point | None = None
    traces: list[Trace] = field(default_factory=list)
    last: Result | None = None
    """What the search by name found last."""


def _climb_from_starts(
    em: StructuralEM,
    table: Incomplete,
    problem: Problem,
    restarts: int,
    budget: Budget,
    ends: Ends,
) -> None:
    best = Trace("")
    for name, model in starts(table, problem, restarts, budget):
        if ends.best is not None and budget.ended:
            break
        trace = Trace(name)
        ends.traces.append(trace)
        if budget.progress is not None:
            budget.progress((len(ends.traces) - 1) / (restarts + 2), f"from {name}")
        end = em.climb(model, trace)
        if end is None and ends.best is None:
            # A limit came at once: what was to be the start is the result, without improvement.
            end = StructuralEM(table, problem, replace(budget, deadline=None)).stay(model)
        if end is not None and (ends.best is None or end.objective > ends.best.objective):
            ends.best, best = end, trace
    if ends.best is not None:
        ends.best = em.climb_on(ends.best, best)


def _best_of(
    em: StructuralEM, table: Incomplete, problem: Problem, budget: Budget, ends: Ends
) -> Point:
    """Return the best end, or the best of what was seen if a Ctrl-C came before the end."""
    best = ends.best
    if budget.interrupted:
        seen = [point for point in (best, em.best) if point is not None]
        best = max(seen, key=lambda point: point.objective, default=None)
    if best is None:  # not even the first start was there
        alone = StructuralEM(table, problem, replace(budget, deadline=None))
        best = alone.stay(without_arcs(table, problem))
    if best is None:
        raise DagscapeError("structural EM ended without a network")
    return best


def _words(last: Result | None, starts_tried: int) -> str:
    plural = "" if starts_tried == 1 else "s"
    how = "hill climbing" if last is None else last.method
    return f"structural EM ({how}; {starts_tried} start{plural})"


def _of_complete(found: Result, data: Data, asked: dict[str, Any]) -> Result:
    """Return what a search found where nothing is missing, as it is."""
    network = fit(Dag(data.names, found.dag.arcs), data)
    return replace(found, asked=asked, network=network, data=data)


def by_draws(
    problem: Problem, budget: Budget, search: str, restarts: int, asked: dict[str, Any]
) -> Result:
    """Learn a network of a table whose missing cells are drawn; see :func:`structural_em`."""
    check_lines(problem.score)
    em = DrawnEM(problem, budget)
    ends: list[End] = []
    traces: list[Trace] = []
    last: Result | None = None
    best: End | None = None
    with budget.minding_interrupts():
        for start in range(1 + restarts):
            if ends and budget.ended:
                break
            traces.append(Trace(f"drawn from each column, {start + 1}"))
            if budget.progress is not None:
                budget.progress(start / (restarts + 2), f"from random cells {start + 1}")
            ends.append(em.climb(start, traces[-1]))
        best = em.best(ends)
        if search != "hill_climb" and not budget.ended:
            trace = Trace(f"{search}, from the best")
            best, last = em.look(search, best, trace)
            if trace.objectives:
                traces.append(trace)
    best = em.best(ends) if best is None else best
    plural = "" if len(traces) == 1 else "s"
    how = "hill climbing" if last is None else last.method
    return Result(
        dag=best.dag,
        score=em.score_of(best),
        score_kind=problem.score,
        method=f"structural EM with drawn cells ({how}; {len(traces)} start{plural})",
        scope=problem.scope,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            "starts": [trace.to_dict() for trace in traces],
            "missing_cells": problem.data.missing.cells,
            "tables_drawn": em.count,
            "rows_drawn": em.rows,
        },
        notes=problem.data.notes,
        asked=asked,
        network=em.network(best),
        data=problem.data,
    )
