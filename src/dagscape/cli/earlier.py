"""What an earlier ``dagscape learn`` left in a folder, with its table if that is still there."""

from dataclasses import fields
from pathlib import Path

import dagscape as ds
from dagscape.cli.effect import table_of
from dagscape.cli.folder import POSTERIOR_FILE
from dagscape.cli.inputs import NETWORK_FILE
from dagscape.cli.output import note
from dagscape.learning import Learned
from dagscape.posteriors import load_posterior

RESULT_FILE = "result.json"


def is_folder(name: str | Path) -> bool:
    """Tell whether a folder is one of learn."""
    return (Path(name) / RESULT_FILE).is_file()


def learned_in(folder: Path, *, quiet: bool = False) -> Learned:
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
    return Learned(
        **{each.name: getattr(result, each.name) for each in fields(ds.Result)},
        data=table,
        network=network,
        posterior=load_posterior(weighed) if weighed.exists() else None,
    )
