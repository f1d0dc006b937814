"""Candidate parents at the edge: knowledge, limits, methods, messages, files."""

import itertools
import math
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.parents import METHODS, RULES
from dagscape.parents.constraints import constrain
from dagscape.variables import Variables
from data_sets import data_set


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(2000, seed=3)


@pytest.fixture(scope="module")
def wide():
    """More sets than can be scored in a moment."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (3000, 90))
    return ds.Data.from_codes(codes, {f"x{v}": ["0", "1"] for v in range(90)})


def subsets(names, most=None):
    sizes = range(len(names) + 1 if most is None else most + 1)
    return itertools.chain.from_iterable(itertools.combinations(names, size) for size in sizes)


def listed(found, child):
    return {frozenset(parents) for _, parents in found[child]}


class TestTheResult:
    def test_lists_are_best_first_and_hold_scores(self, asia):
        found = ds.candidate_parents(asia)
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
        assert score == pytest.approx(ds.local_score(asia, "dysp", parents))
        assert set(parents) == {"bronc", "either"}
        assert found.exhaustive
        assert found.stopped is None
        assert "exhaustive" in repr(found)
        assert "dysp" in repr(found["dysp"])

    def test_best_among_allowed(self, asia):
        found = ds.candidate_parents(asia)
        assert found.best("dysp") == found["dysp"][0]
        score, parents = found.best("dysp", ["bronc", "smoke"])
        expected = max(ds.local_score(asia, "dysp", p) for p in subsets(["bronc", "smoke"]))
        assert score == pytest.approx(expected)
        assert set(parents) <= {"bronc", "smoke"}
        assert found.best("dysp", [])[1] == ()
        with pytest.raises(ds.ParameterError, match="list of names"):
            found.best("dysp", "bronc")
        with pytest.raises(ds.ParameterError, match='did you mean "bronc"'):
            found.best("dysp", ["bronk"])

    def test_relaxed_score_bounds_every_network(self, asia):
        found = ds.candidate_parents(asia)
        true = ds.score(asia, ds.load_network("asia").dag)
        assert found.relaxed_score >= true

    def test_a_limit_on_parents_is_said(self, asia):
        found = ds.candidate_parents(asia, max_parents=1)
        assert found.exhaustive_to == 1
        assert not found.exhaustive
        assert all(len(parents) <= 1 for name in found for _, parents in found[name])
        assert ds.candidate_parents(asia, max_parents=0).exhaustive_to == 0

    def test_work_is_counted(self, asia):
        pruned = ds.candidate_parents(asia, prune=["dominance"])
        assert pruned.work["families_scored"] == 8 * 2**7
        assert pruned.work["sets_counted"] == 2**8 - 1
        kept = len(pruned) + pruned.work["pruned_by_dominance"]
        assert kept == pruned.work["families_scored"]
        limited = ds.candidate_parents(asia, prune=["limit"])
        assert limited.work["pruned_by_limit"] + len(limited) <= 8 * 2**7

    def test_a_variable_of_one_state_is_no_parent(self):
        """Its column changes nothing but the rounding of sums."""
        data = ds.load_network("asia").sample(50, seed=0)
        constant = next(x for x in data.names if len(set(data.codes[:, data.names.index(x)])) == 1)
        states = {x: s if x != constant else s[:1] for x, s in data.states.items()}
        codes = data.codes.copy()
        codes[:, data.names.index(constant)] = 0
        found = ds.candidate_parents(ds.Data.from_codes(codes, states))
        assert all(constant not in parents for x in data.names for _, parents in found[x])

    def test_a_single_variable(self):
        data = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        for method in METHODS:
            found = ds.candidate_parents(data, method=method)
            assert [parents for _, parents in found["only"]] == [()]


class TestKnowledge:
    knowledge = ds.Knowledge(
        required=[("smoke", "lung")],
        forbidden=[("xray", "either")],
        tiers=[["asia", "smoke"], ["tub", "lung", "bronc"]],
        max_parents={"dysp": 1},
    )

    @pytest.mark.parametrize("method", METHODS)
    def test_every_listed_set_obeys(self, asia, method):
        found = ds.candidate_parents(asia, method=method, knowledge=self.knowledge)
        for child in found:
            assert len(found[child]) > 0
            for _, parents in found[child]:
                assert all(self.knowledge.allows(parent, child) for parent in parents)
                if child == "lung":
                    assert "smoke" in parents
                if child == "dysp":
                    assert len(parents) <= 1

    @pytest.mark.parametrize("prune", [True, False])
    def test_the_best_that_obeys_is_found(self, asia, prune):
        found = ds.candidate_parents(asia, knowledge=self.knowledge, prune=prune)
        for child in asia.names:
            others = [p for p in asia.names if p != child and self.knowledge.allows(p, child)]
            fine = [
                parents
                for parents in subsets(others, 1 if child == "dysp" else None)
                if child != "lung" or "smoke" in parents
            ]
            expected = max(ds.local_score(asia, child, parents) for parents in fine)
            assert found.best(child)[0] == pytest.approx(expected)
            if not prune:
                assert listed(found, child) == {frozenset(parents) for parents in fine}

    def test_no_set_among_those_allowed(self, asia):
        found = ds.candidate_parents(asia, knowledge=self.knowledge)
        with pytest.raises(ds.ParameterError, match='"lung" has no parent set among'):
            found.best("lung", ["asia"])

    def test_contradictions_with_the_limit(self, asia):
        with pytest.raises(ds.ParameterError, match="1 required parents, but max_parents is 0"):
            ds.candidate_parents(asia, knowledge=self.knowledge, max_parents=0)

    def test_hybrid_begins_above_the_required_parents(self, asia):
        knowledge = ds.Knowledge(required=[(x, "dysp") for x in ("asia", "tub", "smoke")])
        found = ds.candidate_parents(asia, method="hybrid", knowledge=knowledge)
        assert all({"asia", "tub", "smoke"} <= set(parents) for _, parents in found["dysp"])

    def test_a_limit_leaves_every_child_its_required_parents(self, wide):
        knowledge = ds.Knowledge(required=[("x1", "x2"), ("x3", "x2")])
        found = ds.candidate_parents(wide, knowledge=knowledge, time_limit=1e-9)
        assert found.stopped == "time"
        assert [set(parents) for _, parents in found["x2"]] == [{"x1", "x3"}]
        assert found.relaxed_score < 0

    def test_exhaustive_is_meant_within_what_is_known(self, asia):
        known = ds.Knowledge(max_parents=dict.fromkeys(asia.names, 2))
        assert ds.candidate_parents(asia, knowledge=known).exhaustive
        assert not ds.candidate_parents(asia, knowledge=known, max_parents=1).exhaustive

    def test_names_are_checked(self, asia):
        with pytest.raises(ds.ParameterError, match='did you mean "smoke"'):
            ds.candidate_parents(asia, knowledge=ds.Knowledge(forbidden=[("smok", "lung")]))


class TestBestFirst:
    @pytest.mark.parametrize("method", ["greedy", "independence", "hybrid"])
    @pytest.mark.parametrize("score", ["bic", "bdeu", "k2"])
    def test_with_time_enough_nothing_is_missed(self, asia, method, score):
        everything = ds.candidate_parents(asia, score=score)
        found = ds.candidate_parents(asia, score=score, method=method)
        for name in asia.names:
            assert found[name][0][0] == pytest.approx(everything[name][0][0])
            for value, parents in found[name]:
                expected = ds.local_score(asia, name, parents, score=score)
                assert value == pytest.approx(expected, rel=1e-12)

    def test_hybrid_grows_no_set_that_is_full(self):
        """All sets of two parents are scored, none is looked at again, and no larger one."""
        data = ds.load_network("alarm").sample(400, seed=3)
        everything = ds.candidate_parents(data, max_parents=2, method="sequential")
        found = ds.candidate_parents(data, max_parents=2, method="hybrid")
        assert found.exhaustive_to == 2
        for counter in ("families_scored", "sets_counted"):
            assert found.work[counter] == everything.work[counter]
        assert all(listed(found, name) == listed(everything, name) for name in data.names)

    def test_children_whose_sets_are_full_stay_as_they_are(self, asia):
        start = ds.candidate_parents(asia, score="aic", max_parents=2)
        constraints = _core.Constraints(8, 2)
        scorer = _core.Scorer(ds.AIC().function(asia.table), 1 << 20)
        rules = _core.PruningRules()

        def grown():
            return _core.best_first_selection(
                scorer, constraints, True, rules, 100, None, 1, start.lists
            )

        lists, work = grown()
        assert work["families_scored"] == work["sets_counted"] == 0
        assert lists.sets == len(start)
        constraints = _core.Constraints(8, 3)
        constraints.limit(0, 2)
        lists, work = grown()
        assert 0 < work["families_scored"] <= 7 * 100
        assert lists.size(0) == start.lists.size(0)
        assert lists.sets > len(start)

    @pytest.mark.parametrize("method", ["greedy", "independence"])
    def test_the_number_of_sets_is_obeyed(self, asia, method):
        found = ds.candidate_parents(asia, method=method, sets_per_variable=10, prune=False)
        assert found.work["families_scored"] <= 8 * 11
        assert not found.exhaustive
        same = ds.candidate_parents(
            asia, method=method, sets_per_variable=10, prune=False, threads=3
        )
        assert all(listed(found, name) == listed(same, name) for name in asia.names)

    def test_greedy_grows_the_best_set_first(self):
        """Hand-worked: d copies c, so {c} is the best single parent and is grown first."""
        rng = np.random.default_rng(0)
        codes = rng.integers(0, 2, (200, 4))
        codes[:, 3] = codes[:, 2] ^ (rng.random(200) < 0.1)
        data = ds.Data.from_codes(codes, {x: ["0", "1"] for x in "abcd"})
        found = ds.candidate_parents(data, method="greedy", sets_per_variable=6, prune=False)
        expected = [(), ("a",), ("b",), ("c",), ("a", "c"), ("b", "c")]
        assert listed(found, "d") == {frozenset(parents) for parents in expected}

    @pytest.mark.parametrize("seed", range(4))
    def test_independence_takes_up_sets_by_their_promise(self, seed):
        """Equation 3 of Perez and Mauá (2016) with two to four states, for pairs and more."""
        rng = np.random.default_rng(seed)
        arity = [3, 2, 4, 3, 2]
        codes = np.stack([rng.integers(0, r, 400) for r in arity], axis=1)
        codes[:, 0] = (codes[:, 1] + codes[:, 2] // 2 + (rng.random(400) < 0.2)) % 3
        names = "cdefg"
        data = ds.Data.from_codes(
            codes, {x: [str(k) for k in range(r)] for x, r in zip(names, arity, strict=True)}
        )
        order = by_promise(data, "c")
        assert len(order) == 2**4
        pairs = [i for i, parents in enumerate(order) if len(parents) == 2]
        larger = [i for i, parents in enumerate(order) if len(parents) > 2]
        assert min(larger) < max(pairs)  # pairs do not all come first
        for count in range(5, len(order) + 1):
            found = ds.candidate_parents(
                data, method="independence", sets_per_variable=count, max_parents=4, prune=False
            )
            assert listed(found, "c") == set(order[:count])


def by_promise(data, child):
    """Return sets in the order in which they are scored: of those that wait, the most promising.

    Single parents come first. The promise of a set with one more parent is BIC* of equation 3: both
    scores, and what the penalties differ by, as if the parent told the same whatever the others.
    """
    others = [name for name in data.names if name != child]
    arity = data.arities
    none = ds.local_score(data, child)
    weight = np.log(data.n_rows) / 2 * (arity[child] - 1)
    likelihood = none + weight

    def promise(parents, y):
        together = math.prod(arity[x] for x in parents)
        inter = weight * (together + arity[y] - together * arity[y] - 1) - likelihood
        return (
            ds.local_score(data, child, sorted(parents)) + ds.local_score(data, child, [y]) + inter
        )

    order, waiting, seen = [frozenset(), *(frozenset({y}) for y in others)], {}, set()

    def expand(parents):
        for y in others:
            larger = parents | {y}
            if y not in parents and larger not in seen:
                seen.add(larger)
                waiting[larger] = promise(parents, y)

    for single in order[1:]:
        expand(single)
    while waiting:
        parents = max(waiting, key=waiting.__getitem__)
        del waiting[parents]
        order.append(parents)
        expand(parents)
    return order


class TestLimits:
    def test_time(self, wide):
        found = ds.candidate_parents(wide, max_parents=5, prune=False, time_limit=0.2)
        assert found.stopped == "time"
        assert not found.exhaustive
        assert found.exhaustive_to < 5
        assert "stopped by time" in repr(found)
        for value, parents in found["x3"][:5]:
            assert value == pytest.approx(ds.local_score(wide, "x3", parents))

    def test_time_per_variable(self, wide):
        found = ds.candidate_parents(wide, max_parents=5, prune=False, time_per_variable=0.002)
        assert found.stopped == "time"

    @pytest.mark.parametrize("method", ["greedy", "independence", "hybrid"])
    def test_time_of_best_first_is_shared_fairly(self, wide, method):
        found = ds.candidate_parents(wide, method=method, time_limit=2.0, prune=False)
        # Without shares, the first two or three would use it all.
        reached = sum(len(found[name]) > 1 for name in wide.names)
        assert reached > len(wide.names) / 2

    def test_memory(self, wide):
        found = ds.candidate_parents(wide, max_parents=3, prune=False, max_memory=20e6)
        assert found.stopped == "memory"
        assert found.bytes < 20e6

    def test_memory_that_a_walk_gives_back(self):
        rng = np.random.default_rng(1)
        few = ds.Data({x: rng.integers(0, 2, 3000) for x in "abcd"})
        assert ds.candidate_parents(few, score="bdeu", prune=False).stopped is None

    def test_memory_of_the_process_stays_near_the_limit(self):
        """Unlimited, this case takes over 300 MB; in a process of its own it must not."""
        script = """
import resource, numpy as np, dagscape as ds
rng = np.random.default_rng(0)
data = ds.Data.from_codes(rng.integers(0, 2, (500, 80)), {f"x{v}": ["0", "1"] for v in range(80)})
data.table
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
found = ds.candidate_parents(data, max_parents=4, prune=False, max_memory=100e6, threads=2)
print(found.stopped, (peak() - before) * 1024)
"""
        ran = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        stopped, used = ran.stdout.split()
        assert stopped == "memory"
        assert float(used) < 1.5 * 100e6

    def test_interrupt(self, wide):
        """Ctrl-C ends it with what is there, and is not raised again."""
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), 2))
        timer.start()
        found = ds.candidate_parents(wide, max_parents=6, prune=False, time_limit=60)
        timer.join()
        assert found.stopped == "interrupt"
        assert len(found) > 0

    def test_what_another_signal_raises_comes_through(self, wide):
        def late(*_):
            raise TimeoutError("too late")

        before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            with pytest.raises(TimeoutError, match="too late"):
                ds.candidate_parents(wide, max_parents=6, prune=False, time_limit=60)
        finally:
            signal.signal(signal.SIGALRM, before)

    @pytest.mark.parametrize("method", ["greedy", "independence"])
    def test_time_per_variable_of_best_first_is_said(self, wide, method):
        found = ds.candidate_parents(wide, method=method, time_per_variable=0.001, prune=False)
        assert found.stopped == "time"

    def test_progress_is_told_and_its_errors_come_through(self, wide):
        shares = []
        ds.candidate_parents(
            wide,
            max_parents=5,
            prune=False,
            time_limit=0.5,
            progress=lambda share, _: shares.append(share),
        )
        assert shares == sorted(shares)
        assert all(0 <= share <= 1.001 for share in shares)

        def failing(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.candidate_parents(wide, max_parents=5, prune=False, time_limit=20, progress=failing)

    def test_estimates_come_before_the_work(self, wide):
        small, large = (ds.estimate_parents(wide, max_parents=k) for k in (2, 3))
        assert small.sets == 90 + 90 * 89 / 2 + 90 * 89 * 88 / 6
        assert large.sets > small.sets
        assert large.seconds > small.seconds
        assert large.bytes > small.bytes
        assert small.list_bytes >= ds.candidate_parents(wide, max_parents=2, prune=False).bytes
        assert large.complete
        assert not ds.estimate_parents(wide, max_parents=6, max_memory=1e6).complete


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
    assert ds.candidate_parents(asia, prune=rule).relaxed_score == pytest.approx(
        ds.candidate_parents(asia, prune=False).relaxed_score
    )


def test_the_ad_tree_counts_the_same(asia):
    plain = ds.candidate_parents(asia, max_parents=3)
    tree = ds.candidate_parents(asia, max_parents=3, counting="adtree")
    assert tree.work["ad_tree_nodes_stored"] > 1
    for name in asia.names:
        assert [set(p) for _, p in plain[name]] == [set(p) for _, p in tree[name]]
        for (a, _), (b, _) in zip(plain[name], tree[name], strict=True):
            assert a == pytest.approx(b, rel=1e-12)


def test_the_size_of_the_ad_tree_is_that_of_the_columns_as_they_stand():
    """Hand-worked: rows 00 and 01. A node is there if its values but the last occur in some row."""
    data = ds.Data.from_codes(np.array([[0, 0], [0, 1]]), {"b": ["0", "1"], "a": ["0", "1"]})
    size = ds.ad_tree_size(data, depth=2)
    # The root, both states of b, both of a, and those of a where b is 0.
    assert (size.nodes, size.full_nodes, size.depth) == (1 + 2 + 2 + 2, 9, 2)
    assert ds.ad_tree_size(data.select(["a", "b"]), depth=2).nodes == 1 + 2 + 2 + 4


@pytest.mark.parametrize(
    ("name", "nodes"), [("ebnsl/iris.csv.gz", 598), ("ebnsl/wine.csv.gz", 504436)]
)
def test_the_published_sizes_of_ad_trees(name, nodes):
    assert ds.ad_tree_size(ds.read_data(data_set(name))).nodes == nodes


@pytest.mark.parametrize("ending", [".jkl", ".pss", ".jkl.gz"])
def test_written_and_read_back(asia, tmp_path, ending):
    found = ds.candidate_parents(asia, max_parents=2)
    path = tmp_path / f"scores{ending}"
    found.write(path)
    again = ds.read_parents(path)
    assert set(again.names) == set(asia.names)
    for name in asia.names:
        assert [(v, set(p)) for v, p in again[name]] == [(v, set(p)) for v, p in found[name]]
    assert not again.exhaustive


def test_relaxed_score_of_nltcs_is_the_published_one():
    """Table II of Perez and Mauá 2016: 0.4515, exhaustive to the limit that the score proves."""
    data = ds.read_data(data_set("debd/nltcs.csv.gz"))
    found = ds.candidate_parents(data)
    empty = ds.score(data, [])
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


def test_constraints_are_those_of_the_knowledge():
    names = [f"v{i}" for i in range(12)]
    knowledge = ds.Knowledge(
        required=[("v0", "v7")],
        forbidden=[("v3", "v4"), ("v11", "v0")],
        tiers=[names[:3], names[3:6], names[6:9]],
    )
    variables = Variables(names)
    constraints = constrain(variables, None, knowledge)
    for parent, child in itertools.permutations(names, 2):
        allowed = constraints.has(variables.number(child), variables.number(parent))
        assert allowed == knowledge.allows(parent, child)


def test_knowledge_of_many_variables_is_not_asked_pair_by_pair(monkeypatch):
    """Twenty thousand variables have 400 million pairs."""
    monkeypatch.setattr(ds.Knowledge, "allows", None)  # would fail if it were called
    names = [f"v{i}" for i in range(50)]
    knowledge = ds.Knowledge(forbidden=[("v3", "v4")], tiers=[names[:20], names[20:]])
    variables = Variables(names)
    constraints = constrain(variables, None, knowledge)
    assert not constraints.has(variables.number("v4"), variables.number("v30"))


def test_a_change_of_counting_between_sizes_is_no_lack_of_memory():
    """Bitmaps give their memory back when rows take over, and the selection goes on."""
    rng = np.random.default_rng(0)
    states = {"a": [str(i) for i in range(3)], "b": [str(i) for i in range(4)]}
    codes = np.stack([rng.integers(0, 3, 257), rng.integers(0, 4, 257)], axis=1)
    found = ds.candidate_parents(ds.Data.from_codes(codes, states), score="aic")
    assert found.stopped is None
    assert found.exhaustive
