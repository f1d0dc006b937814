"""Cross-validation: against its definition, folds, seeds, unseen states, what it refuses."""

import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.prediction.cross_validate import stratified_folds
from dagscape.prediction.structures import SEARCHES
from oracles import cross_validation as oracle


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(400, seed=2)


def random_table(seed, rows=37):
    """Three columns of 2, 3 and 3 states, the target with a state that never occurs."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = (a + rng.integers(0, 2, rows)) % 3
    t = np.where(rng.random(rows) < 0.7, a, rng.integers(0, 2, rows))
    states = {"a": ["n", "y"], "b": ["0", "1", "2"], "t": ["low", "high", "never"]}
    return ds.Data.from_codes(np.stack([a, b, t], axis=1), states)


GRAPHS = [
    ds.Dag(["a", "b", "t"], [("t", "a"), ("t", "b")]),
    ds.Dag(["a", "b", "t"], [("a", "b"), ("a", "t"), ("b", "t")]),
    ds.Dag(["a", "b", "t"], [("a", "b"), ("t", "b")]),
    ds.Dag(["a", "b", "t"]),
    ds.Dag(["a", "t"], [("a", "t")]),
]


class TestAgainstTheDefinition:
    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("dag", GRAPHS, ids=lambda dag: str(dag.arcs))
    @pytest.mark.parametrize("ess", [1, 3.5])
    def test_everything_it_says(self, seed, dag, ess):
        data = random_table(seed)
        cv = ds.cross_validate(data, "t", dag, folds=4, ess=ess, seed=seed)
        rows = [
            {x: data.states[x][code] for x, code in zip(data.names, row, strict=True)}
            for row in data.codes.tolist()
        ]
        fold = cv.fold.tolist()
        parents = {x: dag.parents(x) for x in dag.names}
        expected = oracle.held_out_predictions(rows, fold, "t", parents, data.states, ess)
        assert np.allclose(cv.probabilities, expected, rtol=1e-9)
        alone = oracle.held_out_predictions(rows, fold, "t", {"t": ()}, data.states, ess)
        assert np.allclose(cv.baseline.probabilities, alone, rtol=1e-9)

        truth = [data.states["t"].index(row["t"]) for row in rows]
        measures = {
            "log_loss": oracle.log_loss_of,
            "brier": oracle.brier_of,
            "accuracy": oracle.hit_of,
        }
        for name, of in measures.items():
            by_row = list(map(of, cv.probabilities.tolist(), truth))
            found = getattr(cv, name)
            assert (found.mean, found.error) == pytest.approx(oracle.mean_and_error(by_row, fold))
        for state in (None, "low", "high"):
            pairs = [
                (p, true == k)
                for row, true in zip(cv.probabilities.tolist(), truth, strict=True)
                for k, p in enumerate(row)
                if state in (None, data.states["t"][k])
            ]
            table = cv.calibration(state, bins=7, frame="dict")
            found = zip(table["count"], table["predicted"], table["observed"], strict=True)
            for mine, true in zip(found, oracle.calibration_rows(pairs, 7), strict=True):
                assert mine == pytest.approx(true)

    def test_each_fold_is_searched_without_its_rows(self, asia):
        cv = ds.cross_validate(asia, "dysp", "exact", folds=3, score="bdeu", max_parents=2)
        for k, dag in enumerate(cv.dags):
            known = ds.Data.from_codes(asia.codes[cv.fold != k], asia.states)
            assert dag == ds.exact(known, score="bdeu", max_parents=2).dag
            held = ds.Data.from_codes(asia.codes[cv.fold == k], asia.states)
            expected = ds.fit(dag, known).predict_proba(held, "dysp")
            assert (cv.probabilities[cv.fold == k] == expected).all()

    def test_it_finds_what_there_is_to_find(self, asia):
        cv = ds.cross_validate(asia, "either")
        assert cv.log_loss.mean < 0.3 * cv.baseline.log_loss.mean
        assert cv.brier.mean < 0.3 * cv.baseline.brier.mean
        assert cv.accuracy.mean > cv.baseline.accuracy.mean

    def test_noise_is_no_better_than_frequencies(self):
        codes = np.random.default_rng(1).integers(0, 2, (300, 4))
        data = ds.Data.from_codes(codes, {x: ["0", "1"] for x in "abct"})
        cv = ds.cross_validate(data, "t", ds.Dag("abct", [(x, "t") for x in "abc"]))
        assert cv.log_loss.mean > cv.baseline.log_loss.mean > 0.68


class TestFolds:
    @pytest.mark.parametrize("folds", [2, 3, 10, 53])
    def test_states_and_sizes_differ_by_one_at_most(self, folds):
        states = np.random.default_rng(folds).choice(4, 53, p=[0.6, 0.3, 0.07, 0.03])
        fold = stratified_folds(states, folds, seed=5)
        assert np.ptp(np.bincount(fold, minlength=folds)) <= 1
        for state in range(4):
            assert np.ptp(np.bincount(fold[states == state], minlength=folds)) <= 1

    def test_they_are_drawn(self):
        states = np.zeros(100, dtype=int)
        first, second = (stratified_folds(states, 5, seed) for seed in (1, 2))
        assert (first != second).any()
        assert (np.sort(first) != first).any()

    def test_the_same_seed_gives_the_same_answer(self, asia):
        first, again, other = (
            ds.cross_validate(asia, "dysp", "kes", folds=4, seed=seed) for seed in (7, 7, 8)
        )
        assert (first.probabilities == again.probabilities).all()
        assert (first.fold == again.fold).all()
        assert (first.fold != other.fold).any()

    def test_column_order_changes_nothing(self, asia):
        turned = asia.select(asia.names[::-1])
        first, second = (ds.cross_validate(d, "dysp", folds=3) for d in (asia, turned))
        assert (first.probabilities == second.probabilities).all()

    def test_a_state_that_only_a_fold_has(self):
        codes = np.array([[0, 0], [1, 1]] * 10 + [[1, 2]])
        data = ds.Data.from_codes(codes, {"x": ["0", "1"], "t": ["a", "b", "rare"]})
        cv = ds.cross_validate(data, "t", ds.Dag("xt", [("t", "x")]), folds=3)
        assert 0 < cv.probabilities[-1, 2] < 0.1
        assert np.isfinite(cv.log_loss.mean)

    def test_one_row_at_a_time(self):
        cv = ds.cross_validate(random_table(3, rows=12), "t", GRAPHS[1], folds=12)
        assert sorted(cv.fold) == list(range(12))


class TestStructures:
    @pytest.mark.parametrize("name", sorted(SEARCHES))
    def test_every_search_by_name(self, asia, name):
        cv = ds.cross_validate(asia, "dysp", name, folds=2)
        assert cv.structure == name
        assert cv.log_loss.mean < cv.baseline.log_loss.mean

    def test_a_function_of_the_table(self, asia):
        seen = []

        def blanket_only(data):
            seen.append(data.n_rows)
            return ds.hill_climb(data, max_parents=1)

        cv = ds.cross_validate(asia, "dysp", blanket_only, folds=4)
        assert seen == [300] * 4
        assert cv.structure == "blanket_only"
        same = ds.cross_validate(asia, "dysp", folds=4, max_parents=1)
        assert (cv.probabilities == same.probabilities).all()

    def test_interrupt_ends_all_of_it(self, asia):
        from dataclasses import replace

        found = ds.hill_climb(asia)
        with pytest.raises(KeyboardInterrupt):
            ds.cross_validate(asia, "dysp", lambda _: replace(found, stopped="interrupt"))

    def test_progress_is_told_after_each_fold(self, asia):
        told = []
        dag = ds.load_network("asia").dag
        ds.cross_validate(asia, "dysp", dag, folds=4, progress=lambda *said: told.append(said))
        assert told == [(k / 4, f"fold {k} of 4") for k in (1, 2, 3, 4)]


def test_what_is_shown_and_written(asia):
    cv = ds.cross_validate(asia, "dysp", ds.load_network("asia").dag, folds=5)
    shown = repr(cv).splitlines()
    assert shown[0] == '"dysp" predicted in 400 rows, 5 folds; structure: a given graph'
    assert shown[2].split() == ["log-loss", *str(cv.log_loss).split(), *str(
        cv.baseline.log_loss
    ).split()]  # fmt: skip
    kept = json.loads(json.dumps(cv.to_dict()))
    assert kept["brier"]["mean"] == cv.brier.mean
    assert kept["baseline"]["accuracy"]["by_fold"] == cv.baseline.accuracy.by_fold.tolist()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"target": "dyps"}, 'unknown variable "dyps"; did you mean "dysp"?'),
        ({"folds": 1}, "folds must be a whole number from 2 up, got 1"),
        ({"folds": 401}, "folds must be at most the number of rows, 400; got 401"),
        ({"ess": 0}, "ess must be a number above 0, got 0"),
        ({"structure": "hill_clmb"}, 'unknown structure "hill_clmb"; did you mean "hill_climb"?'),
        ({"structure": 3}, "structure must be the name of a search, a Dag or a function"),
        ({"structure": "ges", "restarts": 3}, "ges has no setting restarts"),
        ({"max_parent": 3}, 'no setting max_parent; did you mean "max_parents"?'),
        ({"structure": ds.Dag(["dysp", "x"])}, 'a variable "x" that the table does not have'),
        ({"structure": ds.Dag(["asia", "tub"])}, 'the graph has no variable "dysp"'),
        ({"structure": ds.Dag(["dysp"])}, 'no variable besides "dysp" to predict it from'),
        ({"structure": ds.Dag(["dysp", "tub"]), "score": "bic"}, "score is a setting of a search"),
        ({"structure": lambda data: data}, "structure must return a Result or a Dag, got Data"),
    ],
)
def test_refusals_are_one_sentence(asia, asked, says):
    with pytest.raises(ds.ParameterError) as refused:
        ds.cross_validate(asia, **{"target": "dysp", **asked})
    assert says in str(refused.value)


def test_calibration_refuses_a_state_that_is_none(asia):
    cv = ds.cross_validate(asia, "dysp", ds.load_network("asia").dag, folds=2)
    with pytest.raises(ds.ParameterError, match='unknown state of "dysp" "maybe"'):
        cv.calibration("maybe")
