"""What is proven of a network, in one sentence: with its scope, and with what it does not say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dagscape.claims.scopes import Scope, most_parents
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.scores.base import higher
from dagscape.words import difference, upwards

FAR, FAR_SHARE = 100.0, 0.1
"""A bound that is further off than so many nats, and than this share of the score, says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutKnowledge:
    """The best network that was found when knowledge was not obeyed: what it scores."""

    score: float
    """Its score."""
    optimal: bool
    """Whether no network of the scope scores higher: proven."""
    scope: Scope
    """The networks that this is about."""

    def __post_init__(self) -> None:
        if not isinstance(self.score, float) or not math.isfinite(self.score):
            raise ParameterError(f"a score must be a finite number, got {self.score!r}")
        if not isinstance(self.optimal, bool) or not isinstance(self.scope, Scope):
            raise ParameterError(
                f"optimal must be True or False and scope a ds.Scope, got {self.optimal!r} and "
                f"{self.scope!r}"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, which :meth:`from_dict` takes."""
        return {"score": self.score, "optimal": self.optimal, "scope": self.scope.to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> WithoutKnowledge:
        """Return what :meth:`to_dict` gave."""
        if not isinstance(values, Mapping) or set(values) != {"score", "optimal", "scope"}:
            raise ParameterError(
                f"without_knowledge must have score, optimal and scope, got {values!r}"
            )
        return cls(**{**values, "scope": Scope.from_dict(values["scope"])})


@dataclass(frozen=True, slots=True)
class Claim:
    """What is known of a network, its score and that of others; ``str(claim)`` is the sentence."""

    dag: Dag
    score: float
    bound: float | None
    scope: Scope
    without_knowledge: WithoutKnowledge | None = None

    @property
    def gap(self) -> float | None:
        """How much higher a network of the scope can score at most; None where nothing is known."""
        if self.bound is None:
            return None
        # Two infinities of one sign have no difference, and nothing lies between them.
        return 0.0 if self.bound == self.score else self.bound - self.score

    @property
    def far(self) -> bool:
        """Whether the bound is so far off that it says nothing of the network."""
        return self.gap is not None and self.gap > max(FAR, FAR_SHARE * abs(self.score))

    def __str__(self) -> str:
        return "; ".join(filter(None, (self.proven, self.not_proven, self.cost)))

    @property
    def proven(self) -> str:
        """What is proven, and among which networks."""
        if self.gap is None or self.gap == math.inf:
            return "no bound"
        if not self.scope.admits(self.dag):
            own = f"{most_parents(self.dag):,}"
            said = f"nothing is proven of networks with as many parents as this one (up to {own})"
            return said if self.gap > 0 else f"{said}; none of the {self.scope} scores higher"
        if self.far:
            return "not proven, and the bound is too far off to say more"
        if self.gap > 0:
            everything = self.scope.everything
            best = "best possible score" if everything else f"best score of {self.scope}"
            return f"not proven: at most {upwards(self.gap)} below the {best}"
        if self.scope.everything:
            return "optimal"
        return f"optimal among {self.scope}"

    @property
    def not_proven(self) -> str:
        """About which networks a claim that could be misread says nothing."""
        if not self.scope.candidates_only or self.gap is None or self.far:
            return ""
        others = "larger" if self.scope.complete_to else "other"
        return f"networks with {others} parent sets may score higher"

    @property
    def cost(self) -> str:
        """What obeying knowledge cost, as far as that is known."""
        free = self.without_knowledge
        if free is None:
            return ""
        best = free.optimal and free.scope == replace(self.scope, knowledge=None)
        more = free.score - self.score
        if higher(free.score, self.score):
            which = "the best network without it" if best else "a network that ignores it"
            return f"{which} scores {difference(more)} higher"
        return "without it no network scores higher" if best else ""
