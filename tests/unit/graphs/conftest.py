"""Fixtures that the tests here share."""

import pytest

from dagscape.graphs import Dag
from unit.graphs.graph_cases import ARCS, NAMES


@pytest.fixture
def sneeze():
    return Dag(NAMES, ARCS)
