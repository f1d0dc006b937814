"""`learn` picks what to run, says so, and claims no more than was proven."""

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning import LEARN_METHODS, LearnResult, plan
from dagscape.learning import steps as search_steps
from dagscape.report.claims import claim_words
from dagscape.report.page_optima import best_possible
from dagscape.selection import selections
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, untimed

TRUST = ["probabilities", "other choices", "stability", "near ties"]


@pytest.fixture(scope="module")
def asia() -> ds.Data:
    return ds.load_network("asia").sample(500, seed=1)


def steps(learned: ds.Result) -> dict[str, str]:
    return {step.name: str(step.reason) for step in learned.steps if not step.skipped}


def left_out(learned: ds.Result) -> dict[str, str]:
    return {step.name: str(step.reason) for step in learned.steps if step.skipped}


@pytest.mark.slow
def test_few_variables_are_proven_and_explored(asia: ds.Data) -> None:
    learned = ds.learn(asia, runs=20)
    assert learned.optimal
    assert learned.scope == ds.Scope()
    assert learned.score == pytest.approx(ds.exact(asia).score, abs=1e-9)
    assert learned.score == pytest.approx(
        ds.score(asia, learned.dag, score=learned.score_kind), abs=1e-9
    )
    assert learned.method.startswith("exact: ")
    assert list(steps(learned)) == ["candidate parents", "exact", *TRUST, "local optima"]
    assert learned.landscape is not None
    assert learned.landscape.runs == 20
    assert learned.landscape.gap == 0.0 or learned.landscape.best.score < learned.score
    assert learned.data is asia


@pytest.mark.slow
def test_the_same_call_gives_the_same_network_on_any_number_of_threads(asia: ds.Data) -> None:
    one, two = (ds.learn(asia, runs=20, resamples=3, seed=3, threads=threads) for threads in (1, 2))
    assert one.dag == two.dag
    assert one.score == two.score
    assert one.landscape is not None
    assert two.landscape is not None
    assert one.landscape.optima == two.landscape.optima


def test_column_order_changes_nothing(asia: ds.Data) -> None:
    frame = asia.to_polars()
    turned = ds.Data(frame.select(reversed(frame.columns)))
    one, other = (ds.learn(data, runs=0, resamples=0) for data in (asia, turned))
    assert set(one.dag.arcs) == set(other.dag.arcs)


def test_without_a_proof_order_search_and_climbing_follow(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "PROVABLE_SETS", 10)
    monkeypatch.setattr(search_steps, "order_search", untimed(ds.order_search))
    learned = ds.learn(asia, runs=0, resamples=0, time_limit=AMPLE)
    said = steps(learned)
    assert "exact" not in said
    assert left_out(learned)["exact"].endswith(" candidate parent sets are too many for a proof")
    assert said["order search"] == "nothing was proven; on the candidate sets"
    assert "hill climbing" in said
    # On so few variables order search cannot miss the optimum; that it is one, it cannot know.
    assert learned.score == pytest.approx(ds.exact(asia).score, abs=1e-9)
    assert learned.bound is not None
    assert learned.bound >= learned.score


def test_where_scoring_would_take_too_long_parents_are_grown(
    asia: ds.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "SELECTION_SHARE", 0.0)
    monkeypatch.setattr(search_steps, "order_search", untimed(ds.order_search))
    learned = ds.learn(asia, runs=0, resamples=0, time_limit=AMPLE)
    said = steps(learned)
    assert "candidate parents" not in said
    assert left_out(learned)["exact"].startswith("scoring all sets of 2 parents would take ")
    assert said["order search"] == "nothing was proven; with parents grown as needed"
    assert not learned.optimal
    assert learned.score == pytest.approx(
        ds.score(asia, learned.dag, score=learned.score_kind), abs=1e-9
    )


def test_a_limit_of_parents_is_part_of_the_claim(asia: ds.Data) -> None:
    learned = ds.learn(asia, max_parents=1, runs=5, resamples=0)
    assert max(len(learned.dag.parents(name)) for name in asia.names) <= 1
    assert learned.claim == "optimal among networks with at most 1 parent"
    assert "hill climbing" not in steps(learned)  # it could find nothing better
    assert learned.score == pytest.approx(ds.exact(asia, max_parents=1).score, abs=1e-9)


def test_knowledge_is_obeyed_and_leaves_the_landscape_out(asia: ds.Data) -> None:
    known = ds.Knowledge(required=[("xray", "asia")], forbidden=[("smoke", "lung")])
    learned = ds.learn(asia, knowledge=known, resamples=2)
    assert ("xray", "asia") in learned.dag.arcs
    assert ("smoke", "lung") not in learned.dag.arcs
    assert learned.landscape is None
    assert "cannot obey knowledge" in left_out(learned)["local optima"]


@pytest.mark.slow
def test_the_claim_says_what_obeying_knowledge_costs(asia: ds.Data) -> None:
    known = ds.Knowledge(forbidden=[("bronc", "dysp"), ("dysp", "bronc")])
    learned = ds.learn(asia, knowledge=known, resamples=2)
    best, obeying = ds.exact(asia), ds.exact(asia, knowledge=known)
    assert learned.score == pytest.approx(obeying.score)
    assert learned.without_knowledge is not None
    assert learned.without_knowledge.score == pytest.approx(best.score)
    assert learned.claim == (
        "optimal among networks that obey your knowledge; the best network without it scores "
        f"{best.score - obeying.score:,.2f} higher"
    )
    assert "without knowledge" in steps(learned)
    again = ds.learn(asia, knowledge=known, found=learned.plain(), resamples=2)
    assert again.claim == learned.claim
    alone = ds.learn(asia, knowledge=known, method="exact", resamples=2)
    assert alone.claim == learned.claim


def test_knowledge_that_costs_nothing_is_said_to(asia: ds.Data) -> None:
    known = ds.Knowledge(tiers=[["asia", "smoke"], ["lung", "tub"]])
    learned = ds.learn(asia, knowledge=known, max_parents=2, resamples=2)
    assert learned.claim == (
        "optimal among networks that obey your knowledge and have at most 2 parents; "
        "without it no network scores higher"
    )


@pytest.mark.slow
def test_without_knowledge_nothing_is_compared(asia: ds.Data) -> None:
    for known in (None, ds.Knowledge()):
        learned = ds.learn(asia, knowledge=known, runs=0, resamples=2)
        assert learned.without_knowledge is None
        assert learned.claim == "optimal"
        assert "without knowledge" not in steps(learned)


@pytest.mark.slow
def test_scores_that_tell_equivalent_networks_apart_have_no_landscape(asia: ds.Data) -> None:
    learned = ds.learn(asia, score="k2", resamples=2)
    assert learned.landscape is None
    assert "equivalent" in left_out(learned)["local optima"]


@pytest.mark.parametrize("method", LEARN_METHODS[1:])
def test_one_search_can_be_asked_for(
    asia: ds.Data, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_steps, "order_search", untimed(ds.order_search))
    learned = ds.learn(asia, method=method, runs=0, resamples=3, time_limit=AMPLE)
    assert steps(learned)[method] == "asked for"
    assert learned.score == pytest.approx(
        ds.score(asia, learned.dag, score=learned.score_kind), abs=1e-9
    )


def test_an_optimum_of_the_landscape_that_is_better_becomes_the_result(asia: ds.Data) -> None:
    empty = ds.Dag(asia.names)
    poor = ds.Result(dag=empty, score=ds.score(asia, empty), score_name="bic", method="none")
    learned = ds.learn(asia, found=poor, runs=10, resamples=2)
    assert learned.landscape is not None
    assert learned.score == learned.landscape.best.score
    assert learned.method == "kes, k=0.8"
    assert not learned.optimal
    assert learned.bound is None


def test_an_optimum_beyond_the_sets_of_a_bound_is_not_called_the_best_of_them(
    asia: ds.Data,
) -> None:
    empty = ds.Dag(asia.names)
    poor = ds.Result(
        dag=empty,
        score=ds.score(asia, empty),
        bound=ds.score(asia, empty),
        scope=ds.Scope(candidates_only=True),
        score_name="bic",
        method="none",
    )
    assert poor.optimal
    learned = ds.learn(asia, found=poor, runs=10, resamples=2)
    assert learned.score > poor.score
    assert (learned.optimal, learned.bound, learned.claim) == (False, None, "no bound")


@pytest.mark.parametrize("proven", [True, False])
def test_a_proof_about_smaller_networks_is_no_claim_about_a_larger_one(
    asia: ds.Data, proven: bool, tmp_path: Path
) -> None:
    few = ds.exact(asia, max_parents=1)
    if not proven:
        few = replace(few, optimal=False, bound=0.0)
    learned = ds.learn(asia, found=few, runs=10, resamples=4)
    assert max(len(learned.dag.parents(name)) for name in asia.names) == 2
    assert learned.scope == few.scope
    assert not learned.optimal
    assert learned.near is None  # they would be near another network
    first = "nothing is proven of networks with as many parents as this one (up to 2)"
    rest = "; none of the networks with at most 1 parent scores higher" if proven else ""
    assert learned.claim == first + rest
    learned.save(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["optimal"] is False
    assert ds.load_result(tmp_path / "r.json").claim == learned.claim
    words = claim_words(learned)
    assert words["proof"].lower() == f"{first}{rest}."
    assert words["score_words"] == "fitted_dirichlet score + ln prior (edges(neighbors=1))"
    assert (words["bound_words"], words["scope"]) == ("", "")
    assert learned.landscape is not None
    assert best_possible(learned.landscape, learned) is None
    assert learned.landscape.gap is None
    assert "parent" not in repr(learned.landscape)


def test_features_are_marked_by_the_network_that_was_learned() -> None:
    # Greedy search cannot see parity: every run ends at the empty network.
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 500))
    data = ds.Data({"a": a, "b": b, "c": a ^ b})
    learned = ds.learn(data, runs=5, resamples=2, score="bic")
    landscape = learned.landscape
    assert landscape is not None
    assert landscape.best.dag.arcs == ()
    assert landscape.learned == learned.dag
    graph = learned.cpdag
    marked = landscape.features("edges", frame="dict")
    assert all(marked["in_best"])
    assert set(zip(marked["from"], marked["to"], strict=True)) == {*graph.directed}
    assert landscape.tradeoff("edges").to_dicts()[0]["fn"] == 2
    alone = ds.local_optima(data, score="bic", runs=5)
    assert alone.learned == alone.best.dag
    assert alone.features("edges").height == 0


@pytest.mark.slow
def test_what_an_earlier_call_proved_is_kept(asia: ds.Data) -> None:
    first = ds.learn(asia, runs=0, resamples=2)
    again = ds.learn(asia, found=first, runs=5, resamples=2)
    assert again.optimal
    assert (again.dag, again.score, again.method) == (first.dag, first.score, first.method)
    assert list(steps(again)) == ["candidate parents", "exact", *TRUST, "local optima"]


def test_found_must_be_about_the_same_variables(asia: ds.Data) -> None:
    other = ds.Result(dag=ds.Dag(["a", "b"]), score=0.0, score_name="bic", method="none")
    with pytest.raises(ds.ParameterError, match="other variables"):
        ds.learn(asia, found=other)


def test_an_interrupt_ends_it_with_a_network() -> None:
    data = ds.load_network("alarm").sample(2000, seed=0)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    learned = ds.learn(data, progress=interrupt)
    assert learned.stopped == "interrupt"
    assert learned.score == pytest.approx(
        ds.score(data, learned.dag, score=learned.score_kind), abs=1e-6
    )
    assert learned.landscape is None


def test_a_time_limit_holds_and_leaves_a_network() -> None:
    data = ds.load_network("alarm").sample(2000, seed=0)
    learned = ds.learn(data, time_limit=FOR_ENDLESS_WORK)
    assert learned.score == pytest.approx(
        ds.score(data, learned.dag, score=learned.score_kind), abs=1e-6
    )
    assert learned.bound is None or learned.bound >= learned.score


def test_one_variable_and_constant_columns_are_no_trouble() -> None:
    one = ds.learn(ds.Data({"a": [0, 1, 0]}), runs=3, resamples=2)
    assert one.optimal
    assert one.dag.arcs == ()
    table = ds.Data({"a": [0, 0, 0, 0], "b": [0, 1, 0, 1]})
    constant = ds.learn(table, runs=3, resamples=2)
    assert constant.optimal
    assert constant.dag.arcs == ()


@pytest.mark.slow
def test_its_report_shows_its_own_data_landscape_and_trust(asia: ds.Data, tmp_path: Path) -> None:
    learned = ds.learn(asia, runs=2, resamples=3)
    learned.report(tmp_path / "own.html")
    learned.report(tmp_path / "given.html", data=asia, landscape=learned.landscape)
    own = (tmp_path / "own.html").read_text()
    assert own == (tmp_path / "given.html").read_text()
    assert '"trust":{"edges":{"rows":' in own
    learned.plain().report(tmp_path / "plain.html", data=asia, landscape=learned.landscape)
    assert '"trust":null' in (tmp_path / "plain.html").read_text()


@pytest.mark.slow
def test_pickles_and_copies_keep_its_data_and_landscape(asia: ds.Data) -> None:
    learned = ds.learn(asia, runs=2, resamples=2)
    for again in (pickle.loads(pickle.dumps(learned)), copy.copy(learned), copy.deepcopy(learned)):
        assert type(again) is LearnResult
        assert again == learned
        assert again.data == asia
        assert again.landscape.optima == learned.landscape.optima


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "exakt"}, 'unknown method "exakt"'),
        ({"runs": -1}, "runs must be a whole number from 0, got -1"),
        ({"runs": True}, "runs must be a whole number from 0, got True"),
        ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
        ({"k": 2}, "k must be between 0 and 1, got 2"),
        ({"score": "bci"}, 'unknown score "bci"'),
        ({"seed": -1}, "seed must be a whole number from 0, got -1"),
        ({"max_parents": 99}, "max_parents must be between"),
    ],
)
def test_what_is_wrong_gets_a_sentence(
    asia: ds.Data, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ds.ParameterError, match=message):
        ds.learn(asia, **options)  # type: ignore[arg-type]


def test_an_estimate_says_what_it_will_take(asia: ds.Data) -> None:
    for method in ("auto", "parents", "exact", "order", "ges", "hill_climb", "local_optima"):
        cost = ds.estimate(asia, method)
        assert cost.fits
        assert cost.bytes > 0
        assert str(cost).endswith(".")
    assert not ds.estimate(asia, "exact", max_memory=1000).fits
    whole = str(ds.estimate(asia))
    assert "Probabilities over networks with at most 3 parents: " in whole
    assert "Stability: the search on 100 resampled tables" in whole
    assert "aic gives networks none" in str(ds.estimate(asia, score="aic"))
    assert ds.estimate(asia, time_limit=NO_TIME).seconds <= NO_TIME  # type: ignore[operator]
    with pytest.raises(ds.ParameterError, match="method"):
        ds.estimate(asia, "guess")


@pytest.mark.slow
def test_the_same_call_makes_the_same_claim_with_any_number_of_threads(monkeypatch):
    """By the estimate, an upper limit, two threads could score all sets in time, one could not.

    Limit and estimates are so many times what they would be that a busy machine changes nothing.
    """
    times = 100_000
    estimated = selections._estimated
    monkeypatch.setattr(
        selections,
        "_estimated",
        lambda *asked: (known := estimated(*asked)) | {"seconds": times * known["seconds"]},
    )
    data = ds.load_network("child").sample(1000, seed=0)
    asked = {"score": "bic", "runs": 0, "resamples": 0, "time_limit": times * 11.5}
    claims = [ds.learn(data, threads=threads, **asked).claim for threads in (1, 2)]
    assert claims == ["optimal", "optimal"]


def test_beside_very_many_variables_hidden_causes_are_not_asked_for(monkeypatch):
    data = ds.load_network("asia").sample(100, seed=0)
    learned = ds.learn(data, runs=0, resamples=0)
    monkeypatch.setattr("dagscape.learning.learn_result.MOST_WITH_HIDDEN", 7)
    assert learned.hidden is None
    assert learned.pag is None
