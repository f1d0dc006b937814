"""Hill climbing at the edge: limits, Ctrl-C, knowledge, starts, refusals."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, Heard, more_and_more
from listening import press_at_work

ENDLESS = {"restarts": 10**9}


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1000, seed=3)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(400, seed=3)


def check_network(result, data):
    assert set(result.dag.names) == set(data.names)
    assert result.score == pytest.approx(ds.score(data, result.dag, score=result.score_kind))


def improvements(data, dag, allows=lambda _a, _b: True):
    """Networks one arc away that score higher."""
    arcs = set(dag.arcs)
    for a, b in itertools.permutations(data.names, 2):
        others = [arcs - {(a, b)}, arcs - {(a, b)} | {(b, a)}] if (a, b) in arcs else []
        if (a, b) not in arcs:
            others = [arcs | {(a, b)}]
        for other in others:
            try:
                network = ds.Dag(data.names, other)
            except ds.GraphError:
                continue
            if all(itertools.starmap(allows, network.arcs)):
                yield ds.score(data, network, score="bic") - ds.score(data, dag, score="bic")


class TestTheResult:
    def test_what_it_says(self, alarm):
        result = ds.hill_climb(alarm, score="bic", restarts=0, wander=False)
        check_network(result, alarm)
        assert result.method == "hill climbing, tabu list of 100"
        assert result.score_name == "bic"
        assert result.bound is None
        assert not result.optimal
        assert result.seed is None
        assert result.stopped is None
        assert result.seconds > 0
        assert result.asked["patience"] == 15
        assert result.asked["wander"] is False
        assert result.asked["allowed"] is False
        assert result.cpdag == result.dag.to_cpdag()
        assert result.work["steps"] >= len(result.dag.arcs) + 15
        assert result.work["moves_looked_at"] > result.work["steps"]
        assert result.work["scores"] > 37 * 36
        assert result.work["sets_counted"] > 37
        assert result.work["restarts"] == result.work["restarts_that_improved"] == 0

    def test_restarts(self, alarm):
        once = ds.hill_climb(alarm, score="bic", restarts=0, seed=4)
        result = ds.hill_climb(alarm, score="bic", restarts=200, seed=4)
        check_network(result, alarm)
        assert result.method == "hill climbing, tabu list of 100, 200 restarts"
        assert result.seed == 4
        assert result.work["restarts"] == 200
        assert result.work["restarts_that_improved"] > 0
        assert result.score > once.score
        assert result.work["steps"] > 200

    def test_what_is_done_unless_asked(self, alarm):
        result = ds.hill_climb(alarm, score="bic")
        assert result.method == "hill climbing, tabu list of 100, 50 restarts"
        assert result.seed == 0
        assert result.asked["wander"] is True
        assert result.work["restarts"] == 50

    def test_wandering(self, alarm):
        """It depends on the seed, and one climb in ten beats the one without."""
        plain = ds.hill_climb(alarm, score="bic", restarts=0, wander=False)
        found = [ds.hill_climb(alarm, score="bic", restarts=0, seed=s) for s in range(10)]
        assert [r.seed for r in found] == list(range(10))
        assert len({r.score for r in found}) > 1
        assert max(r.score for r in found) > plain.score

    def test_scores_that_differ_among_equivalent_networks_do_not_wander(self, alarm):
        first, other = (
            ds.hill_climb(alarm, score="k2", restarts=0, max_parents=3, wander=w)
            for w in (False, True)
        )
        assert first.dag == other.dag
        assert first.work["steps"] == other.work["steps"]

    def test_the_known_best_of_a_small_network(self, asia):
        assert ds.hill_climb(asia, score="bic", restarts=50).score == pytest.approx(
            ds.exact(asia, score="bic").score
        )

    @pytest.mark.parametrize("tabu", [0, 1, 100])
    def test_no_arc_improves_it(self, asia, tabu):
        result = ds.hill_climb(asia, score="bic", tabu=tabu, restarts=3)
        assert max(improvements(asia, result.dag)) < 1e-6

    def test_a_tabu_list_is_no_worse(self, alarm):
        plain = ds.hill_climb(alarm, score="bic", tabu=0, restarts=0)
        assert plain.method == "hill climbing, no tabu list"
        listed = ds.hill_climb(alarm, score="bic", restarts=0)
        assert listed.score >= plain.score
        assert plain.work["steps"] < listed.work["steps"]

    def test_a_seed_means_a_result(self, alarm):
        first, again, other = (
            ds.hill_climb(alarm, score="bic", restarts=10, seed=s) for s in (7, 7, 8)
        )
        assert first.dag == again.dag
        assert first.work["steps"] == again.work["steps"] != other.work["steps"]

    def test_it_can_be_kept(self, asia, tmp_path):
        result = ds.hill_climb(asia, score="bic", restarts=2, allowed=[("lung", "smoke")])
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == result

    @pytest.mark.parametrize("score", sorted({*ds.SCORES} - {"gaussian_bic", "bic_g", "bge"}))
    def test_scores(self, asia, score):  # the others are for numbers
        result = ds.hill_climb(asia, score=score, max_parents=3, restarts=5)
        assert result.score == pytest.approx(ds.score(asia, result.dag, score=score))

    def test_one_variable_and_none_that_depend(self):
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        assert ds.hill_climb(one, score="bic", restarts=3).dag.arcs == ()
        codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        apart = ds.Data.from_codes(codes, {"a": ["0", "1"], "b": ["0", "1"]})
        assert ds.hill_climb(apart, score="bic", restarts=3).dag.arcs == ()

    def test_columns_of_one_state_are_left_alone(self):
        codes = np.array([[0, 0, 0], [0, 1, 1], [0, 0, 0], [0, 1, 1]] * 5)
        data = ds.Data.from_codes(codes, {"a": ["x"], "b": ["x", "y"], "c": ["x", "y"]})
        for tabu in (0, 100):
            found = ds.hill_climb(data, score="bic", tabu=tabu, restarts=0, wander=False)
            assert found.dag.arcs == (("c", "b"),)  # ties: the first child
            arc = ds.hill_climb(data, score="bic", tabu=tabu).dag.arcs
            assert arc in ((("c", "b"),), (("b", "c"),))


class TestWhatIsAsked:
    def test_knowledge_is_obeyed(self, asia):
        knowledge = ds.Knowledge(
            required=[("xray", "asia"), ("dysp", "xray"), ("smoke", "dysp")],
            forbidden=[("lung", "either"), ("either", "lung")],
            tiers=[["smoke", "bronc"], ["dysp"]],
            max_parents={"either": 1},
        )
        for tabu, restarts in ((0, 0), (100, 0), (0, 50)):
            result = ds.hill_climb(
                asia, score="bic", knowledge=knowledge, tabu=tabu, restarts=restarts, max_parents=3
            )
            assert knowledge.violations(result.dag) == ()
            assert all(len(result.dag.parents(x)) <= 3 for x in asia.names)
            check_network(result, asia)
        best = ds.exact(asia, score="bic", knowledge=knowledge, max_parents=3)
        assert result.score == pytest.approx(best.score)

    def test_a_long_chain_is_required(self, alarm):
        names = sorted(alarm.names, key=lambda name: name[::-1])[:20]
        knowledge = ds.Knowledge(required=list(itertools.pairwise(names)))
        for limit in (None, NO_TIME):
            result = ds.hill_climb(
                alarm, score="bic", knowledge=knowledge, max_parents=2, time_limit=limit
            )
            assert knowledge.violations(result.dag) == ()

    def test_a_limit_on_parents(self, asia):
        assert ds.hill_climb(asia, score="bic", max_parents=0, restarts=3).dag.arcs == ()
        tree = ds.hill_climb(asia, score="bic", max_parents=1, restarts=50)
        assert max(len(tree.dag.parents(x)) for x in asia.names) == 1
        assert tree.score == pytest.approx(ds.exact(asia, score="bic", max_parents=1).score)

    def test_allowed_pairs(self, asia):
        pairs = [("smoke", "lung"), ("either", "lung"), ("tub", "either"), ("dysp", "bronc")]
        result = ds.hill_climb(asia, score="bic", allowed=iter(pairs), restarts=5)
        skeleton = {frozenset(pair) for pair in pairs}
        assert {frozenset(arc) for arc in result.dag.arcs} <= skeleton
        assert len(result.dag.arcs) >= 3
        gains = improvements(asia, result.dag, lambda a, b: {a, b} in skeleton)
        assert max(gains) < 1e-6
        assert ds.hill_climb(asia, score="bic", allowed=[]).dag.arcs == ()

    def test_a_start(self, asia):
        best = ds.exact(asia, score="bic").dag
        result = ds.hill_climb(asia, score="bic", start=best, restarts=0)
        assert result.score == pytest.approx(ds.exact(asia, score="bic").score)
        assert result.work["steps"] == 15
        stay = ds.hill_climb(asia, score="bic", start=best, tabu=0, wander=False, restarts=0)
        assert stay.dag == best
        assert stay.work["steps"] == 0
        full = ds.Dag(asia.names, itertools.combinations(asia.names, 2))
        assert ds.hill_climb(asia, score="bic", start=full, tabu=0).score > ds.score(
            asia, full, score="bic"
        )


class TestLimits:
    @pytest.mark.parametrize("threads", [1, 2])
    def test_time(self, alarm, threads):
        limits = {"time_limit": FOR_ENDLESS_WORK, "threads": threads}
        result = ds.hill_climb(alarm, restarts=None, **limits)
        check_network(result, alarm)
        assert result.stopped == "time"

    def test_hardly_any_time(self, alarm):
        result = ds.hill_climb(alarm, score="bic", time_limit=NO_TIME)
        check_network(result, alarm)
        assert result.stopped == "time"
        assert result.dag.arcs == ()

    def test_memory(self, alarm):
        result = ds.hill_climb(alarm, score="bic", max_memory=10_000)
        check_network(result, alarm)
        assert (result.stopped, result.dag.arcs, result.work["steps"]) == ("memory", (), 0)

    def test_little_memory_changes_nothing(self, alarm):
        """Families that are forgotten are computed anew."""
        result = ds.hill_climb(alarm, score="bic", restarts=20, max_memory=150_000, threads=1)
        plenty = ds.hill_climb(alarm, score="bic", restarts=20, threads=1)
        assert result.dag == plenty.dag
        assert result.work["steps"] == plenty.work["steps"]
        assert result.work["scores"] > plenty.work["scores"]

    @pytest.mark.parametrize("threads", [1, 2])
    def test_interrupt(self, alarm, threads):
        """Ctrl-C ends it with what is there, and is not raised again."""
        result = ds.hill_climb(alarm, **ENDLESS, threads=threads, progress=press_at_work())
        check_network(result, alarm)
        assert result.stopped == "interrupt"

    def test_interrupt_after_the_first_restart(self, alarm):
        def tell(share, _text):
            if share:
                raise KeyboardInterrupt

        result = ds.hill_climb(alarm, **ENDLESS, progress=tell)
        check_network(result, alarm)
        assert result.stopped == "interrupt"
        assert result.work["restarts"] > 0

    def test_progress(self, alarm):
        for times in more_and_more():
            told = []
            progress = lambda *words, told=told: told.append(words)  # noqa: E731
            ds.hill_climb(alarm, score="bic", restarts=300 * times, threads=1, progress=progress)
            shares = [share for share, _ in told]
            assert {text for _, text in told} == {"climbing"}
            assert shares == sorted(shares)
            assert 0 <= shares[0] <= shares[-1] <= 1 + 1e-9
            if shares[0] < shares[-1]:
                return
        raise AssertionError(f"it told only {shares}")

    def test_nobody_knows_the_share_under_a_time_limit(self, alarm):
        told = Heard(3)
        ds.hill_climb(alarm, score="bic", restarts=None, time_limit=AMPLE, progress=told)
        assert {share for share, _ in told} == {None}

    def test_what_progress_raises_comes_through(self, alarm):
        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.hill_climb(alarm, **ENDLESS, progress=fail)


class TestRefusals:
    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"tabu": -1}, "tabu must be a whole number from 0 up, got -1"),
            ({"tabu": 2.5}, "tabu must be a whole number from 0 up, got 2.5"),
            ({"patience": 0}, "patience must be a whole number from 1 up, got 0"),
            ({"wander": 1}, "wander must be True or False, got 1"),
            ({"restarts": -1}, "restarts must be a whole number from 0 up, got -1"),
            ({"restarts": True}, "restarts must be a whole number from 0 up, got True"),
            ({"restarts": None}, "restarts=None goes on until a time limit; give time_limit"),
            ({"perturb": 0}, "perturb must be a whole number from 1 up, got 0"),
            ({"allowed": "lung"}, "allowed must be pairs of names, got 'lung'"),
            ({"allowed": 3}, "allowed must be pairs of names, got 3"),
            ({"allowed": [("lung",)]}, "an allowed pair must be two different names"),
            ({"allowed": [("lung", "lung")]}, "an allowed pair must be two different names"),
            ({"allowed": [("lung", "smoek")]}, 'unknown variable "smoek"; did you mean "smoke"'),
            (
                {"allowed": [("asia", "tub")], "knowledge": ds.Knowledge(required=[("a", "b")])},
                'unknown variable "a"',
            ),
            (
                {
                    "allowed": [("asia", "tub")],
                    "knowledge": ds.Knowledge(required=[("asia", "lung")]),
                },
                "the arc asia -> lung is required, but allowed does not have this pair",
            ),
            ({"start": [("asia", "tub")]}, r"start must be a ds\.Dag, got list"),
            ({"score": "bicc"}, 'unknown score "bicc"'),
            ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
            ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
            ({"max_memory": -1}, "max_memory must be a positive number of bytes, got -1"),
            ({"threads": 0}, "threads must be a positive whole number, got 0"),
            ({"seed": -1}, "seed must be a whole number from 0, got -1"),
            ({"progress": 3}, "progress must be a function"),
        ],
    )
    def test_wrong_arguments(self, asia, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            ds.hill_climb(asia, **argument)

    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"max_parents": 1}, 'start has 2 parents of "dysp", but max_parents is 1'),
            (
                {"allowed": [("bronc", "dysp")]},
                "start has smoke -> dysp, which allowed does not join",
            ),
            (
                {"knowledge": ds.Knowledge(required=[("asia", "tub")])},
                "start does not obey the knowledge: the required arc asia -> tub is missing",
            ),
        ],
    )
    def test_a_start_that_does_not_obey(self, asia, argument, message):
        start = ds.Dag(asia.names, [("bronc", "dysp"), ("smoke", "dysp")])
        with pytest.raises(ds.ParameterError, match=message):
            ds.hill_climb(asia, start=start, **argument)

    def test_a_start_of_other_variables(self, asia):
        with pytest.raises(ds.ParameterError, match="start must have the variables of the data"):
            ds.hill_climb(asia, score="bic", start=ds.Dag(["a", "b"]))

    def test_something_else_than_data(self):
        with pytest.raises(ds.DataError, match="cannot read a table from int"):
            ds.hill_climb(3, score="bic")
