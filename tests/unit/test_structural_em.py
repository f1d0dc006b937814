"""Structural EM: what it promises of its objective, its input and its limits."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from limits import NO_TIME

ASIA = ds.load_network("asia")


def holed(whole: ds.Data, share: float, seed: int | list[int] = 0) -> ds.Data:
    """Return the table with a share of its cells removed at random."""
    rng = np.random.default_rng(seed)
    gaps = rng.random((whole.n_rows, whole.n_variables)) < share
    frame = {
        x: [
            None if gap else whole.states[x][code]
            for code, gap in zip(whole.codes[:, i], gaps[:, i], strict=True)
        ]
        for i, x in enumerate(whole.names)
    }
    return ds.Data(frame, missing="keep", states=dict(whole.states))


WHOLE = ASIA.sample(1000, seed=2)
DATA = holed(WHOLE, 0.15)


@pytest.mark.parametrize("score", ["bic", "aic", "qnml"])
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_never_falls(score: str, seed: int) -> None:
    network = ds.random_network(6, states=(2, 3), seed=seed)
    data = holed(network.sample(150, seed=seed), 0.25, seed)
    r = ds.structural_em(data, search="exact", score=score, restarts=3)
    assert r.work["rows_drawn"] == 0
    assert len(r.starts) >= 4
    for start in r.starts:
        assert start["converged"]
        assert all(np.diff(start["objectives"]) > -1e-6)
    assert r.score == pytest.approx(max(max(start["objectives"]) for start in r.starts))


def test_the_score_is_that_of_what_is_observed() -> None:
    r = ds.structural_em(DATA, search="hill_climb", score="bic", restarts=0)
    parameters = sum(
        (DATA.arities[x] - 1) * int(np.prod([DATA.arities[p] for p in r.dag.parents(x)]))
        for x in DATA.names
    )
    price = np.log(DATA.n_rows) / 2 * parameters
    assert r.score == pytest.approx(r.work["log_likelihood"] - price)
    assert r.score_parts["prior"] == 0
    with_prior = ds.structural_em(DATA, search="hill_climb", score="bic", restarts=0, prior="fair")
    assert with_prior.score_parts["prior"] != 0


@pytest.mark.parametrize("search", ["learn", "exact", "order", "hill_climb", "ges", "kes"])
def test_nothing_missing_is_the_search_itself(search: str) -> None:
    alone = {
        "learn": lambda: ds.learn(WHOLE, score="bic", runs=0, resamples=0),
        "exact": lambda: ds.exact(WHOLE, score="bic"),
        "order": lambda: ds.order_search(WHOLE, score="bic"),
        "hill_climb": lambda: ds.hill_climb(WHOLE, score="bic"),
        "ges": lambda: ds.ges(WHOLE, score="bic"),
        "kes": lambda: ds.kes(WHOLE, score="bic"),
    }[search]()
    found = ds.structural_em(ds.Data(WHOLE, missing="keep"), search=search, score="bic")
    assert (found.dag, found.score, found.optimal) == (alone.dag, alone.score, alone.optimal)


@pytest.mark.slow
@pytest.mark.parametrize("search", ["learn", "exact", "order", "hill_climb", "ges"])
def test_finds_what_the_whole_table_shows(search: str) -> None:
    whole = ASIA.sample(3000, seed=2)
    found = ds.structural_em(holed(whole, 0.1), score="bic", search=search, seed=1)
    assert found.cpdag == ds.exact(whole, score="bic").cpdag
    assert not found.optimal  # a proof on expected counts is none
    assert found.method.startswith("structural EM (")


@pytest.mark.slow
def test_is_the_same_for_any_order_of_columns_and_threads() -> None:
    shuffled = DATA.select(sorted(DATA.names, reverse=True))
    first = ds.structural_em(DATA, score="bic", search="hill_climb", threads=1)
    second = ds.structural_em(shuffled, score="bic", search="hill_climb", threads=2)
    assert set(first.dag.arcs) == set(second.dag.arcs)
    assert first.score == pytest.approx(second.score, abs=1e-9)


def test_its_network_predicts() -> None:
    r = ds.structural_em(DATA, score="bic", search="hill_climb")
    assert r.network is not None
    test = ASIA.sample(2000, seed=9)
    complete = ds.fit(ds.exact(WHOLE, score="bic").dag, WHOLE)
    assert r.network.log_likelihood(test) > 1.01 * complete.log_likelihood(test)  # both negative


def test_obeys_knowledge_and_limits_of_parents() -> None:
    known = ds.Knowledge(required=[("asia", "xray")], forbidden=[("smoke", "lung")])
    r = ds.structural_em(DATA, score="bic", search="exact", knowledge=known, max_parents=1)
    assert ("asia", "xray") in r.dag.arcs
    assert not known.violations(r.dag)
    assert max(len(r.dag.parents(x)) for x in DATA.names) == 1


@pytest.mark.slow
def test_draws_where_there_are_too_many_completions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dagscape.gaps.model.MOST_LISTED", 4)
    child = ds.load_network("child").sample(100, seed=0)
    data = holed(child.select(child.names[:10]), 0.4)
    asked = {"search": "hill_climb", "score": "bic", "restarts": 2, "seed": 4}
    first, second = (ds.structural_em(data, **asked) for _ in range(2))
    assert first.work["rows_drawn"] > 0
    assert (first.dag, first.score) == (second.dag, second.score)


def test_limits_give_the_best_so_far() -> None:
    data = holed(ds.load_network("child").sample(500, seed=0), 0.2)
    r = ds.structural_em(data, score="bic", time_limit=NO_TIME)
    assert r.stopped == "time"
    assert np.isfinite(r.score)


def test_keeps_and_shows_itself(tmp_path: Path) -> None:
    r = ds.structural_em(DATA, score="bic", search="hill_climb")
    r.save(tmp_path / "r.json")
    assert ds.load_result(tmp_path / "r.json") == r.plain() == r
    back = pickle.loads(pickle.dumps(r))
    assert (back, back.data, back.network) == (r, r.data, r.network)
    assert r.starts[0]["start"] == "available cases"
    r.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").stat().st_size > 10_000


def test_a_ctrl_c_leaves_the_best_so_far() -> None:
    calls = 0

    def interrupt(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise KeyboardInterrupt

    r = ds.structural_em(DATA, score="bic", search="hill_climb", restarts=50, progress=interrupt)
    assert r.stopped == "interrupt"
    assert 1 <= len(r.starts) < 52
    assert np.isfinite(r.score)
    assert r.network is not None


class TestBadInput:
    def test_scores_of_whole_counts(self) -> None:
        for score in ("fnml", "nal"):
            with pytest.raises(ds.ParameterError, match=r"whole counts|available cases"):
                ds.structural_em(DATA, score=score)

    def test_unknown_search(self) -> None:
        with pytest.raises(ds.ParameterError, match='unknown search "exakt"; did you mean "exact"'):
            ds.structural_em(DATA, score="bic", search="exakt")

    def test_knowledge_that_contradicts(self) -> None:
        with pytest.raises(ds.ParameterError, match="nobody"):
            ds.structural_em(
                DATA, score="bic", knowledge=ds.Knowledge(required=[("nobody", "xray")])
            )
        with pytest.raises(ds.ParameterError, match="max_parents"):
            ds.structural_em(
                DATA,
                score="bic",
                max_parents=0,
                knowledge=ds.Knowledge(required=[("asia", "xray")]),
            )

    @pytest.mark.slow
    def test_rows_without_values_are_left_out(self) -> None:
        frame = DATA.to_polars().to_dict(as_series=False)
        more = {x: [*values, None, None] for x, values in frame.items()}
        with_empty = ds.Data(more, missing="keep", states=dict(DATA.states))
        r = ds.structural_em(with_empty, score="bic", search="hill_climb")
        assert r.score == ds.structural_em(DATA, score="bic", search="hill_climb").score
        assert any(note.kind == "empty_rows" for note in r.notes)

    def test_search_that_cannot_obey(self) -> None:
        with pytest.raises(ds.ParameterError, match="knowledge"):
            ds.structural_em(
                DATA, score="bic", search="ges", knowledge=ds.Knowledge(required=[("asia", "xray")])
            )


def test_available_cases_are_refused_where_equivalence_is_needed() -> None:
    for search in (ds.ges, ds.kes):
        with pytest.raises(ds.DagscapeError):
            search(DATA, score="nal")
    with pytest.raises(ds.ParameterError, match="alpha must be a number above 0, and 1 at most"):
        ds.NAL(alpha=2)


@pytest.mark.slow
def test_drawn_tables_lead_to_networks_that_climbs_on_expected_counts_miss() -> None:
    whole = ds.load_network("child").sample(1000, seed=0)
    data = holed(whole, 0.02, seed=[0, 20, 4])
    climbed = ds.structural_em(data, search="hill_climb")
    found = ds.structural_em(data, search="ges")
    assert "drawn tables" in [start["start"] for start in found.starts]
    assert found.score > climbed.score + 1
    best = ds.hill_climb(whole, restarts=200)
    assert ds.shd(found.cpdag, best.cpdag) < ds.shd(climbed.cpdag, best.cpdag)
