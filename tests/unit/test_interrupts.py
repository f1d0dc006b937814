"""Whatever the engine runs for long ends as asked: by Ctrl-C, a limit or an error in progress."""

import _thread
import functools
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.cli.app import heard
from dagscape.scores import scorer
from limits import WAIT


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "search",
    [
        lambda data: ds.candidate_parents(data, progress=interrupt),
        lambda data: ds.exact(data, progress=interrupt),
        lambda data: ds.order_search(data, progress=interrupt),
        lambda data: ds.local_optima(data, runs=10**6, progress=interrupt),
    ],
    ids=["candidate_parents", "exact", "order_search", "local_optima"],
)
def test_interrupts_within_progress_are_results(
    search: Callable[[ds.Data], ds.Result | ds.CandidateParents | ds.Landscape],
) -> None:
    data = ds.load_network("alarm").sample(5000, seed=0)
    assert search(data).stopped == "interrupt"


class Engine:
    """Everything in the engine that can be stopped, on a small table; asked with what limits it."""

    def __init__(self) -> None:
        data = ds.load_network("asia").sample(300, seed=0)
        self.all = list(range(data.n_variables))
        self.bic, self.likelihood = scorer(data, "bic"), scorer(data, "ll")
        self.free = _core.Constraints(len(self.all), 3)
        self.lists, _ = _core.sequential_selection(
            self.bic, self.free, _core.PruningRules(), "auto", "auto", 1
        )
        (self.component,) = _core.components(self.lists, False)

    def sequential_selection(self, **limits: Any) -> str:
        rules = _core.PruningRules()
        asked = (self.bic, self.free, rules, "auto", "auto", 1)
        return _core.sequential_selection(*asked, **limits)[1]["stopped"]

    def best_first_selection(self, **limits: Any) -> str:
        asked = (self.bic, self.free, False, _core.PruningRules(), 50, None, 1)
        return _core.best_first_selection(*asked, **limits)[1]["stopped"]

    def components_in_time(self, **limits: Any) -> str:
        return _core.components_in_time(self.lists, True, 1, **limits)[1]

    def find_incumbent(self, **limits: Any) -> str:
        return _core.find_incumbent(self.component, _core.Gap(), 0, **limits)["stopped"]

    def dynamic_programming(self, **limits: Any) -> str:
        return _core.dynamic_programming(self.component, _core.Gap(), 1, **limits)["stopped"]

    def astar(self, **limits: Any) -> str:
        return _core.astar(self.component, _core.Gap(), "patterns", True, **limits)["stopped"]

    def systematic(self, **limits: Any) -> str:
        return _core.systematic(self.component, _core.Gap(), True, **limits)["stopped"]

    def order_search(self, **limits: Any) -> str:
        return _core.order_search(self.lists, self._orders(), **limits)["stopped"]

    def order_restarts(self, **limits: Any) -> str:
        return _core.order_restarts(self.lists, self._orders(), **limits)[1]

    def improve_windows(self, **limits: Any) -> str:
        return _core.improve_windows(self.lists, self.all, 4, **limits)["stopped"]

    def grown_search(self, **limits: Any) -> str:
        return _core.grown_search(self.bic, self.free, "random", 2, 5, 0, 1, **limits)["stopped"]

    def polish_parents(self, **limits: Any) -> str:
        none: list[list[int]] = [[] for _ in self.all]
        return _core.polish_parents(self.bic, self.free, self.all, none, 1, **limits)["stopped"]

    def kes(self, **limits: Any) -> str:
        return _core.kes(self.bic, _core.KesOptions(0.8), 0, **limits)[1]

    def kes_runs(self, **limits: Any) -> str:
        return _core.kes_runs(self.bic, _core.KesOptions(0.8), 0, 0, 3, 1, **limits)[1]

    def ges(self, **limits: Any) -> str:
        return _core.ges(self.bic, True, False, **limits)[1]

    def hill_climb(self, **limits: Any) -> str:
        start, options = (
            _core.Dag(len(self.all), []),
            _core.HillClimbOptions(10, 5, True, 2, 2, 0, 1),
        )
        return _core.hill_climb(self.bic, self.free, start, options, **limits)["stopped"]

    def wide_search(self, **limits: Any) -> str:
        start = _core.Dag(len(self.all), [])
        options = _core.WideSearchOptions(3, 2, 2, 2, 1, 3, 4, 2, True, 0, 1)
        return _core.wide_search(self.bic, self.free, start, options, **limits)["stopped"]

    def sll(self, **limits: Any) -> str:
        return _core.sll(self.bic, self.all, "blankets", [], 20, 5, 1, **limits)["stopped"]

    def hiton(self, **limits: Any) -> str:
        return _core.hiton(*self._tests(), **limits)["stopped"]

    def mmpc(self, **limits: Any) -> str:
        return _core.mmpc(*self._tests(), **limits)["stopped"]

    def near_optimal(self, **limits: Any) -> str:
        return _core.near_optimal(self.lists, 2.0, 1_000, True, **limits)[2]["stopped"]

    def exact_posterior(self, **limits: Any) -> str:
        return _core.exact_posterior(self.lists, True, 1, **limits)[1]

    def bounded_arcs(self, **limits: Any) -> str:
        return _core.bounded_arcs(self.lists, 1, **limits)[1]

    def raise_bound(self, **limits: Any) -> str:
        return _core.DualBound(self.component).raise_bound(_core.Gap(), 3, **limits)["stopped"]

    def astar_by_multipliers(self, **limits: Any) -> str:
        return _core.astar(*self._begun(), "cuts", True, **limits)["stopped"]

    def depth_first(self, **limits: Any) -> str:
        return _core.depth_first(*self._begun(), **limits)["stopped"]

    def chain_lists(self, **limits: Any) -> str:
        return _core.chain_lists(self.lists, 1, **limits)[1]

    def run_chains(self, **limits: Any) -> str:
        chains, _ = _core.chain_lists(self.lists, 1)
        starts = [_core.chain_start(chains, "empty", 0, 0)]
        return _core.run_chains(chains, starts, [0], 50, 10, 20, 0, 1, **limits)[1]

    def predict(self, **limits: Any) -> str:
        network = _core.TableNetwork([2, 2], [[], [0]], [np.full(2, 0.5), np.full(4, 0.5)])
        rows = np.zeros((50, 2), dtype=np.int32)
        return network.predict(rows, 1, 1000, 1, **limits)[1]

    def sample(self, **limits: Any) -> str:
        sums, _ = _core.exact_posterior(self.lists, True, 1)
        return sums.sample(0, 0, 10, 1, **limits)[1]

    def _begun(self) -> tuple[_core.DualBound, _core.Gap]:
        """A bound without multipliers, and a gap that is wide open."""
        gap = _core.Gap()
        gap.offer(1e4, [0] * len(self.all))
        return _core.DualBound(self.component), gap

    def _orders(self) -> _core.OrderSearchOptions:
        return _core.OrderSearchOptions("random", True, 2, 100, 0, 0, 1)

    def _tests(self) -> tuple[Any, ...]:
        return self.likelihood, self.all, "blankets", 0.05, 3, 5.0, False, 1


RUNS = [name for name in vars(Engine) if not name.startswith("_")]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("name", RUNS)
class TestEverythingThatRuns:
    def test_to_its_end(self, engine: Engine, name: str) -> None:
        assert getattr(engine, name)() == ""

    def test_until_time_is_over(self, engine: Engine, name: str) -> None:
        assert getattr(engine, name)(seconds=0) == "time"

    def test_until_an_interrupt(self, engine: Engine, name: str) -> None:
        assert getattr(engine, name)(progress=interrupt) == "interrupt"

    def test_a_late_interrupt_is_told_and_not_raised(self, engine: Engine, name: str) -> None:
        """One that comes when the engine has looked for the last time, with the result there."""
        # Compiled code alone, as Python's own would see the signal at once: next(once, done).
        once = map(_thread.interrupt_main, [signal.SIGINT])
        assert getattr(engine, name)(progress=functools.partial(next, once)) == "interrupt"

    def test_what_progress_raises_comes_through(self, engine: Engine, name: str) -> None:
        def fail(_: float) -> None:
            raise ZeroDivisionError("no progress")

        with pytest.raises(ZeroDivisionError, match="no progress"):
            getattr(engine, name)(progress=fail)

    def test_what_the_handler_of_a_late_signal_raises_comes_through(
        self, engine: Engine, name: str
    ) -> None:
        def handler(*_: object) -> None:
            raise TimeoutError("too late")

        before = signal.signal(signal.SIGALRM, handler)
        once = map(_thread.interrupt_main, [signal.SIGALRM])
        try:
            with pytest.raises(TimeoutError, match="too late"):
                getattr(engine, name)(progress=functools.partial(next, once))
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_progress_is_a_share(self, engine: Engine, name: str) -> None:
        told: list[float] = []
        getattr(engine, name)(progress=told.append)
        assert told
        assert all(0 <= done <= 1 for done in told)


def test_everything_that_tells_progress_is_tried() -> None:
    places = [_core, *(one for one in vars(_core).values() if isinstance(one, type))]
    callables = [(name, getattr(place, name)) for place in places for name in dir(place)]
    told = {
        name
        for name, one in callables
        if any("progress:" in way[0] for way in getattr(one, "__nb_signature__", None) or [])
    }
    assert told | {"astar_by_multipliers"} == set(RUNS)  # of the two ways to call `astar`


class Pressed:
    """Something in whose destructor Ctrl-C is pressed."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_in_a_destructor_comes_once_more_where_it_can_be_caught() -> None:
    with heard() as presses:
        thing = [Pressed()]
        thing.clear()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(WAIT)
        assert presses.count == 1


def test_what_else_a_destructor_raises_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: said.append(raised.exc_type))

    class Broken:
        def __del__(self) -> None:
            raise ValueError

    with heard():
        thing = [Broken()]
        thing.clear()
    assert said == [ValueError]
