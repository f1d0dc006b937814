"""A posterior on its way to a file and back."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dagscape.arguments import file_path
from dagscape.control.limits import use_count
from dagscape.errors import DagscapeError, FileFormatError, ParameterError
from dagscape.notes import Note
from dagscape.posteriors.classes import ProbableClass
from dagscape.posteriors.estimates import Estimates
from dagscape.posteriors.halves import Halves, half_and_half
from dagscape.posteriors.posterior_files import KIND, PosteriorStore
from dagscape.problem import Terms
from dagscape.variables import Variables

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.posteriors.posterior import Posterior

KEPT_CLASSES = 1000
"""The most probable classes that a file keeps."""


JUMPS = 1
"""How chains on the data jump: those that jump otherwise, or not at all, are other chains."""


def settings(seed: int, bagged: bool, rounds: int) -> dict[str, Any]:
    """Return what posteriors must have in common to be kept together, beside the problem.

    Parameters
    ----------
    rounds
        Of each chain, where chains take the place of sums; else 0.
    """
    shared: dict[str, Any] = {"bagged": bagged, "seed": seed, "rounds": rounds}
    return {**shared, "jumps": JUMPS} if rounds and not bagged else shared


def save(posterior: Posterior, path: str | os.PathLike[str]) -> None:
    """Write a posterior under a temporary name and move it into place."""
    to = file_path(path)
    if to.is_dir():
        raise ParameterError(f'"{to}" is a folder; name a file in it')
    temporary = to.with_name(f".{to.name}.{os.getpid()}.tmp")
    found = posterior._estimates
    found.draw()
    own = settings(found.seed, bool(found.asked), found.rounds)
    shared = found.terms.identity_on(posterior._fingerprint, KIND, **own)
    try:
        with PosteriorStore(temporary, shared, posterior.names) as store:
            store.add(found.pieces)
            store.tell("about", about(posterior))
            if isinstance(found, Halves):
                plain = packed(posterior.plain) if posterior.plain else b""
                store.tell("half", {"plain": b64encode(plain).decode("ascii")})
            store.add_classes(
                (c._code, c.probability, c.lower, c.upper, c.score or 0.0, int(c.proven))
                for c in found.classes[:KEPT_CLASSES]
            )
        os.replace(temporary, to)
    except OSError as error:
        raise ParameterError(f'"{to}" cannot be written: {error.strerror}') from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def packed(posterior: Posterior) -> bytes:
    """Return what :func:`save` writes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "posterior.sqlite"
        save(posterior, path)
        return path.read_bytes()


def unpacked(content: bytes, data: Data | None) -> Posterior:
    """Return the posterior that was packed, with the table it was made from."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "posterior.sqlite"
        path.write_bytes(content)
        found = load_posterior(path)
    for each in (found, found.plain, found.resampled):
        if each is not None:
            each._estimates.data = data
    return found


def about(posterior: Posterior) -> dict[str, Any]:
    """Return what there is to tell beside numbers."""
    found = posterior._estimates
    return {
        "asked": found.asked,
        "seconds": (posterior.resampled or posterior).seconds,
        "stopped": posterior.stopped,
        "empty": posterior.empty,
        "log_prior_total": None if found.asked else found.prior_total,
        "notes": [note.to_dict() for note in posterior.notes],
        "experiments": {name: dict(each) for name, each in found.experiments.items()},
    }


def load_posterior(path: str | os.PathLike[str]) -> Posterior:
    """Read what :meth:`Posterior.save` wrote, or what a `store` has kept so far.

    It tells the same probabilities. Networks to sample are those that were drawn when it was made.
    """
    from dagscape.posteriors.posterior import (
        Posterior,  # it saves itself, so it imports this module
    )

    with PosteriorStore.read(path) as store:
        kept = store.settings
        kind = kept.get("kind")
        if isinstance(kind, str) and kind != KIND:
            raise FileFormatError(f'"{path}" holds runs of {kind}, not a {KIND}')
        try:
            terms = Terms.from_words(kept)
            variables = Variables(store.names)
            about = store.facts_of("about")
            pieces = store.pieces()
            unscored = any(piece.chain is not None and piece.chain.completed for piece in pieces)
            classes = [
                ProbableClass(
                    p, low, high, None if unscored else score, bool(proven), code, variables
                )
                for code, p, low, high, score, proven in store.classes()
            ]
            notes = [Note.from_dict(each) for each in about.get("notes", [])]
            total, stopped = about.get("log_prior_total"), about.get("stopped")
            estimates = Estimates(
                variables,
                terms,
                tuple(pieces),
                seed=int(kept["seed"]),
                asked=int(about.get("asked", len(pieces))) if kept["bagged"] else 0,
                rounds=use_count("rounds", kept["rounds"]),
                kept_classes=classes,
                kept_prior_total=None if total is None else float(total),
                experiments={
                    str(name): {str(x): str(how) for x, how in each.items()}
                    for name, each in about.get("experiments", {}).items()
                },
            )
            found = Posterior(
                estimates,
                fingerprint=str(kept["data"]),
                seconds=float(about.get("seconds", 0.0)),
                stopped=None if stopped is None else str(stopped),
                notes=notes,
            )
            if half := store.facts_of("half"):
                plain = unpacked(b64decode(half["plain"], validate=True), None)
                estimates.kept_classes = ()
                found = half_and_half(plain, found)
                found._estimates.kept_classes = classes
            found.scope.to_dict()  # refuses a limit that makes no sense
            if any(piece.networks is None for piece in pieces):
                raise ValueError("networks are drawn before they are saved")
        except FileFormatError:
            raise
        except (
            *(DagscapeError, AttributeError, KeyError, TypeError, ValueError),
            *(OverflowError, RecursionError),
        ):
            raise FileFormatError(f'"{path}" is damaged: its settings cannot be read') from None
    if not pieces and about.get("empty") is not True:
        raise FileFormatError(f'"{path}" is empty: no table was done before it was stopped')
    return found
