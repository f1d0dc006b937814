"""Exact learning at the edge: limits, Ctrl-C, claims, refusals."""

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.search.exact import ALGORITHMS, HEURISTICS, multipliers
from dagscape.search.exact.by_cuts import ByCuts
from dagscape.search.exact.part import Part, SolveOptions, SolverRun
from limits import FOR_ENDLESS_WORK, NO_TIME, Heard
from listening import press_at_work

PROVERS = [name for name in ALGORITHMS if name != "auto"]


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1000, seed=3)


def entangled(n):
    """Parent sets of variables that all depend on each other."""
    rng = np.random.default_rng(0)
    rows = 400
    hidden = rng.integers(0, 2, (rows, 3))
    signals = [hidden[:, v % 3] ^ hidden[:, v % 2] for v in range(n)]
    codes = [np.where(rng.random(rows) < 0.75, signal, v % 2) for v, signal in enumerate(signals)]
    data = ds.Data.from_codes(np.stack(codes, 1), {f"x{v:02}": ["0", "1"] for v in range(n)})
    return ds.candidate_parents(data, score="aic", max_parents=3)


@pytest.fixture(scope="module")
def hard():
    """So many that no algorithm is done with them in minutes."""
    return entangled(44)


@pytest.fixture(scope="module")
def dense():
    """As many as dynamic programming can do, but not at once: billions of steps."""
    return entangled(26)


@pytest.fixture(scope="module")
def many():
    """More variables than a word holds, with more parent sets than a program can take at once."""
    parents = entangled(66)
    assert len(parents) > multipliers.MANY_SETS
    return parents


def check_unfinished(result, parents, stopped):
    """A network, its score and a bound that holds, but no proof."""
    assert not result.optimal
    assert result.stopped == stopped
    assert result.score <= result.bound <= parents.relaxed_score + 1e-6
    assert result.gap > 0
    assert set(result.dag.names) == set(parents.names)
    total = 0.0
    for name in parents.names:
        value, chosen = parents.best(name, result.dag.parents(name))
        assert set(chosen) == set(result.dag.parents(name))
        total += value
    assert total == pytest.approx(result.score)
    assert result.claim.startswith("not proven")


class TestTheResult:
    def test_what_it_says(self, asia):
        result = ds.exact(asia, score="bic")
        assert result.optimal
        assert result.claim == "optimal"
        assert result.scope == ds.Scope()
        assert result.bound == result.score
        assert result.gap == 0
        assert result.score == ds.score(asia, result.dag, score="bic")
        assert result.score >= ds.score(asia, ds.load_network("asia").dag, score="bic")
        assert result.score_name == "bic"
        assert result.method.startswith("exact: ")
        assert result.stopped is None
        assert result.seconds > 0
        assert result.asked["algorithm"] == "auto"
        assert result.work["parent_sets"] > 0
        assert result.cpdag == result.dag.to_cpdag()

    @pytest.mark.parametrize("algorithm", PROVERS)
    def test_the_method_is_named(self, asia, algorithm):
        result = ds.exact(asia, algorithm=algorithm, split=False, incumbent=False)
        assert result.method == f"exact: {algorithm}"
        assert result.asked["split"] is False

    def test_a_limit_on_parents_is_part_of_the_claim(self, asia):
        result = ds.exact(asia, max_parents=1)
        assert result.claim == "optimal among networks with at most 1 parent"
        assert max(len(result.dag.parents(x)) for x in asia.names) == 1
        assert ds.exact(asia, max_parents=0).dag.arcs == ()

    def test_candidate_parents_of_a_heuristic_are_part_of_the_claim(self, asia):
        parents = ds.candidate_parents(asia, method="greedy")
        result = ds.exact(parents)
        assert result.scope.candidates_only
        assert result.claim.startswith(
            "optimal among networks built from the candidate parent sets"
        )
        assert result.claim.endswith("parent sets may score higher")
        assert ds.exact(ds.candidate_parents(asia)).claim == "optimal"

    def test_what_is_proven_of_a_selection_that_was_cut_short(self, asia):
        """Of the sets that there was room for, this is the best network; of others, who knows."""
        short = ds.exact(asia, score="aic", max_memory=10_000, threads=1)
        assert short.stopped == "memory"
        assert (short.optimal, short.bound) == (True, short.score)
        most = short.scope.complete_to  # how far the memory reached
        assert short.scope == ds.Scope(candidates_only=True, complete_to=most)
        parents = "1 parent" if most == 1 else f"{most} parents"
        assert short.claim == (
            "optimal among networks built from the candidate parent sets, which are complete up to "
            f"{parents}; networks with larger parent sets may score higher"
        )
        assert short.score >= ds.exact(asia, score="aic", max_parents=most).score - 1e-9

    def test_it_can_be_kept(self, asia, tmp_path):
        result = ds.exact(asia)
        result.save(tmp_path / "r.json")
        assert ds.load_result(tmp_path / "r.json") == result

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_one_variable_and_none_that_depend(self, algorithm):
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        assert ds.exact(one, algorithm=algorithm).dag.arcs == ()
        codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        apart = ds.Data.from_codes(codes, {"a": ["0", "1"], "b": ["0", "1"]})
        result = ds.exact(apart, algorithm=algorithm)
        assert result.dag.arcs == ()
        assert result.optimal

    def test_the_same_network_from_every_algorithm(self, asia):
        results = [ds.exact(asia, algorithm=algorithm) for algorithm in ALGORITHMS]
        assert len({result.dag for result in results}) == 1

    def test_the_search_for_a_first_network_spares_work(self, asia):
        with_it = ds.exact(asia, algorithm="astar", heuristic="simple", split=False)
        without = ds.exact(
            asia, algorithm="astar", heuristic="simple", split=False, incumbent=False
        )
        assert with_it.score == pytest.approx(without.score)


class TestLimits:
    @pytest.mark.parametrize("algorithm", ["auto", "astar", "systematic", "ilp"])
    def test_time(self, hard, algorithm):
        result = ds.exact(hard, algorithm=algorithm, time_limit=FOR_ENDLESS_WORK)
        check_unfinished(result, hard, "time")

    def test_time_of_dynamic_programming(self, dense):
        limits = {"time_limit": FOR_ENDLESS_WORK, "threads": 1}
        result = ds.exact(dense, algorithm="dp", split=False, **limits)
        check_unfinished(result, dense, "time")

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_hardly_any_time(self, hard, algorithm):
        check_unfinished(ds.exact(hard, algorithm=algorithm, time_limit=NO_TIME), hard, "time")

    @pytest.mark.parametrize("switch", ["split", "incumbent"])
    @pytest.mark.parametrize("algorithm", ["astar", "systematic", "ilp"])
    def test_time_without_the_helps(self, hard, algorithm, switch):
        limits = {"time_limit": FOR_ENDLESS_WORK, switch: False}
        result = ds.exact(hard, algorithm=algorithm, **limits)
        check_unfinished(result, hard, "time")

    def test_time_for_scoring_is_part_of_it(self):
        rng = np.random.default_rng(0)
        codes = rng.integers(0, 2, (3000, 60))
        data = ds.Data.from_codes(codes, {f"x{v}": ["0", "1"] for v in range(60)})
        result = ds.exact(data, max_parents=6, prune=False, time_limit=FOR_ENDLESS_WORK)
        assert not result.optimal or result.scope.candidates_only
        assert result.stopped == "time"
        assert result.score == pytest.approx(ds.score(data, result.dag, score=result.score_kind))

    @pytest.mark.slow
    @pytest.mark.parametrize("algorithm", ["dp", "astar", "systematic"])
    def test_memory(self, dense, algorithm):
        """It ends, however little there is, and says so."""
        for max_memory in (1, 100_000, 500_000):
            result = ds.exact(dense, algorithm=algorithm, split=False, max_memory=max_memory)
            check_unfinished(result, dense, "memory")

    @pytest.mark.parametrize("algorithm", ["auto", "astar", "systematic", "ilp"])
    def test_interrupt(self, hard, algorithm):
        """Ctrl-C ends it with what is there, and is not raised again."""
        result = ds.exact(hard, algorithm=algorithm, progress=press_at_work())
        check_unfinished(result, hard, "interrupt")

    def test_interrupt_of_dynamic_programming(self, dense):
        asked = {"algorithm": "dp", "split": False, "threads": 1}
        result = ds.exact(dense, **asked, progress=press_at_work())
        check_unfinished(result, dense, "interrupt")

    @pytest.mark.parametrize("algorithm", ["astar", "systematic", "ilp"])
    def test_progress_is_told_in_words(self, hard, algorithm):
        told = Heard(1000)

        def tell(share, text):
            told(share, text)
            if "best" in text:
                raise KeyboardInterrupt

        ds.exact(hard, algorithm=algorithm, progress=tell)
        assert all(share is None or 0 <= share <= 1 for share, _ in told)
        assert "best" in told[-1][1]

    @pytest.mark.parametrize("algorithm", ["astar", "systematic", "ilp"])
    def test_what_progress_raises_comes_through(self, hard, algorithm):
        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.exact(hard, algorithm=algorithm, progress=fail)


class TestManyParentSets:
    """More than a linear program can take at once, of more variables than a word holds."""

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("time_limit", [NO_TIME, FOR_ENDLESS_WORK])
    def test_time(self, many, time_limit, threads):
        result = ds.exact(many, time_limit=time_limit, threads=threads)
        check_unfinished(result, many, "time")

    @pytest.mark.parametrize("threads", [1, 2])
    def test_interrupt(self, many, threads):
        result = ds.exact(many, threads=threads, progress=press_at_work())
        check_unfinished(result, many, "interrupt")

    @pytest.mark.slow
    @pytest.mark.parametrize("threads", [1, 2])
    def test_interrupt_while_the_bound_is_raised(self, many, threads):
        def tell(_share, text):
            if "best" in text:
                raise KeyboardInterrupt

        check_unfinished(ds.exact(many, threads=threads, progress=tell), many, "interrupt")

    def test_what_progress_raises_comes_through(self, many):
        def fail(*_):
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            ds.exact(many, progress=fail)

    @pytest.mark.slow
    def test_the_bound_comes_before_the_solver(self, many):
        """Of the relaxed gap at most half is left, and no program was solved."""
        gap, facts = self.solved(many, memory=1 << 40)
        assert gap.regret - gap.bound < 0.5 * gap.regret
        assert facts["dual_rounds"] >= 1
        assert facts["dual_clusters"] > 0
        assert facts["lp_rounds"] == 0

    @pytest.mark.slow
    def test_without_memory_for_duals_the_solver_begins(self, many):
        component = _core.components(many._lists, False)[0]
        _, facts = self.solved(many, memory=_core.DualBound.bytes_for(component) - 1)
        assert "dual_rounds" not in facts
        assert facts["lp_rounds"] > 0

    @pytest.mark.slow
    def test_without_memory_for_steps_they_end(self, many):
        """The sets fit, but not what the steps need beside them: greedy ascent has to do."""
        component = _core.components(many._lists, False)[0]
        bound, gap = _core.DualBound(component), _core.Gap()
        assert bound.raise_bound(gap, 0)["stopped"] == ""
        before = gap.bound
        facts = bound.raise_bound(gap, max_bytes=1000)
        assert facts["stopped"] == "memory"
        assert facts["dual_rounds"] == 1
        assert gap.bound >= before > 0

    def solved(self, many, *, memory):
        """What is found until the bound was raised twice."""
        part = Part(_core.components(many._lists, False)[0])
        _core.find_incumbent(part.component, part.gap, 0)
        options = SolveOptions("ilp", "clusters", forced_moves=True, incumbent=True, seed=0)
        budget = Budget(deadline=None, memory=memory, threads=1)
        changes = {part.gap.bound}

        def enough(_):
            changes.add(part.gap.bound)
            if len(changes) > 2:
                raise KeyboardInterrupt

        with ByCuts(part, SolverRun(options, budget, enough), orders=False) as proof:
            proof.wait()
        return part.gap, part.work


class TestRefusals:
    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ({"algorithm": "astra"}, 'unknown algorithm "astra"; did you mean "astar"'),
            ({"algorithm": "gurobi"}, 'unknown algorithm "gurobi"; choose .*systematic'),
            ({"algorithm": None}, "algorithm"),
            ({"heuristic": "pattern"}, 'unknown heuristic "pattern"; did you mean "patterns"'),
            ({"score": "bicc"}, 'unknown score "bicc"'),
            ({"max_parents": 8}, r"max_parents must be between 0 and 7 \(variables - 1\), got 8"),
            ({"max_parents": -1}, "max_parents must be between 0 and 7"),
            ({"prune": ["bounds"]}, '"bounds"'),
            ({"time_limit": 0}, "time_limit must be a positive number of seconds, got 0"),
            ({"max_memory": -1}, "max_memory must be a positive number of bytes, got -1"),
            ({"threads": 0}, "threads must be a positive whole number, got 0"),
            ({"seed": -1}, "seed must be a whole number from 0, got -1"),
            ({"seed": 0.5}, "seed must be a whole number from 0, got 0.5"),
            ({"progress": 3}, "progress must be a function"),
            ({"knowledge": ds.Knowledge(required=[("asia", "lunk")])}, 'did you mean "lung"'),
            ({"knowledge": [("asia", "lung")]}, "knowledge must be"),
        ],
    )
    def test_wrong_arguments(self, asia, argument, message):
        with pytest.raises(ds.ParameterError, match=message):
            ds.exact(asia, **argument)

    def test_something_else_than_data(self):
        with pytest.raises(ds.DataError, match="cannot read a table from int"):
            ds.exact(3)

    def test_arguments_that_belong_to_the_selection(self, asia):
        parents = ds.candidate_parents(asia)
        with pytest.raises(ds.ParameterError, match="score belongs to the selection"):
            ds.exact(parents, score="bdeu")
        with pytest.raises(ds.ParameterError, match="max_parents belongs to the selection"):
            ds.exact(parents, max_parents=2)
        with pytest.raises(ds.ParameterError, match="required arc asia -> lung"):
            ds.exact(parents, knowledge=ds.Knowledge(required=[("asia", "lung")]))

    @pytest.mark.parametrize(("algorithm", "most"), [("dp", 64), ("astar", 256)])
    def test_more_variables_than_an_algorithm_takes(self, tmp_path, algorithm, most):
        ring = self.ring(tmp_path, most + 1)
        message = f'"{algorithm}" is for at most {most} .* {most + 1}'
        with pytest.raises(ds.ParameterError, match=message):
            ds.exact(ring, algorithm=algorithm)

    @pytest.mark.slow
    def test_more_variables_than_a_word_holds(self, tmp_path):
        for algorithm in ALGORITHMS:
            if algorithm != "dp":
                assert ds.exact(self.ring(tmp_path, 70), algorithm=algorithm).score == -71
        for heuristic in HEURISTICS:
            found = ds.exact(self.ring(tmp_path, 70), algorithm="astar", heuristic=heuristic)
            assert (found.score, found.method) == (-71, "exact: astar")

    def ring(self, folder, n):
        lines = [str(n)]
        for v in range(n):
            lines += [f"x{v} 2", f"-1 1 x{(v + 1) % n}", "-2 0"]
        path = folder / "ring.jkl"
        path.write_text("\n".join(lines) + "\n", "ascii")
        return ds.read_parents(path)

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_parent_sets_that_make_no_network(self, tmp_path, algorithm):
        path = tmp_path / "cycle.jkl"
        path.write_text("3\nA 1\n-1 1 B\nB 1\n-1 1 C\nC 2\n-1 1 A\n-2 2 A B\n", "ascii")
        with pytest.raises(ds.GraphError, match=r"no network can be built .* A, B, C"):
            ds.exact(ds.read_parents(path), algorithm=algorithm)

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_parent_sets_without_the_empty_one(self, tmp_path, algorithm):
        path = tmp_path / "required.jkl"
        path.write_text("3\nA 2\n-1 1 B\n-9 0\nB 1\n-1 1 C\nC 2\n-1 1 A\n-7 0\n", "ascii")
        result = ds.exact(ds.read_parents(path), algorithm=algorithm)
        assert result.score == pytest.approx(-9)
        assert set(result.dag.arcs) == {("B", "A"), ("C", "B")}

    def test_a_variable_without_parent_sets(self, tmp_path):
        path = tmp_path / "none.jkl"
        path.write_text("2\nA 0\nB 1\n-1 0\n", "ascii")
        with pytest.raises(ds.DagscapeError, match="A"):
            ds.exact(ds.read_parents(path))


def test_heuristics_are_those_of_the_documentation():
    for name in (*HEURISTICS, *ALGORITHMS):
        assert f'"{name}"' in ds.exact.__doc__
