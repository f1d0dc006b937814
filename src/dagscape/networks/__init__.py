"""Bayesian networks with their tables: files, sampling, fitting and ready-made examples."""

from dagscape.networks.answers import MostProbable
from dagscape.networks.bif import read_bif
from dagscape.networks.distributions import Distribution
from dagscape.networks.embedded import embedded_networks, load_network
from dagscape.networks.fit import fit
from dagscape.networks.ipf import fit_margins
from dagscape.networks.network import Network
from dagscape.networks.network_files import read_network
from dagscape.networks.nodes import GaussianNode, Node, SoftmaxNode
from dagscape.networks.number_distribution import NumberDistribution
from dagscape.networks.portable import SafeName
from dagscape.networks.random import random_network
from dagscape.networks.trap import trap

__all__ = [
    "Distribution",
    "GaussianNode",
    "MostProbable",
    "Network",
    "Node",
    "NumberDistribution",
    "SafeName",
    "SoftmaxNode",
    "embedded_networks",
    "fit",
    "fit_margins",
    "load_network",
    "random_network",
    "read_bif",
    "read_network",
    "trap",
]
