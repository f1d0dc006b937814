"""No test depends on how fast or how busy a machine is; print the lines that may.

A number of seconds in a test is a guess about a machine. So tests pass only those that
``tests/limits.py`` names, each with the reason why any machine agrees with it. What is refused
elsewhere in ``tests/``:

* a number of seconds for what is tested: ``time_limit=2``, ``{"time_limit": 2}``,
  ``"--time-limit", "2"``, ``timeout=2``;
* ``sleep`` and ``wait_for_timeout`` with a number.

Numbers that no limit may be (0, -1, nan) are allowed: they are there to be refused.
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = ROOT / "tests" / "limits.py"

SETTINGS = {"time_limit", "time_per_variable", "timeout"}
OPTIONS = {"--time-limit", "--time-per-variable", "--timeout"}
WAITS = {"sleep", "wait_for_timeout"}


def main() -> int:
    """Print every number of seconds that a test should not have; return the exit code."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != NAMED
        for line, what in seconds_in(path.read_text("utf-8"))
    ]
    for line in found:
        print(line)
    if found:
        print("name the seconds in tests/limits.py, or stop at a counted moment (stop_at)")
    return 1 if found else 0


def seconds_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a test that have a number of seconds, and what they pass it to."""
    for node in ast.walk(ast.parse(source)):
        for name, value in _passed(node):
            if _is_limit(value):
                yield value.lineno, f"{name} {ast.unparse(value)}"


def _passed(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Call):
        yield from ((word.arg, word.value) for word in node.keywords if word.arg in SETTINGS)
        if _name(node.func) in WAITS:
            yield from ((_name(node.func), value) for value in node.args)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in SETTINGS:
                yield str(key.value), value
    words = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
    for option, value in itertools.pairwise(words):
        if isinstance(option, ast.Constant) and option.value in OPTIONS:
            yield str(option.value), value


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_limit(value: ast.expr) -> bool:
    if not isinstance(value, ast.Constant) or not isinstance(value.value, (int, float, str)):
        return False
    try:
        return 0 < float(value.value) < float("inf") and not isinstance(value.value, bool)
    except ValueError:
        return False


if __name__ == "__main__":
    sys.exit(main())
