"""Learning as one of the searches that samples of the data can be given to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagscape.data import Data
from dagscape.landscape.searches import SEARCHES, Asked
from dagscape.learning.learn import learn
from dagscape.results import Result

if TYPE_CHECKING:
    from dagscape.graphs import Dag
    from dagscape.search.exact.known_cuts import Beginning


def learn_sample(
    data: Data, asked: Asked, _: Dag | Beginning | None, limits: dict[str, Any]
) -> Result:
    """Look for a network as learning does, and leave out what it does beside that."""
    data = Data(
        data, missing="keep", rows_independent=True
    )  # rows that are drawn repeat by themselves
    return learn(data, runs=0, resamples=0, **asked.question, **limits)


SEARCHES["learn"] = learn_sample
