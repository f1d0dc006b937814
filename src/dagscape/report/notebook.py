"""What notebooks show: a drawing where there is a graph, a table where there are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape

import dagscape as ds
from dagscape.effects.alternatives import AveragedEffect
from dagscape.report.curves import HALF, cubics
from dagscape.report.drawing import Drawing, Line, drawing, drawing_of, drawn_pairs
from dagscape.report.page_pairs import pairs_of
from dagscape.report.posterior_page import consensus_drawing
from dagscape.report.svg_files import spots

MOST = 150
"""Variables of a graph that is still drawn; of more, a small picture shows nothing."""

MOST_ROWS = 20
"""Of a table that is shown in a notebook."""

TYPE = "font:13px sans-serif;margin:4px 0"


@singledispatch
def shown_html(thing: object) -> str:
    """Return what a notebook shows of a thing: its summary, or what ``print`` shows."""
    words = str(getattr(thing, "summary", None) or thing)
    return f'<pre style="margin:4px 0;white-space:pre-wrap">{escape(words)}</pre>'


@shown_html.register
def _(result: ds.Result) -> str:
    return _figure(repr(result), result.dag, lambda: drawing_of(result))


@shown_html.register(ds.Landscape)
@shown_html.register(ds.Bootstrap)
def _(models: ds.Landscape | ds.Bootstrap) -> str:
    if not models.runs:
        return _words(repr(models))
    level = models.threshold("edges")
    words = (
        f"{models!r} Lines: edges with confidence {level:g} or more; "
        "dashed: not in the network learned; dotted: in it, with less confidence."
    )
    learned = models.learned
    return _figure(words, learned, lambda: drawing(learned, models, threshold=level))


@shown_html.register
def _(posterior: ds.Posterior) -> str:
    if posterior.empty:
        return _words(repr(posterior))
    consensus = posterior.consensus()
    words = f"{posterior!r} The thicker a line, the more probable its edge."
    return _figure(words, consensus, lambda: consensus_drawing(posterior, consensus))


@shown_html.register
def _(dag: ds.Dag) -> str:
    return _figure(repr(dag), dag, lambda: _arcs(dag))


@shown_html.register
def _(graph: ds.Mpdag) -> str:
    return _figure(repr(graph), graph, lambda: drawing(graph.to_dag(), known=graph))


@shown_html.register
def _(network: ds.Network) -> str:
    return _figure(repr(network), network.dag, lambda: _arcs(network.dag))


@shown_html.register
def _(data: ds.Data) -> str:
    rows = [
        (name, kind, "" if kind == "continuous" else ", ".join(data.states[name]))
        for name, kind in list(data.kinds.items())[:MOST_ROWS]
    ]
    more = data.n_variables - len(rows)
    words = repr(data).splitlines()
    said = " ".join([words[0], *words[2:]])
    return _words(said) + _table(("variable", "kind", "states"), rows, more)


@shown_html.register(AveragedEffect)
def _(effect: AveragedEffect) -> str:
    frame = effect.frame("dict")
    rows = list(zip(*(map(_cell, column) for column in frame.values()), strict=True))
    first, *rest = str(effect).splitlines()
    told = escape("\n".join(rest))
    return (
        _words(first)
        + _table(tuple(frame), rows[:MOST_ROWS], len(rows) - MOST_ROWS)
        + f'<details style="{TYPE}"><summary>what this rests on</summary><pre '
        f'style="white-space:pre-wrap">{told}</pre></details>'
    )


def _arcs(dag: ds.Dag) -> Drawing:
    """Draw a network with its own arcs, not those of its class."""
    return drawn_pairs(dag, pairs_of(dag, None, None, None), lambda pair: (pair.arc, None, "same"))


def _figure(words: str, graph: ds.Dag | ds.Mpdag, draw: object) -> str:
    picture = svg(draw()) if len(graph.names) <= MOST and callable(draw) else ""
    return _words(words) + picture


def _words(words: str) -> str:
    return f'<div style="{TYPE}">{escape(words)}</div>'


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], more: int) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    rest = _words(f"and {more:,} more") if more > 0 else ""
    return f"<table><thead>{line(head, 'th')}</thead><tbody>{body}</tbody></table>{rest}"


class PageFrame:
    """A page in a frame, which a notebook shows: what ``r.show()`` returns."""

    def __init__(self, page: str, height: int) -> None:
        self._page = page
        self._height = height

    def _repr_html_(self) -> str:
        """Return the frame; the page in it can run its own script and reach nothing outside."""
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" style="width:100%;'
            f'height:{self._height}px;border:1px solid #8884" srcdoc="{escape(self._page)}">'
            "</iframe>"
        )

    def __repr__(self) -> str:
        return '<PageFrame: a page that notebooks show; report("page.html") writes it to a file>'


WIDEST, HIGHEST = 720.0, 480.0
"""Pixels that the picture may take."""
STYLES = {"same": ("#2f7fc1", "none"), "extra": ("#c14a00", "7 4"), "missing": ("#808893", "2 4")}


def svg(picture: Drawing) -> str:
    """Return a drawing as SVG that takes the colors of what is around it."""
    width, height = picture.size
    scale = min(1.0, WIDEST / width, HIGHEST / height)
    parts = [line_svg(line) for line in picture.lines]
    for box in picture.boxes:
        x, y = box.middle
        parts.append(
            f"<g><title>{escape(box.name)}</title>"
            f'<rect x="{x - box.width / 2:.1f}" y="{y - HALF:.1f}" width="{box.width:.1f}" '
            f'height="{2 * HALF:.0f}" rx="5" fill="none" stroke="currentColor" '
            'stroke-opacity="0.6"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="currentColor" '
            f'font-size="12" font-family="sans-serif">{escape(box.label)}</text></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img" '
        f'aria-label="graph of {len(picture.boxes)} variables and {len(picture.lines)} edges">'
        f"{''.join(parts)}</svg>"
    )


def line_svg(line: Line) -> str:
    """Return an edge as SVG: its shaft, and its head if it has one."""
    start, *_ = line.points
    path = f"M{spots([start])}" + "".join(f"C{spots(piece)}" for piece in cubics(line.points))
    color, dashes = STYLES[line.mark]
    shaft = (
        f'<path d="{path}" fill="none" stroke="{color}" '
        f'stroke-width="{line.thickness:.2f}" stroke-dasharray="{dashes}"/>'
    )
    head = f'<path d="M{spots(line.head, "L")}Z" fill="{color}"/>' if line.head else ""
    return shaft + head
