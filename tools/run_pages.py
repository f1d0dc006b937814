"""Run the code that pages show, and compare what comes out with what they show.

    python tools/run_pages.py README.md docs            # say where a page is wrong
    python tools/run_pages.py --write docs/tutorial     # write the shown output anew

The blocks of a page run in order, in one folder that is empty at first:

``python``   in one namespace for the page
``sh``       commands, each of which must succeed; a target of make must exist, but is not made
``console``  commands after ``$``, and below each what it shows; ``...`` stands for anything

A comment above a block says what is different about it:

``<!-- output -->``             a block of text: what the Python block before it printed
``<!-- file: a.csv -->``        the block is a file of this name
``<!-- needs: pgmpy -->``       run only where this module or program is there
``<!-- core -->``               C++ that compiles, with such blocks before it, as a part of core
``<!-- fewer: 2000 to 300 -->``  another number does where only the code is tried, not what it gives
``<!-- not run: reason -->``    shown only
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from dagscape.cli.app import app

ROOT = Path(__file__).resolve().parent.parent

RUN = ("python", "sh", "console")
SHOWN = ("", "text", "toml", "json", "cpp")
MARKS = ("output", "file", "needs", "core", "fewer", "not run")

FENCE = re.compile(r"( *)(`{3,})([^`]*)$")
MARK = re.compile(rf"\s*<!-- ({'|'.join(MARKS)})(?:: (.*?))? -->\s*$")
SHELL = set("|<>&;$*`")


class PageError(Exception):
    """What a page shows is not what happens."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    """The number of its first line within the fence, from 1."""
    language: str
    indent: str
    code: str
    mark: str = ""
    words: str = ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def skipped(self) -> str:
        """Why it is not run here; nothing if it is."""
        if self.mark == "not run":
            return self.words
        if self.mark == "needs" and not _is_there(self.words):
            return f"{self.words} is not installed"
        return ""


@dataclass
class Ran:
    """What running a page gave."""

    printed: list[tuple[Block, str]] = field(default_factory=list)
    """What each block printed."""
    files: set[str] = field(default_factory=set)
    """The names of the files written."""
    wrong: list[tuple[Block, str, str]] = field(default_factory=list)
    """Blocks that show what is not so, with the code as it should be, and a sentence."""


def pages_in(*paths: Path) -> list[Path]:
    """Return the pages that are named, and those in folders that are."""
    found = [sorted(path.rglob("*.md")) if path.is_dir() else [path] for path in paths]
    return [page for pages in found for page in pages]


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order; refuse those that nobody can place."""
    found = list(_fenced(page))
    for block in found:
        known = block.language in RUN or block.language in SHOWN
        directive = block.language.startswith("{")
        if not known and not directive and block.mark != "not run":
            raise PageError(f"{block}: a block of {block.language} must be marked <!-- not run -->")
        if block.mark == "output" and block.language != "text":
            raise PageError(f"{block}: output is a block of text")
    return found


def _fenced(page: Path) -> Iterator[Block]:
    lines = page.read_text("utf-8").splitlines()
    number, mark, words = 0, "", ""
    while number < len(lines):
        line = lines[number]
        number += 1
        if found := MARK.match(line):
            mark, words = found[1], found[2] or ""
        elif opened := FENCE.match(line):
            indent, fence, language = opened.groups()
            first = number
            while number < len(lines) and lines[number].strip() != fence:
                number += 1
            code = textwrap.dedent("".join(f"{each}\n" for each in lines[first:number]))
            yield Block(page, first + 1, language.strip(), indent, code, mark, words)
            number, mark = number + 1, ""
        elif line.strip() and mark:
            raise PageError(f"{page}:{number}: a mark must stand just above a block")


def run_page(page: Path, folder: Path, *, fewer: bool = False) -> Ran:
    """Run all blocks of a page in a folder, which becomes the current one meanwhile.

    Parameters
    ----------
    fewer
        Whether to use the smaller numbers that blocks name.
    """
    ran = Ran()
    names: dict[str, Any] = {"__name__": "__main__"}
    before, cwd = dict(os.environ), Path.cwd()
    blocks = blocks_of(page.resolve())
    if fewer:
        blocks = [_with_fewer(block) for block in blocks]
    programs = f"{Path(sys.executable).parent}{os.pathsep}{before['PATH']}"
    os.environ.update(COLUMNS="100", NO_COLOR="1", PATH=programs)
    os.chdir(folder)
    try:
        left_out = False
        for block in blocks:
            if block.mark != "output":
                left_out = bool(block.skipped)
            if not left_out:  # nor is the output of what is left out compared
                _run(block, names, ran)
        _compile([block for block in blocks if block.mark == "core"])
    finally:
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(before)
    ran.files = {path.name for path in folder.iterdir()}
    return ran


def _with_fewer(block: Block) -> Block:
    if block.mark != "fewer":
        return block
    numbers = dict(pair.split(" to ") for pair in block.words.split(", "))
    code = re.sub(r"\b\d+\b", lambda number: numbers.get(number[0], number[0]), block.code)
    if block.code == code:
        raise PageError(f"{block}: it has none of the numbers {', '.join(numbers)}")
    return replace(block, code=code)


def _run(block: Block, names: dict[str, Any], ran: Ran) -> None:
    if block.mark == "file":
        Path(block.words).write_text(block.code, "utf-8")
    elif block.mark == "output":
        if not ran.printed or ran.printed[-1][0].language != "python":
            raise PageError(f"{block}: there is no Python block before this output")
        _compare(block, block.code, ran.printed[-1][1], ran, ran.printed[-1][1])
    elif block.language == "python":
        ran.printed.append((block, _python(block, names)))
    elif block.language == "sh":
        ran.printed.append((block, "".join(_shell(block, line) for line in _commands(block.code))))
    elif block.language == "console":
        _console(block, ran)


def _python(block: Block, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    # Empty lines first, so that a traceback has the line numbers of the page.
    code = compile("\n" * (block.line - 1) + block.code, str(block.page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def _compile(blocks: list[Block]) -> None:
    """Refuse C++ that does not compile."""
    if blocks:
        code = "".join(block.code.replace("#pragma once", "") for block in blocks)
        options = (
            f"-std=c++20 -Wall -Wextra -Werror -fsyntax-only -I {shlex.quote(str(ROOT / 'core'))}"
        )
        wrong, said = _process(f"${{CXX:-c++}} {options} -x c++ -", code)
        if wrong:
            raise PageError(f"{blocks[0]}: this does not compile:\n{said}")


def _commands(code: str) -> list[str]:
    """Return the commands of a block, without comments; quotes and backslashes continue a line."""
    found, begun = [], ""
    for line in code.replace("\\\n", " ").splitlines():
        begun += f"{line}\n"
        try:
            words = shlex.split(begun, comments=True)
        except ValueError:  # a quotation goes on
            continue
        if words:
            found.append(begun.strip())
        begun = ""
    return found


def _console(block: Block, ran: Ran) -> None:
    """Run the commands of a block that shows what they print."""
    right, printed = [], []
    for part in re.split(r"^(?=\$ )", block.code, flags=re.MULTILINE):
        if not part:
            continue
        if not part.startswith("$ "):
            raise PageError(f"{block}: a block of console begins with $ and a command")
        command, _, shown = part.replace("\\\n", "\0").partition("\n")
        output = _shell(block, command[2:].replace("\0", " "), fails=True)
        same = _same(shown, output)
        command = command.replace("\0", "\\\n")
        right.append(f"{command}\n{shown if same else output}")
        printed.append(output)
    ran.printed.append((block, "".join(printed)))
    _compare(block, block.code, "".join(right), ran, "".join(right))


def _shell(block: Block, line: str, *, fails: bool = False) -> str:
    """Run a command, in this process where that can be; return what a terminal would show."""
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        if unknown := [word for word in words[1:] if word not in targets]:
            raise PageError(f"{block}: make has no target {unknown[0]}")
        return ""
    first, rest = _first(line)
    if words[0] == "dagscape" and not SHELL & set(first):
        given = shlex.split(first, comments=True)[1:]
        result = CliRunner().invoke(app, given, catch_exceptions=False)
        code, output = result.exit_code, result.output
        if rest:  # the rest reads what came, and what was said to the user comes last
            output = _process(f"cat {rest}", result.stdout)[1] + result.stderr
    else:
        code, output = _process(line)
    if code and not (fails and code == 2):  # a refusal, which a page may show
        raise PageError(f"{block}: {line!r} ended with {code}:\n{output}")
    return output


def _first(line: str) -> tuple[str, str]:
    """Return a command, and the pipe or redirection that follows it."""
    found = re.search(r" [|>] ", line)
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def _process(line: str, given: str = "") -> tuple[int, str]:
    """Run a line in a shell; return its exit code and what a terminal would show."""
    ran = subprocess.run(
        line,
        shell=True,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout


def _same(shown: str, output: str) -> bool:
    """Tell whether the output is as shown, where ``...`` stands for anything."""
    checker = doctest.OutputChecker()
    return checker.check_output(_plain(shown), _plain(output), doctest.ELLIPSIS)


def _plain(text: str) -> str:
    """Return text without spaces at the ends of lines, and numbers in ten digits at most.

    Other machines may sum in another order.
    """
    lines = "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"
    return re.sub(r"\d+\.\d{8,}", lambda number: f"{float(number[0]):.10g}", lines)


def _compare(block: Block, shown: str, output: str, ran: Ran, right: str) -> None:
    if not _same(shown, output):
        said = f"{block}: shown is\n{shown}\nbut it is\n{output}"
        ran.wrong.append((block, right.rstrip() + "\n", said))


def _is_there(name: str) -> bool:
    return shutil.which(name) is not None or importlib.util.find_spec(name) is not None


def _rewrite(page: Path, wrong: list[tuple[Block, str, str]]) -> None:
    lines = page.read_text("utf-8").splitlines()
    for block, right, _ in reversed(wrong):
        count = len(block.code.splitlines())
        new = textwrap.indent(right, block.indent).splitlines()
        lines[block.line - 1 : block.line - 1 + count] = new
    page.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    """Run the pages named; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path, help="pages, or folders of pages")
    parser.add_argument("--write", action="store_true", help="write the shown output anew")
    options = parser.parse_args()
    code = 0
    for page in pages_in(*options.pages):
        with tempfile.TemporaryDirectory() as folder:
            try:
                ran = run_page(page, Path(folder))
            except Exception as error:
                print(error if isinstance(error, PageError) else f"{page}: {error!r}")
                code = 1
                continue
        if options.write and ran.wrong:
            _rewrite(page, ran.wrong)
            print(f"{page}: {len(ran.wrong)} blocks written anew")
            continue
        for _, _, said in ran.wrong:
            print(said)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
