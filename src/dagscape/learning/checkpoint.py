"""What finished steps of learning found, in a file, from which the same call goes on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dagscape.arguments import file_path
from dagscape.errors import DagscapeError, FileFormatError, ParameterError
from dagscape.files.plain_values import depth_refused, parse
from dagscape.files.text import read_text, write_text
from dagscape.result_files import result_of
from dagscape.results import Result
from dagscape.speech import changed

KIND = "learning"

HEARTBEAT = 2.0
"""Seconds between two notes of the time used: what a killed call can lose of its count."""

MOST_SECONDS = 1e9
"""More than any search has taken."""


class Checkpoint:
    """How far a search came; in a file, or nowhere where it has no path.

    What an interrupted step found is not in it: the next call does that step again. The time that
    it took is, and the time limit covers all calls together.
    """

    def __init__(self, path: str | os.PathLike[str] | None, identity: Mapping[str, Any]) -> None:
        """Read the file if there is one; refuse one of another problem."""
        self._path = None if path is None else file_path(path, "checkpoint")
        self._settings = {name: identity[name] for name in identity if name != "kind"}
        self._beat = time.monotonic()
        self.found: Result | None = None
        """The best network, its bound, and the steps that led there."""
        self.done: list[str] = []
        """The steps of the search that need not be done again."""
        self.covered = False
        """Whether the candidate sets were all that could matter."""
        self.seconds = 0.0
        """What the calls before this one took."""
        self.lost = 0.0
        """Of that, what they spent on steps that have to be done again."""
        self.searching = True
        """Whether time is lost if the call ends now; once the search is over, it is not."""
        if self._path is not None and self._path.exists():
            with depth_refused(self._path, "a checkpoint"):
                self._read(self._path)
        self._kept_at = self.seconds

    @property
    def kept(self) -> bool:
        """Whether there is a file at all."""
        return self._path is not None

    def keep(
        self, found: Result, done: Iterable[str], covered: bool, seconds: float, lost: float
    ) -> None:
        """Write down what is found, now that a step is done."""
        self.found, self.done, self.covered = found, list(done), covered
        self.lost, self._kept_at = lost, seconds
        self.note(seconds)

    def note(self, seconds: float) -> None:
        """Write down how long it took so far."""
        self._beat = time.monotonic()
        if self._path is None:
            return
        lost = self.lost + (seconds - self._kept_at if self.searching else 0.0)
        content = {
            "kind": KIND,
            "settings": self._settings,
            "done": self.done,
            "covered": self.covered,
            "seconds": round(seconds, 3),
            "lost": round(min(seconds, lost), 3),
            "result": None if self.found is None else self.found.to_dict(),
        }
        write_text(self._path, json.dumps(content, ensure_ascii=False, allow_nan=False))

    def beat(self, seconds: float) -> None:
        """Write down the time used, now and then."""
        if time.monotonic() - self._beat >= HEARTBEAT:
            with suppress(DagscapeError):  # a disk that is full now may not be at the end
                self.note(seconds)

    def _read(self, path: Path) -> None:
        content = parse(read_text(path), path)
        if not _well_formed(content):
            raise FileFormatError(
                f'"{path}" is damaged or no checkpoint of learning; remove it or name another file'
            )
        if content["result"] is None and content["settings"] != self._settings:
            return  # nothing was found, so there is nothing to mix up
        self._compare(path, content["settings"])
        if content["result"] is not None:
            self.found = result_of(content["result"], path)
        self.done, self.covered = list(content["done"]), content["covered"]
        self.seconds, self.lost = float(content["seconds"]), float(content["lost"])

    def _compare(self, path: Path, before: Mapping[str, Any]) -> None:
        for name, now in self._settings.items():
            if before.get(name) == now:
                continue
            if name == "data":
                difference = "the table has changed"
            elif name == "version":
                difference = f"it is of dagscape {before.get(name)}, and this is {now}"
            else:
                difference = changed(name, before.get(name), now)
            raise ParameterError(
                f'"{path}" is of another search: {difference}; name another file, or remove it'
            )


def _well_formed(content: Any) -> bool:
    """Tell whether a checkpoint says such things; what the result says is looked at later."""
    return (
        isinstance(content, dict)
        and content.get("kind") == KIND
        and isinstance(content.get("settings"), dict)
        and isinstance(content.get("done"), list)
        and all(isinstance(step, str) for step in content["done"])
        and isinstance(content.get("covered"), bool)
        and all(type(content.get(name)) in (int, float) for name in ("seconds", "lost"))
        and 0 <= content["lost"] <= content["seconds"] < MOST_SECONDS
        and "result" in content
        and not (content["result"] is None and content["done"])
    )
