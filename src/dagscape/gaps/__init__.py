"""Learning from tables with missing cells: completions, structural EM."""

from dagscape.gaps.structural_em import structural_em

__all__ = ["structural_em"]
