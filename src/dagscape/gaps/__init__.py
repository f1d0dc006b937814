"""Learning from tables with missing cells: completions, structural EM."""

from dagscape.gaps.learn import structural_em
from dagscape.gaps.result import Completed

__all__ = ["Completed", "structural_em"]
