"""Parent lists as bytes, and lists put together from parts."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.errors import FileFormatError, ParameterError


@pytest.fixture(scope="module")
def lists():
    data = ds.load_network("asia").sample(500, seed=1)
    return ds.candidate_parents(data, prune=False, max_parents=3)._lists


def plain(lists):
    """Everything in the lists, scores as their bits."""
    return [
        [
            (struct.pack("<d", lists.score(child, at)), lists.parents(child, at))
            for at in range(lists.size(child))
        ]
        for child in range(lists.variables)
    ], (lists.exhaustive, lists.exhaustive_to)


def written(variables, scored, *, exhaustive=0, exhaustive_to=0, version=1):
    """Lists packed by the letter of the format; `scored`: children with their sets."""
    data = b"DPL" + struct.pack(
        "<BIIQB", version, variables, len(scored), exhaustive_to, exhaustive
    )
    for child, sets in scored:
        members = [v for _, parents in sets for v in parents]
        data += struct.pack("<IQQ", child, len(sets), len(members))
        data += np.array([score for score, _ in sets], "<f8").tobytes()
        data += np.array([len(parents) for _, parents in sets], "<u2").tobytes()
        data += np.array(members, "<u2").tobytes()
    return data


scores = st.floats(allow_nan=False)


@st.composite
def contents(draw):
    n = draw(st.integers(1, 6))
    lists = []
    for child in draw(st.lists(st.integers(0, n - 1), unique=True)):
        others = st.lists(st.sampled_from([v for v in range(n) if v != child] or [0]), unique=True)
        sets = draw(st.lists(st.tuples(scores, others.map(sorted)), max_size=6))
        lists.append((child, [(s, parents if n > 1 else []) for s, parents in sets]))
    return n, lists, draw(st.booleans()), draw(st.integers(0, n))


class TestBytes:
    def test_they_bring_everything_back(self, lists):
        back = _core.unpack_lists(_core.pack_lists(lists))
        assert plain(back) == plain(lists)
        assert lists.exhaustive_to == 3
        assert _core.pack_lists(back) == _core.pack_lists(lists)

    @pytest.mark.slow
    @given(content=contents())
    def test_they_follow_the_format(self, content):
        n, scored, exhaustive, exhaustive_to = content
        data = written(n, scored, exhaustive=exhaustive, exhaustive_to=exhaustive_to)
        lists = _core.unpack_lists(data)
        assert _core.pack_lists(lists, [child for child, _ in sorted(scored)]) == written(
            n, sorted(scored), exhaustive=exhaustive, exhaustive_to=exhaustive_to
        )
        found, claims = plain(lists)
        assert claims == (exhaustive, exhaustive_to)
        # Reading a list puts it in order; equal scores tie whatever the sign of a zero.
        for child, sets in scored:
            ordered = sorted(sets, key=lambda s: (-s[0], len(s[1]), s[1]))
            assert [(struct.unpack("<d", s)[0], p) for s, p in found[child]] == ordered
        assert sum(map(len, found)) == sum(len(sets) for _, sets in scored)

    @pytest.mark.slow
    def test_long_lists(self):
        sets = [(-float(at), [1, 2, 3]) for at in range(30_000)]
        data = written(4, [(0, sets)])
        lists = _core.unpack_lists(data)
        assert _core.pack_lists(lists, [0]) == data
        assert lists.parents(0, 29_999) == [1, 2, 3]

    def test_some_children_alone(self, lists):
        back = _core.unpack_lists(_core.pack_lists(lists, [5, 2]))
        whole, some = plain(lists)[0], plain(back)[0]
        assert some == [sets if child in (2, 5) else [] for child, sets in enumerate(whole)]
        assert plain(_core.unpack_lists(_core.pack_lists(lists, [])))[0] == [[]] * 8
        with pytest.raises(ParameterError):
            _core.pack_lists(lists, [8])

    @pytest.mark.slow
    @given(data=st.data())
    def test_cut_short_or_continued_they_are_refused(self, lists, data):
        whole = _core.pack_lists(lists, [0, 1])
        end = data.draw(st.integers(0, len(whole) - 1))
        with pytest.raises(FileFormatError):
            _core.unpack_lists(whole[:end])
        with pytest.raises(FileFormatError):
            _core.unpack_lists(whole + whole[:1])

    @pytest.mark.slow
    @given(data=st.data())
    def test_with_bits_flipped_they_are_refused_or_sound(self, lists, data):
        changed = bytearray(_core.pack_lists(lists, [3]))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(
                st.integers(0, min(len(changed) - 1, data.draw(st.sampled_from([40, 9999]))))
            )
            changed[at] ^= 1 << data.draw(st.integers(0, 7))
        try:
            back = _core.unpack_lists(bytes(changed))
        except FileFormatError:
            return
        for child in range(back.variables):
            values = [back.score(child, at) for at in range(back.size(child))]
            assert values == sorted(values, reverse=True)
            for at in range(len(values)):
                parents = back.parents(child, at)
                assert parents == sorted(set(parents) - {child})
                assert all(v < back.variables for v in parents)

    @given(junk=st.binary(max_size=80), begun=st.booleans())
    def test_other_bytes_are_refused(self, junk, begun):
        with pytest.raises(FileFormatError):
            _core.unpack_lists((b"DPL\x01" if begun else b"") + junk + b"\x07")

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (written(2, [], version=2), "version 1, got 2"),
            (written(70000, []), "at most 65535 variables"),
            (written(2, [], exhaustive=2), "how complete"),
            (written(2, [], exhaustive_to=3), "how complete"),
            (written(2, [(2, [])]), "one list at most"),
            (written(2, [(1, []), (1, [])]), "one list at most"),
            (written(2, [(0, [(float("nan"), [])])]), "none of variable 0"),
            (written(2, [(0, [(-1.0, [0])])]), "none of variable 0"),
            (written(2, [(0, [(-1.0, [2])])]), "none of variable 0"),
            (written(3, [(0, [(-1.0, [2, 1])])]), "none of variable 0"),
            (written(3, [(0, [(-1.0, [1, 1])])]), "none of variable 0"),
            (written(3, [(0, [(-1.0, [1])])])[:-4] + b"\2\0\1\0", "other sizes"),
            (written(3, [(0, [])])[:-16] + b"\xff" * 16, "end too early"),
        ],
    )
    def test_refusals_say_why(self, data, message):
        with pytest.raises(FileFormatError, match=message):
            _core.unpack_lists(data)

    def test_scores_next_to_each_other_are_put_in_order(self):
        tiny = [(0.0, [1]), (5e-324, []), (0.0, [])]
        lists = _core.unpack_lists(written(2, [(0, tiny)]))
        assert [lists.parents(0, at) for at in range(3)] == [[], [], [1]]


class TestJoining:
    @pytest.mark.slow
    @given(division=st.lists(st.integers(0, 2), min_size=8, max_size=8))
    def test_blocks_of_children_make_the_whole(self, lists, division):
        blocks = [[c for c in range(8) if division[c] == b] for b in range(3)]
        parts = [_core.unpack_lists(_core.pack_lists(lists, block)) for block in blocks]
        whole = _core.join_lists(parts)
        assert plain(whole) == plain(lists)
        assert _core.pack_lists(whole) == _core.pack_lists(lists)
        assert [part.sets for part in parts] == [0, 0, 0]  # moved, not copied

    @pytest.mark.slow
    @given(contents=st.lists(contents(), min_size=1, max_size=4))
    def test_sets_of_one_child_come_together(self, contents):
        n = max(c[0] for c in contents)
        parts = [
            _core.unpack_lists(written(n, s, exhaustive=e, exhaustive_to=to))
            for _, s, e, to in contents
        ]
        together = {child: [] for child in range(n)}
        for _, scored, _, _ in contents:
            for child, sets in scored:
                together[child] += sets
        expected = written(
            n,
            list(together.items()),
            exhaustive=all(c[2] for c in contents),
            exhaustive_to=min(c[3] for c in contents),
        )
        assert _core.pack_lists(_core.join_lists(parts)) == expected

    def test_what_cannot_be_joined(self, lists):
        with pytest.raises(ParameterError, match="no parent lists"):
            _core.join_lists([])
        other = _core.unpack_lists(written(3, []))
        with pytest.raises(ParameterError, match="got 8 and 3"):
            _core.join_lists([lists, other])
        with pytest.raises((ParameterError, TypeError)):
            _core.join_lists([None])
