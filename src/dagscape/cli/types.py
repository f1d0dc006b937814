"""What columns hold, from the words of ``--types``, ``--continuous`` and ``--discrete``."""

from __future__ import annotations

from collections.abc import Iterable

import dagscape as ds

KINDS = {
    "continuous": "continuous",
    "states": "discrete",
    "discrete": "discrete",
    "ordered": "ordered",
}


def as_types(
    types: str | None, continuous: Iterable[str], discrete: Iterable[str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the kinds of columns, and the states of those whose order is given."""
    kinds: dict[str, str] = {}
    states: dict[str, list[str]] = {}
    said: dict[str, str] = {}
    for part in [] if types is None else types.split(","):
        name, sign, kind = part.rpartition("=")
        if not sign or not name or (kind not in KINDS and "<" not in kind):
            raise ds.ParameterError(
                f"--types must name a column and its kind ({', '.join(KINDS)}, or words in their "
                f'order: small<medium<large), such as age=ordered; got "{part}"'
            )
        _say(said, name, "--types")
        if "<" in kind:
            states[name] = kind.split("<")
        else:
            kinds[name] = KINDS[kind]
    for option, names in (("--continuous", continuous), ("--discrete", discrete)):
        for name in names:
            _say(said, name, option)
            kinds[name] = option.removeprefix("--")
    return kinds, states


def _say(said: dict[str, str], name: str, option: str) -> None:
    """Refuse a column that two options speak of."""
    if said.setdefault(name, option) != option:
        raise ds.ParameterError(f'column "{name}" is in both {said[name]} and {option}')
