"""The engine's files of a folder compile together: none clashes with another, none warns."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"
FOLDERS = sorted({path.parent for path in CORE.rglob("*.cpp")})
FLAGS = "-std=c++20 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -fsyntax-only"


def own_names(path: Path) -> set[str]:
    """Return what a file declares for itself: names, those of functions with what they take."""
    text = re.sub(
        r"//.*|\btemplate\s*<[^>]*>\s*|__attribute__\s*\(\(.*?\)\)\)?", "", path.read_text("utf-8")
    )
    found = set()
    for body in re.findall(r"^namespace \{$(.*?)^\}", text, re.S | re.M):
        for statement in re.findall(r"^[^\s})#].*?[;{]", body, re.S | re.M):
            words = re.sub(r"\s+", " ", statement)
            if words.startswith(("using", "namespace")):
                continue  # the same name for the same type is no clash
            named = re.match(r"(.*?)(\w+) ?([=({;]|:(?!:)|final)(.*)", words)
            if named is not None:
                taken = named[4] if named[3] == "(" else ""
                found.add(f"{named[2]}({taken}" if taken else named[2])
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_differ_within_a_folder(folder):
    """What the compiler finds in minutes, by what is declared, in a moment."""
    files = defaultdict(list)
    for path in sorted(folder.glob("*.cpp")):
        for name in own_names(path):
            files[name].append(path.name)
    assert not {name: where for name, where in files.items() if len(where) > 1}


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_name_clashes(folder, tmp_path):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no GCC is here")
    whole = tmp_path / "whole.cpp"
    files = sorted(folder.glob("*.cpp"))
    whole.write_text("".join(f'#include "{path}"\n' for path in files), "utf-8")
    ran = subprocess.run(
        [compiler, *FLAGS.split(), "-Wno-subobject-linkage", f"-I{CORE}", str(whole)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ran.returncode, ran.stderr[:3000]
