"""Rows that are not independent: seen, told, and no edge called more than open until answered."""

import json
import pickle
from collections import Counter

import numpy as np
import pytest

import dagscape as ds
from dagscape.data import looked_over
from dagscape.landscape.bootstrap import SEARCHES
from dagscape.notes import DEPENDENT
from dagscape.repeats import EVIDENCE, _misfit, _too_even, repeats, with_repeats
from dagscape.report.content import content

FEW = {"runs": 0, "resamples": 4}


def of_states(codes):
    return ds.Data.from_codes(codes, {f"c{i}": ["0", "1"] for i in range(codes.shape[1])})


def copies(seed, rows=30, times=10, columns=10):
    """Return coins, each row several times, in any order."""
    chance = np.random.default_rng(seed)
    return chance.permutation(np.repeat(chance.integers(2, size=(rows, columns)), times, axis=0))


def chains(seed):
    """Return related columns that keep their values from row to row."""
    chance = np.random.default_rng(seed)
    codes = chance.integers(2, size=(300, 4))
    for row in range(1, 300):
        codes[row] = np.where(chance.random(4) < 0.9, codes[row - 1], codes[row])
    codes[:, 1] = np.where(chance.random(300) < 0.9, codes[:, 0], codes[:, 1])
    return of_states(codes)


def dependent(data):
    return [note.kind for note in data.notes if note.kind in DEPENDENT]


# --- repetition ------------------------------------------------------------------------------


def test_copies_are_seen_in_any_order():
    for seed in range(5):
        found = repeats(of_states(copies(seed)))
        assert found is not None, f"seed {seed}"
        assert found.times == 10, f"seed {seed}"
        assert found.rows == 300, f"seed {seed}"
        assert found.distinct <= 30, f"seed {seed}"
        assert repeats(of_states(copies(seed, 60, 3))).times == 3, f"seed {seed}"


def test_rows_drawn_again_are_seen():
    for seed in range(3):
        data = ds.load_network("insurance").sample(80, seed=seed)
        found = repeats(data.take(np.random.default_rng(seed).integers(80, size=320)))
        assert found is not None, f"seed {seed}"
        assert found.distinct <= 80 < 200 < found.expected, f"seed {seed}"


def test_copies_of_rows_of_numbers_are_seen_and_ties_are_not():
    for seed in range(3):
        chance = np.random.default_rng(seed)
        values = chance.normal(size=(150, 4))
        names = [f"x{i}" for i in range(4)]
        whole = {x: values[:, i] for i, x in enumerate(names)}
        assert repeats(ds.Data(whole)) is None, f"seed {seed}"
        twice = {x: np.r_[column, column[:60]] for x, column in whole.items()}
        assert repeats(ds.Data(twice)).distinct == 150, f"seed {seed}"
        tied = {x: (20 * whole[x]).round() for x in names[:2]}
        table = ds.Data(tied, kinds=dict.fromkeys(tied, "continuous"))
        assert repeats(table) is None, f"seed {seed}"
        zeros = {x: np.maximum(0.0, column + values[:, 0]) for x, column in whole.items()}
        assert repeats(ds.Data(zeros)) is None, f"seed {seed}"


def visits(seed, subjects=30):
    """Return whose each of 10 rows is, in any order, and a source of chance."""
    chance = np.random.default_rng(seed)
    return chance.permutation(np.repeat(np.arange(subjects), 10)), chance


def test_states_of_subjects_are_seen_beside_columns_that_vary():
    for seed in range(3):
        whose, chance = visits(seed)
        codes = chance.integers(3, size=(300, 8))
        codes[:, ::2] = chance.integers(3, size=(30, 4))[whose]
        data = ds.Data.from_codes(codes, {f"c{i}": ["0", "1", "2"] for i in range(8)})
        (note,) = [each for each in with_repeats(data).notes if each.kind in DEPENDENT]
        assert note.kind == "rows_copied", f"seed {seed}"
        assert note.examples == ("c0", "c2", "c4", "c6"), f"seed {seed}"
        assert note.counts["times"] == 10, f"seed {seed}"
        assert any(words.startswith("in c0, c2, c4, c6, ") for words in with_repeats(data).warnings)


def test_an_experiment_that_is_laid_out_evenly_is_not_told_of():
    places = np.array(list(np.ndindex(3, 4, 5))).repeat(5, axis=0)
    chance = np.random.default_rng(0)
    places = chance.permutation(places)
    table = {"a": places[:, 0], "b": places[:, 1], "c": places[:, 2]}
    grown = chance.random(len(places)) < 0.2 + 0.2 * places[:, 0]
    assert not dependent(with_repeats(ds.Data({**table, "y": grown.astype(int)})))


def test_numbers_of_subjects_are_seen_however_often_these_came():
    chance = np.random.default_rng(0)
    whose = chance.permutation(np.repeat(np.arange(40), chance.integers(1, 16, 40)))
    age, sex = chance.normal(60, 10, 40).round(1), np.array(["f", "m"])[chance.integers(2, size=40)]
    labs = {f"lab{i}": chance.normal(size=len(whose)) for i in range(3)}
    data = ds.Data({"age": age[whose], "sex": sex[whose].tolist(), **labs})
    (note,) = [each for each in looked_over(data).notes if each.kind in DEPENDENT]
    frame = {"age": age[whose], "sex": sex[whose].tolist(), **labs}
    for looked_at in (data, frame):
        assert "rows_share" in [each.kind for each in ds.check(looked_at).notes]
    assert note.kind == "rows_share"
    assert note.examples == ("age", "sex")
    assert note.counts == {"rows": len(whose), "values": len(np.unique(age))}


def test_what_follows_from_a_number_is_not_told_of():
    chance = np.random.default_rng(0)
    x, year = chance.normal(size=600).round(1), chance.integers(1990, 2020, 600) + 0.5
    price, product = chance.uniform(1, 9, 20).round(2), chance.integers(20, size=600)
    w, h = chance.normal(70, 10, 600).round(1), chance.normal(1.7, 0.1, 600).round(2)
    for table in (
        {"x": x, "high": [str(v) for v in x > 0.3], "square": x**2, "wave": np.sin(3 * x)},
        {"year": year, "index": (1.03 ** (year - 1990)).round(3), "decade": year // 10 + 0.5},
        {"product": [f"p{v}" for v in product], "price": price[product]},
        {"w": w, "h": h, "bmi": (w / h**2).round(1)},
    ):
        data = ds.Data({**table, "y": chance.normal(size=600)})
        assert not dependent(with_repeats(looked_over(data))), [*table]


@pytest.mark.slow
def test_few_states_repeat_without_being_told_of():
    coins = np.random.default_rng(0).integers(2, size=(5000, 3))
    assert repeats(of_states(coins)) is None
    for name in ds.embedded_networks():
        for rows in (100, 1000):
            found = repeats(ds.load_network(name).sample(rows, seed=3))
            assert found is None, f"{name}, {rows} rows: {found}"


def test_rows_with_gaps_are_left_out():
    coins = np.repeat(np.random.default_rng(1).integers(2, size=(30, 10)), 10, axis=0).astype(str)
    table = {f"c{i}": coins[:, i] for i in range(10)}
    table["c0"] = [None if row % 10 < 2 else cell for row, cell in enumerate(table["c0"])]
    found = repeats(ds.Data(table, missing="keep"))
    assert (found.rows, found.times) == (240, 8)


@pytest.mark.slow
def test_no_mixture_of_poissons_is_told_of():
    """Whatever the chances of rows are, rows that are there so often leave some less and more."""
    chance = np.random.default_rng(0)
    for _ in range(60):
        means = chance.gamma(chance.choice([0.2, 1, 5, 200]), chance.choice([0.1, 1, 10]), 400)
        counts = chance.poisson(means)
        counts = counts[counts > 0]
        for times in range(2, 8):
            near = [float((counts == t).sum()) for t in (times - 1, times, times + 1)]
            if near[1] >= 5:
                rows = np.array([*near, len(counts) - sum(near)])
                assert _misfit(times, rows) < EVIDENCE, (times, rows)
    for mean in (0.5, 3.2, 15.3):
        counts = chance.poisson(mean, 200_000)
        assert _too_even(counts[counts > 0]) is None, mean
    assert _misfit(10, np.array([0.0, 30.0, 0.0, 0.0])) > EVIDENCE
    assert _misfit(2, np.array([0.0, 40.0, 0.0, 0.0])) > EVIDENCE


# --- what learning makes of it ---------------------------------------------------------------


@pytest.fixture(scope="module")
def learned():
    return ds.learn(chains(1), **FEW)


@pytest.mark.slow
def test_no_edge_is_more_than_open(learned):
    assert not learned.rows_independent
    words = Counter((edge.verdict, edge.reason) for edge in learned.edges)
    assert words["open", "rows"] >= 1
    assert not {"near certain", "likely"} & {word for word, _ in words}
    for edge in learned.edges:
        assert (edge.reason == "rows") == (edge.share >= 0.7)
    assert set(learned.features()["reason"]) == {"rows", ""}
    assert learned.reason_words("rows") == "the rows seem to depend on each other"
    told = content(learned, data=learned.data)["trust"]["words"]
    assert "where one of these holds: the rows seem to depend" in told


def test_it_is_answered():
    data = ds.Data(chains(1), rows_independent=True)
    assert data.rows_independent is True
    answered = ds.learn(data, **FEW)
    assert answered.rows_independent
    assert answered.asked["rows_independent"] is True
    assert {"near certain", "likely"} & {edge.verdict for edge in answered.edges}
    assert not any(edge.reason == "rows" for edge in answered.edges)


@pytest.mark.slow
def test_the_user_can_say_that_rows_depend():
    data = ds.load_network("asia").sample(300, seed=1)
    assert dependent(with_repeats(looked_over(data))) == []
    said = ds.learn(ds.Data(data, rows_independent=False), **FEW)
    assert dependent(said.data) == ["rows_dependent"]
    assert {edge.reason for edge in said.edges} == {"rows", ""}
    assert said.data.warnings[0].startswith("the rows depend on each other, as you say, so chance")
    with pytest.raises(ds.ParameterError, match="rows_independent must be True, False or None"):
        ds.Data({"a": ["x", "y"]}, rows_independent="no")


def test_what_is_required_stays_what_it_is():
    known = ds.Knowledge(required=[("c0", "c1")])
    found = ds.learn(chains(1), knowledge=known, **FEW)
    words = {(edge.a, edge.b): (edge.verdict, edge.reason) for edge in found.edges}
    assert words["c0", "c1"] == ("near certain", "")
    assert "likely" not in {word for word, reason in words.values() if reason}


def test_files_and_copies_keep_it(learned, tmp_path):
    learned.save(tmp_path / "r.json")
    noted = json.loads((tmp_path / "r.json").read_text("utf-8"))["notes"]
    assert [note["kind"] for note in noted] == ["neighbors_alike"]
    assert ds.load_result(tmp_path / "r.json").notes == learned.notes
    again = pickle.loads(pickle.dumps(learned))
    assert not again.rows_independent
    assert not again.posterior.rows_independent
    assert pickle.loads(pickle.dumps(ds.Data(chains(1), rows_independent=True))).rows_independent


def test_the_page_tells_it_first(learned):
    shown = content(learned, data=learned.data)
    first = shown["notes"][0]
    assert first["loud"]
    assert first["words"].startswith("rows that follow each other in the file are alike in ")
    assert "rows_independent" not in first["words"]
    assert shown["trust"]["lowered"]["rows"] == "the rows seem to depend on each other"
    assert not any(row["settling"] for row in shown["trust"]["edges"])


def test_the_sentence_says_what_to_do(learned):
    (words,) = learned.data.warnings
    assert words.endswith("is not in the table), give rows_independent=True")
    assert "keep one row for each subject" in words
    (copied,) = with_repeats(of_states(copies(0))).warnings
    assert copied.startswith("28 of 300 rows are different, and 26 of these are there exactly 10")


@pytest.mark.slow
def test_a_sorted_file_gets_a_note_and_no_more():
    data = ds.load_network("asia").sample(300, seed=1)
    order = np.argsort(data.column("bronc"), kind="stable")
    found = ds.learn(data.take(order), **FEW)
    assert found.rows_independent
    (note,) = [note for note in found.notes if note.kind == "sorted_by"]
    assert note.examples == ("bronc",)
    assert note.level == "fact"
    assert "near certain" in {edge.verdict for edge in found.edges}


def test_what_is_true_of_rows_is_not_told_of_others(learned):
    assert dependent(learned.data)
    assert not dependent(learned.data.take(np.arange(0, 300, 40)))
    assert not dependent(learned.data.select(["c0", "c1"]))
    assert not dependent(ds.Data(learned.data, rows_independent=True))


def test_tables_that_were_drawn_are_not_looked_at():
    data = ds.load_network("asia").sample(100, seed=1)
    drawn = data.take(np.repeat(np.arange(50), 4))
    found = SEARCHES["learn"](ds.Problem(drawn, score="bic"))
    assert not [note for note in found.notes if note.kind in DEPENDENT]
    assert dependent(with_repeats(looked_over(drawn)))
