"""What a table says of causes where some may be hidden: the call, and how often it comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from dagscape.control.limits import use_count
from dagscape.data.refusals import refuse_rows
from dagscape.graphs import as_dag
from dagscape.hidden_causes.hidden_edges import Hidden, RemovedEdge, SupportedArrow, Test
from dagscape.hidden_causes.relations import Relations
from dagscape.hidden_causes.removals import pag_of, removals_of
from dagscape.hidden_causes.support import Support, supports_of
from dagscape.landscape.bootstrap import search_by_name
from dagscape.landscape.resample import resampled
from dagscape.notes import DEPENDENT
from dagscape.repeats import with_closer_look
from dagscape.search import ges, hill_climb
from dagscape.shared_arguments import ForSearch, begin, takes

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data, TableLike
    from dagscape.graphs import Dag
    from dagscape.knowledge import Knowledge
    from dagscape.problem import Problem

LEARNING_SHARE = 0.5
"""Of the time, for the best network."""


@takes(ForSearch)
def hidden(
    data: TableLike | Problem,
    *,
    resamples: int = 20,
    dag: Dag | None = None,
    **shared: Unpack[ForSearch],
) -> Hidden:
    """Ask what a table says of causes if some of them may be hidden.

    Begins with the best network, which has no hidden causes, and tests what would give them away.
    Edges that a set of neighbors parts, and that another neighbor brings back, go; the rest is
    oriented anew, and always is a legal graph (:class:`Pag`). Then each arrow is tested by itself.

    Parameters
    ----------
    data
        A table without missing cells, of rows that are independent.
    resamples
        Tables drawn from the rows on which all of it is done again, by a greedy search.
    dag
        The best network, if it is known; else :func:`learn` looks for it.
    knowledge
        Arcs required and forbidden, tiers and limits; the network and the graph obey them. Of the
        graph, an arc that is ruled out says that its beginning is no cause of its end.

    Returns
    -------
    Hidden
        `pag`, the graph; `supported`, the arrows with tests of their own; ``features()`` has a row
        for each edge, and ``print(h.summary)`` says it in words.

    Notes
    -----
    An arrow of the graph says that its beginning is a cause of its end, perhaps through others.
    Where it is *visible*, no hidden cause drives both. It is *supported* if tests say so whatever
    the rest of the graph may be: the cause relates two variables w and v that are apart otherwise,
    so it is a cause of neither; and it parts w from its effect. "Related" is a likelihood ratio
    beyond chance by 10 nats. "Apart" is one that chance exceeds in a fifth of tables at least,
    where three tenths of what is seen in the other half of the test would have been seen.

    How often that was right where the truth is known is told in "Hidden causes" among the
    explanations. The edges that are left are those of a network, and those that only the rest of
    the graph orients are less sure than supported ones.

    Assumes that independent means not related (no two effects cancel), and that no variable decided
    which rows are in the table (no selection).

    Cost: that of :func:`learn`; then tests of pairs of near variables, tenths of a second for 40
    variables and 10,000 rows. Resamples cost the same each, with a greedy search.

    Sources: Mani, Spirtes and Cooper, UAI 2006; Claassen and Heskes, UAI 2012; Ogarrio, Spirtes and
    Ramsey, PGM 2016; Zhang, Artificial Intelligence 2008.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("alarm").sample(2000, seed=0)
    >>> h = ds.hidden(data, resamples=0, dag=ds.ges(data).dag)
    >>> h.arrows[:2]
    (('CATECHOL', 'HR'), ('CO', 'BP'))
    """
    times = use_count("resamples", resamples)
    problem, budget = begin(data, shared)
    refuse_rows(problem.data)
    problem = problem.on(with_closer_look(problem.data))
    if dag is not None:
        dag = as_dag(dag, problem.variables)
    else:
        found = search_by_name(
            "learn", problem, {**budget.words(LEARNING_SHARE), "seed": budget.seed}
        )
        budget.end(found.stopped)
        dag = found.dag
    return hidden_of(problem, dag, budget, resamples=times)


def hidden_of(problem: Problem, dag: Dag, budget: Budget, *, resamples: int = 0) -> Hidden:
    """Ask it beside a network that was found."""
    independent = not any(note.kind in DEPENDENT for note in problem.data.notes)

    def over() -> bool:
        return budget.over or budget.interrupted

    found = _Question(problem.data, dag, problem.knowledge, independent, over)
    edges: dict[tuple[str, str], Counter[str]] = {}
    arrows: Counter[tuple[str, str]] = Counter()
    done = 0
    for number in range(resamples if independent else 0):
        if over():
            break
        again = _again(problem, dag, budget.seed, number, over)
        if again is None:
            break
        done += 1
        if budget.progress is not None:
            budget.progress(done / resamples, "hidden causes, on drawn tables")
        arrows.update((each.cause, each.effect) for each in again.supported)
        for a, _, b in again.pag.edges:
            pair = min(a, b), max(a, b)
            edges.setdefault(pair, Counter())[str(again.pag.edge(*pair))] += 1
    stopped = budget.stopped or ("time" if budget.over else None)
    return Hidden(
        pag=found.pag,
        dag=dag,
        supported=found.supported,
        removed=found.removed,
        rows_independent=independent,
        resamples=done,
        edge_shares={
            pair: {edge: n / done for edge, n in sorted(each.items())}
            for pair, each in sorted(edges.items())
        },
        support_shares={pair: n / done for pair, n in sorted(arrows.items())},
        tests=found.tests,
        seconds=budget.seconds,
        stopped=stopped,
    )


class _Question:
    """What one table says, beside one network."""

    def __init__(
        self,
        data: Data,
        dag: Dag,
        knowledge: Knowledge | None,
        independent: bool,
        over: Callable[[], bool],
    ) -> None:
        name, number = dag.variables.name, dag.variables.number
        self.supported: tuple[SupportedArrow, ...] = ()
        self.removed: tuple[RemovedEdge, ...] = ()
        self.tests = 0
        if not independent:
            self.pag, _ = pag_of(dag, [], knowledge)
            return
        relations = Relations(data)
        required = () if knowledge is None else knowledge.required
        kept = frozenset((min(p), max(p)) for p in ((number(a), number(b)) for a, b in required))
        removals = removals_of(dag, relations, kept, over)
        self.pag, gone = pag_of(dag, removals, knowledge)

        def known(a: int, b: int) -> bool:
            return knowledge is not None and not knowledge.allows(name(a), name(b))

        supports = supports_of(dag._graph, relations, known, over)
        arrows = {*self.pag.directed}
        shown = [_named(each, relations, name) for each in supports.values()]
        self.supported = tuple(
            sorted(
                (each for each in shown if (each.cause, each.effect) in arrows),
                key=lambda each: (each.cause, each.effect),
            )
        )
        self.removed = tuple(
            RemovedEdge(
                name(each.edge[0]),
                name(each.edge[1]),
                dag.variables.show(each.given),
                dag.variables.show(each.related_by),
            )
            for each in gone
        )
        self.tests = relations.tests


def _named(support: Support, relations: Relations, name: Callable[[int], str]) -> SupportedArrow:
    cause, effect, beside, given, collider = support
    parted = Test(
        name(beside),
        name(effect),
        tuple(map(name, given)),
        name(cause),
        relations(beside, effect, given).log_p,
    )
    related = None
    if collider is not None:
        a, b, others = collider
        clear = relations(a, b, (*others, cause)).log_p
        related = Test(name(a), name(b), tuple(map(name, others)), name(cause), clear)
    return SupportedArrow(name(cause), name(effect), parted, related)


def _again(
    problem: Problem, dag: Dag, seed: int, number: int, over: Callable[[], bool]
) -> _Question | None:
    """Ask a drawn table the same; None if there was no time for all of it."""
    sample = problem.on(resampled(problem.data, seed, number))
    if problem.knowledge is None and problem.score.equivalent:
        best = ges(sample, turning=True).dag
    else:
        best = hill_climb(sample, start=dag, restarts=5, threads=1, seed=seed).dag
    asked = _Question(sample.data, best, problem.knowledge, True, over)
    return None if over() else asked
