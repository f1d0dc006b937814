"""The order of rows: neighbors that are alike, and files that are merely sorted."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.data.row_order import MOST_ROWS, _rows, row_order


def of_states(codes, states=2):
    labels = [str(i) for i in range(states)]
    return ds.Data.from_codes(codes, {f"c{i:02}": labels for i in range(codes.shape[1])})


def of_numbers(values):
    return ds.Data({f"x{i}": values[:, i] for i in range(values.shape[1])})


def sticky(chance, rows=300, columns=6, stay=0.9):
    codes = chance.integers(2, size=(rows, columns))
    for row in range(1, rows):
        codes[row] = np.where(chance.random(columns) < stay, codes[row - 1], codes[row])
    return codes


def visits(chance, order="subject", subjects=40, each=6):
    own = chance.integers(2, size=(subjects, 8))
    own = np.repeat(own, each, axis=0) if order == "subject" else np.tile(own, (each, 1))
    return np.where(chance.random(own.shape) < 0.7, own, chance.integers(2, size=own.shape))


DEPENDENT = {
    "sticky chains": lambda c: of_states(sticky(c)),
    "two sticky chains": lambda c: of_states(sticky(c, columns=2)),
    "visits": lambda c: of_states(visits(c)),
    "random walks": lambda c: of_numbers(c.normal(size=(200, 5)).cumsum(axis=0)),
    "waves": lambda c: of_states(visits(c, "wave")),
}


@pytest.mark.parametrize("design", DEPENDENT)
def test_rows_that_depend_on_their_neighbors_are_seen(design):
    for seed in range(5):
        found = row_order(DEPENDENT[design](np.random.default_rng(seed))).alike
        assert found is not None, f"seed {seed}"
        assert found.distance == (40 if design == "waves" else 1), f"seed {seed}"
        assert found.alike > found.expected + 0.1 * found.cells, f"seed {seed}"


@pytest.mark.parametrize("name", ["asia", "cancer", "sachs", "child"])
def test_samples_are_not_told_of_however_they_are_sorted(name):
    network = ds.load_network(name)
    for seed in range(1 if name == "child" else 2):
        data = network.sample(200, seed=seed)
        codes = data.codes.astype(np.int64)
        orders = {"none": np.arange(200), "all": np.lexsort(codes.T)}
        orders |= {x: np.argsort(codes[:, i], kind="stable") for i, x in enumerate(data.names)}
        for by, order in orders.items():
            found = row_order(data.take(order))
            assert found.alike is None, f"seed {seed}, sorted by {by}: {found}"


def test_numbers_are_not_told_of_however_they_are_sorted():
    for seed in range(5):
        chance = np.random.default_rng(seed)
        values = chance.normal(size=(300, 5)) + chance.normal(size=(300, 1))
        high = values[:, 0] + chance.normal(size=300) > 0
        table = ds.Data({f"x{i}": values[:, i] for i in range(5)} | {"high": high})
        orders = {
            "x0": np.argsort(values[:, 0]),
            "x1, falling": np.argsort(-values[:, 1]),
            "high, x2": np.lexsort((values[:, 2], high)),
            "rounded x0": np.argsort(values[:, 0].round(1), kind="stable"),
        }
        for by, order in orders.items():
            found = row_order(table.take(order))
            assert found.alike is None, f"seed {seed}, sorted by {by}: {found}"
            assert found.sorted_by, f"seed {seed}, sorted by {by}"


def test_numbers_that_were_cut_sort_by_more_than_their_intervals():
    for seed in range(5):
        values = np.random.default_rng(seed).normal(size=(600, 1))
        noise = np.random.default_rng(seed + 100).normal(size=(600, 5))
        table = of_numbers((values + 0.5 * noise)[np.argsort(values[:, 0])])
        order = np.argsort(table.numbers["x0"])
        cut = ds.Data({k: v[order] for k, v in table.numbers.items()}, discretize=("quantile", 3))
        found = row_order(cut)
        assert found.sorted_by[0] == "x0", f"seed {seed}"
        assert found.alike is None, f"seed {seed}: {found}"


def test_it_is_seen_by_what_a_file_is_sorted():
    chance = np.random.default_rng(0)
    codes = chance.integers(3, size=(300, 4))
    assert row_order(of_states(codes, 3)).sorted_by == ()
    two = of_states(codes[np.lexsort((codes[:, 3], codes[:, 1]))], 3)
    assert row_order(two).sorted_by == ("c01", "c03")
    grouped = of_states(codes[np.argsort((codes[:, 2] + 1) % 3, kind="stable")], 3)
    assert row_order(grouped).sorted_by == ("c02",)
    order = np.argsort(codes[:, 0], kind="stable")
    nearly = of_states(codes[np.r_[order[5:], order[:5]]], 3)
    assert row_order(nearly).sorted_by == ("c00",)


def test_tables_of_counts_are_no_repeated_measurements():
    data = ds.load_network("asia").sample(2000, seed=1)
    frame = data.to_polars()
    for order in (frame.columns, frame.columns[::-1]):
        found = row_order(ds.Data(frame.sort(order)))
        assert found.alike is None, found


def test_a_column_alone_that_keeps_its_value_makes_no_edge():
    for seed in range(5):
        chance = np.random.default_rng(seed)
        codes = chance.integers(2, size=(400, 5))
        codes[:, :1] = sticky(chance, 400, 1)
        # another depends on it, and so is alike where it is
        codes[:, 1] = np.where(chance.random(400) < 0.8, codes[:, 0], codes[:, 1])
        assert row_order(of_states(codes)).alike is None, f"seed {seed}"


def test_some_walks_are_seen_beside_noise():
    """The rest shows nothing, and still the walks are joined in every table."""
    seen = 0
    for seed in range(10):
        chance = np.random.default_rng(seed)
        values = chance.normal(size=(300, 6))
        values[:, :3] = values[:, :3].cumsum(axis=0)
        seen += row_order(ds.Data({f"x{i}": values[:, i] for i in range(6)})).alike is not None
    assert seen >= 9


def test_walks_are_seen_beside_the_day():
    """A number that sorts the file is one that walks are joined with, in nearly every table."""
    for seed in range(5):
        chance = np.random.default_rng(seed)
        values = chance.normal(size=(500, 3))
        values[:, :1] = values[:, :1].cumsum(axis=0)
        columns = {f"x{i}": values[:, i] for i in range(3)}
        found = row_order(ds.Data({"day": np.arange(500) + 0.5} | columns))
        assert found.sorted_by == ("day",), f"seed {seed}"
        assert found.alike is not None, f"seed {seed}"


def test_curves_are_no_walks():
    """What follows the number that sorts the file has bends, and rows that are independent."""
    for seed in range(3):
        chance = np.random.default_rng(seed)
        for rows in (60, 200, 500):
            x = np.sort(chance.normal(size=rows))
            for name, curve in {"square": x**2, "exp": np.exp(x), "wave": np.sin(3 * x)}.items():
                for noise in (0.05, 0.3):
                    y = curve + noise * chance.normal(size=rows)
                    found = row_order(ds.Data({"x": x, "y": y, "z": chance.normal(size=rows)}))
                    assert found.alike is None, f"seed {seed}, {rows} rows, {name}, {noise}"


def test_a_column_that_numbers_subjects_excuses_nothing():
    for seed in range(3):
        codes = visits(np.random.default_rng(seed))
        columns = {f"c{i}": codes[:, i] for i in range(8)}
        table = ds.Data(columns | {"patient": np.repeat(np.arange(40), 6)})
        assert table.kinds["patient"] == "continuous"
        assert row_order(table).alike is not None, f"seed {seed}"


def test_the_order_of_columns_does_not_matter():
    data = of_states(sticky(np.random.default_rng(3)))
    assert row_order(data) == row_order(data.select(data.names[::-1]))


def test_of_many_rows_some_are_looked_at():
    assert len(_rows(MOST_ROWS)) == MOST_ROWS
    rows = _rows(1_000_000)
    assert len(rows) == MOST_ROWS
    assert rows[0] == 0
    assert rows[-1] == 999_999
    codes = np.repeat(np.random.default_rng(0).integers(2, size=(5000, 6)), 4, axis=0)
    assert row_order(of_states(codes)).alike is not None


def test_small_and_odd_tables_are_looked_at():
    assert row_order(ds.Data({"a": ["x"]})).alike is None
    assert row_order(ds.Data({"a": ["x"] * 50, "b": ["y"] * 50})).alike is None
    assert row_order(of_states(sticky(np.random.default_rng(0), columns=1))).alike is None
    gaps = {"a": ["x", None] * 30, "b": ["u", "v", None] * 20}
    row_order(ds.Data(gaps, missing="keep"))
