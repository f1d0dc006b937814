"""For a paper: the paragraph on methods, pictures as PDF, tables as CSV and LaTeX."""

from __future__ import annotations

import re

import pytest

import dagscape as ds
from dagscape.report.methods import WORKS, methods_of


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    data = ds.load_network("asia").sample(400, seed=1)
    learned = ds.learn(data, runs=5, resamples=4)
    path = tmp_path_factory.mktemp("paper") / "r.html"
    learned.report(path)
    return learned, data, path


def test_the_paragraph_says_what_was_asked_and_proven(open_page, case):
    learned, data, path = case
    page = open_page(path)
    told = methods_of(learned, data)
    assert page.inner_text("#methods-text") == told["text"]
    for said in (
        "400 rows of 8 variables",
        f"dagscape {ds.__version__}",
        f"“{learned.method}”",
        f"“{learned.score_kind.base}”",
        f"{learned.score:,.2f}, which was proven".replace("-", "\N{MINUS SIGN}"),
        learned.posterior.claim,
        f"share of {learned.stability.runs} tables",
        f"5 runs of k-greedy equivalence search (Nielsen and others 2003) ended at "
        f"{len(learned.landscape.optima)} local optim",
        "The seed was 0.",
    ):
        assert said in told["text"]
    # Every work that is cited is listed, and no other.
    cited = [key for key in WORKS if key in told["text"]]
    assert sorted(told["works"]) == sorted(WORKS[key] for key in cited)
    page.click("#methods-copy")
    assert page.inner_text("#methods-said") in (
        "Copied.",
        "The browser does not allow it: select the text and copy it.",
    )


def saved(page, button):
    with page.expect_download() as waiting:
        page.click(button)
    return waiting.value.path().read_bytes()


def test_a_drawing_becomes_a_whole_pdf(open_page, case):
    learned, _, path = case
    page = open_page(path, scheme="dark")
    page.check("#beliefs")
    text = saved(page, "#save-pdf").decode("latin-1")
    assert text.startswith("%PDF-1.4\n")
    start = int(re.search(r"startxref\n(\d+)\n%%EOF", text)[1])
    assert text[start:].startswith("xref")
    for number, at in enumerate(re.findall(r"(\d{10}) 00000 n", text), start=1):
        assert text[int(at) :].startswith(f"{number} 0 obj\n")
    stream = text[text.index("stream\n") + 7 : text.index("\nendstream")]
    assert int(re.search(r"/Length (\d+)", text)[1]) == len(stream)
    assert stream.count("\nq") + stream.startswith("q") == stream.count("\nQ")
    for name in learned.dag.names:
        assert f"({name}) Tj" in stream
    for key in page.locator("#legend > span").all_inner_texts():
        assert f"({key}) Tj" in stream
    assert "0 0 0 RG" not in stream.split("Tj")[0] or "0.04 0.38 0.66" in stream  # light colors
    assert page.evaluate("document.documentElement.dataset.theme") is None


def test_tables_are_saved_as_they_stand(open_page, case):
    _, _, path = case
    page = open_page(path)
    page.fill("#edges-filter", "tub")
    rows = page.locator("#edges-table tbody tr").count()
    latex = saved(page, '[data-save="edges.tex"]').decode()
    body = latex.split("\\endhead\n")[1].split("\\bottomrule")[0].strip().splitlines()
    assert len(body) == rows
    heads = page.locator("#edges-table thead th").count()
    assert all(line.count(" & ") == heads - 1 and line.endswith(" \\\\") for line in body)
    lines = saved(page, '[data-save="near.csv"]').decode().splitlines()
    assert len(lines) == 1 + page.locator("#near-table tbody tr").count()
