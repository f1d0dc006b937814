"""No later step of `learn` costs what an earlier one found."""

from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.claims.journal import Reason
from dagscape.learning import plan, steps
from limits import AMPLE, untimed


@pytest.fixture(scope="module")
def asia() -> ds.Data:
    return ds.load_network("asia").sample(500, seed=1)


def failing(*_: object, **__: object) -> None:
    raise MemoryError("no room")


def reasons(learned: ds.Result) -> dict[str, Reason]:
    return {step.name: step.reason for step in learned.steps if step.skipped}


FAILED = Reason("failed", error="MemoryError", message="no room")


def test_a_landscape_that_fails_leaves_the_network(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "local_optima", failing)
    learned = ds.learn(asia, runs=20, resamples=2)
    assert learned.optimal
    assert learned.landscape is None
    assert reasons(learned) == {"local optima": FAILED}
    assert str(FAILED) == "it failed: no room"


def test_a_proof_that_fails_leaves_the_order_search(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "exact", failing)
    monkeypatch.setattr(steps, "order_search", untimed(ds.order_search))
    learned = ds.learn(asia, runs=0, resamples=0, time_limit=AMPLE)
    assert reasons(learned)["exact"] == FAILED
    assert learned.score == pytest.approx(ds.exact(asia).score, abs=1e-6)


def test_a_climb_that_fails_leaves_what_it_began_from(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "PROVABLE_SETS", 10)
    monkeypatch.setattr(steps, "hill_climb", failing)
    monkeypatch.setattr(steps, "order_search", untimed(ds.order_search))
    learned = ds.learn(asia, runs=0, resamples=0, time_limit=AMPLE)
    assert reasons(learned)["hill climbing"] == FAILED
    assert learned.score < 0


def test_where_nothing_is_found_the_error_comes_through(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "exact", failing)
    monkeypatch.setattr(steps, "order_search", failing)
    with pytest.raises(MemoryError, match="no room"):
        ds.learn(asia)


@pytest.mark.parametrize(
    "step", ["scoring parent sets", "probabilities", "stability", "local optima"]
)
def test_what_progress_raises_comes_through(step: str) -> None:
    data = ds.load_network("asia").sample(300, seed=1)

    def told(_: float | None, text: str) -> None:
        if text.startswith(step):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ds.learn(data, max_parents=3, runs=1_000_000, resamples=5, time_limit=AMPLE, progress=told)


def test_what_is_wrong_with_the_last_step_is_said_before_the_first(
    asia: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "candidate_parents", failing)
    with pytest.raises(ds.ParameterError, match="k must be between"):
        ds.learn(asia, k=2)
    store = tmp_path / "runs.sqlite"
    ds.local_optima(asia, k=0.5, runs=1, store=store)
    with pytest.raises(ds.ParameterError, match=r"runs\.sqlite"):
        ds.learn(asia, k=0.8, store=store)


@pytest.mark.slow
def test_more_variables_than_once_were_allowed(asia: ds.Data) -> None:
    more = 2561 - asia.n_variables
    codes = np.hstack([asia.codes, np.zeros((asia.n_rows, more), dtype=int)])
    wide = ds.Data.from_codes(codes, asia.states | {f"x{i}": ["same"] for i in range(more)})
    learned = ds.learn(wide, score="bic", method="ges", runs=1, resamples=0)
    assert learned.landscape is not None
    assert learned.landscape.runs == 1
    assert learned.score >= ds.ges(asia).score - 1e-6


@pytest.mark.slow
def test_a_landscape_that_cannot_be_had_is_left_out_with_the_reason() -> None:
    rng = np.random.default_rng(0)
    wide = ds.Data.from_codes(
        rng.integers(0, 2, (20, 6000)), {f"x{i}": ["a", "b"] for i in range(6000)}
    )
    assert plan.no_run(6000, left=60.0, memory=10**10) == Reason(
        "run too slow", seconds=plan.class_search_seconds(6000)
    )
    assert plan.no_run(6000, left=1e9, memory=10**10) is None
    refused = plan.no_run(6000, left=1e9, memory=10**8)
    assert refused is not None
    assert refused.name == "too much memory"
    assert "hardly any can end in that time" in str(ds.estimate(wide))
    assert "left out" in str(ds.estimate(wide, "local_optima", max_memory=10**8))
