"""Bayesian networks with their tables: files, sampling, fitting and ready-made examples."""

from dagscape.networks.answers import MostProbable
from dagscape.networks.bif import read_bif, write_bif
from dagscape.networks.distributions import Distribution
from dagscape.networks.embedded import embedded_networks, load_network
from dagscape.networks.fit import fit
from dagscape.networks.ipf import fit_margins
from dagscape.networks.network import Network
from dagscape.networks.network_files import read_network, write_network
from dagscape.networks.nodes import GaussianNode, Node, SoftmaxNode
from dagscape.networks.number_distribution import NumberDistribution
from dagscape.networks.other_packages import from_pgmpy, from_pyagrum, to_pgmpy, to_pyagrum
from dagscape.networks.portable import Renamed, portable
from dagscape.networks.random import random_network
from dagscape.networks.tiling import tile_network
from dagscape.networks.trap import trap
from dagscape.networks.xmlbif import read_xmlbif, write_xmlbif

__all__ = [
    "Distribution",
    "GaussianNode",
    "MostProbable",
    "Network",
    "Node",
    "NumberDistribution",
    "Renamed",
    "SoftmaxNode",
    "embedded_networks",
    "fit",
    "fit_margins",
    "from_pgmpy",
    "from_pyagrum",
    "load_network",
    "portable",
    "random_network",
    "read_bif",
    "read_network",
    "read_xmlbif",
    "tile_network",
    "to_pgmpy",
    "to_pyagrum",
    "trap",
    "write_bif",
    "write_network",
    "write_xmlbif",
]
