"""The effect of a cause on an outcome: the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape.control.limits import use_count, use_memory, use_seed
from dagscape.data import as_data, check_data
from dagscape.effects.classes import leaves_open, members_by_parents
from dagscape.effects.effect import Alternative, Effect
from dagscape.effects.interventions import drawn_effect
from dagscape.effects.parameters import ParameterDraws
from dagscape.errors import ParameterError
from dagscape.learning import Learned
from dagscape.networks.evidence import check_variable
from dagscape.posterior import Posterior
from dagscape.results import Result
from dagscape.scores import BDeu
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.graphs import Cpdag, Dag
    from dagscape.knowledge import Knowledge
    from dagscape.scores import Score

NETWORKS = 2000


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
) -> Effect:
    """Tell what happens to an outcome if somebody sets a cause, averaged over what data leave open.

    Of a posterior, networks are drawn with their probabilities, and for each its parameters; every
    one gives P(outcome | do(cause)). The mean and the quantiles of all these are the answer. Of a
    learned network, each set of direct causes that the cause has in some member of the network's
    class gives an answer of its own, without a probability.

    Parameters
    ----------
    of
        A posterior, or what a search found.
    cause, outcome
        What is set, and what is looked at.
    data
        The table. A posterior and what :func:`learn` returns have it, unless read from a file.
    networks
        How many are drawn; for a result, how many draws of parameters for each alternative.
    level
        How much of the draws lies between `lower` and `upper`.

    Notes
    -----
    **What must be assumed**: that arcs are causes, and that no common cause of the variables is
    missing from the table. Data cannot tell; whoever cannot assume it should not use this.

    Where networks of one class differ in the effect, the data cannot choose among them: their
    weights come from the prior alone, and no number of rows changes that. `open` says how much of
    the probability is in such classes. Knowledge (tiers, required arcs) given to the posterior
    helps, and it is the only thing that does.

    Sources: Pearl, Causality, 2009; Maathuis, Kalisch and Bühlmann 2009 for classes.
    """
    table = _table(of, data)
    labels = {x: table.states[x] for x in table.names}
    for x in (cause, outcome):
        check_variable(x, labels)
    if cause == outcome:
        raise ParameterError("cause and outcome must be two variables")
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise ParameterError(f"level must be between 0 and 1, got {level!r}")
    count, number = use_count("networks", networks, least=1), use_seed(seed)
    memory = use_memory(max_memory)
    rng = np.random.default_rng([number, 1])
    if isinstance(of, Posterior):
        parameters = ParameterDraws(table, of.score_kind, rng)
        drawn = of.sample(count, seed=number)
        found = _by_parents(drawn, cause, outcome, table, parameters, memory)
        share = _open_share(drawn, cause, outcome, of.knowledge)
        source = f"{counted(count, 'network')} drawn from the posterior ({of.claim})"
    else:
        parameters = ParameterDraws(table, _score_of(of), rng)
        found = _of_class(of, cause, outcome, table, parameters, memory, count)
        share = None
        source = "the class of the learned network, taken for certain"
    return Effect(
        cause, outcome, labels[cause], labels[outcome], tuple(found), source, share, float(level)
    )


def _table(of: Posterior | Result, data: TableLike | None) -> Data:
    if not isinstance(of, Posterior | Result):
        raise ParameterError(
            f"effect needs a posterior or a result of a search, got {type(of).__name__}; "
            "of a network that is known, ask net.do(...).query(...)"
        )
    if isinstance(of, Posterior):
        return of.data_given(data)
    given = data if data is not None else of.data if isinstance(of, Learned) else None
    if given is None:
        raise ParameterError("the table is not known here; give it: effect(..., data=data)")
    known = as_data(given)
    check_data(known)
    if missing := [x for x in of.dag.names if x not in known.states]:
        raise ParameterError(f'data has no column "{missing[0]}", which the networks have')
    return known


def _score_of(result: Result) -> Score:
    return result.score_kind if result.score_kind is not None else BDeu()


def _by_parents(
    drawn: list[Dag],
    cause: str,
    outcome: str,
    data: Data,
    parameters: ParameterDraws,
    memory: int,
) -> list[Alternative]:
    """Return an alternative for each set of parents of the cause, with a path or without."""
    groups: dict[tuple[tuple[str, ...], bool], list[np.ndarray]] = {}
    for dag in drawn:
        key = dag.parents(cause), outcome in dag.descendants(cause)
        table = drawn_effect(dag, cause, outcome, data.arities, parameters, memory)
        groups.setdefault(key, []).append(table)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        Alternative(parents, len(tables) / len(drawn), path, np.stack(tables))
        for (parents, path), tables in ranked
    ]


def _open_share(drawn: list[Dag], cause: str, outcome: str, knowledge: Knowledge | None) -> float:
    """Return the share of the networks of whose class members that obey may differ."""
    known: dict[Cpdag, bool] = {}
    total = 0
    for dag in drawn:
        graph = dag.to_cpdag()
        if graph not in known:
            obeying = graph if knowledge is None else knowledge.orient(graph)
            known[graph] = leaves_open(obeying, cause, outcome)
        total += known[graph]
    return total / len(drawn)


def _of_class(
    result: Result,
    cause: str,
    outcome: str,
    data: Data,
    parameters: ParameterDraws,
    memory: int,
    count: int,
) -> list[Alternative]:
    """Return an alternative for each set of parents that the cause has in a member of the class."""
    found = []
    for parents, member in members_by_parents(result.mpdag, cause):
        tables = [
            drawn_effect(member, cause, outcome, data.arities, parameters, memory)
            for _ in range(count)
        ]
        path = outcome in member.descendants(cause)
        found.append(Alternative(parents, None, path, np.stack(tables)))
    return found
