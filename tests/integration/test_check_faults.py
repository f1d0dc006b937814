"""Tables with every fault at once: each is named, and what ``check`` prints runs to the end."""

from __future__ import annotations

import datetime
import shlex
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dagscape as ds
from dagscape.data import Check
from seeds import in_part

Rng = np.random.Generator
Made = Callable[[Rng, int], Any]

MORNING = datetime.datetime(2024, 1, 1, 8)
FAULTS: dict[str, tuple[str, Made]] = {
    "id": ("identifier", lambda _, n: [f"P{i:04}" for i in range(n)]),
    "number": ("identifier", lambda _, n: list(range(n))),
    "user_id": ("identifier", lambda rng, n: 10_000 + rng.permutation(9_000)[:n]),
    "patient": ("identifier", lambda _, n: [f"K{i // 2:03}" for i in range(n)]),
    "text": ("identifier", lambda _, n: [f'see "file" {i},\nwhich is long' for i in range(n)]),
    "zip": ("identifier", lambda _, n: [f"{10 + 321 * i:05}" for i in range(n)]),
    "site": ("constant", lambda _, n: ["A"] * n),
    "my 'own' name": ("constant", lambda _, n: [1.5] * n),
    "-dash": ("constant", lambda _, n: ["z"] * n),
    "empty": ("no_values", lambda _, n: [None] * n),
    "seen": ("dates", lambda _, n: [MORNING + datetime.timedelta(hours=7 * i) for i in range(n)]),
    "day": ("dates", lambda _, n: [f"2024-{i % 9 + 1:02}-{i % 28 + 1:02}" for i in range(n)]),
    "town": ("many_states", lambda _, n: [f"town {i % 22}" for i in range(n)]),
    "blank": ("blanks", lambda rng, n: rng.choice(["a ", " b", "b"], n)),
    "case": ("twin_words", lambda rng, n: rng.choice(["Yes", "yes", "no"], n)),
    "answer": ("missing_words", lambda rng, n: rng.choice(["x", "y", "n/a", "unknown"], n)),
    "coded": ("number_codes", lambda rng, n: rng.choice([1, 2, 3, -9], n)),
    "limit": ("not_cut", lambda _, n: ["<0.3" if i % 5 else f"{i / 7:.3f}" for i in range(n)]),
    "stray": ("not_cut", lambda _, n: ["spilled" if i < 3 else f"{i / 7:.3f}" for i in range(n)]),
    "share": ("not_cut", lambda _, n: [f"{1.5 * i}%" for i in range(n)]),
    "grouped": ("decimal_commas", lambda _, n: [f"{1000 + 321 * i:,}"[:5] for i in range(n)]),
    "endless": ("infinite", lambda rng, n: np.where(np.arange(n) < 4, np.inf, rng.random(n))),
    "holed": ("gaps", lambda rng, n: np.where(np.arange(n) % 7, rng.random(n), np.nan)),
    "open": ("gaps", lambda rng, n: rng.choice(["p", "q", None], n)),
    "twin": ("twin_numbers", lambda rng, n: rng.choice(["1", "1.0", "2"], n)),
    "sum": ("copy", lambda _, n: [2.5 * bmi + 1 for bmi in good(n)["bmi"]]),
    "gender": ("near_copy", lambda _, n: np.where(good(n)["sex"] == "f", "w", "m")),
}
"""What a column of this name shows, and its cells."""
IN_MEMORY: dict[str, tuple[str, Made]] = {
    "lists": ("unreadable", lambda _, n: [[1, 2]] * n),
    "bytes": ("unreadable", lambda _, n: [b"x"] * n),
    "lasted": ("unreadable", lambda _, n: [datetime.timedelta(i) for i in range(n)]),
}
ONLY_OBJECTS: dict[str, tuple[str, Made]] = {
    "mixed": ("unreadable", lambda _, n: [("a", 1)[i % 2] for i in range(n)]),
    "complex": ("unreadable", lambda _, n: [1j] * n),
}

LEARNED = range(in_part(2))
"""Tables with all faults, and with some, whose network is learned: their gaps take long."""


def good(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(rows)
    sex = rng.choice(["m", "f"], rows)
    return {
        "sex": sex,
        "bmi": np.round(rng.normal(25, 4, rows), 2).tolist(),
        "ill": np.where(rng.random(rows) < 0.8, sex == "m", sex == "f"),
        "price": [Decimal(int(value)) / 4 for value in rng.integers(3, 99, rows)],
    }


def drawn(seed: int, faults: dict[str, tuple[str, Made]], share: float) -> dict[str, Any]:
    """Return good columns, and some faulty ones after them: a copy must come second."""
    rng = np.random.default_rng(seed)
    rows = (44, 60, 90)[seed % 3]
    chosen = [name for name in faults if rng.random() < share]
    return good(rows) | {name: faults[name][1](rng, rows) for name in chosen}


def assert_named(found: Check, columns: dict[str, Any], faults: dict[str, Any]) -> None:
    notes = {(note.kind, note.column) for note in found.notes}
    named = {(faults[name][0], name) for name in columns if name in faults}
    assert named <= notes, (named - notes, str(found))


@pytest.mark.parametrize("form", ["pandas", "polars", "pyarrow", "dict", "array"])
def test_in_memory(form):
    faults = FAULTS | (IN_MEMORY if form != "array" else {})
    faults |= ONLY_OBJECTS if form in ("dict", "pandas") else {}
    for seed in range(4):
        columns = drawn(seed, faults, 1.0 if seed == 0 else 0.4)
        plain = {name: np.asarray(cells).tolist() if name not in IN_MEMORY else cells
                 for name, cells in columns.items()}  # fmt: skip
        if form == "pandas":
            frame: Any = pd.DataFrame(columns)
        elif form == "polars":
            frame = pl.DataFrame(plain, strict=False)
        elif form == "pyarrow":
            frame = pa.table(plain)
        elif form == "array":
            frame = np.array(list(plain.values()), dtype=object).T
            columns = {f"X{i}": None for i in range(1, len(plain) + 1)}
        else:
            frame = columns
        found = ds.check(frame)
        assert_named(found, columns, faults)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DataWarning)
            data = eval(found.call, {"ds": ds, "frame": frame})
        assert not set(data.names) & set(found.left_out), seed
        assert data.n_rows == found.rows - found.dropped, seed
        if seed in LEARNED:
            ds.learn(data, runs=0, resamples=0)


@pytest.mark.parametrize("form", ["csv", "semicolons", "tabs", "parquet", "no names", "names"])
def test_files(run, tmp_path, form):
    for seed in range(5 if form != "names" else 2):
        columns = drawn(seed, FAULTS, 1.0 if seed == 0 else 0.4)
        frame = pd.DataFrame(columns)
        name = f"t{seed}.{ {'tabs': 'tsv', 'parquet': 'parquet'}.get(form, 'csv') }"
        if form == "names":
            frame.columns = pd.Index([*frame.columns[:-1], frame.columns[0]])
        if form == "parquet":
            frame.to_parquet(tmp_path / name)
        else:
            mark = {"tabs": "\t", "semicolons": ";"}.get(form, ",")
            code = "utf-8-sig" if seed % 2 else "utf-8"
            named = form != "no names"
            frame.to_csv(
                tmp_path / name, sep=mark, index=form == "names", header=named, encoding=code
            )
        said = run("check", name)
        assert said.exit_code == 0, said.output
        command = said.stdout.splitlines()[-1]
        if form == "names":  # they need a copy, whose check has the command
            said = run(*shlex.split(command)[1:])
            name, command = f"t{seed}-fixed.csv", said.stdout.splitlines()[-1]
        elif form not in ("no names", "semicolons"):  # there a comma is for decimals
            assert_named(ds.check(name), columns, FAULTS)
        if seed in LEARNED:
            some = ("--runs", 0, "--resamples", 0, "--out", f"o{seed}")
            done = run(*shlex.split(command)[1:], *some)
            assert done.exit_code == 0, (command, done.output)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ds.DataWarning)
            eval(ds.check(name).call, {"ds": ds})


def test_columns_that_say_the_same_may_come_first():
    columns = drawn(0, FAULTS, 1.0)
    found = ds.check(dict(reversed(columns.items())))
    assert {"bmi", "sex"} <= set(found.left_out)
