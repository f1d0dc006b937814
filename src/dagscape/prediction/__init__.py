"""How well networks predict a variable: structures for it, cross-validation."""

from dagscape.prediction.cross_validate import cross_validate
from dagscape.prediction.experiments_left_out import ExperimentsLeftOut
from dagscape.prediction.leave_one_experiment_out import leave_one_experiment_out
from dagscape.prediction.measures import CrossValidation, Measure

__all__ = [
    "CrossValidation",
    "ExperimentsLeftOut",
    "Measure",
    "cross_validate",
    "leave_one_experiment_out",
]
