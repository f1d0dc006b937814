"""The package's sentences in the words of the command line.

The package speaks to those who call it from Python: ``choose missing="drop"``. Here such words
become options of the command that runs, and advice that only Python can follow is left out.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from shlex import quote

Options = Mapping[str, str]
"""The options of a command by the names of its settings: ``{"max_parents": "--max-parents"}``."""

_spoken: ContextVar[Options] = ContextVar("spoken")

_WORD = r'"[^"]*"|\'[^\']*\''
_CUT = r'\("\w+", \w+\)'
_VALUE = rf'(?:{_WORD}|{_CUT}|\{{"[^"]*": {_CUT}\}})'
_VALUES = rf"{_VALUE}(?:(?:, | or ){_VALUE})*"

# What has no option: declared states, other words for missing values, types of frames.
_ONLY_IN_PYTHON = (
    (r"(?s); or declare its states with states=\{.*", ""),
    (r", or read it with missing_values=\(\)", ""),
    (r" or add them to missing_values", ""),
    (r"make them integers \(pandas: [^;]*", "write them without a point"),
    (r"; use Cpdag\.from_pdag to complete it", ""),
    (r"; score a Dag$", "; score a network"),
)


@contextmanager
def speaking(options: Options) -> Iterator[None]:
    """Let sentences speak of these options, while a command runs."""
    before = _spoken.set(options)
    try:
        yield
    finally:
        _spoken.reset(before)


def in_options(sentence: str) -> str:
    """Return a sentence that speaks of options where it spoke of settings."""
    options = _spoken.get({})
    for phrase, instead in _ONLY_IN_PYTHON:
        sentence = re.sub(phrase, instead, sentence)
    if not options:
        return sentence
    names = "|".join(map(re.escape, options))
    sentence = re.sub(
        rf"(?<![\w\"-])({names})=({_VALUES})",
        lambda found: f"{options[found[1]]} {_values(found[2])}",
        sentence,
    )
    sentence = re.sub(
        rf'(^|[^"\w-])({names})(?= must be | = | names )',
        lambda found: f"{found[1]}{options[found[2]]}",
        sentence,
    )
    sentence = re.sub(
        r'(?<= must be one of )"[^"]*"(?:, "[^"]*")*', lambda found: _values(found[0]), sentence
    )
    if "leave_out" in options and (name := _column(sentence)):
        advice = f"leave it out ({options['leave_out']} {quote(name)})"
        sentence = sentence.replace("leave it out", advice)
    return sentence


def _column(sentence: str) -> str:
    """Return the column that a sentence is about, or nothing."""
    _, found, rest = sentence.partition('column "')
    end = re.search(r'" (?:has|holds) ', rest)
    return rest[: end.start()] if found and end else ""


def in_shell(setting: str, value: object) -> str:
    """Write a setting as the option of the command that runs; "" where it has none.

    A tuple is a choice, a dict has rules by column.
    """
    option = _spoken.get({}).get(setting, "")
    if option and isinstance(value, tuple):
        *most, last = map(str, value)
        return f"{option} {', '.join(most)} or {last}" if most else f"{option} {last}"
    if option and isinstance(value, dict):
        rules = (f"{column}={rule}:{parts}" for column, (rule, parts) in value.items())
        return f"{option} {quote(','.join(rules))}"
    return option


def _values(text: str) -> str:
    return re.sub(_VALUE, lambda found: _value(found[0]), text)


def _value(text: str) -> str:
    """Return a value as one writes it in a shell."""
    if text.startswith("{"):
        name, _, rule = text[1:-1].partition(": ")
        return quote(f"{name[1:-1]}={_value(rule)}")
    if text.startswith("("):
        rule, _, count = text[1:-1].partition(", ")
        return f"{rule[1:-1]}:{count.upper()}"
    return "tab" if text == r"'\t'" else quote(text[1:-1])
