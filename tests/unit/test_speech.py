"""Sentences name settings as their reader does: by name in Python, by option in a command."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import dagscape as ds
from dagscape.speech import choice, for_python, in_shell, leave_out, setting, speaking_of, values

OPTIONS = {
    "missing": "--missing",
    "max_parents": "--max-parents",
    "discretize": "--discretize",
    "separator": "--separator",
    "leave_out": "--leave-out",
}

SENTENCES = [
    (lambda: setting("max_parents"), "max_parents", "--max-parents"),
    (lambda: setting("prune"), "prune", "prune"),
    (lambda: choice("missing", "drop"), 'missing="drop"', "--missing drop"),
    (
        lambda: choice("missing", "drop", "mode", "state"),
        'missing="drop", "mode" or "state"',
        "--missing drop, mode or state",
    ),
    (
        lambda: choice("discretize", "mean", ("quantile", "k")),
        'discretize="mean" or ("quantile", k)',
        "--discretize mean or quantile:K",
    ),
    (
        lambda: choice("discretize", {"the age": ("width", 3)}),
        'discretize={"the age": ("width", 3)}',
        "--discretize 'the age=width:3'",
    ),
    (lambda: choice("separator", "\t"), r'separator="\t"', "--separator tab"),
    (lambda: choice("separator", ";"), 'separator=";"', "--separator ';'"),
    (lambda: choice("frame", "pandas"), 'frame="pandas"', 'frame="pandas"'),
    (lambda: values("missing", "a", "b"), '"a", "b"', "a, b"),
    (lambda: in_shell("missing", "drop"), "", "--missing drop"),
    (lambda: in_shell("leave_out"), "", "--leave-out"),
    (lambda: leave_out("who is it"), "leave it out", "leave it out (--leave-out 'who is it')"),
    (lambda: for_python("score a Dag", "score a network"), "score a Dag", "score a network"),
]


@pytest.mark.parametrize(("made", "python", "shell"), SENTENCES)
def test_words_are_the_reader_s(made, python, shell):
    assert made() == python
    with speaking_of(OPTIONS):
        assert made() == shell
    assert made() == python


def test_threads_of_a_command_speak_of_its_options():
    with speaking_of(OPTIONS), ThreadPoolExecutor(1) as pool:
        assert pool.submit(setting, "max_parents").result() == "--max-parents"
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(setting, "max_parents").result() == "max_parents"


def test_an_error_speaks_of_what_its_reader_can_change():
    with pytest.raises(ds.ParameterError, match=r"^max_parents must be between 0 and 0"):
        ds.exact(ds.Data({"a": [0, 1]}), max_parents=3)
    with (
        speaking_of(OPTIONS),
        pytest.raises(ds.ParameterError, match=r"^--max-parents must be between 0 and 0"),
    ):
        ds.exact(ds.Data({"a": [0, 1]}), max_parents=3)


def test_names_of_columns_that_look_like_settings_stay_as_they_are():
    """A column may be called as a setting is; patterns in sentences cannot tell the two apart."""
    with (
        speaking_of(OPTIONS),
        pytest.raises(ds.DataError, match='column "missing must be" has 1 missing value'),
    ):
        ds.Data({"missing must be": [None, "x"], "b": ["x", "y"]})
