"""The folder that learning fills: what belongs in it, and how far an earlier call came."""

import json
import platform
import sys
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

import dagscape as ds
from dagscape.cli.output import write_text
from dagscape.spreadsheets import guarded_frame

KIND = "run"
STATES = ("searching", "exploring", "done")
HEARTBEAT = 2.0
"""Seconds between two notes of the time used: what a killed call can lose of its count."""


class Folder:
    """A folder of one table learned with one set of settings."""

    def __init__(self, path: Path, identity: dict[str, Any], begun: float | None = None) -> None:
        """Make the folder, or open it where an earlier call with the same settings left it.

        The seconds that it counts begin at a moment of :func:`time.monotonic`, or now.
        """
        self.path = path
        self._identity = identity
        self._beat = -HEARTBEAT
        if path.exists() and not path.is_dir():
            raise ds.ParameterError(f'--out names a folder, and "{path}" is a file')
        path.mkdir(parents=True, exist_ok=True)
        before = self._read()
        self.state: str = before.get("state", "searching")
        """How far an earlier call came: "searching", "exploring" or "done"."""
        now = time.monotonic() if begun is None else begun
        self.begun = now - float(before.get("seconds_used", 0.0))
        """When it would have begun, had all been done in one call."""
        self.resumed = bool(before)

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    @property
    def store(self) -> Path:
        """Where runs are kept."""
        return self.path / "runs.sqlite"

    @property
    def used(self) -> float:
        """The seconds that this call and those before it took."""
        return time.monotonic() - self.begun

    def search_result(self) -> ds.Result | None:
        """Return the network that an earlier call found, if its search was done."""
        return None if self.state == "searching" else ds.load_result(self / "result.json")

    def enter(self, state: str, **facts: Any) -> None:
        """Note how far things are, so that the next call can go on from here."""
        self.state = state
        self._write(facts)

    def beat(self) -> None:
        """Note the time used, now and then."""
        if time.monotonic() - self._beat >= HEARTBEAT:
            self._beat = time.monotonic()
            with suppress(ds.DagscapeError):  # a disk that is full now may not be at the end
                self._write({})

    def write(
        self, learned: ds.Learned, data: ds.Data, truth: ds.Dag | ds.Mpdag | None
    ) -> list[str]:
        """Write every file, each whole or not at all; return their names."""
        network = ds.fit(learned.dag, data)
        ds.write_network(network, self / "network.bif")
        ds.write_network(network, self / "network.json")
        ds.write_graph(learned.mpdag, self / "essential.graphml", edges=_said_of_edges(learned))
        learned.save(self / "result.json")
        names = ["network.bif", "network.json", "essential.graphml", "result.json"]
        if learned.landscape is not None:
            write_text(
                self / "features.csv", guarded_frame(_features(learned.landscape)).write_csv()
            )
            names.append("features.csv")
        learned.report(
            self / "report.html",
            data=data,
            landscape=learned.landscape,
            truth=truth,
            network=network,
        )
        return ["report.html", *names]

    def _read(self) -> dict[str, Any]:
        """Return what an earlier call noted; refuse a folder of something else."""
        path = self / "run.json"
        if not path.exists():
            return {}
        try:
            noted = _checked(json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, RecursionError):
            raise ds.FileFormatError(
                f'"{path}" is damaged or no file of dagscape learn; remove it or name another --out'
            ) from None
        before = noted["identity"]
        if other := [name for name in self._identity if before.get(name) != self._identity[name]]:
            name = other[0]
            raise ds.ParameterError(
                f'"{self.path}" holds a run with other settings: {name.replace("_", " ")} was '
                f"{before.get(name)!r} and is {self._identity[name]!r}; "
                "name another --out, or remove that folder"
            )
        return noted

    def _write(self, facts: dict[str, Any]) -> None:
        content = {
            "kind": KIND,
            "state": self.state,
            "identity": self._identity,
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


def _checked(noted: Any) -> dict[str, Any]:
    """Return what an earlier call noted; a ValueError if no call notes such things."""
    if not isinstance(noted, dict) or noted.get("kind") != KIND or noted.get("state") not in STATES:
        raise ValueError
    before, used = noted.get("identity"), noted.get("seconds_used", 0.0)
    if not isinstance(before, dict) or type(used) not in (int, float):
        raise ValueError
    if not 0 <= used < sys.maxsize:  # nor infinite, nor no number
        raise ValueError
    repr(before)  # deeper than can be shown is deeper than can be meant
    return noted


def _features(landscape: ds.Landscape) -> pl.DataFrame:
    """Return all features in one table, those of each kind together."""
    tables = []
    for kind in ("edges", "paths", "blankets"):
        table = landscape.features(kind)
        tables.append(table.select(pl.lit(kind).alias("of"), *table.columns))
    whole: pl.DataFrame = pl.concat(tables, how="diagonal")
    return whole


def _said_of_edges(learned: ds.Learned) -> dict[tuple[str, str], dict[str, float | str]]:
    """Return what is to be said of each edge of the graph: how strong it is, what is known of it.

    ``knowledge`` is "required" for an arc that had to be there, and "implied" for a direction that
    follows from what was known and not from the data.
    """
    graph = learned.mpdag
    said: dict[tuple[str, str], dict[str, float | str]] = {
        pair: {} for pair in (*graph.directed, *graph.undirected)
    }
    if learned.landscape is not None:
        rows = learned.landscape.strengths(frame="dict")
        found = {
            (a, b): {"strength": strength, "direction": direction}
            for a, b, strength, direction in zip(*rows.values(), strict=True)
        }
        for pair, words in said.items():
            words |= found.get(pair, {"strength": 0.0})
    if learned.scope.knowledge is not None:
        for pair in {*graph.directed} - {*learned.cpdag.directed}:
            said[pair]["knowledge"] = "implied"
        for pair in learned.scope.knowledge.required:
            said[pair]["knowledge"] = "required"
    return said
