"""Learning from tables with missing cells: completions, structural EM."""

from dagscape.gaps.result import Completed
from dagscape.gaps.structural_em import structural_em

__all__ = ["Completed", "structural_em"]
