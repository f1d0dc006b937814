"""What separates variables from a target travels as bytes that mean the same everywhere."""

import struct

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer


@pytest.fixture(scope="module")
def asia():
    return scorer(ds.load_network("asia").sample(2000, seed=0), "ll")


def hiton(asia, what, **more):
    return _core.hiton(asia, list(range(8)), what, 0.05, 3, 5.0, False, 1, **more)


def sets_in(packed):
    numbers = [n for (n,) in struct.iter_unpack("<H", packed)]
    while numbers:
        v, size, *numbers = numbers
        yield v, numbers[:size]
        numbers = numbers[size:]


def known(facts):
    return [
        (v, near, apart, done)
        for (v, near, _, done), apart in zip(facts["sets"], facts["separators"], strict=True)
    ]


def test_numbers_have_two_bytes_the_low_one_first(asia):
    facts = hiton(asia, "potential")
    separated = 0
    for v, near, apart, done in known(facts):
        assert done
        for other, given in sets_in(apart):
            separated += 1
            assert other not in near
            _, _, log_p = _core.g2(asia, v, other, given)
            assert log_p > -3  # ln 0.05, which is the level of the tests
    assert separated > 20


def test_what_was_found_elsewhere_is_not_looked_for_again(asia):
    here = hiton(asia, "blankets")
    there = hiton(asia, "blankets", potential=known(hiton(asia, "potential")))
    assert there["sets"] == here["sets"]
    assert there["searches"] == here["searches"] - 8


@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (b"\1\0\1", "^packed separators end too early$"),
        (b"\1\0\2\0\3\0", "^packed separators end too early$"),
        (b"\1\0", "^packed separators end too early$"),
        (struct.pack("<3H", 8, 1, 2), "^packed separators must be sets of the variables$"),
        (struct.pack("<3H", 1, 1, 8), "^packed separators must be sets of the variables$"),
        (struct.pack("<4H", 1, 2, 3, 3), "^packed separators must be sets of the variables$"),
    ],
)
def test_bytes_that_are_no_sets(asia, packed, says):
    with pytest.raises(ds.FileFormatError, match=says):
        hiton(asia, "blankets", potential=[(0, [1], packed, True)])
