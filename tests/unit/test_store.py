"""Runs that are kept: extended, interrupted, killed, damaged."""

import gc
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress

import pytest

import dagscape as ds
from dagscape import problem
from dagscape.landscape.optima import open_runs
from dagscape.stores import runs as stored_runs
from dagscape.stores import work_store as store_module
from dagscape.stores.runs import Store
from limits import AMPLE, NO_TIME, Clock, wait_for


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


def same(one, other):
    return (one.optima, one.runs, one.work) == (other.optima, other.runs, other.work)


def optima(data, runs, **options):
    return ds.local_optima(data, **{"score": "bic", "k": 0.3, "runs": runs, "seed": 5} | options)


class TestGoingOn:
    def test_more_runs_add_what_is_missing(self, data, path, monkeypatch):
        done = []
        search = stored_runs.Store.add
        monkeypatch.setattr(
            stored_runs.Store,
            "add",
            lambda self, runs: (done.extend(r.run for r in runs), search(self, runs)),
        )
        optima(data, 50, store=path)
        assert sorted(done) == list(range(50))
        done.clear()
        found = optima(data, 120, store=path)
        assert sorted(done) == list(range(50, 120))
        done.clear()
        assert same(optima(data, 120, store=path), found)
        assert done == []

    def test_it_is_as_if_never_interrupted(self, data, path):
        optima(data, 30, store=path)
        found = optima(data, 100, store=path, threads=3)
        whole = optima(data, 100)
        assert same(found, whole)
        assert [o.score.hex() for o in found.optima] == [o.score.hex() for o in whole.optima]
        for kind in ("edges", "paths", "blankets"):
            assert found.features(kind, weights="visits").equals(
                whole.features(kind, weights="visits")
            )

    def test_fewer_runs_are_the_first_ones(self, data, path):
        optima(data, 100, store=path)
        assert same(optima(data, 40, store=path), optima(data, 40))

    def test_holes_are_filled(self, data, path):
        optima(data, 60, store=path)
        with sqlite3.connect(path) as db:
            db.execute("DELETE FROM runs WHERE run % 7 = 3 OR run BETWEEN 20 AND 30 OR run = 0")
        db.close()
        assert same(optima(data, 60, store=path), optima(data, 60))

    def test_time_and_ctrl_c_keep_what_is_done(self, data, path, monkeypatch):
        clock = Clock(monkeypatch)

        def tell(share, _text):
            if share:
                clock.time_is_over()

        short = optima(data, 10**7, store=path, time_limit=AMPLE, progress=tell)
        assert short.stopped == "time"
        assert ds.load_result(path, ds.Landscape).runs == short.runs > 0

        def interrupt(*_):
            os.kill(os.getpid(), signal.SIGINT)

        if sys.platform != "win32":
            longer = optima(data, 10**7, store=path, progress=interrupt)
            assert longer.stopped == "interrupt"
            assert ds.load_result(path, ds.Landscape).runs == longer.runs >= short.runs

    def test_a_store_in_memory_is_like_one_on_disk(self, data, path):
        assert same(optima(data, 25, store=path), optima(data, 25))

    def test_the_order_of_columns_does_not_matter(self, data, path):
        optima(data, 20, store=path)
        turned = data.select(data.names[::-1])
        assert same(optima(turned, 40, store=path), optima(data, 40))


class TestReading:
    def test_a_landscape_from_a_store(self, data, path):
        found = optima(data, 60, store=path, score=ds.BDeu(ess=2.5), max_parents=3)
        read = ds.load_result(path, ds.Landscape)
        assert same(read, found)
        assert (read.k, read.seed, read.max_parents) == (0.3, 5, 3)
        assert read.score_name == "bdeu(ess=2.5)"
        assert read.names == data.names
        assert read.features("paths").equals(found.features("paths"))
        with pytest.raises(ds.ParameterError, match="has no data"):
            read.prove()
        assert read.prove(data).optimal
        assert read.gap >= 0

    def test_what_is_not_there(self, tmp_path):
        with pytest.raises(ds.ParameterError, match="there is no file"):
            ds.load_result(tmp_path / "none.sqlite", ds.Landscape)
        assert list(tmp_path.iterdir()) == []

    def test_one_file_is_left(self, data, path):
        optima(data, 5, store=path)
        assert os.listdir(path.parent) == [path.name]
        path.chmod(0o444)
        assert ds.load_result(path, ds.Landscape).runs == 5


class TestOtherSettings:
    @pytest.mark.parametrize(
        ("other", "words"),
        [
            ({"k": 0.4}, r"k = 0\.3, not 0\.4"),
            ({"seed": 6}, "seed = 5, not 6"),
            ({"max_parents": 2}, "max_parents = none, not 2"),
            ({"neighborhood": "sampled"}, 'neighborhood = "auto", not "sampled"'),
            ({"score": "aic"}, 'score = "bic", not "aic"'),
        ],
    )
    def test_are_refused_by_name(self, data, path, other, words):
        optima(data, 5, store=path)
        with pytest.raises(ds.ParameterError, match=words):
            optima(data, 5, store=path, **other)
        assert ds.load_result(path, ds.Landscape).runs == 5

    def test_parameters_of_scores_to_the_last_digit(self, data, path):
        optima(data, 5, store=path, score=ds.BDeu(1.0))
        with pytest.raises(ds.ParameterError, match="score"):
            optima(data, 5, store=path, score=ds.BDeu(1.0000001))

    def test_other_data(self, data, path):
        optima(data, 5, store=path)
        with pytest.raises(ds.ParameterError, match="holds runs on other data"):
            optima(data.head(299), 5, store=path)

    def test_other_versions(self, data, path, monkeypatch):
        optima(data, 5, store=path)
        monkeypatch.setattr(problem, "version", lambda _: "7.3.1")
        with pytest.raises(ds.ParameterError, match=r"of dagscape 0\.\d+, and this is 7"):
            optima(data, 5, store=path)


class TestOtherFiles:
    def test_files_of_other_kinds_are_left_alone(self, data, path):
        for content in (b"a,b\n1,2\n", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 3000):
            path.write_bytes(content)
            for use in (
                lambda: optima(data, 5, store=path),
                lambda: ds.load_result(path, ds.Landscape),
            ):
                with pytest.raises(ds.FileFormatError, match=r'runs\.sqlite" is not a store'):
                    use()
            assert path.read_bytes() == content
            assert os.listdir(path.parent) == [path.name]

    def test_other_peoples_databases_are_left_alone(self, data, path):
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE runs (run INTEGER)")
        db.close()
        before = path.read_bytes()
        for use in (
            lambda: optima(data, 5, store=path),
            lambda: ds.load_result(path, ds.Landscape),
        ):
            with pytest.raises(ds.FileFormatError, match="some other program"):
                use()
        assert path.read_bytes() == before

    def test_an_empty_file_is_a_new_store(self, data, path):
        path.touch()
        with pytest.raises(ds.FileFormatError, match="empty"):
            ds.load_result(path, ds.Landscape)
        assert optima(data, 5, store=path).runs == 5

    def test_a_store_of_a_later_version(self, data, path):
        optima(data, 5, store=path)
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
        with pytest.raises(ds.FileFormatError, match="later version"):
            ds.load_result(path, ds.Landscape)

    @pytest.mark.parametrize(
        "damage",
        [
            "DROP TABLE runs",
            "DELETE FROM facts",
            "UPDATE facts SET value = '{'",
            "UPDATE models SET graph = x'0000'",
            "UPDATE models SET graph = x'00000000'",
            "UPDATE models SET graph = 'text'",
            "UPDATE models SET score = 'text'",
            "UPDATE models SET score = 9e999",
            "UPDATE models SET score = -9e999",
            "DELETE FROM models",
            "UPDATE runs SET model = 99",
            "UPDATE runs SET steps = 9e999",
            "UPDATE runs SET steps = -1",
            "UPDATE runs SET run = -1 WHERE run = 0",
            "UPDATE facts SET value = '[]'",
            "UPDATE facts SET value = '{}'",
            "UPDATE facts SET value = '3'",
            "UPDATE facts SET value = x'ff'",
            "UPDATE facts SET value = '[\"\\ud800\"]' WHERE name = 'names'",
            f"UPDATE facts SET value = '{'[' * 50_000}'",
            f"UPDATE facts SET value = '{'9' * 5000}'",
            "CREATE VIEW more AS SELECT * FROM runs",
            "CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM models; END",
        ],
        ids=lambda damage: damage[:60],
    )
    def test_damage_is_seen(self, data, path, damage):
        optima(data, 5, store=path)
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA ignore_check_constraints = ON")
            if "SET graph" in damage:
                db.execute("DELETE FROM models WHERE id > 1")
                db.execute("UPDATE runs SET model = 1")
            db.execute(damage)
        db.close()
        with pytest.raises(ds.FileFormatError, match="damaged"):
            ds.load_result(path, ds.Landscape)
        with pytest.raises(ds.DagscapeError):
            optima(data, 10, store=path)

    def test_a_table_that_never_ends(self, data, path):
        optima(data, 5, store=path)
        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE runs")
            db.execute(
                "CREATE VIEW runs AS "
                "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n) "
                "SELECT x AS run, 1 AS model, 0 AS steps, 0 AS better_classes, 0 AS sampled FROM n"
            )
        db.close()
        with pytest.raises(ds.FileFormatError, match="its tables are not those of a store"):
            ds.load_result(path, ds.Landscape)

    @pytest.mark.slow
    def test_any_byte_may_be_damaged(self, data, path):
        optima(data, 40, store=path)
        whole = path.read_bytes()
        for at in range(0, len(whole), 211):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
            for use in (
                lambda: optima(data, 40, store=path),
                lambda: repr(ds.load_result(path, ds.Landscape)),
            ):
                with suppress(ds.DagscapeError):
                    use()
            assert os.listdir(path.parent) == [path.name]
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ds.FileFormatError):
            ds.load_result(path, ds.Landscape)

    def test_folders(self, data, tmp_path):
        with pytest.raises(ds.ParameterError, match="is a folder"):
            optima(data, 5, store=tmp_path)
        with pytest.raises(ds.ParameterError, match="there is no folder"):
            optima(data, 5, store=tmp_path / "none" / "runs.sqlite")


CHILD = """
import sys, dagscape as ds
data = ds.load_network("asia").sample(300, seed=1)
print("begun", flush=True)
ds.local_optima(data, score="bic", k=0.3, runs=10**9, seed=5, threads=1, store=sys.argv[1])
"""


class TestProcesses:
    def test_a_second_writer_is_refused_and_a_reader_is_not(self, data, path):
        optima(data, 5, store=path)
        with Store(path, {"kind": "local optima"}, data.names):
            with pytest.raises(ds.ParameterError, match="another process is adding runs"):
                optima(data, 10, store=path)
            assert ds.load_result(path, ds.Landscape).runs == 5
        assert optima(data, 10, store=path).runs == 10

    def test_a_locked_file_is_waited_for_in_vain(self, data, path, monkeypatch):
        monkeypatch.setattr(store_module, "PATIENCE", NO_TIME)
        optima(data, 5, store=path)
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("BEGIN EXCLUSIVE")
        try:
            with pytest.raises(ds.ParameterError, match="in use by another process"):
                optima(data, 10, store=path)
        finally:
            db.close()

    @pytest.mark.slow
    def test_kill_9(self, data, path):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, os.fspath(path)], stdout=subprocess.PIPE
        )
        try:
            assert child.stdout.readline() == b"begun\n"
            kept = 0

            def written() -> bool:
                nonlocal kept
                with suppress(ds.DagscapeError):  # not made yet
                    kept = ds.load_result(path, ds.Landscape).runs
                return kept > 100

            wait_for(written, lambda: child.poll() is None)
            with pytest.raises(ds.ParameterError, match="another process is adding runs"):
                optima(data, 10, store=path)
        finally:
            child.kill()
            child.wait()
            child.stdout.close()
        found = ds.load_result(path, ds.Landscape)
        assert found.runs >= kept
        more = found.runs + 50
        assert same(optima(data, more, store=path), optima(data, more))
        assert os.listdir(path.parent) == [path.name]


def test_a_store_without_runs_takes_other_settings(path, data):
    """An interrupted call leaves one behind; whoever corrects an option may go on with it."""
    open_runs(path, ds.Problem(data, score="bic"), k=0.3).close()
    found = optima(data, 20, store=path, k=0.5)
    assert ds.load_result(path, ds.Landscape).optima == found.optima
    with pytest.raises(ds.ParameterError, match=r"holds runs with k = 0\.5, not 0\.3"):
        optima(data, 20, store=path)


def test_runs_that_nobody_holds_any_more_let_go_of_their_memory(data):
    """Python from 3.13 on warns of connections that are left to its collector."""
    store = open_runs(None, ds.Problem(data, score="bic"), k=0.3)
    connection = store._db
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
