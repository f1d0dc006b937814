"""The directive ``commands``: a section for each command, from what its ``--help`` says."""

from __future__ import annotations

import inspect
import re
from typing import Any

import typer
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from dagscape.cli.app import app as command_line

HELP = "--help"


class Commands(Directive):
    """Describe every command of the command line, in the order of its help."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        group: Any = typer.main.get_command(command_line)
        return [_section(name, group.whole(name)) for name in group.commands]


def _section(name: str, command: Any) -> nodes.section:
    section = nodes.section(ids=[f"dagscape-{name}"], names=[f"dagscape {name}"])
    section += nodes.title("", "", nodes.literal("", f"dagscape {name}"))
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        section += nodes.paragraph("", "", *text(paragraph))
    parameters = [each for each in command.params if HELP not in each.opts]
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name == "option"]
    usage = " ".join((*map(_usage, arguments), "[OPTIONS]"))
    section += _console(f"dagscape {name} {usage}")
    if command.epilog:
        section += nodes.paragraph("", "For example:")
        section += _console(command.epilog.removeprefix("Example: "))
    for title, group in (("Argument", arguments), ("Option", options)):
        if group:
            section += table((title, ""), [_row(each) for each in group])
    return section


def _console(command: str) -> nodes.literal_block:
    return nodes.literal_block("", f"$ {command}", language="console")


def _usage(argument: Any) -> str:
    return _metavar(argument) if argument.required else f"[{_metavar(argument)}]"


def _metavar(parameter: Any) -> str:
    """Return what stands for a value of the parameter."""
    if parameter.metavar or parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    return {int: "N", float: "X"}.get(type(parameter.default), parameter.name.upper())


def _row(parameter: Any) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return what a parameter is called, and what it is."""
    if parameter.param_type_name == "argument":
        names = [_metavar(parameter)]
    else:
        names = sorted((*parameter.opts, *parameter.secondary_opts), key=len)
        if not parameter.is_flag:
            names[-1] += f" {_metavar(parameter)}"
    called: list[nodes.Node] = []
    for name in names:
        called += [nodes.Text(", "), nodes.literal("", name)]
    return called[1:], text(f"{parameter.help or ''}{_default(parameter)}")


def _default(parameter: Any) -> str:
    """Return the default in words."""
    shown = parameter.show_default
    if isinstance(shown, str):
        return f" Default: {shown}."
    if parameter.required or parameter.default in (None, False, ()) or not shown:
        return ""
    return f" Default: ``{parameter.default}``."


def text(words: str) -> list[nodes.Node]:
    """Return words in which options are set as code."""
    found: list[nodes.Node] = []
    for part in re.split(r"(``[^`]+``|(?<!\w)--?[a-z][a-z-]*)", " ".join(words.split())):
        if part.startswith(("``", "-")):
            found.append(nodes.literal("", part.strip("`")))
        elif part:
            found.append(nodes.Text(part))
    return found


def table(titles: tuple[str, ...], rows: list[tuple[list[nodes.Node], ...]]) -> nodes.table:
    """Return a table of two columns."""
    whole = nodes.table(classes=["options"])
    group = nodes.tgroup(cols=len(titles))
    whole += group
    for width in (30, 70):
        group += nodes.colspec(colwidth=width)
    head = nodes.thead()
    head += _cells([[nodes.Text(title)] for title in titles])
    body = nodes.tbody()
    for row in rows:
        body += _cells(list(row))
    group += [head, body]
    return whole


def _cells(contents: list[list[nodes.Node]]) -> nodes.row:
    row = nodes.row()
    for content in contents:
        row += nodes.entry("", nodes.paragraph("", "", *content))
    return row


def setup(sphinx: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directive."""
    sphinx.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
