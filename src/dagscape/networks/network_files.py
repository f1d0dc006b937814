"""Network files of every format, chosen by the ending of the name."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dagscape.errors import DagscapeError, FileFormatError, ParameterError
from dagscape.files.endings import NETWORKS
from dagscape.files.text import ending_of, read_bytes, share_as_new
from dagscape.networks.bif import read_bif, write_bif
from dagscape.networks.json_format import read_json, write_json
from dagscape.networks.network import refuse_numbers
from dagscape.networks.pgmpy_and_pyagrum import from_pyagrum, to_pyagrum
from dagscape.networks.r_script import read_r, write_r
from dagscape.networks.xdsl import read_xdsl, write_xdsl
from dagscape.networks.xmlbif import read_xmlbif, write_xmlbif
from dagscape.other_libraries import load_library

if TYPE_CHECKING:
    from collections.abc import Callable

    from dagscape.networks.network import Network

FilePath = str | os.PathLike[str]


class _NetworkFormat(NamedTuple):
    read: Callable[[FilePath], Network]
    write: Callable[[Network, FilePath], None]
    gzip: bool


def read_network(path: FilePath) -> Network:
    """Read a network; the ending of the name says how.

    ``.bif``, ``.xmlbif``, ``.bifxml`` or ``.xml``, ``.xdsl`` (GeNIe), and ``.json`` (this project's
    own), each also with ``.gz``; ``.net`` (Hugin) through the optional pyAgrum.
    """
    return _format(path).read(path)


def write_network(net: Network, path: FilePath) -> None:
    """Do what :meth:`Network.write` says."""
    _format(path).write(net, path)


def _read_pyagrum(path: FilePath) -> Network:
    gum = load_library("pyagrum", "pyagrum")
    read_bytes(path)  # the usual sentences for a file that is not there
    try:
        return from_pyagrum(gum.loadBN(os.fspath(path)))
    except DagscapeError as error:
        raise FileFormatError(f"{os.fspath(path)}: {error}") from None
    except Exception as error:  # whatever pyAgrum makes of it
        reason = " ".join(str(error).split())
        raise FileFormatError(f'pyAgrum cannot read "{os.fspath(path)}": {reason}') from None


def _write_pyagrum(net: Network, path: FilePath) -> None:
    refuse_numbers(net, f"{Path(path).suffix} files have")
    gum = load_library("pyagrum", "pyagrum")
    path = Path(path)
    try:
        folder = tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ParameterError(f'"{path}" cannot be written: {error.strerror}') from None
    temporary = Path(folder, path.name)
    try:
        try:
            gum.saveBN(to_pyagrum(net), str(temporary))
            back = _read_pyagrum(temporary)
        except Exception as error:
            reason = " ".join(str(error).replace(str(temporary), path.name).split())
            raise ParameterError(
                f"pyAgrum cannot write this network as {path.suffix}; use .json: {reason}"
            ) from None
        if not _same(net, back):  # it mends labels and names it does not like, without a word
            raise ParameterError(
                f'"{path}" was not written: pyAgrum\'s {path.suffix} would change names, states or '
                "probabilities of this network; use .json"
            )
        share_as_new(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
        os.rmdir(folder)


def _same(net: Network, other: Network) -> bool:
    """Tell whether two networks are equal up to the digits a text format prints."""
    if net.dag != other.dag or dict(net.states) != dict(other.states):
        return False
    for x in net.names:
        axes = [other.dag.parents(x).index(p) for p in net.dag.parents(x)]
        theirs = other.table(x).transpose(*axes, len(axes))
        if not np.allclose(net.table(x), theirs, rtol=0, atol=1e-5):
            return False
    return True


_FORMATS = {
    "bif": _NetworkFormat(read_bif, write_bif, gzip=True),
    "xmlbif": _NetworkFormat(read_xmlbif, write_xmlbif, gzip=True),
    "json": _NetworkFormat(read_json, write_json, gzip=True),
    "xdsl": _NetworkFormat(read_xdsl, write_xdsl, gzip=True),
    "net": _NetworkFormat(_read_pyagrum, _write_pyagrum, gzip=False),
    "r": _NetworkFormat(read_r, write_r, gzip=False),
}


def _format(path: FilePath) -> _NetworkFormat:
    ending = ending_of(path)
    if ending not in NETWORKS:
        known = ", ".join(NETWORKS)
        raise ParameterError(
            f'"{os.fspath(path)}" has no ending of a network file; choose {known} '
            "(.gz may follow all but .net and .r)"
        )
    found = _FORMATS[NETWORKS[ending]]
    if Path(path).suffix.lower() == ".gz" and not found.gzip:
        raise ParameterError(f'"{os.fspath(path)}": {ending} files are not read or written as .gz')
    return found
