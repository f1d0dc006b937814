"""Learn Bayesian networks from discrete data, and how far to trust them."""

from importlib.metadata import version as _version

from dagscape.data import Data, read_data
from dagscape.errors import DagscapeError, DataError, FileFormatError, GraphError, ParameterError
from dagscape.graph_files import read_edges, read_graph, write_graph
from dagscape.graphs import Cpdag, Dag
from dagscape.knowledge import Knowledge
from dagscape.knowledge_files import read_knowledge
from dagscape.landscape import (
    Bootstrap,
    Landscape,
    Optimum,
    bootstrap,
    load_landscape,
    local_optima,
)
from dagscape.learning import LEARN_METHODS, Cost, Learned, estimate, learn
from dagscape.metrics import Comparison, compare, normalized_score, shd, slhd
from dagscape.networks import (
    Network,
    embedded_networks,
    fit,
    from_pgmpy,
    from_pyagrum,
    load_network,
    read_bif,
    read_network,
    read_xmlbif,
    tile_network,
    to_pgmpy,
    to_pyagrum,
    trap,
    write_network,
)
from dagscape.parents import (
    CandidateParents,
    ad_tree_size,
    candidate_parents,
    estimate_parents,
    read_parents,
)
from dagscape.results import Result, load_result
from dagscape.scores import (
    AIC,
    BIC,
    FNML,
    K2,
    QNML,
    SCORES,
    BDeu,
    LogLikelihood,
    Score,
    local_score,
    score,
)
from dagscape.search import (
    LocalSet,
    LocalSets,
    exact,
    ges,
    hill_climb,
    kes,
    markov_blanket,
    neighbors,
    order_search,
)

__version__ = _version("dagscape")

__all__ = [
    "AIC",
    "BIC",
    "FNML",
    "K2",
    "LEARN_METHODS",
    "QNML",
    "SCORES",
    "BDeu",
    "Bootstrap",
    "CandidateParents",
    "Comparison",
    "Cost",
    "Cpdag",
    "Dag",
    "DagscapeError",
    "Data",
    "DataError",
    "FileFormatError",
    "GraphError",
    "Knowledge",
    "Landscape",
    "Learned",
    "LocalSet",
    "LocalSets",
    "LogLikelihood",
    "Network",
    "Optimum",
    "ParameterError",
    "Result",
    "Score",
    "ad_tree_size",
    "bootstrap",
    "candidate_parents",
    "compare",
    "embedded_networks",
    "estimate",
    "estimate_parents",
    "exact",
    "fit",
    "from_pgmpy",
    "from_pyagrum",
    "ges",
    "hill_climb",
    "kes",
    "learn",
    "load_landscape",
    "load_network",
    "load_result",
    "local_optima",
    "local_score",
    "markov_blanket",
    "neighbors",
    "normalized_score",
    "order_search",
    "read_bif",
    "read_data",
    "read_edges",
    "read_graph",
    "read_knowledge",
    "read_network",
    "read_parents",
    "read_xmlbif",
    "score",
    "shd",
    "slhd",
    "tile_network",
    "to_pgmpy",
    "to_pyagrum",
    "trap",
    "write_graph",
    "write_network",
]
