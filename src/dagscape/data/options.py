"""How a table is to be read, checked before any work is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dagscape.arguments import as_mapping
from dagscape.data.columns import MAX_STATES
from dagscape.data.discretize import Cut, Discretize, check_rule
from dagscape.data.kinds import Kind, Kinds, check_kinds
from dagscape.data.labels import is_half
from dagscape.data.missing import Missing, check_missing
from dagscape.errors import ParameterError
from dagscape.speech import setting
from dagscape.variables import suggest


@dataclass(frozen=True, slots=True)
class Options:
    """Declared states, how to discretize, what to do with missing values, the seed."""

    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rule: Cut | None = None  # for every column of floats
    rules: Mapping[str, Cut] = field(default_factory=dict)  # for columns by name
    missing: Missing = "error"
    seed: int = 0
    kinds: Mapping[str, Kind] = field(default_factory=dict)  # by column; the rest go by the rule

    @classmethod
    def check(
        cls,
        *,
        states: Mapping[str, Sequence[object]] | None,
        discretize: Discretize,
        missing: str,
        seed: int,
        kinds: Kinds = None,
    ) -> Options:
        """Return the options, or raise a ParameterError that names the wrong one."""
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise ParameterError(f"{setting('seed')} must be an integer of 0 or more, got {seed!r}")
        labeled = as_mapping("states", states, "lists of labels")
        declared = {name: check_labels(name, labels) for name, labels in labeled.items()}
        rule, rules = None, {}
        if isinstance(discretize, Mapping):
            rules = {name: check_rule(each) for name, each in discretize.items()}
        elif discretize is not None:
            rule = check_rule(discretize)
        if both := sorted(declared.keys() & rules.keys()):
            raise ParameterError(
                f'column "{both[0]}" is in both states and {setting("discretize")}; choose one'
            )
        said = check_kinds(kinds)
        free = {name for name, kind in said.items() if kind != "ordered"}  # states may be, too
        for option, taken in (
            ("states", free & declared.keys()),
            ("discretize", said.keys() & rules.keys()),
        ):
            if both := sorted(taken):
                raise ParameterError(
                    f'column "{both[0]}" is in both {setting("kinds")} and {setting(option)}; '
                    "choose one"
                )
        return cls(declared, rule, rules, check_missing(missing), int(seed), said)

    def check_names(self, names: Sequence[str]) -> None:
        """Raise a ParameterError if an option speaks of a column that is not there."""
        named = {"states": self.states, "discretize": self.rules, "kinds": self.kinds}
        for option, wanted in named.items():
            for name in wanted:
                if name not in names:
                    hint = suggest(name, names) if isinstance(name, str) else ""
                    raise ParameterError(
                        f'{setting(option)} names "{name}", which is not a column{hint}'
                    )
        for column, rule in (("", self.rule), *self.rules.items()):
            if rule is None or not rule.target:
                continue
            if rule.target not in names:
                raise ParameterError(
                    f'{setting("discretize")} names "{rule.target}", which is not a column'
                    f"{suggest(rule.target, names)}"
                )
            if rule.target == column:
                raise ParameterError(
                    f'{setting("discretize")} cuts "{column}" by itself; name another column'
                )


def check_labels(name: str, labels: Iterable[object]) -> tuple[str, ...]:
    """Return declared states as strings, each once."""
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise ParameterError(f'states of "{name}" must be a list of labels, got {labels!r}')
    given = list(labels)
    for label in given:
        if not isinstance(label, (str, int, np.integer, np.bool_)):
            raise ParameterError(
                f'states of "{name}" must be strings, integers or booleans, got {label!r}'
            )
    texts = tuple(str(label) for label in given)
    if half := next(filter(is_half, texts), None):
        raise ParameterError(
            f'states of "{name}" hold half a character (a lone surrogate): {half!r}; replace it'
        )
    if not 1 <= len(texts) <= MAX_STATES:
        raise ParameterError(
            f'"{name}" must have between 1 and {MAX_STATES:,} states, got {len(texts):,}'
        )
    if len(set(texts)) != len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ParameterError(f'the state "{twice}" of "{name}" is declared twice')
    return texts
