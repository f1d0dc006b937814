"""Order search with grown parents at the edge: what it says, limits, knowledge, refusals."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape.search.initial_orders import INITS
from dagscape.search.order import MOST_LISTED, PARENT_SETS
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, Heard, stop_at
from listening import press_at_work


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1000, seed=3)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(400, seed=3)


@pytest.fixture(scope="module")
def many():
    """More variables than are listed by default: a noisy chain."""
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 2, 300)]
    for _ in range(MOST_LISTED):
        columns.append(np.where(rng.random(300) < 0.85, columns[-1], rng.integers(0, 2, 300)))
    codes = np.stack(columns, axis=1)
    return ds.Data.from_codes(codes, {f"x{v:02}": ["0", "1"] for v in range(codes.shape[1])})


def grown(data, **ask):
    result = ds.order_search(data, parent_sets="grown", **{"score": "bic", **ask})
    assert result.score == pytest.approx(ds.score(data, result.dag, score=ask.get("score", "bic")))
    assert result.bound is None
    assert not result.optimal
    return result


class TestTheResult:
    @pytest.mark.parametrize("init", INITS)
    def test_what_it_says(self, alarm, init):
        result = grown(alarm, init=init, restarts=3, seed=4)
        assert result.method == f"order search, grown parents, insert from {init}"
        assert result.claim == "no bound"
        assert result.seed == 4
        assert result.stopped is None
        assert result.asked["parent_sets"] == "grown"
        assert result.asked["init"] == init
        work = result.work
        assert work["sets_grown"] >= alarm.n_variables
        assert work["positions"] > 0
        assert work["restarts_begun"] == len(work["restarts"]) == 3
        for restart in work["restarts"]:
            assert restart["initial_score"] <= restart["score"] <= result.score + 1e-6
            assert restart["shakes"] >= 2 * alarm.n_variables
        # Every end was polished in the search.
        assert work["polish"] == {"changes": 0, "gained": 0}

    def test_it_can_be_kept(self, asia, tmp_path):
        result = grown(asia)
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == result

    def test_many_variables_grow_parents_and_few_list_them(self, asia, many):
        assert "grown" in ds.order_search(many, score="bic", time_limit=NO_TIME).method
        assert "grown" not in ds.order_search(asia, score="bic", time_limit=NO_TIME).method
        quick = {"restarts": 1, "max_parents": 1}
        listed = ds.order_search(many, parent_sets="listed", generations=0, **quick)
        assert "grown" not in listed.method
        assert listed.bound is not None
        for ask in ({"neighborhood": "swap"}, {"generations": 0}, {"selection": "greedy"}):
            told = ds.order_search(many, **quick, **ask, progress=stop_at(1))
            assert "grown" not in told.method

    def test_fewer_restarts_for_more_variables(self, asia, many):
        assert grown(asia).work["restarts_begun"] == 20
        assert grown(many).work["restarts_begun"] == 200 // many.n_variables

    def test_a_seed_means_a_result_whatever_the_threads(self, alarm):
        first, again, more = (grown(alarm, restarts=2, seed=7, threads=t) for t in (1, 1, 3))
        other = grown(alarm, restarts=2, seed=8)
        assert first.dag == again.dag == more.dag
        told = [r.work["restarts"] for r in (first, again, more)]
        assert told[0] == told[1] == told[2] != other.work["restarts"]

    def test_columns_in_another_order(self, alarm):
        names = list(alarm.names)[::-1]
        places = [alarm.names.index(name) for name in names]
        states = {name: alarm.states[name] for name in names}
        turned = ds.Data.from_codes(alarm.codes[:, places], states)
        one, other = (grown(data, restarts=2, seed=1) for data in (alarm, turned))
        assert set(one.dag.arcs) == set(other.dag.arcs)
        assert one.score == other.score

    @pytest.mark.parametrize("init", INITS)
    def test_one_variable_and_none_that_depend(self, init):
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        assert grown(one, init=init).dag.arcs == ()
        codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        apart = ds.Data.from_codes(codes, {"a": ["0", "1"], "b": ["0", "1"]})
        assert grown(apart, init=init).dag.arcs == ()

    @pytest.mark.parametrize("score", ["bic", "aic", "bdeu", "k2", "qnml", "fnml"])
    def test_scores(self, asia, score):
        best = ds.exact(asia, score=score, max_parents=3).score
        assert grown(asia, score=score, max_parents=3).score <= best + 1e-6

    def test_no_more_parents_than_allowed(self, asia):
        assert grown(asia, max_parents=0).dag.arcs == ()
        tree = grown(asia, max_parents=1)
        assert max(len(tree.dag.parents(x)) for x in asia.names) == 1
        assert tree.score == pytest.approx(ds.exact(asia, score="bic", max_parents=1).score)


class TestPolishBeyondTheLists:
    def test_sets_that_are_in_no_list(self, alarm):
        """One set is scored for each variable, so the lists have next to nothing."""
        result = ds.order_search(
            alarm, score="bic", selection="greedy", time_limit=NO_TIME, restarts=1, generations=0
        )
        polish = result.work["polish"]
        assert result.score == pytest.approx(ds.score(alarm, result.dag, score="bic"))
        assert polish["changes"] == 0 or polish["gained"] > 0
        if result.bound is None:
            assert polish["changes"] > 0
        else:
            assert result.bound >= result.score

    def test_more_than_the_lists_allow(self, monkeypatch, alarm):
        """With lists of single parents that claim nothing beyond, the polish adds more."""
        monkeypatch.setattr(ds.CandidateParents, "complete", False)
        result = ds.order_search(
            alarm, score="bic", selection="sequential", max_parents=1, restarts=1, generations=0
        )
        assert result.work["polish"]["changes"] == 0  # the limit is obeyed
        monkeypatch.setattr(
            "dagscape.search.order.parents_of",
            lambda problem, _, **__: ds.candidate_parents(problem.data, score="bic", max_parents=1),
        )
        beyond = ds.order_search(alarm, score="bic", restarts=1, generations=0)
        assert beyond.work["polish"]["changes"] > 0
        assert beyond.score == pytest.approx(ds.score(alarm, beyond.dag, score="bic"))
        assert beyond.score == pytest.approx(
            sum(r["score"] for r in beyond.work["restarts"]) + beyond.work["polish"]["gained"]
        )
        assert not beyond.optimal
        assert beyond.bound is None or beyond.bound > beyond.score
        assert max(len(beyond.dag.parents(x)) for x in alarm.names) > 1

    def test_there_is_none_where_nothing_is_missing(self, asia):
        result = ds.order_search(asia, score="bic")
        assert result.scope == ds.Scope()
        assert "polish" not in result.work
        assert (
            "polish"
            not in ds.order_search(ds.candidate_parents(asia, score="bic", max_parents=1)).work
        )
        assert "polish" not in ds.order_search(asia, score="bic", neighborhood="swap").work


class TestKnowledge:
    @pytest.mark.parametrize("time_limit", [None, NO_TIME])
    @pytest.mark.parametrize("init", INITS)
    def test_it_is_obeyed(self, asia, init, time_limit):
        knowledge = ds.Knowledge(
            required=[("xray", "asia"), ("dysp", "xray"), ("smoke", "dysp")],
            forbidden=[("lung", "either"), ("either", "lung")],
            tiers=[["smoke", "bronc"], ["dysp"]],
            max_parents={"either": 1},
        )
        result = grown(asia, knowledge=knowledge, init=init, max_parents=3, time_limit=time_limit)
        assert knowledge.violations(result.dag) == ()
        assert all(len(result.dag.parents(x)) <= 3 for x in asia.names)
        best = ds.exact(asia, score="bic", knowledge=knowledge, max_parents=3).score
        assert result.score <= best + 1e-6
        if time_limit is None:
            assert result.score == pytest.approx(best)

    def test_a_long_chain_is_required(self, alarm):
        names = sorted(alarm.names, key=lambda name: name[::-1])
        knowledge = ds.Knowledge(required=list(itertools.pairwise(names)))
        result = grown(alarm, knowledge=knowledge, init="random", restarts=2)
        assert knowledge.violations(result.dag) == ()


class TestLimits:
    @pytest.mark.parametrize("threads", [1, 2])
    def test_time(self, alarm, threads):
        assert grown(alarm, time_limit=FOR_ENDLESS_WORK, threads=threads).stopped == "time"

    @pytest.mark.parametrize("init", INITS)
    def test_hardly_any_time(self, alarm, init):
        assert grown(alarm, time_limit=NO_TIME, init=init).stopped == "time"

    def test_memory(self, alarm):
        assert grown(alarm, max_memory=1000).stopped == "memory"
        tight = grown(alarm, restarts=1, max_memory=120_000)
        assert tight.stopped is None
        assert tight.work["trees_cut_down"] > 0
        assert tight.dag == grown(alarm, restarts=1).dag

    @pytest.mark.parametrize("threads", [1, 2])
    def test_interrupt(self, alarm, threads):
        """Ctrl-C ends it with what is there, and is not raised again."""
        result = grown(alarm, time_limit=AMPLE, threads=threads, progress=press_at_work())
        assert result.stopped == "interrupt"

    def test_progress(self, alarm):
        told = []
        grown(alarm, restarts=10, progress=lambda *words: told.append(words))
        assert {text for _, text in told} == {"searching"}
        shares = [share for share, _ in told]
        assert shares == sorted(shares)
        assert 0 <= shares[0] <= shares[-1] <= 1 + 1e-9
        told = Heard(3)
        grown(alarm, time_limit=AMPLE, progress=told)
        assert {share for share, _ in told} == {None}

    def test_what_progress_raises_comes_through(self, alarm):
        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            grown(alarm, time_limit=AMPLE, progress=fail)


class TestRefusals:
    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"parent_sets": "grow"}, 'unknown parent_sets "grow"; did you mean "grown"'),
            (
                {"neighborhood": "swap"},
                'parent_sets="grown" does not go with neighborhood="swap"',
            ),
            ({"selection": "greedy"}, 'parent_sets="grown" does not go with a selection'),
            ({"generations": 3}, 'parent_sets="grown" does not go with generations'),
            ({"restarts": 0}, "restarts must be a whole number from 1 up, got 0"),
            ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
            ({"score": "bicc"}, 'unknown score "bicc"'),
            ({"knowledge": 3}, r"knowledge must be a ds\.Knowledge, got 3"),
        ],
    )
    def test_wrong_arguments(self, asia, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            ds.order_search(asia, **{"parent_sets": "grown", **argument})

    def test_candidate_parents_are_listed(self, asia):
        parents = ds.candidate_parents(asia, score="bic")
        with pytest.raises(ds.ParameterError, match="does not go with candidate parents"):
            ds.order_search(parents, parent_sets="grown")
        assert ds.order_search(parents, parent_sets="listed").score > -1e9

    def test_something_else_than_data(self):
        with pytest.raises(ds.DataError, match="cannot read a table from int"):
            ds.order_search(3, score="bic", parent_sets="grown")


def test_choices_are_those_of_the_documentation():
    for name in PARENT_SETS:
        assert f'"{name}"' in ds.order_search.__doc__
    assert f"up to {MOST_LISTED} variables" in ds.order_search.__doc__
