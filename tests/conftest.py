"""What all tests have in common."""

import gc
import random
import signal
import threading
from collections.abc import Iterator

import pytest
from hypothesis import settings

import seeds
from counted_work import CountedWork
from cpu_seconds import CpuSeconds

# The same cases every time, and no limit of time for one: machines are slow at times.
settings.register_profile("dagscape", derandomize=True, deadline=None)
settings.load_profile("dagscape")

# Started in the background by a shell, this process would ignore a Ctrl-C, also those of tests.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make long` ask whether tests do little work unless they are marked, in any order."""
    parser.addoption("--count-work", action="store_true", help="fail slow tests without the mark")
    parser.addoption("--cpu-seconds", action="store_true", help="tell which tests take most")
    parser.addoption("--whole", action="store_true", help="try all random cases, not a third")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in another order")


def pytest_configure(config: pytest.Config) -> None:
    """Count work where it is asked for; say how many cases are tried."""
    seeds.WHOLE = config.getoption("--whole")
    if config.getoption("--count-work"):
        config.pluginmanager.register(CountedWork())
    if config.getoption("--cpu-seconds"):
        config.pluginmanager.register(CpuSeconds())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for circles of objects only among those made by tests.

    What is collected stays: to look through a million objects of it again and again would take a
    third of the collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests, alike in every worker, where that is asked for."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)
