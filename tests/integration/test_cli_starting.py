"""Ctrl-C in the first moments of a command, while it imports what it needs."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from limits import WAIT

SLOW = f"""
import sys, time, types
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "dagscape.cli":
            print("importing", file=sys.stderr, flush=True)
            time.sleep({WAIT})
sys.meta_path.insert(0, Slow())
"""


@pytest.mark.parametrize("how", ["module", "script"])
def test_no_traceback_while_importing(how, tmp_path):
    """Imports are made to hang, so that the signal comes in the midst of them on any machine."""
    (tmp_path / "sitecustomize.py").write_text(SLOW, "utf-8")
    script = Path(sys.executable).with_name("dagscape")
    words = [sys.executable, "-m", "dagscape"] if how == "module" else [str(script)]
    with subprocess.Popen(
        [*words, "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=WAIT)
    assert (process.returncode, said) == (130, "dagscape: interrupted\n")


def test_the_package_leaves_ctrl_c_alone_in_python():
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import dagscape; "
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=WAIT)
    assert done.returncode == 0


def test_a_command_minds_ctrl_c_itself_once_it_runs():
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.argv = ['dagscape', 'sample', 'asia', '-n', '1']; "
        "import dagscape; from dagscape.starting import _leave; "
        "assert signal.getsignal(signal.SIGINT) is _leave\n"
        "from dagscape.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=WAIT)
    assert done.returncode == 0
