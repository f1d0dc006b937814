"""Order search at the edge: limits, Ctrl-C, knowledge, claims, refusals."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.search.initial_orders import INITS
from dagscape.search.order import NEIGHBORHOODS
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, Heard, more_and_more
from listening import press_at_work

EVERY = [(n, i) for n in NEIGHBORHOODS for i in INITS]


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1000, seed=3)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(400, seed=3)


@pytest.fixture(scope="module")
def parents(alarm):
    return ds.candidate_parents(alarm, score="bic", max_parents=2)


@pytest.fixture(scope="module")
def endless(parents):
    """A search that only a limit ends."""
    assert ds.order_search(parents).score < parents.relaxed_score - 1
    return {"data": parents, "restarts": 10, "generations": 10**9}


def written(folder, text):
    path = folder / "sets.jkl"
    path.write_text(text, "ascii")
    return ds.read_parents(path)


def check_network(result, parents):
    """A network of listed sets, with the sum of their scores, and a bound that holds."""
    assert set(result.dag.names) == set(parents.names)
    total = 0.0
    for name in parents.names:
        value, chosen = parents.best(name, result.dag.parents(name))
        assert set(chosen) == set(result.dag.parents(name))
        total += value
    assert result.score == pytest.approx(total)
    assert result.score <= result.bound == pytest.approx(parents.relaxed_score)


class TestTheResult:
    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_what_it_says(self, alarm, neighborhood, init):
        result = ds.order_search(
            alarm,
            score="bic",
            neighborhood=neighborhood,
            init=init,
            restarts=4,
            generations=2,
            max_parents=2,
        )
        assert result.method == f"order search, {neighborhood} from {init}"
        assert result.score == pytest.approx(ds.score(alarm, result.dag, score="bic"))
        assert result.score_name == "bic"
        assert not result.optimal
        assert result.bound > result.score
        assert result.claim == "not proven, and the bound is too far off to say more"
        assert result.scope == ds.Scope(max_parents=2)
        assert result.stopped is None
        assert result.seconds > 0
        assert result.asked["neighborhood"] == neighborhood
        assert result.asked["selection"] == "hybrid"
        assert result.cpdag == result.dag.to_cpdag()
        work = result.work
        assert work["parent_sets"] > 0
        assert work["swaps"] > 0
        assert work["generations"] == (0 if neighborhood == "swap" else 2)
        assert len(work["restarts"]) == work["restarts_begun"] == 4
        for restart in work["restarts"]:
            assert restart["initial_score"] <= restart["score"] <= result.score + 1e-6
            if neighborhood != "swap":
                assert restart["steps"] == 0
            else:
                assert (restart["steps"] > 0) == (restart["score"] > restart["initial_score"])

    def test_it_can_be_kept(self, asia, tmp_path):
        result = ds.order_search(asia, score="bic")
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == result

    def test_a_seed_means_a_result(self, parents):
        ask = {"init": "random", "neighborhood": "swap", "restarts": 5}
        first, again, other = (ds.order_search(parents, seed=s, **ask) for s in (7, 7, 8))
        assert first.dag == again.dag
        assert first.work == again.work
        assert first.work["restarts"] != other.work["restarts"]

    def test_more_restarts_begin_with_the_same(self, parents):
        few, many = (ds.order_search(parents, neighborhood="swap", restarts=r) for r in (3, 300))
        assert many.work["restarts"][:3] == few.work["restarts"]
        assert len(many.work["restarts"]) == 300
        assert many.score >= few.score

    def test_no_steps_at_all(self, parents):
        result = ds.order_search(parents, neighborhood="swap", max_steps=0, restarts=3)
        assert {r["steps"] for r in result.work["restarts"]} == {0}
        assert result.score == max(r["initial_score"] for r in result.work["restarts"])

    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_one_variable_and_none_that_depend(self, neighborhood, init):
        ask = {"neighborhood": neighborhood, "init": init}
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        assert ds.order_search(one, **ask).dag.arcs == ()
        codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        apart = ds.Data.from_codes(codes, {"a": ["0", "1"], "b": ["0", "1"]})
        result = ds.order_search(apart, **ask)
        assert result.dag.arcs == ()
        assert result.optimal  # nobody has a better set than the one it has
        assert result.claim == "optimal"

    def test_it_ends_when_nothing_can_be_better(self, tmp_path):
        """However long it may take: each has its best parents."""
        chain = "3\nA 1\n-1 0\nB 2\n-1 1 A\n-5 0\nC 2\n-1 1 B\n-5 0\n"
        result = ds.order_search(written(tmp_path, chain), time_limit=AMPLE)
        assert result.optimal
        assert result.stopped is None
        assert result.score == -3
        assert result.work["generations"] == 0

    @pytest.mark.parametrize("selection", ["sequential", "greedy", "independence", "hybrid"])
    def test_selections(self, asia, selection):
        result = ds.order_search(asia, score="bic", selection=selection)
        assert result.score == pytest.approx(ds.exact(asia, score="bic").score)
        assert result.asked["selection"] == selection
        best_first = selection in ("greedy", "independence")
        assert result.scope.candidates_only == best_first
        assert result.scope.everything != best_first

    @pytest.mark.parametrize("score", ["bic", "bdeu", "k2", "qnml"])
    def test_scores(self, asia, score):
        result = ds.order_search(asia, score=score, max_parents=3)
        assert result.score == pytest.approx(ds.score(asia, result.dag, score=score))


class TestGivenParents:
    @pytest.mark.slow
    def test_they_are_used_as_they_are(self, parents):
        before = [list(parents[name]) for name in parents]
        result = ds.order_search(parents)
        check_network(result, parents)
        assert result.asked["selection"] == "sequential"
        assert [list(parents[name]) for name in parents] == before

    def test_from_a_score_file(self, parents, tmp_path):
        parents.write(tmp_path / "sets.jkl.gz")
        read = ds.read_parents(tmp_path / "sets.jkl.gz")
        result = ds.order_search(read, restarts=3, generations=1)
        check_network(result, read)
        assert result.dag == ds.order_search(parents, restarts=3, generations=1).dag
        assert result.scope.candidates_only

    def test_whatever_a_selection_that_was_stopped_left(self, alarm):
        parents = ds.candidate_parents(alarm, score="aic", max_parents=4, max_memory=100_000)
        assert parents.stopped == "memory"
        check_network(ds.order_search(parents, restarts=2, generations=1), parents)

    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_sets_that_make_no_network(self, tmp_path, neighborhood, init):
        cycle = written(tmp_path, "3\nA 1\n-1 1 B\nB 1\n-1 1 C\nC 2\n-1 1 A\n-2 2 A B\n")
        with pytest.raises(ds.GraphError, match="no network"):
            ds.order_search(cycle, neighborhood=neighborhood, init=init)

    @pytest.mark.parametrize("time_limit", [None, NO_TIME])
    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_sets_that_allow_one_order(self, tmp_path, neighborhood, init, time_limit):
        """Found from any start, and if there is no time for any move."""
        names = [f"x{v}" for v in (5, 2, 8, 0, 7, 3, 6, 1, 4)]
        lines = [f"{len(names)}", f"{names[0]} 1", "-1 0"]
        for before, name in itertools.pairwise(names):
            lines += [f"{name} 1", f"-1 1 {before}"]
        chain = written(tmp_path, "\n".join(lines) + "\n")
        result = ds.order_search(
            chain,
            neighborhood=neighborhood,
            init=init,
            restarts=1,
            time_limit=time_limit,
        )
        assert result.score == -9
        assert set(result.dag.arcs) == set(itertools.pairwise(names))

    def test_a_variable_without_parent_sets(self, tmp_path):
        with pytest.raises(ds.DagscapeError, match='"A" has no candidate parent set'):
            ds.order_search(written(tmp_path, "2\nA 0\nB 1\n-1 0\n"))


class TestKnowledge:
    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_it_is_obeyed(self, asia, neighborhood, init):
        knowledge = ds.Knowledge(
            required=[("xray", "asia"), ("dysp", "xray"), ("smoke", "dysp")],
            forbidden=[("lung", "either"), ("either", "lung")],
            tiers=[["smoke", "bronc"], ["dysp"]],
            max_parents={"either": 1},
        )
        result = ds.order_search(
            asia,
            score="bic",
            knowledge=knowledge,
            neighborhood=neighborhood,
            init=init,
            max_parents=3,
        )
        assert knowledge.violations(result.dag) == ()
        assert all(len(result.dag.parents(x)) <= 3 for x in asia.names)
        assert result.score == pytest.approx(ds.score(asia, result.dag, score="bic"))
        assert (
            result.bound
            >= ds.exact(asia, score="bic", knowledge=knowledge, max_parents=3).score - 1e-6
        )
        if neighborhood != "swap":
            best = ds.exact(asia, score="bic", knowledge=knowledge, max_parents=3)
            assert result.score == pytest.approx(best.score)

    @pytest.mark.parametrize("time_limit", [None, NO_TIME])
    @pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
    def test_a_long_chain_is_required(self, alarm, neighborhood, time_limit):
        names = sorted(alarm.names, key=lambda name: name[::-1])[:20]
        knowledge = ds.Knowledge(required=list(itertools.pairwise(names)))
        result = ds.order_search(
            alarm,
            score="bic",
            knowledge=knowledge,
            neighborhood=neighborhood,
            init="random",
            max_parents=2,
            restarts=2,
            generations=1,
            time_limit=time_limit,
        )
        assert knowledge.violations(result.dag) == ()

    def test_a_limit_on_parents(self, asia):
        assert ds.order_search(asia, score="bic", max_parents=0).dag.arcs == ()
        tree = ds.order_search(asia, score="bic", max_parents=1)
        assert max(len(tree.dag.parents(x)) for x in asia.names) == 1
        assert tree.score == pytest.approx(ds.exact(asia, score="bic", max_parents=1).score)

    def test_on_parents_that_are_given(self, asia):
        parents = ds.candidate_parents(asia, score="bic")
        knowledge = ds.Knowledge(forbidden=[("lung", "either"), ("either", "lung")])
        result = ds.order_search(parents, knowledge=knowledge)
        assert knowledge.violations(result.dag) == ()
        assert result.score == pytest.approx(ds.exact(parents, knowledge=knowledge).score)
        assert result.score < ds.order_search(parents).score


class TestLimits:
    @pytest.mark.slow
    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize(("neighborhood", "init"), EVERY)
    def test_time(self, parents, neighborhood, init, threads):
        limits = {"time_limit": FOR_ENDLESS_WORK, "threads": threads}
        result = ds.order_search(parents, neighborhood=neighborhood, init=init, **limits)
        check_network(result, parents)
        assert result.stopped == "time"
        assert not result.optimal

    @pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
    def test_hardly_any_time(self, parents, neighborhood):
        result = ds.order_search(parents, neighborhood=neighborhood, time_limit=NO_TIME)
        check_network(result, parents)
        assert result.stopped == "time"

    def test_time_for_selection_is_part_of_it(self):
        codes = np.random.default_rng(0).integers(0, 2, (3000, 60))
        data = ds.Data.from_codes(codes, {f"x{v}": ["0", "1"] for v in range(60)})
        result = ds.order_search(data, score="aic", time_limit=FOR_ENDLESS_WORK)
        assert result.stopped == "time"
        assert result.score == pytest.approx(ds.score(data, result.dag, score="aic"))
        assert result.scope.candidates_only

    @pytest.mark.slow
    def test_records_of_restarts_stay_few(self, asia):
        """There is time for hundreds of thousands."""
        result = ds.order_search(asia, score="bic", neighborhood="swap", restarts=30_000)
        assert len(result.work["restarts"]) == 10_000
        assert result.work["restarts_begun"] == 30_000

    @pytest.mark.slow
    def test_memory_for_selection(self, alarm):
        result = ds.order_search(alarm, score="aic", max_parents=4, max_memory=100_000)
        assert result.stopped == "memory"
        assert result.score == pytest.approx(ds.score(alarm, result.dag, score="aic"))
        assert result.scope.candidates_only

    @pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
    def test_memory(self, parents, neighborhood):
        """Too little for any list is a result, and so is enough for short ones."""
        ask = {"neighborhood": neighborhood, "restarts": 2, "generations": 1}
        none = ds.order_search(parents, max_memory=1000, **ask)
        check_network(none, parents)
        assert none.stopped == "memory"
        assert none.work["parent_sets_left_out"] == 0
        whole = ds.order_search(parents, max_memory=10**9, **ask)
        assert whole.stopped is None
        assert whole.work["parent_sets_left_out"] == 0
        room = _core.order_list_bytes(parents._lists, 5)
        short = ds.order_search(parents, max_memory=room, **ask)
        check_network(short, parents)
        assert short.stopped is None
        left_out = short.work["parent_sets_left_out"]
        assert 0 < left_out < len(parents)
        assert f", the best {len(parents) - left_out:,} of {len(parents):,} sets" in short.method
        assert short.scope == whole.scope
        assert short.bound == whole.bound

    @pytest.mark.slow
    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
    def test_interrupt(self, parents, neighborhood, threads):
        """Ctrl-C ends it with what is there, and is not raised again."""
        asked = {"neighborhood": neighborhood, "threads": threads, "time_limit": AMPLE}
        result = ds.order_search(parents, **asked, progress=press_at_work())
        check_network(result, parents)
        assert result.stopped == "interrupt"

    @pytest.mark.slow
    @pytest.mark.parametrize("neighborhood", NEIGHBORHOODS)
    def test_progress_goes_from_nothing_to_all(self, alarm, neighborhood):
        for times in more_and_more():
            told = []
            ask = {"restarts": 2_000 * times} if neighborhood == "swap" else {}
            ds.order_search(
                alarm,
                neighborhood=neighborhood,
                generations=0 if neighborhood == "swap" else 8 * times,
                max_parents=2,
                threads=1,
                progress=lambda *words, told=told: told.append(words),
                **ask,
            )
            shares = [share for share, text in told if text == "searching"]
            assert {text for _, text in told} <= {"scoring parent sets", "searching"}
            assert shares == sorted(shares)
            assert 0 <= shares[0] <= shares[-1] <= 1 + 1e-9
            if shares[0] < 0.4 and shares[-1] > 0.6:
                return
        raise AssertionError(f"it told only {shares}")

    def test_nobody_knows_the_share_under_a_time_limit(self, parents):
        told = Heard(3)
        ds.order_search(parents, time_limit=AMPLE, progress=told)
        assert {share for share, _ in told} == {None}

    @pytest.mark.slow
    def test_what_progress_raises_comes_through(self, endless):
        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.order_search(**endless, progress=fail)


class TestRefusals:
    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"init": "fass"}, 'unknown init "fass"; did you mean "fas"'),
            ({"init": "xyz"}, 'unknown init "xyz"; choose random, dfs, fas'),
            ({"init": None}, "unknown init"),
            ({"neighborhood": "swaps"}, 'unknown neighborhood "swaps"; did you mean "swap"'),
            ({"restarts": 0}, "restarts must be a whole number from 1 up, got 0"),
            ({"restarts": 2.5}, "restarts must be a whole number from 1 up, got 2.5"),
            ({"restarts": True}, "restarts must be a whole number from 1 up, got True"),
            ({"generations": -1}, "generations must be a whole number from 0 up, got -1"),
            ({"max_steps": -1}, "max_steps must be a whole number from 0 up, got -1"),
            ({"max_steps": "many"}, "max_steps must be a whole number from 0 up, got 'many'"),
            ({"selection": "sequentiel"}, '"sequentiel"; did you mean "sequential"'),
            ({"score": "bicc"}, 'unknown score "bicc"'),
            ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
            ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
            ({"max_memory": -1}, "max_memory must be a positive number of bytes, got -1"),
            ({"threads": 0}, "threads must be a positive whole number, got 0"),
            ({"seed": -1}, "seed must be a whole number from 0, got -1"),
            ({"progress": 3}, "progress must be a function"),
            ({"knowledge": ds.Knowledge(required=[("asia", "lunk")])}, 'did you mean "lung"'),
        ],
    )
    def test_wrong_arguments(self, asia, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            ds.order_search(asia, **argument)

    def test_something_else_than_data(self):
        with pytest.raises(ds.DataError, match="cannot read a table from int"):
            ds.order_search(3)

    def test_arguments_that_belong_to_the_selection(self, parents):
        with pytest.raises(ds.ParameterError, match="score belongs to the selection"):
            ds.order_search(parents, score="bdeu")
        with pytest.raises(ds.ParameterError, match="max_parents belongs to the selection"):
            ds.order_search(parents, max_parents=2)
        a, b = parents.names[:2]
        with pytest.raises(ds.ParameterError, match=f"required arc {a} -> {b}"):
            ds.order_search(parents, knowledge=ds.Knowledge(required=[(a, b)]))


def test_choices_are_those_of_the_documentation():
    for name in (*INITS, *NEIGHBORHOODS):
        assert f'"{name}"' in ds.order_search.__doc__
