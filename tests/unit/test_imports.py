"""The tool that keeps imports and includes pointing one way."""

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_imports.py"

SOUND = {
    "core/error.hpp": "#pragma once\n#include <vector>\n",
    "core/varset/wide_set.hpp": '#include "varset/var.hpp"\n#include "error.hpp"\n',
    "core/graphs/dag.cpp": '#include "graphs/dag.hpp"\n#include "varset/wide_set.hpp"\n',
    "core/scores/bic.cpp": '#include "counts/counter.hpp"\n#include "data/table.hpp"\n',
    "src/dagscape/__init__.pyi": "from dagscape.graphs import Dag\n",
    "src/dagscape/errors.py": "import math\n",
    "src/dagscape/graphs/__init__.py": "from dagscape.graphs.dag import Dag\n",
    "src/dagscape/graphs/dag.py": "import numpy\nfrom dagscape import _core\n",
    "src/dagscape/scores.py": "from dagscape.graphs import Dag\nimport dagscape.data.read\n",
    "src/dagscape/cli/app.py": "import dagscape as ds\nfrom dagscape import cli\n",
    "src/dagscape/report/page.py": "import dagscape as ds\nfrom dagscape.report import page\n",
    "src/dagscape/results.py": "def f():\n    from dagscape.report import page\n",
    "src/dagscape/landscape/models.py": "if TYPE_CHECKING:\n    from dagscape.report import page\n",
}


@pytest.fixture
def check(tmp_path, capsys):
    """Return what checks a tree of files: exit code and lines printed."""

    def run(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        tool = load(tmp_path / "tools" / TOOL.name, TOOL.read_text("utf-8"))
        return tool.main(), capsys.readouterr().out.splitlines()

    return run


def load(path, text=None):
    """Import the tool from a path, after writing it there if a text is given."""
    if text is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("check_imports", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_our_own_tree_passes(capsys):
    code = load(TOOL).main()
    assert (code, capsys.readouterr().out) == (0, "imports point one way\n")


@pytest.mark.slow
def test_our_own_tree_is_read():
    tool = load(TOOL)
    assert ("metrics", "scores") in {found[2:] for found in tool.package_imports()}
    assert ("graphs", "varset") in {found[2:] for found in tool.core_includes()}


def test_a_sound_tree_passes(check):
    assert check(SOUND) == (0, ["imports point one way"])


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("src/dagscape/errors.py", "import dagscape.graphs\n", "1: errors must not use graphs"),
        ("src/dagscape/__init__.pyi", "import dagscape.cli\n", "1: __init__ must not use cli"),
        (
            "src/dagscape/graphs/dag.py",
            "\nfrom dagscape.scores import x\n",
            "2: graphs must not use scores",
        ),
        (
            "src/dagscape/data/build.py",
            "from dagscape import graphs\n",
            "1: data must not use graphs",
        ),
        ("src/dagscape/scores.py", "from dagscape import Dag\n", "1: scores must not use __init__"),
        (
            "src/dagscape/scores.py",
            "from .graphs import Dag\n",
            "1: scores must not use a relative import",
        ),
        (
            "src/dagscape/cli/app.py",
            "from dagscape.stores import x\n",
            "1: cli must not use stores",
        ),
        ("src/dagscape/extra.py", "import dagscape.errors\n", "1: extra must not use errors"),
        (
            "src/dagscape/graphs/dag.py",
            "def f():\n    from dagscape.metrics import shd\n",
            "2: graphs must not use metrics",
        ),
        (
            "src/dagscape/scores.py",
            "if TYPE_CHECKING:\n    from dagscape.networks import Network\n",
            "2: scores must not use networks",
        ),
        (
            "src/dagscape/results.py",
            "from dagscape.report import page\n",
            "1: results must not use report",
        ),
        (
            "src/dagscape/store.py",
            "def f():\n    from dagscape.report import page\n",
            "2: store must not use report",
        ),
        (
            "src/dagscape/report/page.py",
            "from dagscape.scores import x\n",
            "1: report must not use scores",
        ),
        ("core/graphs/dag.cpp", '#include "scores/bic.hpp"\n', "1: graphs must not use scores"),
        ("core/graphs/dag.hpp", '\n#include "data/table.hpp"\n', "2: graphs must not use data"),
        ("core/error.hpp", '#include "varset/var.hpp"\n', "1: error must not use varset"),
        ("core/log_gamma.hpp", '#include "scores/bic.hpp"\n', "1: log_gamma must not use scores"),
        *(
            (f"core/{room}/x.cpp", f'#include "{seen}/y.hpp"\n', f"1: {room} must not use {seen}")
            for room in ("parents", "search/equivalence", "search/greedy", "search/local")
            for seen in ("data", "counts", "scores")
        ),
        ("core/data/table.hpp", '#include "nowhere/x.hpp"\n', "1: data must not use nowhere"),
    ],
)
def test_a_wrong_import_is_named(check, name, text, complaint):
    assert check({**SOUND, name: text}) == (1, [f"{name}:{complaint}"])


def test_all_wrong_imports_are_listed(check):
    wrong = {
        "src/dagscape/errors.py": "import dagscape.scores, dagscape.data\n",
        "core/error.hpp": '#include "data/table.hpp"\n',
    }
    assert check({**SOUND, **wrong}) == (
        1,
        [
            "core/error.hpp:1: error must not use data",
            "src/dagscape/errors.py:1: errors must not use scores",
            "src/dagscape/errors.py:1: errors must not use data",
        ],
    )
