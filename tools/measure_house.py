"""How large and how deep the package is: the numbers of docs/developer/house.md.

``python tools/measure_house.py`` prints a table; ``--files CALL`` lists the files that one enters.
"""

from __future__ import annotations

import argparse
import ast
import io
import math
import os
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "dagscape"
QUIET = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
"""Tokens that are no code."""


def calls() -> dict[str, Callable[[], object]]:
    """Return the calls whose files are counted, on a small table."""
    import dagscape as ds

    for name in ds.__all__:  # what is imported is no longer entered
        getattr(ds, name)
    data = ds.load_network("asia").sample(500, seed=0)
    learned: list[ds.Result] = []
    probable = ds.posterior(data)

    def learn() -> None:
        learned.append(ds.learn(data, runs=20, resamples=5, time_limit=20, threads=1))

    def page() -> None:
        with tempfile.TemporaryDirectory() as folder:
            learned[0].report(Path(folder) / "page.html")

    return {
        "exact": lambda: ds.exact(data),
        "hill_climb": lambda: ds.hill_climb(data),
        "posterior": lambda: ds.posterior(data),
        "effect": lambda: ds.effect(probable, "smoke", "lung"),
        "learn": learn,
        "page": page,
    }


def files_entered() -> dict[str, list[str]]:
    """Return the Python files of the package in which each call runs a function."""
    entered: dict[str, list[str]] = {}
    for name, call in calls().items():
        seen: set[str] = set()

        def look(frame: object, event: str, _: object, seen: set[str] = seen) -> None:
            code = frame.f_code  # type: ignore[attr-defined]
            if event == "call" and code.co_name != "<module>":
                seen.add(code.co_filename)

        sys.setprofile(look)
        try:
            call()
        finally:
            sys.setprofile(None)
        ours = sorted(file for file in seen if file.startswith(str(SOURCE)))
        entered[name] = [os.path.relpath(file, SOURCE) for file in ours]
    return entered


def code_lines(path: Path) -> int:
    """Count the lines that hold code: no docstring, comment, blank line or import."""
    text = path.read_text("utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        string = words and isinstance(node.value.value, str)  # type: ignore[attr-defined]
        if string or isinstance(node, ast.Import | ast.ImportFrom):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # type: ignore[attr-defined]
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in QUIET and token.type != tokenize.ENDMARKER:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - left_out)


def importers() -> Counter[str]:
    """Count for each module the modules of the package that import it, by its full name."""
    found: Counter[str] = Counter()
    names = {module_name(path) for path in SOURCE.rglob("*.py")}
    for path in SOURCE.rglob("*.py"):
        used = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                used.add(node.module)
                used.update(f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                used.update(alias.name for alias in node.names)
        found.update(used & names - {module_name(path)})
    return found


def module_name(path: Path) -> str:
    """Return the name by which a file is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_seconds() -> float:
    """Return the CPU seconds of ``import dagscape``, the least of five."""
    code = "import resource, dagscape; u = resource.getrusage(0); print(u.ru_utime + u.ru_stime)"
    command = [sys.executable, "-c", code]
    return min(float(subprocess.check_output(command, text=True)) for _ in range(5))


def call_seconds() -> dict[str, float]:
    """Return the CPU seconds of learning and of its page, the least of three."""
    spent: dict[str, float] = {}
    for _ in range(3):
        made = calls()
        for name in ("learn", "page"):  # the page is of what was learned
            before = time.process_time()
            made[name]()
            spent[name] = min(time.process_time() - before, spent.get(name, math.inf))
    return spent


def measures() -> dict[str, str]:
    """Return every number by its name."""
    import dagscape as ds

    files = sorted(SOURCE.rglob("*.py"))
    counts = importers()
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    alone = sum(counts[module_name(path)] == 1 for path in files if path.name != "__init__.py")
    longest = max(files, key=lengths.__getitem__)
    entered = {f"files entered by {name}": str(len(each)) for name, each in files_entered().items()}
    return (
        entered
        | {
            "code lines": f"{sum(map(code_lines, files)):,}",
            "files": str(len(files)),
            "longest file": f"{lengths[longest]} ({longest.relative_to(SOURCE)})",
            "modules with one importer": str(alone),
            "public names": str(len(ds.__all__)),
            "CPU seconds of import": f"{import_seconds():.2f}",
        }
        | {f"CPU seconds of {name}": f"{each:.2f}" for name, each in call_seconds().items()}
    )


def main() -> None:
    """Print the numbers, or the files that one call enters."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--files", metavar="CALL", help="list the files that this call enters")
    chosen = options.parse_args().files
    if chosen is not None:
        print(*files_entered()[chosen], sep="\n")
        return
    for name, number in measures().items():
        print(f"| {name} | {number} |")


if __name__ == "__main__":
    main()
