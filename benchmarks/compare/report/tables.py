"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.compare.job import Record
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.summary import cells, spread


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a table, the first columns (`words` of them) to the left, the others to the right."""
    lines = [titles, ["---"] * words + ["--:"] * (len(titles) - words), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def comparison(records: list[Record]) -> str:
    """Return a row for each case and tool: seconds, memory, score and distance, with spread."""
    titles = ("data", "tool", "CPU s", "wall s", "grown MB", "BIC", "SHD")
    rows = []
    for (case, tool), some in cells(records).items():
        rows.append(
            (
                case,
                load_peer(tool).NAME,
                *(
                    _range(some, name, form)
                    for name, form in (
                        ("cpu_seconds", ",.2f"),
                        ("wall_seconds", ",.2f"),
                        ("grown_mb", ",.0f"),
                        ("score", ",.1f"),
                        ("shd", ",.0f"),
                    )
                ),
            )
        )
    return table(titles, rows, words=2)


def _range(records: list[Record], name: str, form: str) -> str:
    found = spread(records, name)
    if found is None:
        return "-"
    ends = format(found.least, form), format(found.most, form)
    middle = format(found.middle, form)
    return middle if ends[0] == ends[1] else f"{middle} ({ends[0]} to {ends[1]})"
