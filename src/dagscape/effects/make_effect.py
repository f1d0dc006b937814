"""The effect of a cause on an outcome: the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from dagscape.arguments import as_switch
from dagscape.control.limits import use_count, use_memory, use_seed
from dagscape.data import as_data, check_data
from dagscape.effects.adjustment import (
    AdjustedDraws,
    adjustment_sets,
    leaves_open,
    members_by_parents,
)
from dagscape.effects.alternatives import Alternative
from dagscape.effects.effect import Effect
from dagscape.effects.gap_draws import completed
from dagscape.effects.hidden_effect import HiddenEffect, only, why_given, with_paths
from dagscape.effects.line_draws import LineDraws, drawn_slope, standard
from dagscape.effects.slope import SlopeEffect
from dagscape.effects.table_draws import ParameterDraws, drawn_effect
from dagscape.errors import DataError, ParameterError
from dagscape.learning import LearnResult
from dagscape.learning.not_linear import bend_between
from dagscape.networks.evidence import check_variable
from dagscape.networks.own_rows import own_rows
from dagscape.posteriors import Posterior
from dagscape.repeats import rows_seem_independent
from dagscape.results import Result
from dagscape.scores import BDeu
from dagscape.words import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dagscape.data import Data, TableLike
    from dagscape.graphs import Dag, Mpdag
    from dagscape.knowledge import Knowledge
    from dagscape.networks.nodes.table import Table
    from dagscape.scores import Score

    Draw = Callable[[Dag], "Table | float"]
    Values = NDArray[np.float64]
    Way = tuple[tuple[str, ...], bool]

OBEYED = ("interventions",)
"""What may be said of rows beside how often they occur."""
NETWORKS = 2000
ADJUSTED = 20_000
"""Draws of the adjusted effect, in all networks together: the ends of intervals need many."""


@overload
def effect(
    of: Posterior | Result,
    cause: str,
    outcome: str,
    *,
    data: TableLike | None = None,
    networks: int = NETWORKS,
    level: float = 0.95,
    seed: int = 0,
    max_memory: float | None = None,
    hidden: Literal[False] = False,
) -> Effect | SlopeEffect: ...
@overload
def effect(
    of: Posterior | Result,
    cause: str,
    outcome: str,
    *,
    data: TableLike | None = None,
    networks: int = NETWORKS,
    level: float = 0.95,
    seed: int = 0,
    max_memory: float | None = None,
    hidden: Literal[True],
) -> HiddenEffect: ...
def effect(
    of: Posterior | Result,
    cause: str,
    outcome: str,
    *,
    data: TableLike | None = None,
    networks: int = NETWORKS,
    level: float = 0.95,
    seed: int = 0,
    max_memory: float | None = None,
    hidden: bool = False,
) -> Effect | SlopeEffect | HiddenEffect:
    """Estimate what happens to an outcome if somebody sets a cause, over all that data leave open.

    Of a posterior, networks are drawn with their probabilities, and for each its parameters; every
    one gives P(outcome | do(cause)). The mean and the quantiles of all these are the answer. Of a
    learned network with a posterior that is what is asked; without one, each set of direct causes
    that the cause has in some member of the network's class gives an answer of its own, without a
    probability. Of a cause of numbers the answer is a slope: by how much the outcome rises for each
    unit of the cause. Where the outcome holds numbers, its mean is looked at.

    There are two intervals. The *posterior's* has all that the networks say, with their prior: one
    in which no path leads to the outcome says that nothing happens, so it shrinks toward no effect.
    The *adjusted* one is by regression on the cause, its parents and the outcome's own, in each
    network, whether or not there is a path: it does not shrink.

    Parameters
    ----------
    of
        A posterior, or what a search found.
    cause, outcome
        What is set, and what is looked at.
    data
        The table. A posterior and what :func:`learn` returns have it, unless read from a file.
    networks
        How many are drawn, of a posterior that holds drawn ones as many as it has; for a result
        without one, how many draws of parameters for each alternative.
    level
        How much of the draws lies between `lower` and `upper`.
    hidden
        Whether causes may be hidden. Of what :func:`learn` found, the effect is given where the
        graph of `r.hidden` gives it whatever is hidden; else the answer says how strong a hidden
        cause must be to explain the estimate away.

    Returns
    -------
    Effect, SlopeEffect or HiddenEffect
        Of a cause with states, or of one of numbers; the last with ``hidden=True``.

    Notes
    -----
    **What must be assumed**: that arcs are causes, that no common cause of the variables is missing
    from the table, and that rows were not selected by what the variables cause (as if only people
    in hospital were in the table). Data cannot tell; whoever cannot assume it should not use this.
    A common cause that was cut into intervals is adjusted for only in part: `cut` names such
    columns.

    Where networks of one class differ in the effect, the data cannot choose among them: their
    weights come from the prior alone, and no number of rows changes that. `open` says how much of
    the probability is in such classes. Knowledge (tiers, required arcs) given to the posterior
    helps, and it is the only thing that does.

    Where cells are missing and the posterior drew them, they are drawn anew given its networks, and
    each network has its effect in the table that is completed so.

    Slopes are drawn from the posterior of the :class:`BGe` score, with its parameters if networks
    are scored by it, else those of ``BGe(standardized=True)``. What follows from them in a network
    is the sum over directed paths of the products of their slopes. In tables with both kinds of
    columns, and where networks were scored by curves (``BasisBIC(degree=3)``), the posterior's
    interval too is by regression on the cause and its parents, in networks with a path.

    Where rows come from experiments, each variable is learned from those in which it was free, the
    adjusted interval from those in which nothing but the cause was set, and `own_rows` shows beside
    it what was seen where the cause was set.

    Sources: Pearl, Causality, 2009; Maathuis, Kalisch and Bühlmann 2009 for classes.
    """
    if as_switch("hidden", hidden):
        asked = {"networks": networks, "level": level, "seed": seed, "max_memory": max_memory}
        return _with_hidden(of, cause, outcome, data, asked)
    table = _table(of, data)
    independent = _independent(of, table)
    if isinstance(of, LearnResult) and of.posterior is not None:
        of = of.posterior
    labels = {x: table.states[x] for x in table.names}
    for x in (cause, outcome):
        check_variable(x, labels)
    if cause == outcome:
        raise ParameterError("cause and outcome must be two variables")
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise ParameterError(f"level must be between 0 and 1, got {level!r}")
    count, number = use_count("networks", networks, least=1), use_seed(seed)
    memory = use_memory(max_memory)
    score = of.score_kind if isinstance(of, Posterior) else _score_of(of)
    rng = np.random.default_rng([number, 1])
    if cause in table.numbers and not standard(_known(table.numbers[cause]))[1]:
        raise DataError(f'column "{cause}" never changes, so the rows say nothing about setting it')
    other = np.random.default_rng([number, 2])

    knowledge = of.knowledge if isinstance(of, Posterior) else of.scope.knowledge
    ruled_out = _ruled_out(knowledge, table.names, cause, outcome)

    def ways(table: Data) -> tuple[Draw, AdjustedDraws]:
        about = rows_about(table, cause)
        adjusted = AdjustedDraws(about, cause, outcome, other, ruled_out=ruled_out)
        return _draw(table, score, cause, outcome, adjusted, rng, memory), adjusted

    share: float | None = None
    if isinstance(of, Posterior):
        drawn = of.sample(min(count, of.most_networks or count), seed=number)
        sets = adjustment_sets(drawn, cause, outcome)
        found = _by_parents(
            [(own, *ways(whole)) for whole, own in completed(table, score, drawn, number)],
            cause,
            outcome,
        )
        share = _open_share(drawn, cause, outcome, of.knowledge, table)
        source = f"{counted(len(drawn), 'network')} drawn from the posterior ({of.claim})"
    else:
        found = _of_class(of, cause, outcome, *ways(table), count)
        members = (member for _, member in members_by_parents(of.mpdag, cause))
        sets = adjustment_sets(members, cause, outcome)
        source = "the class of the learned network, treated as certain"
    answer: dict[str, Any] = {
        "cause": cause,
        "outcome": outcome,
        "alternatives": tuple(found),
        "source": source,
        "open": share,
        "level": float(level),
        "cut": _cut(table, cause, outcome),
        "adjusted_for": () if ruled_out else sets,
        "ruled_out": ruled_out,
        "rows_independent": independent,
        "own_rows": own_rows(table, cause, outcome, float(level)),
    }
    outcomes = () if outcome in table.numbers else labels[outcome]
    if cause in table.numbers:
        lines = _by_lines(table, score)
        # Not a number is what the rows do not tell; of lines, it is beyond numbers too.
        beyond = [np.isinf(one.adjusted).any() for one in found]
        if any(beyond) or (lines and not all(np.isfinite(one.draws).all() for one in found)):
            raise DataError(
                f'the slope of "{outcome}" on "{cause}" is larger than numbers go; take other units'
            )
        bend = bend_between(table, outcome, cause)
        return SlopeEffect(**answer, outcome_states=outcomes, lines=lines, bend=bend)
    return Effect(**answer, cause_states=labels[cause], outcome_states=outcomes)


def _with_hidden(
    of: Posterior | Result,
    cause: str,
    outcome: str,
    data: TableLike | None,
    asked: dict[str, Any],
) -> HiddenEffect:
    """Return the effect where causes may be hidden."""
    found = of.hidden if isinstance(of, LearnResult) else None
    if not isinstance(of, LearnResult) or found is None:
        raise ParameterError(
            "hidden=True needs what learn found on a table without missing cells, whose graph with "
            "hidden causes is known; without it, common causes that are missing are assumed away"
        )
    plain: Effect | SlopeEffect = effect(of, cause, outcome, data=data, **asked)
    table = _table(of, data)
    given = found.pag.adjustment_set(cause, outcome)
    nothing = outcome not in found.pag.possible_descendants(cause)
    if nothing or given is not None:
        rng = np.random.default_rng([asked["seed"], 2])
        drawn = AdjustedDraws(table, cause, outcome, rng)
        draws = drawn.without_effect(ADJUSTED) if nothing else drawn.given(given or (), ADJUSTED)
        plain = only(plain, draws, given or ())
    else:
        plain = with_paths(plain)
    return HiddenEffect(
        cause=cause,
        outcome=outcome,
        identified=nothing or given is not None,
        given=given,
        reason=why_given(found.pag, cause, outcome, given),
        effect=plain,
        rows=table.n_rows,
    )


def _draw(
    table: Data,
    score: Score,
    cause: str,
    outcome: str,
    adjusted: AdjustedDraws,
    rng: np.random.Generator,
    memory: int,
) -> Draw:
    """Return what draws the effect in a network."""
    if not table.numbers:
        parameters = ParameterDraws(table, score, rng)
        return lambda dag: drawn_effect(dag, cause, outcome, table.arities, parameters, memory)
    if _by_lines(table, score):
        lines = LineDraws(table, score, rng)
        return lambda dag: drawn_slope(dag, cause, outcome, lines)

    def by_regression(dag: Dag) -> Table:
        path = outcome in dag.descendants(cause)
        drawn = adjusted.of([dag]) if path else adjusted.without_effect(1)
        return np.asarray(drawn[0])

    return by_regression


def _by_lines(table: Data, score: Score) -> bool:
    """Tell whether networks are sums of lines: all columns hold numbers, and the score says so."""
    return len(table.numbers) == table.n_variables and getattr(score.base, "linear", False)


def _table(of: Posterior | Result, data: TableLike | None) -> Data:
    if not isinstance(of, Posterior | Result):
        raise ParameterError(
            f"effect needs a posterior or a result of a search, got {type(of).__name__}; "
            "of a network that is known, ask net.do(...).query(...)"
        )
    if isinstance(of, Posterior):
        table = of.data_given(data, gaps=True)
        # A posterior obeys more of what is said of rows.
        check_data(table, gaps=True, rows=OBEYED)
        return table
    given = data if data is not None else of.data if isinstance(of, LearnResult) else None
    if given is None:
        raise ParameterError("the table is not known here; give it: effect(..., data=data)")
    known = as_data(given)
    if known.missing and isinstance(of, LearnResult) and of.posterior is not None:
        raise DataError(
            f"the table keeps {known.missing.cells:,} missing cells, which are drawn for each "
            "network of its posterior; ask effect(r.posterior, ...)"
        )
    check_data(known, rows=OBEYED)
    if missing := [x for x in of.dag.names if x not in known.states]:
        raise ParameterError(f'data has no column "{missing[0]}", which the networks have')
    return known


def _independent(of: Posterior | Result, table: Data) -> bool:
    """Tell whether rows are independent, as far as can be told."""
    if isinstance(of, LearnResult):
        return of.rows_independent
    if isinstance(of, Posterior) and not of.rows_independent:
        return False
    return rows_seem_independent(table)


def _ruled_out(knowledge: Knowledge | None, names: Sequence[str], cause: str, outcome: str) -> bool:
    """Tell whether knowledge lets no directed path lead from one to the other."""
    if knowledge is None:
        return False
    left, reached = {*names} - {cause}, [cause]
    while reached:
        at = reached.pop()
        if outcome in (below := {name for name in left if knowledge.allows(at, name)}):
            return False
        left -= below
        reached += below
    return True


def _known(values: Values) -> Values:
    """Return the numbers of a column that are there."""
    return np.asarray(values[~np.isnan(values)])


def _cut(table: Data, cause: str, outcome: str) -> tuple[str, ...]:
    """Return the other columns of numbers that were cut into states."""
    cut = dict.fromkeys(note.column for note in table.notes if note.kind == "cut")
    return tuple(x for x in table.names if x in cut and x not in (cause, outcome))


def _score_of(result: Result) -> Score:
    return result.score_kind if result.score_kind is not None else BDeu()


def _by_parents(
    tables: list[tuple[list[Dag], Draw, AdjustedDraws]], cause: str, outcome: str
) -> list[Alternative]:
    """Return an alternative for each set of parents of the cause, with a path or without.

    Each table has networks of its own; without gaps, there is one.
    """
    total = sum(len(networks) for networks, _, _ in tables)
    each = -(-ADJUSTED // total)
    many: Counter[Way] = Counter()
    draws: dict[Way, list[Table | float]] = {}
    adjusted: dict[Way, list[Table]] = {}
    for networks, draw, adjust in tables:
        groups: dict[Way, list[Dag]] = {}
        for dag in networks:
            way = dag.parents(cause), outcome in dag.descendants(cause)
            groups.setdefault(way, []).append(dag)
            draws.setdefault(way, []).append(draw(dag))
        for way, dags in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            adjusted.setdefault(way, []).append(adjust.of(dags, each))
            many[way] += len(dags)
    ranked = sorted(many.items(), key=lambda item: (-item[1], item[0]))
    return [
        Alternative(
            way[0], count / total, way[1], np.stack(draws[way]), np.concatenate(adjusted[way])
        )
        for way, count in ranked
    ]


def _open_share(
    drawn: list[Dag], cause: str, outcome: str, knowledge: Knowledge | None, table: Data
) -> float:
    """Return the share of the networks of whose class members that obey may differ."""
    done = table.rows.interventions
    known: dict[Mpdag, bool] = {}
    total = 0
    for dag in drawn:
        graph = dag.to_cpdag() if done is None else dag.to_mpdag(done.by_name)
        if graph not in known:
            obeying = graph if knowledge is None else knowledge.orient(graph)
            known[graph] = leaves_open(obeying, cause, outcome)
        total += known[graph]
    return total / len(drawn)


def _of_class(
    result: Result, cause: str, outcome: str, draw: Draw, adjusted: AdjustedDraws, count: int
) -> list[Alternative]:
    """Return an alternative for each set of parents that the cause has in a member of the class."""
    found = []
    for parents, member in members_by_parents(result.mpdag, cause):
        draws = np.stack([draw(member) for _ in range(count)])
        path = outcome in member.descendants(cause)
        found.append(Alternative(parents, None, path, draws, adjusted.of([member], ADJUSTED)))
    return found


def rows_about(table: Data, cause: str) -> Data:
    """Return the rows that show what the cause does by itself: nothing else was set in them."""
    done = table.rows.interventions
    if done is None:
        return table
    alone = np.array([{*targets} <= {cause} for targets in done.targets])
    rows = np.flatnonzero(alone[done.codes])
    if not len(rows):
        raise DataError(
            f'in every row something other than "{cause}" was set, so no row shows what it does by '
            "itself; add rows in which nothing else was set"
        )
    return table.part(rows, "interventions")
