"""Compare the stub of the compiled module with the module itself; `--write` makes it anew."""

import difflib
import subprocess
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

from dagscape import _core

STUB = Path(__file__).resolve().parent.parent / "src" / "dagscape" / "_core.pyi"


def generated() -> str:
    """Return the stub of the module as it is, formatted like the rest of the package."""
    generator = StubGen(_core)
    generator.put(_core)
    ruff = [
        Path(sys.executable).parent / "ruff",
        "format",
        "--quiet",
        "--stdin-filename",
        STUB,
        "-",
    ]
    formatted = subprocess.run(
        ruff, input=generator.get(), capture_output=True, text=True, check=True
    )
    return formatted.stdout


def main() -> int:
    """Write or compare the stub; return the exit code."""
    stub = generated()
    if "--write" in sys.argv:
        STUB.write_text(stub, "utf-8")
        return 0
    kept = STUB.read_text("utf-8") if STUB.exists() else ""
    difference = "".join(
        difflib.unified_diff(
            kept.splitlines(True), stub.splitlines(True), "_core.pyi", "the module"
        )
    )
    print(difference or "the stub fits the module")
    if difference:
        print("run `make stub`")
    return bool(difference)


if __name__ == "__main__":
    sys.exit(main())
