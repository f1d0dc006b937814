"""The tool that runs the code of pages."""

import sys

import pytest
import run_pages as tool


@pytest.fixture
def run(tmp_path):
    """Return what runs a page given as text, in which ~~~ stands for a fence."""

    def call(text):
        page = tmp_path / "page.md"
        page.write_text(text.replace("~~~", "```"), "utf-8")
        folder = tmp_path / "folder"
        folder.mkdir(exist_ok=True)
        return tool.run_page(page, folder)

    return call


def wrong(ran):
    return [right for _, right, _ in ran.wrong]


def test_blocks_of_a_page_share_names_and_a_folder(run):
    ran = run(
        "~~~python\nx = 1\nfrom pathlib import Path\nPath('a.txt').touch()\n~~~\ntext\n"
        "~~~python\nprint(x + 1)\n~~~\n<!-- output -->\n~~~text\n2\n~~~\n"
    )
    assert not ran.wrong
    assert ran.files == {"a.txt"}


def test_output_that_is_not_so_is_found(run):
    page = "~~~python\nprint(2)\n~~~\n\n<!-- output -->\n~~~text\n{}\n~~~\n"
    assert wrong(run(page.format("3"))) == ["2\n"]
    assert wrong(run(page.format(""))) == ["2\n"]
    assert not wrong(run(page.format("2")))


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("1.5 s", "... s", True),
        ("a b", "a  b", False),
        ("-1.23456789012345", "-1.23456789012399", True),
        ("-1.23456789", "-1.23456780", False),
        ("a  \nb", "a\nb", True),
        ("a\n\nb", "a\nb", False),
    ],
)
def test_what_counts_as_the_same(run, printed, shown, same):
    ran = run(f"~~~python\nprint({printed!r})\n~~~\n<!-- output -->\n~~~text\n{shown}\n~~~\n")
    assert (not ran.wrong) == same


@pytest.mark.slow
def test_commands_and_what_they_print(run):
    commands = "$ dagscape sample asia -n 4 -o a.csv\n{}\n$ echo one | sed s/o/O/\n{}\n"
    shown = f"~~~console\n{commands}~~~\n"
    said = "dagscape: 4 rows of 8 variables in a.csv"
    assert not run(shown.format(said, "One")).wrong
    (right,) = wrong(run(shown.format(said, "one")))
    assert right == commands.format(said, "One")


@pytest.mark.slow
def test_a_command_of_several_lines(run):
    ran = run("~~~sh\n# a comment\necho 'one\ntwo' > a.txt  # another\necho \\\n  three\n~~~\n")
    assert ran.files == {"a.txt"}
    assert [printed for _, printed in ran.printed] == ["three\n"]


@pytest.mark.slow
def test_a_redirection_keeps_what_is_said_apart(run):
    ran = run("~~~sh\ndagscape sample asia -n 4 > a.csv\n~~~\n")
    assert ran.files == {"a.csv"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("~~~sh\nfalse\n~~~\n", "'false' ended with 1"),
        ("~~~sh\ndagscape sample nothing\n~~~\n", "ended with 2"),
        ("~~~sh\nmake coffee\n~~~\n", "make has no target coffee"),
        ("~~~r\nplot(1)\n~~~\n", "a block of r must be marked"),
        ("<!-- not run: no R -->\nwords\n~~~r\nplot(1)\n~~~\n", "just above a block"),
        ("<!-- output -->\n~~~text\n1\n~~~\n", "no Python block before"),
        ("<!-- output -->\n~~~python\n1\n~~~\n", "output is a block of text"),
        ("~~~console\ndagscape\n~~~\n", "begins with $"),
    ],
)
def test_pages_that_cannot_be_so(run, page, message):
    with pytest.raises(tool.PageError, match=message.replace("$", r"\$")):
        run(page)


def test_an_error_in_python_is_one_of_the_page(run):
    with pytest.raises(ZeroDivisionError):
        run("~~~python\n1 / 0\n~~~\n")


def test_marked_blocks_are_not_run_and_say_why(run, tmp_path):
    ran = run(
        "<!-- not run: no R -->\n~~~r\nplot(1)\n~~~\n"
        "<!-- needs: nosuch -->\n~~~python\n1 / 0\n~~~\n"
        "<!-- output -->\n~~~text\nnothing\n~~~\n"
    )
    assert not ran.wrong
    said = [block.skipped for block in tool.blocks_of(tmp_path / "page.md")]
    assert said == ["no R", "nosuch is not installed", ""]


def test_files_that_a_page_gives(run):
    ran = run(
        "<!-- file: a.toml -->\n~~~toml\nx = 1\n~~~\n"
        "~~~python\nfrom pathlib import Path\nprint(Path('a.toml').read_text())\n~~~\n"
        "<!-- output -->\n~~~text\nx = 1\n~~~\n"
    )
    assert not ran.wrong


@pytest.mark.slow
def test_cpp_must_compile(run):
    page = '<!-- core -->\n~~~cpp\n#pragma once\n#include "varset/var.hpp"\n~~~\n'
    page += "<!-- core -->\n~~~cpp\n{}\n~~~\n"
    run(page.format("dagscape::Var v = 1;"))
    with pytest.raises(tool.PageError, match="does not compile"):
        run(page.format("dagscape::Vra v = 1;"))


@pytest.mark.slow
def test_output_is_written_anew(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    text = (
        "- item\n\n  ~~~python\n  print('a\\nb')\n  ~~~\n\n  <!-- output -->\n  ~~~text\n{}  ~~~\n"
        "\n~~~console\n$ echo 1\n{}~~~\nend\n"
    ).replace("~~~", "```")
    page.write_text(text.format("  old\n", ""), "utf-8")
    monkeypatch.setattr(sys, "argv", ["run_pages.py", "--write", str(page)])
    assert tool.main() == 0
    assert page.read_text("utf-8") == text.format("  a\n  b\n", "1\n")
    monkeypatch.setattr(sys, "argv", ["run_pages.py", str(page)])
    assert tool.main() == 0
    page.write_text(text.format("  old\n", ""), "utf-8")
    assert tool.main() == 1
    assert "shown is\nold" in capsys.readouterr().out


def test_fewer_are_enough_to_try_code(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- fewer: 2000 to 30, 7 to 1 -->\n```python\nprint(2000, 7, 20007)\n```\n")
    (tmp_path / "here").mkdir()
    for fewer, printed in ((True, "30 1 20007\n"), (False, "2000 7 20007\n")):
        ran = tool.run_page(page, tmp_path / "here", fewer=fewer)
        assert [text for _, text in ran.printed] == [printed]
    page.write_text("<!-- fewer: 2000 to 30 -->\n```python\nprint(5)\n```\n")
    with pytest.raises(tool.PageError, match="it has none of the numbers 2000"):
        tool.run_page(page, tmp_path / "here", fewer=True)
