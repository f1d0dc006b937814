"""Tables and figures of pages, made from kept results: on those on the papers no number is typed.

python reproduce/pages.py                     # write all pages and figures from reproduce/results
python reproduce/pages.py --run NAME ...      # make results again, from the data sets
python reproduce/pages.py --list              # commands, who made their results, and if long ago

On a page, a table stands between ``<!-- results: NAME N -->`` and ``<!-- end -->``: the N-th table
of the command with that name below, with a line on who made it when. What a page says in words is
not made here.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from _data import add_data_option
from _results import FOLDER, ROOT, engine, kept
from _tables import Table

import dagscape as ds

DOCS = ROOT / "docs"
BLOCK = re.compile(r"(<!-- results: ([\w-]+) (\d+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Command(NamedTuple):
    """A script with its options, and where its figures are on the pages: a folder, or one file."""

    words: str
    needs_data: bool = True
    figures: str | None = None


COMMANDS = {
    "kes-table1": Command("kes_table1"),
    "kes-bdeu": Command("kes_table1 --score bdeu"),
    "kes-sampled": Command("kes_table1 --neighborhood sampled --only coil trap-rounded alarm-like"),
    "kes-rows": Command("kes_table1 --only alarm --rows 200 500 1000"),
    "kes-rows-bdeu": Command("kes_table1 --only alarm --rows 100 200 500 --score bdeu"),
    "kes-figure1": Command("kes_figure1", figures="kes"),
    "kes-margins": Command("trap_margins", needs_data=False),
    "kes-search": Command("alarm_search"),
    "kes-alarms": Command("alarm_samples"),
    "kes-sampler": Command("kes_sampler"),
    "features": Command("features", figures="features"),
    "features-k": Command("features --k 0.8 0.4 0.7 0.9"),
    "sll-figures": Command("sll_figures", figures="sll"),
    "sll-times": Command(
        "sll_figures --quick --only Alarm5 Child10 HailFinder Insurance5 --workers 1",
        figures="sll/figure6.svg",
    ),
    "sll-freedom": Command("sll_freedom"),
    "spouses": Command("sll_spouses"),
    "spouses-limit": Command("sll_spouses --graphs 2281", needs_data=False),
    "astar": Command("astar_table4_1"),
    "astar-layers": Command("astar_layers"),
    "orders": Command("orders_tables"),
    "orders-paper": Command("orders_tables --paper --methods sequential"),
    "orders-walks": Command("orders_walks"),
    "heldout": Command("accuracy_heldout", needs_data=False),
    "heldout-asia": Command(
        "accuracy_heldout --only asia --rows 250 1000 --seeds 100", needs_data=False
    ),
    "real-tables": Command("real_tables"),
    "effects": Command("effects", needs_data=False),
    "effects-free": Command("effects --free --tables 40", needs_data=False),
    "effects-gaps": Command(
        "effects --design event --rows 1000 --gaps 0.1 --tables 36", needs_data=False
    ),
    "noise": Command("noise --tables 60", needs_data=False),
    "words": Command("words --tables 1", needs_data=False, figures="../explain"),
}
"""What the results are called, and what makes them."""


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--run", nargs="+", choices=COMMANDS, metavar="NAME", help="make these results again"
    )
    parser.add_argument("--list", action="store_true", help="show commands and their results")
    parser.add_argument("--store", type=Path, metavar="FILE", help="for --run: see the scripts")
    options = parser.parse_args()
    if options.list:
        for name in COMMANDS:
            print(told(name))  # noqa: T201
        return 0
    for name in options.run or ():
        _run(name, options)
    for page in pages():
        text = page.read_text(encoding="utf-8")
        made = rendered(text)
        if made != text:
            page.write_text(made, encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")  # noqa: T201
    for name, command in COMMANDS.items():
        if command.figures and "drawn" in kept(name):
            draw(name, command.words.split()[0], DOCS / "reproduce" / command.figures)
    return 0


def pages() -> list[Path]:
    """Return the pages that may have tables of results."""
    others = ("explain/spouses.md", "explain/trust.md", "howto/effects.md")
    return [*sorted((DOCS / "reproduce").glob("*.md")), *(DOCS / name for name in others)]


def rendered(page: str) -> str:
    """Return a page with its tables as the results have them."""

    def made(found: re.Match[str]) -> str:
        shown = table(found[2], int(found[3])).markdown()
        return f"{found[1]}{shown}\n\n*{by(found[2])}*\n{found[4]}"

    return BLOCK.sub(made, page)


def table(name: str, number: int) -> Table:
    """Return a table of a command, the first being 1."""
    return Table(**kept(name)["tables"][number - 1])


def told(name: str) -> str:
    """Return a line on a command: what it is, and whether its results are of today's engine."""
    line = f"{name}: python reproduce/{COMMANDS[name].words.replace(' ', '.py ', 1)}"
    line += "" if ".py" in line else ".py"
    if not (FOLDER / f"{name}.json").is_file():
        return f"{line}\n    never kept"
    stamp = kept(name)["stamp"]
    if stamp["version"] != ds.__version__:
        return f"{line}\n    stale: {by(name)}; this is {ds.__version__}"
    return f"{line}\n    {by(name)}{'' if stamp['engine'] == engine() else '; not by this engine'}"


def by(name: str) -> str:
    """Return the words on who made results when."""
    stamp = kept(name)["stamp"]
    return f"dagscape {stamp['version']}, {stamp['date']}, {stamp['machine']}"


def draw(name: str, script: str, folder: Path) -> None:
    """Draw the figures that a page shows; needs matplotlib."""
    shown = {path.name for path in folder.iterdir()} if folder.is_dir() else {folder.name}
    folder = folder if folder.is_dir() else folder.parent
    with tempfile.TemporaryDirectory() as made:
        importlib.import_module(script).drawn(kept(name)["drawn"], Path(made))
        for path in sorted(Path(made).iterdir()):
            if path.name in shown and path.read_bytes() != (folder / path.name).read_bytes():
                (folder / path.name).write_bytes(path.read_bytes())
                print(f"wrote {(folder / path.name).relative_to(ROOT)}")  # noqa: T201


def _run(name: str, options: argparse.Namespace) -> None:
    command = COMMANDS[name]
    script, *words = shlex.split(command.words)
    given = ["--keep", str(FOLDER / f"{name}.json")]
    if command.needs_data:
        given += ["--data", str(options.data)]
    if options.store:
        given += ["--store", str(options.store)]
    path = ROOT / "reproduce" / f"{script}.py"
    subprocess.run([sys.executable, str(path), *words, *given], check=True)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
