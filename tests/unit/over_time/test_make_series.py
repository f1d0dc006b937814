"""Series as a table: order, steps, what is refused, and what the table knows of itself."""

from __future__ import annotations

import datetime
import itertools
import pickle
from base64 import b64decode
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagscape as ds
from dagscape.landscape.resample import resampled
from dagscape.notes import sentences
from dagscape.report.sections import lag_curve
from dagscape.speech import in_python

WAVE = [0, 1, 1, 0, 1, 0, 0, 1]
ENDS = (31, 29, 31, 30, 31, 30, 31, 31)


def frame(**more: Any) -> dict[str, Any]:
    return {"x": WAVE, "y": [1, 0, 1, 1, 0, 1, 0, 0], **more}


def cells(data: ds.Data, name: str) -> list[str]:
    return [data.states[name][code] for code in data.column(name)]


def test_rows_are_steps_with_their_past():
    made = ds.series(frame(), lags=2)
    assert made.names == ("x", "y", "x[-1]", "y[-1]", "x[-2]", "y[-2]")
    assert cells(made, "x") == list("101001")
    assert cells(made, "x[-1]") == list("110100")
    assert cells(made, "x[-2]") == list("011010")
    assert made.rows.series.steps.tolist() == [2, 3, 4, 5, 6, 7]
    assert made.rows_independent
    listed = ds.series(frame(), lags=[3])
    assert listed.names == ("x", "y", "x[-3]", "y[-3]")
    assert cells(listed, "x[-3]") == list("01101")


def test_series_do_not_reach_into_each_other():
    made = ds.series(frame(who=list("aaaabbbb")), series="who", lags=1)
    assert cells(made, "x[-1]") == list("011") + list("100")
    assert made.rows.series.labels == ("a", "b")
    assert made.rows.series.codes.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "times",
    [
        list(range(8)),
        [0.1 * step for step in range(8)],
        [f"2024-02-{26 + day}" if day < 4 else f"2024-03-0{day - 3}" for day in range(8)],
        [f"2024-{month:02}-{day}" for month, day in enumerate(ENDS, start=1)],
        [datetime.date(2020 + year, 3, 1) for year in range(8)],
        [datetime.datetime(2024, 1, 1, hour) for hour in range(8)],
        np.arange("2024-01", "2024-09", dtype="datetime64[M]"),
    ],
    ids=["integers", "decimals", "dates", "ends of months", "years", "hours", "numpy"],
)
def test_rows_are_sorted_by_time(times):
    plain = ds.series(frame())
    order = [3, 0, 7, 1, 6, 2, 5, 4]
    shuffled = {name: [values[i] for i in order] for name, values in frame(t=times).items()}
    found = ds.series(shuffled, time="t")
    assert [cells(found, x) for x in found.names] == [cells(plain, x) for x in plain.names]
    if not isinstance(times, np.ndarray):
        for made in (pl.DataFrame(shuffled), pd.DataFrame(shuffled)):
            assert ds.series(made, time="t") == found


def test_a_file(tmp_path):
    pl.DataFrame(frame(t=[f"2024-01-0{day}" for day in range(1, 9)])).write_csv(tmp_path / "a.csv")
    assert ds.series(tmp_path / "a.csv", time="t") == ds.series(frame())
    text = (tmp_path / "a.csv").read_text("utf-8").replace(",", ";")
    (tmp_path / "b.csv").write_text(text, "utf-8")
    assert ds.series(tmp_path / "b.csv", time="t", separator=";") == ds.series(frame())


@pytest.mark.parametrize(
    ("changes", "settings", "said"),
    [
        ({"t": [0, 1, 2, 3, 4, 5, 5, 6]}, {"time": "t"}, "rows 6 and 7 are both of the time 5"),
        (
            {"t": [0, 1, 2, 3, 0, 1, 2, 2], "s": list("aaaabbbb")},
            {"time": "t", "series": "s"},
            'rows 7 and 8 are both of the time 2 of series "b"',
        ),
        (
            {"t": [0, 1, 2, 3, 4, 6, 7, 8]},
            {"time": "t"},
            "1 gap in time: 1 step of 1 between 4 and 6",
        ),
        (
            {"t": [0, 1, 2, 3, 4, 4.5, 6, 7]},
            {"time": "t"},
            "not regular: most steps are 1, and 4.5",
        ),
        (
            {"t": [f"2024-01-{d:02}" for d in (1, 2, 3, 4, 5, 8, 9, 10)]},
            {"time": "t"},
            "2 steps of 1 day, 0:00:00 between 2024-01-05 and 2024-01-08",
        ),
        ({"t": list("abcdefgh")}, {"time": "t"}, 'has "a" in row 1; times are numbers, or dates'),
        ({"t": [0, 1, None, 3, 4, 5, 6, 7]}, {"time": "t"}, "which has no value in row 3"),
        (
            {"t": [datetime.date(2024, 1, 1), None, *[datetime.date(2024, 1, 2)] * 6]},
            {"time": "t"},
            "which has no value in row 2",
        ),
        ({}, {"time": "when"}, 'time names "when", which is not a column'),
        ({"s": list("aaaaaabb")}, {"series": "s", "lags": 2}, 'series "b" has 2 rows, and none'),
        ({}, {"lags": 8}, "the table has 8 rows, and none of them has 8 steps before it"),
        ({}, {"lags": 0}, "lags must be a whole number from 1 to 1,000,000"),
        ({}, {"lags": [1, 1]}, "each once"),
        ({}, {"known": ["z"]}, 'known names "z", which is not a column'),
        ({}, {"known": ["x", "y"]}, "every column is known ahead"),
        ({}, {"weights": "x"}, "takes no weights"),
        ({}, {"missing": "drop"}, "takes no missing"),
        ({}, {"separator": ";"}, "separator is for files"),
        ({"x[-1]": WAVE}, {}, 'there is a column "x[-1]" already'),
        (
            {"x": [0, 1, None, 0, 1, 0, 0, 1]},
            {},
            'column "x" has 1 missing cell, the first in row 3',
        ),
        ({}, {"time": "x", "series": "x"}, 'both name "x"'),
        ({}, {"gaps": "split"}, 'unknown gaps "split"'),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_refused(changes, settings, said):
    with pytest.raises(ds.DagscapeError) as error:
        ds.series(frame(**changes), **settings)
    assert said in str(error.value)


def test_rows_after_a_gap_can_be_dropped():
    made = ds.series(frame(t=[0, 1, 2, 4, 5, 6, 7, 9]), time="t", gaps="drop")
    assert cells(made, "x") == list("11") + list("100")
    assert made.rows.series.steps.tolist() == [1, 2, 5, 6, 7]


def test_cuts_are_the_same_for_all_lags():
    rng = np.random.default_rng(0)
    made = ds.series({"x": rng.normal(size=50).cumsum(), "y": rng.random(50)}, discretize="median")
    assert made.states["x"] == made.states["x[-1]"]
    assert made.column("x")[:-1].tolist() == made.column("x[-1]")[1:].tolist()


def test_the_table_knows_its_past_wherever_it_goes():
    made = ds.series(frame(hour=[0, 1] * 4), known=["hour"])
    facts = made.rows.series
    assert facts.free == ("x[-1]", "y[-1]", "hour")
    assert facts.own == [("x[-1]", "x"), ("y[-1]", "y")]
    part = made.take([0, 0, 3])
    assert part.rows.series.steps.tolist() == [1, 1, 4]
    chosen = made.select(["x", "y[-1]"]).rows.series
    assert chosen.free == ("y[-1]",)
    assert chosen.own == []
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again.rows.series.words == facts.words
    assert ds.series(frame(), within_step=True) != ds.series(frame())


def test_it_says_what_is_assumed():
    said = [each.words for each in sentences(ds.series(frame(), lags=1).notes, in_python)]
    assert "7 steps of 1 series, each with its past" in said[0]
    assert "it is assumed that these lags are all the memory there is" in said[0]
    assert said[1] == "2 columns hold the past, 1 step before: x[-1], y[-1]"


class TestSearches:
    def test_the_past_has_no_score_and_no_parents(self):
        made = ds.series(frame())
        assert ds.local_score(made, "x[-1]") == 0.0
        with pytest.raises(ds.ParameterError, match="is a column of the past, which has no par"):
            ds.local_score(made, "x[-1]", ["y[-1]"])
        with pytest.raises(ds.ParameterError, match="has no parents and no score of its own"):
            ds.score(made, [("x", "x[-1]")])

    def test_knowledge_is_added_to_what_the_columns_say(self):
        made = ds.series(frame(), lags=1)
        assert ds.Problem(made).knowledge.of_table
        assert str(ds.Problem(made).scope) == "networks that go forward in time"
        problem = ds.Problem(made, knowledge=ds.Knowledge(forbidden=[("y[-1]", "x")]))
        assert problem.knowledge.roots == ("x[-1]", "y[-1]")
        assert problem.knowledge.leaves == ("x", "y")
        assert problem.knowledge.required == (("x[-1]", "x"), ("y[-1]", "y"))
        assert str(problem.scope) == "networks that obey your knowledge"
        words = ds.Problem(made).knowledge.to_dict()
        assert ds.Knowledge.from_dict(words).of_table
        assert not ds.Knowledge.from_dict(problem.knowledge.to_dict()).of_table
        with pytest.raises(ds.ParameterError, match=r"x\[-1\] -> x is required, but it is forb"):
            ds.exact(made, knowledge=ds.Knowledge(forbidden=[("x[-1]", "x")]))

    @pytest.mark.parametrize("search", [ds.ges, ds.kes, ds.local_optima, ds.sll_c])
    def test_what_cannot_obey_refuses(self, search):
        with pytest.raises(ds.ParameterError, match="cannot obey the order of a table of series: "):
            search(ds.series(frame()))

    def test_learn(self, tmp_path):
        learned = ds.learn(ds.series(copied(1, 60), lags=1), resamples=5)
        assert learned.optimal
        assert {b for _, b in learned.dag.arcs} <= {"x", "y"}
        assert "without knowledge" not in {step.name for step in learned.steps}
        learned.report(tmp_path / "r.html")
        page = (tmp_path / "r.html").read_text("utf-8")
        assert "that go forward in time" in page
        assert "A network of 2 series over time" in page
        assert "the lags are all the memory there is" in page
        assert "steps of series for rows" in page
        assert "obey your knowledge" not in page

    def test_the_page_shows_how_lags_were_chosen(self):
        table = ds.series(copied(2, 300))
        curve = b64decode(lag_curve(table.notes).partition(",")[2]).decode()
        tree = ElementTree.fromstring(curve)
        words = [each.text for each in tree.iter() if each.tag.endswith("text")]
        assert words[1::2] == ["1", "2", "3", "4", "5"]
        assert words[2] == "best"
        assert all(float(each) < 0 for each in words[::2] if each != "best")
        (chosen,) = [each for each in tree.iter() if each.get("font-weight") == "bold"]
        assert chosen.text == "2"
        assert lag_curve(ds.series(copied(2, 100), lags=2).notes) == ""


def copied(lag: int, rows: int = 200) -> dict[str, Any]:
    """Return series of which one follows the other so many steps later, and both last."""
    rng = np.random.default_rng(lag)
    x = [0]
    for _ in range(rows - 1):
        x.append(x[-1] if rng.random() < 0.7 else int(rng.integers(2)))
    late = np.roll(x, lag)
    y = np.where(rng.random(rows) < 0.9, late, 1 - late)
    return {"x": x, "y": y}


class TestLags:
    def test_those_are_chosen_that_score_highest_on_the_same_rows(self):
        for lag in (1, 2, 3):
            made = ds.series(copied(lag))
            told = [note for note in made.notes if note.kind == "lag_score"]
            assert [note.counts["lag"] for note in told] == [1, 2, 3, 4, 5]
            scores = {}
            # By the definition: the same rows, own past and two more.
            rows = {x: list(map(str, values)) for x, values in copied(lag).items()}
            for note in told:
                most = note.counts["lag"]
                now = {x: values[5:] for x, values in rows.items()}
                past = {
                    f"{x}[-{back}]": values[5 - back : -back]
                    for back in range(1, most + 1)
                    for x, values in rows.items()
                }
                plain = ds.Data(now | past)
                best = 0.0
                for x in rows:
                    others = [name for name in past if name != f"{x}[-1]"]
                    sets = [c for k in range(3) for c in itertools.combinations(others, k)]
                    kind = ds.default_score(plain)
                    best += max(
                        ds.local_score(plain, x, [f"{x}[-1]", *c], score=kind) for c in sets
                    )
                assert note.examples[0] == f"{best:,.2f}", (lag, most)
                scores[most] = best
            chosen = max(scores, key=scores.get)
            assert chosen >= lag
            assert made.rows.series.lags == tuple(range(1, chosen + 1)), lag
            assert [note.counts["lag"] for note in told if note.counts["chosen"]] == [chosen]

    def test_short_series_have_fewer(self):
        made = ds.series({**copied(1, 12), "who": list("aaaabbbbcccc")}, series="who")
        assert len([note for note in made.notes if note.kind == "lag_score"]) == 2
        with pytest.raises(ds.DataError, match="too few rows have a row one step before them"):
            ds.series({**copied(1, 6), "who": list("abcdef")}, series="who")


def test_samples_are_whole_series_or_blocks():
    rng = np.random.default_rng(0)
    many = ds.series(
        {"x": rng.integers(2, size=120), "s": np.repeat(range(30), 4)}, series="s", lags=1
    )
    few = ds.series(
        {"x": rng.integers(2, size=120), "s": np.repeat(range(3), 40)}, series="s", lags=2
    )
    seen = np.zeros(few.n_rows)
    for run in range(200):
        codes = resampled(many, 1, run).rows.series.codes
        assert len(codes) == many.n_rows
        assert set(np.bincount(codes) % 3) == {0}, run
        drawn = resampled(few, 1, run).rows.series
        assert np.bincount(drawn.codes).tolist() == [38, 38, 38], run
        for own in range(3):
            steps = np.bincount(drawn.steps[drawn.codes == own], minlength=40)[2:]
            ends = np.flatnonzero(
                (steps > 0) & (np.roll(steps, -1) == 0) & (np.roll(steps, 1) == 0)
            )
            assert len(ends) <= 1, run  # the last block may be cut short
            seen[own * 38 : own * 38 + 38] += steps
    assert abs(seen / 200 - 1).max() < 0.3
