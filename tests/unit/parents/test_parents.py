"""Candidate parents at the edge: knowledge, limits, methods, messages, files."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape.selection import METHODS, RULES
from data_sets import data_set
from unit.parents.parents_cases import subsets


class TestTheResult:
    def test_lists_are_best_first_and_hold_scores(self, asia):
        found = ds.candidate_parents(asia, score="bic")
        assert len(found) == sum(len(found[name]) for name in found)
        assert tuple(found) == asia.names
        for name in asia.names:
            scores = [score for score, _ in found[name]]
            assert scores == sorted(scores, reverse=True)
            assert found[name][-1] == list(found[name])[-1]
            assert found[name][:2] == list(found[name])[:2]
        with pytest.raises(IndexError):
            found["dysp"][len(found["dysp"])]
        score, parents = found["dysp"][0]
        assert score == pytest.approx(ds.local_score(asia, "dysp", parents, score="bic"))
        assert set(parents) == {"bronc", "either"}
        assert found.exhaustive
        assert found.stopped is None
        assert "exhaustive" in repr(found)
        assert "dysp" in repr(found["dysp"])

    def test_best_among_allowed(self, asia):
        found = ds.candidate_parents(asia, score="bic")
        assert found.best("dysp") == found["dysp"][0]
        score, parents = found.best("dysp", ["bronc", "smoke"])
        expected = max(
            ds.local_score(asia, "dysp", p, score="bic") for p in subsets(["bronc", "smoke"])
        )
        assert score == pytest.approx(expected)
        assert set(parents) <= {"bronc", "smoke"}
        assert found.best("dysp", [])[1] == ()
        with pytest.raises(ds.ParameterError, match="list of names"):
            found.best("dysp", "bronc")
        with pytest.raises(ds.ParameterError, match='did you mean "bronc"'):
            found.best("dysp", ["bronk"])

    def test_relaxed_score_bounds_every_network(self, asia):
        found = ds.candidate_parents(asia, score="bic")
        true = ds.score(asia, ds.load_network("asia").dag, score="bic")
        assert found.relaxed_score >= true

    def test_a_limit_on_parents_is_said(self, asia):
        found = ds.candidate_parents(asia, score="bic", max_parents=1)
        assert found.exhaustive_to == 1
        assert not found.exhaustive
        assert all(len(parents) <= 1 for name in found for _, parents in found[name])
        assert ds.candidate_parents(asia, score="bic", max_parents=0).exhaustive_to == 0

    def test_work_is_counted(self, asia):
        pruned = ds.candidate_parents(asia, score="bic", prune=["dominance"])
        assert pruned.work["families_scored"] == 8 * 2**7
        assert pruned.work["sets_counted"] == 2**8 - 1
        kept = len(pruned) + pruned.work["pruned_by_dominance"]
        assert kept == pruned.work["families_scored"]
        limited = ds.candidate_parents(asia, score="bic", prune=["limit"])
        assert limited.work["pruned_by_limit"] + len(limited) <= 8 * 2**7

    def test_a_variable_of_one_state_is_no_parent(self):
        """Its column changes nothing but the rounding of sums."""
        data = ds.load_network("asia").sample(50, seed=0)
        constant = next(x for x in data.names if len(set(data.codes[:, data.names.index(x)])) == 1)
        states = {x: s if x != constant else s[:1] for x, s in data.states.items()}
        codes = data.codes.copy()
        codes[:, data.names.index(constant)] = 0
        found = ds.candidate_parents(ds.Data.from_codes(codes, states), score="bic")
        assert all(constant not in parents for x in data.names for _, parents in found[x])

    def test_a_single_variable(self):
        data = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        for method in METHODS:
            found = ds.candidate_parents(data, score="bic", method=method)
            assert [parents for _, parents in found["only"]] == [()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "sequental"}, 'unknown method "sequental"; did you mean "sequential"'),
        ({"method": "x"}, "choose sequential, greedy, independence, hybrid"),
        ({"score": "bdue"}, "bdeu"),
        ({"max_parents": 8}, r"between 0 and 7 \(variables - 1\), got 8"),
        ({"max_parents": -1}, "between 0 and 7"),
        ({"max_parents": 2.5}, "between 0 and 7"),
        ({"prune": ["bond"]}, 'unknown pruning rule "bond"; did you mean "bound"'),
        ({"prune": "zzz"}, "choose limit, bound, entropy, dominance"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"time_per_variable": -1}, "time_per_variable must be a positive number"),
        ({"max_memory": 0}, "max_memory must be a positive number"),
        ({"threads": 0}, "threads must be a positive whole number"),
        ({"threads": 1.5}, "threads must be a positive whole number"),
        ({"method": 3}, "choose sequential, greedy, independence, hybrid"),
        ({"method": "greedy", "sets_per_variable": 0}, "must be a whole number from 1 up, got 0"),
        ({"method": "greedy", "sets_per_variable": 2.5}, "must be a whole number from 1 up"),
        ({"sets_per_variable": 5}, 'sets_per_variable is not for method "sequential"'),
        ({"method": "greedy", "counting": "rows"}, 'are not for method "greedy"'),
        ({"prune": None}, "prune must be True, False or names of rules, got None"),
        ({"prune": ["limit", 3]}, 'unknown pruning rule "3"'),
        ({"max_memory": "4GB"}, "max_memory must be a positive number"),
        ({"max_memory": float("inf")}, "max_memory must be a positive number"),
        ({"time_limit": "x"}, "time_limit must be a positive number"),
        ({"knowledge": {}}, r"knowledge must be a ds\.Knowledge, got {}"),
        ({"progress": 3}, "progress must be a function"),
        ({"counting": None}, "choose auto, bitmaps, rows, adtree"),
        ({"counting": "fingers"}, 'unknown counting "fingers"'),
        ({"instructions": "sse"}, 'unknown instructions "sse"'),
    ],
)
def test_wrong_arguments(asia, options, message):
    with pytest.raises(ds.ParameterError, match=message):
        ds.candidate_parents(asia, **options)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_by_its_name_alone(asia, rule):
    assert ds.candidate_parents(asia, score="bic", prune=rule).relaxed_score == pytest.approx(
        ds.candidate_parents(asia, score="bic", prune=False).relaxed_score
    )


@pytest.mark.parametrize("ending", [".jkl", ".pss", ".jkl.gz"])
def test_written_and_read_back(asia, tmp_path, ending):
    found = ds.candidate_parents(asia, score="bic", max_parents=2)
    path = tmp_path / f"scores{ending}"
    found.write(path)
    again = ds.read_parents(path)
    assert set(again.names) == set(asia.names)
    for name in asia.names:
        assert [(v, set(p)) for v, p in again[name]] == [(v, set(p)) for v, p in found[name]]
    assert not again.exhaustive


@pytest.mark.slow
def test_relaxed_score_of_nltcs_is_the_published_one():
    """Table II of Perez and Mauá 2016: 0.4515, exhaustive to the limit that the score proves."""
    data = ds.read_data(data_set("debd/nltcs.csv.gz"))
    found = ds.candidate_parents(data, score="bic")
    empty = ds.score(data, [], score="bic")
    assert found.exhaustive
    assert (found.relaxed_score - empty) / abs(empty) == pytest.approx(0.4515, abs=5e-5)


@pytest.mark.parametrize("spread", ["even", "skewed", "ties", "equal", "endless"])
def test_lists_are_in_order_however_scores_are_spread(tmp_path, spread):
    """Best first; of equal ones the smaller, then those whose members come first."""
    rng = np.random.default_rng(7)
    others = [f"x{v}" for v in range(1, 13)]
    sets = [s for size in range(5) for s in itertools.combinations(others, size)]
    scores = {
        "even": -rng.random(len(sets)),
        "skewed": -np.exp(30 * rng.random(len(sets))),
        "ties": -rng.integers(0, 9, len(sets)) / 8,
        "equal": np.full(len(sets), -2.5),
        "endless": np.where(rng.random(len(sets)) < 0.5, -1e308, 1e308),
    }[spread]
    listed = list(zip(scores.tolist(), sets, strict=True))
    lines = [f"13\nx0 {len(sets)}"]
    for at in rng.permutation(len(sets)):
        value, members = listed[at]
        lines.append(" ".join([repr(value), str(len(members)), *members]))
    lines += [f"{name} 1\n0 0" for name in others]
    (tmp_path / "sets.jkl").write_text("\n".join(lines) + "\n", "ascii")
    number = {name: at for at, name in enumerate(sorted(["x0", *others]))}
    expected = sorted(listed, key=lambda s: (-s[0], len(s[1]), sorted(number[x] for x in s[1])))
    found = ds.read_parents(tmp_path / "sets.jkl")["x0"]
    assert [(value, set(members)) for value, members in found] == [
        (value, set(members)) for value, members in expected
    ]
