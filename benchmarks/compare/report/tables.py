"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from benchmarks.compare.job import Record
from benchmarks.compare.peers import load_peer
from benchmarks.compare.report.ahead import OURS
from benchmarks.compare.report.summary import cells, spread, variants
from benchmarks.compare.report.words import seconds, times

TITLES = (
    *("data", "tool", "orders", "CPU s", "× ours", "wall s", "MB"),
    *("BIC", "against ours", "SHD"),
)


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a table, the first columns (`words` of them) to the left, the others to the right."""
    lines = [titles, ["---"] * words + ["--:"] * (len(titles) - words), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def comparison(records: list[Record]) -> str:
    """Return a row for each case and tool: seconds, memory, score and distance, with spread."""
    found = cells(records)
    rows, before = [], None
    for (case, tool), some in found.items():
        ours = found.get((case, OURS), [])
        name = load_peer(tool).NAME
        rows.append(["" if case == before else case, name, *_figures(some, ours)])
        for variant, others in variants(records, case, tool).items():
            rows.append(["", f"{name}, {variant}", *_figures(others, ours)])
        before = case
    kept = [i for i in range(len(TITLES)) if any(row[i] for row in rows)]
    return table([TITLES[i] for i in kept], [[row[i] for i in kept] for row in rows], words=2)


def _figures(records: list[Record], ours: list[Record]) -> list[str]:
    done = [record for record in records if record["status"] == "done"]
    if not done:
        return ["", not_done(records[0]), *[""] * (len(TITLES) - 4)]
    cpu, our_cpu = spread(done, "cpu_seconds"), spread(ours, "cpu_seconds")
    score, our_score = spread(done, "score"), spread(ours, "score")
    peer = done[0]["tool"] != OURS or done[0].get("variant")
    ratio = times(cpu.middle / our_cpu.middle) if peer and cpu and our_cpu else ""
    gap = ""
    if peer and score and our_score:
        ends = [value - our_score.middle for value in (score.least, score.most)]
        gap = f"{ends[0]:+,.1f}" + (f" to {ends[1]:+,.1f}" if ends[1] - ends[0] > 0.05 else "")
    return [
        str(len(done)),
        with_spread(done, "cpu_seconds", seconds),
        ratio,
        with_spread(done, "wall_seconds", seconds, ends=False),
        _memory(done),
        f"{score.middle:,.1f}" if score else done[0].get("remark", ""),
        gap,
        with_spread(done, "shd", "{:,.0f}".format),
    ]


def _memory(records: list[Record]) -> str:
    """Return by how much the process grew, and how large it was with all that it had loaded."""
    grown, peak = spread(records, "grown_mb"), spread(records, "peak_bytes")
    return f"{grown.middle:,.0f} of {peak.middle / 1e6:,.0f}" if grown and peak else ""


def not_done(record: Record) -> str:
    """Return why there is no figure."""
    if record["status"] == "over":
        return f"over {record['limit']:,.0f}"
    return str(record.get("why", record["status"]))


def with_spread(
    records: list[Record], name: str, form: Callable[[float], str], ends: bool = True
) -> str:
    """Return the median of a figure and, where it is not always the same, the range."""
    found = spread(records, name)
    if found is None:
        return ""
    least, middle, most = form(found.least), form(found.middle), form(found.most)
    return middle if least == most or not ends else f"{middle} ({least} to {most})"
