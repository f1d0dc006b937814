"""Wrong arguments, all of them: each is taken or refused in a sentence, never met in the depths."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import dagscape as ds
from wrong_values import Right, calls, methods, wrong_calls

SHARES = 8
"""Of all calls the tests make one in so many: another value for each parameter."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.usefixtures("in_a_folder_of_its_own"),
]


@pytest.fixture
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # where files with odd names do no harm
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="module")
def rights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Right]:
    return calls(tmp_path_factory.mktemp("wrong"))


def met_in_the_depths(rights: dict[str, Right], shares: int = 1) -> list[str]:
    """Return calls that end in an error of somebody else's."""
    raw, number = [], 0
    for name, right in rights.items():
        for words, call in wrong_calls(right):
            number += 1
            if number % shares:
                continue
            try:
                call()
            except (ds.DagscapeError, MemoryError) as error:
                if not str(error):
                    raw.append(f"{name}({words}): no word")
            except Exception as error:
                raw.append(f"{name}({words}): {type(error).__name__}: {error}")
    return raw


def is_refused(right: Right) -> bool:
    try:
        right.call(**right.arguments)
    except ds.DagscapeError:
        return True
    return False


def test_a_share_of_them(rights):
    assert met_in_the_depths(rights, SHARES) == []


@pytest.mark.long
def test_all_of_them(rights):
    assert met_in_the_depths(rights) == []


def test_what_is_right_is_taken(rights):
    """Else what is wrong beside a right value would never be looked at."""
    refused = [name for name, right in rights.items() if is_refused(right)]
    # Packages that are not there, and what is for networks of states alone.
    allowed = ("net.from_p", "net.to_p", "number_net.", "step_net.")
    words = ("from_causallearn", "to_causallearn", "from_dowhy", "to_dowhy")
    allowed += ("net.forecast", "net.unrolled")  # of networks over time
    assert [n for n in refused if not n.startswith(allowed) and not n.endswith(words)] == []


def test_no_method_is_left_out(rights):
    asked = {getattr(right.call, "__func__", right.call) for right in rights.values()}
    assert [name for name, method in methods().items() if method not in asked] == []
