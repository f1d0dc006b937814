"""The check that keeps numbers of seconds out of tests finds them, and nothing else."""

import check_tests as tool
import pytest


@pytest.mark.parametrize(
    "line",
    [
        "ds.exact(data, time_limit=2)",
        "asked = {'time_limit': 0.5}",
        "run('learn', 'a.csv', '--time-limit', '20')",
        "words = ['--time-limit', '1e-3']",
        "process.wait(timeout=30)",
        "time.sleep(1)",
        "sleep(0.1)",
        "page.wait_for_timeout(500)",
    ],
)
def test_seconds_are_found(line):
    assert [number for number, _ in tool.seconds_in(f"x = 1\n{line}\n")] == [2]


@pytest.mark.parametrize(
    "line",
    [
        "ds.exact(data, time_limit=NO_TIME)",
        "ds.exact(data, time_limit=None)",
        "wrong = [{'time_limit': 0}, {'time_limit': -1}, {'time_limit': 'x'}]",
        "wrong = {'time_limit': float('nan')}",
        "run('learn', '--time-limit', 'soon')",
        "run('learn', '--time-limit', '0')",
        "sleep(WATCH)",
        "ds.learn(data, max_parents=2)",
    ],
)
def test_what_is_no_number_of_seconds_is_left_alone(line):
    assert list(tool.seconds_in(line)) == []
