"""Learning where cells are missing: structural EM, told as learning tells of its steps."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dagscape.gaps import structural_em
from dagscape.journal import Reason, Step
from dagscape.learning.learned import Learned
from dagscape.learning.plan import OPTIMA
from dagscape.results import Result

if TYPE_CHECKING:
    from dagscape.data import Data

EM = "structural EM"
"""The step that does it."""


def learn_incomplete(data: Data, method: str, asked: dict[str, Any], **settings: Any) -> Learned:
    """Learn from a table with gaps; there are no local optima around what is found."""
    found = structural_em(data, search="learn" if method == "auto" else method, **settings)
    starts = len(found.starts)
    converged = sum(bool(start["converged"]) for start in found.starts)
    why = Reason("gaps", cells=data.missing.cells, starts=starts, converged=converged)
    outcome = {"score": found.score} | ({"stopped": found.stopped} if found.stopped else {})
    steps = (
        Step(EM, why, seconds=found.seconds, outcome=outcome),
        Step(OPTIMA, Reason("gaps in the way"), skipped=True),
    )
    facts = {f.name: getattr(found, f.name) for f in fields(Result)}
    facts["work"] = {**found.work, "steps": [step.to_dict() for step in steps]}
    facts["asked"] = asked
    return Learned(**facts, data=data, network=found.network)
