"""Tables with numbers whose cells are missing: networks and probabilities from drawn cells."""

from __future__ import annotations

import itertools
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.gaps.drawn_tables import DrawnTables
from dagscape.gaps.scales import ByRanks, ByValues
from limits import NO_TIME, stop_at
from toys.holed import holed

NET = ds.random_network(5, kind="mixed", neighbors=2, states=(2, 3), seed=4)
WHOLE = NET.sample(300, seed=1)
DATA = holed(WHOLE, 0.1, seed=1)
QUICK = {"search": "hill_climb", "restarts": 0}


def adjacencies(found: ds.Posterior) -> dict[frozenset[str], float]:
    return {frozenset((a, b)): p for _, a, b, p, *_ in found.features("adjacencies").iter_rows()}


def test_nothing_missing_is_the_search_itself() -> None:
    found = ds.structural_em(ds.Data(WHOLE, missing="keep"), **QUICK)
    alone = ds.hill_climb(WHOLE)
    assert (found.dag, found.score) == (alone.dag, alone.score)


@pytest.mark.slow
@pytest.mark.parametrize("score", [None, "bic_cg", ds.BasisBIC(degree=1)])
def test_few_gaps_change_nothing(score: object) -> None:
    data = holed(WHOLE, 0.01, seed=2)
    found = ds.structural_em(data, score=score, **QUICK)
    assert found.cpdag == ds.hill_climb(WHOLE, score=score).cpdag
    assert found.starts[0]["converged"]
    assert found.score == pytest.approx(ds.hill_climb(WHOLE, score=score).score, rel=0.02)


@pytest.mark.slow
def test_finds_what_rows_without_gaps_are_too_few_to_show() -> None:
    net = ds.random_network(8, kind="mixed", neighbors=2, states=(2, 3), seed=2)
    whole = net.sample(600, seed=2)
    data = holed(whole, 0.25, seed=2)
    truth = net.dag.to_cpdag()
    found = ds.structural_em(data, **QUICK)
    dropped = ds.hill_climb(ds.Data(data, missing="drop"))
    assert ds.shd(found.cpdag, truth) < ds.shd(dropped.cpdag, truth)


@pytest.mark.slow
def test_is_the_same_for_any_order_of_columns_and_threads() -> None:
    shuffled = DATA.select(sorted(DATA.names, reverse=True))
    first = ds.structural_em(DATA, threads=1, **QUICK)
    second = ds.structural_em(shuffled, threads=2, **QUICK)
    assert (set(first.dag.arcs), first.score) == (set(second.dag.arcs), second.score)
    few = {"chains": 2, "rounds": 4, "seed": 5}
    assert adjacencies(ds.posterior(DATA, **few)) == adjacencies(ds.posterior(shuffled, **few))


@pytest.mark.slow
def test_units_and_rising_functions_change_nothing_by_ranks() -> None:
    x = next(iter(DATA.numbers))
    frame = DATA.to_polars().to_dict(as_series=False)
    frame[x] = [None if value is None else 1e3 * math.exp(value) for value in frame[x]]
    states = {name: DATA.states[name] for name in DATA.names if name not in DATA.numbers}
    kinds = dict.fromkeys(DATA.numbers, "continuous")
    other = ds.Data(frame, missing="keep", states=states, kinds=kinds)
    first, second = (ds.structural_em(each, **QUICK) for each in (DATA, other))
    assert first.dag == second.dag
    assert first.score == pytest.approx(second.score, rel=1e-3)


@pytest.mark.slow
def test_searches_by_name_and_obeys_knowledge() -> None:
    a, b, c = WHOLE.names[:3]
    known = ds.Knowledge(required=[(a, b)], forbidden=[(b, c), (c, b)])
    found = ds.structural_em(DATA, search="exact", restarts=1, knowledge=known, max_parents=2)
    assert not known.violations(found.dag)
    assert not found.optimal
    assert [start["start"] for start in found.starts][-1] == "exact, from the best"
    assert found.network is not None
    assert found.network.dag == found.dag
    assert found.network.kinds == dict(WHOLE.kinds)


def test_limits_and_a_ctrl_c_give_the_best_so_far() -> None:
    assert ds.structural_em(DATA, time_limit=NO_TIME).stopped == "time"
    found = ds.structural_em(DATA, restarts=50, progress=stop_at(1))
    assert found.stopped == "interrupt"
    assert np.isfinite(found.score)
    assert found.network is not None


@pytest.mark.slow
def test_learns_and_keeps_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dagscape.learning.incomplete.ROUNDS", 3)
    found = ds.learn(DATA, method="hill_climb")
    assert found.posterior is not None
    assert found.posterior.claim.endswith("; cells are taken to be missing at random")
    assert found.consensus is not None
    found.save(tmp_path / "r.json")
    assert ds.load_result(tmp_path / "r.json") == found.plain()
    assert pickle.loads(pickle.dumps(found)).features().equals(found.features())
    found.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "missing cells were kept" in page


def test_refuses_curves() -> None:
    for search in (ds.structural_em, ds.posterior):
        with pytest.raises(ds.ParameterError, match="sees curves, and missing cells are drawn by"):
            search(DATA, score="basis_bic(degree=3)")


@pytest.mark.slow
def test_grows_less_certain_as_cells_go_missing() -> None:
    def uncertainty(data: ds.Data) -> float:
        found = ds.posterior(data, rounds=30, chains=3, seed=3)
        return sum(p * (1 - p) for p in adjacencies(found).values())

    sums = [0.0, 0.0, 0.0]
    for seed in range(3):
        whole = ds.random_network(4, kind="mixed", neighbors=2, seed=seed).sample(80, seed=seed)
        sums[0] += sum(p * (1 - p) for p in adjacencies(ds.posterior(whole)).values())
        for place, share in ((1, 0.15), (2, 0.5)):
            sums[place] += uncertainty(holed(whole, share, seed=seed))
    assert sums == sorted(sums)
    assert sums[2] > 1.3 * sums[0]


@pytest.mark.slow
def test_posterior_against_all_completions_on_a_grid() -> None:
    """Two cells of a tiny table of numbers, by every value that they may have."""
    rng = np.random.default_rng(5)
    n = 8
    x = rng.normal(size=n)
    y = 0.7 * x + 0.7 * rng.normal(size=n)
    z = 0.7 * y + 0.7 * rng.normal(size=n)
    columns = {"x": x, "y": y, "z": z}
    score = ds.BGe(standardized=False)
    grid = np.linspace(-4, 4, 33)
    dags = [
        ds.Dag("xyz", arcs)
        for size in range(4)
        for arcs in itertools.combinations(itertools.permutations("xyz", 2), size)
        if acyclic(arcs)
    ]
    weights = np.zeros(len(dags))
    for u, v in itertools.product(grid, grid):
        filled = {"x": x.copy(), "y": y.copy(), "z": z}
        filled["x"][0], filled["y"][1] = u, v
        table = ds.Data.from_columns(filled, {})
        weights += np.exp([ds.score(table, dag, score=score) for dag in dags])
    weights /= weights.sum()
    truth = {
        frozenset(pair): sum(
            w for w, dag in zip(weights, dags, strict=True) if {pair, pair[::-1]} & set(dag.arcs)
        )
        for pair in itertools.combinations("xyz", 2)
    }
    columns["x"][0] = columns["y"][1] = np.nan
    kinds = dict.fromkeys("xyz", "continuous")
    data = ds.Data(columns, missing="keep", kinds=kinds)
    found = adjacencies(
        ds.posterior(data, score=score, prior="uniform", chains=4, rounds=250, seed=1)
    )
    for pair, p in truth.items():
        assert found[pair] == pytest.approx(p, abs=0.04), pair


def acyclic(arcs: tuple[tuple[str, str], ...]) -> bool:
    try:
        ds.Dag("xyz", arcs)
    except ds.GraphError:
        return False
    return True


class TestDraws:
    @pytest.mark.slow
    def test_drawn_cells_are_as_likely_as_those_that_went_missing(self) -> None:
        """The relations of a whole table are those of its drawn one."""
        rng = np.random.default_rng(0)
        n = 4000
        a = rng.normal(size=n)
        s = (rng.random(n) < 1 / (1 + np.exp(-2 * a))).astype(int)
        b = 0.8 * a + 0.6 * rng.normal(size=n)
        c = b + s + 0.5 * rng.normal(size=n)
        whole = ds.Data.from_columns({"a": a, "b": b, "c": c, "s": s}, {"s": ["u", "v"]})
        data = holed(whole, 0.3, seed=1)
        dag = ds.Dag("abcs", [("a", "s"), ("a", "b"), ("b", "c"), ("s", "c")])
        for score in (ds.default_score(data), ds.ConditionalGaussian(), ds.GaussianBIC()):
            draws = DrawnTables(data, score)
            stream = np.random.default_rng(1)
            columns = draws.start(stream)
            for _ in range(8):
                columns = draws.drawn(dag, columns, stream)
            table = draws.table(columns)
            found = np.corrcoef([table.column(x) for x in "abcs"])
            assert np.abs(found - np.corrcoef([a, b, c, s])).max() < 0.04, score

    def test_what_is_there_stays(self) -> None:
        draws = DrawnTables(DATA, ds.default_score(DATA))
        stream = np.random.default_rng(0)
        columns = draws.start(stream, anything=True)
        columns = draws.drawn(ds.Dag(DATA.names, [DATA.names[:2]]), columns, stream)
        for place, x in enumerate(draws.data.names):
            there = ~draws.data.missing.mask[:, place]
            assert (columns[x][there] == draws.data.column(x)[there]).all()

    def test_ranks_and_values_and_back(self) -> None:
        rng = np.random.default_rng(0)
        values = np.exp(rng.normal(size=200))
        for scale in (ByRanks(), ByValues(values)):
            scores = scale.scores(values)
            assert scale.numbers(scores, values, scores) == pytest.approx(values)
            ends = scale.numbers(np.array([-4.0, 4.0]), values, scores)
            assert ends[0] < values.min()
            assert ends[1] > values.max()
        few = rng.integers(30, size=200).astype(float)
        drawn = ByRanks().numbers(rng.normal(size=500), few, ByRanks().scores(few))
        assert set(drawn) <= set(few)
        flat = np.full(5, 2.5)
        assert (ByRanks().numbers(rng.normal(size=3), flat, np.zeros(5)) == 2.5).all()
