"""The arguments that many functions share: their types, their sentences, and what is made of them.

A function lists its own options and takes the shared ones as ``**shared: Unpack[ForSearch]``, which
type checkers read. :func:`takes` gives it the signature and the documentation of them all, and
:func:`begin` makes a :class:`Problem` and a :class:`Budget` of them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar

from dagscape.control.budget import Budget
from dagscape.control.progress import shown
from dagscape.data import as_data
from dagscape.errors import ParameterError
from dagscape.parents import CandidateParents, restrict
from dagscape.problem import Problem
from dagscape.scores import check_scored

if TYPE_CHECKING:
    from dagscape.control.limits import ShowProgress
    from dagscape.data import TableLike
    from dagscape.executors import Cluster
    from dagscape.knowledge import Knowledge
    from dagscape.scores import ScoreLike
    from dagscape.scores.priors import PriorLike

P = ParamSpec("P")
T = TypeVar("T")


class ForScore(TypedDict, total=False):
    """How networks are scored."""

    score: ScoreLike | None
    prior: PriorLike | None


class ForProblem(ForScore, total=False):
    """How networks are scored, and which networks there are."""

    max_parents: int | None
    knowledge: Knowledge | None


class ForEstimate(ForProblem, total=False):
    """What a search would use, but for its time."""

    max_memory: float | None
    threads: int | None


class ForClasses(ForProblem, total=False):
    """A search on one thread, without chance."""

    time_limit: float | None
    progress: ShowProgress


class ForRandomClasses(ForClasses, total=False):
    """A search on one thread."""

    seed: int


class ForSets(ForEstimate, total=False):
    """A search without chance."""

    time_limit: float | None
    progress: ShowProgress


class ForProof(TypedDict, total=False):
    """A search without chance, of a problem that is known."""

    time_limit: float | None
    max_memory: float | None
    threads: int | None
    progress: ShowProgress


class ForClusterSets(ForSets, total=False):
    """A search without chance, parts of which can be done elsewhere."""

    cluster: Cluster


class ForSearch(ForSets, total=False):
    """A search."""

    seed: int


class ForClusterSearch(ForSearch, total=False):
    """A search, parts of which can be done elsewhere."""

    cluster: Cluster


SENTENCES = {
    "score, prior": """\
    What networks are scored by, and a prior on structures whose logarithm is added: "uniform"
    (adds nothing), "fair" or :class:`EdgePrior`. If neither is given, both are chosen by
    :func:`default_score`, and `asked` says so. A score without a prior has the uniform one.""",
    "max_parents": """\
    The most parents of a variable.""",
    "knowledge": """\
    Arcs required and forbidden, tiers and limits; all are obeyed.""",
    "time_limit": """\
    Seconds. They, or Ctrl-C, end it with what is found by then; `stopped` says so.""",
    "max_memory": """\
    Bytes; by default 70 % of what is free.""",
    "threads": """\
    How many to use; one for each core if not given.""",
    "seed": """\
    For what is drawn. Without a time limit the result is the same for any number of threads.""",
    "cluster": """\
    Where parts are done instead of here, as in :func:`local_optima`; the result is the same.""",
    "progress": """\
    True for a bar, or a function, called a few times a second with the share of the work done,
    if known, and a text.""",
}
"""What is said of each where a function says nothing of its own."""

DEFAULTS: Mapping[str, Any] = {"seed": 0}
"""Those that are not None."""

LIMITS = ("time_limit", "max_memory", "threads", "progress", "seed", "cluster")
"""Those that make a budget."""


def takes(shared: type) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function take shared arguments: all in its signature, each in its docstring.

    While it runs, ``progress=True`` shows a bar, on stderr or in the notebook.
    """
    kinds = shared.__annotations__
    names = [name for entry in SENTENCES for name in entry.split(", ") if name in kinds]
    words = {name: _annotation(kinds[name]) for name in names}
    defaults = {name: DEFAULTS.get(name) for name in words}

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=kind
            )
            for name, kind in words.items()
        ]
        known = {p.name for p in (*own, *more)}

        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> T:
            if unknown := [name for name in options if name not in known]:
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument {unknown[0]!r}"
                )
            given: dict[str, Any] = {**defaults, **options}
            with shown(given.get("progress"), given.get("time_limit")) as progress:
                if "progress" in given:
                    given["progress"] = progress
                return function(*args, **given)

        call.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        call.__doc__ = function.__doc__ and documented(function.__doc__, words)
        return call

    return decorate


def _annotation(kind: Any) -> str:
    """Return a type as it is written."""
    return getattr(kind, "__forward_arg__", None) or str(kind)


def documented(text: str, shared: Iterable[str]) -> str:
    """Return a docstring with the sentences of shared arguments that it lacks."""
    head, *sections = re.split(r"\n\n(?=[A-Z][\w ]*\n---)", inspect.cleandoc(text))
    if not sections or not sections[0].startswith("Parameters\n"):
        sections.insert(0, "Parameters\n----------")
    own = {name for line in re.findall(r"^\w.*", sections[0], re.M) for name in line.split(", ")}
    for names, sentence in SENTENCES.items():
        missing = {*names.split(", ")} & {*shared} - own
        if missing:
            sections[0] += f"\n{names}\n{sentence}"
    return "\n\n".join([head, *sections])


def begin(
    data: TableLike | Problem, shared: Mapping[str, Any], *, gaps: bool = False
) -> tuple[Problem, Budget]:
    """Return what is asked and what may be used; refuse what is wrong with either."""
    budget = Budget.of(**{name: shared[name] for name in LIMITS if name in shared})
    return problem_of(data, shared, gaps=gaps), budget


def problem_of(
    data: TableLike | Problem, shared: Mapping[str, Any], *, gaps: bool = False
) -> Problem:
    """Return what is asked.

    Parameters
    ----------
    gaps
        Whether cells may be missing, whatever the score.
    """
    asked = {name: shared[name] for name in ForProblem.__annotations__ if name in shared}
    if isinstance(data, Problem):
        if given := [name for name, value in asked.items() if value is not None]:
            raise ParameterError(f"{given[0]} belongs to the problem, not here")
        problem = data
    else:
        problem = Problem(
            as_data(data, missing="keep" if gaps else "error", strict=not gaps), **asked
        )
    if not gaps:
        check_scored(problem.data, problem.score)
    return problem


def begin_with_sets(
    data: TableLike | Problem | CandidateParents, shared: Mapping[str, Any]
) -> tuple[Problem | CandidateParents, Budget]:
    """Do the same, where parent sets that are scored already may take the place of the problem.

    Of these, networks are built that obey the knowledge.
    """
    if not isinstance(data, CandidateParents):
        return begin(data, shared)
    budget = Budget.of(**{name: shared[name] for name in LIMITS if name in shared})
    for name in ("prior", "score", "max_parents"):
        if shared.get(name) is not None:
            raise ParameterError(f"{name} belongs to the selection of candidate parents, not here")
    return restrict(data, shared.get("knowledge")), budget
