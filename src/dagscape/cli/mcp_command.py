"""``dagscape mcp``: tools for agents, over standard input and output."""

from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.shared_options import as_bytes
from dagscape.mcp.permissions import Permissions


def mcp(
    write: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where files may be written; nowhere without it."),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="S", help="Seconds for a call; then its process is ended.")
    ] = 120.0,
    max_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Memory for a call, such as 4GB.")
    ] = "2GB",
) -> None:
    """Serve agents by the Model Context Protocol, over standard input and output.

    The tools are check, learn, posterior, query, effect and examine; answers are claims with their
    scope, as JSON. Files are read under the folder that the command is started in and nowhere else,
    and written into --write alone. Nothing is sent over a network. Needs the extra dagscape[mcp].
    """
    try:
        from dagscape.mcp.server import serve
    except ImportError:
        raise ds.ParameterError(
            'this needs the package mcp, which is not installed: pip install "dagscape[mcp]"'
        ) from None
    serve(Permissions.of(Path.cwd(), write, time_limit, as_bytes(max_memory)))
