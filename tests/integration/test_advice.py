"""Advice in sentences is followed: each setting that one names leads to an answer.

Sentences name settings by :func:`dagscape.speech.choice`. Every place in the package that calls it
is met here by somebody who makes the mistake it is about, and then does what is said, as often as
something else is said.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.cli.trust_lines import shape_lines
from dagscape.data.odd_numbers import numbers_lost_as_text
from dagscape.posteriors import touched

PACKAGE = Path(ds.__file__).parent
READING = ("discretize", "missing", "kinds", "states", "interventions")
NO_ADVICE = {
    ("executors.dask.connect", "_local"): "repeats what was given",
    ("executors.dask.connect", "_key_for_the_run"): "repeats what was given",
}
Settings = dict[str, Any]
Site = tuple[str, str]


def sites() -> Iterator[Site]:
    """Yield the module and function of each call of ``choice``."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        text = path.read_text("utf-8")
        if module == "speech" or "choice" not in text:
            continue
        tree = ast.parse(text)
        if not any(
            isinstance(node, ast.ImportFrom) and any(alias.name == "choice" for alias in node.names)
            for node in ast.walk(tree)
        ):
            continue
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "choice"
                for node in ast.walk(function)
            ):
                yield module, function.name


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Site, str, tuple[Any, ...]]]:
    """Return a list that fills with what sentences advise, and where."""
    from dagscape import speech

    heard: list[tuple[Site, str, tuple[Any, ...]]] = []
    plain = speech.choice
    for module in {module for module, _ in {*sites()} - NO_ADVICE.keys()}:
        part = importlib.import_module(f"dagscape.{module}")

        def hear(name: str, *choices: Any, module: str = module) -> str:
            function = sys._getframe(1).f_code.co_name
            heard.append(((module, function), name, choices))
            return plain(name, *choices)

        monkeypatch.setattr(part, "choice", hear)
    return heard


N = 60
XY = ["x", "y"] * (N // 2)
UV = ["u", "v", "v"] * (N // 3)
HEIGHTS = [150.25 + 0.5 * (7 * i % 41) for i in range(N)]
GAPS = [None, *UV[1:]]
FEW = [float(i % 3) for i in range(N)]


@dataclass(frozen=True)
class Mistake:
    """Something that is done, and where its advice comes from."""

    site: Site
    does: Callable[[Settings], object]
    first: Mapping[str, Any]


def of(site: str, frame: Any, ask: Callable[..., object] = lambda _: None, **first: Any) -> Mistake:
    """Return a mistake in Python: a table is made, and asked."""
    module, function = site.split(":")

    def does(settings: Settings) -> object:
        reading = {name: value for name, value in settings.items() if name in READING}
        data = ds.Data(frame, **reading)
        return ask(data, **{k: v for k, v in settings.items() if k not in READING})

    return Mistake((module, function), does, first)


def of_file(site: str, name: str, text: str) -> Mistake:
    """Return a mistake with a file."""
    module, function = site.split(":")

    def does(settings: Settings) -> object:
        Path(name).write_text(text)
        return ds.read_data(name, **settings)

    return Mistake((module, function), does, {})


def predicted(data: ds.Data) -> object:
    learned = ds.Data({"a": XY, "b": FEW}, kinds={"b": "continuous"})
    return ds.fit(ds.Dag(["a", "b"], [("b", "a")]), learned).log_likelihood(data)


def shapes(data: ds.Data, score: str = "bge") -> object:
    """Say what is no line; that has its answer once nothing is said."""
    if shape_lines(ds.learn(data, score=score, runs=0, resamples=0)):
        raise ds.DagscapeError("there are curves")
    return None


def default(data: ds.Data, score: str | None = None) -> object:
    if "chosen by default" in ds.learn(data, score=score, runs=0, resamples=0).score_reason:
        raise ds.DagscapeError("chosen by default")
    return None


def parquet(settings: Settings) -> object:
    """Write numbers that a text file would give back as states, and read them."""
    data = ds.Data({"a": FEW, "b": XY}, kinds={"a": "continuous"})
    data.write("t.parquet")
    if settings:
        assert "a" in ds.read_data("t.parquet", **settings).numbers
        return None
    raise ds.DataError("; ".join(numbers_lost_as_text(data.numbers)))


def of_subjects(settings: Settings) -> object:
    """Learn from a table with gaps and subjects."""
    frame = {"a": XY, "b": GAPS, "who": [str(i // 4) for i in range(N)]}
    return ds.learn(ds.Data(frame, clusters="who", **settings), runs=0, resamples=0)


def of_experiments(
    site: str, more: Mapping[str, Any], ask: Callable[..., object], **first: Any
) -> Mistake:
    """Return a mistake with a table in which a column says what each row's experiment set."""
    what = ["a" if i % 4 == 3 else "" for i in range(N)]
    frame = {"a": XY, "b": UV, **more, "what": what}
    said = {"interventions": ds.Interventions(column="what")}
    return of(site, frame, ask, **said, **first)


def curve(site: str) -> Mistake:
    x = np.linspace(-3, 3, 80)
    noise = np.random.default_rng(0).normal(size=80)
    return of(site, {"x": x, "y": x**2 + 0.1 * noise}, shapes)


def many(columns: int) -> dict[str, list[str]]:
    rng = np.random.default_rng(1)
    return {f"c{i}": rng.choice(["x", "y"], N).tolist() for i in range(columns)}


MIXED = {"a": XY, "h": HEIGHTS}
MISTAKES = [
    of("networks.network:numbers_of", {"a": XY, "b": [int(x) for x in FEW]}, predicted),
    of(
        "networks.network:refuse_numbers",
        MIXED,
        lambda data: ds.fit(ds.Dag(data.names), data).write_bif("net.bif"),
    ),
    of(
        "gaps.drawn_em:check_lines",
        {"a": XY, "b": GAPS, "h": HEIGHTS},
        lambda data, **more: ds.learn(data, runs=0, resamples=0, **more),
        missing="keep",
        score="basis_bic(degree=2)",
    ),
    of("defaults:why_chosen", {"a": XY, "b": UV}, default),
    of(
        "scores.base:_no_numbers",
        {"a": XY, "b": FEW},
        ds.exact,
        score="bdeu",
        kinds={"b": "continuous"},
    ),
    of(
        "scores.base:_no_numbers",
        {**MIXED, "g": HEIGHTS[::-1]},
        ds.exact,
        score="bdeu",
    ),
    of(
        "scores.numbers:_no_states",
        MIXED,
        ds.exact,
        score="bge",
    ),
    of(
        "prediction.cross_validate:cross_validate",
        MIXED,
        lambda data, **more: ds.cross_validate(data, "h", folds=2, **more),
    ),
    of(
        "examinations.user_graph:drawn_graph",
        {"a": XY, "b": UV},
        lambda data, **more: ds.examine(
            ds.Dag("abc", [("c", "a"), ("c", "b")]), data, resamples=0, relabelings=0, **more
        ),
    ),
    Mistake(("data.refusals", "refuse_with_gaps"), of_subjects, {"missing": "keep"}),
    of_experiments("posteriors.touched:touched", {"h": HEIGHTS}, touched),
    of_experiments(
        "prediction.leave_one_experiment_out:leave_one_experiment_out",
        {},
        ds.leave_one_experiment_out,
        structure="naive",
    ),
    curve("cli.trust_lines:shape_lines"),
    Mistake(("data.odd_numbers", "numbers_lost_as_text"), parquet, {}),
    Mistake(
        ("over_time.times", "in_order"),
        lambda settings: ds.series(
            {"day": [*range(N // 2), *range(N // 2 + 3, N + 3)], "a": XY, "b": UV},
            time="day",
            lags=1,
            **settings,
        ),
        {},
    ),
    of("data.missing:refuse_missing", {"a": XY, "b": GAPS}),
    of("data.missing:refuse_missing", {"a": XY, "h": [None, *HEIGHTS[1:]]}),
    of(
        "data.missing:drop_rows",
        {"a": [None, "x"] * (N // 2), "b": ["y", None] * (N // 2)},
        missing="drop",
    ),
    of(
        "data.missing:drop_rows",
        {"a": [None, "x"] * (N // 2), "h": [1.5, None, 2.5, None] * (N // 4)},
        missing="drop",
    ),
    of("data.missing:drop_rows", {"a": XY, "b": [None] * N}, missing="drop"),
    of("data.missing:fill", {"a": XY, "b": pl.Series([None] * N, dtype=pl.String)}, missing="mode"),
    of("data.kinds:fill_numbers", {"a": XY, "h": [None, *HEIGHTS[1:]]}, missing="state"),
    of("data.kinds:fill_numbers", {"a": XY, "h": [None, *HEIGHTS[1:]]}, missing="keep"),
    of("data.kinds:states_only", MIXED, lambda data: data.codes),
    of("data.columns:identifier_error", {"a": XY, "id": list(range(1000, 1000 + N))}),
    of_file(
        "data.columns:identifier_error",
        "t.csv",
        "a;b\n" + "".join(f"{XY[i]};{i},25\n" for i in range(N)),
    ),
    of_file(
        "data.odd_numbers:mixture_error",
        "t.csv",
        "a,h\n" + "".join(f"{XY[i]},{'<150' if i < 3 else HEIGHTS[i]}\n" for i in range(N)),
    ),
    of_file("data.text_tables:_check_separator", "t.csv", "a;b\nx;u\ny;v\nx;v\n"),
    of_file("data.formats:unknown_ending", "t.dat", "a,b\nx,u\ny,v\nx,v\n"),
    of("data.gaps:refuse_gaps", {"a": XY, "b": GAPS}, ds.exact, missing="keep"),
    of(
        "posteriors.exact_sums:out_of_reach",
        many(34),
        lambda data, method: ds.posterior(
            data,
            method=method,
            max_parents=1,
            chains=2 * (method == "mcmc") or None,
            rounds=2 * (method == "mcmc") or None,
        ),
        method="exact",
    ),
    of(
        "posteriors.make_posterior:_check_incomplete",
        {"a": XY, "b": GAPS},
        lambda data, method: ds.posterior(data, method=method, rounds=2),
        missing="keep",
        method="exact",
    ),
    of(
        "posteriors.make_posterior:_check_incomplete",
        {"a": XY, "b": GAPS},
        lambda data, **more: ds.posterior(data, resamples=2, **more),
        missing="keep",
    ),
    of(
        "posteriors.make_posterior:_refuse_chains",
        {"a": XY, "b": UV},
        lambda data, method: ds.posterior(data, method=method, chains=2, rounds=2),
        method="exact",
    ),
]


def with_(settings: Mapping[str, Any], name: str, value: Any) -> Settings:
    """Return settings with one more; a column that is cut is not of another kind as well."""
    before = settings.get(name)
    if isinstance(value, Mapping) and isinstance(before, Mapping):
        value = {**before, **value}
    made = {**settings, name: value}
    if name == "discretize" and isinstance(value, Mapping) and "kinds" in made:
        made["kinds"] = {x: kind for x, kind in made["kinds"].items() if x not in value}
    return made


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_advice_leads_to_an_answer(advised, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dead_ends: list[str] = []

    def said(mistake: Mistake, settings: Settings) -> list[tuple[Site, str, Any]] | None:
        """Do it; return what is advised, None if it is done."""
        advised.clear()
        try:
            mistake.does(settings)
        except ds.DagscapeError as error:
            heard = [
                (site, name, value)
                for site, name, values in advised
                for value in values
                if settings.get(name) != value  # what was given is named, not advised
            ]
            if not heard:
                dead_ends.append(str(error))
            return heard
        return None

    def leads(mistake: Mistake, settings: Settings, steps: int) -> bool:
        heard = said(mistake, settings)
        return heard is None or (
            steps > 0
            and any(leads(mistake, with_(settings, *each[1:]), steps - 1) for each in heard)
        )

    met: set[Site] = set()
    wrong = []
    for mistake in MISTAKES:
        first = dict(mistake.first)
        heard = said(mistake, first) or []
        met |= {site for site, *_ in heard}
        if mistake.site not in met:
            wrong.append(f"{mistake.site}: nothing is said")
        wrong += [
            f"{mistake.site}: {name}={value!r} leads nowhere, but to {dead_ends[-1:]}"
            for _, name, value in heard
            if not leads(mistake, with_(first, name, value), 3)
        ]
    assert not wrong, "\n".join(wrong)
    missing = {*sites()} - met - NO_ADVICE.keys()
    assert not missing, f"nobody follows the advice of {sorted(missing)}: add a mistake here"


@pytest.mark.parametrize("missing", ["mode", "random", "state", "keep"])
def test_of_numbers_without_a_value_no_way_to_fill_them_is_advised(missing):
    frame = {"a": XY, "b": UV, "h": pl.Series([None] * N, dtype=pl.Float64)}
    with pytest.raises(ds.DataError, match=r"has no values at all; leave it out$"):
        ds.Data(frame, missing=missing)
    del frame["h"]
    ds.Data(frame, missing=missing)
