"""Files of results, of every kind: which one a file holds, and the network that a search found.

A network is JSON; runs of a search and a posterior are SQLite.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.metadata import version as installed_version
from typing import Any, TypeVar, overload

from dagscape.arguments import file_path
from dagscape.claims.claim import WithoutKnowledge
from dagscape.claims.scopes import Scope
from dagscape.errors import DagscapeError, FileFormatError, ParameterError
from dagscape.files.plain_values import depth_refused, parse
from dagscape.files.text import read_text, refuse_too_many
from dagscape.graphs import Dag
from dagscape.landscape import Landscape, load_landscape
from dagscape.notes import Note
from dagscape.posteriors import Posterior, load_posterior
from dagscape.results import KIND, STORED, Result
from dagscape.scores import SCORES, Score, score_from_dict
from dagscape.stores.work_store import stored_kind

Kind = TypeVar("Kind", Result, Landscape, Posterior)


@overload
def load_result(path: str | os.PathLike[str]) -> Any: ...
@overload
def load_result(path: str | os.PathLike[str], kind: type[Kind]) -> Kind: ...
def load_result(
    path: str | os.PathLike[str], kind: type[Any] | None = None
) -> Result | Landscape | Posterior:
    """Read what was saved: a result, the runs in a store, or a posterior.

    The file says which. A result that :meth:`Result.save` wrote comes back equal. A store of runs,
    which may still be growing, gives their optima. A posterior tells the same probabilities, of a
    store those that are there so far; networks to sample are those that were drawn when it was
    made.

    Parameters
    ----------
    kind
        :class:`Result`, :class:`Landscape` or :class:`Posterior`: any other is refused.
    """
    if kind is None:
        found = stored_kind(file_path(path))
        kind = Result if found is None else Posterior if found == "posterior" else Landscape
    if kind is Result:
        return _load_network(path)
    if kind is Landscape:
        return load_landscape(path)
    if kind is Posterior:
        return load_posterior(path)
    raise ParameterError(f"kind must be Result, Landscape or Posterior, got {kind!r}")


def _load_network(path: str | os.PathLike[str]) -> Result:
    with depth_refused(path, "a result"):
        return result_of(parse(read_text(path), path), path)


def result_of(content: Any, path: str | os.PathLike[str]) -> Result:
    """Return the result that :meth:`Result.to_dict` described; errors name the file it is from."""
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise FileFormatError(f'{path}: not a saved result: "kind" must be "{KIND}"')
    version = content.get("dagscape")
    needed = ("dagscape", "kind", "variables", "arcs", *STORED)
    # None may be left out: without its scope, a proof would claim too much.
    if missing := [name for name in needed if name not in content]:
        raise FileFormatError(f'{path}: the field "{missing[0]}" is missing{_if_newer(version)}')
    if unknown := [name for name in content if name not in (*needed, "claim")]:
        raise FileFormatError(f'{path}: unknown field "{unknown[0]}"{_if_newer(version)}')
    for name in ("variables", "arcs", "notes"):
        if not isinstance(content[name], list):
            raise FileFormatError(f'{path}: "{name}" must be a list, got {content[name]!r}')
    refuse_too_many(len(content["variables"]), path)
    try:
        dag = Dag(content["variables"], content["arcs"])
        stored = {name: content[name] for name in STORED}
        stored["scope"] = Scope.from_dict(stored["scope"])
        stored["score_kind"] = _read_score(stored["score_kind"])
        stored["notes"] = tuple(map(Note.from_dict, stored["notes"]))
        if (free := stored["without_knowledge"]) is not None:
            stored["without_knowledge"] = WithoutKnowledge.from_dict(free)
        return Result(dag=dag, version=content["dagscape"], **stored)
    except DagscapeError as error:
        raise FileFormatError(f"{path}: {error}") from None


def _read_score(values: Any) -> Score | None:
    """Return the score of a saved result; None for one that nobody here knows."""
    name = values.get("name") if isinstance(values, Mapping) else None
    if values is None or (isinstance(name, str) and name not in SCORES):
        return None
    return score_from_dict(values)


def _if_newer(version: object) -> str:
    """Return a hint if a file comes from a later version than this."""
    ours = installed_version("dagscape")
    if isinstance(version, str) and _order(version) > _order(ours):
        return f"; dagscape {version} wrote the file and this is {ours}: update dagscape"
    return ""


def _order(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,9}", version)[:3]]
