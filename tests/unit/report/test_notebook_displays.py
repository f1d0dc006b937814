"""What notebooks show, and that what they show can travel to another process."""

from __future__ import annotations

import pickle
from xml.etree import ElementTree

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=0)


@pytest.fixture(scope="module")
def objects(data):
    found = ds.exact(data, score="bdeu")
    posterior = ds.posterior(data)
    return {
        "result": found,
        "posterior": posterior,
        "network": ds.fit(found.dag, data),
        "dag": found.dag,
        "cpdag": found.cpdag,
        "pag": found.dag.to_pag(),
        "effect": ds.effect(posterior, "smoke", "dysp", networks=50),
        "check": ds.check({"a": ["x ", "y", "<b>"] * 5, "id": list("abcdefghijklmno")}),
        "data": data,
        "landscape": ds.local_optima(data, runs=2),
        "examination": ds.examine(found.dag, data),
        "comparison": ds.compare(found, ds.hill_climb(data)),
    }


NAMES = (
    *("result", "posterior", "network", "dag", "cpdag", "pag", "effect", "check", "data"),
    *("landscape", "examination", "comparison"),
)
DRAWN = ("result", "posterior", "network", "dag", "cpdag", "landscape")


@pytest.mark.parametrize("name", NAMES)
def test_it_shows_itself(objects, name):
    html = objects[name]._repr_html_()
    ElementTree.fromstring(f"<div>{html}</div>")
    assert ("<svg" in html) == (name in DRAWN)
    assert len(repr(objects[name])) < 200


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_pickled(objects, name):
    again = pickle.loads(pickle.dumps(objects[name]))
    assert repr(again) == repr(objects[name])


def test_a_network_is_drawn_with_its_own_arcs(objects):
    arrows = {name: objects[name]._repr_html_().count('Z" fill=') for name in ("dag", "cpdag")}
    assert arrows["dag"] == len(objects["dag"].arcs)
    assert arrows["cpdag"] == len(objects["cpdag"].directed) < arrows["dag"]


def test_words_are_text():
    html = ds.Data({"<b>a": ["<i>", "x"], "b": ["u", "v"]})._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html


@pytest.mark.slow
def test_the_page_is_shown_in_a_frame(objects):
    for name in ("result", "posterior"):
        frame = objects[name].show(height=300, title='A "title"')
        page = ElementTree.fromstring(frame._repr_html_().replace("<iframe", "<iframe "))
        assert page.get("sandbox") == "allow-scripts allow-downloads"
        assert "height:300px" in page.get("style", "")
        assert page.get("srcdoc", "").startswith("<!DOCTYPE html>")
        assert "A &quot;title&quot;" in page.get("srcdoc", "")
        assert "report(" in repr(frame)
    with pytest.raises(ds.ParameterError, match="height must be"):
        objects["result"].show(height=0)


def test_names_are_public():
    assert sorted(dir(ds)) == sorted([*ds.__all__, "__version__"])


def test_completion_shows_what_people_need(objects):
    needed = {"claim", "score", "dag", "cpdag", "show", "report", "summary", "save"}
    assert needed <= {*dir(objects["result"])}
    assert {"probability", "features", "consensus", "show"} <= {*dir(objects["posterior"])}
    for thing in objects.values():
        behind = type(thing)._behind
        assert behind.isdisjoint(dir(thing))
        assert all(hasattr(thing, name) for name in behind)


def test_what_a_check_settles_reads_the_frame():
    frame = {
        "id": list("abcdefghijklmno"),
        "a": ["x ", "y", "n/a"] * 5,
        "b": ["1,5", "2,5", "3"] * 5,
    }
    data = ds.Data(frame, **ds.check(frame).settings)
    assert data.names == ("a", "b")
    assert data.states["a"] == ("x", "y")
    assert data.kinds["b"] == "continuous"
    unreadable = {"a": ["x", "y"], "b": [object(), 1]}
    assert ds.Data(unreadable, leave_out=["b"]).names == ("a",)
    with pytest.raises(ds.DataError, match='"b"'):
        ds.Data({**unreadable, "c": ["u", "v"]}, leave_out=["c"])
    with pytest.raises(ds.ParameterError, match='leave_out names "z", which is not a column'):
        ds.Data(frame, leave_out=["z"])
    with pytest.raises(ds.ParameterError, match="leave_out names every column"):
        ds.Data({"a": ["x", "y"]}, leave_out=["a"])
    with pytest.raises(ds.ParameterError, match="leave_out must be a list of names"):
        ds.Data(frame, leave_out=[3])
