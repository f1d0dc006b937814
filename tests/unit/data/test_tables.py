"""Every function that takes data takes what people hold: frames, dicts, arrays, paths."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagscape as ds
from dagscape.selection import ad_tree_size, estimate_parents

DATA = ds.load_network("asia").sample(300, seed=1)
DAG = ds.load_network("asia").dag

CALLS = {
    "learn": lambda t: ds.learn(t, runs=2, resamples=3),
    "exact": lambda t: ds.exact(t),
    "ges": lambda t: ds.ges(t),
    "kes": lambda t: ds.kes(t),
    "hill_climb": lambda t: ds.hill_climb(t),
    "order_search": lambda t: ds.order_search(t, restarts=2),
    "mmhc": lambda t: ds.mmhc(t),
    "sll_c": lambda t: ds.sll_c(t),
    "sll_g": lambda t: ds.sll_g(t),
    "near_optimal": lambda t: ds.near_optimal(t, within=0).optimum,
    "posterior": lambda t: ds.posterior(t).log_evidence,
    "bootstrap": lambda t: ds.bootstrap(t, runs=2).runs,
    "local_optima": lambda t: ds.local_optima(t, runs=2).best,
    "neighbors": lambda t: ds.neighbors(t, "lung"),
    "markov_blanket": lambda t: ds.markov_blanket(t, "lung"),
    "describe_blanket": lambda t: ds.describe_blanket(t, "lung").members,
    "candidate_parents": lambda t: len(ds.candidate_parents(t)),
    "estimate_parents": lambda t: estimate_parents(t),
    "estimate": lambda t: ds.estimate(t).seconds,
    "ad_tree_size": lambda t: ad_tree_size(t),
    "score": lambda t: ds.score(t, DAG),
    "local_score": lambda t: ds.local_score(t, "lung", ["smoke"]),
    "normalized_score": lambda t: ds.normalized_score(t, DAG, DAG),
    "fit": lambda t: ds.fit(DAG, t),
    "log_likelihood": lambda t: ds.load_network("asia").log_likelihood(t),
    "cross_validate": lambda t: ds.cross_validate(t, "lung", folds=2).accuracy.mean,
    "effect": lambda t: ds.effect(ds.exact(DATA), "smoke", "dysp", data=t).to_dict(),
    "predictive": lambda t: ds.posterior(DATA).predictive(t).sum(),
}


def pickled(thing: object) -> object:
    """Send a thing through bytes."""
    return pickle.loads(pickle.dumps(thing))


def settled(found: object) -> object:
    """Return what must be the same, however the table came."""
    return (found.dag, found.score) if isinstance(found, ds.Result) else found


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_frame_will_do(name):
    call = CALLS[name]
    assert settled(call(DATA.to_pandas())) == settled(call(DATA))


def test_so_will_a_path_a_dict_and_an_array(tmp_path):
    DATA.write(tmp_path / "t.csv")
    frame = DATA.to_polars().cast(pl.String)
    columns = frame.to_dict(as_series=False)
    array = frame.to_numpy().astype(str)
    numbered = {f"X{i}": columns[name] for i, name in enumerate(DATA.names, 1)}
    score = ds.ges(DATA).score
    for table in (str(tmp_path / "t.csv"), tmp_path / "t.csv", columns, frame, frame.to_arrow()):
        assert ds.ges(table).score == score
    assert ds.ges(array).score == ds.ges(numbered).score


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (3, "cannot read a table from int"),
        (None, "cannot read a table from NoneType"),
        ("nowhere/t.csv", 'there is no folder "nowhere"'),
    ],
)
def test_what_is_no_table_is_refused(table, said):
    with pytest.raises(ds.DagscapeError, match=said):
        ds.learn(table)


def test_pandas_frames_keep_states_their_order_and_gaps():
    data = ds.Data({"a": ["x", None, "y", "x"] * 2, "b": [1, 2, 10, 2] * 2}, missing="keep")
    frame = data.to_pandas()
    assert list(frame["b"].cat.categories) == ["1", "2", "10"]
    assert frame["a"].isna().tolist() == [False, True, False, False] * 2
    assert ds.Data(frame, missing="keep") == data
    mixed = ds.Data({"a": ["x", "y"] * 2, "n": [0.5, 1.25, 7.0, 1.0]})
    assert mixed.to_pandas()["n"].tolist() == [0.5, 1.25, 7.0, 1.0]
    assert ds.Data(mixed.to_pandas()) == mixed
    whole = DATA.to_pandas()
    assert ds.Data(whole) == DATA
    assert all(isinstance(kind, pd.CategoricalDtype) for kind in whole.dtypes)


@pytest.mark.parametrize("kind", ["pandas", "dict"])
def test_names_that_are_numbers_become_text_with_a_note(kind):
    columns = {0: ["a", "b"] * 5, 1: ["x", "y"] * 5, "two": ["u", "v"] * 5}
    data = ds.Data(pd.DataFrame(columns) if kind == "pandas" else columns)
    assert data.names == ("0", "1", "two")
    (note,) = [note for note in data.notes if note.kind == "names_made_text"]
    assert (note.level, note.counts["columns"], note.examples) == ("fact", 2, ("0", "1"))
    with pytest.raises(ds.DataError, match='columns 1 and 2 are both named "1"'):
        ds.Data({1: ["a"], "1": ["b"]})
    with pytest.raises(ds.DataError, match=r"column 1 is named 1\.5"):
        ds.Data({1.5: ["a"]})


def test_numpy_numbers_are_numbers_too():
    assert ds.Data({np.int64(3): ["a", "b"]}).names == ("3",)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_networks_graphs_results_and_data_are_copied_and_pickled(again):
    net = ds.fit(DAG, DATA)
    for whole in (net, net.dag, net.dag.to_cpdag(), DATA, ds.exact(DATA), ds.exact(DATA).mpdag):
        assert again(whole) == whole
        assert type(again(whole)) is type(whole)
    parents = ds.candidate_parents(DATA)
    other = again(parents)
    assert [list(other[x]) for x in other.names] == [list(parents[x]) for x in parents.names]
    assert (other.score_kind, dict(other.work)) == (parents.score_kind, dict(parents.work))
    assert ds.exact(other).score == ds.exact(parents).score
    near = ds.near_optimal(DATA, within=1)
    assert [each.dag for each in again(near)] == [each.dag for each in near]
    assert dict(again(near).asked) == dict(near.asked)
    posterior = ds.posterior(DATA)
    other = again(posterior)
    assert other.features("arcs").equals(posterior.features("arcs"))
    assert other.data == DATA
    assert other.sample(3, seed=0)
