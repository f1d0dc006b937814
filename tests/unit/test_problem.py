"""One problem for all searches: what is asked, how it is checked, and one meaning of a score."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape import shared_arguments
from dagscape.shared_arguments import SENTENCES, ForSearch, documented, takes

SEARCHES: dict[str, Callable[..., ds.Result]] = {
    "exact": ds.exact,
    "order_search": ds.order_search,
    "order_search, grown": lambda data, **o: ds.order_search(data, parent_sets="grown", **o),
    "hill_climb": ds.hill_climb,
    "ges": ds.ges,
    "kes": ds.kes,
    "mmhc": ds.mmhc,
    "sll_c": ds.sll_c,
    "sll_g": ds.sll_g,
    "learn": lambda data, **options: ds.learn(data, runs=0, resamples=0, **options),
}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


def states() -> ds.Data:
    return ds.load_network("asia").sample(300, seed=1)


def numbers() -> ds.Data:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    return ds.Data({"x": x, "y": x + rng.normal(size=200), "z": rng.normal(size=200)})


def both() -> ds.Data:
    data = numbers().to_polars()
    return ds.Data(data.with_columns(g=(data["x"] > 0).cast(str)))


TABLES = {"states": states, "numbers": numbers, "both": both}


@every_search
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_result_has_the_score_that_its_network_has(search, table) -> None:
    data = table()
    found = search(data)
    assert found.score == ds.score(data, found.dag)
    assert found.score_kind == ds.default_score(data)
    assert found.score == pytest.approx(
        sum(ds.local_score(data, x, found.dag.parents(x)) for x in data.names)
    )


@every_search
def test_a_prior_alone_goes_with_the_default_score(search) -> None:
    data = states()
    found = search(data, prior="fair")
    assert found.score_kind == ds.default_score(data, "fair")
    assert found.score == ds.score(data, found.dag, prior="fair")


@every_search
def test_a_problem_is_asked_as_its_words_are(search) -> None:
    data = states()
    asked = {"score": "bdeu", "prior": "fair", "max_parents": 2}
    by_words, by_problem = search(data, **asked), search(ds.Problem(data, **asked))
    assert by_problem.dag == by_words.dag
    assert by_problem.score == by_words.score
    assert by_problem.asked == by_words.asked
    with pytest.raises(ds.ParameterError, match="score belongs to the problem, not here"):
        search(ds.Problem(data), score="bic")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"score": "bdue"}, 'unknown score "bdue"'),
        ({"score": "bge"}, "holds states, and bge"),
        ({"score": "bic", "prior": "flat"}, 'unknown prior "flat"'),
        ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
        ({"max_parents": True}, "max_parents must be between 0 and 7"),
        ({"knowledge": "tiers"}, "knowledge must be a ds.Knowledge"),
        ({"knowledge": ds.Knowledge(required=[("asia", "tob")])}, 'unknown variable "tob"'),
        (
            {"knowledge": ds.Knowledge(required=[("asia", "tub")]), "max_parents": 0},
            '"tub" has 1 required parents, but max_parents is 0',
        ),
    ],
)
def test_what_is_wrong_is_said_when_it_is_made(wrong: dict[str, Any], said: str) -> None:
    for make in (ds.Problem, ds.exact):
        with pytest.raises(ds.DagscapeError, match=said):
            make(states(), **wrong)


def test_gaps_are_refused_by_searches_that_cannot_complete_them() -> None:
    problem = ds.Problem({"a": ["x", "y", None] * 9, "b": ["u", "v", "v"] * 9}, score="bic")
    with pytest.raises(ds.DataError, match="9 missing cells"):
        ds.exact(problem)
    assert ds.structural_em(problem, search="hill_climb").score_name == "bic"


def test_its_identity_tells_it_from_others() -> None:
    data, known = states(), ds.Knowledge(forbidden=[("asia", "tub")])
    others = [
        ds.Problem(data, score="bic"),
        ds.Problem(data, score="bic", prior="fair"),
        ds.Problem(data, score=ds.BDeu(1.0000001)),
        ds.Problem(data, score=ds.BDeu(1.0)),
        ds.Problem(data, score="bic", max_parents=2),
        ds.Problem(data, score="bic", knowledge=known),
        ds.Problem(data.head(299), score="bic"),
    ]
    assert len({problem.mark for problem in others}) == len(others)
    assert len({repr(problem.identity("runs")) for problem in others}) == len(others)
    for problem in others:
        again = pickle.loads(pickle.dumps(problem))
        assert (again.mark, again.settings) == (problem.mark, problem.settings)
    empty = ds.Problem(data, score="bic", knowledge=ds.Knowledge())
    assert empty.mark == others[0].mark


def public_functions() -> list[Callable[..., Any]]:
    found = (getattr(ds, name) for name in ds.__all__)
    return [each for each in found if "shared" in getattr(each, "__annotations__", {})]


def test_shared_arguments_are_in_every_signature_and_documentation() -> None:
    assert len(public_functions()) > 15
    for function in public_functions():
        words = function.__annotations__["shared"]
        kinds = getattr(shared_arguments, words.removeprefix("Unpack[").removesuffix("]"))
        signature = inspect.signature(function)
        assert set(kinds.__annotations__) <= set(signature.parameters), function.__name__
        assert not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
        text = inspect.getdoc(function) or ""
        for names in SENTENCES:
            for name in set(names.split(", ")) & set(kinds.__annotations__):
                assert f"{name}\n" in text or f"{name}," in text, (function.__name__, name)


def test_a_function_keeps_its_own_words() -> None:
    text = """Do it.

    Parameters
    ----------
    seed
        Of the dice.

    Returns
    -------
    int
    """
    shown = documented(text, ["score", "prior", "seed"])
    assert shown.count("\nseed\n") == 1
    assert "    Of the dice.\nscore, prior\n    What networks are scored by" in shown
    assert shown.index("score, prior") < shown.index("Returns\n-------")
    assert "Parameters\n----------\nmax_parents\n" in documented("Do it.", ["max_parents"])


def test_what_nobody_takes_is_an_error() -> None:
    @takes(ForSearch)
    def search(data: object, *, own: int = 1, **shared: Any) -> dict[str, Any]:
        return {"data": data, "own": own, **shared}

    assert search(3)["seed"] == 0
    assert search(3, seed=4, own=2) == {**search(3), "seed": 4, "own": 2}
    with pytest.raises(TypeError, match=r"search\(\) got an unexpected keyword argument 'scroe'"):
        search(3, scroe="bic")  # type: ignore[call-arg]
