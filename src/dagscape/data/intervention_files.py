"""What experiments did, in a text file, TOML, for the command line and for keeping with data."""

from __future__ import annotations

import os
from dataclasses import fields

from dagscape.data.interventions import Interventions
from dagscape.errors import FileFormatError, ParameterError
from dagscape.files.text import read_text
from dagscape.files.toml import parse_toml
from dagscape.variables import suggest


def read_interventions(path: str | os.PathLike[str]) -> Interventions:
    """Read from a TOML file what experiments did; its keys are those of :class:`Interventions`.

    Examples
    --------
    A column that names each row's targets, and what inhibitors set them to::

        column = "target"
        how = "randomized"
        values = {Mek = "LOW"}

    Columns of conditions; a list where the table shows what the targets were::

        [conditions]
        u0126 = {Mek = "LOW"}
        ly = ["Akt"]
        cd3_cd28 = []
    """
    content = parse_toml(read_text(path), path, "experiments")
    known = [each.name for each in fields(Interventions)]
    for name in content:
        if name not in known:
            raise FileFormatError(
                f'{path}: unknown key "{name}"; choose {", ".join(known)}{suggest(name, known)}'
            )
    try:
        return Interventions(**content)
    except ParameterError as error:
        raise FileFormatError(f"{path}: {error}") from None
