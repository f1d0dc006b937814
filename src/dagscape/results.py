"""What a search found, what it can claim, and the file that keeps it.

The file is JSON, a line for each field: ``{"dagscape": VERSION, "kind": "result", ...}``. Numbers
come back bit for bit; an infinite one is written ``{"number": "inf"}``, since JSON has none.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.metadata import version as installed_version
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, overload

from dagscape.claims.claim import Claim, WithoutKnowledge
from dagscape.claims.journal import Step
from dagscape.claims.scopes import ALL_NETWORKS, Scope
from dagscape.control.limits import use_count
from dagscape.data import as_data, check_data
from dagscape.data.series_shape import past_of
from dagscape.defaults import why_chosen
from dagscape.errors import DataError, ParameterError
from dagscape.files.plain_values import dump_lines, frozen, number, plain, thawed
from dagscape.files.text import replacing, write_text
from dagscape.graphs import Cpdag, Dag, Direction, Mpdag, SummaryGraph
from dagscape.notes import Note
from dagscape.other_libraries import load_library
from dagscape.scores import Score, known_score, log_prior
from dagscape.scores.base import higher
from dagscape.shows_itself import ShowsItself
from dagscape.targets import Targets, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dagscape.data import Data, TableLike
    from dagscape.landscape import Landscape
    from dagscape.networks import Network
    from dagscape.report import Models, PageFrame

STOPS = ("time", "memory", "interrupt", "cluster")
"""What can end a search early."""

KIND = "result"


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(ShowsItself):
    """What a search found, and what it proved.

    Immutable. Equal when everything is, times and counters included.
    """

    _behind: ClassVar[frozenset[str]] = frozenset(
        {"asked", "essential", "plain", "seed", "starts", "to_dict", "version", "work"}
        | {"score_kind", "score_parts", "score_reason", "without_knowledge"}
    )

    dag: Dag
    """The network."""
    score: float
    """Its score: natural log, higher is better. With a prior on structures, that of the score plus
    ln prior; see :attr:`score_parts`."""
    score_kind: Score | None = None
    """The score as an object, which tells its parameters and its prior; None if it is not ours."""
    score_name: str = ""
    """The score, in words; needed only where `score_kind` is None."""
    method: str
    """What ran."""
    scope: Scope = ALL_NETWORKS
    """The networks that `optimal` and `bound` are about."""
    optimal: bool = False
    """Whether the network is one of the scope and none of them scores higher, up to rounding:
    proven."""
    bound: float | None = None
    """No network of the scope scores higher than this; None where nothing is known. One that equals
    the score is a proof, if the network is one of the scope."""
    without_knowledge: WithoutKnowledge | None = None
    """What a network scores that need not obey the knowledge of the scope; None where not known."""
    seed: int | None = None
    """The seed of what was drawn at random; None where nothing was."""
    seconds: float = 0.0
    """How long the search took."""
    stopped: str | None = None
    """What ended the search early: "time", "memory", "interrupt" or "cluster", if that was lost."""
    work: Mapping[str, Any] = field(default_factory=dict)
    """Counters of the work done; read-only."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The settings that the search was called with; read-only."""
    notes: tuple[Note, ...] = ()
    """What is to be known of the table it was learned from, see :attr:`Data.notes`."""
    version: str = field(default_factory=lambda: installed_version("dagscape"))
    """The version of dagscape that ran."""
    data: Data | None = field(default=None, compare=False)
    """The table that :func:`learn` or :func:`structural_em` learned it from. Copies and pickles
    keep it, files do not; nor what follows."""
    landscape: Landscape | None = field(default=None, compare=False)
    """The local optima that :func:`learn` found; None where none were looked for, `steps` say
    why."""
    network: Network | None = field(default=None, compare=False)
    """Of a table with gaps, the network with tables fitted to expected counts; else None, and
    :func:`fit` makes one."""

    def __post_init__(self) -> None:
        if not isinstance(self.dag, Dag):
            raise ParameterError(f"dag must be a Dag, got {type(self.dag).__name__}")
        if not isinstance(self.scope, Scope):
            raise ParameterError(f"scope must be a ds.Scope, got {self.scope!r}")
        self._settle_score()
        for name in ("score_name", "method", "version"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name):
                raise ParameterError(f"{name} must be words, got {getattr(self, name)!r}")
        if not isinstance(self.optimal, bool):
            raise ParameterError(f"optimal must be True or False, got {self.optimal!r}")
        if self.stopped is not None and self.stopped not in STOPS:
            raise ParameterError(
                f"stopped must be None or one of {', '.join(STOPS)}, got {self.stopped!r}"
            )
        self._set("score", number("score", self.score))
        self._set("seconds", number("seconds", self.seconds))
        if self.score == math.inf:
            raise ParameterError("score must be finite, or minus infinity, got inf")
        if not 0 <= self.seconds < math.inf:
            raise ParameterError(f"seconds must be finite and from 0 up, got {self.seconds!r}")
        if self.seed is not None:
            if not isinstance(self.seed, Integral) or isinstance(self.seed, bool):
                raise ParameterError(f"seed must be a whole number or None, got {self.seed!r}")
            self._set("seed", int(self.seed))
        self._settle_bound()
        for name in ("work", "asked"):
            if not isinstance(getattr(self, name), Mapping):
                raise ParameterError(f"{name} must be a mapping, got {getattr(self, name)!r}")
            self._set(name, frozen(getattr(self, name), name))
        if not isinstance(self.without_knowledge, WithoutKnowledge | None):
            raise ParameterError(
                f"without_knowledge must be None or what it says, got {self.without_knowledge!r}"
            )
        self._set("notes", tuple(self.notes))
        if strange := [note for note in self.notes if not isinstance(note, Note)]:
            raise ParameterError(f"notes must be of the class Note, got {strange[0]!r}")

    def _settle_score(self) -> None:
        """Take the words from the score, or the score from the words where they are ours."""
        if self.score_kind is None:
            if isinstance(self.score_name, str):
                self._set("score_kind", known_score(self.score_name))
            return
        if not isinstance(self.score_kind, Score):
            raise ParameterError(f"score_kind must be a Score or None, got {self.score_kind!r}")
        self._set("score_name", str(self.score_kind))

    def _settle_bound(self) -> None:
        """Remove rounding from the bound; refuse one that the score contradicts."""
        if self.bound is None and not self.optimal:
            return
        bound = self.score if self.bound is None else number("bound", self.bound)
        if higher(self.score, bound):
            raise ParameterError(f"the bound {bound!r} is below the score {self.score!r}")
        if self.optimal and higher(bound, self.score):
            raise ParameterError(
                f"the score {self.score!r} cannot be optimal: the bound is {bound!r}"
            )
        self._set("bound", self.score if self.optimal else max(bound, self.score))
        self._set("optimal", self.bound == self.score and self.scope.admits(self.dag))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def score_parts(self) -> dict[str, float]:
        """The score on the data, and ln prior up to a constant: `score` is their sum.

        Where the score is not ours, nothing is known of a prior.
        """
        prior = 0.0 if self.score_kind is None else log_prior(self.score_kind, self.dag)
        return {"score": self.score - prior, "prior": prior}

    @property
    def score_reason(self) -> str:
        """Why it has this score and prior; empty where the user named them."""
        return why_chosen(self.asked)

    @property
    def cpdag(self) -> Cpdag:
        """The essential graph of the networks equivalent to this one."""
        return self.dag.to_cpdag()

    @property
    def experiments(self) -> dict[str, Targets]:
        """What each experiment made of which variables, by name; empty where there were none."""
        return told(self.asked.get("interventions"))

    @cached_property
    def essential(self) -> Mpdag:
        """The essential graph of the networks that the table cannot tell from this one.

        Where its rows come from experiments they agree in more directions than :attr:`cpdag` has.
        """
        return self.dag.to_mpdag(self.experiments) if self.experiments else self.cpdag

    @cached_property
    def mpdag(self) -> Mpdag:
        """The essential graph with the directions that knowledge implies, and all that follows.

        An edge is directed if all networks that the table cannot tell from this one
        (:attr:`essential`) and that obey the knowledge agree (:meth:`Knowledge.orient`). Without
        either it is :attr:`cpdag`. Its `reasons` say why edges are directed.
        """
        known, graph = self.scope.knowledge, self.essential
        if known is None:
            return graph
        obeying = known.orient(graph)
        known_to_be = {
            arc: Direction("knowledge") for arc in obeying.directed if known.directs(*arc)
        }
        return obeying.with_reasons({**known_to_be, **graph.reasons})

    @property
    def summary(self) -> SummaryGraph | None:
        """Which series drive which, with their lags; None where the table holds no series."""
        names = self.dag.names
        past = {x: found for x in names if (found := past_of(x, names)) is not None}
        if not past:
            return None
        lags: dict[tuple[str, str], list[int]] = {}
        for start, end in self.dag.arcs:
            name, lag = past.get(start, (start, 0))
            lags.setdefault((name, end), []).append(lag)
        return SummaryGraph([x for x in names if x not in past], lags)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What :func:`learn` did, in order; empty for a single search."""
        records = self.work.get("steps")
        # Searches that climb count their steps under this name.
        return tuple(map(Step.from_dict, records)) if isinstance(records, tuple) else ()

    @property
    def starts(self) -> tuple[Mapping[str, Any], ...]:
        """How each start of :func:`structural_em` converged; empty for other searches.

        Its name, the objective and the number of arcs after each look for a network, and whether it
        ended because nothing changed any more.
        """
        starts = self.work.get("starts")
        return starts if isinstance(starts, tuple) else ()  # searches that climb count theirs

    @property
    def gap(self) -> float | None:
        """How much higher a network of the scope can score at most; None where nothing is known."""
        return self._claim().gap

    @property
    def claim(self) -> str:
        """What is proven, in words; "optimal" without more is said of all networks only."""
        return str(self._claim())

    def _claim(self) -> Claim:
        return Claim(self.dag, self.score, self.bound, self.scope, self.without_knowledge)

    def to_dict(self) -> dict[str, Any]:
        """Return what :meth:`save` writes: plain values that JSON can hold."""
        content: dict[str, Any] = {
            "dagscape": self.version,
            "kind": KIND,
            "claim": self.claim,
            "variables": list(self.dag.names),
            "arcs": [list(arc) for arc in self.dag.arcs],
        }
        values = {name: getattr(self, name) for name in STORED} | {"scope": self.scope.to_dict()}
        values["score_kind"] = None if self.score_kind is None else self.score_kind.to_dict()
        values["notes"] = tuple(note.to_dict() for note in self.notes)
        free = self.without_knowledge
        values["without_knowledge"] = None if free is None else free.to_dict()
        return content | {name: plain(value) for name, value in values.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON, gzip where the name ends in ``.gz``; all of it or nothing."""
        write_text(path, dump_lines(self.to_dict()))

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        data: TableLike | None = None,
        landscape: Models | None = None,
        truth: Dag | Mpdag | Network | None = None,
        network: Network | None = None,
        weights: str | None = None,
        title: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> None:
        """Write a page to look at in a browser: one HTML file that needs no other and no network.

        It draws the essential graph and lists its edges; what else it shows depends on what it is
        given, and on what the result itself still knows: its data, landscape and network are shown
        unless others are given.

        Parameters
        ----------
        data
            The data that the network was learned from: adds states and how often they occur, fitted
            tables, and what the score loses without each edge.
        landscape
            Local optima (:func:`local_optima`) or bootstrap networks (:func:`bootstrap`) of the
            same data: adds confidence, a threshold to choose by it, and the other networks.
        truth
            The true network, where it is known: marks what is missing, extra or misdirected.
        network
            The network with its tables, if they are not to be fitted to the data.
        weights
            What models count, as in :meth:`Landscape.features`.
        title
            The heading.
        origin
            What the page says it was made of: ``{"file": "patients.csv"}``, and the ``"command"``
            that made it. The page adds the day, in UTC (``SOURCE_DATE_EPOCH`` gives another).

        Notes
        -----
        With hundreds of variables the page begins with the neighborhood of one. Beyond 20,000
        pairs of variables that some model joins, the weakest are left out, and the page says so.
        """
        write_text(path, self._page(data, landscape, truth, network, weights, title, origin))

    def show(
        self,
        *,
        height: int = 700,
        data: TableLike | None = None,
        landscape: Models | None = None,
        truth: Dag | Mpdag | Network | None = None,
        network: Network | None = None,
        weights: str | None = None,
        title: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> PageFrame:
        """Show the page of :meth:`report` in a frame of a notebook.

        Parameters
        ----------
        height
            Of the frame, in pixels.
        data, landscape, truth, network, weights, title, origin
            As :meth:`report` takes them.
        """
        from dagscape.report import PageFrame

        page = self._page(data, landscape, truth, network, weights, title, origin)
        return PageFrame(page, use_count("height", height, 1))

    def _page(
        self,
        data: TableLike | None,
        landscape: Models | None,
        truth: Dag | Mpdag | Network | None,
        network: Network | None,
        weights: str | None,
        title: str | None,
        origin: Mapping[str, str] | None,
    ) -> str:
        from dagscape.report import report_page  # it sees the whole package, so it comes last

        return report_page(
            self,
            landscape=self.landscape if landscape is None else landscape,
            data=self.data if data is None else as_data(data),
            truth=truth,
            network=self.network if network is None else network,
            weights=weights,
            title=title,
            origin=origin,
        )

    @overload
    def plot(
        self, ax: str | os.PathLike[str], *, around: str | None = None, graph: str = "best"
    ) -> None: ...
    @overload
    def plot(
        self, ax: Axes | None = None, *, around: str | None = None, graph: str = "best"
    ) -> Axes: ...
    def plot(
        self,
        ax: Axes | str | os.PathLike[str] | None = None,
        *,
        around: str | None = None,
        graph: str = "best",
    ) -> Axes | None:
        """Draw the essential graph: on these axes of matplotlib, on new ones, or to a file.

        ``r.plot("network.svg")`` and ``r.plot("network.pdf")`` write a file with a legend and need
        nothing else; ``.png`` and axes, and `around` in any file, need the extra
        ``dagscape[plot]``. For more than some sixty variables :meth:`report` is the better picture.

        Parameters
        ----------
        around
            A variable to draw dark, what is in its Markov blanket light, and the rest white.
        graph
            Of what :func:`learn` found, "consensus" draws the graph of least expected error. There
            a line is as thick as its edge is probable, if that is known.
        """
        from dagscape.report import picture_file, plot_result

        if isinstance(ax, str | os.PathLike):
            content = picture_file(self, ax, around, graph)
            with replacing(ax) as file:
                file.write(content)
            return None
        return plot_result(self, ax, around, graph)

    def to_dowhy(self, cause: str, outcome: str, *, data: TableLike | None = None) -> Any:
        """Return a ``CausalModel`` of DoWhy with this network and its table.

        Variables with two states are numbers there, 0 for the first and 1 for the second; those
        with more are categories of pandas.

        Parameters
        ----------
        cause, outcome
            The treatment and the outcome.
        data
            The table; what :func:`learn` found has its own.

        Notes
        -----
        DoWhy takes every arc for known, also those whose direction the table leaves open
        (:attr:`mpdag`). :func:`effect` averages over them. Needs the extra ``dagscape[dowhy]``.
        """
        table = self.data if data is None else as_data(data)
        if table is None:
            raise ParameterError("the result knows no table; give the one that it is of: data=")
        check_data(table)
        for name in (cause, outcome):
            self.dag.parents(name)  # refuses a name that is none
        if cause == outcome:
            raise ParameterError("cause and outcome must be two variables")
        if sorted(table.names) != sorted(self.dag.names):
            raise DataError("the table has other columns than the network has variables")
        made = load_library("dowhy", "dowhy").CausalModel
        frame = table.to_pandas()
        for name, states in table.states.items():
            if name not in table.numbers and len(states) == 2:
                frame[name] = frame[name].cat.codes.astype(int)
        return made(data=frame, treatment=cause, outcome=outcome, graph=self.dag.to_networkx())

    def plain(self) -> Result:
        """Return the result as it is saved: without the table and what was computed from it."""
        return Result(dag=self.dag, **{name: getattr(self, name) for name in (*STORED, "version")})

    def __hash__(self) -> int:
        return hash((self.dag, self.score, self.method, self.seed))

    def __reduce__(self) -> tuple[Callable[..., Result], tuple[type[Result], dict[str, Any]]]:
        # Read-only mappings cannot be pickled; they are made again from plain ones.
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        plain = {name: thawed(values[name]) for name in ("work", "asked")}
        return _make, (type(self), values | plain)

    def __repr__(self) -> str:
        ended = f"stopped by {self.stopped} after " if self.stopped else ""
        return (
            f"<Result: {len(self.dag.names)} variables, {len(self.dag.arcs)} arcs, "
            f"{self.score_name} {self.score:.4f}, {self.claim} "
            f"({self.method}; {ended}{self.seconds:.1f} s)>"
        )


STORED = tuple(f.name for f in fields(Result) if f.compare and f.name not in ("dag", "version"))
"""What a file has of a result, beside its graph."""


def _make(kind: type[Result], values: dict[str, Any]) -> Result:
    return kind(**values)
