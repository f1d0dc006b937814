"""Search over equivalence classes at the edge: limits, Ctrl-C, seeds, refusals."""

import functools

import numpy as np
import pytest

import dagscape as ds
from dagscape.search.equivalence import NEIGHBORHOODS
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, Heard
from listening import press_at_work

SEARCHES = {
    "ges": functools.partial(ds.ges, score="bic"),
    "ges in one phase": functools.partial(ds.ges, score="bic", phases=1),
    "ges with turning": functools.partial(ds.ges, score="bic", turning=True),
    "kes": functools.partial(ds.kes, score="bic"),
    "ses": functools.partial(ds.kes, score="bic", k=0),
    "sampled kes": functools.partial(ds.kes, score="bic", neighborhood="sampled"),
}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1000, seed=3)


@pytest.fixture(scope="module")
def rugged():
    """So many optima that different draws end in different ones."""
    return ds.load_network("alarm").sample(300, seed=1)


def binary(rows, variables):
    codes = np.random.default_rng(0).integers(0, 2, (rows, variables))
    return ds.Data.from_codes(codes, {f"x{v:03}": ["0", "1"] for v in range(variables)})


@pytest.fixture(scope="module")
def entangled():
    """With a likelihood all become one clique, whose neighbors are too many to list in time."""
    return binary(20_000, 26)


@pytest.fixture(scope="module")
def wide():
    """Drawing as often as k = 1 asks for takes long."""
    return binary(500, 700)


LONG = {
    "ges": (ds.ges, "entangled", {"score": "loglik"}),
    "ges with turning": (ds.ges, "entangled", {"score": "loglik", "turning": True}),
    "kes": (ds.kes, "entangled", {"score": "loglik", "neighborhood": "exact"}),
    "kes of many variables": (ds.kes, "wide", {"score": "loglik"}),
    "sampled kes": (ds.kes, "wide", {"k": 1, "score": "bic", "neighborhood": "sampled"}),
}


@pytest.fixture(params=LONG)
def long_search(request):
    """A search that is not done in seconds, its data and its score."""
    search, table, options = LONG[request.param]
    data = request.getfixturevalue(table)
    return functools.partial(search, data, **options), data, options["score"]


def check_unfinished(result, data, score, stopped):
    assert result.stopped == stopped
    assert not result.optimal
    assert set(result.dag.names) == set(data.names)
    assert result.score == pytest.approx(ds.score(data, result.dag, score=score))


class TestTheResult:
    @every_search
    def test_what_it_says(self, asia, search):
        result = search(asia)
        assert result.score == pytest.approx(ds.score(asia, result.dag, score="bic"))
        assert result.score > ds.score(asia, [], score="bic")
        assert result.score <= ds.exact(asia, score="bic").score + 1e-6
        assert result.cpdag == result.dag.to_cpdag()
        assert result.dag.names == asia.names
        assert not result.optimal  # found, not proven
        assert result.bound is None
        assert result.stopped is None
        assert result.score_name == "bic"
        assert result.asked["score"] == "bic"
        assert result.work["steps"] >= len(result.dag.arcs)
        assert result.work["sets_counted"] > 0
        assert result.seconds > 0

    def test_the_method_is_named(self, asia):
        assert ds.ges(asia, score="bic").method == "ges, two phases"
        assert ds.ges(asia, score="bic", phases=1, turning=True).method == "ges, one phase, turning"
        assert ds.kes(asia, score="bic", k=0.4).method == "kes, k=0.4"

    def test_the_seed_is_kept_where_something_is_drawn(self, asia):
        assert ds.kes(asia, score="bic", seed=5).seed == 5
        assert ds.ges(asia, score="bic").seed is None

    def test_what_was_asked_is_kept(self, asia):
        asked = ds.kes(asia, score="bic", k=0.3, max_parents=2, neighborhood="exact").asked
        assert asked["k"] == 0.3
        assert asked["max_parents"] == 2
        assert asked["neighborhood"] == "exact"
        asked = ds.ges(asia, score="bic", phases=1).asked
        assert asked["phases"] == 1
        assert asked["turning"] is False

    @pytest.mark.parametrize(
        ("asked", "ran"), [("auto", "exact"), ("exact", "exact"), ("sampled", "sampled")]
    )
    def test_it_says_how_neighbors_were_found(self, asia, asked, ran):
        assert ds.kes(asia, score="bic", neighborhood=asked).work["neighborhood"] == ran

    @pytest.mark.slow
    def test_it_says_when_there_were_too_many_to_list(self):
        data = binary(4000, 15)
        result = ds.kes(data, score="loglik")
        assert result.work["neighborhood"] == "sampled"
        assert len(result.dag.arcs) == 15 * 14 // 2
        limited = ds.kes(data, score="loglik", max_parents=3)
        assert limited.work["neighborhood"] == "exact"

    @every_search
    def test_it_can_be_kept(self, asia, search, tmp_path):
        result = search(asia)
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == result

    @every_search
    def test_one_variable_and_none_that_depend(self, search):
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        assert search(one).dag.arcs == ()
        codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        apart = ds.Data.from_codes(codes, {"a": ["0", "1"], "b": ["0", "1"]})
        assert search(apart).dag.arcs == ()
        constant = ds.Data.from_codes(np.zeros((5, 3), int), {x: ["0"] for x in "abc"})
        assert search(constant).dag.arcs == ()

    @every_search
    @pytest.mark.parametrize("score", ["aic", "bdeu", "qnml", ds.BDeu(ess=10)])
    def test_every_score_that_equivalent_networks_share(self, asia, search, score):
        result = search(asia, score=score)
        assert result.score == pytest.approx(ds.score(asia, result.dag, score=score))
        assert result.score > ds.score(asia, [], score=score)

    def test_much_data_gives_the_network_it_is_from(self):
        network = ds.load_network("earthquake")
        data = network.sample(200_000, seed=1)
        for search in SEARCHES.values():
            assert search(data).cpdag == network.dag.to_cpdag()


class TestWhatIsDrawn:
    def test_one_seed_one_result(self, rugged):
        one, two = ds.kes(rugged, score="bic", seed=4), ds.kes(rugged, score="bic", seed=4)
        assert one.dag == two.dag
        assert one.score == two.score
        assert dict(one.work) | {"sets_counted": 0} == dict(two.work) | {"sets_counted": 0}

    def test_other_seeds_other_results(self, rugged):
        found = {ds.kes(rugged, score="bic", k=0.4, seed=seed).cpdag for seed in range(8)}
        assert len(found) > 4

    def test_all_drawn_is_greedy(self, rugged):
        greedy = ds.ges(rugged, score="bic", phases=1)
        assert {ds.kes(rugged, score="bic", k=1, seed=seed).dag for seed in range(4)} == {
            greedy.dag
        }

    def test_greediness_pays_on_average(self, rugged):
        greedy, random = (
            np.mean([ds.kes(rugged, score="bic", k=k, seed=seed).score for seed in range(6)])
            for k in (0.8, 0)
        )
        assert greedy > random

    @every_search
    def test_the_order_of_columns_changes_nothing(self, rugged, search):
        data = rugged.select(list(rugged.names)[:14])
        other = data.select(data.names[::2] + data.names[1::2][::-1])
        one, two = search(data), search(other)
        assert set(one.dag.arcs) == set(two.dag.arcs)
        assert one.score == two.score
        assert two.dag.names == other.names

    def test_turning_and_beginning_again_never_lose(self, rugged):
        assert (
            ds.ges(rugged, score="bic", turning=True).score
            >= ds.ges(rugged, score="bic").score - 1e-9
        )


class TestLimits:
    @every_search
    @pytest.mark.parametrize("most", [0, 1, 2])
    def test_parents(self, rugged, search, most):
        data = rugged.select(list(rugged.names)[:14])
        result = search(data, score="aic", max_parents=most)
        assert max(len(result.dag.parents(x)) for x in data.names) == most

    def test_time(self, long_search):
        search, data, score = long_search
        result = search(time_limit=FOR_ENDLESS_WORK)
        check_unfinished(result, data, score, "time")

    @every_search
    def test_hardly_any_time(self, rugged, search):
        result = search(rugged, time_limit=NO_TIME)
        check_unfinished(result, rugged, "bic", "time")
        assert result.work["steps"] <= 1

    def test_time_enough(self, asia):
        assert ds.kes(asia, score="bic", time_limit=AMPLE).stopped is None
        assert ds.ges(asia, score="bic", time_limit=AMPLE).stopped is None

    def test_interrupt(self, long_search):
        """Ctrl-C ends it with what is there, and is not raised again."""
        search, data, score = long_search
        result = search(progress=press_at_work())
        check_unfinished(result, data, score, "interrupt")

    def test_progress(self, long_search):
        search, _, _ = long_search
        told = Heard(3)
        search(progress=told)
        assert len(told) == 3
        assert all(share is None or 0 <= share <= 1 for share, _ in told)
        assert all(isinstance(text, str) for _, text in told)

    def test_what_progress_raises_comes_through(self, long_search):
        search, _, _ = long_search

        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            search(progress=fail)


WRONG = [
    ({"score": "bicc"}, 'unknown score "bicc"'),
    ({"score": 3}, "a score is a name or an object"),
    ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
    ({"max_parents": -1}, "max_parents must be between 0 and 7"),
    ({"max_parents": 1.5}, r"max_parents must be .* got 1\.5"),
    ({"max_parents": True}, "max_parents must be .* got True"),
    ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
    ({"time_limit": float("nan")}, "time_limit must be a positive number of seconds, got nan"),
    ({"progress": 3}, "progress must be a function"),
]


class TestRefusals:
    @every_search
    @pytest.mark.parametrize(("argument", "message"), WRONG)
    def test_wrong_arguments(self, asia, search, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            search(asia, **argument)

    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"k": -0.1}, r"k must be between 0 and 1, got -0\.1"),
            ({"k": 1.1}, r"k must be between 0 and 1, got 1\.1"),
            ({"k": float("nan")}, "k must be between 0 and 1, got nan"),
            ({"k": "0.8"}, "k must be between 0 and 1, got '0.8'"),
            ({"k": True}, "k must be between 0 and 1, got True"),
            ({"k": None}, "k must be between 0 and 1, got None"),
            ({"neighborhood": "sample"}, 'neighborhood "sample"; did you mean "sampled"'),
            ({"neighborhood": "all"}, 'neighborhood "all"; choose auto, exact, sampled'),
            ({"neighborhood": None}, 'unknown neighborhood "None"'),
            ({"seed": -1}, "seed must be a whole number from 0, got -1"),
            ({"seed": 0.5}, r"seed must be a whole number from 0, got 0\.5"),
        ],
    )
    def test_wrong_arguments_of_kes(self, asia, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            ds.kes(asia, **argument)

    @pytest.mark.parametrize("phases", [0, 3, True, "2", None])
    def test_wrong_phases(self, asia, phases):
        with pytest.raises(ds.ParameterError, match="phases must be 1 or 2, got"):
            ds.ges(asia, score="bic", phases=phases)

    def test_wrong_turning(self, asia):
        with pytest.raises(ds.ParameterError, match="turning must be True or False, got 'no'"):
            ds.ges(asia, score="bic", turning="no")

    @every_search
    @pytest.mark.parametrize("score", ["k2", "fnml", ds.K2(), ds.FNML()])
    def test_scores_that_tell_equivalent_networks_apart(self, asia, search, score):
        with pytest.raises(
            ds.ParameterError, match=r"equivalent networks share, unlike (k2|fnml);"
        ):
            search(asia, score=score)

    @every_search
    @pytest.mark.parametrize(
        "part",
        [
            {"required": [("asia", "tub")]},
            {"forbidden": [("tub", "asia")]},
            {"tiers": [["asia"], ["tub"]]},
            {"max_parents": {"tub": 1}},
        ],
        ids=lambda part: next(iter(part)),
    )
    def test_knowledge_is_refused_by_name(self, asia, search, part):
        (name,) = part
        with pytest.raises(ds.ParameterError, match=rf"cannot obey knowledge \({name}\)"):
            search(asia, knowledge=ds.Knowledge(**part))

    @every_search
    def test_what_is_no_knowledge_is_not_ignored(self, asia, search):
        assert search(asia, knowledge=ds.Knowledge()).dag == search(asia).dag
        with pytest.raises(ds.ParameterError, match="knowledge must be"):
            search(asia, knowledge=[("asia", "tub")])

    @every_search
    def test_something_else_than_data(self, search):
        with pytest.raises(ds.DataError, match="cannot read a table from int"):
            search(5)


@pytest.mark.parametrize("search", ["ges", "kes"])
@pytest.mark.parametrize("variables", [100, 1000, 2561, 5121])
def test_any_number_of_variables(asia, search, variables):
    """Sets come in several widths; variables without influence change nothing but the width."""
    search = SEARCHES[search]
    more = variables - asia.n_variables
    codes = np.hstack([asia.codes, np.zeros((asia.n_rows, more), dtype=int)])
    wide = ds.Data.from_codes(codes, asia.states | {f"x{i}": ["same"] for i in range(more)})
    found, alone = search(wide), search(asia)
    assert found.dag.arcs == alone.dag.arcs
    assert found.score == pytest.approx(alone.score)
    assert not found.stopped


def test_neighborhoods_are_those_of_the_documentation():
    for name in NEIGHBORHOODS:
        assert f'"{name}"' in ds.kes.__doc__
