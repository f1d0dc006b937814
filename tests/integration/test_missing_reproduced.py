"""reproduce/missing.py in small: what it removes, and that it goes on where it stopped."""

import importlib
import json
from pathlib import Path

import pytest

import dagscape as ds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script():
    return importlib.import_module("missing")


def test_cells_are_removed_as_told(script):
    whole = ds.load_network("child").sample(4000, seed=0)
    completely = script.holed(whole, 0.1, "mcar", 0)
    assert completely.missing.share == pytest.approx(0.1, abs=0.01)
    by_column = script.holed(whole, 0.1, "mar", 0)
    assert by_column.missing.share == pytest.approx(0.095, abs=0.01)  # one column of 20 is whole
    assert whole.names[0] not in by_column.missing.columns
    column = whole.codes[:, 0]
    common = column == script.np.bincount(column).argmax()
    often, seldom = (by_column.missing.mask[some].mean() for some in (common, ~common))
    assert often == pytest.approx(3 * seldom, rel=0.15)


@pytest.mark.parametrize("way", ["complete", "drop", "mode", "em", "available"])
def test_every_way_gives_a_network(script, way):
    found = script.one("child", 300, 0.05, "mcar", 0, way)
    assert 0 < found["shd"] < 60
    assert -25 < found["held_out"] < -12


def test_no_rows_left(script):
    assert script.one("child", 50, 0.5, "mcar", 0, "drop")["shd"] is None


def test_figures_show_what_is_there(script, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(ROOT / "reproduce")
    path = tmp_path / "gaps.jsonl"
    asked = {"truth": "child", "rows": 1000, "how": "mcar", "seed": 0, "seconds": 1}
    lines = [
        json.dumps(
            asked | {"share": share, "way": way, "shd": shd, "held_out": shd and -12.0 - shd}
        )
        for share in (0.1, 0.3)
        for way, shd in (("complete", 5), ("drop", None if share == 0.3 else 20), ("em", 6))
    ]
    path.write_text("\n".join(lines))
    words = ["missing.py", str(path), "--report", "--figures", str(tmp_path)]
    monkeypatch.setattr("sys.argv", words)
    script.main()
    for name in ("missing-shd.svg", "missing-likelihood.svg"):
        picture = (tmp_path / name).read_text("utf-8")
        assert "child, 1,000 rows" in picture
        assert ("complete" in picture) == (name == "missing-shd.svg") or "lost" in picture
    from _missing_figures import _points

    records = [json.loads(line) for line in lines]
    drop = [record for record in records if record["way"] == "drop"]
    assert _points(drop, lambda record: record["shd"]) == [(0.1, 20)]


def test_what_is_there_is_not_done_again(script, tmp_path, monkeypatch, capsys):
    path = tmp_path / "gaps.jsonl"
    asked = {"truth": "child", "rows": 1000, "share": 0.1, "how": "mcar", "seed": 0}
    lines = [json.dumps(asked | {"way": "em", "shd": 7, "held_out": -12.5, "seconds": 1})]
    path.write_text("\n".join([*lines, '{"truth": "chi']))
    words = ["missing.py", str(path), "--report"]
    monkeypatch.setattr("sys.argv", words)
    script.main()
    assert "| child | 1,000 | 10% | MCAR |  |  |  | 7 (-12.50) |  |" in capsys.readouterr().out
    assert len(list(script.read(path))) == 1


@pytest.fixture(scope="module")
def calibration():
    return importlib.import_module("gaps_calibration")


def test_cells_for_calibration_are_removed_as_told(calibration):
    np = calibration.np
    whole = ds.random_network(6, kind="mixed", neighbors=2, seed=0).sample(20_000, seed=0)
    first = whole.names[0]
    for how in (calibration.AT_RANDOM, calibration.BY_FIRST, calibration.BY_ITSELF):
        mask = calibration.holed(whole, how, 0.1, 0).missing.mask
        assert not mask[:, 0].any()
        assert mask[:, 1:].mean() == pytest.approx(0.1, abs=0.005)
        for place, name in enumerate(whole.names[1:], start=1):
            by = {calibration.BY_FIRST: first}.get(how, name)
            high = calibration.upper(whole, by)
            often, seldom = (mask[rows, place].mean() for rows in (high, np.logical_not(high)))
            more = 1 if how == calibration.AT_RANDOM else calibration.LIKELIER
            assert often == pytest.approx(more * seldom, rel=0.2)


def test_what_is_said_of_whole_tables_is_on_the_page(calibration):
    page = (ROOT / "docs/reproduce/gaps-calibration.md").read_text("utf-8").splitlines()
    assert (
        calibration.row("none", [calibration.judged(seed, None, 0) for seed in range(12)]) in page
    )
    head = next(calibration.report(0, 0))
    assert head in page
    names = [line.strip("| ").split(" |")[0] for line in page if line.startswith("|")]
    for how in (calibration.AT_RANDOM, calibration.BY_FIRST, calibration.BY_ITSELF):
        assert {f"{100 * share:g} %, {how}" for share in calibration.SHARES} <= {*names}
