"""How well networks predict a variable: structures for it, cross-validation."""

from dagscape.prediction.cross_validate import cross_validate
from dagscape.prediction.measures import CrossValidation, Measure

__all__ = ["CrossValidation", "Measure", "cross_validate"]
