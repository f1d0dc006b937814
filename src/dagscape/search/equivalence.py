"""Searches over equivalence classes of networks: greedy and k-greedy."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.claims.scopes import Scope
from dagscape.control.budget import Budget
from dagscape.control.limits import ShowProgress, use_seed
from dagscape.control.progress import shows_progress
from dagscape.data import as_data, check_data
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.knowledge import Knowledge
from dagscape.results import Result
from dagscape.scores import SCORES, Score, ScoreLike, as_score, scorer
from dagscape.scores.priors import PriorLike
from dagscape.speech import setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike

NEIGHBORHOODS = ("auto", "exact", "sampled")
"""How the classes next to one are found."""


@shows_progress
def kes(
    data: TableLike,
    *,
    k: float = 0.8,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    max_parents: int | None = None,
    neighborhood: str = "auto",
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    progress: ShowProgress = None,
) -> Result:
    """Search equivalence classes by k-greedy moves.

    Each step lists the neighboring classes that score higher, draws a share of them at random and
    moves to the best one drawn; it stops at a class that no neighbor beats.

    Parameters
    ----------
    k
        Share drawn at each step, from 0 (one class, SES) to 1 (all of them, GES).
    score
        One that is the same for equivalent networks: not K2, not fNML.
    prior
        A prior on structures, whose logarithm is added: "uniform" (adds nothing, the default),
        "fair" or :class:`EdgePrior`. All of them are the same for equivalent networks.
    max_parents
        The most parents that a step gives a variable.
    neighborhood
        "exact": the inclusion boundary, every class that one arc more or less in any network of the
        class leads to, each once. "sampled": the paper's own way, networks of the class drawn by
        reversing covered arcs, then an arc added or removed; it can miss neighbors. "auto": exact,
        unless a class has too many neighbors to list; `work` says what ran.
    knowledge
        Refused: classes contain networks with either direction of most arcs.
    seed
        For what is drawn. Runs of :func:`local_optima` are runs of this with other streams.

    Notes
    -----
    Finds a local optimum, without proof. Where :func:`exact` finishes, prefer it; for what other
    optima there are and what they agree on, see :func:`local_optima`.

    Cost: the start looks at all n (n − 1) / 2 pairs, a step at those near the last one. A gain
    takes two values of sets, each counted once, in as many steps as there are rows. Moves of a
    pair grow exponentially with its undirected neighbors; at most 4,096 are looked at.

    Source: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003.
    """
    data = as_data(data)
    call = _Call(data, as_score(score, prior), max_parents, knowledge, time_limit, progress)
    options = kes_options(data, k, max_parents, neighborhood)
    number = use_seed(seed)
    found, stopped = _core.kes(call.scorer, options, number, **call.limits())
    how = "sampled" if found.sampled else "exact"
    asked = {"k": float(k), "neighborhood": neighborhood}
    return call.result(
        found,
        stopped,
        f"kes, k={k:g}",
        number,
        asked,
        {"neighborhood": how, "better_classes": found.classes},
    )


@shows_progress
def ges(
    data: TableLike,
    *,
    phases: int = 2,
    turning: bool = False,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    progress: ShowProgress = None,
) -> Result:
    """Search equivalence classes greedily.

    Moves to the neighboring class that scores highest, until none is better. With enough data
    from a network it finds that network's class.

    Parameters
    ----------
    phases
        2: Meek's, first arcs are only added, then only removed. 1: both in every step, which is
        :func:`kes` with k=1.
    turning
        Whether to continue by turning edges, and to start again while that gains.
    score, prior, max_parents, knowledge
        As in :func:`kes`.

    Notes
    -----
    Finds a local optimum, without proof; other optima are often better, see :func:`local_optima`.

    Cost: as in :func:`kes`.

    Sources: Meek, Graphical models: selecting causal and statistical models, 1997; Chickering,
    Optimal structure identification with greedy search, JMLR 2002; Hauser and Bühlmann,
    Characterization and greedy learning of interventional Markov equivalence classes of directed
    acyclic graphs, JMLR 2012.
    """
    data = as_data(data)
    if isinstance(phases, bool) or not isinstance(phases, int) or phases not in (1, 2):
        raise ParameterError(f"phases must be 1 or 2, got {phases!r}")
    if not isinstance(turning, bool):
        raise ParameterError(f"turning must be True or False, got {turning!r}")
    call = _Call(data, as_score(score, prior), max_parents, knowledge, time_limit, progress)
    found, stopped = _core.ges(
        call.scorer,
        phases == 2,
        turning,
        call.max_parents,
        **call.limits(),
    )
    words = f"ges, {'two phases' if phases == 2 else 'one phase'}{', turning' if turning else ''}"
    return call.result(found, stopped, words, None, {"phases": phases, "turning": turning}, {})


def kes_options(
    data: Data, k: float, max_parents: int | None, neighborhood: str
) -> _core.KesOptions:
    """Return how k-greedy search goes, checked."""
    if isinstance(k, bool) or not isinstance(k, Real) or not 0 <= k <= 1:
        raise ParameterError(f"{setting('k')} must be between 0 and 1, got {k!r}")
    check_name("neighborhood", neighborhood, NEIGHBORHOODS)
    return _core.KesOptions(float(k), most_parents(data, max_parents), neighborhood)


def most_parents(data: Data, max_parents: int | None) -> int:
    """Return the most parents of a variable, checked."""
    most = data.n_variables - 1
    if max_parents is None:
        return most
    whole = isinstance(max_parents, Integral) and not isinstance(max_parents, bool)
    if not whole or not 0 <= max_parents <= most:
        raise ParameterError(
            f"{setting('max_parents')} must be between 0 and {most} (variables - 1), "
            f"got {max_parents!r}"
        )
    return int(max_parents)


CLASSES = "search over equivalence classes"
NO_DIRECTIONS = "a class contains networks with either direction of its undirected edges; use exact"


def refuse_knowledge(
    knowledge: Knowledge | None, search: str = CLASSES, why: str = NO_DIRECTIONS
) -> None:
    """Refuse what a search over classes, or another, cannot obey, by name."""
    if knowledge is None:
        return
    if not isinstance(knowledge, Knowledge):
        raise ParameterError(f"knowledge must be a ds.Knowledge, got {knowledge!r}")
    parts = ("required", "forbidden", "tiers", "max_parents")
    given = [part for part in parts if getattr(knowledge, part, None)]
    if given:
        raise ParameterError(f"{search} cannot obey knowledge ({', '.join(given)}): {why}")


def equivalent_score(score: ScoreLike, search: str = CLASSES) -> Score:
    """Return a score that is the same for equivalent networks; refuse others."""
    chosen = as_score(score)
    if not chosen.equivalent:
        fit = sorted(name for name, make in SCORES.items() if make().equivalent)
        raise ParameterError(
            f"{search} needs a score that equivalent networks share, unlike {chosen}; "
            f"choose {', '.join(fit)}"
        )
    return chosen


class _Call:
    """What the searches here have in common, checked."""

    def __init__(
        self,
        data: Data,
        score: ScoreLike,
        max_parents: int | None,
        knowledge: Knowledge | None,
        time_limit: float | None,
        progress: ShowProgress,
    ) -> None:
        check_data(data)
        refuse_knowledge(knowledge)
        self._budget = Budget.of(time_limit, progress=progress)
        self._data = data
        self._score = equivalent_score(score)
        self._asked: dict[str, Any] = {"max_parents": max_parents, "time_limit": time_limit}
        self.max_parents = most_parents(data, max_parents)
        self.scorer = scorer(data, self._score)

    def limits(self) -> dict[str, Any]:
        """Return what the engine may use, and whom it tells that it is at work."""
        tell = self._budget.telling("searching", known=False)
        return {"seconds": self._budget.left(), "progress": tell}

    def result(
        self,
        found: _core.ClassSearch,
        stopped: str,
        method: str,
        seed: int | None,
        asked: dict[str, Any],
        work: dict[str, Any],
    ) -> Result:
        self._budget.end(stopped)
        name = self._data.variables.name
        return Result(
            dag=Dag(self._data.names, [(name(a), name(b)) for a, b in found.dag.arcs]),
            score=found.score,
            score_kind=self._score,
            method=method,
            scope=Scope(max_parents=self._asked["max_parents"]),
            seed=seed,
            seconds=self._budget.seconds,
            stopped=None if found.done else stopped or None,
            work={
                "steps": found.steps,
                "sets_counted": self.scorer.sets_counted,
                **work,
            },
            asked={
                **self._score.asked,
                **self._asked,
                **asked,
            },
            notes=self._data.notes,
        )
