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
ENDLESS = f"ds.hill_climb(data, restarts=None, time_limit={AMPLE}, progress=tell)"
STOPPED = f"""
def tell(*_):
    raise KeyboardInterrupt
kept.append({ENDLESS})
assert kept[-1].stopped == "interrupt"
"""
FAILS = f"""
def tell(*_):
    raise ValueError("no more")
{ENDLESS}
"""
FAILED_BEFORE = f"""
def tell(*_):
    raise ValueError("no more")
try:
    {ENDLESS}
except ValueError as error:
    kept = error, kept
"""
IN_THREADS = """
import pickle, threading
here, own = [], threading.local()

def work():
    own.kept = pickle.loads(pickle.dumps([ds.exact(data), data]))
    here.extend(own.kept)

threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
OWN_SCORE = """
few = lambda child, parents, counts: -float(len(parents))
score = ds.ScoreFunction("few", few, equivalent=False)
kept.append(ds.hill_climb(data, score=score))
"""
"""The function holds all names of the program, its tables too, which keep what they score."""
LAST = {
    "ends": "",
    "interrupted": STOPPED,
    "fails": FAILS,
    "failed before": FAILED_BEFORE,
    "threads": IN_THREADS,
    "own score": OWN_SCORE,
}


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
def test_nothing_is_left_behind() -> None:
    for name, last in LAST.items():
        found = ended(
            BEGINS + TELLS + (MUCH if name in ("ends", "fails") else "kept = [kept]\n") + last
        )
        assert "leaked" not in found.stderr, name
        assert found.returncode == (name == "fails"), (name, found.stderr)
        assert ("ValueError: no more" in found.stderr) == (name == "fails"), name
