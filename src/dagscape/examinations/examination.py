"""What is known of a graph that was set beside a table, and the file that keeps it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

from dagscape.examinations import (
    arc_verdicts,
    examination_words,
    family_losses,
    implications,
    nearest,
)
from dagscape.examinations.any_examination import KIND, AnyExamination
from dagscape.files.result_frames import frame_of, plain_rows
from dagscape.graphs import Dag

if TYPE_CHECKING:
    import polars as pl

    from dagscape.examinations.arc_verdicts import Arc
    from dagscape.examinations.as_many_arcs import AsManyArcs
    from dagscape.examinations.family_losses import FamilyLoss
    from dagscape.examinations.nearest import ArcStep, Nearest
    from dagscape.graphs import Mpdag
    from dagscape.learning import LearnResult
    from dagscape.results import Result
    from dagscape.scores import Score


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Examination(AnyExamination):
    """A graph beside what a table says of it; see :func:`examine`. ``e.summary`` tells it."""

    graph: Dag | Mpdag
    """The graph, on the variables of the table."""
    dag: Dag
    """The graph, or one of the networks that it stands for."""
    score: float
    """Its score: natural log, higher is better."""
    score_kind: Score
    """Score and prior."""
    best: Result
    """The best network that was found: by learning, or from the graph itself."""
    learned: LearnResult
    """What learning found, whose probabilities `arcs` has."""
    regret: float
    """How much less than the best network it scores, in nats: never negative."""
    as_many_arcs: AsManyArcs | None
    """The same beside networks with as many arcs; None where the best network is not proven."""
    nearest: Nearest
    """The nearest graph within 3 nats of the best, and how far it is."""
    family_rows: tuple[FamilyLoss, ...] = field(repr=False)
    arc_rows: tuple[Arc, ...] = field(repr=False)
    steps: tuple[ArcStep, ...] = field(repr=False)

    @property
    def proven(self) -> bool:
        """Whether no network, with as many parents as the graph has or more, scores above the best.

        Of the scope that `best.scope` names.
        """
        return self.best.optimal and self.best.scope.admits(self.dag)

    @property
    def most_regret(self) -> float | None:
        """How far below the best network of `best.scope` it scores at most; None if not known."""
        bound = self.best.bound
        if bound is None or not self.best.scope.admits(self.dag):
            return None
        return self.regret if self.best.optimal else max(self.regret, bound - self.score)

    @property
    def families(self) -> pl.DataFrame:
        """The variables whose parents differ from those in the best network, and what that costs.

        The losses add up to the regret. Of the networks that score as the best, it is one that has
        the drawn directions where it can.
        """
        return frame_of(self.family_rows, family_losses.COLUMNS)

    @property
    def arcs(self) -> pl.DataFrame:
        """A row for each pair of variables: those drawn first, then the others.

        ``drawn``: "directed", "undirected" or empty. ``told_by_data``: whether equivalent graphs
        have the arc in this direction too; if not, no table can tell. ``probability`` of an edge
        and ``direction``, that of from → to given one, with ``verdict`` and ``reason``, as
        :meth:`LearnResult.features` has them. ``worth``: by how much the score is higher with the
        arc than without, all others kept; negative where it is better without.
        """
        return frame_of(self.arc_rows, arc_verdicts.COLUMNS)

    @property
    def implications(self) -> pl.DataFrame:
        """A row for each pair of variables that is not joined, the least probable first.

        ``given``: the others given which the graph says that the two are independent, none of which
        can be left out. ``p``: how probable it is that shuffled rows are as far from that;
        ``p_adjusted`` is corrected for the number of rows of this table (Holm). ``verdict``:
        "fails"; "stands", where nothing speaks against it; "too few rows" to see anything; "rows
        depend", where tests say nothing; or "not tested". ``change``, ``from``, ``to``: for one
        that fails the change of one arc, among those after which the graph no longer implies it,
        that the score gains most by, and that ``gain``.
        """
        return frame_of(self.implication_rows, implications.COLUMNS)

    @property
    def changes(self) -> pl.DataFrame:
        """Changes of single arcs from the graph toward the best, each the one that gains most.

        They end within 3 nats of the best network, or where no change gains.
        """
        return frame_of(self.steps, nearest.COLUMNS)

    @property
    def blocks(self) -> dict[str, list[str]]:
        """The sentences of the summary, by title."""
        return examination_words.blocks_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        near = self.nearest
        return {
            "dagscape": installed_version("dagscape"),
            "kind": KIND,
            "graph": _plain_graph(self.graph),
            "score": self.score,
            "score_kind": self.score_kind.to_dict(),
            "regret": self.regret,
            "most_regret": self.most_regret,
            "as_many_arcs": None
            if self.as_many_arcs is None
            else asdict(self.as_many_arcs) | {"proven": self.as_many_arcs.proven},
            "proven": self.proven,
            "best": {
                "score": self.best.score,
                "claim": self.best.claim,
                "method": self.best.method,
                **_plain_graph(self.best.dag),
            },
            "families": plain_rows(self.family_rows, family_losses.COLUMNS),
            "arcs": plain_rows(self.arc_rows, arc_verdicts.COLUMNS),
            "implications": plain_rows(self.implication_rows, implications.COLUMNS),
            "level": self.level,
            "relabelings": None if self.relabelings is None else asdict(self.relabelings),
            "changes": plain_rows(self.steps, nearest.COLUMNS),
            "nearest": {
                **_plain_graph(near.graph),
                "distance": near.distance,
                "regret": near.regret,
                "among": None if near.among is None else near.among.to_dict(),
            },
            "notes": [note.to_dict() for note in self.notes],
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    def __repr__(self) -> str:
        return f"<Examination: {examination_words.regret_words(self)}>"


def _plain_graph(graph: Dag | Mpdag) -> dict[str, Any]:
    if isinstance(graph, Dag):
        return {"variables": list(graph.names), "arcs": [list(arc) for arc in graph.arcs]}
    return {
        "variables": list(graph.names),
        "directed": [list(arc) for arc in graph.directed],
        "undirected": [list(arc) for arc in graph.undirected],
    }
