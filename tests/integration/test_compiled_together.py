"""The engine's files of a folder compile together: none clashes with another, none warns."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"
FOLDERS = sorted({path.parent for path in CORE.rglob("*.cpp")})
FLAGS = "-std=c++20 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -fsyntax-only"


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
