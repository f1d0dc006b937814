"""The recipe for conda names the version and the packages of the project."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_is_about_this_version_and_its_packages():
    recipe = (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f'version = "{project["version"]}"' in recipe
    run = recipe[recipe.index("  run:") : recipe.index("test:")]
    said = dict(re.findall(r"- ([\w.-]+) (>=[\d.]+)", run))
    needed = dict(
        re.match(r"([\w.-]+)(>=[\d.]+)", words).groups() for words in project["dependencies"]
    )
    assert said == needed | {"python": project["requires-python"]}
