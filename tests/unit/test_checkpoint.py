"""`learn` goes on from its checkpoint: nothing done twice, and the end the same."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import dagscape as ds
from dagscape.learning import LearnResult, checkpoint, plan, steps, trust
from limits import AMPLE, NO_TIME, Clock, untimed

EMPTY = {
    "kind": "learning",
    "settings": {},
    "done": [],
    "covered": False,
    "seconds": 1.0,
    "lost": 1.0,
    "result": None,
}
STEPS = (
    "scoring parent sets",
    "proving",
    "order search",
    "climbing",
    "probabilities",
    "stability",
    "local optima",
)


@pytest.fixture(scope="module", params=[10, pytest.param(20, marks=pytest.mark.long)])
def data(request: pytest.FixtureRequest) -> ds.Data:
    """Few variables, whose probabilities are sums; or so many that chains sample them."""
    child = ds.load_network("child").sample(400, seed=1)
    return child.select(child.names[: request.param])


@pytest.fixture(scope="module", autouse=True)
def _every_step() -> Iterator[None]:
    """Have all steps done, each quickly: a proof that finds a network and proves nothing."""
    whole = steps.exact

    def unproven(*arguments: Any, **options: Any) -> ds.Result:
        found = whole(*arguments, **options)
        facts = found.to_dict()
        return ds.Result(
            dag=found.dag,
            score=found.score,
            score_kind=found.score_kind,
            method=found.method,
            scope=found.scope,
            bound=found.score + 1,
            stopped=facts["stopped"],
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "exact", unproven)
        patch.setattr(plan, "CLIMB_RESTARTS", 3)
        patch.setattr(steps, "CLIMB_RESTARTS", 3)
        search = untimed(steps.order_search, restarts=2, generations=2)
        patch.setattr(steps, "order_search", search)
        yield


@pytest.fixture(scope="module")
def whole(data: ds.Data, tmp_path_factory: pytest.TempPathFactory) -> LearnResult:
    """What nobody interrupted."""
    return learn(data, tmp_path_factory.mktemp("whole"))


def learn(data: ds.Data, folder: Path, **options: Any) -> LearnResult:
    """Learn with time for everything, so that the machine decides nothing."""
    settings = {"max_parents": 2, "runs": 20, "resamples": 6, "time_limit": AMPLE, **options}
    return ds.learn(
        data, checkpoint=folder / "search.json", store=folder / "runs.sqlite", **settings
    )


def at(step: str, do: Callable[[], None]) -> Callable[[float | None, str], None]:
    """Return a progress function that does something in a step."""

    def told(_: float | None, text: str) -> None:
        if text.startswith(step):
            do()

    return told


def interrupt() -> None:
    raise KeyboardInterrupt


def outcome(learned: LearnResult) -> tuple[object, ...]:
    landscape = learned.landscape
    return (
        learned.dag,
        learned.score,
        learned.claim,
        learned.method,
        [(step.name, step.reason, step.skipped) for step in learned.steps],
        None if landscape is None else landscape.optima,
        None if learned.posterior is None else learned.features(frame="dict"),
        learned.consensus,
        None if learned.stability is None else learned.stability.networks,
    )


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_interrupted_in_any_step_it_ends_where_an_undisturbed_one_does(
    data: ds.Data, whole: LearnResult, tmp_path: Path, step: str
) -> None:
    assert [one.name for one in whole.steps] == [
        "candidate parents",
        "exact",
        "order search",
        "hill climbing",
        "probabilities",
        "other choices",
        "stability",
        "local optima",
    ]
    # The engine asks a few times a second, and these are short: each step is interrupted by hand.
    cut = interrupted(data, tmp_path, step)
    assert cut.stopped == "interrupt"
    assert cut.score == pytest.approx(ds.score(data, cut.dag, score=cut.score_kind), abs=1e-6)
    again = learn(data, tmp_path)
    assert again.stopped is None
    assert outcome(again) == outcome(whole)


SEARCHES = {
    "scoring parent sets": "candidate_parents",
    "proving": "exact",
    "order search": "order_search",
    "climbing": "hill_climb",
    "probabilities": "posterior",
    "stability": "bootstrap",
    "local optima": "local_optima",
}


def interrupted(data: ds.Data, folder: Path, step: str, **options: Any) -> LearnResult:
    """Learn with Ctrl-C pressed at the beginning of a step."""
    later = {"local optima": steps, "probabilities": trust, "stability": trust}
    module = later.get(step, steps)
    name = SEARCHES[step]

    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, pressed)
        return learn(data, folder, **options)


@pytest.mark.slow
def test_what_is_done_is_not_done_again(
    data: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = learn(data, tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("this was done before")

    for name in ("candidate_parents", "exact", "order_search", "hill_climb"):
        monkeypatch.setattr(steps, name, fail)
    before = kept_in(tmp_path)["seconds"]
    again = learn(data, tmp_path)
    assert outcome(again) == outcome(first)
    assert again.seconds > before > 0


def kept_in(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((folder / "search.json").read_text())
    return kept


def test_what_an_interrupted_step_took_counts_as_lost(
    data: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, score_sets = Clock(monkeypatch), steps.candidate_parents

    def slow(*arguments: Any, **options: Any) -> ds.CandidateParents:
        clock.spend(7)
        return score_sets(*arguments, **options)

    monkeypatch.setattr(steps, "candidate_parents", slow)
    interrupted(data, tmp_path, "order search")
    first = kept_in(tmp_path)
    assert first["done"] == ["exact"]
    interrupted(data, tmp_path, "order search")
    second = kept_in(tmp_path)
    assert second["done"] == ["exact"]
    # All of the second call was in vain: it only scored parent sets again.
    assert second["seconds"] - first["seconds"] == pytest.approx(7)
    assert second["lost"] - first["lost"] == pytest.approx(7)


@pytest.mark.slow
def test_what_runs_took_is_not_lost(data: ds.Data, tmp_path: Path) -> None:
    interrupted(data, tmp_path, "local optima")
    kept = kept_in(tmp_path)
    assert kept["done"] == ["exact", "order search", "hill climbing"]
    assert kept["lost"] == 0
    learn(data, tmp_path)
    again = kept_in(tmp_path)
    assert again["lost"] == 0
    assert again["seconds"] > kept["seconds"]


@pytest.mark.slow
def test_time_is_noted_while_a_step_runs(
    data: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed call leaves no more than that."""
    monkeypatch.setattr(checkpoint, "HEARTBEAT", 0.0)
    clock, search, seen = Clock(monkeypatch), steps.hill_climb, []

    def order(*arguments: Any, **options: Any) -> ds.Result:
        clock.spend(5)
        return ds.order_search(*arguments, **options | {"time_limit": None})

    def climb(*arguments: Any, **options: Any) -> ds.Result:
        clock.spend(2)
        options["progress"](0.5, "half")
        seen.append(kept_in(tmp_path))
        return search(*arguments, **options)

    monkeypatch.setattr(steps, "order_search", order)
    monkeypatch.setattr(steps, "hill_climb", climb)
    learn(data, tmp_path, runs=0)
    [kept] = seen
    assert kept["done"] == ["exact", "order search"]
    assert (kept["lost"], kept["seconds"]) == (2, 7)


def test_a_step_that_was_left_out_is_told_once(
    data: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "PROVABLE_SETS", 1)
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    whole = learn(data, tmp_path / "whole", resamples=0, runs=3)
    assert whole.steps[1].skipped
    cut = interrupted(data, tmp_path / "cut", "climbing", resamples=0, runs=3)
    assert cut.stopped == "interrupt"
    assert outcome(learn(data, tmp_path / "cut", resamples=0, runs=3)) == outcome(whole)


@pytest.mark.slow
def test_time_that_was_used_is_gone(data: ds.Data, tmp_path: Path) -> None:
    learn(data, tmp_path, runs=0, time_limit=AMPLE)
    path = tmp_path / "search.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"seconds": AMPLE - NO_TIME}))
    (tmp_path / "runs.sqlite").unlink(missing_ok=True)
    late = ds.learn(data, max_parents=2, checkpoint=path, time_limit=AMPLE)
    assert late.seconds > AMPLE - NO_TIME
    assert late.landscape is None or late.landscape.stopped == "time"


def test_without_a_network_only_time_is_kept_and_something_is_found(
    data: ds.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, estimate = Clock(monkeypatch), plan.estimate_parents

    def slow(*arguments: Any, **options: Any) -> Any:
        clock.spend(3)
        return estimate(*arguments, **options)

    monkeypatch.setattr(plan, "estimate_parents", slow)
    cut = interrupted(data, tmp_path, "scoring parent sets")
    assert (cut.stopped, cut.method, cut.dag.arcs) == ("interrupt", "no search", ())
    assert cut.landscape is None
    kept = kept_in(tmp_path)
    assert (kept["done"], kept["result"]) == ([], None)
    assert kept["lost"] == kept["seconds"] == 3
    monkeypatch.setattr(plan, "estimate_parents", estimate)
    # Nothing was found with these settings, so that others do not matter.
    other = learn(data, tmp_path, runs=0, score="aic")
    assert str(other.score_kind) == "aic"
    assert kept_in(tmp_path)["lost"] == 0


def test_after_ctrl_c_no_search_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order search ran for half of the time although somebody had pressed Ctrl-C."""
    begun: list[str] = []

    def noted(name: str) -> Callable[..., Any]:
        search = getattr(steps, name)

        def call(*arguments: Any, **options: Any) -> Any:
            begun.append(name)
            if name == "candidate_parents":
                options["progress"] = lambda *_: interrupt()
            elif options.get("time_limit") is None or options["time_limit"] > 1:
                raise AssertionError(f"{name} was begun with time to search")
            return search(*arguments, **options)

        return call

    wide = ds.load_network("alarm").sample(2000, seed=1)
    for name in ("candidate_parents", "exact", "order_search", "hill_climb"):
        monkeypatch.setattr(steps, name, noted(name))
    learned = ds.learn(wide, checkpoint=tmp_path / "search.json")
    assert learned.stopped == "interrupt"
    assert begun in (["candidate_parents"], ["candidate_parents", "order_search"])
    assert kept_in(tmp_path)["result"] is None


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ({"score": "aic"}, 'score was "fitted_dirichlet" and is "aic"'),
        ({"max_parents": 3}, "max_parents was 2 and is 3"),
        ({"method": "ges"}, 'method was "auto" and is "ges"'),
        ({"seed": 5}, "seed was 0 and is 5"),
        (
            {"knowledge": ds.Knowledge(forbidden=[("BirthAsphyxia", "CO2")])},
            "knowledge was not given and",
        ),
    ],
)
def test_another_search_is_refused_by_name(
    data: ds.Data, tmp_path: Path, options: dict[str, Any], difference: str
) -> None:
    learn(data, tmp_path, runs=0, resamples=0)
    with pytest.raises(ds.ParameterError) as raised:
        learn(data, tmp_path, **{"runs": 0, "resamples": 0, **options})
    assert f"is of another search: {difference}" in str(raised.value)


def test_another_table_is_refused(data: ds.Data, tmp_path: Path) -> None:
    learn(data, tmp_path, runs=0, resamples=0)
    with pytest.raises(ds.ParameterError, match="the table has changed"):
        learn(data.head(300), tmp_path, runs=0)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        '{"kind": "learning"}',
        json.dumps(EMPTY | {"covered": 1}),
        json.dumps(EMPTY | {"seconds": -1, "lost": -1}),
        json.dumps(EMPTY | {"seconds": float("nan")}),
        json.dumps(EMPTY | {"seconds": 1e10}),
        json.dumps(EMPTY | {"lost": 2.0}),
        json.dumps(EMPTY | {"seconds": True}),
        json.dumps(EMPTY | {"done": [1]}),
        json.dumps(EMPTY | {"done": ["exact"]}),
        json.dumps(EMPTY | {"settings": []}),
        json.dumps({name: EMPTY[name] for name in EMPTY if name != "result"}),
    ],
)
def test_a_damaged_checkpoint_is_refused(data: ds.Data, tmp_path: Path, content: str) -> None:
    (tmp_path / "search.json").write_text(content)
    with pytest.raises(ds.FileFormatError, match=r"search\.json"):
        learn(data, tmp_path, runs=0)


def test_a_damaged_result_in_it_is_refused(data: ds.Data, tmp_path: Path) -> None:
    learn(data, tmp_path, runs=0, resamples=0)
    kept = kept_in(tmp_path)
    for result in ({}, kept["result"] | {"score": "high"}, kept["result"] | {"arcs": 5}):
        (tmp_path / "search.json").write_text(json.dumps(kept | {"result": result}))
        with pytest.raises(ds.FileFormatError, match=r"search\.json"):
            learn(data, tmp_path, runs=0)


def test_found_and_a_checkpoint_are_one_too_many(data: ds.Data, tmp_path: Path) -> None:
    found = learn(data, tmp_path, runs=0, resamples=0).plain()
    with pytest.raises(ds.ParameterError, match="found and checkpoint both say where to go on"):
        learn(data, tmp_path, found=found)


def test_found_counts_the_seconds_before_but_not_for_the_limit(data: ds.Data) -> None:
    first = ds.learn(data, max_parents=2, runs=0, resamples=0)
    found = replace(first.plain(), seconds=2 * AMPLE)
    again = ds.learn(data, max_parents=2, found=found, runs=3, resamples=0, time_limit=AMPLE)
    assert again.seconds > 2 * AMPLE
    assert again.landscape is not None
    assert again.landscape.runs == 3
