"""How far a learned graph, or learned sets of variables, are from the truth."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dagscape import _core
from dagscape.data import Data
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag, GraphLike, Mpdag, Pag, is_networkx
from dagscape.networks import Network
from dagscape.scores import ScoreLike
from dagscape.scores.priors import PriorLike
from dagscape.scoring import score as score_of
from dagscape.shared_arguments import problem_of

if TYPE_CHECKING:
    import networkx as nx

    from dagscape.data import TableLike
    from dagscape.problem import Problem

Graph: TypeAlias = "Dag | Mpdag"
GraphOrNetwork: TypeAlias = "Graph | Pag | Network | nx.DiGraph[str]"
Sets: TypeAlias = "Mapping[str, Collection[str]]"
ExperimentsLike: TypeAlias = "Data | Mapping[str, Iterable[str]]"


def shd(a: GraphOrNetwork, b: GraphOrNetwork, *, experiments: ExperimentsLike | None = None) -> int:
    """Return the structural Hamming distance between two graphs.

    The number of pairs of variables whose edge differs between the essential graphs: missing in
    one, undirected in one, or directed the other way. Networks of the same class are at distance 0.
    Where one is a Pag, the other's PAG is taken, and edges differ that are not marked the same.

    Parameters
    ----------
    experiments
        A table whose rows come from experiments, or what these set, as :meth:`Dag.to_mpdag` has it:
        then networks that such rows can tell apart are apart.

    Notes
    -----
    Source: Tsamardinos, Brown and Aliferis, The max-min hill-climbing algorithm, 2006.
    """
    if isinstance(a, Pag) or isinstance(b, Pag):
        return compare(a, b, experiments=experiments).shd
    done = _experiments(experiments)
    first, second = _essential(a, done), _essential(b, done)
    _check_same(first, second)
    return _core.structural_hamming_distance(first._graph, second._graph)


def slhd(found: Graph | Sets, truth: Graph | Sets, *, of: str = "neighbors") -> int:
    """Return the sum of local Hamming distances between sets found and true sets.

    For each variable, the members that are in one of the two sets only; summed over the variables.

    Parameters
    ----------
    found, truth
        A set of names for each variable, or a graph to read the sets off.
    of
        Which sets to read off a graph: "neighbors" or "blankets".

    Notes
    -----
    Source: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012.
    """
    mine, true = _sets(found, of), _sets(truth, of)
    if odd := mine.keys() ^ true.keys():
        raise ParameterError(
            f'found and truth must be about the same variables: "{min(odd)}" is in one of them only'
        )
    return sum(len(mine[name] ^ true[name]) for name in true)


def normalized_score(
    data: TableLike | Problem,
    graph: GraphLike,
    truth: GraphLike,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
) -> float:
    """Return a graph's score divided by the true graph's.

    Log scores are negative, so lower is better and 1 is as good as the truth. The paper's score is
    BDeu with an equivalent sample size of 1: ``score="bdeu"``.

    Source: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012.
    """
    problem = problem_of(data, {"score": score, "prior": prior})
    of_truth = score_of(problem, truth)
    if of_truth == 0:
        raise ParameterError(
            "the true graph scores 0 on these data, which nothing can be divided by"
        )
    return score_of(problem, graph) / of_truth


@dataclass(frozen=True)
class Comparison:
    """What two graphs have in common; see :func:`compare`."""

    shd: int
    skeleton_precision: float
    skeleton_recall: float
    arrow_precision: float
    arrow_recall: float
    missing: tuple[tuple[str, str], ...]
    """Edges of the truth that were not found, in either direction."""
    extra: tuple[tuple[str, str], ...]
    """Edges found that the truth lacks."""
    misdirected: tuple[tuple[str, str], ...]
    """Edges in both, directed otherwise."""


def compare(
    found: GraphOrNetwork, truth: GraphOrNetwork, *, experiments: ExperimentsLike | None = None
) -> Comparison:
    """Compare the essential graphs of two networks edge by edge.

    Precision is the share of what was found that is true, recall the share of what is true that was
    found; 1 where there is nothing to find. Arrows are the directed edges of the essential graphs.
    Where one is a Pag, the other's PAG is taken; arrows are the edges with a tail and a head.

    Parameters
    ----------
    experiments
        As for :func:`shd`.
    """
    done = _experiments(experiments)
    mine: Mpdag | Pag
    true: Mpdag | Pag
    if isinstance(found, Pag) or isinstance(truth, Pag):
        mine, true = _pag(found), _pag(truth)
    else:
        mine, true = _essential(found, done), _essential(truth, done)
    _check_same(mine, true)
    edges, true_edges = _edges(mine), _edges(true)
    arrows, true_arrows = set(mine.directed), set(true.directed)
    common = edges.keys() & true_edges.keys()
    apart = {key for key in common if edges[key][1] != true_edges[key][1]}
    return Comparison(
        shd=len(edges.keys() ^ true_edges.keys()) + len(apart),
        skeleton_precision=_share(len(common), len(edges)),
        skeleton_recall=_share(len(common), len(true_edges)),
        arrow_precision=_share(len(arrows & true_arrows), len(arrows)),
        arrow_recall=_share(len(arrows & true_arrows), len(true_arrows)),
        missing=tuple(pair for key, (pair, _) in true_edges.items() if key not in edges),
        extra=tuple(pair for key, (pair, _) in edges.items() if key not in true_edges),
        misdirected=tuple(pair for key, (pair, _) in edges.items() if key in apart),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _edges(graph: Mpdag | Pag) -> dict[frozenset[str], tuple[tuple[str, str], str]]:
    """Return every edge by its two ends: both, and its marks from the lower name to the higher."""
    if isinstance(graph, Pag):
        marked = graph.edges
    else:
        marked = tuple((a, "->", b) for a, b in graph.directed)
        marked += tuple((a, "-", b) for a, b in graph.undirected)
    turned = {"->": "<-", "o->": "<-o"}
    return {
        frozenset((a, b)): ((a, b), edge if a < b else turned.get(edge, edge))
        for a, edge, b in marked
    }


def _pag(graph: GraphOrNetwork) -> Pag:
    return graph if isinstance(graph, Pag) else _essential(graph).to_dag().to_pag()


def _experiments(given: ExperimentsLike | None) -> Mapping[str, Iterable[str]]:
    if isinstance(given, Data):
        done = given.rows.interventions
        return {} if done is None else done.by_name
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(
            "experiments must be a table of them, or the variables that each set by its name, got "
            f"{type(given).__name__}"
        )
    return given or {}


def _essential(
    graph: GraphOrNetwork, experiments: Mapping[str, Iterable[str]] | None = None
) -> Mpdag:
    if isinstance(graph, Network):
        graph = graph.dag
    if is_networkx(graph) and graph.is_directed():
        graph = Dag.from_networkx(graph)
    if isinstance(graph, Dag | Mpdag):
        if not experiments:
            return graph.to_cpdag()
        return (graph if isinstance(graph, Dag) else graph.to_dag()).to_mpdag(experiments)
    raise GraphError(f"a Dag or Cpdag is needed, got {type(graph).__name__}")


def _check_same(a: Mpdag | Pag, b: Mpdag | Pag) -> None:
    if a.variables != b.variables:
        odd = min(set(a.names) ^ set(b.names))
        raise GraphError(f'the graphs have different variables: "{odd}" is in one of them only')


def _sets(given: Graph | Sets, of: str) -> dict[str, frozenset[str]]:
    if not isinstance(of, str) or of not in ("neighbors", "blankets"):
        raise ParameterError(f'of must be "neighbors" or "blankets", got {of!r}')
    if isinstance(given, (Dag, Mpdag)):
        read = given.neighbors if of == "neighbors" else given.markov_blanket
        return {name: frozenset(read(name)) for name in given.names}
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"a Dag, a Cpdag or a set of names for each variable is needed, "
            f"got {type(given).__name__}"
        )
    for name, members in given.items():
        if isinstance(members, str) or not isinstance(members, Iterable):
            raise ParameterError(f'the set of "{name}" must hold names, got {members!r}')
    return {name: frozenset(members) for name, members in given.items()}
