"""Cuts that one table leaves for another: the same optimum, with less work."""

import sys

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.landscape import bootstrap, pilots
from dagscape.landscape.resample import resampled
from dagscape.search.exact import cut_search
from dagscape.search.exact.cut_search import cuts_of
from dagscape.search.exact.exact_search import order_of
from dagscape.search.exact.known_cuts import Beginning, KnownCuts

QUESTION = {"score": "bic", "max_parents": 2}


@pytest.fixture(scope="module")
def data():
    return ds.load_network("alarm").sample(500, seed=3)


@pytest.fixture(scope="module")
def best(data):
    return ds.exact(data, **QUESTION, algorithm="astar", threads=1).dag


@pytest.fixture(scope="module")
def cuts(data, best):
    parents = ds.candidate_parents(data, **QUESTION, threads=1)
    return cuts_of(parents, order_of(best, data.variables))


@pytest.mark.slow
def test_known_cuts_lead_to_the_same_optimum_with_less_search(data, best, cuts):
    sample = resampled(data, 0, 1)
    known = Beginning(best, KnownCuts(cuts, cuts))
    alone = ds.exact(sample, **QUESTION, algorithm="ilp", start=best, threads=1)
    again = ds.exact(sample, **QUESTION, start=known, threads=1)
    astar = ds.exact(sample, **QUESTION, algorithm="astar", threads=1)
    assert again.optimal
    assert again.method == "exact: ilp"
    assert again.cpdag == astar.cpdag == alone.cpdag
    assert again.score == pytest.approx(astar.score, abs=1e-6)
    assert again.work["cuts"] < alone.work["cuts"] / 2
    assert again.work["simplex_steps"] < alone.work["simplex_steps"]


def test_every_network_obeys_the_cuts(data, best, cuts):
    """Over the families of any network the coefficients add up to the right side."""
    assert len(cuts) > 20
    number = {name: at for at, name in enumerate(sorted(data.names))}
    sets = [{number[parent] for parent in best.parents(name)} for name in sorted(data.names)]
    for members, least, right, table in cuts:
        total = 0.0
        for place, member in enumerate(members):
            among = [at for at, other in enumerate(members) if other in sets[member]]
            if table:
                total += table[(place << len(members)) | sum(1 << at for at in among)]
            else:
                total += len(among) < least
        assert total >= right - 1e-9


def test_cuts_of_other_variables_are_left_out():
    cut = ((2, 5), 1, 1.0, ())
    assert KnownCuts((cut,), ()).within([1, 2, 5]).first == (((1, 2), 1, 1.0, ()),)
    assert KnownCuts((cut,), ()).within([1, 2, 4]).first == ()


def test_what_takes_long_is_left_to_others(monkeypatch, data, best):
    parents = ds.candidate_parents(data, **QUESTION, threads=1)
    monkeypatch.setattr(cut_search, "MOST_STEPS", 50)
    assert cuts_of(parents, order_of(best, data.variables)) is None
    small = ds.load_network("asia").sample(100, seed=1)
    lists = ds.candidate_parents(small, score="bic")
    assert cuts_of(lists, range(8)) is None


@pytest.mark.slow
def test_samples_have_the_same_networks_with_pilots_and_without(monkeypatch, data):
    asked = {**QUESTION, "method": "exact", "runs": 4, "threads": 2, "seed": 5}
    without = ds.bootstrap(data, **asked)
    begun = []

    def beginning(*given):
        begun.append(pilots.beginning_of(*given))
        return begun[-1]

    monkeypatch.setattr(pilots, "MANY_RUNS", 4)
    monkeypatch.setattr(pilots, "PILOTS", 2)
    monkeypatch.setattr(sys.modules[bootstrap.__module__], "beginning_of", beginning)
    after = ds.bootstrap(data, **asked)
    assert {n.cpdag for n in after.networks} == {n.cpdag for n in without.networks}
    ((start, stopped),) = begun
    assert stopped == ""
    assert len(start.known.others) > len(start.known.first) > 0


@pytest.mark.parametrize(
    "cut",
    [
        ([0, 99], 1, 1.0, []),
        ([3, 1], 1, 1.0, []),
        ([], 1, 1.0, []),
        ([0, 1], 1, 1.0, [1.0] * 7),
    ],
)
def test_the_engine_refuses_cuts_that_are_none(data, cut):
    parents = ds.candidate_parents(data, score="bic", max_parents=1)
    families = _core.Families(_core.components(parents._lists, False)[0])
    with pytest.raises(IndexError):
        families.tell([cut])
