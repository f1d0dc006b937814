"""Pictures: small ones for notebooks, and those of matplotlib."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib
import numpy as np
import pytest

import dagscape as ds
from dagscape.report import PLOTS
from dagscape.report.curves import cubics
from dagscape.report.drawing import Box, Line, _framed, drawing
from dagscape.report.notebook import MOST, svg

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon


@pytest.fixture(scope="module")
def data():
    return ds.load_network("child").sample(300, seed=3)


@pytest.fixture(scope="module")
def landscape(data):
    return ds.local_optima(data, k=0.5, runs=40)


@pytest.fixture(autouse=True)
def _close():
    yield
    pyplot.close("all")


def lines(axes):
    return [patch for patch in axes.patches if type(patch) is PathPatch]


class TestDrawing:
    def test_it_has_the_edges_of_the_network(self, data):
        result = ds.ges(data)
        graph = result.cpdag
        picture = drawing(result.dag)
        assert [box.name for box in picture.boxes] == list(result.dag.names)
        assert sum(bool(line.head) for line in picture.lines) == len(graph.directed)
        assert sum(not line.head for line in picture.lines) == len(graph.undirected)
        assert {line.mark for line in picture.lines} == {"same"}

    @pytest.mark.slow
    def test_models_add_edges_and_mark_those_of_little_confidence(self, landscape):
        rows = landscape.features("edges", frame="dict")
        best = landscape.best.cpdag
        edges = len(best.directed) + len(best.undirected)
        for level in (0.3, 0.6, 0.9):
            sure = {}
            for a, b, share, own in zip(
                rows["from"], rows["to"], rows["confidence"], rows["in_best"], strict=True
            ):
                sure.setdefault(frozenset((a, b)), []).append((share, own))
            above = [max(some) for some in sure.values() if max(some)[0] >= level]
            picture = drawing(landscape.best.dag, landscape, threshold=level)
            marks = [line.mark for line in picture.lines]
            assert len(marks) - marks.count("missing") == len(above)
            assert marks.count("missing") <= edges
        thick = drawing(landscape.best.dag, landscape, threshold=0.0).lines
        assert max(line.thickness for line in thick) == pytest.approx(
            0.9 + 4.1 * max(rows["confidence"])
        )

    def test_lines_stay_inside(self, landscape):
        picture = drawing(landscape.best.dag, landscape, threshold=0.0)
        width, height = picture.size
        for line in picture.lines:
            for x, y in (*line.points, *line.head):
                assert -20 <= x <= width + 20
                assert 0 <= y <= height


class TestNotebooks:
    def test_a_result_shows_words_and_a_graph(self, data):
        result = ds.ges(data)
        html = result._repr_html_()
        words, picture = html.split("<svg", 1)
        assert "&lt;Result: 20 variables" in words
        tree = ElementTree.fromstring("<svg" + picture)
        names = [e.text for e in tree.iter() if e.tag.endswith("title")]
        assert names == list(result.dag.names)

    def test_a_landscape_shows_what_to_trust(self, landscape):
        html = landscape._repr_html_()
        assert "&lt;Landscape" in html
        assert f"confidence {landscape.threshold('edges'):g} or more" in html
        assert html.count("<svg") == 1
        assert len(html) < 60_000

    def test_names_are_text(self):
        dag = ds.Dag(["<script>", 'a"b&c'], [("<script>", 'a"b&c')])
        picture = svg(drawing(dag))
        assert "<script" not in picture
        ElementTree.fromstring(picture)

    def test_many_variables_are_not_drawn(self):
        dag = ds.Dag([f"v{i}" for i in range(MOST + 1)])
        result = ds.Result(dag=dag, score=-1.0, score_name="bic", method="x")
        assert "<svg" not in result._repr_html_()

    @pytest.mark.slow
    def test_matplotlib_is_not_needed(self, tmp_path):
        code = (
            "import sys; sys.modules['matplotlib'] = None\n"
            "import dagscape as ds; data = ds.load_network('asia').sample(200)\n"
            "found = ds.local_optima(data, runs=3); found._repr_html_()\n"
            "result = ds.ges(data); result._repr_html_()\n"
            "result.report(sys.argv[1], data=data, landscape=found)\n"
            "try: result.plot()\n"
            "except ds.ParameterError as error: print(error)\n"
            "try: found.plot('scores')\n"
            "except ds.ParameterError as error: print(error)\n"
        )
        out = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "r.html")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert out.count('pip install "dagscape[plot]"') == 2


class TestPlots:
    def test_a_result_is_drawn(self, data):
        result = ds.ges(data)
        axes = result.plot()
        graph = result.cpdag
        assert len(lines(axes)) == len(graph.directed) + len(graph.undirected)
        heads = [patch for patch in axes.patches if isinstance(patch, Polygon)]
        assert len(heads) == len(graph.directed)
        assert {text.get_text() for text in axes.texts} == set(result.dag.names)
        axes.figure.canvas.draw()

    @pytest.mark.parametrize("what", PLOTS)
    def test_everything_can_be_drawn_on_given_axes(self, landscape, what):
        _, axes = pyplot.subplots()
        assert landscape.plot(what, ax=axes) is axes
        axes.figure.canvas.draw()

    @pytest.mark.slow
    def test_bootstrap_networks_are_drawn_too(self, data):
        networks = ds.bootstrap(data, runs=3)
        for what in PLOTS:
            networks.plot(what).figure.canvas.draw()

    def test_the_tradeoff_is_the_landscape_s(self, landscape):
        axes = landscape.plot("tradeoff", kind="blankets", threshold=0.4)
        rows = landscape.tradeoff("blankets", frame="dict")
        curve, now = axes.lines
        assert list(curve.get_xdata()) == rows["fn"]
        assert list(curve.get_ydata()) == rows["fp"]
        at = landscape.tradeoff("blankets", thresholds=[0.4]).row(0, named=True)
        assert (list(now.get_xdata()), list(now.get_ydata())) == ([at["fn"]], [at["fp"]])
        assert axes.texts[0].get_text() == f"0.4: {at['fp']} fp, {at['fn']} fn"

    @pytest.mark.slow
    def test_scores_count_runs_and_mark_the_optimum(self, data):
        landscape = ds.local_optima(data, k=0.5, runs=40)
        axes = landscape.plot("scores")
        assert sum(patch.get_height() for patch in axes.patches) == 40
        assert [text.get_text() for text in axes.get_legend().texts] == ["best of the runs"]
        landscape.prove()
        words = [text.get_text() for text in landscape.plot("scores").get_legend().texts]
        assert words[0] in ("proven optimum", "bound")

    def test_strengths_count_each_pair_once(self, landscape):
        axes = landscape.plot("strengths")
        pairs = len(landscape.strengths(frame="dict")["from"]) / 2
        assert sum(patch.get_height() for patch in axes.patches) == pairs

    def test_the_heat_map_has_strength_times_direction(self, landscape):
        axes = landscape.plot("heatmap")
        table = axes.images[0].get_array()
        names = [label.get_text() for label in axes.get_yticklabels()]
        rows = landscape.strengths(frame="dict")
        expected = np.zeros((len(names), len(names)))
        for a, b, strength, direction in zip(*rows.values(), strict=True):
            expected[names.index(a), names.index(b)] = strength * direction
        assert np.allclose(table, expected)

    def test_a_blanket_is_brought_out(self):
        dag = ds.Dag("abcde", [("a", "c"), ("b", "c"), ("c", "d"), ("d", "e")])
        result = ds.Result(dag=dag, score=0.0, score_name="none", method="none")
        axes = result.plot(around="b")
        boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
        names = [text.get_text() for text in axes.texts]
        fills = dict(zip(names, (box.get_facecolor() for box in boxes), strict=True))
        assert fills["a"] == fills["c"] != fills["b"]
        assert fills["d"] == fills["e"] == (1, 1, 1, 1)
        with pytest.raises(ds.ParameterError, match='unknown variable "f"'):
            result.plot(around="f")

    def test_dollars_in_names_are_dollars(self):
        dag = ds.Dag(["$a$ $", "b"], [("$a$ $", "b")])
        result = ds.Result(dag=dag, score=-1.0, score_name="bic", method="x")
        result.plot().figure.canvas.draw()

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"what": "score"}, 'unknown plot "score"; choose graph, tradeoff'),
            ({"what": "tradeoff", "kind": "arcs"}, 'unknown kind of feature "arcs"'),
            ({"what": "tradeoff", "threshold": 2}, "threshold must be between 0 and 1, got 2"),
        ],
    )
    def test_what_is_wrong_is_said(self, landscape, options, words):
        with pytest.raises(ds.ParameterError, match=re.escape(words)):
            landscape.plot(**options)


LONG = "a very long name of a variable that nobody took the trouble to shorten before it was drawn"


class TestFiles:
    def test_svg_needs_no_library_and_has_a_legend(self, tmp_path):
        data = ds.load_network("asia").sample(500, seed=1)
        result = ds.ges(data)
        assert result.plot(tmp_path / "n.svg") is None
        root = ElementTree.parse(tmp_path / "n.svg").getroot()
        words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert set(data.names) <= set(words)
        assert "either direction fits the table equally well" in words

    def test_long_names_stand_in_lines(self, tmp_path):
        data = ds.Data({LONG: ["x", "y"] * 20, "short": ["u", "v"] * 20})
        ds.ges(data).plot(str(tmp_path / "n.svg"))
        root = ElementTree.parse(tmp_path / "n.svg").getroot()
        words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert words[0] != LONG
        assert LONG.startswith(words[0])
        assert words[1].endswith("…")

    @pytest.mark.slow
    def test_matplotlib_writes_pixels(self, tmp_path):
        result = ds.ges(ds.load_network("asia").sample(200, seed=1))
        result.plot(tmp_path / "n.png")
        assert (tmp_path / "n.png").read_bytes().startswith(b"\x89PNG")
        result.plot(tmp_path / "around.pdf", around="lung")
        assert b"Matplotlib" in (tmp_path / "around.pdf").read_bytes()

    def test_other_endings_are_refused(self, tmp_path):
        result = ds.ges(ds.load_network("asia").sample(200, seed=1))
        with pytest.raises(ds.ParameterError, match=r'pictures are .svg, .png, .pdf, got "n.bmp"'):
            result.plot(tmp_path / "n.bmp")
        with pytest.raises(ds.ParameterError, match="cannot be written"):
            result.plot(tmp_path / "no" / "n.svg")


@pytest.mark.parametrize("name", ["alarm", "insurance", "asia"])
def test_nothing_leaves_the_picture(name):
    if name not in ds.embedded_networks():
        pytest.skip(f"{name} is not embedded")
    picture = drawing(ds.load_network(name).dag)
    width, height = picture.size
    for line in picture.lines:
        spots = [*line.points, *line.head, *(p for piece in cubics(line.points) for p in piece)]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in spots)
    for box in picture.boxes:
        assert box.width / 2 <= box.middle[0] <= width - box.width / 2


def test_a_line_beyond_all_boxes_widens_the_picture():
    box = Box("a", "a", (0.0, 0.0), 20.0)
    line = Line([(0.0, 0.0), (-90.0, 40.0), (0.0, 80.0)], [], 1.8, "same")
    picture = _framed([box], [line], 12.0)
    assert picture.lines[0].points[1][0] >= 12.0 - 1e-9
    assert picture.boxes[0].middle[0] > 90
