"""The data sets of the pages on the papers: how they are made of raw files, and what is said."""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import zipfile
from pathlib import Path

import pytest

from data_sets import data_folder

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fetch(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    return importlib.import_module("fetch")


@pytest.fixture
def make(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "reproduce"))
    return importlib.import_module("_conversions")


@pytest.fixture
def one_set(fetch, monkeypatch):
    """A list of one table, whose source is a file that gives it."""
    content = b"X1,X2\n0,1\n1,0\n"
    listed = [fetch.Wanted("ebnsl/t.csv.gz", "t", hashlib.sha256(content).hexdigest())]
    monkeypatch.setattr(fetch, "wanted", lambda _: listed)
    named = importlib.import_module("_conversions").named
    source = fetch.Source(("https://nowhere.invalid/t.csv",), named, "")
    monkeypatch.setitem(fetch.SOURCES, "t", source)
    return content


def test_every_source_is_listed_and_has_a_sentence(fetch):
    for name, source in fetch.SOURCES.items():
        files = fetch.wanted(name)
        assert files, name
        assert all(len(one.sha256) == 64 for one in files)
        assert source.words
        assert bool(source.addresses) == (source.convert is not None)


def test_what_is_at_hand_are_the_tables_of_the_pages(fetch):
    """As far as there is a folder."""
    for name in ("coil", "ebnsl-iris", "car", "nltcs"):
        for one in fetch.wanted(name):
            if (data_folder() / one.file).is_file():
                assert fetch.digest(data_folder() / one.file) == one.sha256


def test_a_table_is_made_of_what_is_there(fetch, one_set, tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "t.csv").write_bytes(b"0,1\n1,0\n")
    assert fetch.provided("t", tmp_path) == "1 made"
    assert gzip.decompress((tmp_path / "ebnsl" / "t.csv.gz").read_bytes()) == one_set
    assert fetch.provided("t", tmp_path) == "1 there"


@pytest.mark.usefixtures("one_set")
def test_what_is_not_to_be_had_is_said(fetch, tmp_path, monkeypatch):
    def nobody(*_, **__):
        raise fetch.urllib.error.URLError("no way there")

    monkeypatch.setattr(fetch.urllib.request, "urlopen", nobody)
    said = fetch.provided("t", tmp_path)
    assert said.startswith("1 of 1 lacking: https://nowhere.invalid/t.csv could not be fetched")
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "t.csv").write_bytes(b"0,1\n1,1\n")
    assert "does not give ebnsl/t.csv.gz" in fetch.provided("t", tmp_path)
    (tmp_path / "raw" / "t.csv").write_bytes(b"<html>\n")
    assert "cannot be read" in fetch.provided("t", tmp_path)
    (tmp_path / "ebnsl").mkdir()
    (tmp_path / "ebnsl" / "t.csv.gz").write_bytes(gzip.compress(b"X1\n0\n"))
    assert "is another table" in fetch.provided("t", tmp_path)


def test_some_are_made_by_no_command(fetch, tmp_path):
    assert "no command makes it" in fetch.provided("msnbc", tmp_path)


def test_attributes_of_coil(make):
    line = " ".join(str(a % 5) for a in range(1, 87))
    made = make.coil({"ticdata2000.txt": f"{line}\n".encode()})
    header, row = made["kes/coil.csv"].decode().splitlines()
    names = ["A2", "A43", *(f"A{a}" for a in range(65, 87))]
    assert header.split(",") == names
    above = [2 % 5 > 1, 43 % 5 > 3, *(a % 5 > 0 for a in range(65, 87))]
    assert row.split(",") == [str(int(cell)) for cell in above]


def test_parts_come_one_after_the_other(make):
    raw = {"t.test.data": b"1,1\n", "t.train.data": b"0,1\r\n0,0\r\n", "t.valid.data": b"1,0\n"}
    assert make.parts(raw) == {"debd/t.csv": b"V0,V1\n0,1\n0,0\n1,0\n1,1\n"}


def test_the_supplement_of_mmhc(make):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as inside:
        inside.writestr("A_graph.txt", "0 1\n0 0\n")
        inside.writestr("A_s500_v1.txt", "0 2\n1 0\n")
        inside.writestr("A_s500_v2.txt", "0 0\n3 0\n")
    raw = {"a_data.zip": packed.getvalue(), "Child10_5000.txt": b"0 1 0\n"}
    made = make.supplement(raw)
    assert made["mmhc/A_graph.csv"] == b"parent,child\nX1,X2\n"
    assert made["mmhc/A_s500_v1.csv"] == b"X1,X2\n0,2\n1,0\n"
    assert made["mmhc/Child10_s5000_v4.csv"] == b"X1,X2,X3\n0,1,0\n"
    counts = made["mmhc/arities.csv"].decode().splitlines()
    assert counts[:3] == ["network,variable,states", "A,X1,4", "A,X2,3"]


def test_states_of_uci_sets(make):
    uci = importlib.import_module("_uci")
    assert uci.states(["b", "a", "c", "a"]) == [1, 0, 2, 0]
    assert uci.states(["10", "9", "2"]) == [2, 1, 0]
    assert uci.two_states(["1", "2", "3", "10"]) == [0, 0, 0, 1]
    assert uci.two_states(["d", "a", "b", "c"]) == [1, 0, 0, 1]
    assert uci.tertiles(["1", "2", "3", "4", "5", "6"]) == [0, 0, 1, 1, 2, 2]
    assert uci.median(["1", "2", "3", "4"]) == [0, 0, 1, 1]
    assert uci.middle(["0", "4", "5", "10"]) == [0, 0, 0, 1]
    raw = b"OVERALL," + b",".join(b"F%d" % i for i in range(22)) + b"\n"
    rows = [[(i * k) % 2 for i in range(23)] for k in range(4)]
    raw += b"".join(",".join(map(str, row)).encode() + b"\n" for row in rows)
    lines = make.uci({"SPECT.train": raw})["uci/heart.csv"].decode().splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("diagnosis,F1,F2")
