"""A time limit is for the whole command: reading, searching, writing."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import dagscape as ds
from dagscape.cli.folder import Folder
from dagscape.cli.learn_command import learn_into
from dagscape.cli.long_work import LimitOptions
from dagscape.cli.output_files import seconds_to_write
from dagscape.control import limits
from dagscape.control.limits import TimeLimit, use_seconds
from limits import AMPLE

LATE = 1000


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a table that takes a while to read, by the clock of limits."""
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(200, seed=2).write(path)
    read, late = ds.read_data, []

    def slowly(*arguments: object, **options: object) -> ds.Data:
        late.append(LATE)
        return read(*arguments, **options)  # type: ignore[arg-type]

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + sum(late))
    monkeypatch.setattr(limits, "time", clock)
    monkeypatch.setattr(ds, "read_data", slowly)
    return path


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ("learn", ("learn",)),
        ("exact", ("exact", "-o", "found.bif")),
        ("local_optima", ("optima", "--runs", "5")),
        ("local_optima", ("features", "--runs", "5")),
        ("candidate_parents", ("parents", "-o", "p.jkl")),
        ("describe_blanket", ("blanket", "--target", "dysp")),
    ],
)
def test_what_reading_took_is_not_left_to_the_search(
    run, table, monkeypatch, search: str, words: tuple[str, ...]
):
    given: list[object] = []
    real = getattr(ds, search)

    def seen(*arguments: object, **options: object) -> object:
        given.append(options.get("time_limit"))
        given.append(use_seconds(options.get("time_limit")))  # type: ignore[arg-type]
        return real(*arguments, **options)

    monkeypatch.setattr(ds, search, seen)
    command, *options = words
    assert run(command, table, "--time-limit", AMPLE, *options).exit_code == 0
    *_, asked, left = given
    assert asked == AMPLE  # a result says what was asked
    assert left <= AMPLE - LATE


def test_a_limit_counts_from_its_moment_and_leaves_time_for_what_follows(monkeypatch):
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: 104.0))
    limit = TimeLimit(10, 100, after=3)
    assert limit.left() == 3
    assert use_seconds(limit) == 3
    assert limit == 10
    assert f"{limit}" == "10.0"


def test_a_search_gets_a_moment_in_any_case():
    assert TimeLimit(10, time.monotonic() - 100).left() == TimeLimit.LEAST
    assert TimeLimit(0.01, time.monotonic() - 100).left() == 0.01


@pytest.mark.parametrize("limit", ["0", "-1", "nan"])
def test_wrong_limits_are_refused_all_the_same(run, table, limit):
    for command in ("exact", "optima", "parents"):
        said = run(command, table, "--time-limit", limit)
        assert said.exit_code == 2
        assert "--time-limit must be a positive number of seconds" in said.stderr


def test_what_files_take_grows_with_the_table_and_not_faster():
    def table(rows: int, variables: int) -> ds.Data:
        codes = np.zeros((rows, variables), dtype=np.uint8)
        codes[0] = 1
        return ds.Data.from_codes(codes, {f"v{i}": ["a", "b"] for i in range(variables)})

    small, long, wide = table(1000, 100), table(100_000, 100), table(1000, 10_000)
    for page in (False, True):
        least = seconds_to_write(small, page=page)
        assert least < seconds_to_write(long, page=page) < 100 * least
        assert least < seconds_to_write(wide, page=page) < 100 * least


@pytest.mark.parametrize(("variables", "pictures"), [(300, True), (301, False), (2500, False)])
def test_no_time_is_kept_for_pictures_that_are_not_drawn(
    monkeypatch, tmp_path, variables, pictures
):
    codes = np.zeros((4, variables), dtype=np.uint8)
    codes[0] = 1
    data = ds.Data.from_codes(codes, {f"v{i}": ["a", "b"] for i in range(variables)})

    class AskedError(Exception):
        """Learning has begun."""

    def learn(*_, time_limit, **__):
        expected = seconds_to_write(data, page=True, pictures=pictures)
        assert time_limit.after == expected < 6
        raise AskedError

    monkeypatch.setattr(ds, "learn", learn)
    with pytest.raises(AskedError):
        learn_into(
            tmp_path, ds.Problem(data), {}, limits=LimitOptions(time_limit=AMPLE, quiet=True)
        )


def test_who_presses_ctrl_c_again_does_not_lose_what_was_found(monkeypatch, tmp_path):
    data = ds.load_network("asia").sample(50, seed=0)
    monkeypatch.setattr(
        "dagscape.cli.learn_command.ENDED", (None, "interrupt")
    )  # whatever ended it

    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "write", press)
    with pytest.raises(KeyboardInterrupt):
        learn_into(
            tmp_path,
            ds.Problem(data),
            {},
            runs=1,
            resamples=0,
            limits=LimitOptions(threads=1, quiet=True),
        )
    assert ds.load_result(tmp_path / "result.json").dag.names == data.names
    noted = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert noted["state"] == "running"
    assert noted["score"] < 0


def test_other_work_on_the_machine_keeps_more_time_for_files(monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: 30.0, process_time=lambda: 10.0)
    monkeypatch.setattr("dagscape.cli.long_work.time", clock)
    assert LimitOptions(begun=0.0).slowness() == 3
    assert LimitOptions(begun=25.0).slowness() == 1
    assert LimitOptions(begun=-1000.0).slowness() == 10
    assert LimitOptions().slowness() == 1
