"""How Python ends: without a word, whatever still holds or computes something."""

import subprocess
import sys

import pytest

from limits import AMPLE, WAIT

HOLDS = """
    here.append(ds.exact(data))
    reached.set()
    threading.Event().wait()
"""
COMPUTES = f"""
    ds.hill_climb(data, restarts=None, time_limit={AMPLE}, progress=lambda *_: reached.set())
"""
WITH_A_THREAD = """
import threading
import dagscape as ds

data = ds.load_network("asia").sample(200, seed=1)
reached = threading.Event()
here = []

def work():{}
threading.Thread(target=work, daemon=True).start()
reached.wait()
"""
BEGINS = """
import ctypes
import dagscape as ds
from dagscape import _core

data = ds.load_network("asia").sample(200, seed=1)
kept = ds.exact(data, algorithm="astar")
"""
TELLS = "_core.warn_of_leaks()\n"
HELD_ELSEWHERE = "ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept.dag))\n"
"""As a module of C may, which does not let go of what it was given."""
MUCH = """
kept = [kept, ds.learn(data), ds.posterior(data), ds.kes(data), ds.local_optima(data, runs=9)]
kept.append(ds.effect(kept[2], "smoke", "lung"))

class Circle: pass
circle = Circle()
circle.itself, circle.kept = circle, kept
"""
STOPPED = """
def stop(*_):
    raise KeyboardInterrupt
ds.hill_climb(data, restarts=None, progress=stop)
"""
FAILS = """
def fail(*_):
    raise ValueError("no more")
ds.hill_climb(data, restarts=None, progress=fail)
"""


def ended(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=WAIT, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("work", [HOLDS, COMPUTES], ids=["holds", "computes"])
def test_a_thread_left_running_lets_python_end(work: str) -> None:
    found = ended(WITH_A_THREAD.format(work))
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.slow
def test_what_others_hold_is_not_told():
    assert not ended(BEGINS + HELD_ELSEWHERE).stderr
    assert "leaked" in ended(BEGINS + TELLS + HELD_ELSEWHERE).stderr


@pytest.mark.slow
@pytest.mark.parametrize("last", ["", STOPPED, FAILS], ids=["ends", "interrupted", "fails"])
def test_nothing_is_left_behind(last: str) -> None:
    found = ended(BEGINS + TELLS + MUCH + last)
    assert "leaked" not in found.stderr
    assert ("Traceback" in found.stderr) == bool(found.returncode)
