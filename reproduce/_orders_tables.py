"""What the orders paper prints, beside what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from _orders_paper import INITS, LISTS, MEASURES, METHODS, P_VALUES, SEARCHES, number
from _ranks import friedman
from _tables import Table

Record = dict[str, Any]
WORDS = {
    "best": "best score",
    "mean_best": "mean best score",
    "mean_initial": "mean initial score",
    "iterations": "iterations",
}
NUMERALS = dict(zip(METHODS, ("III", "IV", "V"), strict=True))

SAME = 1e-6
"""Relative scores that differ by less are equal."""


def tables(records: list[Record]) -> list[Table]:
    """Return Tables I to V, and the tests; those of selections that were made."""
    return [
        _selections(records),
        _relaxed(records),
        _best(records),
        *(_searches(records, method) for method in _made(records)),
        _firsts(records),
        _tests(records),
        _pairs(records),
    ]


def _made(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the selections that were made."""
    return tuple(records[0]["methods"]) if records else METHODS


def _selections(records: Sequence[Record]) -> Table:
    rows = []
    for record in records:
        row = [record["set"], str(record["variables"]), f"{record['rows']:,}"]
        for method in _made(records):
            line, paper = record["methods"][method], LISTS[record["set"]][method]
            row += [
                _short(line["scored"]),
                _short(line["kept"]),
                f"({paper.sets})",
                f"{line['most_parents']} ({paper.most_parents})",
            ]
        rows.append(row)
    header = ["set", "n", "N"]
    for method in _made(records):
        header += [f"{method}: scored", "kept", "paper", "M"]
    title = "Table I: sets scored and kept (paper's sets in brackets), maximum in-degree M"
    return Table(title, header, rows)


def _relaxed(records: Sequence[Record]) -> Table:
    rows = []
    for record in records:
        row = [record["set"]]
        for method in _made(records):
            line, paper = record["methods"][method], LISTS[record["set"]][method]
            all_to = "all" if line["exhaustive"] else str(line["exhaustive_to"])
            row += [
                f"{line['relaxed']:.4f} ({paper.relaxed:.4f})",
                f"{line['mean_parents']:.2f} ({paper.mean_parents:.2f})",
                all_to,
            ]
        rows.append(row)
    header = ["set"]
    for method in _made(records):
        header += [method, "D", "all to"]
    title = (
        "Table II: relaxed score, mean in-degree D (paper's in brackets), "
        "parents up to which all sets were scored"
    )
    return Table(title, header, rows)


def _best(records: Sequence[Record]) -> Table:
    """Show what no network can reach beside what the paper has."""
    rows = []
    for record in records:
        name = record["set"]
        pairs = list(product(_made(records), INITS))
        ours = max(record["methods"][method][init]["best"] for method, init in pairs)
        cells = [SEARCHES[method][name][init]["best"] for method, init in pairs]
        theirs = max(value for value in map(number, cells) if value is not None)
        optimum = record["optimum"]  # proven
        rows.append(
            [
                name,
                f"{ours:.4f}",
                "" if optimum is None else f"{optimum:.4f}",
                f"{theirs:.4f}",
                "" if optimum is None else "possible" if theirs <= optimum else "impossible",
            ]
        )
    header = ["set", "best found", "optimum", "paper's best", "the paper's is"]
    return Table("Best relative score of all selections and initial orders", header, rows)


def _searches(records: Iterable[Record], method: str) -> Table:
    rows = []
    for record in records:
        for init in INITS:
            line = record["methods"][method][init]
            paper = SEARCHES[method][record["set"]][init]
            row = [record["set"], init]
            for measure in MEASURES:
                form = ".1f" if measure == "iterations" else ".4f"
                cell = f"{line[measure]:{form}}"
                if measure != "best":
                    cell += f" ± {line[f'{measure}_deviation']:{form}}"
                row.append(f"{cell} ({_printed(paper[measure], form)})")
            rows.append(row)
    header = ["set", "initial orders", *(WORDS[measure] for measure in MEASURES)]
    return Table(
        f"Table {NUMERALS[method]}: {method} selection (paper's in brackets)", header, rows
    )


def _printed(cell: str, form: str) -> str:
    value = number(cell)
    return "?" if value is None else f"{value:{form}}{'?' if cell.endswith('?') else ''}"


def _firsts(records: Sequence[Record]) -> Table:
    """Count where each kind of initial order is the best, over cases: a set with a selection."""
    cases = [record["methods"][method] for record in records for method in _made(records)]
    rows = []
    for measure in MEASURES:
        counts = dict.fromkeys(INITS, 0)
        for case in cases:
            best = [_signed(measure, case[init][measure]) for init in INITS]
            counts[INITS[best.index(max(best))]] += 1
        ends = []
        for init in INITS:
            values = [case[init][measure] for case in cases]
            form = ".1f" if measure == "iterations" else ".4f"
            ends.append(f"{min(values):{form}} to {max(values):{form}}" if values else "")
        shown = (f"{counts[init]}, {end}" for init, end in zip(INITS, ends, strict=True))
        rows.append([WORDS[measure], str(len(cases)), *shown])
    title = "Cases (a set with a selection) in which each initial order is the best, and its range"
    return Table(title, ["measure", "cases", *INITS], rows)


Blocks = list[list[float]]


def _each(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the selections that were made, and all together where these are all."""
    made = _made(records)
    return (*made, "all") if set(made) == set(METHODS) else made


def _tests(records: Sequence[Record]) -> Table:
    """Test the three initial orders, on our figures and again on the paper's."""
    rows = []
    for method in _each(records):
        methods = METHODS if method == "all" else (method,)
        for measure, printed in zip(MEASURES, P_VALUES[method], strict=True):
            ours = [block for each in methods for block in _found(records, each, measure)]
            same = [record["set"] for record in records]
            there = [block for each in methods for block in _theirs(same, each, measure)]
            whole = [block for each in methods for block in _theirs(LISTS, each, measure)]
            row = [method, WORDS[measure], *_tested(ours), *_tested(there)]
            rows.append([*row, *_tested(whole), f"{printed:g}"])
    for measure in MEASURES if "all" in _each(records) else ():
        ours = _means([_found(records, each, measure) for each in METHODS])
        row = ["mean of all", WORDS[measure], *_tested(ours)]
        for sets in ([record["set"] for record in records], list(LISTS)):
            clear = [name for name in sets if all(_theirs([name], m, measure) for m in METHODS)]
            row += _tested(_means([_theirs(clear, each, measure) for each in METHODS]))
        rows.append([*row, "–"])
    header = ["selection", "measure", "mean ranks", "p", "paper's, same sets", "p"]
    header += ["paper's, all sets", "p", "p as printed"]
    words = ", ".join(INITS)
    return Table(f"Friedman test: mean ranks of {words} (1 is best), p", header, rows)


def _tested(blocks: Blocks) -> list[str]:
    test = friedman(blocks)
    if test is None:
        return ["", ""]
    return [", ".join(f"{rank:.2f}" for rank in test.mean_ranks), f"{test.p_value:.2g}"]


def _pairs(records: Sequence[Record]) -> Table:
    """Say which initial orders differ, where Friedman's test finds a difference at all."""
    rows = []
    for method in _each(records):
        methods = METHODS if method == "all" else (method,)
        for measure in MEASURES:
            ours = [block for each in methods for block in _found(records, each, measure)]
            whole = [block for each in methods for block in _theirs(LISTS, each, measure)]
            rows.append([method, WORDS[measure], *_differ(ours), *_differ(whole)])
    header = ["selection", "measure", "critical distance", "better", "paper's", "better"]
    return Table("Nemenyi test at 0.05, where Friedman's p is below 0.05", header, rows)


def _differ(blocks: Blocks) -> list[str]:
    test = friedman(blocks)
    if test is None:
        return ["", "no difference"]
    ranks = dict(zip(INITS, test.mean_ranks, strict=True))
    pairs = [
        f"{one} > {other}"
        for one in INITS
        for other in INITS
        if ranks[other] - ranks[one] > test.critical_distance
    ]
    found = pairs if test.p_value < 0.05 else []
    return [f"{test.critical_distance:.2f}", "; ".join(found) or "none"]


def _found(records: Iterable[Record], method: str, measure: str) -> Blocks:
    """Return a block for each set; rounded, since sums in another order are not a difference."""
    return [
        [
            _signed(measure, round(record["methods"][method][init][measure] / SAME) * SAME)
            for init in INITS
        ]
        for record in records
    ]


def _theirs(sets: Iterable[str], method: str, measure: str) -> Blocks:
    """Return a block for each set whose cells can be read."""
    blocks = []
    for name in sets:
        values = [number(SEARCHES[method][name][init][measure]) for init in INITS]
        known = [_signed(measure, value) for value in values if value is not None]
        if len(known) == len(INITS):
            blocks.append(known)
    return blocks


def _means(selections: Sequence[Blocks]) -> Blocks:
    """Return a block for each set: the means over selections, which are not independent."""
    return [
        [sum(values) / len(values) for values in zip(*blocks, strict=True)]
        for blocks in zip(*selections, strict=True)
    ]


def _signed(measure: str, value: float) -> float:
    """Return a value of which more is better: few iterations are."""
    return -value if measure == "iterations" else value


def _short(count: int) -> str:
    """Return a count as the paper writes it: 365.1K, 47.2M."""
    if count < 1_000_000:
        return f"{count / 1e3:.1f}K"
    return f"{count / 1e6:.1f}M" if count < 1_000_000_000 else f"{count / 1e9:.1f}G"
