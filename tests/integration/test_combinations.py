"""What may be said of rows, two at a time: as the table in the docs has it, which is read here."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.repeats import repeats

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "rows.md"
ROWS = 240
INTERVENTIONS = ds.Interventions(column="target")
SETTINGS = {
    "interventions": ("interventions", INTERVENTIONS),
    "gaps": ("missing", "keep"),
    "weights": ("weights", "n"),
    "survey weights": ("survey_weights", "w"),
    "clusters": ("clusters", "who"),
    "groups": ("groups", "site"),
}
COLUMNS = {
    "interventions": ("target", np.array(["", "b"], dtype=object)[np.arange(ROWS) // 24 % 2]),
    "weights": ("n", np.arange(ROWS) % 3 + 1),
    "survey weights": ("w", np.arange(ROWS) % 7 + 0.5),
    "clusters": ("who", np.arange(ROWS) // 4),
    "groups": ("site", np.array(["n", "s"], dtype=object)[np.arange(ROWS) // 12 % 2]),
}


def tables():
    """Return the two tables of the section: which pairs go together, and what refusals say."""
    section = PAGE.read_text("utf-8").split("## What goes together")[1]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|") and not line.startswith("| ---")
    ]
    kinds = rows[0][1:]
    grid = {
        (row[0], kind): cell
        for row in rows[1 : len(kinds) + 1]
        for kind, cell in zip(kinds, row[1:], strict=True)
    }
    return kinds, grid, {row[0]: row[1] for row in rows[len(kinds) + 2 :]}


KINDS, GRID, SENTENCES = tables()


def frame(kinds, *, numbers=False):
    rng = np.random.default_rng(1)
    own = {"a": rng.integers(0, 2, ROWS)}
    for above, x in ("ab", "bc"):
        own[x] = own[above] ^ (rng.random(ROWS) < 0.2)
    if numbers:
        made = {x: column + rng.normal(size=ROWS) for x, column in own.items()}
    else:
        made = {x: np.array(["no", "yes"], dtype=object)[column] for x, column in own.items()}
    if "gaps" in kinds:
        made["c"][::9] = np.nan if numbers else None
    return made | dict(COLUMNS[kind] for kind in kinds if kind in COLUMNS)


def asked(kinds, *, numbers=False):
    """Return what is found of a table of which all of this is said."""
    settings = dict(SETTINGS[kind] for kind in kinds if kind in SETTINGS)
    if "series" in kinds:
        if settings.get("missing"):
            del settings["missing"]  # series take tables with no gaps, and say so themselves
        data = ds.series(frame(kinds, numbers=numbers), lags=1, **settings)
    else:
        data = ds.Data(frame(kinds, numbers=numbers), **settings)
    if "hidden causes" in kinds:
        return ds.hidden(data)
    if data.missing and {*kinds} == {"gaps", "weights"}:  # learn would run long chains
        return ds.posterior(data, chains=1, rounds=10)
    return ds.learn(data, runs=0, resamples=2)


def test_the_table_has_every_pair_and_is_the_same_from_both_sides():
    assert len(KINDS) == 8
    assert set(KINDS) >= {*SETTINGS, "series", "hidden causes"}
    for pair in itertools.permutations(KINDS, 2):
        assert GRID[pair] == GRID[pair[::-1]], pair
        assert GRID[pair] == "yes" or GRID[pair] in SENTENCES, pair
    assert set(SENTENCES) == {*GRID.values()} - {"yes", ""}


@pytest.mark.parametrize("pair", [*itertools.combinations(KINDS, 2)], ids=" and ".join)
def test_each_pair_works_or_is_refused_in_a_sentence_that_says_why(pair):
    said = GRID[pair]
    for numbers in (False, True):
        refused = "survey weights" in pair if numbers and said == "yes" else said != "yes"
        if not refused:
            assert asked(pair, numbers=numbers) is not None
            continue
        sentence = SENTENCES.get(said, "cannot obey: every row would count once")
        with pytest.raises((ds.DataError, ds.ParameterError)) as error:
            asked(pair, numbers=numbers)
        assert sentence in str(error.value), pair
        assert ": " in str(error.value) or "; " in str(error.value), pair


def test_all_that_go_together_in_pairs_go_together():
    together = ("interventions", "weights", "clusters", "groups")
    found = asked(together)
    assert {*found.data.rows.facts} == {*together}
    assert asked(("interventions", "survey weights", "clusters", "groups")) is not None
    assert asked(together, numbers=True) is not None


def test_experiments_among_counted_rows_and_groups_are_scored_by_both():
    own = frame(("interventions", "weights", "groups"))
    times = own.pop("n")
    site = own.pop("site")
    data = {
        "counted": ds.Data({**own, "n": times}, weights="n", interventions=INTERVENTIONS),
        "in groups": ds.Data({**own, "site": site}, groups="site", interventions=INTERVENTIONS),
    }
    written = {x: np.repeat(column, times) for x, column in own.items()}
    apart = [{x: column[site == label] for x, column in own.items()} for label in ("n", "s")]
    for score, x, given in itertools.product(("bic", "bdeu"), "abc", ([], ["a"], ["b"], ["c"])):
        if x in given:
            continue
        for name, parts in (("counted", [written]), ("in groups", apart)):
            whole = [ds.Data(part, interventions=INTERVENTIONS) for part in parts]
            expected = sum(ds.local_score(part, x, given, score=score) for part in whole)
            found = ds.local_score(data[name], x, given, score=score)
            assert found == pytest.approx(expected), (name, score, x, given)


def test_few_states_repeat_whatever_is_said_of_rows():
    """Three columns of two states are 240 rows of 8 kinds, and nothing is odd about that."""
    for kind in ("interventions", "survey weights", "groups"):
        table = ds.Data(frame((kind,)), **dict([SETTINGS[kind]]))
        assert repeats(table) is None, kind
