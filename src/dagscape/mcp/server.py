"""The tools as agents see them, over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import dagscape as ds
from dagscape.mcp.permissions import Permissions
from dagscape.words import duration, size

GRACE = 5.0
"""Seconds for starting and ending a process, beside the time for a call."""

WORKER = [sys.executable, "-P", "-m", "dagscape.mcp.tool_process"]
"""The process of a call; nothing is imported from the folder it is started in."""

INSTRUCTIONS = """\
dagscape learns Bayesian networks from tables and says how far to trust them. Begin with check:
its answer has "reading", which the other tools take as it is. Every answer has a "claim" with its
"scope": say no more than the claim does. "optimal" is said of networks within the scope;
probabilities hold under the score and prior that are named; arcs are causes only if no common cause
is missing from the table. Whether "open" edges are there is not known."""

Table = Annotated[
    str, Field(description="A table under the folder of the server: .csv, .tsv, .parquet, .arrow")
]
Reading = Annotated[
    dict[str, Any] | None, Field(description='How it is read: the "reading" that check told')
]
Score = Annotated[
    str | None, Field(description='Such as "bic" or "bdeu(ess=1)"; chosen by a rule if not given')
]
Prior = Annotated[
    str | None, Field(description='"uniform", "fair" or "edges(neighbors=1)", on structures')
]
MaxParents = Annotated[int | None, Field(description="The most parents of a variable")]
Known = Annotated[
    dict[str, Any] | None,
    Field(
        description='"required" and "forbidden": lists of arcs [from, to]; "tiers": lists of '
        'variables, the earlier ones first; "roots", "leaves": variables; "max_parents": a number '
        "by variable"
    ),
]
Kind = Annotated[str, Field(description="arcs, adjacencies, ancestors, blankets, edges or paths")]
Least = Annotated[float, Field(description="Features that are less probable are left out")]
Save = Annotated[
    str | None, Field(description="A name without an ending, for a network file and a page")
]
NetworkFile = Annotated[
    str | None, Field(description="Under the folder of the server: .bif, .json, .xmlbif, .xdsl")
]
Given = Annotated[dict[str, Any] | None, Field(description="What is known: states by variable")]
Do = Annotated[dict[str, str] | None, Field(description="What somebody sets: states by variable")]
Drawn = Annotated[
    list[list[str]] | str, Field(description="Arcs as pairs, from and to; or a graph file")
]


# The tools: their descriptions and arguments, which are all that they return here.


def check(table: Table) -> dict[str, Any]:
    """Look for everything that may be wrong with a table, before anything is learned.

    Returns a sentence for each problem, and "reading": settings that the other tools take.
    """
    return locals()


def learn(
    table: Table,
    reading: Reading = None,
    score: Score = None,
    prior: Prior = None,
    max_parents: MaxParents = None,
    knowledge: Known = None,
    seed: int = 0,
    save: Save = None,
) -> dict[str, Any]:
    """Learn a network from a table, and say what to trust in it.

    Returns the best one found, whether it is proven to be the best, how probable each edge is and a
    word for how far to trust it. With save, also a network file and a page, in the folder for
    files.
    """
    return locals()


def posterior(
    table: Table,
    reading: Reading = None,
    kind: Kind = "arcs",
    least: Least = 0.05,
    score: Score = None,
    prior: Prior = None,
    max_parents: MaxParents = None,
    knowledge: Known = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Tell how probable arcs, or other features of networks, are, given the table."""
    return locals()


def query(
    targets: list[str],
    network: NetworkFile = None,
    table: str | None = None,
    reading: Reading = None,
    given: Given = None,
    do: Do = None,
) -> dict[str, Any]:
    """Tell the distribution of some variables, given others or with some set by somebody.

    Of a network file, or of the network that is learned from a table first.
    """
    return locals()


def effect(
    table: Table,
    cause: str,
    outcome: str,
    reading: Reading = None,
    score: Score = None,
    prior: Prior = None,
    max_parents: MaxParents = None,
    knowledge: Known = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Estimate what setting a cause does to an outcome, with intervals.

    Averaged over the networks that the table leaves possible. Needs every common cause to be in the
    table.
    """
    return locals()


def examine(
    table: Table,
    graph: Drawn,
    reading: Reading = None,
    score: Score = None,
    prior: Prior = None,
    max_parents: MaxParents = None,
    knowledge: Known = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Set a graph beside a table, to see whether it is right.

    Returns how far below the best network it is, and which of its arcs, and of the independences
    that it implies, the table denies.
    """
    return locals()


TOOLS = {each.__name__: each for each in (check, learn, posterior, query, effect, examine)}
"""The tools by name."""


def refuse_unknown(tool: str, arguments: Mapping[str, Any]) -> None:
    """Refuse an argument that a tool does not have: a misspelt limit would make a claim false."""
    known = signature(TOOLS[tool]).parameters if tool in TOOLS else arguments
    if unknown := [name for name in arguments if name not in known]:
        raise ToolError(f'{tool} has no argument "{unknown[0]}"; it has {", ".join(known)}')


def serve(permissions: Permissions) -> None:
    """Answer on standard input and output until the input ends."""
    made(permissions).run("stdio")


def made(permissions: Permissions) -> Any:
    """Return the server."""
    server: Any = MCPServer(
        "dagscape", instructions=INSTRUCTIONS, version=ds.__version__, log_level="ERROR"
    )
    turn = anyio.Lock()  # a call may use all cores, and all of the memory for a call

    async def ask(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in arguments.items() if value is not None}
        request = {"tool": tool, "arguments": given, "permissions": permissions.to_dict()}
        async with turn:
            with anyio.move_on_after(permissions.seconds + GRACE) as scope:
                done = await anyio.run_process(  # ends the process if it is cancelled
                    WORKER,
                    input=json.dumps(request).encode(),
                    stderr=subprocess.DEVNULL,
                    check=False,
                )
        if scope.cancelled_caught:
            raise ToolError(
                f"{tool} took longer than the {duration(permissions.seconds)} for a call and was "
                "ended; ask of fewer columns, or give max_parents"
            )
        if done.returncode or not done.stdout:
            raise ToolError(
                f"{tool} was ended by the system; it may need more than the "
                f"{size(permissions.memory)} for a call"
            )
        told: dict[str, Any] = json.loads(done.stdout)
        if "error" in told:
            raise ToolError(told["error"])
        answer: dict[str, Any] = told["answer"]
        return answer

    def asking(tool: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
        @wraps(tool)
        async def asked(*args: Any, **arguments: Any) -> dict[str, Any]:
            return await ask(tool.__name__, tool(*args, **arguments))

        return asked

    for tool in TOOLS.values():
        server.tool()(asking(tool))
    answered = server.call_tool

    async def call_tool(name: str, arguments: dict[str, Any], *rest: Any) -> Any:
        refuse_unknown(name, arguments)  # which the server's own check would pass over
        return await answered(name, arguments, *rest)

    server.call_tool = call_tool
    return server
