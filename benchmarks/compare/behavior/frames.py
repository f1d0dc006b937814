"""The tables that tools are tried on, as pandas frames with columns of plain Python values.

Each is made so that what a tool did with it can be read from the arcs that it found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

ROWS = 2000
ODD = "pressure"
"""The column with something odd about it; an error that helps names it."""

Frame = Any  # pandas.DataFrame


def text() -> Frame:
    """Two columns of words that belong together, and one apart."""
    import pandas as pd

    rng = np.random.default_rng(1)
    ward = rng.integers(3, size=ROWS)
    pressure = np.where(rng.random(ROWS) < 0.8, ward, rng.integers(3, size=ROWS))
    words = np.array(["high", "low", "middle"], dtype=object)
    return pd.DataFrame({"ward": words[ward], ODD: words[pressure], "noise": words[_coins(rng)]})


def categories() -> Frame:
    """Make the same of pandas categories."""
    return text().astype("category")


def integers() -> Frame:
    """Codes: the pressure is 1 where the ward is in the middle, so their correlation is none."""
    import pandas as pd

    rng = np.random.default_rng(2)
    ward = rng.integers(3, size=ROWS)
    pressure = np.where(rng.random(ROWS) < 0.9, ward == 1, rng.integers(2, size=ROWS))
    return pd.DataFrame({"ward": ward, ODD: pressure.astype(int), "noise": _coins(rng)})


def floats() -> Frame:
    """Measurements, nearly all of them different, two of which go together."""
    import pandas as pd

    rng = np.random.default_rng(3)
    ward = rng.normal(size=ROWS)
    return pd.DataFrame({ODD: ward + rng.normal(size=ROWS), "ward": ward})


def missing_text() -> Frame:
    """Words with gaps: where the pressure is missing, the ward is 1 and left equals right.

    If a gap is a state, pressure and ward go together. If it is not, they do not; then left and
    right go together if the rows with gaps are still counted for them. North and south go together
    whatever is made of gaps, and noise with nothing.
    """
    frame, gaps = _with_gaps()
    frame[ODD] = frame[ODD].where(~gaps, None)
    return frame


def missing_numbers() -> Frame:
    """Make the same of codes; the column with gaps is then one of floating-point numbers."""
    import pandas as pd

    frame, gaps = _with_gaps()
    coded = pd.DataFrame({name: pd.factorize(frame[name], sort=True)[0] for name in frame})
    coded[ODD] = coded[ODD].where(~gaps)
    return coded


def empty_cells() -> Frame:
    """Make the same with empty text in the gaps."""
    frame, gaps = _with_gaps()
    frame[ODD] = frame[ODD].where(~gaps, "")
    return frame


def one_state() -> Frame:
    """Put a column that never changes beside the words."""
    return text().rename(columns={ODD: "height"}).assign(**{ODD: "same"})


def one_row() -> Frame:
    """Take the first row of the words."""
    return text().head(1)


def no_rows() -> Frame:
    """Take the names of the columns alone."""
    return text().head(0)


def same_name() -> Frame:
    """Two columns with one name."""
    return text().rename(columns={"noise": ODD})


@cache
def _sample() -> Frame:
    import pandas as pd

    import dagscape as ds

    data = ds.load_network("insurance").sample(1000, seed=0)
    states = [np.array(data.states[name], dtype=object) for name in data.names]
    columns = zip(data.names, states, data.codes.T, strict=True)
    return pd.DataFrame({name: some[codes] for name, some, codes in columns})


def network(columns: int, shuffle: int | None = None) -> Frame:
    """Return the first columns of 1,000 rows of insurance, in another order if so wanted."""
    frame = _sample().iloc[:, :columns]
    if shuffle is None:
        return frame
    return frame.iloc[:, np.random.default_rng(shuffle).permutation(frame.shape[1])]


def large(variables: int = 200, rows: int = 20_000) -> Frame:
    """Make what no tool is done with in a few seconds, or what it can be told to stay at."""
    import pandas as pd

    rng = np.random.default_rng(5)
    codes = rng.integers(2, size=(rows, variables))
    for i in range(1, variables):
        parent = max(0, i - int(rng.integers(1, 6)))
        codes[:, i] = np.where(rng.random(rows) < 0.7, codes[:, parent], codes[:, i])
    words = np.array(["no", "yes"], dtype=object)
    return pd.DataFrame({f"V{i:03}": words[codes[:, i]] for i in range(variables)})


ODD_FRAMES: dict[str, Callable[[], Frame]] = {
    made.__name__: made
    for made in (
        text,
        categories,
        integers,
        floats,
        missing_text,
        missing_numbers,
        empty_cells,
        one_state,
        one_row,
        no_rows,
        same_name,
    )
}


def _with_gaps() -> tuple[Frame, Any]:
    import pandas as pd

    rng = np.random.default_rng(6)
    words = np.array(["high", "low", "middle"], dtype=object)
    ward, left, right, noise, north, south = (_coins(rng) for _ in range(6))
    gaps = (ward == 1) & (rng.random(ROWS) < 0.5)
    right = np.where(gaps, left, right)
    # Weaker than left and right, so that a search which ends early loses this edge first.
    south = np.where(rng.random(ROWS) < 0.2, north, south)
    columns = {"ward": ward, "left": left, "right": right, "noise": noise}
    columns |= {"north": north, "south": south}
    frame = pd.DataFrame({name: words[column] for name, column in columns.items()})
    frame.insert(0, ODD, words[rng.integers(3, size=ROWS)])
    return frame, pd.Series(gaps)


def _coins(rng: np.random.Generator) -> Any:
    return rng.integers(2, size=ROWS)
