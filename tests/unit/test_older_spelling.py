"""Settings under the British spelling that earlier versions had."""

import sqlite3

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia() -> ds.Data:
    return ds.load_network("asia").sample(300, seed=0)


def test_order_search_takes_it(asia: ds.Data) -> None:
    older = ds.order_search(asia, neighbourhood="swap", restarts=2)
    assert older.asked == ds.order_search(asia, neighborhood="swap", restarts=2).asked
    assert older.asked["neighborhood"] == "swap"


def test_kes_takes_it(asia: ds.Data) -> None:
    assert ds.kes(asia, neighbourhood="sampled").asked["neighborhood"] == "sampled"


def test_local_optima_take_and_tell_it(asia: ds.Data) -> None:
    found = ds.local_optima(asia, runs=2, neighbourhood="exact")
    assert found.neighborhood == found.neighbourhood == "exact"


@pytest.mark.parametrize("search", [ds.kes, ds.local_optima, ds.order_search])
def test_only_one_of_both(asia: ds.Data, search) -> None:
    with pytest.raises(ds.ParameterError, match="give only neighborhood"):
        search(asia, neighborhood="sampled", neighbourhood="exact")


def test_a_store_of_an_earlier_version_is_gone_on_with(asia: ds.Data, tmp_path) -> None:
    path = tmp_path / "runs.sqlite"
    first = ds.local_optima(asia, runs=3, store=path)
    with sqlite3.connect(path) as store:
        done = store.execute(
            "UPDATE facts SET value = replace(value, 'neighborhood', 'neighbourhood') "
            "WHERE value LIKE '%neighborhood%'"
        )
        assert done.rowcount == 1
    store.close()
    assert ds.load_landscape(path).neighborhood == "auto"
    again = ds.local_optima(asia, runs=3, store=path)
    assert again.optima == first.optima
