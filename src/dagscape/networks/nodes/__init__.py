"""How a variable follows from its parents: one file per kind of node, behind one interface."""

from dagscape.networks.nodes.gaussian import GaussianNode
from dagscape.networks.nodes.node import Column, Node, NodeValues
from dagscape.networks.nodes.softmax import SoftmaxNode
from dagscape.networks.nodes.table import TableNode

__all__ = ["Column", "GaussianNode", "Node", "NodeValues", "SoftmaxNode", "TableNode"]
