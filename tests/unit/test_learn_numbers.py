"""Learning from tables with numbers: which score is picked, and what is found."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds


def table(rows=800):
    rng = np.random.default_rng(5)
    g = rng.choice(["a", "b", "c"], rows)
    x = rng.normal(size=rows) + np.select([g == "a", g == "b"], [0.0, 1.0], 2.5)
    y = 0.7 * x + rng.normal(size=rows)
    z = rng.normal(size=rows)
    return {"g": g, "x": x, "y": y, "z": z}


def edges(dag):
    return {frozenset(arc) for arc in dag.arcs}


def test_the_default_score_goes_by_kinds():
    whole = table()
    numbers = {name: whole[name] for name in "xyz"}
    assert ds.default_score(ds.Data({"g": whole["g"]})).base == ds.FittedDirichlet()
    assert ds.default_score(ds.Data(numbers)).base == ds.RankBGe()
    assert ds.default_score(ds.Data(whole)).base == ds.RankBGe()


def test_a_pair_scores_alike_whatever_else_is_in_the_table():
    """Numbers with or without states, states with or without numbers."""
    whole = table()
    tables = {names: ds.Data({x: whole[x] for x in names}) for names in ("gxyz", "xyz", "xy", "g")}
    score = ds.default_score(tables["gxyz"]).base
    told = {
        names: ds.local_score(tables[names], "y", ["x"], score=score) for names in ("xyz", "xy")
    }
    expected = ds.local_score(tables["gxyz"], "y", ["x"], score=score)
    assert told == pytest.approx(dict.fromkeys(told, expected), abs=1e-9)
    alone = ds.local_score(tables["g"], "g", [], score="fitted")
    assert ds.local_score(tables["gxyz"], "g", [], score=score) == pytest.approx(alone, abs=1e-9)


def test_probabilities_do_not_jump_at_a_number_of_rows_or_with_a_column_of_coins():
    rng = np.random.default_rng(3)
    x = rng.normal(size=1000)
    frame = {"x": x, "y": 0.16 * x + rng.normal(size=1000), "z": rng.normal(size=1000)}
    coin = {"coin": rng.integers(0, 2, 1000)}
    said = [
        ds.posterior(ds.Data({name: c[:rows] for name, c in made.items()})).probability(
            "x", "y", "adjacencies"
        )
        for made in (frame, frame | coin)
        for rows in (999, 1000)
    ]
    assert min(said) > 0.9
    assert max(said) - min(said) < 0.01


@pytest.mark.parametrize("shape", ["lognormal", "standard_cauchy"])
def test_skewed_columns_and_outliers_make_no_edges(shape):
    rng = np.random.default_rng(1)
    noise = ds.Data({f"v{i}": getattr(rng, shape)(size=100) for i in range(8)})
    assert max(ds.posterior(noise).features("adjacencies", frame="dict")["probability"]) < 0.7


def test_every_kind_of_table_has_the_same_prior():
    whole = table() | {"h": table()["g"][::-1], "i": table()["g"]}
    for names in ("ghi", "xyz", "gxy"):
        data = ds.Data({name: whole[name] for name in names})
        assert ds.default_score(data).prior == ds.posterior(data).prior == ds.EdgePrior(0.4), names


@pytest.mark.parametrize("names", ["gxyz", "xyz"])
def test_learn(names, tmp_path):
    whole = table()
    data = ds.Data({name: whole[name] for name in names})
    found = ds.learn(data, runs=10, resamples=3)
    assert found.optimal
    assert found.asked | ds.default_score(data).asked == found.asked
    wanted = {frozenset("gx"), frozenset("xy")} if "g" in names else {frozenset("xy")}
    assert edges(found.dag) == wanted
    found.save(tmp_path / "r.json")
    assert ds.load_result(tmp_path / "r.json").dag == found.dag
    found.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").stat().st_size
    again = ds.posterior(data)
    assert again.probability("x", "y", "adjacencies") > 0.99
    assert ds.estimate(data, score=ds.default_score(data)) is not None


def test_units_do_not_matter_to_the_default():
    whole = table()
    small = ds.Data({name: whole[name] for name in "xyz"})
    large = ds.Data({"x": whole["x"] * 1e9, "y": whole["y"] * 1e-9, "z": whole["z"] + 1e6})
    one, other = (ds.posterior(data).features("arcs", frame="dict") for data in (small, large))
    assert one["probability"] == pytest.approx(other["probability"], abs=1e-6)


def test_resampled_numbers():
    data = ds.Data(table(300))
    found = ds.bootstrap(data, score="basis_bic(degree=1)", runs=8, seed=1, method="exact")
    rows = found.features("edges", frame="dict")
    assert rows
    assert ds.posterior(data, resamples=3, seed=0).probability("x", "y", "adjacencies") > 0.9


def test_what_needs_states_says_so():
    data = ds.Data(table(200))
    for use in (
        lambda: ds.posterior(data).predictive(data),
        lambda: ds.load_network("asia").log_likelihood(data),
    ):
        with pytest.raises(ds.DagscapeError) as caught:
            use()
        assert "column" in str(caught.value), str(caught.value)
