"""Imports point one way: a layer uses only layers listed before it; print lines that do not."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CORE = [
    "error",
    "infinity",
    "bytes",
    "clones",
    "instructions",
    "uninitialized",
    "log_gamma",
    "same_score",
    "control",
    "parallel",
    "random",
    "sharded_memo",
    "varset",
    "graphs",
    "set_functions",
    "data",
    "counts",
    "scores",
    "independence",
    "parents",
    "search/order",
    "search/grown",
    "search/exact",
    "search/exact/dynamic_programming",
    "search/exact/systematic",
    "search/exact/integer_program",
    "search/exact/dual_bound",
    "search/exact/order_graph",
    "search/exact/depth_first",
    "search/equivalence",
    "search/greedy",
    "search/wide",
    "search/local",
    "landscape",
    "search/near",
    "posterior",
    "inference",
    "gaps",
]
PACKAGE = [
    "import_path",
    "starting",
    "lazy_names",
    "shows_itself",
    "errors",
    "other_libraries",
    "words",
    "speech",
    "arguments",
    "variables",
    "targets",
    "files",
    "notes",
    "control",
    "_core",
    "graphs",
    "data",
    "intervals",
    "regression",
    "chance",
    "scores",
    "knowledge",
    "claims",
    "executors",
    "graph_files",
    "parents",
    "defaults",
    "problem",
    "shared_arguments",
    "scoring",
    "selection",
    "networks",
    "results",
    "search",
    "repeats",
    "metrics",
    "stores",
    "landscape",
    "gaps",
    "posteriors",
    "result_files",
    "over_time",
    "hidden_causes",
    "misfits",
    "learning",
    "effects",
    "prediction",
    "examinations",
    "comparisons",
    "__init__",
    "report",
    "sklearn",
    "mcp",
    "cli",
    "__main__",
]
# What searches may see. Of data and score that is a function of sets of variables: never the table,
# its counts or a particular score.
SEARCHES = {*CORE} - {"instructions", "log_gamma", "data", "counts", "scores"}
# What the rooms of exact search may see: what all of them share, and not each other.
EXACT = (
    SEARCHES
    - {"set_functions", "independence"}
    - {r for r in CORE if r.startswith("search/exact/")}
)
# Layers that see less than all that comes before them.
CORE_ONLY = {
    "inference": {"error", "control", "parallel", "varset"},
    "graphs": {"error", "varset"},
    "set_functions": {
        "error",
        "control",
        "parallel",
        "instructions",
        "same_score",
        "sharded_memo",
        "varset",
    },
    "data": {"error", "varset"},
    "independence": {"control", "log_gamma", "varset", "set_functions"},
    "parents": SEARCHES,
    "search/order": SEARCHES - {"set_functions", "independence"},  # lists of parent sets alone
    "search/grown": SEARCHES,
    "search/exact": EXACT,
    "search/exact/dynamic_programming": EXACT,
    "search/exact/systematic": EXACT,
    "search/exact/integer_program": EXACT,
    "search/exact/dual_bound": EXACT | {"search/exact/integer_program"},
    "search/exact/order_graph": EXACT | {"search/exact/integer_program", "search/exact/dual_bound"},
    "search/exact/depth_first": EXACT
    | {"search/exact/integer_program", "search/exact/dual_bound", "search/exact/order_graph"},
    "search/equivalence": SEARCHES - {"parents"},
    "search/local": SEARCHES,
    "search/greedy": SEARCHES,
    "search/wide": SEARCHES,
    "posterior": SEARCHES - {"independence"} | {"landscape"},
    "gaps": {
        *("error", "control", "parallel", "random", "varset", "set_functions", "data"),
        *("scores", "inference", "sharded_memo"),
    },
}
# Those who show results see the public names, and the types of the facts in them.
FACTS = {
    "claims",
    "hidden_causes",
    "landscape",
    "learning",
    "networks",
    "posteriors",
    "regression",
}
PACKAGE_ONLY = {
    "graphs": {
        "arguments",
        "shows_itself",
        "other_libraries",
        "errors",
        "speech",
        "targets",
        "variables",
        "_core",
    },
    "data": {
        "arguments",
        "shows_itself",
        "import_path",
        "errors",
        "words",
        "speech",
        "variables",
        "targets",
        "files",
        "notes",
        "control",
        "_core",
    },
    "cli": FACTS
    | {
        "comparisons",
        "data",
        "effects",
        "errors",
        "graph_files",
        "mcp",
        "scores",
        "search",
        "selection",
        "shared_arguments",
        "starting",
        "variables",
        "__init__",
        "words",
        "speech",
        "files",
        "notes",
        "control",
    },
    "report": FACTS
    | {"arguments", "effects", "examinations", "comparisons", "__init__", "words", "notes"},
    "sklearn": {"__init__", "prediction", "search", "variables"},
    "mcp": {"__init__", "words"},
    "executors": {"errors", "speech", "control"},
    "__main__": {"cli"},
}
# Layers whose objects show themselves by a later one, imported when that is asked for, not before;
# and results, which hold what later ones made of them.
LATE = {
    ("results", "landscape"),
    ("shows_itself", "report"),
    ("results", "report"),
    ("landscape", "report"),
    ("posteriors", "report"),
    ("examinations", "report"),
    ("comparisons", "report"),
}


def core_layer(parts: tuple[str, ...]) -> str:
    """Return the layer of a file of the engine: its folder, or its room where search has them."""
    if len(parts) == 1:
        return Path(parts[0]).stem
    return "/".join(parts[:-1][:3]) if parts[0] == "search" else parts[0]


def core_includes() -> Iterator[tuple[Path, int, str, str]]:
    """Yield file, line, layer and layer included, for the C++ engine."""
    for path in sorted((ROOT / "core").rglob("*.?pp")):
        layer = core_layer(path.relative_to(ROOT / "core").parts)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := re.match(r'#include "([^"]+)"', line):
                yield path, number, layer, core_layer(tuple(found[1].split("/")))


def package_imports() -> Iterator[tuple[Path, int, str, str]]:
    """Yield file, line, layer and layer imported, for the Python package."""
    source = ROOT / "src" / "dagscape"
    for path in sorted((*source.rglob("*.py"), *source.glob("__init__.pyi"))):
        layer = path.relative_to(source).parts[0].removesuffix(".pyi").removesuffix(".py")
        tree = ast.parse(path.read_text("utf-8"))
        late = {id(node) for part in ast.walk(tree) if is_late(part) for node in ast.walk(part)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                if node.level:
                    yield path, node.lineno, layer, "a relative import"
                modules = [node.module or ""]
                if node.module == "dagscape":
                    names = [alias.name for alias in node.names]
                    modules = [
                        f"dagscape.{name}" if name in PACKAGE else "dagscape" for name in names
                    ]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            else:
                continue
            for module in modules:
                if module.split(".")[0] == "dagscape":
                    parts = module.split(".")
                    used = parts[1] if len(parts) > 1 else "__init__"
                    if id(node) not in late or (layer, used) not in LATE:
                        yield path, node.lineno, layer, used


def is_late(node: ast.AST) -> bool:
    """Tell whether what is inside is not run when the file is imported."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef)


def wrong(layers: list[str], only: dict[str, set[str]], layer: str, used: str) -> bool:
    """Tell whether a layer may not use another."""
    if layer == used:
        return False
    if layer not in layers or used not in layers:
        return True
    return layers.index(used) > layers.index(layer) or used not in only.get(layer, {used})


def main() -> int:
    """Check both languages; return the exit code."""
    broken = [
        f"{path.relative_to(ROOT)}:{line}: {layer} must not use {used}"
        for layers, only, found in (
            (CORE, CORE_ONLY, core_includes()),
            (PACKAGE, PACKAGE_ONLY, package_imports()),
        )
        for path, line, layer, used in found
        if wrong(layers, only, layer, used)
    ]
    print("\n".join(broken) or "imports point one way")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
