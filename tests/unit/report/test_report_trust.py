"""What the page tells of trust: tables like the one it is about, and graphs that differ."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.learning import LearnResult
from dagscape.report.page_trust import reliability, trust_of


def learned(variables: int, rows: int) -> LearnResult:
    codes = np.random.default_rng(0).integers(2, size=(rows, variables))
    data = ds.Data.from_codes(codes, {f"v{i}": ["0", "1"] for i in range(variables)})
    return ds.learn(data, method="hill_climb", score="bic", runs=0, resamples=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "rows", "beyond"),
    [(8, 120, []), (30, 4000, []), (5, 700, ["variables"]), (60, 50, ["variables", "rows"])],
)
def test_tables_like_it_are_the_nearest_by_variables_then_by_rows(variables, rows, beyond):
    found = reliability(learned(variables, rows))
    assert found["beyond"] == beyond
    like = found["like"]
    least, most = like["variables"]
    few, many = like["rows"]
    assert least <= max(8, min(variables, 37)) <= most
    assert few / 2 <= max(100, min(rows, 10_000)) <= 2 * many
    assert like["tables"] < found["tables"]
    assert sum(level["claims"] for level in like["presence"]) > 100


@pytest.mark.slow
def test_all_tables_are_those_of_the_groups():
    found = [reliability(learned(n, rows))["like"] for n in (8, 30) for rows in (150, 700, 4000)]
    whole = reliability(learned(8, 150))
    assert sum(group["tables"] for group in found) == whole["tables"]
    for kind in ("presence", "direction"):
        claims = sum(level["claims"] for group in found for level in group[kind])
        assert claims == sum(level["claims"] for level in whole[kind])


@pytest.mark.slow
def test_edges_of_the_nearest_graph_are_told_as_both_graphs_have_them():
    data = ds.load_network("asia").sample(500, seed=4)
    known = ds.learn(data, runs=0, resamples=10)
    told = trust_of(known)
    assert told is not None
    names = known.dag.names
    assert len(told["nearest"]) == len(known.differences) > 0
    for a, b, here, there in told["nearest"]:
        assert here != there
        for code, graph in ((here, known.mpdag), (there, known.consensus)):
            one, other = names[a], names[b]
            assert (code == 1) == ((one, other) in graph.directed)
            assert (code == 2) == ((other, one) in graph.directed)
            assert (code == 0) == (other not in graph.neighbors(one))
