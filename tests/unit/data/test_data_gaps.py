"""Tables that keep their missing cells."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.selection import estimate_parents

FRAME = {
    "a": [1, None, 2, 2] * 10,
    "b": ["x", "y", None, None] * 10,
    "c": ["u", None, "v", "u"] * 10,
    "d": ["p", "q"] * 20,
}
KEPT = ds.Data(FRAME, missing="keep")


class TestMissingCells:
    def test_how_many_and_where(self) -> None:
        gaps = KEPT.missing
        assert gaps
        assert (gaps.cells, gaps.rows, gaps.empty_rows) == (40, 30, 0)
        assert gaps.share == 40 / 160
        assert gaps.columns == {"a": 10, "b": 20, "c": 10}
        assert gaps.mask[:, 1].tolist() == [False, False, True, True] * 10
        assert KEPT.codes[:4, 1].tolist() == [0, 1, 2, 2]  # the number of states
        assert repr(gaps).startswith('40 missing cells (25.0 %) in 30 rows: "b" (20)')
        assert "40 missing cells" in repr(KEPT)

    def test_which_go_together(self) -> None:
        first, *rest = KEPT.missing.together()
        assert (first["first"], first["second"], first["rows"]) == ("a", "c", 10)
        assert first["expected"] == 2.5
        assert first["correlation"] == pytest.approx(1)
        assert not rest  # a and b are never missing together
        assert KEPT.missing.together(0) == []

    def test_none(self) -> None:
        whole = ds.Data({"a": [1, 2, 1], "b": [1, 1, 2]}, missing="keep")
        assert not whole.missing
        assert not whole.missing.mask.any()
        assert whole == ds.Data({"a": [1, 2, 1], "b": [1, 1, 2]})
        assert repr(whole.missing) == "no missing cells"
        assert whole._engine_table.rows == 3

    def test_256_states_leave_no_code_of_a_byte(self) -> None:
        values = [f"s{i:03}" for i in range(256)] * 3
        whole = ds.Data({"x": values, "y": ["a", "b"] * 384})
        kept = ds.Data({"x": [*values[:-1], None], "y": ["a", "b"] * 384}, missing="keep")
        assert not whole.missing
        assert (whole.codes.dtype, kept.codes.dtype) == (np.uint8, np.uint16)
        assert kept.missing.columns == {"x": 1}
        assert kept.take(range(767)) == whole.head(767)
        assert kept.head(3).codes.dtype == np.uint8


class TestTable:
    @pytest.mark.slow
    def test_keeps_gaps(self, tmp_path: Path) -> None:
        for ending in ("csv", "tsv.gz", "parquet", "arrow"):
            KEPT.write(tmp_path / f"t.{ending}")
            assert ds.read_data(tmp_path / f"t.{ending}", missing="keep") == KEPT
        assert pickle.loads(pickle.dumps(KEPT)) == KEPT
        assert copy.deepcopy(KEPT) == KEPT
        assert pickle.loads(pickle.dumps(KEPT)).notes == KEPT.notes
        assert KEPT.to_polars()["b"].null_count() == 20
        assert KEPT.select(["d", "b"]).missing.columns == {"b": 20}
        assert not KEPT.select(["d"]).missing
        assert KEPT.lost_as_text == ds.Data(KEPT, missing="mode").lost_as_text

    def test_gaps_are_part_of_what_a_table_is(self) -> None:
        other = ds.Data(FRAME | {"b": ["x", "y", "x", "y"] * 10}, missing="keep")
        assert other != KEPT
        shuffled = ds.Data({x: FRAME[x] for x in "dbca"}, missing="keep")
        assert shuffled == KEPT

    def test_take(self) -> None:
        taken = KEPT.take([2, 2, 0])
        assert taken.codes.tolist() == KEPT.codes[[2, 2, 0]].tolist()
        assert taken.states == KEPT.states
        with pytest.raises(ds.ParameterError, match=r"between 0 and 39 \(rows - 1\), got 40"):
            KEPT.take([40])
        for wrong in ([], [0.5], [[0]]):
            with pytest.raises(ds.ParameterError, match="rows must be a list of"):
                KEPT.take(wrong)  # type: ignore[arg-type]

    @pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
    @pytest.mark.parametrize("policy", ["mode", "random", "state"])
    def test_can_be_completed_later(self, policy: str) -> None:
        later = ds.Data(KEPT, missing=policy, seed=3)
        at_once = ds.Data(FRAME, missing=policy, seed=3)
        assert later == at_once
        assert set(later.notes) == set(at_once.notes)
        with pytest.raises(ds.DataError, match='column "a" has 10 missing values'):
            ds.Data(KEPT)
        assert ds.Data(KEPT, missing="keep") == KEPT

    @pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
    def test_rows_can_be_dropped_later_and_states_stay(self) -> None:
        later = ds.Data(KEPT, missing="drop")
        assert later == KEPT.take(range(0, 40, 4))
        assert "rows_dropped" in {note.kind for note in later.notes}

    def test_is_noted(self) -> None:
        kept = [note for note in KEPT.notes if note.kind == "missing_cells"]
        assert [(note.column, note.how, note.level) for note in kept] == [
            (x, "keep", "fact") for x in "abc"
        ]
        empty = ds.Data({"a": [1, None, 2] * 9, "b": [1, None, 1] * 9}, missing="keep")
        assert empty.missing.empty_rows == 9
        assert "9 of 27 rows have no value at all and say nothing" in empty.warnings

    def test_a_column_without_values(self) -> None:
        with pytest.raises(ds.DataError, match=r'"a" has no values at all; leave it out, or'):
            ds.Data({"a": [None, None], "b": [1, 2]}, missing="keep")


CALLS = {
    "ds.exact": lambda: ds.exact(KEPT),
    "ds.ges": lambda: ds.ges(KEPT),
    "ds.kes": lambda: ds.kes(KEPT),
    "ds.order_search": lambda: ds.order_search(KEPT),
    "ds.hill_climb": lambda: ds.hill_climb(KEPT),
    "ds.mmhc": lambda: ds.mmhc(KEPT),
    "ds.sll_c": lambda: ds.sll_c(KEPT),
    "ds.sll_g": lambda: ds.sll_g(KEPT),
    "ds.neighbors": lambda: ds.neighbors(KEPT, "a"),
    "ds.markov_blanket": lambda: ds.markov_blanket(KEPT, "a"),
    "ds.candidate_parents": lambda: ds.candidate_parents(KEPT),
    "ds.selection.estimate_parents": lambda: estimate_parents(KEPT),
    "ds.local_optima": lambda: ds.local_optima(KEPT, runs=2),
    "ds.near_optimal": lambda: ds.near_optimal(KEPT),
    "ds.bootstrap": lambda: ds.bootstrap(KEPT),
    "ds.score": lambda: ds.score(KEPT, []),
    "ds.local_score": lambda: ds.local_score(KEPT, "a"),
    "ds.fit": lambda: ds.fit(ds.Dag(KEPT.names), KEPT),
    "ds.cross_validate": lambda: ds.cross_validate(KEPT, "a"),
    "Network.log_likelihood": lambda: ds.load_network("asia").log_likelihood(KEPT),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_needs_every_cell_says_so_by_name(name: str) -> None:
    says = rf'keeps 40 missing cells \(in "b" and 2 more\), but {name} needs a value in every cell'
    with pytest.raises(ds.DataError, match=says + '; choose missing="drop", "mode"') as told:
        CALLS[name]()
    assert str(told.value).endswith("or learn with ds.learn or ds.structural_em")
