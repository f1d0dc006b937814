"""The posterior over networks: a probability for every arc, ancestor and class."""

from dagscape.posterior.agreement import Agreement
from dagscape.posterior.classes import ProbableClass
from dagscape.posterior.consensus import Consensus
from dagscape.posterior.features import KINDS
from dagscape.posterior.make import METHODS, posterior
from dagscape.posterior.pair_choices import PairChoice
from dagscape.posterior.posterior import Posterior
from dagscape.posterior.saved import load_posterior

__all__ = [
    "KINDS",
    "METHODS",
    "Agreement",
    "Consensus",
    "PairChoice",
    "Posterior",
    "ProbableClass",
    "load_posterior",
    "posterior",
]
