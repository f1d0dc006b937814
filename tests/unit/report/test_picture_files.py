"""Pictures in files: SVG and PDF of the same shapes, within their borders, with a legend."""

from __future__ import annotations

import re
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

import dagscape as ds
from dagscape.report.drawing import Box, drawing
from dagscape.report.pdf_files import WIDTHS, in_helvetica, pdf_file, width_of
from dagscape.report.scene import DIRECTED, PROBABLE, UNDIRECTED, name_lines, scene
from dagscape.report.svg_files import svg_file

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?\d+(?:\.\d+)?"


@pytest.fixture(scope="module")
def learned():
    data = ds.load_network("asia").sample(500, seed=2)
    return ds.learn(data, runs=0, resamples=3, max_parents=2)


def content(file: bytes) -> str:
    """Return what is drawn on the page of a PDF file, and check the list of its objects."""
    starts = [int(start) for start in re.findall(rb"(\d{10}) 00000 n", file)]
    for number, start in enumerate(starts, start=1):
        assert file[start:].startswith(b"%d 0 obj" % number)
    table = int(re.findall(rb"startxref\n(\d+)", file)[0])
    assert file[table:].startswith(b"xref\n0 6\n")
    length = int(re.findall(rb"/Length (\d+)", file)[0])
    stream = file.index(b"stream\n") + len(b"stream\n")
    return zlib.decompress(file[stream : stream + length]).decode("cp1252")


def spots_of_svg(text: str):
    """Yield the corners of everything but words in an SVG file."""
    root = ElementTree.fromstring(text.encode())
    for path in root.iter(f"{SVG}path"):
        numbers = list(map(float, re.findall(NUMBER, path.get("d"))))
        yield from zip(numbers[::2], numbers[1::2], strict=True)
    for box in list(root.iter(f"{SVG}rect"))[1:]:
        x, y, width, height = (float(box.get(n)) for n in ("x", "y", "width", "height"))
        yield from ((x, y), (x + width, y + height))


def spots_of_pdf(drawn: str):
    """Yield the corners of everything but words on the page, as they stand on it."""
    down, height = re.findall(rf"^{NUMBER} 0 0 ({NUMBER}) 0 ({NUMBER}) cm", drawn)[0]
    for numbers in re.findall(rf"((?:{NUMBER} )+)[mlc]\b", drawn):
        values = list(map(float, numbers.split()))
        for x, y in zip(values[::2], values[1::2], strict=True):
            yield -x * float(down), float(height) + y * float(down)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["alarm", "hailfinder", "asia"])
def test_no_shape_leaves_the_picture(name):
    if name not in ds.embedded_networks():
        pytest.skip(f"{name} is not embedded")
    shapes = scene(drawing(ds.load_network(name).dag))
    width, height = shapes.size
    spots = list(spots_of_svg(svg_file(shapes)))
    assert len(spots) > 20
    assert all(0 < x < width and 0 < y < height for x, y in spots)
    file = pdf_file(shapes)
    box = re.findall(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file)[0]
    spots = list(spots_of_pdf(content(file)))
    assert len(spots) > 20
    assert all(0 < x < float(box[0]) and 0 < y < float(box[1]) for x, y in spots)


def test_both_files_have_the_names_and_the_legend(learned, tmp_path):
    for ending in ("svg", "pdf"):
        learned.plot(tmp_path / f"n.{ending}")
    root = ElementTree.parse(tmp_path / "n.svg").getroot()
    shown = {text.text for text in root.iter(f"{SVG}text")}
    drawn = content((tmp_path / "n.pdf").read_bytes())
    written = set(re.findall(r"\((.*)\) Tj", drawn))
    assert shown == written == {*learned.dag.names, DIRECTED, UNDIRECTED, PROBABLE}


def test_lines_are_as_thick_as_edges_are_probable(learned, tmp_path):
    learned.plot(tmp_path / "n.svg")
    root = ElementTree.parse(tmp_path / "n.svg").getroot()
    strokes = [float(path.get("stroke-width", 0)) for path in root.iter(f"{SVG}path")]
    joined = [edge for edge in learned.edges if edge.in_network]
    for edge in joined:
        expected = 0.9 + 4.1 * edge.probability
        assert any(abs(stroke - expected) < 0.006 for stroke in strokes)
    ds.ges(learned.data).plot(tmp_path / "plain.svg")
    assert PROBABLE not in (tmp_path / "plain.svg").read_text("utf-8")


def test_the_consensus_can_be_drawn(learned, tmp_path):
    learned.plot(tmp_path / "c.svg", graph="consensus")
    root = ElementTree.parse(tmp_path / "c.svg").getroot()
    edges = len(learned.consensus.directed) + len(learned.consensus.undirected)
    legend = 2 + 3
    assert sum("stroke-width" in path.attrib for path in root.iter(f"{SVG}path")) == edges + legend
    with pytest.raises(ds.ParameterError, match="no consensus without probabilities"):
        ds.ges(learned.data).plot(tmp_path / "c.svg", graph="consensus")
    with pytest.raises(ds.ParameterError, match=r'unknown graph "worst"; choose best, consensus'):
        learned.plot(tmp_path / "c.svg", graph="worst")


def test_names_break_where_their_words_end():
    box = Box("systolic_blood_pressure_at_visit", "systolic_blood_pr…", (0, 0), 149.4)
    assert name_lines(box) == ["systolic_blood_pressure_", "at_visit"]
    endless = Box("x" * 80, "x" * 17 + "…", (0, 0), 149.4)
    assert name_lines(endless) == ["x" * 26, "x" * 25 + "…"]


def test_letters_that_the_font_lacks_are_said():
    assert in_helvetica("Größe Łódź ½") == "Größe Lódz ½"
    assert in_helvetica("年") == "•"
    plain = drawing(ds.Dag(["Größe", "b"], [("b", "Größe")]))
    assert "cannot show" not in content(pdf_file(scene(plain)))
    other = drawing(ds.Dag(["年齢", "b"], [("b", "年齢")]))
    assert "(••) Tj" in content(pdf_file(scene(other)))
    assert "a letter that this file cannot show" in content(pdf_file(scene(other)))


def test_names_cannot_end_the_words_of_a_page():
    dag = ds.Dag(["a) Tj ET", "b\\", "c"], [("c", "b\\")])
    drawn = content(pdf_file(scene(drawing(dag))))
    assert r"(a\) Tj ET) Tj" in drawn
    assert r"(b\\) Tj" in drawn


def test_widths_are_those_of_the_font():
    matplotlib = pytest.importorskip("matplotlib")
    from matplotlib._afm import AFM

    path = matplotlib.get_data_path() + "/fonts/pdfcorefonts/Helvetica.afm"
    with open(path, "rb") as file:
        font = AFM(file)
    for letter, width in WIDTHS.items():
        name = {"'": "quotesingle", "`": "grave"}.get(letter)
        found = font.get_width_from_char_name(name) if name else font.get_width_char(ord(letter))
        assert width == found, letter
    assert np.isclose(width_of("Hi", 10), (722 + 222) / 100)
