"""How far probabilities depend on choices: each asked alone says the same, and words follow."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.trust_lines import edge_lines
from dagscape.data.merge_intervals import coarser
from dagscape.learning import LearnedEdge, LearnResult, sensitivity, trust
from dagscape.learning.sensitivity import ChoicesFile, Sensitivity, Variation, variations
from dagscape.report.page_trust import trust_of
from limits import NO_TIME


@pytest.fixture(scope="module")
def learned() -> LearnResult:
    return ds.learn(ds.load_network("asia").sample(300, seed=2), runs=0, resamples=10)


def choices(data: ds.Data, **asked: object) -> list[str]:
    return [str(variation) for variation, _ in variations(ds.Problem(data, **asked))]


@pytest.mark.slow
def test_bands_are_what_every_choice_says_by_itself(learned):
    asked = [
        {"score": ds.BDeu(1), "prior": ds.EdgePrior(1)},
        {"score": ds.BDeu(10), "prior": ds.EdgePrior(1)},
        {"score": "fitted", "prior": ds.EdgePrior(0.5)},
        {"score": "fitted", "prior": ds.EdgePrior(2)},
    ]
    each = [ds.posterior(learned.data, max_parents=3, **one) for one in asked]
    words = [
        "bdeu(ess=1)",
        "bdeu(ess=10)",
        "prior edges(neighbors=0.5)",
        "prior edges(neighbors=2)",
    ]
    assert list(map(str, learned.sensitivity.variations)) == words
    for edge in learned.edges:
        found = [P.probability(edge.a, edge.b, "adjacencies") for P in each]
        assert edge.least == pytest.approx(min(edge.probability, *found), abs=2e-4)
        assert edge.most == pytest.approx(max(edge.probability, *found), abs=2e-4)
        if min(found) < edge.probability - 1e-3:
            assert edge.least_by == words[int(np.argmin(found))]
    table = learned.sensitivity.features(frame="dict")
    for a, b, *row in zip(table["from"], table["to"], *(table[w] for w in words), strict=True):
        found = [P.probability(a, b, "adjacencies") for P in each]
        assert row == pytest.approx(found, abs=2e-4)


def test_an_edge_that_another_choice_makes_improbable_is_not_near_certain():
    base = LearnedEdge(
        *("a", "b", 0.99, 0.9, 1.0, 0.99, 0.99, 0.5, None, None, None, None, "directed", "", 9.0)
    )
    for least, word, reason in ((0.5, "near certain", ""), (0.499, "likely", "choices")):
        edge = replace(base, least=least, most=1.0)
        assert (edge.verdict, edge.reason) == (word, reason)
    # What lowers it further says why.
    edge = replace(base, least=0.1, most=1.0, chance=0.5)
    assert (edge.verdict, edge.reason) == ("open", "chance")
    # Nothing is lower than it was by its number.
    edge = replace(base, probability=0.8, least=0.1, most=1.0)
    assert (edge.verdict, edge.reason) == ("likely", "")


def test_the_choice_that_says_least_is_named_and_missing_pairs_are_improbable():
    some = Sensitivity(
        (Variation("score", "bdeu(ess=1)"), Variation("prior", "uniform")),
        ({("a", "b"): 0.4}, {("a", "b"): 0.9, ("a", "c"): 0.2}),
    )
    band = some.band(("a", "b"), 0.6)
    assert (band.least, band.most, band.least_by) == (0.4, 0.9, "bdeu(ess=1)")
    assert some.band(("a", "b"), 0.3).least_by == ""
    band = some.band(("a", "c"), 0.1)
    assert (band.least, band.most, band.least_by) == (0.0, 0.2, "bdeu(ess=1)")


def test_which_choices_there_are_follows_from_what_was_asked():
    coins = ds.load_network("asia").sample(50, seed=0)
    priors = ["prior edges(neighbors=1)", "prior edges(neighbors=2)"]
    assert choices(coins, score="bic") == ["bdeu(ess=1)", "bdeu(ess=10)", *priors]
    assert choices(coins, score=ds.BDeu(10)) == ["bdeu(ess=1)", *priors]
    rng = np.random.default_rng(0)
    numbers = ds.Data(
        {"x": rng.normal(size=60), "y": rng.normal(size=60), "z": rng.normal(size=60)}
    )
    own = ["prior edges(neighbors=0.2)", "prior edges(neighbors=0.8)"]
    assert choices(numbers) == ["rank_bge(degree=2)", *own]
    assert choices(numbers, score="bge", prior=ds.EdgePrior(0.4)) == ["rank_bge(degree=1)", *own]
    cut = ds.Data(
        {name: numbers.column(name) for name in numbers.names}, discretize=("quantile", 4)
    )
    merged = [f"intervals merged two by two from the {at} on" for at in ("first", "second")]
    assert choices(cut)[-2:] == merged
    halves = ds.Data({name: numbers.column(name) for name in numbers.names}, discretize="median")
    assert not any("merged" in words for words in choices(halves))


@pytest.mark.parametrize("first", [0, 1])
def test_neighboring_intervals_become_one(first):
    rng = np.random.default_rng(first)
    x = np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80))
    frame = {"x": x, "coin": rng.integers(2, size=80).astype(str), "y": rng.normal(size=80)}
    for missing in ("keep", "state"):
        data = ds.Data(frame, discretize={"x": ("quantile", 5)}, missing=missing)
        made = coarser(data, first)
        before, after = data.column("x"), made.column("x")
        groups = [0, 0, 1, 1, 2] if first == 0 else [0, 1, 1, 2, 2]
        own = dict(enumerate(groups)) | {5: 3}
        assert [own[code] for code in before] == list(after)
        states = data.states["x"]
        joined = ["", "", ""]
        for group, state in zip(groups, states, strict=False):
            joined[group] += f"{joined[group] and ' or '}{state}"
        assert list(made.states["x"]) == joined + (["missing"] if missing == "state" else [])
        assert made.missing.cells == data.missing.cells
        for name in ("coin", "y"):
            assert (made.column(name) == data.column(name)).all()
    assert (before == 5).any()


def test_other_cuts_change_a_band():
    rng = np.random.default_rng(5)
    x = rng.uniform(size=150)
    # Only the middle fifth is different: merged with a neighbor, little of that is left.
    y = np.where((x > 0.4) & (x < 0.6), rng.random(150) < 0.75, rng.random(150) < 0.3)
    data = ds.Data({"x": x, "y": y.astype(int).astype(str)}, discretize={"x": ("quantile", 5)})
    found = ds.learn(data, runs=0, resamples=10)
    merged = ds.posterior(coarser(data, 0)).probability("x", "y", "adjacencies")
    (edge,) = found.edges
    by = found.sensitivity.features(frame="dict")
    assert by["intervals merged two by two from the first on"] == pytest.approx([merged], abs=1e-4)
    assert edge.least <= merged + 1e-4


@pytest.mark.slow
def test_what_was_asked_is_kept(tmp_path: Path, monkeypatch):
    data = ds.load_network("asia").sample(200, seed=3)
    asked = {"runs": 0, "resamples": 10, "checkpoint": tmp_path / "search.json"}
    first = ds.learn(data, **asked)
    file = tmp_path / "search-choices.json"
    text = file.read_text("utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(sensitivity, "posterior", None)  # nothing is asked again
        assert ds.learn(data, **asked).sensitivity == first.sensitivity
    identity, found = json.loads(text)["identity"], first.sensitivity
    assert ChoicesFile(file, identity).of(found.variations[0]) == found.probabilities[0]
    told = json.loads(text)
    for damage in (
        "",
        "[]",
        text[:90],
        json.dumps(told | {"identity": {}}),
        json.dumps(told | {"found": {words: [["a", 1]] for words in told["found"]}}),
        json.dumps(told | {"found": {words: [["a", "b", 7]] for words in told["found"]}}),
    ):
        file.write_text(damage, "utf-8")
        assert ChoicesFile(file, identity).of(found.variations[0]) is None, damage
    kept = ChoicesFile(file, identity)
    for variation, each in zip(found.variations, found.probabilities, strict=True):
        kept.keep(variation, each)
    assert file.read_text("utf-8") == text


@pytest.mark.slow
def test_gaps_numbers_and_knowledge_have_bands_too():
    rng = np.random.default_rng(8)
    coins = ds.load_network("asia").sample(150, seed=1).select(["smoke", "lung", "bronc", "dysp"])
    seen = {name: np.array(coins.states[name], object)[coins.column(name)] for name in coins.names}
    holes = {name: np.where(rng.random(150) < 0.05, None, seen[name]) for name in seen}
    gaps = ds.Data(holes, missing="keep")
    mixed = ds.Data({"x": (x := rng.normal(size=90)), "y": x + rng.normal(size=90), "c": x > 0.5})
    known = ds.Knowledge(required=[("smoke", "dysp")])
    for data, knowledge in ((gaps, None), (mixed, None), (coins, known)):
        found = ds.learn(data, runs=0, resamples=10, knowledge=knowledge)
        assert len(found.sensitivity.variations) >= 3
        for edge in found.edges:
            assert edge.least <= edge.probability <= edge.most
            if knowledge is not None and {edge.a, edge.b} == {"smoke", "dysp"}:
                assert edge.least == pytest.approx(1)
    plain = ds.learn(coins, runs=0, resamples=0)
    assert plain.sensitivity is None
    assert all(edge.least is None for edge in plain.edges)


@pytest.mark.slow
def test_without_time_it_is_left_out_and_says_so(monkeypatch):
    data = ds.load_network("asia").sample(100, seed=1)
    with monkeypatch.context() as patched:
        patched.setattr(sensitivity, "CHOICES_SHARE", 0.0)
        patched.setattr(trust, "LEAST", 0.0)  # of a small table it would be had at once
        found = ds.learn(data, runs=0, resamples=10)
    assert found.sensitivity is None
    (step,) = [step for step in found.steps if step.name == "other choices"]
    assert step.skipped
    assert all(edge.least is None for edge in found.edges)
    large = ds.load_network("alarm").sample(100, seed=1)
    assert ds.learn(large, runs=0, time_limit=NO_TIME).sensitivity is None


def test_terminal_page_and_table_show_the_same(learned):
    rows = learned.features()
    assert rows.columns.index("least_by") + 1 == rows.columns.index("verdict")
    told = trust_of(learned)
    assert told["choices"] == list(map(str, learned.sensitivity.variations))
    for row in told["edges"]:
        (edge,) = [
            e
            for e in learned.edges
            if {e.a, e.b} == {learned.dag.names[row["from"]], learned.dag.names[row["to"]]}
        ]
        assert (row["least"], row["most"], row["least_by"]) == (
            edge.least,
            edge.most,
            edge.least_by,
        )
    (line,) = [line for line in edge_lines(learned) if line.startswith("by other sensible choices")]
    rising = [e for e in learned.edges if e.probability < 0.5 <= e.most]
    assert rising
    assert f"{len(rising)} edges go above one half: " in line
    assert (
        f"{rising[0].a} ? {rising[0].b} {rising[0].probability:.2f} ({rising[0].most:.2f})" in line
    )
    steady = replace(learned, sensitivity=Sensitivity(learned.sensitivity.variations[:1], ({},)))
    falling = sum(edge.probability >= 0.5 for edge in steady.edges)
    (line,) = [line for line in edge_lines(steady) if line.startswith("by other sensible choices")]
    assert f"{falling} edges go below one half: " in line
