"""The networks that a claim is about, as data; the sentence is made where it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag
from dagscape.knowledge import Knowledge
from dagscape.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The networks that a claim is about: those that meet all of these conditions.

    Without any argument, all networks. ``str(scope)`` names them: "networks with at most 4
    parents".
    """

    max_parents: int | None = None
    """The most parents of a variable; None without a limit."""
    candidates_only: bool = False
    """Whether the networks are those built from candidate parent sets, and from no others."""
    complete_to: int | None = None
    """With candidates only: up to so many parents no set is missing that could matter."""
    knowledge: Knowledge | None = None
    """What the networks obey; None where the user gave nothing."""

    def __post_init__(self) -> None:
        for name in ("max_parents", "complete_to"):
            value = getattr(self, name)
            if value is not None and (
                not isinstance(value, int) or isinstance(value, bool) or value < 0
            ):
                raise ParameterError(
                    f"{name} of a scope must be None or a whole number from 0, got {value!r}"
                )
        if not isinstance(self.candidates_only, bool):
            raise ParameterError(
                f"candidates_only must be True or False, got {self.candidates_only!r}"
            )
        if self.complete_to is not None and not self.candidates_only:
            raise ParameterError("complete_to is for a scope of candidates only")
        if self.knowledge is not None:
            if not isinstance(self.knowledge, Knowledge):
                raise ParameterError(f"knowledge must be a ds.Knowledge, got {self.knowledge!r}")
            if self.knowledge.empty:
                object.__setattr__(self, "knowledge", None)

    @property
    def everything(self) -> bool:
        """Whether no network is left out."""
        return self.max_parents is None and not self.candidates_only and self.knowledge is None

    def admits(self, dag: Dag) -> bool:
        """Whether a network has no more parents than the scope allows."""
        if not isinstance(dag, Dag):
            raise GraphError(f"admits takes a Dag, got {type(dag).__name__}")
        return self.max_parents is None or most_parents(dag) <= self.max_parents

    @property
    def about_any_search(self) -> bool:
        """Whether what is proven says something about networks that another search found.

        A limit on parents can be named beside their scores. Networks that obey knowledge, or are
        built from certain sets, are other networks than those.
        """
        return not self.candidates_only and self.knowledge is None

    def __str__(self) -> str:
        if self.everything:
            return "all networks"
        clauses = []
        if self.knowledge is not None:
            clauses.append(f"that {_known_words(self.knowledge)}")
        if self.max_parents is not None:
            having = "and have" if clauses else "with"
            clauses.append(f"{having} at most {counted(self.max_parents, 'parent')}")
        if self.candidates_only:
            built = "and are built" if self.knowledge else "and built" if clauses else "built"
            clauses.append(f"{built} from the candidate parent sets")
        if self.complete_to:
            clauses[-1] += f", which are complete up to {counted(self.complete_to, 'parent')}"
        return f"networks {' '.join(clauses)}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, which JSON can hold and :meth:`from_dict` takes."""
        known = None if self.knowledge is None else self.knowledge.to_dict()
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"knowledge": known}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scope:
        """Return what :meth:`to_dict` gave; nothing may be missing."""
        names = [field.name for field in fields(cls)]
        if not isinstance(values, Mapping):
            raise ParameterError(f"a scope must have {', '.join(names)}, got {values!r}")
        if missing := [name for name in names if name not in values]:
            raise ParameterError(f'the scope has no "{missing[0]}"')
        if unknown := [name for name in values if name not in names]:
            raise ParameterError(f'the scope has an unknown part "{unknown[0]}"')
        known = values["knowledge"]
        return cls(**{**values, "knowledge": None if known is None else Knowledge.from_dict(known)})


def _known_words(knowledge: Knowledge) -> str:
    if not knowledge.of_rows:
        return "go forward in time" if knowledge.of_table else "obey your knowledge"
    said = ["join no variable to where it is missing"] if knowledge.forbidden else []
    if knowledge.roots:
        said.append("give no parents to what was set in every row")
    return " and ".join(said)


def most_parents(dag: Dag) -> int:
    """Return how many parents the variable with the most has."""
    return max((len(dag.parents(name)) for name in dag.names), default=0)


ALL_NETWORKS = Scope()
"""The scope of a proof that leaves nothing out."""
