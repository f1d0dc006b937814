"""From a table to a network: which searches run, in what order, and for how long."""

from dagscape.claims.verdicts import TRUST_LEVELS
from dagscape.gaps import structural_em  # which takes learning as a search
from dagscape.learning.chance import Chance
from dagscape.learning.estimate import Cost, estimate
from dagscape.learning.learn import LEARN_METHODS, learn
from dagscape.learning.learn_result import LearnResult
from dagscape.learning.learned_edges import LearnedEdge
from dagscape.learning.not_linear import NotLinear
from dagscape.learning.settle import RowsToSettle

__all__ = [
    "LEARN_METHODS",
    "TRUST_LEVELS",
    "Chance",
    "Cost",
    "LearnResult",
    "LearnedEdge",
    "NotLinear",
    "RowsToSettle",
    "estimate",
    "learn",
    "structural_em",
]
