"""Members of a Markov blanket: their roles, their support, limits, refusals."""

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.parents import keep_sets
from limits import AMPLE, NO_TIME, Clock
from listening import press_at_work


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(2000, seed=1)


@pytest.fixture(scope="module")
def hub():
    """A variable that 23 others follow: more than exact search is asked to take."""
    rng = np.random.default_rng(3)
    root = rng.integers(0, 2, 1000)
    columns = {f"c{i:02}": root ^ (rng.random(1000) < 0.2) for i in range(23)}
    return ds.Data({"root": root, **columns})


def assert_same(found, other):
    """The same members, whatever the order of columns that `through` follows."""
    assert found.names == other.names
    for a, b in zip(found.members, other.members, strict=True):
        assert (a.role, set(a.through)) == (b.role, set(b.through))
        assert a.support == pytest.approx(b.support, abs=1e-6)


class TestRoles:
    def test_of_a_known_network(self, alarm):
        truth = ds.load_network("alarm").dag
        found = ds.describe_blanket(alarm, "HR")
        roles = {member.name: member.role for member in found.members}
        for name in truth.parents("HR"):
            assert roles.pop(name) == "parent"
        for name in truth.children("HR"):
            assert roles.pop(name) == "child"
        assert set(roles.values()) == {"spouse"}
        through = {member.name: set(member.through) for member in found.members}
        for name in roles:
            assert through[name] == set(truth.children("HR")) & set(truth.children(name))

    def test_neighbors_of_neighbors_tell_a_parent(self, alarm):
        """Around CATECHOL alone its edge to HR has no direction; its parents give it one."""
        found = ds.describe_blanket(alarm, "HR")
        assert {"ARTCO2", "TPR"} <= set(found.network.dag.names) - {"HR", *found.names}
        alone = ds.exact(alarm.select(["HR", *found.names])).cpdag
        assert "CATECHOL" in alone.undirected_neighbors("HR")

    def test_what_the_network_does_without(self):
        """Tests find a neighbor that a score does not think worth its parameters."""
        rng = np.random.default_rng(5)
        a = rng.integers(0, 2, 300)
        data = ds.Data({"a": a, "b": a ^ (rng.random(300) < 0.42)})
        (member,) = ds.describe_blanket(data, "a", method="hiton", alpha=0.3).members
        assert (member.role, member.through, member.support) == ("none", (), 0.0)

    def test_nothing_around(self):
        found = ds.describe_blanket(ds.Data({"a": [0, 1, 1], "b": [0, 0, 0]}), "a")
        assert found.members == found.names == ()
        assert repr(found) == "<Blanket of 'a': empty>"
        assert found.network.dag.names == ("a",)


class TestTheResult:
    def test_most_support_first(self, alarm):
        found = ds.describe_blanket(alarm, "HR", method="sll", score="bic")
        support = [member.support for member in found.members]
        assert support == sorted(support, reverse=True)
        assert min(support) > 0
        assert set(found.names) == set(ds.markov_blanket(alarm, "HR", method="sll", score="bic"))
        assert repr(found).startswith("<Blanket of 'HR': HRBP (child 186.8), ")
        assert (found.method, found.score_name, found.stopped) == ("sll", "bic", None)

    def test_frames_take_it(self, alarm):
        frame = pl.DataFrame(ds.describe_blanket(alarm, "HR").members)
        assert frame.columns == ["name", "role", "through", "support"]
        assert len(frame) == 8

    @pytest.mark.slow
    def test_one_some_or_all(self, alarm):
        some = alarm.select(alarm.names[:12])
        every = ds.describe_blanket(some)
        assert list(every) == list(some.names)
        assert list(ds.describe_blanket(some, ["PCWP", "CVP"])) == ["PCWP", "CVP"]
        for name in some.names:
            assert ds.describe_blanket(some, name).members == every[name].members

    def test_threads_and_column_order_change_nothing(self, alarm):
        found = ds.describe_blanket(alarm, "HR", threads=1)
        turned = alarm.select(alarm.names[::-1])
        for again in (
            ds.describe_blanket(alarm, "HR", threads=4),
            ds.describe_blanket(turned, "HR"),
        ):
            assert_same(again, found)

    @pytest.mark.slow
    def test_more_than_exact_search_takes(self, alarm, hub):
        exactly, greedily = (ds.describe_blanket(alarm, "HR", exact_limit=n) for n in (20, 2))
        assert greedily.network.method.startswith("order search")
        assert_same(greedily, exactly)  # here both find the best networks
        assert set(ds.describe_blanket(hub, "root", max_parents=2).names) == set(hub.names[1:])


class TestLimits:
    def test_time_is_over_once_members_are_found(self, alarm, monkeypatch):
        clock = Clock(monkeypatch)

        def late(*asked):
            clock.time_is_over()
            return keep_sets(*asked)

        monkeypatch.setattr("dagscape.search.blankets.keep_sets", late)
        found = ds.describe_blanket(alarm, "HR", time_limit=AMPLE)
        assert found.stopped == "time"
        assert len(found.members) > 1
        assert None in {member.support for member in found.members}

    def test_no_time_at_all(self, alarm):
        found = ds.describe_blanket(alarm, "HR", time_limit=NO_TIME)
        assert (found.stopped, found.network) == ("time", None)
        assert {(member.role, member.support) for member in found.members} <= {(None, None)}
        assert "stopped by time" in repr(found)

    def test_interrupt(self, hub):
        found = ds.describe_blanket(hub, None, progress=press_at_work())
        assert {one.stopped for one in found.values()} >= {"interrupt"}

    def test_interrupt_between_searches(self, alarm, monkeypatch):
        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("dagscape.search.blankets.keep_sets", interrupt)
        found = ds.describe_blanket(alarm, "HR")
        assert (found.stopped, found.network) == ("interrupt", None)
        assert set(found.names) == set(ds.markov_blanket(alarm, "HR"))

    def test_interrupt_in_progress(self, alarm):
        def interrupt(*_):
            raise KeyboardInterrupt

        assert ds.describe_blanket(alarm, progress=interrupt)["HR"].stopped == "interrupt"


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        ({"target": "HRR"}, 'unknown variable "HRR"; did you mean "HR"'),
        ({"target": 3}, "target must be a name, a list of names or None"),
        ({"method": "hitom"}, 'unknown method "hitom"; did you mean "hiton"'),
        ({"score": "k2"}, "the description of a blanket needs a score that equivalent networks"),
        ({"alpha": 0.1}, "alpha is for hiton and mmpc, and the method is hill_climb"),
        ({"max_parents": -1}, "max_parents must be between 0 and 36"),
        ({"method": "hiton", "exact_limit": "20"}, "exact_limit must be a whole number from 0"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"progress": 3}, "progress must be a function"),
        ({"knowledge": ds.Knowledge(forbidden=[("HR", "BP")])}, "cannot obey knowledge"),
    ],
)
def test_refusals_are_one_sentence(alarm, ask, says):
    with pytest.raises(ds.ParameterError, match=says):
        ds.describe_blanket(alarm, **{"target": "HR", **ask})


def test_sets_that_are_wanted_keep_their_scores():
    data = ds.load_network("asia").sample(500, seed=1)
    names = [f"{name}, a b" for name in data.names]  # which no score file could hold
    parents = ds.candidate_parents(
        ds.Data.from_codes(data.codes, {name: ["0", "1"] for name in names}), score="bic"
    )
    kept = keep_sets(parents, lambda child, _: child != names[0])
    assert len(kept[names[0]]) == 0
    for name in names[1:]:
        assert list(kept[name]) == list(parents[name])
