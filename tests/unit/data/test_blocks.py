"""Long arrays taken block by block are what they are at once."""

import numpy as np
import pytest

from dagscape.data import blocks
from dagscape.data.blocks import GrowingArray, occurrences, recoded


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(blocks, "LEAST_BYTES", 16)
    monkeypatch.setattr(blocks, "MOST_BYTES", 1 << 11)
    monkeypatch.setattr(blocks, "MAPPED", 1 << 9)


def test_codes_are_counted_and_recoded_as_at_once():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        states, rows = int(rng.integers(1, 40)), int(rng.integers(0, 200_000))
        codes = rng.integers(0, states + 1, rows).astype(rng.choice([np.uint8, np.uint16]))
        assert (
            occurrences(codes, states).tolist()
            == np.bincount(codes, minlength=states)[:states].tolist()
        )
        times = rng.integers(0, 5, rows)
        weighted = np.bincount(codes, times, minlength=states)[:states]
        assert occurrences(codes, states, times).tolist() == weighted.tolist()
        table = rng.normal(size=states + 1)
        assert (recoded(codes, table) == table[codes]).all()


def test_a_growing_array_has_what_was_added():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        types = [np.uint8, np.uint16, np.uint32]
        growing, parts = GrowingArray(), []
        for number in range(int(rng.integers(1, 12))):
            dtype = types[min(2, number * int(rng.integers(0, 2)))]
            parts.append(rng.integers(0, 250, int(rng.integers(0, 900))).astype(dtype))
            growing.add(parts[-1])
        whole = np.concatenate(parts)
        assert growing.length == len(whole)
        if seed % 3 == 0 and len(whole):
            table = rng.normal(size=250)
            growing.recode(table)
            whole = table[whole]
            last = rng.normal(size=7)
            growing.add(last)
            whole = np.concatenate([whole, last])
        if not len(whole):
            continue
        made = growing.finish()
        assert made.tolist() == whole.tolist()
        assert growing.length == 0
