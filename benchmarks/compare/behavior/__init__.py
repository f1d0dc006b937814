"""How tools behave: what they make of odd tables, of Ctrl-C, and whether they answer alike twice.

``frames.py`` has the tables, ``tools.py`` how each tool takes one, ``ask.py`` and ``interrupt.py``
run in the child process, and ``verdicts.py`` turns what came into a word.
"""

from __future__ import annotations

from typing import Any


def answer(tool: str, what: str) -> dict[str, Any]:
    """Do what a job asks: "tables", "again", "once" or "interrupt"."""
    from benchmarks.compare.behavior.ask import ask, ask_again
    from benchmarks.compare.behavior.interrupt import interrupt

    if what == "interrupt":
        return interrupt(tool)
    return ask(tool) if what == "tables" else ask_again(tool, often=what == "again")
