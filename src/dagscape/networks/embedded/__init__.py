"""Published networks that ship with the package, for examples and tests.

The tables are the published figures as the bnlearn repository prints them, in this project's own
JSON (one ``.json.gz`` for each, without a clock in it), each with its literature reference.
"""

from __future__ import annotations

import gzip
from importlib import resources
from typing import TYPE_CHECKING

from dagscape.errors import ParameterError
from dagscape.networks.json_format import parse_json
from dagscape.variables import suggest

if TYPE_CHECKING:
    from dagscape.networks.network import Network

_ENDING = ".json.gz"


def embedded_networks() -> tuple[str, ...]:
    """Return the names that :func:`load_network` knows."""
    files = (file.name for file in resources.files(__name__).iterdir())
    return tuple(sorted(name[: -len(_ENDING)] for name in files if name.endswith(_ENDING)))


def load_network(name: str) -> Network:
    """Return a published network by name, such as ``"asia"`` or ``"alarm"``.

    Its ``reference`` says where it was published; :func:`embedded_networks` lists the names.
    """
    known = embedded_networks()
    if not isinstance(name, str) or name not in known:
        hint = suggest(name.lower(), known) if isinstance(name, str) else ""
        raise ParameterError(
            f'unknown network "{name}"{hint}{" Known are" if hint else "; choose"} '
            f"{', '.join(known)}; to read a file, use read_network"
        )
    raw = resources.files(__name__).joinpath(name + _ENDING).read_bytes()
    return parse_json(gzip.decompress(raw).decode(), name).network(name)
