"""Why a graph of least expected error joins or leaves apart a pair of variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dagscape.arguments import as_list
from dagscape.errors import ParameterError
from dagscape.posteriors.consensus import SAME, PairStates
from dagscape.variables import is_pair

if TYPE_CHECKING:
    from dagscape.graphs import Mpdag
    from dagscape.variables import Variables

Pair = tuple[str, str]

STATES = ("absent", "forth", "back", "undirected")
"""What a pair can be in an essential graph: no edge, a → b, b → a, or an edge without direction."""


@dataclass(frozen=True)
class PairChoice:
    """How the graph of least expected error treats a pair of variables, and why.

    The error of a graph counts the pairs that it has in another state than the truth has them: no
    edge, a → b, b → a, or an edge without a direction. So an edge that is probable, but torn
    between the ways to draw it, can be left out rightly: no edge may still be the most probable of
    the four states.
    """

    a: str
    b: str
    absent: float
    """The probabilities of the four states in essential graphs; they add up to 1."""
    forth: float
    back: float
    undirected: float
    chosen: str
    """The state in the graph: "absent", "forth" (a → b), "back" or "undirected"."""
    directed_by_knowledge: bool = False
    """Whether only knowledge gives the edge its direction there."""

    @property
    def likeliest(self) -> str:
        """The most probable of the four; the chosen one, if none is more probable."""
        best = max(STATES, key=self.of)
        return self.chosen if self.of(self.chosen) >= self.of(best) - SAME else best

    @property
    def reason(self) -> str:
        """Why the graph has it so.

        "likeliest": no other state is more probable. "knowledge": what the user knows gives the
        direction. "fit": another state is more probable, but the states of all pairs have to fit
        together in one graph, and none with that state that is nearer was found.
        """
        if self.directed_by_knowledge:
            return "knowledge"
        return "likeliest" if self.likeliest == self.chosen else "fit"

    def of(self, state: str) -> float:
        """Return the probability of a state."""
        if not isinstance(state, str) or state not in STATES:
            raise ParameterError(f"state must be one of {', '.join(STATES)}, got {state!r}")
        return float(getattr(self, state))

    def to_dict(self) -> dict[str, Any]:
        """Return the facts, with what follows from them."""
        return {**asdict(self), "likeliest": self.likeliest, "reason": self.reason}


def pair_choices(
    variables: Variables, states: PairStates, graph: Mpdag, pairs: Iterable[Pair], free: Mpdag
) -> list[PairChoice]:
    """Return how a graph treats pairs of variables, and how probable each of their states is.

    Parameters
    ----------
    free
        The same graph without the directions that knowledge gave.
    """
    made = []
    for pair in as_list("pairs", pairs, "pairs of names"):
        if not is_pair(pair):
            raise ParameterError(f"a pair must be two different names, got {pair!r}")
        a, b = pair
        u, v = variables.number(a), variables.number(b)
        chosen = _state(graph, a, b)
        made.append(
            PairChoice(
                a,
                b,
                absent=_share(states.absent[u, v]),
                forth=_share(states.directed[u, v]),
                back=_share(states.directed[v, u]),
                undirected=_share(states.undirected[u, v]),
                chosen=chosen,
                directed_by_knowledge=_state(free, a, b) != chosen,
            )
        )
    return made


def _share(share: float) -> float:
    """Return a share without rounding errors: what is left of 1 can be less than 0."""
    return min(1.0, max(0.0, float(share)))


def _state(graph: Mpdag, a: str, b: str) -> str:
    if b not in graph.neighbors(a):
        return "absent"
    if b in graph.children(a):
        return "forth"
    return "back" if b in graph.parents(a) else "undirected"
