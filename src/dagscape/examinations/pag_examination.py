"""What is known of a graph in which causes may be hidden, set beside a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

from dagscape.examinations import implications, pag_evidence, pag_mends, pag_words
from dagscape.examinations.any_examination import KIND, AnyExamination
from dagscape.files.result_frames import frame_of, plain_rows

if TYPE_CHECKING:
    import polars as pl

    from dagscape.examinations.pag_evidence import JudgedEdge, JudgedMark
    from dagscape.examinations.pag_mends import PagMend
    from dagscape.graphs import Dag, Pag
    from dagscape.hidden_causes import Hidden
    from dagscape.learning import LearnResult
    from dagscape.metrics import Comparison
    from dagscape.results import Result
    from dagscape.scores import Score


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PagExamination(AnyExamination):
    """A :class:`Pag` beside what a table says of it; see :func:`examine`.

    ``print(e.summary)`` tells it.
    """

    graph: Pag
    """The graph, on the variables of the table."""
    hidden: Hidden
    """What the table says of causes if some may be hidden; its `pag` is what it supports."""
    distance: Comparison
    """How far the graph is from that one: edges missing, too many, and marked otherwise."""
    learned: LearnResult
    """What learning found, whose probabilities `edges` has."""
    dag: Dag | None
    """A network with the same independences; None where a cause must be hidden, so that there is
    none."""
    score: float | None
    """Of that network: natural log, higher is better. None without one."""
    score_kind: Score
    """Score and prior."""
    best: Result
    """The best network that was found, in which no cause is hidden."""
    regret: float | None
    """How much less than that the network `dag` scores, in nats: never negative."""
    edge_rows: tuple[JudgedEdge, ...] = field(repr=False)
    mark_rows: tuple[JudgedMark, ...] = field(repr=False)
    mend_rows: tuple[PagMend, ...] = field(repr=False)

    @property
    def edges(self) -> pl.DataFrame:
        """A row for each pair of variables: those joined first, then the others.

        ``edge`` as drawn, ``found`` in the graph that the table supports. ``probability`` of an arc
        between the two in networks without hidden causes, as :func:`learn` has it: these may need
        an arc where the graph has none. ``p``: how probable it is that shuffled rows relate the two
        as much given ``given``, which of the sets tried is the one given which they are least
        related; ``p_adjusted`` is corrected for the number of edges (Holm). ``verdict`` of an edge:
        "stands", where all of these sets leave the two related; "parted", where one leaves nothing
        of what is seen otherwise; "not seen", where nothing is seen, and rows may be too few to see
        it; "rows depend" or "not tested". That of another pair is the one of its independence.
        """
        return frame_of(self.edge_rows, pag_evidence.EDGE_COLUMNS)

    @property
    def marks(self) -> pl.DataFrame:
        """A row for each tail and head of the graph, and what the table says of it.

        ``told_by_data``: whether all graphs with the same independences have this mark; if not, no
        table can tell. ``verdict``: "denied" or "supported" by an arrow that has tests of its own,
        which ``reason`` tells; "agrees" or "differs" with the graph that the table supports, which
        is less sure; "open", where that has a circle or no edge. With ``drawn`` "no cause" there is
        no edge, and nothing leads from the first to the second, though tests say it is a cause.
        """
        return frame_of(self.mark_rows, pag_evidence.MARK_COLUMNS)

    @property
    def implications(self) -> pl.DataFrame:
        """A row for each pair of variables that is not joined, the least probable first.

        ``given``: others given which the graph says that the two are independent, none of which can
        be left out. ``p``, ``p_adjusted`` and ``verdict`` are as in
        :attr:`Examination.implications`.
        """
        rows = [row[:6] for row in self.implication_rows]
        columns = dict(list(implications.COLUMNS.items())[:6])
        return frame_of(rows, columns)  # type: ignore[arg-type]

    @property
    def mends(self) -> pl.DataFrame:
        """A row for each independence that fails: the change of one edge after which fewest fail.

        ``change``: "add" an edge between the two, "turn" one that is there, or empty where no
        single edge mends it. ``failing``: how many independences of the changed graph fail.
        """
        return frame_of(self.mend_rows, pag_mends.COLUMNS)

    @property
    def parted(self) -> tuple[JudgedEdge, ...]:
        """The edges whose ends a set of variables parts."""
        return tuple(row for row in self.edge_rows if row.verdict == pag_evidence.PARTED)

    @property
    def denied(self) -> tuple[JudgedMark, ...]:
        """The marks that tests of their own deny."""
        return tuple(row for row in self.mark_rows if row.verdict == pag_evidence.DENIED)

    @property
    def blocks(self) -> dict[str, list[str]]:
        """The sentences of the summary, by title."""
        return pag_words.blocks_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        columns = dict(list(implications.COLUMNS.items())[:6])
        rows = [row[:6] for row in self.implication_rows]
        dag = self.dag
        return {
            "dagscape": installed_version("dagscape"),
            "kind": KIND,
            "graph": _plain(self.graph),
            "found": _plain(self.hidden.pag),
            "distance": asdict(self.distance),
            "network": None
            if dag is None
            else {
                "variables": list(dag.names),
                "arcs": [list(arc) for arc in dag.arcs],
                "score": self.score,
                "regret": self.regret,
            },
            "score_kind": self.score_kind.to_dict(),
            "best": {
                "score": self.best.score,
                "claim": self.best.claim,
                "method": self.best.method,
                "variables": list(self.best.dag.names),
                "arcs": [list(arc) for arc in self.best.dag.arcs],
            },
            "edges": plain_rows(self.edge_rows, pag_evidence.EDGE_COLUMNS),
            "marks": plain_rows(self.mark_rows, pag_evidence.MARK_COLUMNS),
            "implications": plain_rows(rows, columns),  # type: ignore[arg-type]
            "mends": plain_rows(self.mend_rows, pag_mends.COLUMNS),
            "level": self.level,
            "relabelings": None if self.relabelings is None else asdict(self.relabelings),
            "notes": [note.to_dict() for note in self.notes],
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    def __repr__(self) -> str:
        return f"<PagExamination: {pag_words.answers(self)[0]}>"


def _plain(pag: Pag) -> dict[str, Any]:
    return {"variables": list(pag.names), "edges": [list(edge) for edge in pag.edges]}
