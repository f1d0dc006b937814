"""What is imported at the start: nothing heavy before it is used. Modules are counted."""

from __future__ import annotations

import ast
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import dagscape as ds
from dagscape.cli.app import app
from dagscape.cli.commands import COMMANDS
from limits import WAIT

pytestmark = pytest.mark.slow

HEAVY = (
    "dagscape._core",
    "highspy",
    "matplotlib",
    "narwhals",
    "networkx",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "scipy",
)
STUB = Path(ds.__file__).with_suffix(".pyi")


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has imported after some code."""
    told = "\nimport json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code + told],
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_by("import dagscape")
    assert not loaded.intersection((*HEAVY, "rich", "typer"))
    assert {name for name in loaded if name.startswith("dagscape.")} == {
        "dagscape.import_path",
        "dagscape.starting",
        "dagscape.lazy_names",
    }


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_the_commands_are_listed_without_importing_them(words):
    code = f"import sys; sys.argv = ['dagscape', *{words}]\nfrom dagscape.cli import main\n"
    loaded = loaded_by(code + "try:\n    main()\nexcept SystemExit:\n    pass")
    assert not loaded.intersection(HEAVY)
    assert not loaded.intersection(f"dagscape.cli.{name}_command" for name in COMMANDS)


def test_learning_needs_no_graph_library_no_solver_and_no_terminal():
    code = "import dagscape as ds\nds.learn(ds.load_network('asia').sample(200, seed=1), runs=20)"
    assert not loaded_by(code).intersection(("highspy", "networkx", "rich", "scipy", "pandas"))


def test_every_public_name_can_be_had_and_is_listed():
    code = (
        "import dagscape as ds\n"
        "assert set(ds.__all__) <= set(dir(ds))\n"
        "for name in ds.__all__: assert getattr(ds, name) is not None, name\n"
        "from dagscape import *\n"
        "assert callable(posterior) and posterior is ds.posterior"
    )
    assert "dagscape.posteriors" in loaded_by(code)


def test_no_module_has_the_name_of_a_public_name():
    modules = {module.name for module in pkgutil.iter_modules(ds.__path__)}
    assert {"posteriors", "search"} <= modules
    assert not modules.intersection(ds.__all__), "importing the module would hide the other"


def test_functions_that_use_the_package_go_to_other_processes():
    cloudpickle = pytest.importorskip("cloudpickle")  # as joblib, Dask, Ray and Spark have it

    def asked(names: list[str]) -> object:
        return ds.Dag(names, [(names[0], names[1])]).arcs, ds.posterior.__name__

    asked.__module__ = "__main__"  # as in a notebook
    packed = cloudpickle.dumps(asked)
    assert len(packed) < 2_000  # the package's name, not what is in it
    code = f"import pickle; asked = pickle.loads({packed!r}); print(asked(['a', 'b']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=WAIT
    )
    assert done.stdout == "((('a', 'b'),), 'posterior')\n", done.stderr


def test_the_stub_imports_and_exports_the_same_names():
    tree = ast.parse(STUB.read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    names = {alias.name: node.module for node in imports for alias in node.names}
    exported = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert sorted(names) == sorted(exported) == sorted(ds.__all__)
    assert all(alias.asname is None for node in imports for alias in node.names)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'lern'"):
        _ = ds.lern


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    command = typer.main.get_command(app).whole(name)
    assert " ".join(command.help.split("\n\n")[0].split()) == COMMANDS[name].summary
    assert command.name == name
