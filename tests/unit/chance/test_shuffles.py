"""What shuffled rows give, foretold by moments: beside shuffling itself, on awkward tables."""

import math
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest
from tests.oracles import shuffles as oracle

import dagscape as ds
from dagscape.chance import Shuffles
from dagscape.chance.moments import flipped_strength, log_fisher, log_tail, strength_of

KINDS = ("coins", "rare", "many", "geometric", "constant", "ties", "numbers")


def column(rng: np.random.Generator, kind: str, rows: int) -> np.ndarray:
    """Return a column of a kind on which smooth tails go wrong."""
    match kind:
        case "coins":
            return rng.integers(2, size=rows)
        case "rare":
            return (rng.random(rows) < 3 / rows).astype(int)
        case "many":
            return rng.integers(rows // 4 + 2, size=rows)
        case "geometric":
            return np.minimum(rng.geometric(0.5, size=rows), 6)
        case "constant":
            return np.zeros(rows, dtype=int)
        case "ties":
            return np.where(rng.random(rows) < 0.8, 0.0, np.round(rng.normal(size=rows), 1))
        case _:
            return rng.standard_cauchy(size=rows)


def table(columns: dict[str, np.ndarray]) -> ds.Data:
    """Return a table of numbers and of states."""
    return ds.Data(
        {n: v if v.dtype.kind == "f" else [f"s{code}" for code in v] for n, v in columns.items()},
        kinds={n: "continuous" if v.dtype.kind == "f" else "discrete" for n, v in columns.items()},
    )


def drawn(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return two columns that have nothing to do with each other, and often a third."""
    rows = int(rng.choice([8, 20, 60, 150]))
    first, second = rng.choice(KINDS, 2)
    found = {"x": column(rng, first, rows), "y": column(rng, second, rows)}
    if rng.random() < 0.5:
        found["z"] = rng.integers(rng.choice([2, 5, rows // 2]), size=rows)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_moments_are_those_of_all_permutations(seed):
    rng = np.random.default_rng(seed)
    sizes = (5, 6)[: 1 + seed % 2]
    first, second, agree, means, variances = [], [], [], [], []
    for n in sizes:
        u, v = (
            oracle.basis(oracle.curves(column(rng, kind, n), 1))
            for kind in (("geometric", "ties", "many")[seed % 3], "many")
        )
        every = [(n - 1) * ((u.T @ v[list(order)]) ** 2).sum() for order in permutations(range(n))]
        means.append(np.mean(every))
        variances.append(np.var(every))
        agree.append(every[0] / (n - 1))
        for side, basis in ((first, u), (second, v)):
            side.append((basis.shape[1], ((basis**2).sum(axis=1) ** 2).sum()))
    found = strength_of(
        np.array(sizes, float),
        np.array(agree),
        *(
            tuple(np.array(each, float) for each in zip(*side, strict=True))
            for side in (first, second)
        ),
    )
    assert found.mean == pytest.approx(sum(means))
    assert found.variance == pytest.approx(sum(variances), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_moments_are_those_of_all_signs(seed):
    rng = np.random.default_rng(seed)
    u, v = (oracle.basis(rng.normal(size=(8, width))) for width in (1 + seed % 2, 2))
    every = [
        (((u * np.array(signs)[:, None]).T @ v) ** 2).sum() for signs in product((-1, 1), repeat=8)
    ]
    found = flipped_strength(u, v, 8)
    assert found.value == pytest.approx(every[-1])
    assert found.mean == pytest.approx(np.mean(every))
    assert found.variance == pytest.approx(np.var(every))


def lines(rng: np.random.Generator, rows: int) -> dict[str, np.ndarray]:
    """Return numbers of which e is a line in c and d, which depend on b."""
    b, c, d, e = rng.exponential(size=(4, rows))
    c, d = b + c, b + d
    return {"b": b, "c": c, "d": d, "e": c - d + e}


def crossed(rng: np.random.Generator, rows: int) -> dict[str, np.ndarray]:
    """Return numbers that depend on whether two columns of states are the same."""
    c, d = rng.integers(2, size=(2, rows))
    b, e = 2 * (c ^ d) + rng.normal(size=(2, rows))
    return {"b": b, "c": c, "d": d, "e": e}


@pytest.mark.slow
@pytest.mark.parametrize("make", [lines, crossed])
def test_what_two_others_make_together_is_taken_away(make):
    rng = np.random.default_rng(6)
    small = sum(
        Shuffles(table(make(rng, 200))).given("e", ["b"], ["c", "d"]) <= math.log(0.05)
        for _ in range(100)
    )
    assert small <= 12  # 5 are expected, and more than 12 once in a thousand times


def test_tables_of_two_by_two_are_exact():
    """Of 8 rows with 3 and 3, each of the 56 ways to lay them."""
    ways = [sum(a in (0, 1, 2) for a in each) for each in permutations(range(8), 3)]
    for both in range(4):
        cells = np.array([[both, 3 - both], [3 - both, 2 + both]])
        far = [abs(each - 9 / 8) >= abs(both - 9 / 8) for each in ways]
        assert math.exp(log_fisher(cells)) == pytest.approx(np.mean(far))
    assert log_fisher(np.array([[50000, 0], [0, 50000]])) == pytest.approx(-69307.7, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("tables", [1000, pytest.param(10_000, marks=pytest.mark.long)])
def test_small_probabilities_are_no_more_frequent_than_they_say(tables):
    """Of thousands of tables without relations: exact, or too large, or nearly right."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(tables):
        columns = drawn(rng)
        given = [name for name in columns if name == "z"]
        found.append(math.exp(Shuffles(table(columns)).given("y", ["x"], given)))
    said = np.array(found)
    for level in (0.1, 0.03, 0.01, 0.003):
        expected = level * len(said)
        assert (said <= level).sum() <= expected + 3 * math.sqrt(expected)
    assert (said <= 0.1).mean() > 0.04  # else this says nothing
    assert said.min() > 0.01 / tables


@pytest.mark.slow
@pytest.mark.parametrize("tables", [30, pytest.param(600, marks=pytest.mark.long)])
def test_probabilities_are_those_of_shuffling(tables):
    """States alone, where the statistic is one: beside 400 shuffles."""
    rng = np.random.default_rng(1)
    for _ in range(tables):
        columns = drawn(rng)
        if any(each.dtype.kind == "f" for each in columns.values()) or len(columns["x"]) > 60:
            continue
        data = table(columns)
        pooled = Shuffles(data)
        x, y = (pooled._known(name) for name in "xy")
        strata = columns.get("z", np.zeros(len(x), dtype=int))
        strata = pooled._known("z") if "z" in columns else strata
        said = math.exp(pooled.given("y", ["x"], [n for n in columns if n == "z"]))
        share = oracle.share_as_strong(x, y, strata, 400, rng)
        # Where few values can occur, a smooth tail lies between two of them.
        assert said <= 4 * share + 0.05
        assert said >= share / 4 - 0.02


def test_what_is_related_is_seen():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    z = rng.integers(3, size=200)
    data = table(
        {
            "x": x,
            "line": x + rng.normal(size=200),
            "curve": x**2 + rng.normal(size=200),
            "state": np.where(x + rng.normal(size=200) > 0, 1, 0),
            "z": z,
            "w": x + z,
        }
    )
    found = Shuffles(data)
    assert found.alone("line", "x") < -20
    assert found.alone("curve", "x") < -15
    assert found.alone("state", "x") < -10
    assert found.alone("x", "z") > -7
    assert found.given("x", ["z"], ["w"]) < -50
    assert found.given("line", ["state"], ["x"]) > -7


def test_parity_is_seen_given_the_other_parent():
    rng = np.random.default_rng(0)
    a, b = rng.integers(2, size=(2, 200))
    found = Shuffles(table({"a": a, "b": b, "c": a ^ b}))
    assert found.alone("c", "a") > -7
    assert found.given("c", ["a"], ["b"]) < -100


def test_gaps_stay_in_place():
    """Only rows in which both are known change places: the rest says nothing."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(3, size=(2, 90))
    full = {"x": [f"s{v}" for v in x], "y": [f"s{v}" for v in y]}
    gaps = {
        n: [None if row % 7 == at else v for row, v in enumerate(full[n])]
        for at, n in enumerate("xy")
    }
    known = [row for row in range(90) if row % 7 not in (0, 1)]
    rest = {name: [full[name][row] for row in known] for name in full}
    said = Shuffles(ds.Data(gaps, missing="keep")).alone("x", "y")
    assert said == pytest.approx(Shuffles(ds.Data(rest)).alone("x", "y"))


def test_neither_order_nor_side_matters():
    rng = np.random.default_rng(4)
    columns = {
        "x": rng.integers(4, size=80),
        "y": rng.normal(size=80),
        "z": rng.integers(2, size=80),
    }
    order = rng.permutation(80)
    one, other = (
        Shuffles(table(columns)),
        Shuffles(table({n: v[order] for n, v in columns.items()})),
    )
    assert one.given("x", ["y"], ["z"]) == pytest.approx(other.given("x", ["y"], ["z"]))
    assert one.alone("x", "y") == pytest.approx(one.alone("y", "x"))


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_hardly_any_rows_say_nothing(rows):
    rng = np.random.default_rng(rows)
    numbers = {name: rng.normal(size=rows) for name in "abc"}
    data = table(numbers | {"s": rng.integers(2, size=rows)})
    shuffles = Shuffles(data)
    for child, parent, given in permutations(data.names, 3):
        assert shuffles.given(child, [parent], [given]) > math.log(0.1)


def test_rows_with_filled_cells_alone_say_nothing():
    cells = {"a": [1.5, None], "b": [None, 2.5], "c": [0.5, 1.0]}
    with pytest.warns(ds.DataWarning):
        data = ds.Data(cells, kinds=dict.fromkeys(cells, "continuous"), missing="mode")
    assert Shuffles(data).given("a", ["b"], ["c"]) == 0


def test_what_columns_follow_is_the_same_one_by_one_and_together():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 12))
    x[:, 1] = x[:, 0] ** 2 + 0.1 * rng.normal(size=200)
    x[:, 2] = x[:, 0] + 0.5 * rng.normal(size=200)
    x[:, 3] = np.abs(x[:, 2]) + 0.3 * rng.normal(size=200)
    data = ds.Data(pl.DataFrame({f"v{i:02}": x[:, i] for i in range(12)}))
    alone, together = Shuffles(data), Shuffles(data)
    together.glance(data.names)
    for column in data.names:
        expected = {}
        for number in data.names:
            (line, bend), own = alone._ways(number), alone._ways(column)[0]
            found = [len(own) * float(((side.T @ own) ** 2).sum()) for side in (line, bend)]
            free = [side.shape[1] * own.shape[1] for side in (line, bend)]
            tied = log_tail(sum(found), sum(free))
            if tied < math.log(1e-5):
                expected[number] = tied, log_tail(found[1], free[1])
        for shuffles in (alone, together):
            got = shuffles._follows_each(column)
            assert got.keys() == expected.keys()
            for number, values in expected.items():
                assert got[number] == pytest.approx(values, rel=1e-9, abs=1e-12)
    assert set(together.curved("v01", "v03", [])) == {"v00", "v02"}
