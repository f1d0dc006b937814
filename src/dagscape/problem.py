"""What is asked of a table: how networks are scored, and which of them there are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.claims.scopes import Scope
from dagscape.data import FACTS, as_data, check_data
from dagscape.defaults import left_open, score_for
from dagscape.errors import ParameterError
from dagscape.knowledge import KNOWLEDGE_PARTS, Knowledge, OfRows, OfTable, described
from dagscape.parents.constraints import constrain, keep_pairs
from dagscape.scores import (
    SCORES,
    Score,
    ScoreFunction,
    ScoreLike,
    check_kinds,
    score_of_work,
    scorer,
    scorer_within,
)
from dagscape.speech import setting
from dagscape.targets import Targets, kinds_in
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.scores.priors import PriorLike
    from dagscape.variables import Variables


@dataclass(frozen=True)
class Terms:
    """How networks are scored, and which there are, whatever the table."""

    score: Score
    """The score with its prior."""
    max_parents: int | None
    """The most parents of a variable; None without a limit."""
    knowledge: Knowledge | None
    """What networks must obey; None where nothing is known."""
    pairs: tuple[tuple[str, str], ...] | None = field(default=None, kw_only=True)
    """The variables that may be joined, where not all may; chosen by the table, as candidates."""

    @property
    def scope(self) -> Scope:
        """The networks there are."""
        few = self.pairs is not None
        return Scope(max_parents=self.max_parents, candidates_only=few, knowledge=self.knowledge)

    @property
    def words(self) -> dict[str, Any]:
        """The same as plain values."""
        known = described(self.knowledge)
        joined = {} if self.pairs is None else {"pairs": [list(pair) for pair in self.pairs]}
        return {**self.score.asked, "max_parents": self.max_parents, "knowledge": known, **joined}

    def constraints_among(
        self, variables: Variables, max_parents: int | None = None
    ) -> _core.Constraints:
        """Return which parent sets variables have, or those of up to so many parents."""
        most = self.max_parents if max_parents is None else max_parents
        made = constrain(variables, most, self.knowledge)
        if self.pairs is not None:
            keep_pairs(made, variables, self.pairs, self.knowledge)
        return made

    def identity_on(self, data: str, kind: str, **own: Any) -> dict[str, Any]:
        """Return what work of a kind on a table, told by its fingerprint, is known by in files.

        Work that another version of dagscape began is not gone on with.
        """
        major, minor = version("dagscape").split(".")[:2]
        # Before 1.0 a second number says what the first will say then: runs may come out otherwise.
        ours = f"0.{minor}" if major == "0" else major
        own_score = self.score.base
        code = {"function": own_score.code} if isinstance(own_score, ScoreFunction) else {}
        return {"kind": kind, "version": ours, "data": data, **self.words, **code, **own}

    @classmethod
    def from_words(cls, words: Mapping[str, Any]) -> Terms:
        """Return what plain values say."""
        known = words["knowledge"]
        return cls(
            score_of_work(words),
            words["max_parents"],
            None if known is None else Knowledge.from_dict(known),
            pairs=_pairs(words.get("pairs")),
        )


def _pairs(words: list[list[str]] | None) -> tuple[tuple[str, str], ...] | None:
    return None if words is None else tuple((str(a), str(b)) for a, b in words)


@dataclass(frozen=True, init=False)
class Problem(Terms):
    """What is asked: a table, how networks are scored on it, and which networks are allowed.

    Every search takes one in the place of a table, so that the same is asked of all of them. It
    never changes, and what is wrong with it is said when it is made.

    Parameters
    ----------
    data
        A table.
    score, prior
        What networks are scored by, and a prior on structures whose logarithm is added. If neither
        is given, both are chosen by :func:`default_score`. A score without a prior has the uniform
        one.
    max_parents
        The most parents of a variable.
    knowledge
        Arcs required and forbidden, tiers and limits.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> problem = ds.Problem(data, score="bic", max_parents=2)
    >>> ds.exact(problem).score >= ds.hill_climb(problem).score
    True
    """

    data: Data
    """The table."""
    pairs: tuple[tuple[str, str], ...] | None = field(init=False, default=None)
    """See :meth:`among`."""
    chosen: tuple[str, ...] = field(init=False, compare=False)
    """Which of score and prior the default rule chose."""

    def __init__(
        self,
        data: TableLike,
        *,
        score: ScoreLike | None = None,
        prior: PriorLike | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        table = as_data(data, missing="keep")
        check_data(table, gaps=True, rows=FACTS)
        described(knowledge)  # refuses what is none
        known = _both(known_of(table), knowledge)
        if max_parents is not None or known is not None:
            constrain(table.variables, max_parents, known)  # refuses what is wrong with these
        scored = score_for(table, score, prior)
        check_kinds(table, scored)
        values = (table, scored, max_parents, known, tuple(left_open(score, prior)))
        names = ("data", "score", "max_parents", "knowledge", "chosen")
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        rows, columns = counted(self.data.n_rows, "row"), counted(len(self.variables), "variable")
        limit = "" if self.max_parents is None else f", {self.scope}"
        known = ", under knowledge" if self.users_knowledge and not limit else ""
        return f"<Problem: {rows}, {columns}; {self.score}{limit}{known}>"

    @property
    def variables(self) -> Variables:
        """The variables, with the numbers that the engine knows them by."""
        return self.data.variables

    @property
    def most_parents(self) -> int:
        """The most parents that a variable can have."""
        most = len(self.variables) - 1
        return most if self.max_parents is None else self.max_parents

    @property
    def users_knowledge(self) -> bool:
        """Whether the user knows anything, beside what the columns of the table are."""
        return self.knowledge is not None and not self.knowledge.of_table

    @property
    def most_together(self) -> int:
        """How many variables may, at most, lie on a cycle: those with parents and children."""
        if self.knowledge is None:
            return len(self.variables)
        ends = {*self.knowledge.roots, *self.knowledge.leaves}
        return max(1, len(self.variables) - len(ends))

    @property
    def scorer(self) -> _core.Scorer:
        """The engine's score on the table, with the cache that all calls share."""
        return scorer(self.data, self.score)

    def scorer_within(self, max_bytes: int) -> _core.Scorer:
        """Return the engine's score, with a smaller cache where memory is short."""
        return scorer_within(self.data, self.score, max_bytes)

    def constraints(self, max_parents: int | None = None) -> _core.Constraints:
        """Return which parent sets are allowed, or those of up to so many parents."""
        return self.constraints_among(self.variables, max_parents)

    def on(self, data: Data) -> Problem:
        """Return the same question about another table with these columns."""
        return self._but(data=data)

    def limited(self, max_parents: int | None) -> Problem:
        """Return the same question about networks with at most so many parents."""
        return self._but(max_parents=max_parents)

    def scored_by(self, score: Score) -> Problem:
        """Return the same question by another score."""
        return self._but(score=score)

    def among(self, pairs: Iterable[tuple[str, str]]) -> Problem:
        """Return the same question about networks that join no other pairs; for posteriors alone.

        Searches would not say so.
        """
        few = self._but()
        object.__setattr__(few, "pairs", tuple(sorted(pairs)))
        return few

    def _but(self, **changes: Any) -> Problem:
        changed = replace(self, **changes)
        object.__setattr__(changed, "chosen", self.chosen)
        object.__setattr__(changed, "pairs", self.pairs)
        return changed

    @property
    def settings(self) -> dict[str, Any]:
        """What was asked, as results report it, and what experiments did."""
        done = self.data.rows.interventions
        told = {} if done is None else {"interventions": done.words}
        return {**self.words, "chosen": list(self.chosen), **told}

    @property
    def targets(self) -> tuple[Targets, ...]:
        """What each experiment made of its targets; empty where there are none."""
        done = self.data.rows.interventions
        return () if done is None else done.targets

    @property
    def kinds(self) -> list[int]:
        """A number for each variable of the engine, equal where both are scored on the same rows.

        Empty where there are no experiments.
        """
        return kinds_in(self.targets, self.variables.in_engine_order()) if self.targets else []

    def identity(self, kind: str, **own: Any) -> dict[str, Any]:
        """Return the plain values by which files know work of a kind on it."""
        return self.identity_on(self.data.fingerprint, kind, **own)

    @cached_property
    def mark(self) -> str:
        """A short text that no other problem has."""
        rest = f"{self.score!r} {self.max_parents} {self.knowledge!r}"
        if self.pairs is not None:
            rest += f" {self.pairs!r}"
        return hashlib.sha256(f"{self.data.fingerprint} {rest}".encode()).hexdigest()

    def refuse_knowledge(self, search: str, why: str) -> None:
        """Refuse, by name, what a search cannot obey."""
        if self.knowledge is None:
            return
        given = [part for part in KNOWLEDGE_PARTS if getattr(self.knowledge, part)]
        if not self.users_knowledge:
            series = self.data.rows.series is not None
            said = "the order of a table of series" if series else "that a variable was always set"
            if self.knowledge.forbidden:
                said = "that no variable is joined to where it is missing"
            raise ParameterError(f"{search} cannot obey {said}: {why}")
        raise ParameterError(f"{search} cannot obey knowledge ({', '.join(given)}): {why}")

    def refuse_experiments(self, search: str, why: str) -> None:
        """Refuse, by name, what a search cannot obey of what experiments did."""
        if self.targets:
            raise ParameterError(f"{search} cannot obey {setting('interventions')}: {why}")

    def refuse_inequivalent(self, search: str) -> None:
        """Refuse a score that tells equivalent networks apart."""
        if not self.score.equivalent:
            fit = sorted(name for name, make in SCORES.items() if make().equivalent)
            raise ParameterError(
                f"{search} needs a score that equivalent networks share, unlike {self.score}; "
                f"choose {', '.join(fit)}"
            )


def known_of(data: Data) -> Knowledge | None:
    """Return what is known by what the columns of a table are.

    Columns of the past, and columns known ahead, have no parents; variables of one step have none
    of the same step, unless that is asked for. What experiments set in every row has none either.
    A column that says where others have no value is not joined to these: in the rows where it says
    so there is no value to compare it with.
    """
    series, given = data.rows.series, data.rows.given
    if series is None:
        apart = _apart(data)
        return OfRows(forbidden=apart, roots=given) if apart or given else None
    return OfTable(
        required=series.own,
        roots=given,
        leaves=() if series.within_step else series.variables,
    )


def _apart(data: Data) -> list[tuple[str, str]]:
    """Return the arcs between columns and those that say where they have no value."""
    pairs = [
        (str(note.column), name)
        for note in data._done
        if note.kind == "indicator"
        for name in note.examples
        if name in data.states
    ]
    return [arc for pair in pairs for arc in (pair, pair[::-1])]


def _both(one: Knowledge | None, other: Knowledge | None) -> Knowledge | None:
    known = one.also(other) if one and other else one or other
    return None if known is None or known.empty else known
