"""The same call on a Dask cluster: real processes, some of which are killed."""

from __future__ import annotations

import operator
import os
import re
import socket
import ssl
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import dagscape as ds
from dagscape.stores.runs import Store

pytest.importorskip("distributed")

from distributed import Client
from distributed.security import Security

from clocks import Clock
from dagscape.executors.dask import connect, crew, tasks
from dask_processes import Processes
from limits import AMPLE, FOR_ENDLESS_WORK, NO_TIME, WAIT, WATCH
from sockets import family, listened

SMALL = {"runs": 150, "k": 0.5, "seed": 3}
BACKWARDS = sorted(ds.load_network("alarm").dag.names, reverse=True)
MANY = 10**6  # runs that nobody waits for


@pytest.fixture(scope="module")
def data() -> ds.Data:
    return ds.load_network("alarm").sample(300, seed=1)


@pytest.fixture(scope="module")
def here(data: ds.Data) -> ds.Landscape:
    return ds.local_optima(data, **SMALL)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Return a scheduler and three workers that nobody kills."""
    processes = Processes(tmp_path_factory.mktemp("three"))
    processes.add_workers("one", "two", "three")
    yield processes
    processes.close()


@pytest.fixture(scope="module")
def client(three: Processes) -> Client:
    return three.client()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Processes]:
    """Return a scheduler without workers, to be killed or not."""
    processes = Processes(tmp_path)
    yield processes
    processes.close()


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """Return a scheduler whose workers are killed: each test says how many it begins with."""
    processes = Processes(tmp_path_factory.mktemp("mortal"))
    yield processes
    processes.close()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make batches short, so that there are many even of a small job."""
    monkeypatch.setattr(tasks, "TASK_SECONDS", 0.05)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock that limits go by here; workers have their own."""
    return Clock(monkeypatch)


def same(one: ds.Landscape, other: ds.Landscape) -> bool:
    facts = ("optima", "runs", "work", "sampled")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts)


def once(share: float, do: Callable[[], object]) -> Callable[[float | None, str], None]:
    """Return a progress function that does something when so much is done."""
    done = []

    def told(now: float | None, _: str) -> None:
        if now is not None and now >= share and not done:
            done.append(now)
            do()

    return told


class TestSameResult:
    @pytest.mark.usefixtures("short")
    def test_local_optima(self, data, here, client):
        there = ds.local_optima(data, **SMALL, cluster=client)
        assert same(there, here)
        assert there.stopped is None

    @pytest.mark.usefixtures("short")
    def test_stores_are_equal_byte_for_byte_in_what_they_say(self, data, client, tmp_path):
        ds.local_optima(data, **SMALL, store=tmp_path / "here")
        ds.local_optima(data, **SMALL, store=tmp_path / "there", cluster=client)
        one, other = (
            ds.load_result(tmp_path / "here", ds.Landscape),
            ds.load_result(tmp_path / "there", ds.Landscape),
        )
        assert same(one, other)
        assert [repr(o.score) for o in one.optima] == [repr(o.score) for o in other.optima]

    @pytest.mark.usefixtures("short")
    def test_bootstrap(self, data, client):
        here = ds.bootstrap(data, runs=12, seed=4)
        there = ds.bootstrap(data, runs=12, seed=4, cluster=client)
        assert there.networks == here.networks

    @pytest.mark.usefixtures("short")
    def test_bagged_posterior(self, client, tmp_path):
        asia, asked = ds.load_network("asia").sample(200, seed=1), {"resamples": 12, "seed": 4}
        here = ds.posterior(asia, **asked)
        there = ds.posterior(asia, **asked, cluster=client, store=tmp_path / "there")
        kept = ds.load_result(tmp_path / "there", ds.Posterior)
        for kind in ("arcs", "ancestors", "edges"):
            assert there.features(kind).equals(here.features(kind))
            assert kept.features(kind).equals(here.features(kind))
        assert there.networks(20) == here.networks(20)
        assert (there.resamples, there.claim) == (12, here.claim)

    @pytest.mark.usefixtures("short")
    def test_chains(self, client, tmp_path):
        asia = ds.load_network("asia").sample(200, seed=1)
        asked = {"method": "mcmc", "chains": 6, "rounds": 200, "seed": 4}
        here = ds.posterior(asia, **asked)
        there = ds.posterior(asia, **asked, cluster=client, store=tmp_path / "there")
        for kind in ("arcs", "ancestors", "edges"):
            assert there.features(kind).equals(here.features(kind))
        assert there.networks(20) == here.networks(20)
        assert (there.agreement, there.claim) == (here.agreement, here.claim)
        assert ds.load_result(tmp_path / "there", ds.Posterior).agreement == here.agreement

    @pytest.mark.usefixtures("short")
    def test_chains_that_jump(self, client):
        """Each worker finds the optima by itself."""
        rng = np.random.default_rng(1)
        columns = [rng.integers(2, size=300)]
        while len(columns) < 16:  # each a copy of the last, with errors
            columns.append(columns[-1] ^ (rng.random(300) < 0.1))
        table = ds.Data({f"x{v:02}": column for v, column in enumerate(columns)})
        asked = {"method": "mcmc", "chains": 5, "rounds": 100, "max_parents": 2, "seed": 4}
        here = ds.posterior(table, **asked)
        assert here.agreement.jumps_taken > 0
        there = ds.posterior(table, **asked, cluster=client)
        assert there.features("arcs").equals(here.features("arcs"))
        assert there.agreement == here.agreement

    @pytest.mark.parametrize("method", ["sll", "hiton", "mmpc"])
    @pytest.mark.parametrize("target", [None, ["Grunting", "Age"], "Sick"])
    def test_local_learning(self, client, method, target):
        data = ds.load_network("child").sample(300, seed=1)
        for learn in (ds.neighbors, ds.markov_blanket):
            here = learn(data, target, method=method)
            there = learn(data, target, method=method, cluster=client)
            assert there == here
            assert there.stopped is None
            assert there.work["searches"] >= here.work["searches"]

    @pytest.mark.parametrize(
        "asked",
        [
            {"max_parents": 2},
            {"max_parents": 2, "neighborhood": "block", "init": "dfs", "generations": 3},
            {"max_parents": 2, "neighborhood": "swap", "restarts": 40},
            {"parent_sets": "grown", "restarts": 5},
            {"parent_sets": "grown", "restarts": 3, "start": BACKWARDS},
            {"max_parents": 1, "neighborhood": "swap", "restarts": 9, "start": BACKWARDS},
        ],
    )
    def test_order_search(self, data, client, asked):
        here = ds.order_search(data, **asked, seed=2)
        there = ds.order_search(data, **asked, seed=2, cluster=client)
        assert (there.dag, repr(there.score), there.bound) == (
            here.dag,
            repr(here.score),
            here.bound,
        )
        assert there.work["restarts"] == here.work["restarts"]

    @pytest.mark.parametrize(
        "asked",
        [
            {"max_parents": 3},
            {"max_parents": 2, "prune": False, "score": "k2"},
            {"method": "greedy", "sets_per_variable": 200},
            {"method": "independence", "sets_per_variable": 200, "score": "bdeu"},
            {"method": "hybrid", "max_parents": 3, "sets_per_variable": 100},
        ],
    )
    def test_candidate_parents(self, data, client, asked, tmp_path):
        known = ds.Knowledge(required=[("HISTORY", "LVFAILURE")], forbidden=[("HR", "CVP")])
        here = ds.candidate_parents(data, **asked, knowledge=known)
        there = ds.candidate_parents(data, **asked, knowledge=known, cluster=client)
        here.write(tmp_path / "here.jkl")
        there.write(tmp_path / "there.jkl")
        assert (tmp_path / "there.jkl").read_bytes() == (tmp_path / "here.jkl").read_bytes()
        for fact in ("exhaustive", "exhaustive_to", "stopped"):
            assert getattr(there, fact) == getattr(here, fact)
        assert there.work["families_scored"] == here.work["families_scored"]

    def test_an_address(self, data, here, three):
        assert same(ds.local_optima(data, **SMALL, cluster=three.address), here)

    def test_processes_of_this_machine(self, data, here):
        assert same(ds.local_optima(data, **SMALL, cluster="local:2"), here)

    @pytest.mark.usefixtures("short")
    def test_data_travel_once_to_each_worker(self, client):
        fresh = ds.load_network("alarm").sample(400, seed=9)
        ds.local_optima(fresh, runs=200, cluster=client)
        first = self.who_has(client, fresh)
        assert first, "no worker had the data"
        ds.local_optima(fresh, runs=200, seed=1, cluster=client)
        again = self.who_has(client, fresh)
        assert {worker: again[worker] for worker in first} == first, "unpacked again"

    @staticmethod
    def who_has(client: Client, data: ds.Data) -> dict[str, int]:
        """Return which object the table is, on workers that have it."""

        def identity(mark: str) -> int:
            from dagscape.executors.dask.parcels import Parcel  # there

            return id(Parcel.unpacked.get(mark))

        nothing = client.run(lambda: id(None))
        found = client.run(identity, ds.Problem(data).mark)
        return {worker: it for worker, it in found.items() if it != nothing[worker]}

    def test_progress_counts_the_workers(self, data, client):
        told = []
        ds.local_optima(data, runs=20, cluster=client, progress=lambda *words: told.append(words))
        assert told[-1][0] == 1
        assert "20 of 20 runs" in told[-1][1]
        assert told[-1][1].endswith("3 workers")


class TestFaults:
    @pytest.mark.usefixtures("short")
    def test_a_worker_is_killed(self, data, mortal, monkeypatch):
        mortal.leave(3)
        one, two, three = mortal.workers
        kept = []
        add = Store.add
        monkeypatch.setattr(
            Store, "add", lambda s, runs: (kept.extend(r.run for r in runs), add(s, runs))[1]
        )
        told = once(0.2, lambda: mortal.kill(two))
        there = ds.local_optima(data, **SMALL, cluster=mortal.client(), progress=told)
        assert mortal.workers.keys() == {one, three}
        assert sorted(kept) == list(range(SMALL["runs"])), "a run was lost, or taken in twice"
        monkeypatch.undo()
        assert same(there, ds.local_optima(data, **SMALL))

    @pytest.mark.usefixtures("short")
    def test_all_who_have_the_data_are_killed(self, data, here, mortal):
        mortal.leave(1)
        (one,) = mortal.workers

        def replace() -> None:
            mortal.kill(one)
            mortal.add_worker(f"after {one}")

        told = once(0.2, replace)
        assert same(ds.local_optima(data, **SMALL, cluster=mortal.client(), progress=told), here)

    @pytest.mark.usefixtures("short")
    def test_the_scheduler_is_lost(self, data, own, tmp_path, monkeypatch):
        own.add_workers("one")
        client = own.client(WATCH)
        monkeypatch.setattr(crew, "PATIENCE", WATCH)
        told = once(1 / MANY, own.kill_scheduler)
        kept = {"k": 0.5, "store": tmp_path / "runs.sqlite"}
        with pytest.warns(ds.ClusterWarning, match="the scheduler at .* is gone"):
            part = ds.local_optima(data, **kept, runs=MANY, cluster=client, progress=told)
        assert part.stopped == "cluster"
        assert 0 < part.runs < MANY
        assert ds.load_result(kept["store"], ds.Landscape).runs == part.runs
        more = part.runs + 10
        whole = ds.local_optima(data, k=0.5, runs=more)
        assert same(ds.local_optima(data, **kept, runs=more), whole)

    @pytest.mark.usefixtures("short")
    def test_another_version_is_refused(self, data, mortal, tmp_path):
        """By name, when it comes late, and when it is there from the beginning."""
        mortal.leave(1)
        older = str(_older(tmp_path))
        told = once(0.0, lambda: mortal.add_worker("old", PYTHONPATH=older))
        with pytest.raises(ds.ClusterError, match=r"has dagscape 0\.0\.1"):
            ds.local_optima(data, runs=MANY, cluster=mortal.client(), progress=told)
        workers = mortal.client().scheduler_info()["workers"].items()
        (address,) = (address for address, worker in workers if worker["name"] == "old")
        try:
            with pytest.raises(ds.ClusterError, match=rf"{address} has dagscape 0\.0\.1"):
                ds.local_optima(data, **SMALL, cluster=mortal.client())
        finally:
            mortal.kill("old")

    def test_ctrl_c_cancels_what_is_queued(self, data, client):
        def interrupt() -> None:
            raise KeyboardInterrupt

        told = once(1 / MANY, interrupt)
        part = ds.local_optima(data, runs=MANY, cluster=client, progress=told)
        assert part.stopped == "interrupt"
        assert 0 < part.runs < MANY
        give_up = time.monotonic() + WAIT
        while any(client.processing().values()):
            assert time.monotonic() < give_up, "the cluster is still busy"
            time.sleep(WATCH)

    @pytest.mark.usefixtures("short")
    def test_time_limit(self, data, client, clock):
        told = once(1 / MANY, clock.end)
        part = ds.local_optima(data, runs=MANY, time_limit=AMPLE, cluster=client, progress=told)
        assert part.stopped == "time"
        assert 0 < part.runs < MANY

    @pytest.mark.usefixtures("short")
    def test_time_limit_of_other_searches(self, data, client, clock):
        def told(_share: float | None, text: str) -> None:
            if re.search(r"([2-9]|[1-9][0-9,]+) restarts", text):
                clock.end()

        asked = {"time_limit": AMPLE, "cluster": client, "progress": told}
        order = ds.order_search(data, parent_sets="grown", **asked)
        assert order.stopped == "time"
        assert order.work["restarts_begun"] > 1
        assert order.score == pytest.approx(ds.score(data, order.dag))
        listed = ds.order_search(data, max_parents=2, **asked)
        assert listed.score == pytest.approx(ds.score(data, listed.dag))
        around = ds.markov_blanket(data, time_limit=NO_TIME, cluster=client)
        assert around.stopped == "time"
        assert set(around.unfinished) == set(data.names)
        limit = FOR_ENDLESS_WORK
        sets = ds.candidate_parents(data, score="bdeu", time_limit=limit, cluster=client)
        assert sets.stopped == "time"
        assert all(len(sets[name]) for name in data.names)

    def test_ctrl_c_in_other_searches(self, data, client):
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        around = ds.markov_blanket(data, cluster=client, progress=interrupt)
        assert around.stopped == "interrupt"
        for parent_sets in ("listed", "grown"):
            order = ds.order_search(
                data, parent_sets=parent_sets, max_parents=2, cluster=client, progress=interrupt
            )
            assert order.stopped == "interrupt"
            assert order.score == pytest.approx(ds.score(data, order.dag))
        sets = ds.candidate_parents(data, max_parents=3, cluster=client, progress=interrupt)
        assert sets.stopped == "interrupt"
        assert all(len(sets[name]) for name in data.names)

    def test_what_goes_wrong_on_a_worker_is_said_here(self, data, client, monkeypatch):
        monkeypatch.setattr("dagscape.landscape.optima.kes_batch", operator.floordiv)
        with pytest.raises(TypeError, match="floordiv expected 2 arguments, got 4"):
            ds.local_optima(data, **SMALL, cluster=client)


def _older(folder: Path) -> Path:
    """Return a folder that makes Python believe in another version."""
    facts = folder / "older" / "dagscape-0.0.1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: dagscape\nVersion: 0.0.1\n")
    return facts.parent


class TestRefusals:
    @pytest.mark.parametrize("words", ["local:", "local:0", "local:x", "local:-1", "local:²"])
    def test_no_number_of_processes(self, data, words):
        with pytest.raises(ds.ParameterError, match="number of processes"):
            ds.local_optima(data, runs=2, cluster=words)

    def test_nobody_there(self, data, monkeypatch):
        monkeypatch.setattr(connect, "PATIENCE", 0.5)
        with pytest.raises(ds.ClusterError, match="no scheduler answers at"):
            ds.local_optima(data, runs=2, cluster="tcp://127.0.0.1:9")

    def test_no_address(self, data):
        with pytest.raises(ds.ClusterError, match="no scheduler answers at"):
            ds.local_optima(data, runs=2, cluster="nonsense://here")

    def test_something_else(self, data):
        with pytest.raises(ds.ParameterError, match="must be a Dask client"):
            ds.local_optima(data, runs=2, cluster=4)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists sockets there")
def test_processes_that_we_start_listen_to_this_machine_alone():
    own = os.getpid()
    before = family(own)  # other tests have clusters too
    with connect.connected("local:2") as executor:
        assert executor.hands() == 2
        addresses = {process: listened(process) for process in family(own) - before | {own}}
    # This process has the scheduler; a worker and its HTTP server listen in each of two others.
    assert len([process for process, found in addresses.items() if found]) == 3
    assert all(address.is_loopback for found in addresses.values() for address in found)


def key_of(security: Security | None) -> ssl.SSLContext:
    """Return what begins a connection, with a key or without one, to whoever it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if security is not None:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            file = Path(folder) / "key.pem"
            file.write_text(security.tls_client_key + security.tls_client_cert)
            context.load_cert_chain(file)
    return context


def let_in(address: str, key: ssl.SSLContext | None) -> bool:
    """Tell whether a process greets who connects."""
    host, _, port = address.rpartition("/")[2].partition(":")
    with socket.create_connection((host, int(port)), timeout=WAIT) as plain:
        try:
            with plain if key is None else key.wrap_socket(plain) as line:
                if key is None:
                    line.sendall(bytes(64))
                return bool(line.recv(1)) and key is not None
        except (ssl.SSLError, ConnectionError):
            return False


def test_processes_that_we_start_let_nobody_in_without_the_key(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "there").mkdir()
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "there"))
    with connect.connected("local:1") as executor:
        client = executor._client
        workers = client.scheduler_info()["workers"]
        [worker] = workers
        own = client.security
        for address in (client.scheduler.address, worker):
            assert let_in(address, key_of(own))
            assert not let_in(address, key_of(Security.temporary()))
            assert not let_in(address, key_of(None))
            assert not let_in(address, None)
        port = client.scheduler_info()["services"].get("dashboard") or 0
        with pytest.raises(OSError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/info/main/workers.html", timeout=WAIT)
        folder = Path(workers[worker]["local_directory"])
        assert folder.is_relative_to(tmp_path / "there")
        [private] = (tmp_path / "there").iterdir()
        assert private.stat().st_mode & 0o77 == 0
    assert not [*(tmp_path / "there").iterdir()]
    assert os.environ["PYTHONSAFEPATH"] == ""


def test_no_key_can_be_made(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ds.ParameterError, match=r"needs the package cryptography"):
        ds.local_optima(data, runs=2, cluster="local:2")


@pytest.mark.parametrize("met", [TimeoutError, OSError, KeyboardInterrupt])
def test_nothing_that_closing_meets_costs_what_came_back(monkeypatch, met):
    left = []

    class Closing:
        asynchronous = False

        def __init__(self, *_: object, **__: object) -> None: ...

        def close(self) -> None:
            left.append(self)
            raise met

    monkeypatch.setattr(connect, "Client", Closing)
    monkeypatch.setattr(connect, "LocalCluster", Closing)
    for address, things in (("local:1", 2), ("tcp://there:1", 1)):
        left.clear()
        with connect.connected(address) as executor:
            assert executor.scattered
        assert len(left) == things, address
