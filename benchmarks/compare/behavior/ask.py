"""Try a tool on many tables, each in a fork of a process that has the tool imported.

So that a crash ends one try and not all of them, and a library is imported once.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.compare.behavior import frames
from benchmarks.compare.behavior.tools import Tool, load_tool

AS_IT_IS = ("text", "categories", "integers", "floats")
"""Questions of what a tool takes, so nothing is done to these columns first."""
SHUFFLES = 5
MOST_SECONDS = 10.0

Outcome = dict[str, Any]


def ask(tool: str) -> dict[str, Outcome]:
    """Return what came of each odd table."""
    known = load_tool(tool)
    return {question: _in_a_fork(partial(_try, known, question)) for question in frames.ODD_FRAMES}


def ask_again(tool: str, *, often: bool) -> dict[str, Outcome]:
    """Return what is found in a network: once; often, with columns shuffled, in threads."""
    known = load_tool(tool)
    frames.network(0)  # made once, before the forks

    def one(shuffle: int | None, threads: int | None = None) -> Outcome:
        ready = known.take(known.states(frames.network(known.columns, shuffle)))
        if threads is not None and known.with_threads is not None:
            return _graph(known.with_threads(ready, threads))
        return _graph(known.climb(ready))

    tries = {"once": partial(one, None)}
    if often:
        tries["again"] = partial(one, None)
        tries |= {f"shuffle {i}": partial(one, i) for i in range(1, SHUFFLES + 1)}
    if often and known.with_threads is not None:
        tries |= {f"{i} threads": partial(one, None, i) for i in (1, 2, 4)}
    return {name: _in_a_fork(some) for name, some in tries.items()}


def _try(tool: Tool, question: str) -> Outcome:
    frame = frames.ODD_FRAMES[question]()
    given = frame if question in AS_IT_IS else tool.states(frame)
    before = given.copy(deep=True)
    outcome = _graph(tool.climb(tool.take(given)))
    return outcome | {"changed": not given.equals(before)}


def _graph(found: dict[str, Any]) -> Outcome:
    return {name: [[str(a), str(b)] for a, b in found[name]] for name in ("arcs", "undirected")}


def _in_a_fork(work: Callable[[], Outcome]) -> Outcome:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _tell(work, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGPROF:
        return {"status": "over"}
    if status < 0:
        return {"status": "crash", "why": signal.Signals(-status).name}
    outcome: Outcome = json.loads(said)
    return outcome


def _tell(work: Callable[[], Outcome], writing: int) -> None:
    """Work in the child, and end it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        outcome = {"status": "done", **work()}
    except BaseException as error:  # whatever it is, it is the answer
        lines = str(error).strip().splitlines()
        first = f"{type(error).__name__}: {lines[0] if lines else 'without a word'}"
        outcome = {"status": "refused", "why": first[:300], "named": frames.ODD in str(error)}
    with os.fdopen(writing, "w", encoding="utf-8") as pipe:
        json.dump(outcome, pipe)
    os._exit(0)
