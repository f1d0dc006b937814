"""The table that a folder of ``dagscape learn`` was made from, found again."""

from pathlib import Path
from typing import Any

import dagscape as ds
from dagscape.cli.folder import noted_in
from dagscape.cli.reading import Reading


def table_of(folder: Path) -> ds.Data:
    """Read the table as it was read to learn; refuse one that is gone or has changed."""
    path, reading, noted = table_source(folder)
    identity = noted["identity"]
    table = reading.read(path, identity.get("seed") or 0)
    if table.fingerprint != identity.get("data"):
        raise ds.ParameterError(
            f'"{path}" is not the table that "{folder}" was made from, or was read with other '
            "options; name it with --data, and give the options again"
        )
    return table


def table_source(folder: Path) -> tuple[Path, Reading, dict[str, Any]]:
    """Return where a folder's table is, how it was read, and all that the folder notes.

    It is looked for in the folder, where the demo keeps it, beside the folder, where the folder is
    by default, and in the working folder.
    """
    noted = noted_in(folder)
    source = noted.get("source")
    name = source.get("file") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(name, str):
        raise ds.ParameterError(
            f'"{folder}" does not say what table it was made from; name it with --data'
        )
    places = [folder / name, folder.resolve().parent / name, Path(name)]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise ds.ParameterError(
            f'"{folder}" was made from "{name}", which is neither beside it nor here; name it '
            "with --data"
        )
    return path, Reading.from_dict(source), noted
