"""``dagscape mcp`` with the client of the official package, where that is installed."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import dagscape as ds

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    mcp = pytest.importorskip("mcp")
    anyio = pytest.importorskip("anyio")

from mcp import Client, ClientSession, StdioServerParameters, stdio_client

from dagscape.mcp import server
from dagscape.mcp.permissions import Permissions

TOOLS = ["check", "learn", "posterior", "query", "effect", "examine"]

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


def finished(talk: Callable[[], Awaitable[Any]]) -> Any:
    """Run it to its end in a thread of its own: an open browser keeps the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, talk).result()


@pytest.mark.slow
def test_over_standard_input_and_output(tmp_path):
    ds.load_network("asia").sample(200, seed=0).write(tmp_path / "asia.csv")
    (tmp_path / "out").mkdir()
    paths = [str(Path(ds.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    started = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "dagscape", "mcp", "--write", "out"],
        cwd=tmp_path,
        env={"PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )

    async def talk():
        async with stdio_client(started) as (read, write), ClientSession(read, write) as session:
            told = await session.initialize()
            assert "claim" in told.instructions
            tools = (await session.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            assert all(tool.description for tool in tools)
            calls = [
                ("check", {"table": "asia.csv"}),
                ("learn", {"table": "asia.csv", "max_parents": 1, "save": "asia"}),
                ("query", {"network": "out/asia.json", "targets": ["lung"]}),
                ("check", {"table": "../asia.csv"}),
                ("learn", {"table": "asia.csv", "max_parent": 1}),
            ]
            return [await session.call_tool(name, given) for name, given in calls]

    check, learn, query, outside, misspelt = finished(talk)
    assert check.structured_content["claim"] == "nothing to mend"
    assert learn.structured_content["scope"]["max_parents"] == 1
    assert "at most 1 parent" in learn.structured_content["claim"]
    assert json.loads(learn.content[0].text) == learn.structured_content
    assert query.structured_content["answers"][0]["targets"] == ["lung"]
    assert outside.is_error
    assert "outside the folder" in outside.content[0].text
    assert misspelt.is_error
    assert 'learn has no argument "max_parent"; it has table' in misspelt.content[0].text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import threading; threading.Event().wait()", "took longer than the 1 s"),
        ("raise SystemExit(1)", "was ended by the system"),
    ],
)
def test_a_process_that_does_not_answer_is_ended(monkeypatch, tmp_path, code, said):
    monkeypatch.setattr(server, "WORKER", [sys.executable, "-c", code])
    monkeypatch.setattr(server, "GRACE", 0.0)
    made = server.made(Permissions.of(tmp_path, None, 1, 10**9))

    async def talk():
        async with Client(made) as client:
            return await client.call_tool("check", {"table": "t.csv"})

    found = finished(talk)
    assert found.is_error
    assert said in found.content[0].text
