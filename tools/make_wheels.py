"""Make wheels for the Pythons that are here, repair them, and try each in a fresh environment.

    python tools/make_wheels.py                      # every Python from 3.11 on that is found
    python tools/make_wheels.py /opt/python3.11 ...  # these alone

From 3.12 on one wheel serves all. A wheel is tried by every Python that it is for: installed where
no compiler is used, it learns a network from a table and shows it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
OLDEST, STABLE = (3, 11), (3, 12)

TRIAL = """
import dagscape as ds

data = ds.load_network("asia").sample(500, seed=1)
data.write("asia.csv")
assert ds.exact(data, score="bic").optimal
print(ds.__version__, ds.__file__)
"""


def main() -> None:
    """Make, repair and try."""
    pythons = {version(path): path for path in map(Path, sys.argv[1:])} or found()
    pythons = {number: path for number, path in sorted(pythons.items()) if number >= OLDEST}
    if not pythons:
        sys.exit(f"no Python from {OLDEST[0]}.{OLDEST[1]} on was found; name some")
    DIST.mkdir(exist_ok=True)
    stable: Path | None = None
    for number, python in pythons.items():
        if number >= STABLE and stable is not None:
            print(f"{name(number)}: {stable.name} serves it")
            wheel = stable
        else:
            wheel = repaired(built(python))
            stable = wheel if number >= STABLE else stable
        tried(wheel, python)
        print(f"{name(number)}: {wheel.name} works")


def found() -> dict[tuple[int, int], Path]:
    """Return every Python by its version: on the path, and where pyenv keeps them."""
    places = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places += sorted(kept.glob("*/bin"))
    pythons = {}
    for place in places:
        for path in sorted(place.glob("python3.*")):
            if re.fullmatch(r"python3\.\d+", path.name) and any(number := version(path)):
                pythons.setdefault(number, path)
    return pythons


def version(python: Path) -> tuple[int, int]:
    """Return the version of an interpreter that can make environments; (0, 0) for what is none."""
    asked = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    numbers = done.stdout.split()
    return (int(numbers[0]), int(numbers[1])) if done.returncode == 0 else (0, 0)


def name(number: tuple[int, int]) -> str:
    """Return a version as people write it."""
    return f"Python {number[0]}.{number[1]}"


def built(python: Path) -> Path:
    """Return the wheel that a Python makes of the sources."""
    with tempfile.TemporaryDirectory() as folder:
        environment = fresh(python, Path(folder, "environment"))
        kept = "--config-settings=build-dir=build/{wheel_tag}"  # what is compiled stays
        run(environment, "-m", "pip", "wheel", "--no-deps", kept, "--wheel-dir", folder, ROOT)
        (wheel,) = Path(folder).glob("*.whl")
        return Path(shutil.copy(wheel, Path(tempfile.mkdtemp(), wheel.name)))


def repaired(wheel: Path) -> Path:
    """Return the wheel with the platform that it runs on in its name, and all it needs in it."""
    if sys.platform != "linux":
        return Path(shutil.copy(wheel, DIST / wheel.name))
    before = set(DIST.glob("*.whl"))
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    words = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", DIST, wheel]
    subprocess.run(words, check=True, env=tools, stdout=subprocess.DEVNULL)
    begin = "-".join(wheel.name.split("-")[:4])
    now = [path for path in DIST.glob("*.whl") if path.name.startswith(begin)]
    return next((path for path in now if path not in before), now[-1])


def tried(wheel: Path, python: Path) -> None:
    """Install a wheel where nothing else is, and learn from a table."""
    with tempfile.TemporaryDirectory() as folder:
        environment = fresh(python, Path(folder, "environment"))
        run(environment, "-m", "pip", "install", "--only-binary", ":all:", wheel)
        run(environment, "-c", TRIAL, where=folder)
        run(environment, "-m", "dagscape", "learn", "asia.csv", "--runs", "0", where=folder)
        if not Path(folder, "asia-learned", "report.html").exists():
            sys.exit(f"{wheel.name} was installed, and dagscape learn wrote no page")


def fresh(python: Path, folder: Path) -> Path:
    """Return the interpreter of a new environment."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    made = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(made, "-m", "pip", "install", "--upgrade", "pip>=25.1")
    return made


def run(python: Path, *words: str | Path, where: str | None = None) -> None:
    """Run an interpreter, and stop with what it said if it fails."""
    quiet = {**os.environ, "PIP_QUIET": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        [python, *words], capture_output=True, text=True, check=False, cwd=where, env=quiet
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\n{python} {words[0]} {words[1]} ... failed")


if __name__ == "__main__":
    main()
