"""One call, in a process of its own: a request on standard input, an answer on standard output."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

import dagscape as ds
from dagscape.mcp.permissions import Permissions
from dagscape.mcp.tools import TOOLS, finite

LEAST_ROOM = 4_000_000_000
"""Bytes of address space beside the memory of a call: libraries map more than they use."""


def main() -> None:
    """Answer the one request."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer
    request = json.loads(sys.stdin.read())
    permissions = Permissions.from_dict(request["permissions"])
    _limit_memory(permissions.memory)
    warnings.simplefilter("ignore")  # what they say is among the notes
    told: dict[str, Any]
    try:
        told = {"answer": finite(TOOLS[request["tool"]](permissions, **request["arguments"]))}
    except ds.DagscapeError as error:
        told = {"error": str(error)}
    except MemoryError:
        told = {"error": "the memory for a call does not suffice; ask of fewer columns or rows"}
    except (TypeError, ValueError, KeyError, AttributeError, OSError) as error:
        told = {"error": f"{request['tool']} cannot be answered: {error}"}
    if "error" in told:  # names files as the caller does
        told["error"] = told["error"].replace(os.path.join(permissions.read, ""), "")
    json.dump(told, answers, ensure_ascii=False, allow_nan=False)
    answers.flush()


def _limit_memory(memory: int) -> None:
    """Let no more be taken, where the system can be told so."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory + LEAST_ROOM, memory + LEAST_ROOM))


if __name__ == "__main__":
    main()
