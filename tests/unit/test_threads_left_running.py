"""How Python ends while threads of it still hold or compute something: without a word."""

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
PROGRAM = """
import threading
import dagscape as ds

data = ds.load_network("asia").sample(200, seed=1)
reached = threading.Event()
here = []

def work():{}
threading.Thread(target=work, daemon=True).start()
reached.wait()
"""


@pytest.mark.slow
@pytest.mark.parametrize("work", [HOLDS, COMPUTES], ids=["holds", "computes"])
def test_a_thread_left_running_lets_python_end(work: str) -> None:
    program = [sys.executable, "-c", PROGRAM.format(work)]
    ended = subprocess.run(program, capture_output=True, text=True, timeout=WAIT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
