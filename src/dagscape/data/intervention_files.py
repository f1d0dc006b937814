"""What experiments did, in a text file, TOML, for the command line and for keeping with data."""

from __future__ import annotations

import os
from dataclasses import fields

from dagscape.data.interventions import Interventions
from dagscape.files.toml import made_of, read_toml


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
    known = [each.name for each in fields(Interventions)]
    return made_of(read_toml(path, "experiments", known), path, Interventions)
