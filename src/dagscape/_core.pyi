"""
The engine. Variables are numbers here; the package around it gives them names.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

def warn_of_leaks() -> None:
    """Tell on stderr of objects that are still there when Python has ended."""

class Table:
    """Complete discrete data, column by column, as the engine holds it."""

    def __init__(
        self,
        columns: Sequence[Annotated[NDArray, dict(shape=(None,), device="cpu", writable=False)]],
        arities: Sequence[int],
        weights: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def variables(self) -> int: ...
    @property
    def cases(self) -> int: ...

class MixedTable:
    """Complete data of states and numbers, as the engine holds it."""

    def __init__(
        self,
        columns: Sequence[Annotated[NDArray, dict(shape=(None,), device="cpu", writable=False)]],
        arities: Sequence[int],
        unit: float = 1.0,
    ) -> None:
        """
        Columns of codes or of doubles, whose arity does not matter. unit: what a row counts for.
        """

    @property
    def rows(self) -> int: ...
    @property
    def variables(self) -> int: ...

class Counter:
    """Counts of the value combinations of a set that occur."""

    def count(self, table: Table, variables: Sequence[int]) -> list[int]: ...

class RowPartition(Counter):
    """Counts by splitting the rows."""

    def __init__(self, table: Table) -> None: ...
    @property
    def rows(self) -> int: ...

class BitmapCounter(Counter):
    """Counts by intersecting bitmaps of states."""

    def __init__(self, table: Table, instructions: str = "auto") -> None: ...

class FastestCounter(Counter):
    """Counts each set the way that is sooner done."""

    def __init__(self, table: Table, instructions: str = "auto") -> None: ...

class AdTree(Counter):
    """Counts read from an AD-tree, for sets up to its depth."""

    def __init__(self, table: Table, depth: int, most_bytes: int, leaf_rows: int = 16) -> None: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @staticmethod
    def paper_depth(cases: int) -> int: ...

def ad_tree_nodes(table: Table, depth: int) -> int: ...
def full_ad_tree_nodes(table: Table) -> float: ...
def available_instructions() -> list[str]: ...
def bare_and_counts(table: Table, seconds: float, instructions: str = "auto") -> float: ...

class Score:
    """The formula of a score."""

    @property
    def equivalent(self) -> bool: ...

class LogLikelihood(Score):
    def __init__(self) -> None: ...

class Aic(Score):
    def __init__(self) -> None: ...

class Bic(Score):
    def __init__(self, cases: float) -> None: ...

class Bdeu(Score):
    def __init__(self, ess: float) -> None: ...

class FittedDirichlet(Score):
    def __init__(self, cases: float) -> None: ...
    def best_size(
        self,
        counts: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        combinations: float,
        size: int,
    ) -> float:
        """
        The sample size that fits the counts of a set of so many variables best.
        """

class K2(Score):
    def __init__(self) -> None: ...

class Qnml(Score):
    def __init__(self, cases: float) -> None: ...

class Fnml(Score):
    def __init__(self) -> None: ...

class ScaledCounts(Score):
    """A score of rows that count for parts of a case."""

    def __init__(self, score: Score, unit: float) -> None: ...

def multinomial_regret(n: float, states: float) -> float: ...

class SetFunction:
    """What searches see of data and score: values of sets."""

    @property
    def variables(self) -> int: ...
    @property
    def cases(self) -> float: ...
    @property
    def equivalent(self) -> bool: ...

class KindsFunction(SetFunction):
    """A function for each kind of child: where some rows are not its."""

    def __init__(self, functions: Sequence[SetFunction], kinds: Sequence[int]) -> None:
        """kinds[v]: which of the functions the variable has."""

class CountFunction(SetFunction):
    """A score on a table."""

    def __init__(self, table: Table, score: Score, counter: Counter | None = None) -> None: ...

class SumFunction(SetFunction):
    """A share of the sum of several functions."""

    def __init__(self, functions: Sequence[SetFunction], share: float = 1.0) -> None: ...

class PriorFunction(SetFunction):
    """A function with a prior on structures."""

    def __init__(self, function: SetFunction, log_weights: Sequence[float]) -> None:
        """log_weights[k]: of a child with k parents, for every k."""

class DeterminantFunction(SetFunction):
    """A score of numbers, by covariances."""

def basis_bic(table: MixedTable, degree: int, penalized: bool = True) -> DeterminantFunction:
    """
    Of degree 1 on numbers alone it is the Gaussian BIC. Not penalized: the likelihood alone.
    """

def bge(
    table: MixedTable, iss_mu: float, iss_w: float, standardized: bool
) -> DeterminantFunction: ...

class ConditionalGaussian(SetFunction):
    """A Gaussian in every cell."""

    def __init__(self, table: MixedTable) -> None: ...

class MixedLikelihood(SetFunction):
    """States, and normal scores given them."""

def normal_scores(
    values: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """What a normal sample has at the ranks of the values."""

def rank_bge(table: MixedTable, states: SetFunction | None, degree: int) -> SetFunction:
    """
    The marginal likelihood of normal scores, given the states, whose own function is given.
    """

class PythonFunction(SetFunction):
    """A function of sets written in Python: slow, for trying out."""

    def __init__(
        self,
        variables: int,
        cases: float,
        joint: Callable[[Sequence[int]], float],
        parameters: Callable[[Sequence[int]], float],
        given: Callable[[int, Sequence[int]], float] | None = None,
    ) -> None: ...

class FamilyBounds:
    """What is known of parent sets that are not scored."""

    def superset_bound(self, child: int, parents: Sequence[int]) -> float:
        """
        No larger set scores above this, unless all that it adds has one state.
        """

    def most_parents(self, child: int) -> int:
        """With more parents than this the child scores no higher than with none."""

class Scorer:
    """A function of sets, with a cache that searches share."""

    def __init__(self, function: SetFunction, cache_bytes: int, free: Sequence[int] = []) -> None:
        """
        free: variables that are given, without parents and without a score of their own.
        """

    def local(self, child: int, parents: Sequence[int]) -> float: ...
    def bounds(self) -> FamilyBounds: ...
    @property
    def sets_counted(self) -> int: ...
    @property
    def cache_entries(self) -> int: ...
    @property
    def cache_bytes(self) -> int: ...

class ExtensionScores:
    """Scores of a child with one more parent, many at once."""

    def __init__(self, scorer: Scorer, way: str = "cheaper") -> None: ...
    def __call__(
        self, child: int, parents: Sequence[int], candidates: Sequence[int]
    ) -> list[float]: ...

def set_extension(
    scorer: Scorer, members: Sequence[int]
) -> tuple[float, list[float], float] | None: ...

class Constraints:
    """Which parents each child may have."""

    def __init__(self, variables: int, max_parents: int) -> None: ...
    def require(self, child: int, parent: int) -> None: ...
    def forbid(self, child: int, parent: int) -> None: ...
    def keep(self, child: int, parents: Sequence[int]) -> None: ...
    def limit(self, child: int, max_parents: int) -> None: ...
    def has(self, child: int, parent: int) -> bool: ...
    def sets(self, max_parents: int) -> float: ...
    def max_parents(self, child: int) -> int: ...

class PruningRules:
    """Which rules may leave parent sets out."""

    def __init__(self) -> None: ...
    @property
    def limit(self) -> bool: ...
    @limit.setter
    def limit(self, arg: bool, /) -> None: ...
    @property
    def bound(self) -> bool: ...
    @bound.setter
    def bound(self, arg: bool, /) -> None: ...
    @property
    def entropy(self) -> bool: ...
    @entropy.setter
    def entropy(self, arg: bool, /) -> None: ...
    @property
    def dominance(self) -> bool: ...
    @dominance.setter
    def dominance(self, arg: bool, /) -> None: ...
    @property
    def published(self) -> bool: ...
    @published.setter
    def published(self, arg: bool, /) -> None: ...
    @property
    def slack(self) -> float: ...
    @slack.setter
    def slack(self, arg: float, /) -> None: ...
    @property
    def most_of_size(self) -> int: ...
    @most_of_size.setter
    def most_of_size(self, arg: int, /) -> None: ...

class ParentLists:
    """Scored parent sets of every variable, best first."""

    @property
    def variables(self) -> int: ...
    @property
    def sets(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def exhaustive(self) -> bool: ...
    @property
    def exhaustive_to(self) -> int: ...
    def sort(self, threads: int = 1, seconds: float | None = None) -> str:
        """Put all lists in order; return what stopped it, if anything did."""

    def best_few(self, most: int, threads: int = 1) -> ParentLists:
        """
        Some of each child's sets: the best ones, and one with the fewest parents.
        """

    def best_of_each_size(self, most: int, threads: int = 1) -> ParentLists:
        """So many of each child's sets with as many parents, the best."""

    def size(self, child: int) -> int: ...
    def score(self, child: int, at: int) -> float: ...
    def parents(self, child: int, at: int) -> list[int]: ...

class BestParents:
    """The best parent set among allowed parents."""

    def __init__(self, lists: ParentLists) -> None: ...
    def best(self, child: int, allowed: Sequence[int]) -> int | None: ...

def restricted(lists: ParentLists, constraints: Constraints) -> ParentLists: ...
def selected_sets(lists: ParentLists, places: Sequence[Sequence[int]]) -> ParentLists: ...
def pack_lists(lists: ParentLists, children: Sequence[int] | None = None) -> bytes: ...
def unpack_lists(data: bytes) -> ParentLists: ...
def join_lists(parts: Sequence[ParentLists]) -> ParentLists: ...
def sequential_selection(
    scorer: Scorer,
    constraints: Constraints,
    prune: PruningRules,
    counting: str,
    instructions: str,
    threads: int,
    most_together: int = 23,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    children: Sequence[int] | None = None,
    share: tuple[int, int] | None = None,
) -> tuple: ...
def selection_order(scorer: Scorer) -> list[int]: ...
def best_first_selection(
    scorer: Scorer,
    constraints: Constraints,
    independence: bool,
    prune: PruningRules,
    sets_per_child: int,
    seconds_per_child: float | None,
    threads: int,
    start: ParentLists | None = None,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    children: Sequence[int] | None = None,
) -> tuple: ...
def estimate_sequential(
    scorer: Scorer, constraints: Constraints, prune: PruningRules, threads: int, max_bytes: int
) -> dict: ...
def read_jkl(text: bytes) -> tuple[list[str], ParentLists, dict[str, dict[str, str]]]: ...
def read_pss(text: bytes) -> tuple[list[str], ParentLists, dict[str, dict[str, str]]]: ...
def write_jkl(
    lists: ParentLists,
    names: Sequence[str],
    facts: Mapping[str, Mapping[str, str]],
    write: Callable[[bytes], object],
) -> None: ...
def write_pss(
    lists: ParentLists,
    names: Sequence[str],
    facts: Mapping[str, Mapping[str, str]],
    write: Callable[[bytes], object],
) -> None: ...

class Dag:
    """An acyclic directed graph on numbered variables."""

    def __init__(self, variables: int, arcs: Sequence[tuple[int, int]]) -> None: ...
    @property
    def variables(self) -> int: ...
    @property
    def arcs(self) -> list[tuple[int, int]]: ...
    def parents(self, variable: int) -> list[int]: ...
    def children(self, variable: int) -> list[int]: ...
    def spouses(self, variable: int) -> list[int]: ...
    def markov_blanket(self, variable: int) -> list[int]: ...
    def ancestors(self, of: Sequence[int]) -> list[int]: ...
    def descendants(self, of: Sequence[int]) -> list[int]: ...
    def topological_order(self) -> list[int]: ...
    def v_structures(self) -> list[list[int]]: ...
    def covered_arcs(self) -> list[tuple[int, int]]: ...
    def moral_edges(self) -> list[tuple[int, int]]: ...
    def d_separated(self, a: Sequence[int], b: Sequence[int], given: Sequence[int]) -> bool: ...
    def essential_graph(self, kinds: Sequence[int] = []) -> Pdag:
        """
        Of all equivalent networks; with kinds, of those that agree in arcs between different ones.
        """

    def ancestral_graph(self, hidden: Sequence[int]) -> MarkedGraph: ...
    def __eq__(self, other: object, /) -> bool: ...

class Pdag:
    """A graph of directed and undirected edges on numbered variables."""

    def __init__(
        self,
        variables: int,
        directed: Sequence[tuple[int, int]],
        undirected: Sequence[tuple[int, int]],
    ) -> None: ...
    @property
    def variables(self) -> int: ...
    @property
    def directed(self) -> list[tuple[int, int]]: ...
    @property
    def undirected(self) -> list[tuple[int, int]]: ...
    def parents(self, variable: int) -> list[int]: ...
    def children(self, variable: int) -> list[int]: ...
    def undirected_neighbors(self, variable: int) -> list[int]: ...
    def adjacent(self, variable: int) -> list[int]: ...
    def consistent_extension(self) -> Dag | None: ...
    def __eq__(self, other: object, /) -> bool: ...

class Orientation:
    """Directs the edges of a skeleton, each with what follows."""

    def __init__(self, variables: int, skeleton: Sequence[tuple[int, int]]) -> None: ...
    def add_arc(self, a: int, b: int) -> bool: ...
    def add_collider(self, a: int, child: int, b: int, join: bool = False) -> bool: ...
    def follow(self) -> None: ...
    def finish(self) -> None: ...
    def pdag(self) -> Pdag: ...
    def dag(self) -> Dag: ...

class MarkedGraph:
    """A graph on numbered variables with a mark at either end of each edge."""

    def __init__(self, variables: int, edges: Sequence[tuple[int, str, int]]) -> None: ...
    @property
    def variables(self) -> int: ...
    @property
    def edges(self) -> list[tuple[int, str, int]]: ...
    def adjacent(self, variable: int) -> list[int]: ...
    def mark(self, at: int, other: int) -> str: ...
    def followed(self, says_tail: Callable[[int, int, int], bool]) -> MarkedGraph: ...
    def is_maximal_ancestral(self) -> bool: ...
    def class_of(self) -> MarkedGraph: ...
    def member_of(self) -> MarkedGraph | None: ...
    def visible_arrows(self) -> list[tuple[int, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...

def find_cycle(variables: int, arcs: Sequence[tuple[int, int]]) -> list[int]: ...
def structural_hamming_distance(a: Pdag, b: Pdag) -> int: ...
def heuristics() -> list[str]:
    """The heuristics of A*."""

SAME_SCORE: float = 1e-07

class Component:
    """Variables that must be solved together."""

    @property
    def variables(self) -> list[int]: ...
    @property
    def parents(self) -> ParentLists: ...
    @property
    def relaxed_score(self) -> float: ...
    def whole_places(self, chosen: Sequence[int]) -> list[int]:
        """Places in the lists of the whole problem."""

def components(parents: ParentLists, split: bool = True) -> list[Component]: ...
def components_in_time(
    parents: ParentLists,
    split: bool,
    threads: int,
    seconds: float | None = None,
    progress: object | None = None,
) -> tuple[list[Component], str]:
    """The components, and what stopped it; then there are none."""

class Gap:
    """The best network found and a bound on all others, as regrets."""

    def __init__(self) -> None: ...
    @property
    def regret(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def closed(self) -> bool: ...
    @property
    def chosen(self) -> list[int]: ...
    def offer(self, regret: float, chosen: Sequence[int]) -> bool: ...
    def raise_bound(self, bound: float) -> None: ...

def find_incumbent(
    component: Component,
    gap: Gap,
    seed: int,
    seconds: float | None = None,
    progress: object | None = None,
) -> dict: ...
def improve_order(component: Component, order: Sequence[int], seed: int, gap: Gap) -> None: ...
def dynamic_programming(
    component: Component,
    gap: Gap,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict: ...

MOST_FOR_ORDERS: int = 256

@overload
def astar(
    component: Component,
    gap: Gap,
    heuristic: str,
    forced_moves: bool,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict: ...
@overload
def astar(
    bound: DualBound,
    gap: Gap,
    heuristic: str,
    forced_moves: bool,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict:
    """
    A* over the parent sets that the bound has not dropped, with its multipliers.
    """

def least_rests(
    bound: DualBound, heuristic: str, most: float, left: Sequence[Sequence[int]]
) -> list[float]:
    """
    What it costs at least, by a heuristic of A*, to place each of these sets after all others.
    """

def systematic(
    component: Component,
    gap: Gap,
    clusters: bool,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict: ...
def dynamic_programming_bytes(variables: int, threads: int) -> int: ...

class ArcDecisions:
    """Arcs that are required and arcs that are forbidden."""

    def __init__(self, variables: int) -> None: ...
    def forbid(self, parent: int, child: int) -> None: ...
    def require(self, parent: int, child: int) -> bool: ...
    def decided(self, parent: int, child: int) -> bool: ...

class RoundedNetwork:
    """A network along an order."""

    @property
    def regret(self) -> float: ...
    @property
    def chosen(self) -> list[int]: ...
    @property
    def order(self) -> list[int]: ...

class Families:
    """The columns and cuts of an integer program."""

    def __init__(self, component: Component) -> None: ...
    @property
    def variables(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def greatest_regret(self) -> float: ...
    def best(self, per_child: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    def column(self, child: int, place: int) -> int: ...
    def regrets(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def children(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def arcs(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        x: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple: ...
    def obey(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        decisions: ArcDecisions,
    ) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...
    def told(
        self,
        cuts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> list[tuple[list[int], int, float, list[float]]]:
        """
        Cuts as values that the families of another table on these variables can be told.
        """

    def tell(
        self, told: Sequence[tuple[Sequence[int], int, float, Sequence[float]]]
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Adds such cuts and gives their numbers."""

    def right(
        self,
        cuts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def forget(
        self,
        cuts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def entries(
        self,
        cuts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple: ...
    def price(
        self,
        cuts: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        duals: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        worth: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        decisions: ArcDecisions,
        within: float,
        per_child: int,
    ) -> tuple: ...
    def enter(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def drop(self, regret: float) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    def round(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        x: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        noise: float,
        seed: int,
    ) -> RoundedNetwork: ...
    def separate(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        x: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        by_at_least: float,
        most_steps: int,
        most_cuts: int,
    ) -> tuple: ...
    def separate_packings(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        x: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        by_at_least: float,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

class Hulls:
    """Finds cuts on few variables."""

    def __init__(self, families: Families) -> None: ...
    def separate(
        self,
        columns: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        x: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        size: int,
        by_at_least: float,
        most_sets: int,
        most_cuts: int,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

class DualBound:
    """A bound on all networks from multipliers of cuts."""

    def __init__(
        self, component: Component, threads: int = 1, seed: int = 0, hulls: bool = True
    ) -> None: ...
    @staticmethod
    def bytes_for(component: Component) -> int: ...
    def begin_at(
        self, cuts: Sequence[int], multipliers: Sequence[float], temperature: float
    ) -> None:
        """Begins at multipliers of cuts that the families were told."""

    def raise_bound(
        self,
        gap: Gap,
        rounds: int | None = None,
        seconds: float | None = None,
        max_bytes: int | None = None,
        progress: object | None = None,
    ) -> dict: ...
    @property
    def bound(self) -> float: ...
    @property
    def done(self) -> bool: ...
    @property
    def families(self) -> Families: ...
    def multipliers(self) -> list[tuple[list[int], int, float, list[float], float]]:
        """Each cut of the best bound so far with its multiplier."""

    def credit(self, child: int, parents: Sequence[int]) -> float:
        """What the multipliers take off the regret of a set."""

    def cuts(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """The cuts of the best bound so far, by their numbers in the families."""

    def solution(self) -> tuple:
        """Families with their weights in the last round."""

def depth_first(
    bound: DualBound,
    gap: Gap,
    threads: int = 1,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict:
    """
    Closes the gap by a depth-first search over orders, with multipliers of its own at every node.
    """

class BestParentGraph:
    """Every variable with its best parents, cycles or not."""

    @overload
    def __init__(self, parents: ParentLists, seconds: float | None = None) -> None: ...
    @overload
    def __init__(self, variables: int, arcs: Sequence[tuple[int, int, float]]) -> None: ...
    @property
    def arcs(self) -> list[tuple[int, int, float]]: ...
    def feedback_arcs(self, seconds: float | None = None) -> list[int]:
        """Places of the arcs to be removed."""

def initial_order(graph: BestParentGraph, init: str, seed: int, restart: int = 0) -> list[int]: ...

class OrderSearchOptions:
    """How a search over orders goes."""

    def __init__(
        self,
        init: str,
        insertion: bool,
        restarts: int,
        most_steps: int,
        generations: int,
        seed: int,
        threads: int,
        blocks: bool = False,
        first: int = 0,
        start: Sequence[int] = [],
    ) -> None: ...

def order_list_bytes(parents: ParentLists, longest: int) -> int: ...
def improve_block(
    parents: ParentLists, order: Sequence[int], start: int, length: int, within: int
) -> tuple: ...
def improve_windows(
    parents: ParentLists,
    order: Sequence[int],
    width: int,
    seconds: float | None = None,
    progress: object | None = None,
) -> dict: ...
def order_search(
    parents: ParentLists,
    options: OrderSearchOptions,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    restarted: Sequence[tuple[Sequence[int], float, int, int]] = [],
) -> dict: ...
def order_restarts(
    parents: ParentLists,
    options: OrderSearchOptions,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> tuple: ...
def grown_parents(
    scorer: Scorer, constraints: Constraints, child: int, before: Sequence[int]
) -> tuple[float, list[int]]: ...
def polish_parents(
    scorer: Scorer,
    constraints: Constraints,
    order: Sequence[int],
    parents: Sequence[Sequence[int]],
    threads: int,
    seconds: float | None = None,
    progress: object | None = None,
) -> dict: ...
def grown_search(
    scorer: Scorer,
    constraints: Constraints,
    init: str,
    restarts: int,
    patience: int,
    seed: int,
    threads: int,
    seconds: float | None = None,
    max_bytes: int = 1099511627776,
    progress: object | None = None,
    first: int = 0,
    start: Sequence[int] = [],
) -> dict: ...

class ClassSearch:
    """Where a search over equivalence classes ended."""

    @property
    def graph(self) -> Pdag: ...
    @property
    def dag(self) -> Dag: ...
    @property
    def score(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def classes(self) -> int: ...
    @property
    def sampled(self) -> bool: ...
    @property
    def done(self) -> bool: ...

class KesOptions:
    """How k-greedy equivalence search goes."""

    def __init__(
        self,
        k: float,
        max_parents: int = 65535,
        neighborhood: str = "auto",
        max_steps: int = 18446744073709551615,
        start: Pdag | None = None,
        from_scratch: bool = False,
        draws: float = 20.0,
        reversals: int = 7,
        patience: float = 20.0,
    ) -> None: ...

def kes_runs(
    scorer: Scorer,
    options: KesOptions,
    seed: int,
    first: int,
    runs: int,
    threads: int,
    seconds: float | None = None,
    progress: object | None = None,
) -> tuple: ...
def kes(
    scorer: Scorer,
    options: KesOptions,
    seed: int,
    run: int = 0,
    seconds: float | None = None,
    progress: object | None = None,
) -> tuple: ...
def ges(
    scorer: Scorer,
    two_phases: bool,
    turning: bool,
    max_parents: int = 65535,
    seconds: float | None = None,
    progress: object | None = None,
) -> tuple: ...
def class_search_bytes(variables: int) -> int: ...
def inclusion_boundary(scorer: Scorer, graph: Pdag) -> list[tuple[float, Pdag]]: ...
def neighboring_classes(graph: Pdag) -> list[Pdag]: ...
def log_chi_square_tail(statistic: float, freedom: float) -> float: ...
def g2(
    likelihood: Scorer, x: int, y: int, given: Sequence[int], adjusted: bool = False
) -> tuple[float, float, float]:
    """The G² statistic, degrees of freedom and ln p."""

def optimal_network(
    scorer: Scorer,
    variables: Sequence[int],
    exact_limit: int,
    max_parents: int,
    tried: int | None = None,
    shortcuts: bool = True,
) -> list[tuple[int, int]] | None:
    """The arcs of the best network on some variables."""

def sll(
    scorer: Scorer,
    targets: Sequence[int],
    what: str,
    ranks: Sequence[int],
    exact_limit: int,
    max_parents: int,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    shortcuts: bool = True,
    child_check: str = "none",
    potential: Sequence[tuple[int, Sequence[int], bytes, bool]] = [],
    spouses: Sequence[tuple[int, Sequence[tuple[int, Sequence[int]]], bool]] = [],
) -> dict: ...
def hiton(
    likelihood: Scorer,
    targets: Sequence[int],
    what: str,
    alpha: float,
    max_conditioning: int,
    rows_per_cell: float,
    adjusted: bool,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    potential: Sequence[tuple[int, Sequence[int], bytes, bool]] = [],
    spouses: Sequence[tuple[int, Sequence[tuple[int, Sequence[int]]], bool]] = [],
) -> dict: ...
def mmpc(
    likelihood: Scorer,
    targets: Sequence[int],
    what: str,
    alpha: float,
    max_conditioning: int,
    rows_per_cell: float,
    adjusted: bool,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    potential: Sequence[tuple[int, Sequence[int], bytes, bool]] = [],
    spouses: Sequence[tuple[int, Sequence[tuple[int, Sequence[int]]], bool]] = [],
) -> dict: ...

class HillClimbOptions:
    """How hill climbing goes."""

    def __init__(
        self,
        tabu: int,
        patience: int,
        wander: bool,
        restarts: int,
        perturb: int,
        seed: int,
        threads: int,
    ) -> None: ...

class WideSearchOptions:
    """How the search on very many variables goes."""

    def __init__(
        self,
        candidates: int,
        rounds: int,
        looks: int,
        firsts: int,
        times: int,
        part: int,
        reach: int,
        perturb: int,
        wander: bool,
        seed: int,
        threads: int,
    ) -> None: ...

def screened_candidates(
    scorer: Scorer,
    constraints: Constraints,
    most: int,
    threads: int = 1,
    until: float = float("inf"),
) -> list[list[int]]: ...
def unseen_gains(
    scorer: Scorer,
    constraints: Constraints,
    candidates: Constraints,
    dag: Dag,
    least: float,
    most: int,
) -> list[tuple[int, int, float]]: ...
def unseen_pairs(
    scorer: Scorer,
    constraints: Constraints,
    firsts: Sequence[Sequence[int]],
    dag: Dag,
    least: float,
) -> list[tuple[int, int, int, float]]: ...
def wide_search(
    scorer: Scorer,
    constraints: Constraints,
    start: Dag,
    options: WideSearchOptions,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict: ...
def hill_climb(
    scorer: Scorer,
    constraints: Constraints,
    start: Dag,
    options: HillClimbOptions,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> dict: ...
def encode_graph(graph: Pdag) -> bytes: ...
def decode_graph(variables: int, code: bytes) -> Pdag: ...
def feature_weights(
    feature: str, variables: int, codes: Sequence[bytes], weights: Sequence[float]
) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...
def near_optimal(
    parents: ParentLists,
    within: float,
    limit: int,
    classes: bool,
    most_regret: float | None = None,
    threads: int = 1,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
    kinds: Sequence[int] = [],
) -> tuple: ...
def class_size(essential_graph: Pdag) -> list[int]: ...

class ExactPosterior:
    """Sums over all networks, by component."""

    @property
    def complete(self) -> bool: ...
    @property
    def variables(self) -> int: ...
    @property
    def log_total(self) -> float: ...
    @property
    def rounding(self) -> float: ...
    @property
    def components(self) -> list[list[int]]: ...
    def arcs(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...
    def ancestors(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...
    def parent_sets(self, child: int) -> list[float]: ...
    def sample(
        self,
        seed: int,
        first: int,
        count: int,
        threads: int,
        seconds: float | None = None,
        progress: object | None = None,
    ) -> tuple: ...

def exact_posterior(
    lists: ParentLists,
    split: bool,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> tuple: ...
def component_sizes(lists: ParentLists) -> list[int]: ...
def posterior_cost(component_sizes: Sequence[int]) -> dict: ...
def bounded_arcs(
    lists: ParentLists, threads: int, seconds: float | None = None, progress: object | None = None
) -> tuple: ...
def pruned_to_fit(
    lists: ParentLists,
    arcs: Sequence[tuple[int, int, float]],
    most: float,
    most_bytes: float,
    most_terms: float,
    most_variables: int,
) -> tuple[ParentLists, int, float] | None: ...
def weighted_by_size(lists: ParentLists, log_weights: Sequence[float]) -> ParentLists: ...
def network_codes(
    lists: ParentLists,
    places: Annotated[
        NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
) -> list[bytes]: ...
def class_codes(
    variables: int, networks: Sequence[bytes], kinds: Sequence[int] = []
) -> list[bytes]: ...
def list_networks(lists: ParentLists) -> tuple: ...
def class_weight(
    scorer: Scorer, constraints: Constraints, essential: Pdag, most: int = 100000
) -> tuple[float, float, float] | None: ...

class TableNetwork:
    def __init__(
        self,
        arities: Sequence[int],
        parents: Sequence[Sequence[int]],
        tables: Sequence[
            Annotated[
                NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
    ) -> None: ...
    def joint(
        self,
        wanted: Sequence[int],
        states: Sequence[int],
        likelihoods: Sequence[Sequence[float]],
        most_cells: int,
    ) -> tuple: ...
    def marginals(
        self, states: Sequence[int], likelihoods: Sequence[Sequence[float]], most_cells: int
    ) -> tuple: ...
    def most_probable(
        self, states: Sequence[int], likelihoods: Sequence[Sequence[float]], most_cells: int
    ) -> tuple[list[int], float]: ...
    def cost(self, observed: Sequence[bool], wanted: Sequence[int]) -> tuple[float, float]: ...
    def predict(
        self,
        rows: Annotated[
            NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        target: int,
        most_cells: int,
        threads: int,
        seconds: float | None = None,
        progress: object | None = None,
    ) -> tuple: ...

class ChainLists:
    """Weighted parent sets, as chains of networks read them."""

    @property
    def variables(self) -> int: ...
    def affinity(self, x: int, y: int) -> float: ...

def chain_lists(
    lists: ParentLists,
    threads: int,
    seconds: float | None = None,
    max_bytes: int | None = None,
    progress: object | None = None,
) -> tuple: ...
def chain_start(
    chains: ChainLists, kind: str, seed: int = 0, stream: int = 0, order: Sequence[int] = []
) -> list[int]: ...
def chain_places(chains: ChainLists, parents: Sequence[Sequence[int]]) -> list[int]:
    """Where a network's parent sets are in the lists."""

def run_chains(
    chains: ChainLists,
    starts: Sequence[Sequence[int]],
    streams: Sequence[int],
    rounds: int,
    forgotten: int,
    kept: int,
    seed: int,
    threads: int,
    seconds: float | None = None,
    progress: object | None = None,
    seconds_each: float | None = None,
    sizes: Sequence[float] | None = None,
    jumps: Sequence[tuple[Sequence[int], Sequence[int]]] = [],
    jump_variables: int = 16,
) -> tuple: ...
def known_jumps(
    chains: ChainLists, networks: Sequence[Sequence[int]], fewest: int = 5, most: int = 16
) -> list[tuple[list[int], list[int]]]:
    """
    Blocks of variables in which networks differ, in an order of each of two of them.
    """

def group_moves(
    chains: ChainLists, start: Sequence[int], group: Sequence[int], seed: int, count: int
) -> tuple: ...
def jump_moves(
    chains: ChainLists,
    start: Sequence[int],
    orders: tuple[Sequence[int], Sequence[int]],
    seed: int,
    count: int,
    open_share: float = 0.01,
) -> tuple: ...

class GapTable:
    """Discrete data in which cells may be missing."""

    def __init__(
        self,
        columns: Sequence[
            Annotated[
                NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
            ]
        ],
        arities: Sequence[int],
    ) -> None: ...
    @property
    def rows(self) -> int: ...

class Completions:
    """How probable the completions of rows are in a network."""

    @property
    def log_likelihood(self) -> float: ...
    @property
    def rows_drawn(self) -> int: ...
    def counts(
        self, variables: Sequence[int]
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of all value combinations, the last variable fastest."""

    def drawn(self, seed: int) -> list: ...

def complete(
    table: GapTable,
    network: TableNetwork,
    most_listed: int,
    draws: int,
    seed: int,
    max_bytes: int,
    threads: int,
    seconds: float | None = None,
) -> tuple: ...

class CompletedFunction(SetFunction):
    """A score on expected counts."""

    def __init__(self, completions: Completions, score: Score) -> None: ...
    def of_counts(
        self,
        counts: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        variables: int,
    ) -> float:
        """
        The value of a set of so many variables by the counts of all its combinations.
        """

class AvailableFunction(SetFunction):
    """Node-average likelihood."""

    def __init__(self, table: GapTable, price: float) -> None: ...
