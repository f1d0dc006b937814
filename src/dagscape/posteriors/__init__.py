"""The posterior over networks: a probability for every arc, ancestor and class."""

from dagscape.posteriors.agreement import Agreement
from dagscape.posteriors.classes import ProbableClass
from dagscape.posteriors.consensus import AnyConsensus, Consensus
from dagscape.posteriors.make_posterior import METHODS, posterior
from dagscape.posteriors.pair_choices import PairChoice
from dagscape.posteriors.posterior import Posterior
from dagscape.posteriors.probable_features import KINDS
from dagscape.posteriors.save_and_load import load_posterior
from dagscape.posteriors.touched import Touched, touched

__all__ = [
    "KINDS",
    "METHODS",
    "Agreement",
    "AnyConsensus",
    "Consensus",
    "PairChoice",
    "Posterior",
    "ProbableClass",
    "Touched",
    "load_posterior",
    "posterior",
    "touched",
]
