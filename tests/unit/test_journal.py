"""What learning did: records with reasons that are data, and sentences made of them."""

import json

import pytest

import dagscape as ds
from dagscape.claims import Step
from dagscape.claims.journal import REASONS, Reason


def test_a_step_tells_of_itself():
    done = Step("exact", Reason("provable", sets=1234, complete_to=None), seconds=2.0)
    assert (
        str(done) == "exact: 1,234 candidate parent sets, all that matter: a proof is within reach"
    )
    short = Reason("provable", sets=7, complete_to=1)
    assert str(short) == "7 candidate parent sets, all to 1 parent: a proof is within reach"
    skipped = Step("exact", Reason("too many sets", sets=5), skipped=True)
    assert str(skipped) == "exact: left out, 5 candidate parent sets are too many for a proof"


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason("runs ended", runs=1, optima=1), "1 run ended at 1 optimum"),
        (Reason("runs ended", runs=1000, optima=2), "1,000 runs ended at 2 optima"),
        (
            Reason("scoring too slow", parents=2, seconds=7200.0),
            "scoring all sets of 2 parents would take 2 h",
        ),
        (Reason("table too slow", seconds=0.01), "the time left was too short for one table"),
        (
            Reason("table too slow", seconds=120.0),
            "one table would take 2 min, longer than the time left for it",
        ),
        (Reason("run too slow", seconds=0.5), "the time left was too short for a run"),
        (Reason("not equivalent", score="k2"), "k2 tells equivalent networks apart"),
    ],
)
def test_reasons_are_told_by_their_facts(reason, words):
    assert str(reason) == words


def test_a_step_comes_back_from_plain_values():
    steps = [
        Step("exact", Reason("too many sets", sets=5), skipped=True),
        Step(
            "order search",
            Reason("listed"),
            seconds=1.5,
            outcome={"score": -3.5, "stopped": "time"},
        ),
    ]
    plain = json.loads(json.dumps([step.to_dict() for step in steps]))
    assert [Step.from_dict(values) for values in plain] == steps
    assert plain[0] == {
        "step": "exact",
        "skipped": True,
        "reason": "too many sets",
        "facts": {"sets": 5},
        "seconds": 0.0,
    }


@pytest.mark.parametrize(
    "values",
    [
        None,
        {},
        {"step": 3},
        {"step": "exact", "seconds": 0.0},
        {"step": "exact", "reason": "too many sets"},
        {"step": "exact", "reason": "because", "facts": {}},
        {"step": "exact", "reason": "too many sets", "facts": {}},
        {"step": "exact", "reason": "too many sets", "facts": {"sets": "x"}},
        {"step": "exact", "reason": "too many sets", "facts": {"sets": 1, "more": 2}},
    ],
)
def test_what_is_no_record_is_refused(values):
    with pytest.raises(ds.ParameterError):
        Step.from_dict(values)


def test_learning_keeps_its_steps_in_the_file(tmp_path):
    data = ds.load_network("asia").sample(300, seed=1)
    learned = ds.learn(data, runs=0, resamples=2, null=1)
    learned.save(tmp_path / "r.json")
    loaded = ds.load_result(tmp_path / "r.json")
    assert loaded.steps == learned.steps
    assert [(step.name, step.skipped) for step in loaded.steps] == [
        ("candidate parents", False),
        ("exact", False),
        ("probabilities", False),
        ("other choices", False),
        ("stability", False),
        ("near ties", False),
        ("by chance", False),
        ("local optima", True),
    ]
    assert all(step.reason.name in REASONS for step in loaded.steps)
    assert ds.ges(data).steps == ()
