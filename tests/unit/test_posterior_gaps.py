"""The posterior of tables with missing cells: drawn cells and networks in turn."""

from __future__ import annotations

import importlib
import pickle
import time
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.control.budget import Budget
from dagscape.gaps.cell_sampler import StateCells
from limits import AMPLE, Clock
from oracles import completions

AUGMENTED = importlib.import_module("dagscape.posteriors.data_augmentation")
SHORT = {"chains": 4, "rounds": 40, "seed": 3}


def holed(whole: ds.Data, share: float, seed: int = 0) -> ds.Data:
    """Return the table with a share of its cells removed at random."""
    gaps = np.random.default_rng(seed).random(whole.codes.shape) < share
    return without(whole, gaps)


def without(whole: ds.Data, gaps: np.ndarray) -> ds.Data:
    frame = {
        x: [
            None if gap else whole.states[x][code]
            for code, gap in zip(whole.codes[:, i], gaps[:, i], strict=True)
        ]
        for i, x in enumerate(whole.names)
    }
    return ds.Data(frame, missing="keep", states=dict(whole.states))


def arcs_of(posterior: ds.Posterior) -> dict[tuple[str, str], tuple[float, float, float]]:
    return {(a, b): (p, low, high) for _, a, b, p, low, high in posterior.features().iter_rows()}


def uncertainty(posterior: ds.Posterior) -> float:
    """Return the entropy of all adjacencies, one by one."""
    p = posterior.features("adjacencies")["probability"].to_numpy().clip(1e-12, 1 - 1e-12)
    return float(-(p * np.log(p) + (1 - p) * np.log(1 - p)).sum())


WHOLE = ds.load_network("asia").sample(200, seed=4).select(["smoke", "lung", "bronc", "dysp"])
DATA = holed(WHOLE, 0.15)


def few_gaps() -> ds.Data:
    """Return 24 rows of three variables with five gaps."""
    whole = ds.random_network(3, states=(2, 3), max_parents=2, seed=6).sample(24, seed=1)
    gaps = np.zeros(whole.codes.shape, dtype=bool)
    gaps.flat[np.random.default_rng(2).choice(gaps.size, 5, replace=False)] = True
    return without(whole, gaps)


@pytest.mark.slow
@pytest.mark.parametrize(("score", "within"), [("bdeu", 0.02), ("k2", 0.02), ("fitted", 0.04)])
def test_as_all_completions_say(score: str, within: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """About so for the fitted score: cells are drawn given the sizes of the table before them."""
    data = few_gaps()
    rows = [
        [None if gap else int(code) for code, gap in zip(*row, strict=True)]
        for row in zip(data.codes, data.missing.mask, strict=True)
    ]
    logs = completions.log_weights_of_networks(rows, list(data.arities.values()), score)
    weights = {dag: np.exp(log - max(logs.values())) for dag, log in logs.items()}
    total = sum(weights.values())
    for together in (12, 0):  # by sums over the networks of each table, by moves
        monkeypatch.setattr(AUGMENTED, "TOGETHER", together)
        found = ds.posterior(data, score=score, prior="uniform", chains=4, rounds=300, seed=1)
        assert found.agreement is not None
        assert found.agreement.together
        for (a, b), (p, low, high) in arcs_of(found).items():
            arc = data.names.index(a), data.names.index(b)
            truth = sum(weight for dag, weight in weights.items() if arc in dag) / total
            assert p == pytest.approx(truth, abs=within)
            assert low - within / 2 <= truth <= high + within / 2


@pytest.mark.slow
def test_grows_less_certain_as_cells_go_missing() -> None:
    whole = ds.load_network("asia").sample(300, seed=1).select(WHOLE.names)
    shares = (0.1, 0.3, 0.6)
    found = [uncertainty(ds.posterior(holed(whole, s), score="bdeu", **SHORT)) for s in shares]
    certain = uncertainty(ds.posterior(whole, score="bdeu"))
    assert [certain, *found] == sorted([certain, *found])
    assert found[-1] > 1.1 * certain


def test_nothing_missing_is_the_posterior_itself() -> None:
    kept, whole = ds.posterior(ds.Data(WHOLE, missing="keep")), ds.posterior(WHOLE)
    assert kept.exact
    assert kept.features().equals(whole.features())
    assert (kept.log_evidence, kept.claim) == (whole.log_evidence, whole.claim)


def test_says_what_it_is() -> None:
    found = ds.posterior(DATA, **SHORT)
    assert "4 chains, through 32 tables with drawn cells each, over all networks" in found.claim
    assert found.claim.endswith("; cells are taken to be missing at random")
    assert "score fitted_dirichlet, which stands in for a probability" in found.claim
    assert found.agreement is not None
    assert (found.agreement.completed, len(set(found.agreement.starts))) == (32, 3)
    assert (found.exact, found.resamples, found.log_evidence) == (False, 0, None)
    assert found.networks(1)[0].score is None
    assert found.probability("lung", "smoke", "adjacencies") > 0.3


@pytest.mark.parametrize("by_moves", [False, True])
def test_is_the_same_for_any_order_of_columns_and_threads(
    by_moves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by_moves:
        monkeypatch.setattr(AUGMENTED, "TOGETHER", 0)
    few = {"chains": 3, "rounds": 10, "seed": 5}
    first = ds.posterior(DATA, threads=1, **few)
    shuffled = DATA.select(sorted(DATA.names, reverse=True))
    assert arcs_of(first) == arcs_of(ds.posterior(shuffled, threads=2, **few))


def test_obeys_knowledge() -> None:
    known = ds.Knowledge(required=[("smoke", "dysp")], forbidden=[("smoke", "lung")])
    found = ds.posterior(DATA, knowledge=known, max_parents=2, chains=3, rounds=15)
    assert found.probability("smoke", "dysp") == pytest.approx(1)
    assert found.probability("smoke", "lung") == 0
    assert all(not known.violations(dag) for dag in found.sample(10))


@pytest.mark.slow
def test_keeps_chains_and_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "p.sqlite"
    ds.posterior(DATA, store=store, **{**SHORT, "chains": 2})
    found = ds.posterior(DATA, store=store, **SHORT)
    at_once = ds.posterior(DATA, **SHORT)
    assert arcs_of(found) == arcs_of(at_once)
    again = ds.load_result(store, ds.Posterior)
    assert (again.claim, arcs_of(again)) == (found.claim, arcs_of(found))
    found.save(tmp_path / "saved.sqlite")
    saved = ds.load_result(tmp_path / "saved.sqlite", ds.Posterior)
    assert saved.networks(3) == found.networks(3)
    assert pickle.loads(pickle.dumps(found)).claim == found.claim
    found.report(tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "missing cells" in page
    assert "drawn again in every round" in page


def test_rows_without_values_say_nothing() -> None:
    gaps = DATA.missing.mask
    more = ds.Data.from_codes(np.vstack([WHOLE.codes, WHOLE.codes[:5]]), WHOLE.states)
    empty = without(more, np.vstack([gaps, np.ones((5, WHOLE.n_variables), dtype=bool)]))
    few = {"score": "bdeu", "chains": 2, "rounds": 10}
    assert arcs_of(ds.posterior(DATA, **few)) == arcs_of(ds.posterior(empty, **few))


def test_what_there_is_time_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    def tell(share: float | None, _: str) -> None:
        if share:
            clock.time_is_over()

    found = ds.posterior(DATA, score="bdeu", rounds=10**6, time_limit=AMPLE, progress=tell)
    assert found.stopped == "time"
    assert found.agreement is not None
    assert 1 <= found.agreement.chains <= 8


def test_a_chain_whose_time_is_over_before_it_begins_does_not_count() -> None:
    over = Budget(time.monotonic() - 1.0, 1 << 30, 1)
    cells = StateCells(DATA, ds.BDeu())
    problem = ds.Problem(DATA, score=ds.BDeu())
    assert cells.start("optimum", problem, np.random.default_rng(0), over) is None


def test_what_is_there_at_a_ctrl_c_counts() -> None:
    def interrupt(share: float | None, _: str) -> None:
        if share:
            raise KeyboardInterrupt

    found = ds.posterior(DATA, score="bdeu", chains=2, rounds=10**4, progress=interrupt)
    assert found.stopped == "interrupt"
    assert found.agreement is not None
    assert 0 < found.agreement.completed < 8000


class TestRefusals:
    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"method": "exact"}, r"\d+ cells are missing; ask for method=\"mcmc\""),
            ({"resamples": 5}, "resamples is for tables without missing cells"),
            ({"score": "nal"}, "gives networks no probability"),
        ],
    )
    def test_settings(self, asked: dict[str, object], words: str) -> None:
        with pytest.raises(ds.ParameterError, match=words):
            ds.posterior(DATA, **asked)

    def test_new_rows(self) -> None:
        found = ds.posterior(DATA, chains=2, rounds=5)
        with pytest.raises(ds.DataError, match="missing"):
            found.predictive(WHOLE)
