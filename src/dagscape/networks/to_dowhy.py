"""A network and its table as a model of DoWhy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dagscape.data import check_data
from dagscape.errors import DataError, ParameterError
from dagscape.other_libraries import load_library

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag


def causal_model(dag: Dag, data: Data, cause: str, outcome: str) -> Any:
    """Do what :meth:`Result.to_dowhy` says."""
    check_data(data)
    for name in (cause, outcome):
        dag.parents(name)  # refuses a name that is none
    if cause == outcome:
        raise ParameterError("cause and outcome must be two variables")
    if sorted(data.names) != sorted(dag.names):
        raise DataError("the table has other columns than the network has variables")
    made = load_library("dowhy", "dowhy").CausalModel
    frame = data.to_pandas()
    for name, states in data.states.items():
        if name not in data.numbers and len(states) == 2:
            frame[name] = frame[name].cat.codes.astype(int)
    return made(data=frame, treatment=cause, outcome=outcome, graph=dag.to_networkx())
