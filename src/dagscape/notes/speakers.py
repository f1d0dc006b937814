"""What each kind of note says: a function for one column, and one for many of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dagscape.notes.note import Note, has_number
from dagscape.words import counted, first_of

Spell: TypeAlias = Callable[..., str]
"""Writes a setting and values to choose from, as :func:`dagscape.speech.in_python` does; "" where
the setting cannot be given."""

One: TypeAlias = Callable[[Note, Spell], str]
Many: TypeAlias = Callable[[Sequence[Note], Spell], str]

NAMED = 5
"""Columns to be named in one sentence."""
SHOWN = 3
"""Values or intervals of a column to be shown."""
LONGEST = 60
"""Letters of a value to be shown."""

CERTAIN = "; such values make the data look more certain than they are"


# What happened to rows and cells.


def _dropped(group: Sequence[Note], spell: Spell) -> str:
    table = next((note for note in group if note.kind == "rows_dropped"), None)
    if table is None:  # a file may hold anything; some of the notes are better than an error
        return f"rows with missing values were dropped: {_cells(group)}"
    rows, dropped = table.counts["rows"], table.counts["dropped"]
    left = "1 is left" if rows - dropped == 1 else f"{rows - dropped:,} are left"
    words = (
        f"{dropped:,} of {counted(rows, 'row')} ({_percent(dropped, rows)}) had a missing value "
        f"and {_was(dropped)} dropped; {left}"
    )
    columns = [note for note in group if note.kind == "missing_cells"]
    if columns:
        words += f"; missing most often: {_cells(columns)}"
    if table.loud:
        option, other = spell("leave_out"), spell("missing", "mode", "random", "state")
        words += f"; to keep more rows, leave such columns out{option and f' ({option})'}"
        words += other and f" or choose {other}"
    return words


def _filled(how: str, warning: str = "") -> Many:
    def words(group: Sequence[Note], _: Spell) -> str:
        cells = sum(note.counts["cells"] for note in group)
        return f"{counted(cells, 'missing cell')} {_was(cells)} {how}: {_cells(group)}{warning}"

    return words


def _cells(columns: Sequence[Note]) -> str:
    """Name the columns with most missing cells, and how many each had."""
    ordered = sorted(columns, key=lambda note: -note.counts["cells"])  # stable: ties as they stand
    first = ordered[0].counts
    shown = [f"{_column(ordered[0])} ({first['cells']:,} of {counted(first['rows'], 'cell')})"]
    shown += [f"{_column(note)} ({note.counts['cells']:,})" for note in ordered[1:]]
    return _listed(shown)


def _cut(group: Sequence[Note], _: Spell) -> str:
    shown = []
    for note in group:
        states, asked = note.counts["states"], note.counts["asked"]
        labels = " | ".join((*note.examples[:SHOWN], *(["..."] if states > SHOWN else [])))
        fewer = f"; {asked} were asked for" if states < asked else ""
        shown.append(f"{_column(note)} ({counted(states, 'state')} by {note.how}: {labels}{fewer})")
    looked = any(note.how.startswith("mdl ") for note in group)
    tuned = "; such cuts look at that column, so an edge to it looks more certain than it is"
    return f"cut into states: {_listed(shown)}{tuned if looked else ''}"


# What the states of a column look like.


def mixture_of(note: Note) -> str:
    """Return what a column of numbers has beside them, by which its sentence begins."""
    if not note.counts["others"]:
        return "numbers as text"
    if not note.counts["numbers"]:
        return "numbers in text"
    return "numbers and values" if any(map(has_number, note.examples)) else "numbers and words"


def _as_text(note: Note, _: Spell) -> str:
    return (
        f"column {_column(note)} holds numbers written as text, {_uncut(note)}each of its "
        f"{note.counts['states']:,} values is a state; turn it into numbers to have it cut"
    )


def _many_as_text(group: Sequence[Note], _: Spell) -> str:
    return (
        f"{len(group):,} columns hold numbers written as text: {_names(group)}; "
        f"{_uncut(*group)}each value is a state; turn them into numbers to have them cut"
    )


def _in_text(note: Note, _: Spell) -> str:
    return (
        f"column {_column(note)} holds numbers with something else around them, such as "
        f"{_values(note)}; write plain numbers"
    )


def _many_in_text(group: Sequence[Note], _: Spell) -> str:
    return (
        f"{len(group):,} columns hold numbers with something else around them: "
        f"{_with_values(group)}; write plain numbers"
    )


def _not_cut(note: Note, spell: Spell) -> str:
    counts = note.counts
    return (
        f"column {_column(note)} has numbers in {counted(counts['numbers'], 'cell')} and other "
        f"values in {counts['others']:,}: {_values(note)}; {_uncut(note)}each of its "
        f"{counts['states']:,} values is a state; {_plain([note], spell)}"
    )


def _none_cut(group: Sequence[Note], spell: Spell) -> str:
    return (
        f"{len(group):,} columns have numbers and other values: {_with_values(group)}; "
        f"{_uncut(*group)}each value is a state; {_plain(group, spell)}"
    )


def _uncut(*group: Note) -> str:
    if not group[0].how:
        return ""
    return f"so {'it was' if len(group) == 1 else 'they were'} not cut, and "


def _plain(group: Sequence[Note], spell: Spell) -> str:
    """Say what to do with values that are not written as numbers."""
    written = [value for note in group for value in note.examples if has_number(value)]
    if not written:
        missing = _empty(spell, "cells", "them")
        return f"if these values mean that the number is missing, {missing}"
    write = f'"{_short(written[0])}" is not missing: write a plain number in its place'
    if not any(sign in written[0] for sign in "<>≤≥"):
        return write
    read = spell("bounds", "half", "limit")
    choose = f"{write}, the bound itself or another that you choose"
    return f"{choose}; or have bounds read as numbers: {read}" if read else choose


def _with_values(group: Sequence[Note]) -> str:
    return _listed([f"{_column(note)} ({_values(note)})" for note in group])


def _missing_words(note: Note, spell: Spell) -> str:
    several = len(note.examples) > 1
    what = "states" if several else "a state"
    cells = counted(note.counts["cells"], "cell")
    if_so = "if they mean" if several else "if it means"
    them = "them" if several else "it"
    return (
        f"column {_column(note)} has {what} {_values(note)} ({cells}); {if_so} that the value is "
        f"missing, {_empty(spell, 'cells' if note.counts['cells'] > 1 else 'cell', them)}"
    )


def _many_missing_words(group: Sequence[Note], spell: Spell) -> str:
    shown = _listed([f"{_column(note)} ({_values(note)})" for note in group])
    return (
        f"{len(group):,} columns have states that may mean a missing value: {shown}; if they do, "
        f"{_empty(spell, 'cells', 'them')}"
    )


def _empty(spell: Spell, cells: str, them: str) -> str:
    """Say how to mark values as missing."""
    settings = spell("missing_values")
    return f"leave the {cells} empty{settings and f' or add {them} to {settings}'}"


def _blanks(note: Note, _: Spell) -> str:
    states, twins = note.counts["states"], note.counts["twins"]
    example = f'"{note.examples[0]}" ({counted(note.counts["cells"], "cell")})'
    column = f"column {_column(note)} has"
    if states == 1:
        odd = (
            "which differs from another state only by blanks" if twins else "with blanks at an end"
        )
        return f"{column} a state {example}, {odd}; remove the blanks"
    differ = "differs" if twins == 1 else "differ"
    alike = f"{twins:,} of them {differ} from another state only by these; " if twins else ""
    return (
        f"{column} {states:,} states with blanks at an end, such as {example}; {alike}"
        "remove the blanks"
    )


def _many_blanks(group: Sequence[Note], _: Spell) -> str:
    shown = _listed([f'{_column(note)} ("{note.examples[0]}")' for note in group])
    return f"{len(group):,} columns have states with blanks at an end: {shown}; remove the blanks"


def _constant(note: Note, _: Spell) -> str:
    label = note.examples[0]
    return f'column {_column(note)} has only one state, "{label}"; it cannot depend on anything'


def _constants(group: Sequence[Note], _: Spell) -> str:
    many = f"{len(group):,} columns have only one state"
    return f"{many}: {_names(group)}; they cannot depend on anything"


FEWER = "unless you make a few of them (month, weekday)"


def _date(note: Note, _: Spell) -> str:
    label = note.examples[0]
    return (
        f'column {_column(note)} holds dates or times, such as "{label}"; each is a state {FEWER}'
    )


def _dates(group: Sequence[Note], _: Spell) -> str:
    return f"{len(group):,} columns hold dates or times: {_names(group)}; each is a state {FEWER}"


def _comma(note: Note, spell: Spell) -> str:
    if note.how:
        return (
            f"column {_column(note)} holds numbers with commas, such as "
            f'"{note.examples[0]}"; {_thousands(spell)}'
        )
    return (
        f"column {_column(note)} holds numbers with a decimal comma, such as "
        f'"{note.examples[0]}"; each is a state; {_numbers_with_commas(spell)}'
    )


def _commas(group: Sequence[Note], spell: Spell) -> str:
    if any(note.how for note in group):
        return (
            f"{len(group):,} columns hold numbers with commas: {_names(group)}; {_thousands(spell)}"
        )
    return (
        f"{len(group):,} columns hold numbers with a decimal comma: {_names(group)}; each is a "
        f"state; {_numbers_with_commas(spell)}"
    )


def _thousands(spell: Spell) -> str:
    """Say what to do with commas that may group thousands."""
    option = spell("decimal", ",")
    return (
        "where these group thousands, write the numbers without them; where they are decimal "
        f"commas, {f'give {option}' if option else 'write points'}"
    )


def _numbers_with_commas(spell: Spell) -> str:
    """Say how to have them read as numbers."""
    option = spell("decimal", ",")
    return f"{f'give {option}' if option else 'write them with a point'} to have numbers"


def _integers(note: Note, spell: Spell) -> str:
    rule = spell("discretize", {note.column: ("quantile", 3)})
    return (
        f"column {_column(note)} has {note.counts['states']:,} states, all whole numbers; if it "
        f"was measured, cut it{rule and f': {rule}'}"
    )


def _many_integers(group: Sequence[Note], spell: Spell) -> str:
    rule = spell("discretize", {group[0].column: ("quantile", 3)})
    return (
        f"{len(group):,} columns have many states, all whole numbers: {_names(group)}; if they "
        f"were measured, cut them{rule and f': {rule}'}"
    )


# What columns of numbers look like.


WHY = {
    "decimals": "decimal numbers",
    "many_integers": "whole numbers with more than 20 different values",
    "spread_integers": "whole numbers that hardly repeat",
    "asked": "as asked",
}


def _numbers(group: Sequence[Note], spell: Spell) -> str:
    reasons = [
        f"{_names(alike)} ({words})"
        for how, words in WHY.items()
        if (alike := [note for note in group if note.how == how])
    ]
    column = next((note.column for note in group if note.how != "asked"), None)
    rule = spell("kinds", {column: "discrete"}) if column else ""
    other = f"; to have states instead, give {rule}" if rule else ""
    return f"taken as continuous: {'; '.join(reasons)}{other}"


def _few_values(group: Sequence[Note], spell: Spell) -> str:
    shown = _listed([f"{_column(note)} ({_values(note)})" for note in group])
    rule = spell("kinds", {group[0].column: "continuous"})
    return (
        f"taken as states, since they are whole numbers with few values: {shown}"
        f"{rule and f'; to have numbers instead, give {rule}'}"
    )


def _ordered(group: Sequence[Note], _: Spell) -> str:
    shown = [f"{_column(note)} ({_between(note, ' < ')})" for note in group]
    return f"taken as ordered, and scored by ranks where no score is named: {_listed(shown)}"


def _between(note: Note, sign: str) -> str:
    """Return the states of a note with a sign between them."""
    more = note.counts["states"] > SHOWN
    return sign.join([*map(_short, note.examples[:SHOWN]), *(["..."] if more else [])])


def _far_values(note: Note, _: Spell) -> str:
    cells = counted(note.counts["cells"], "value")
    return (
        f"column {_column(note)} has {cells} far from all others: {_values(note)}; mistakes in "
        "them would decide what is found"
    )


def _many_far_values(group: Sequence[Note], _: Spell) -> str:
    return (
        f"{len(group):,} columns have values far from all others: {_names(group)}; mistakes in "
        "them would decide what is found"
    )


def _copy(note: Note, _: Spell) -> str:
    return (
        f'column {_column(note)} is column "{note.examples[0]}" up to scale; leave one of them '
        "out, or each hides what the other shows"
    )


def _copies(group: Sequence[Note], _: Spell) -> str:
    return (
        f"{len(group):,} columns are others up to scale: {_names(group)}; leave them out, or each "
        "hides what the other shows"
    )


def _sum(note: Note, _: Spell) -> str:
    return (
        f"column {_column(note)} is a weighted sum of other columns; leave one of them out, or "
        "they hide what each one shows"
    )


def _sums(group: Sequence[Note], _: Spell) -> str:
    return (
        f"{len(group):,} columns are weighted sums of other columns: {_names(group)}; leave them "
        "out, or they hide what each one shows"
    )


# What the whole table looks like.


def _names_are_values(group: Sequence[Note], spell: Spell) -> str:
    first, option = group[0].examples[0], spell("header")
    give = option and f" or give {option}{'' if option.startswith('-') else '=False'}"
    return (
        f'every name is also a value of its column ("{first}", ...); if the file has no line of '
        f"names, add one{give}"
    )


def _one_column(group: Sequence[Note], _: Spell) -> str:
    return f"the table has one column, {_column(group[0])}; a network needs several"


def _few_rows(group: Sequence[Note], _: Spell) -> str:
    rows = counted(group[0].counts["rows"], "row")
    return f"the table has {rows}; what is learned from so few cannot be trusted"


def _empty_rows(group: Sequence[Note], _: Spell) -> str:
    rows, empty = group[0].counts["rows"], group[0].counts["empty"]
    has, says = ("has", "says") if empty == 1 else ("have", "say")
    return f"{empty:,} of {counted(rows, 'row')} {has} no value at all and {says} nothing"


def _names_made_text(group: Sequence[Note], _: Spell) -> str:
    columns = group[0].counts["columns"]
    named = "column was named by a number" if columns == 1 else "columns were named by numbers"
    return f"{columns:,} {named}, which {_was(columns)} converted to text: {_values(group[0])}"


# What the rows are to each other.


def _sorted_by(group: Sequence[Note], _: Spell) -> str:
    return f"the rows are sorted by {_listed([_quoted(name) for name in group[0].examples])}"


def _neighbors_alike(group: Sequence[Note], spell: Spell) -> str:
    counts = group[0].counts
    apart = counts["distance"]
    which = "that follow each other" if apart == 1 else f"that stand {apart:,} apart"
    alike, expected = (_percent(counts[what], counts["cells"]) for what in ("alike", "expected"))
    other = "the file may be sorted by something that is not in the table"
    return (
        f"rows {which} in the file are alike in {alike} of their cells, where independent rows "
        f"would be in {expected}; {SEEM}, {_then(spell, other)}"
    )


def _copied(group: Sequence[Note], spell: Spell) -> str:
    counts, columns = group[0].counts, group[0].examples
    among = f"in {first_of([*columns], 8)}, " if columns else ""
    return (
        f"{among}{counts['distinct']:,} of {counted(counts['rows'], 'row')} are different, and "
        f"{counts['alike']:,} of these are there exactly {counts['times']:,} times; independent "
        f"rows do not repeat so evenly; {SEEM}, {_then(spell)}"
    )


def _repeat(group: Sequence[Note], spell: Spell) -> str:
    counts = group[0].counts
    return (
        f"{counts['distinct']:,} of {counted(counts['rows'], 'row')} are different, where about "
        f"{counts['expected']:,} independent ones would be; {SEEM}, {_then(spell)}"
    )


def _share(group: Sequence[Note], spell: Spell) -> str:
    number, *others = group[0].examples
    counts = group[0].counts
    return (
        f"rows with the same {number} ({counts['values']:,} numbers in "
        f"{counted(counts['rows'], 'row')}) are the same in {first_of(others, 8)}, too, which "
        f"follow it in no curve, as rows of one subject are; {SEEM}, {_then(spell)}"
    )


def _weighted(group: Sequence[Note], spell: Spell) -> str:
    counts = group[0].counts
    survey, option = spell("survey_weights"), spell("rows_independent")
    name = f" ({survey})" if survey else ""
    give = option and f"give {option}{'' if option.startswith('-') else '=True'}"
    unless = f"; if they are counts, {give}" if give else ""
    lines, many = counts["lines"], counts["different"]
    apart = f"equal rows stand apart ({many:,} are different)"
    how = apart if many < lines else "no two of them are the same, and none counts for few"
    return (
        f'{counted(lines, "row")} with weights ("{group[0].examples[0]}") count as '
        f"{counts['rows']:,}, though {how}, as where a weight says for how many people a row "
        "stands; so chance looks like evidence, and no edge is called more than open; take such "
        f"weights for survey weights{name}{unless}"
    )


def _dependent(_: Sequence[Note], spell: Spell) -> str:
    return f"the rows depend on each other, as you say, {_then(spell)}"


SEEM = "they seem to depend on each other"


def _then(spell: Spell, other: str = "") -> str:
    """Say what follows if rows depend on each other, and what to do."""
    option = spell("rows_independent")
    give = option and f"give {option}{'' if option.startswith('-') else '=True'}"
    also = f" ({other})" if other else ""
    unless = f"; if the rows are independent{also}, {give}" if give else other and f"; {other}"
    return (
        f"so chance looks like evidence, and no edge is called more than open; {_whose(spell)} "
        f"keep one row for each subject, or rows far apart in time{unless}"
    )


def _whose(spell: Spell) -> str:
    """Say how to name the column that says whose rows are."""
    option = spell("clusters")
    if not option:
        return "name the column that says whose a row is, or"
    named = f"{option} COLUMN" if option.startswith("-") else f'{option}="column"'
    return f"name the column that says whose a row is ({named}), or"


TOGETHER: dict[str, Many] = {
    "rows_dropped": _dropped,
    "filled by mode": _filled("filled with the commonest state of the column", CERTAIN),
    "filled by random": _filled("filled with values drawn from the column", CERTAIN),
    "filled by state": _filled("made a state of the column"),
    "cut": _cut,
    "numbers": _numbers,
    "whole_floats": _few_values,
    "few_integers": _few_values,
    "ordered": _ordered,
    "names_are_values": _names_are_values,
    "one_column": _one_column,
    "few_rows": _few_rows,
    "empty_rows": _empty_rows,
    "names_made_text": _names_made_text,
    "sorted_by": _sorted_by,
    "neighbors_alike": _neighbors_alike,
    "rows_copied": _copied,
    "rows_repeat": _repeat,
    "rows_share": _share,
    "rows_weighted": _weighted,
    "rows_dependent": _dependent,
}
"""Groups of notes that make one sentence."""

BY_COLUMN: dict[str, tuple[One, Many]] = {
    "numbers as text": (_as_text, _many_as_text),
    "numbers in text": (_in_text, _many_in_text),
    "numbers and values": (_not_cut, _none_cut),
    "numbers and words": (_not_cut, _none_cut),
    "missing_words": (_missing_words, _many_missing_words),
    "blanks": (_blanks, _many_blanks),
    "constant": (_constant, _constants),
    "dates": (_date, _dates),
    "decimal_commas": (_comma, _commas),
    "many_integers": (_integers, _many_integers),
    "far_values": (_far_values, _many_far_values),
    "copy": (_copy, _copies),
    "sum_of_others": (_sum, _sums),
}
"""Groups of notes that make a sentence for each column, or one for many columns."""


def _column(note: Note) -> str:
    return _quoted(note.column)


def _quoted(name: str | None) -> str:
    return f'"{name}"'


def _values(note: Note) -> str:
    """Name the values of a note, the first few of them."""
    shown = [f'"{_short(value)}"' for value in note.examples[:SHOWN]]
    return ", ".join([*shown, *(["..."] if len(note.examples) > SHOWN else [])])


def _short(value: str) -> str:
    """Return a value in one line, its beginning if it is long."""
    line = value.replace("\n", "\\n").replace("\r", "\\r")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def _names(group: Sequence[Note]) -> str:
    return _listed([_column(note) for note in group])


def _listed(words: Sequence[str]) -> str:
    """Name a few things, and say how many more there are."""
    return first_of(words, NAMED)


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / max(1, whole)
    return f"{share:.0f} %" if share >= 1 else "less than 1 %"
