# The public names, and where each is at home: type checkers read it, and so does __init__.py.
from dagscape.claims import Scope
from dagscape.comparisons import compare
from dagscape.data import (
    Data,
    Interventions,
    check,
    join_experiments,
    read_data,
    read_interventions,
)
from dagscape.defaults import default_score
from dagscape.effects import Effect, effect
from dagscape.errors import (
    ClusterError,
    ClusterWarning,
    DagscapeError,
    DataError,
    DataWarning,
    FileFormatError,
    GraphError,
    ParameterError,
)
from dagscape.examinations import Examination, examine
from dagscape.graph_files import read_graph, write_graph
from dagscape.graphs import Cpdag, Dag, Mpdag, Pag
from dagscape.hidden_causes import hidden
from dagscape.knowledge import Knowledge, read_knowledge
from dagscape.landscape import (
    Bootstrap,
    Landscape,
    bootstrap,
    local_optima,
)
from dagscape.learning import (
    estimate,
    learn,
    structural_em,
)
from dagscape.metrics import normalized_score, shd, slhd
from dagscape.networks import (
    Network,
    embedded_networks,
    fit,
    load_network,
    random_network,
    read_bif,
    read_network,
    trap,
)
from dagscape.over_time import forecast_scores, series
from dagscape.parents import CandidateParents, read_parents
from dagscape.posteriors import Posterior, posterior
from dagscape.prediction import cross_validate, leave_one_experiment_out
from dagscape.problem import Problem
from dagscape.result_files import load_result
from dagscape.results import Result
from dagscape.scores import (
    AIC,
    BIC,
    FNML,
    K2,
    NAL,
    QNML,
    SCORES,
    BasisBIC,
    BDeu,
    BGe,
    ConditionalGaussian,
    FittedDirichlet,
    GaussianBIC,
    LogLikelihood,
    RankBGe,
    Score,
    ScoreFunction,
)
from dagscape.scores.priors import PRIORS, EdgePrior, FairPrior, Prior, UniformPrior
from dagscape.scoring import local_score, score
from dagscape.search import (
    describe_blanket,
    ges,
    hill_climb,
    kes,
    markov_blanket,
    mmhc,
    near_optimal,
    neighbors,
    order_search,
    sll_c,
    sll_g,
    wide_search,
)
from dagscape.search.exact import exact
from dagscape.selection import candidate_parents

__version__: str

__all__ = [
    "AIC",
    "BIC",
    "FNML",
    "K2",
    "NAL",
    "PRIORS",
    "QNML",
    "SCORES",
    "BDeu",
    "BGe",
    "BasisBIC",
    "Bootstrap",
    "CandidateParents",
    "ClusterError",
    "ClusterWarning",
    "ConditionalGaussian",
    "Cpdag",
    "Dag",
    "DagscapeError",
    "Data",
    "DataError",
    "DataWarning",
    "EdgePrior",
    "Effect",
    "Examination",
    "FairPrior",
    "FileFormatError",
    "FittedDirichlet",
    "GaussianBIC",
    "GraphError",
    "Interventions",
    "Knowledge",
    "Landscape",
    "LogLikelihood",
    "Mpdag",
    "Network",
    "Pag",
    "ParameterError",
    "Posterior",
    "Prior",
    "Problem",
    "RankBGe",
    "Result",
    "Scope",
    "Score",
    "ScoreFunction",
    "UniformPrior",
    "bootstrap",
    "candidate_parents",
    "check",
    "compare",
    "cross_validate",
    "default_score",
    "describe_blanket",
    "effect",
    "embedded_networks",
    "estimate",
    "exact",
    "examine",
    "fit",
    "forecast_scores",
    "ges",
    "hidden",
    "hill_climb",
    "join_experiments",
    "kes",
    "learn",
    "leave_one_experiment_out",
    "load_network",
    "load_result",
    "local_optima",
    "local_score",
    "markov_blanket",
    "mmhc",
    "near_optimal",
    "neighbors",
    "normalized_score",
    "order_search",
    "posterior",
    "random_network",
    "read_bif",
    "read_data",
    "read_graph",
    "read_interventions",
    "read_knowledge",
    "read_network",
    "read_parents",
    "score",
    "series",
    "shd",
    "slhd",
    "sll_c",
    "sll_g",
    "structural_em",
    "trap",
    "wide_search",
    "write_graph",
]
