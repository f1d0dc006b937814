"""Local learning at the edge: targets, limits, Ctrl-C, refusals, what a result says."""

import copy
import pickle

import numpy as np
import pytest

import dagscape as ds
from dagscape.search.local import METHODS
from limits import FOR_ENDLESS_WORK, NO_TIME, Heard, stop_at
from listening import press_at_work

LEARN = (ds.neighbors, ds.markov_blanket)


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(3000, seed=1)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(2000, seed=1)


@pytest.fixture(scope="module")
def endless():
    """Variables that all follow one: large best networks, which take SLL seconds."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 20000)
    flips = rng.random((20000, 60)) < 0.2
    return ds.Data({f"v{i:02}": hidden ^ flips[:, i] for i in range(60)})


class TestTargets:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("learn", LEARN)
    def test_one_some_or_all(self, asia, learn, method):
        every = learn(asia, method=method)
        assert tuple(every) == asia.names
        some = learn(asia, ["xray", "asia"], method=method)
        assert dict(some) == {name: every[name] for name in ("xray", "asia")}
        assert list(some) == ["xray", "asia"]
        for name in asia.names:
            assert learn(asia, name, method=method) == every[name]
        assert dict(learn(asia, [], method=method)) == {}

    @pytest.mark.parametrize("method", METHODS)
    def test_neighbors_agree_and_are_in_the_blanket(self, alarm, method):
        around = ds.neighbors(alarm, method=method)
        blankets = ds.markov_blanket(alarm, method=method)
        for name in alarm.names:
            assert set(around[name]) <= set(blankets[name])
            assert name not in blankets[name]
            assert all(name in around[other] for other in around[name])
        if method == "sll":
            assert all(a in blankets[b] for a in alarm.names for b in blankets[a])

    def test_names_come_in_column_order(self, alarm):
        rank = {name: i for i, name in enumerate(alarm.names)}
        for names in ds.markov_blanket(alarm).values():
            assert list(names) == sorted(names, key=rank.__getitem__)

    @pytest.mark.parametrize("learn", LEARN)
    def test_unknown_ones(self, asia, learn):
        with pytest.raises(ds.ParameterError, match='unknown variable "xrai"; did you mean "xray"'):
            learn(asia, "xrai")
        with pytest.raises(ds.ParameterError, match='unknown variable "xrai"'):
            learn(asia, ["asia", "xrai"])
        with pytest.raises(ds.ParameterError, match="target must be a name, a list of names or"):
            learn(asia, 3)
        with pytest.raises(ds.ParameterError, match="unknown variable 3"):
            learn(asia, [3])
        with pytest.raises(ds.ParameterError, match="listed twice"):
            learn(asia, ["asia", "asia"])

    @pytest.mark.parametrize("method", METHODS)
    def test_constant_columns_have_nothing_around_them(self, method):
        rng = np.random.default_rng(0)
        a = rng.integers(0, 2, 500)
        codes = np.stack([a, a ^ (rng.random(500) < 0.1), 0 * a, 0 * a], axis=1)
        states = {"a": "01", "b": "01", "one": "0", "unseen": "012"}
        data = ds.Data.from_codes(codes, {name: list(s) for name, s in states.items()})
        for learn in LEARN:
            assert dict(learn(data, method=method)) == {
                "a": ("b",),
                "b": ("a",),
                "one": (),
                "unseen": (),
            }

    @pytest.mark.parametrize("method", METHODS)
    def test_a_single_variable(self, method):
        data = ds.Data({"a": [0, 1, 1]})
        assert ds.markov_blanket(data, "a", method=method) == ()


class TestTheResult:
    @pytest.mark.parametrize("method", METHODS)
    def test_what_it_says(self, asia, method):
        for found in (
            ds.neighbors(asia, "either", method=method),
            ds.neighbors(asia, method=method),
        ):
            assert found.method == method
            assert found.stopped is None
            assert found.seconds > 0
            assert found.asked["method"] == method
            if method == "hill_climb":
                assert found.work["steps"] > 0
            else:
                assert found.work["searches"] > 0
                assert found.work["networks" if method == "sll" else "tests"] > 0
        assert found.unfinished == ()
        assert ds.neighbors(asia, "either", method=method).target == "either"
        assert repr(found).startswith("LocalSets(8 variables, " + method)

    def test_it_can_be_copied_and_pickled(self, asia):
        for found in (ds.neighbors(asia, "either"), ds.neighbors(asia)):
            for again in (copy.copy(found), pickle.loads(pickle.dumps(found))):
                assert type(again) is type(found)
                assert again == found
                assert again.work == found.work

    def test_around_one_target_less_is_learned(self, alarm):
        one, every = (ds.neighbors(alarm, x, method="sll") for x in ("HISTORY", None))
        assert one.work["searches"] < every.work["searches"] == alarm.n_variables
        assert ds.markov_blanket(alarm, "HISTORY", method="sll").work["searches"] < 20

    @pytest.mark.parametrize("method", METHODS)
    def test_threads_and_column_order_change_nothing(self, alarm, method):
        found = ds.markov_blanket(alarm, method=method, threads=1)
        assert dict(ds.markov_blanket(alarm, method=method, threads=4)) == dict(found)
        names = list(np.random.default_rng(1).permutation(alarm.names))
        again = ds.markov_blanket(alarm.select(names), method=method)
        for name in names:
            assert set(again[name]) == set(found[name])

    @pytest.mark.parametrize("learn", LEARN)
    def test_large_networks_by_greedy_search(self, asia, learn):
        """With so many rows both ways find the same."""
        greedy = learn(asia, exact_limit=2)
        assert greedy.work["greedy_networks"] > 0
        assert dict(greedy) == dict(learn(asia))

    def test_large_networks_by_lists(self):
        """A child-rich variable: more than the dense tables hold."""
        rng = np.random.default_rng(3)
        root = rng.integers(0, 2, 2000)
        columns = {f"c{i:02}": root ^ (rng.random(2000) < 0.05 + 0.02 * i) for i in range(14)}
        data = ds.Data({"root": root, **columns})
        assert set(ds.neighbors(data, "root", max_parents=2)) == set(columns)


class TestLimits:
    @pytest.mark.parametrize("learn", LEARN)
    def test_time(self, endless, learn):
        limits = {"time_limit": FOR_ENDLESS_WORK, "threads": 1}
        for asked in ({"method": "sll", **limits}, {"time_limit": NO_TIME}):
            found = learn(endless, **asked)
            assert found.stopped == "time"
            assert set(found) == set(endless.names)
            assert found.unfinished
            assert "stopped by time" in repr(found)
            one = learn(endless, "v00", **asked)
            assert one.stopped == "time"
            assert isinstance(one, tuple)

    @pytest.mark.slow
    def test_what_is_finished_is_final(self, alarm):
        """Ended by memory, which is the same on every machine."""
        every = ds.neighbors(alarm, method="sll", threads=1)
        cut_in_two = 0
        for room in range(40_000, 400_000, 20_000):
            found = ds.neighbors(alarm, method="sll", threads=1, max_memory=room)
            finished = set(alarm.names) - set(found.unfinished)
            assert (found.stopped == "memory") == bool(found.unfinished)
            assert {name: found[name] for name in finished} == {
                name: every[name] for name in finished
            }
            cut_in_two += 0 < len(finished) < len(alarm.names)
        assert cut_in_two > 2

    def test_memory(self, alarm):
        found = ds.neighbors(alarm, max_memory=10_000)
        assert found.stopped == "memory"
        assert found.unfinished

    def test_interrupt(self, endless):
        found = ds.markov_blanket(endless, method="sll", progress=press_at_work())
        assert found.stopped == "interrupt"

    def test_progress(self, endless):
        told = Heard(3)
        ds.neighbors(endless, method="sll", progress=told)
        assert len(told) == 3
        assert all(share is None or 0 <= share <= 1 for share, _ in told)
        with pytest.raises(ds.ParameterError, match="progress must be"):
            ds.neighbors(endless, progress=3)

        def fail(_share, _what):
            raise ValueError("enough")

        with pytest.raises(ValueError, match="enough"):
            ds.neighbors(endless, progress=fail)


class TestRefusals:
    @pytest.mark.parametrize(
        ("ask", "says"),
        [
            ({"method": "hitom"}, 'unknown method "hitom"; did you mean "hiton"'),
            ({"order": "random"}, 'unknown order "random"'),
            (
                {"score": "k2", "order": "data"},
                "sll needs a score that equivalent networks share, unlike k2",
            ),
            ({"score": "bdue"}, 'unknown score "bdue"'),
            ({"alpha": 0.1}, "alpha is for hiton and mmpc, and the method is hill_climb"),
            (
                {"alpha": 0.1, "exact_limit": 9},
                "alpha is for hiton and mmpc, and the method is sll",
            ),
            (
                {"method": "hill_climb", "order": "data"},
                "order is for sll, and the method is hill_climb",
            ),
            (
                {"degrees": "adjusted"},
                "degrees is for hiton and mmpc, and the method is hill_climb",
            ),
            ({"method": "hiton", "degrees": "plain"}, 'unknown degrees "plain"; choose declared'),
            ({"method": "hiton", "score": "bic"}, "score is for sll, and the method is hiton"),
            ({"method": "mmpc", "alpha": 0}, "alpha must be between 0 and 1, got 0"),
            ({"method": "mmpc", "rows_per_cell": -1}, "rows_per_cell must be a number from 0"),
            (
                {"method": "hiton", "max_conditioning": -1},
                "max_conditioning must be a whole number",
            ),
            ({"max_parents": 1.5}, "max_parents must be between 0 and 7"),
            ({"exact_limit": 40}, "exact_limit must be a whole number between 0 and 26, got 40"),
            ({"threads": 0}, "threads must be a positive whole number"),
            ({"time_limit": 0}, "time_limit must be a positive number"),
            (
                {"method": "sll", "knowledge": ds.Knowledge(forbidden=[("asia", "tub")])},
                r"sll cannot obey knowledge \(forbidden\)",
            ),
            ({"knowledge": 3}, "knowledge must be a ds.Knowledge"),
        ],
    )
    @pytest.mark.parametrize("learn", LEARN)
    def test_one_sentence(self, asia, learn, ask, says):
        with pytest.raises(ds.ParameterError, match=says):
            learn(asia, "tub", **ask)

    def test_not_data(self):
        with pytest.raises(ds.DagscapeError):
            ds.neighbors([1, 2], "a")


class TestOffANetwork:
    """What the default does: the sets are those of the network that hill climbing finds."""

    def test_it_is_the_default(self, asia):
        network = ds.hill_climb(asia, score=ds.default_score(asia)).dag
        around, blankets = ds.neighbors(asia), ds.markov_blanket(asia)
        assert around.method == blankets.method == "hill_climb"
        for name in asia.names:
            assert set(around[name]) == set(network.neighbors(name))
            assert set(blankets[name]) == set(network.markov_blanket(name))
        assert ds.neighbors(asia, "either", order="association").method == "sll"
        assert ds.neighbors(asia, "either", exact_limit=20).method == "sll"

    def test_it_is_nearer_to_the_truth_than_sll_and_tests(self):
        truth = ds.load_network("alarm")
        data = truth.sample(500, seed=0)

        def wrong(**asked):
            found = ds.neighbors(data, **asked)
            return sum(len({*found[x]} ^ {*truth.dag.neighbors(x)}) for x in truth.names)

        others = ({"method": "sll", "score": "bic"}, {"method": "hiton"})
        assert all(wrong() < wrong(**asked) / 2 for asked in others)
        assert wrong(method="hiton") == wrong(method="hiton", degrees="adjusted")
        assert wrong(method="hiton") < 0.9 * wrong(method="hiton", degrees="declared")

    def test_knowledge_is_obeyed(self, asia):
        assert "bronc" in ds.neighbors(asia, "smoke")
        known = ds.Knowledge(forbidden=[("smoke", "bronc"), ("bronc", "smoke")])
        assert "bronc" not in ds.neighbors(asia, "smoke", knowledge=known)

    def test_a_memory_limit_is_a_result(self, alarm):
        found = ds.neighbors(alarm, max_memory=1)
        assert found.stopped == "memory"
        assert set(found.unfinished) == set(alarm.names)

    def test_time_and_interrupt(self, endless):
        assert ds.neighbors(endless, time_limit=NO_TIME).stopped == "time"
        found = ds.neighbors(endless, progress=stop_at(1))
        assert found.stopped == "interrupt"
