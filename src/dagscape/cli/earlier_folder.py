"""What an earlier ``dagscape learn`` left in a folder, with its table if that is still there."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import dagscape as ds
from dagscape.cli.folder import POSTERIOR_FILE, noted_in
from dagscape.cli.inputs import NETWORK_FILE
from dagscape.cli.output import note
from dagscape.cli.reading import Reading
from dagscape.learning import LearnResult
from dagscape.posteriors import load_posterior
from dagscape.variables import suggest

RESULT_FILE = "result.json"


def is_folder(name: str | Path) -> bool:
    """Tell whether a folder is one of learn."""
    return (Path(name) / RESULT_FILE).is_file()


def learned_in(folder: Path, *, quiet: bool = False) -> LearnResult:
    """Return what was learned, with its probabilities; without its table where that is gone."""
    if not is_folder(folder):
        raise ds.ParameterError(f'"{folder}" is not a folder of dagscape learn')
    result = ds.load_result(folder / RESULT_FILE)
    weighed = folder / POSTERIOR_FILE
    table: ds.Data | None = None
    try:
        table = table_of(folder)
    except ds.DagscapeError as error:
        if not quiet:
            note(f"without its table: {error}")
    network: ds.Network | None = None
    if table is None and (folder / NETWORK_FILE).is_file():
        found = ds.read_network(folder / NETWORK_FILE)
        network = found if found.dag == result.dag else None
    known = {each.name: getattr(result, each.name) for each in fields(ds.Result)}
    known |= {"data": table, "network": network}
    return LearnResult(**known, posterior=load_posterior(weighed) if weighed.exists() else None)


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


def earlier_in(folder: Path, out: Path) -> LearnResult:
    """Return what an earlier folder has; refuse the one that is to be filled."""
    found = learned_in(folder)
    if folder.resolve() == out.resolve():
        raise ds.ParameterError(
            f'"{folder}" is the folder that would be filled; name another with --out'
        )
    return found


def read_alike(folder: Path, reading: Reading) -> Reading:
    """Return how a table is read: as the earlier one was, unless options say how."""
    noted = noted_in(folder).get("source")
    if reading.given or not isinstance(noted, dict):
        return reading
    before = Reading.from_dict(noted)
    if before != replace(reading, strict=True):
        note(f"read as the table of {folder} was: {' '.join(before.options(reading))}")
    return before


def refuse_other_columns(table: ds.Data, earlier: LearnResult, folder: Path) -> None:
    """Refuse a table of other columns before any work is done on it."""
    if odd := sorted({*table.names} ^ {*earlier.dag.names}):
        where = f'"{folder}" has no column' if odd[0] in table.names else "the table has no column"
        near = suggest(odd[0], [name for name in odd if name != odd[0]])
        raise ds.ParameterError(f'{where} "{odd[0]}"{near}; both must have the same columns')
