"""The folder that learning fills: what belongs in it, and how far an earlier call came."""

import json
import platform
import re
import sys
from collections.abc import Callable, Collection
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

import dagscape as ds
from dagscape.cli.inputs import NETWORK_FILE
from dagscape.cli.output import note, origin_of_call, write_text
from dagscape.cli.output_files import names_file, write_portable
from dagscape.comparisons import ResultComparison
from dagscape.files.spreadsheets import guarded_frame
from dagscape.learning import LearnResult
from dagscape.networks import SafeName
from dagscape.speech import changed

KIND = "run"
STATES = ("running", "done")
POSTERIOR_FILE = "posterior.sqlite"
MOST_DRAWN = 300
"""Variables of a network that is drawn in a picture; larger ones can be searched on the page."""


def default_folder(table: Path) -> Path:
    """Return the folder that learning from a table fills unless another is named."""
    named = table.parent if "*" in table.name and table.parent.name else table  # a pattern of names
    return named.parent / f"{named.name.split('.')[0]}-learned"


class Folder:
    """A folder of one table learned with one set of settings."""

    def __init__(
        self,
        path: Path,
        settings: dict[str, Any],
        source: dict[str, Any] | None = None,
        chosen: Collection[str] = (),
    ) -> None:
        """Open the folder where an earlier call with the same settings left it, if one did.

        Parameters
        ----------
        settings
            What must be the same for a call to go on with an earlier one's folder; "data" is the
            fingerprint of the table.
        source
            Where the table is from and how it was read, to tell what differs from before.
        chosen
            Settings that nobody named, and that are chosen by the table.
        """
        self.path = path
        self.renamed: list[SafeName] = []
        """Names that were made safe in network.bif."""
        self._settings = settings
        self._source = source or {}
        self._chosen = chosen
        self.resumed = self.search.exists()
        self.used, found = self._searched()
        """The seconds that earlier calls took."""
        before = self._read()
        self.state: str = before.get("state", "running")
        """How far an earlier call came."""
        if before and (found or self.state == "done"):  # else there is nothing worth keeping
            self._compare(before)

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    @property
    def search(self) -> Path:
        """Where the steps of the search that are done are kept."""
        return self.path / "search.json"

    @property
    def store(self) -> Path:
        """Where runs are kept."""
        return self.path / "runs.sqlite"

    @property
    def posterior(self) -> Path:
        """Where the probabilities are kept, with the networks drawn by them."""
        return self.path / POSTERIOR_FILE

    def enter(self, state: str, used: float | None = None, **facts: Any) -> None:
        """Note how far things are, and the seconds that all calls took."""
        self.state = state
        self.used = self.used if used is None else used
        self._write(facts)

    def write(
        self,
        learned: LearnResult,
        data: ds.Data,
        truth: ds.Dag | ds.Mpdag | None,
        chosen: ds.Dag,
        graph: str,
        pictures: bool,
        changed: ResultComparison | None = None,
    ) -> list[str]:
        """Write every file, each whole or not at all; return their names.

        Parameters
        ----------
        chosen
            The arcs of network.json, and of network.bif, which has states alone: of the best
            network, or of the consensus.
        changed
            What differs from an earlier folder, for the page.
        graph
            What these are of: "best" or "consensus". Pictures show the same.
        """
        names = ["essential.graphml", *self.write_result(learned)]
        fitted = learned.network if chosen == learned.dag else None
        # BIF has tables of states alone.
        formats = [NETWORK_FILE] if data.numbers else ["network.bif", NETWORK_FILE]
        for group, part in _parts(data).items():
            network = fitted or _fitted(chosen, part)
            if network is None:
                continue
            written = [f"{Path(name).stem}{group}{Path(name).suffix}" for name in formats]
            for name in written:
                self.renamed += write_portable(network, self / name)
            if self.renamed:
                written.append(names_file(self / f"network{group}.bif").name)
            names = [*written, *names]
        if data.rows.groups is not None:
            network = None  # each group has its own, and the page has room for one
        if pictures:
            for name in ("network.svg", "network.pdf"):
                learned.plot(self / name, graph=graph)
            names = ["network.svg", "network.pdf", *names]
        said = _said_of_edges(learned)
        ds.write_graph(learned.mpdag, self / "essential.graphml", edges=said(learned.mpdag))
        if learned.consensus is not None:
            ds.write_graph(
                learned.consensus, self / "consensus.graphml", edges=said(learned.consensus)
            )
            names.append("consensus.graphml")
        edges = _with_hidden(learned.features(), learned)
        write_text(self / "edges.csv", guarded_frame(edges).write_csv())
        names.append("edges.csv")
        if learned.posterior is not None:
            learned.posterior.save(self.posterior)
            names.append(self.posterior.name)
        if learned.landscape is not None:
            agreement = guarded_frame(_agreement(learned.landscape))
            write_text(self / "agreement.csv", agreement.write_csv())
            names.append("agreement.csv")
        own = network if network is not None and network.dag == learned.dag else None
        origin = origin_of_call(self._source.get("file"))
        if changed is not None:
            changed.report(self / "report.html", data=data, network=own, origin=origin)
        else:
            learned.report(
                self / "report.html",
                data=data,
                landscape=learned.landscape,
                truth=truth,
                network=own,
                origin=origin,
            )
        return ["report.html", *names]

    def write_result(self, learned: LearnResult) -> list[str]:
        """Write what was found and no more; return the name of the file."""
        learned.save(self / "result.json")
        return ["result.json"]

    def _read(self) -> dict[str, Any]:
        """Return what an earlier call noted; refuse a folder of something else."""
        return noted_in(self.path, "; remove it or name another --out")

    def _searched(self) -> tuple[float, bool]:
        """Return how long earlier calls took, and whether they found a network.

        What is wrong with the file, if anything, is said by the search that goes on from it.
        """
        if not self.search.exists():
            return 0.0, False
        try:
            kept = json.loads(self.search.read_text("utf-8"))
            used = float(kept["seconds"])
            return used if 0 <= used < sys.maxsize else 0.0, kept["result"] is not None
        except (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError):
            return 0.0, True

    def _compare(self, noted: dict[str, Any]) -> None:
        """Refuse to go on with other settings, or another table, and say what differs."""
        before = noted["identity"]
        different = [name for name, now in self._settings.items() if before.get(name) != now]
        if not different:
            return
        # Of another table, what nobody named may be chosen otherwise.
        named = [name for name in different if name != "data" and name not in self._chosen]
        name = named[0] if named else "data" if "data" in different else different[0]
        if name == "data":
            difference = self._other_table(noted["source"])
        elif name == "version":
            difference = f"it is of dagscape {before.get(name)}, and this is {self._settings[name]}"
        else:
            difference = changed(name, before.get(name), self._settings[name])
        raise ds.ParameterError(
            f'"{self.path}" holds a run with other settings: {difference}; '
            "name another --out, or remove that folder"
        )

    def _other_table(self, before: dict[str, Any]) -> str:
        """Say how the table differs: by the options it was read with, or by its content."""
        for name, now in self._source.items():
            if name not in ("file", "size") and before.get(name) != now:
                return changed(name, before.get(name), now)
        was, now = (f"{of.get('file')} ({of.get('size')})" for of in (before, self._source))
        if "file" not in before or was == now:
            return "the content of the table has changed"
        return f"the table was {was} and is {now}"

    def _write(self, facts: dict[str, Any]) -> None:
        content = {
            "kind": KIND,
            "state": self.state,
            "identity": self._settings,
            "source": self._source,
            "seconds_used": round(self.used, 1),
            "versions": {
                "dagscape": version("dagscape"),
                "python": platform.python_version(),
                "numpy": version("numpy"),
                "polars": version("polars"),
            },
            "machine": {"system": platform.platform(), "processor": platform.machine()},
            "command": sys.argv[1:],
            **facts,
        }
        write_text(self / "run.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _parts(data: ds.Data) -> dict[str, ds.Data]:
    """Return the tables that networks are fitted to, by what their files' names end with."""
    groups = data.rows.groups
    if groups is None:
        return {"": data}
    plain = all(re.fullmatch(r"[\w.-]{1,60}", label) for label in groups.labels)
    return {
        f"-{label if plain else number}": data.group(label)
        for number, label in enumerate(groups.labels, start=1)
    }


def _fitted(dag: ds.Dag, data: ds.Data) -> ds.Network | None:
    """Return the network of a graph; None, and a word why, where numbers cannot be fitted."""
    try:
        return ds.fit(dag, data)
    except ds.DagscapeError as error:
        if not data.numbers:
            raise
        note(f"network.json was not written: {error}")
        return None


def noted_in(folder: Path, help_: str = "") -> dict[str, Any]:
    """Return what learning noted of a run in its folder, nothing if there is none."""
    path = folder / "run.json"
    if not path.exists():
        return {}
    try:
        return _checked(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, RecursionError):
        raise ds.FileFormatError(
            f'"{path}" is damaged or no file of dagscape learn{help_}'
        ) from None


def _checked(noted: Any) -> dict[str, Any]:
    """Return what an earlier call noted; a ValueError if no call notes such things."""
    if not isinstance(noted, dict) or noted.get("kind") != KIND or noted.get("state") not in STATES:
        raise ValueError
    before, used = noted.get("identity"), noted.get("seconds_used", 0.0)
    if not isinstance(before, dict) or not isinstance(noted.get("source"), dict):
        raise ValueError
    if type(used) not in (int, float):
        raise ValueError
    if not 0 <= used < sys.maxsize:  # nor infinite, nor no number
        raise ValueError
    repr(before)  # deeper than can be shown is deeper than can be meant
    return noted


def _agreement(landscape: ds.Landscape) -> pl.DataFrame:
    """Return what local optima agree on in one table, the features of each kind together."""
    tables = []
    for kind in ("edges", "paths", "blankets"):
        table = landscape.features(kind).rename({"confidence": "agreement"})
        tables.append(table.select(pl.lit(kind).alias("of"), *table.columns))
    whole: pl.DataFrame = pl.concat(tables, how="diagonal")
    return whole


SaidOfEdges = dict[tuple[str, str], dict[str, float | str]]
NUMBERS = ("probability", "lower", "upper", "direction", "stability", "agreement", "loss")
"""What files of graphs say of an edge, as far as it is known."""


def _with_hidden(edges: pl.DataFrame, learned: LearnResult) -> pl.DataFrame:
    """Add how each edge is if causes may be hidden, and whether tests of its own support it."""
    if learned.hidden is None:
        return edges
    pag, arrows = learned.hidden.pag, {*learned.hidden.arrows}
    pairs = list(zip(edges["from"], edges["to"], strict=True))
    shown = [pag.edge(a, b) or "" for a, b in pairs]
    supported = [(a, b) in arrows or (b, a) in arrows for a, b in pairs]
    return edges.with_columns(
        pl.Series("if_hidden", shown, dtype=pl.String),
        pl.Series("supported", supported, dtype=pl.Boolean),
    )


def _said_of_edges(learned: LearnResult) -> Callable[[ds.Mpdag], SaidOfEdges]:
    """Return what gives the words for each edge of a graph: its numbers, what is known of it.

    ``knowledge`` is "required" for an arc that had to be there, and "implied" for a direction that
    follows from what was known and not from the data.
    """
    known = learned.scope.knowledge
    required = set() if known is None else {*known.required}
    implied = set() if known is None else {*learned.mpdag.directed} - {*learned.cpdag.directed}
    rows = {frozenset((edge.a, edge.b)): edge for edge in learned.edges}

    def said(graph: ds.Mpdag) -> SaidOfEdges:
        words: SaidOfEdges = {}
        for pair in (*graph.directed, *graph.undirected):
            edge = rows[frozenset(pair)]
            numbers = {name: getattr(edge, name) for name in NUMBERS}
            if edge.direction is not None and (edge.a, edge.b) != pair:
                numbers["direction"] = 1 - edge.direction
            words[pair] = {name: value for name, value in numbers.items() if value is not None}
            if pair in implied:
                words[pair]["knowledge"] = "implied"
            if pair in required:
                words[pair]["knowledge"] = "required"
        return words

    return said
