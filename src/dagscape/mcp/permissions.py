"""What a call of an agent may read, write and use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import dagscape as ds

SEARCH_SHARE = 0.8
"""Of the time for a call, for what can be told to end: the rest is for reading and answering."""


@dataclass(frozen=True)
class Permissions:
    """The folders and the means of every call."""

    read: str
    """The folder under which files are read."""
    write: str | None
    """The folder that files are written into; None where there are none."""
    seconds: float
    """For a call; when they are over, its process is ended."""
    memory: int
    """Bytes."""

    @classmethod
    def of(cls, read: Path, write: Path | None, seconds: float, memory: int) -> Permissions:
        """Take them over from now on, whatever links point elsewhere later."""
        if write is not None and not write.is_dir():
            raise ds.ParameterError(f'"{write}" is no folder to write into; make it first')
        if not 1 <= seconds < 1e6:
            raise ds.ParameterError(f"the time limit must be 1 second or more, got {seconds:g}")
        kept = None if write is None else str(write.resolve())
        return cls(str(read.resolve()), kept, float(seconds), memory)

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Permissions:
        """Return what :meth:`to_dict` told."""
        return cls(**values)

    @property
    def search_seconds(self) -> float:
        """The time limit of a search."""
        return SEARCH_SHARE * self.seconds

    def to_read(self, name: str) -> Path:
        """Return a file that may be read."""
        folder = Path(self.read)
        path = _resolved(folder / _name(name))
        if not path.is_relative_to(folder):
            raise ds.ParameterError(
                f'"{name}" is outside the folder that files are read from; name a file under it'
            )
        if not path.is_file():
            raise ds.ParameterError(f'there is no file "{name}" under the folder of this server')
        if path.stat().st_size > self.memory:
            raise ds.ParameterError(f'"{name}" is larger than the memory for a call')
        return path

    def to_write(self, name: str) -> Path:
        """Return a file that may be written."""
        if self.write is None:
            raise ds.ParameterError(
                "this server was given no folder to write into: dagscape mcp --write FOLDER"
            )
        folder = Path(self.write)
        if Path(_name(name)).name != name or name.startswith("."):
            raise ds.ParameterError(f'"{name}" must be the plain name of a file, without a folder')
        path = _resolved(folder / name)
        if path.parent != folder:
            raise ds.ParameterError(f'"{name}" is a link that leads out of the folder for files')
        return path


def _name(name: str) -> str:
    if not isinstance(name, str) or not name or "\0" in name:
        raise ds.ParameterError(f"a file is named by words, got {name!r}")
    return name


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise ds.ParameterError(f'"{path.name}" cannot be looked for: {error}') from None
