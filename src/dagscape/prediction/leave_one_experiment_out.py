"""Leave one experiment out: learn from the others, and foretell its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.control.limits import ShowProgress, check_progress, use_seed
from dagscape.control.progress import shows_progress
from dagscape.data import Data, check_data
from dagscape.errors import DataError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import Network, fit
from dagscape.prediction.experiments_left_out import ExperimentsLeftOut, LeftOut
from dagscape.prediction.structures import BASELINES, structure_maker
from dagscape.speech import choice, setting

if TYPE_CHECKING:
    from dagscape.data.experiments import Experiments
    from dagscape.prediction.structures import Structure, StructureMaker


@shows_progress
def leave_one_experiment_out(
    data: Data,
    structure: Structure = "learn",
    *,
    ess: float | None = None,
    seed: int = 0,
    progress: ShowProgress = None,
    **settings: Any,
) -> ExperimentsLeftOut:
    """Measure how well networks predict experiments that they have not seen.

    For each experiment a network is learned and fitted on all other rows, and foretells its rows by
    `do`: variables that it set have the values that they were given, and each other variable is
    judged by its probability given its parents. Beside it stand the network of the same rows with
    all experiments taken as observed, that of observed rows alone, and that without arcs.

    Parameters
    ----------
    data
        A table with ``interventions=``, of two experiments at least; rows in which nothing was set
        count as one, called "none".
    structure
        How the structure is found, as for :func:`cross_validate`: the name of a search, a function
        of a table, or a :class:`Dag`, of which only the parameters are then fitted.
    ess
        Equivalent sample size of the tables, above 0, if each is not to have its own; see
        :func:`fit`.
    seed
        For the search, if it takes one.
    progress
        True for a bar, or a function, called after each experiment with the share that is done.
    settings
        All others go to the search that is named: ``score="bdeu"``, ``max_parents=3``,
        ``time_limit=10`` (for each network).

    Returns
    -------
    ExperimentsLeftOut
        Log-loss by experiment and by variable, for each of the four networks.

    Notes
    -----
    A network that foretells no better than that without arcs knows nothing of the experiments. One
    that foretells well need not be causal in all its arcs: experiments that are much like each
    other tell little of others. A variable that was shifted has parameters of its own in that
    experiment, which no other row tells, and is not judged there. Do not use it when an experiment
    changes more than what it is said to set: its rows are then foretold badly by any network.

    Examples
    --------
    >>> import dagscape as ds
    >>> wet = {"rain": [0, 1] * 40, "wet": [0, 1] * 40, "what": [""] * 80}
    >>> hose = {"rain": [0, 1] * 20, "wet": [1, 1] * 20, "what": ["wet"] * 40}
    >>> table = {name: wet[name] + hose[name] for name in wet}
    >>> data = ds.Data(table, interventions=ds.Interventions(column="what"))
    >>> ds.leave_one_experiment_out(data).by_experiment()["experiment"].to_list()
    ['none', 'wet']
    """
    check_data(data, rows=("interventions",))
    done = data.rows.interventions
    if done is None:
        raise DataError(
            "the table says of no row that it comes from an experiment; name the column: "
            f"{setting('interventions')}"
        )
    if len(done.labels) < 2:
        raise DataError(
            f'all rows come from one experiment, "{done.names[0]}", and none is left to learn from'
        )
    if isinstance(structure, str) and structure in BASELINES:
        raise ParameterError(
            f'structure "{structure}" is for one target; name a search, '
            f"such as {choice('structure', 'learn', 'exact', 'hill_climb')}"
        )
    if ess is not None and (
        isinstance(ess, bool) or not isinstance(ess, int | float) or not 0 < ess < np.inf
    ):
        raise ParameterError(
            f"ess must be a number above 0, got {ess!r}: with 0, a row that is left out may be "
            "impossible"
        )
    make = structure_maker(structure, "", settings, use_seed(seed))
    tell = check_progress(progress)
    whole = _Networks(data, done, make, ess)
    parts: list[LeftOut] = []
    for number, label in enumerate(done.names):
        parts += whole.left_out(number)
        if tell is not None:
            tell((number + 1) / len(done.labels), f"without {label}")
    return ExperimentsLeftOut(tuple(parts), make.words)


class _Networks:
    """The networks that are learned without an experiment; that of observed rows is kept."""

    def __init__(
        self, data: Data, done: Experiments, make: StructureMaker, ess: float | None
    ) -> None:
        self._data, self._done, self._make, self._ess = data, done, make, ess
        free = [number for number, targets in enumerate(done.targets) if not targets]
        self._observed_by_all = self._observed(free)

    def _observed(self, experiments: list[int]) -> Network | None:
        """Return the network of rows in which nothing was set; None where there are none."""
        rows = np.flatnonzero(np.isin(self._done.codes, experiments))
        return self._learned(self._data.take(rows).untouched) if len(rows) else None

    def _learned(self, data: Data) -> Network:
        return fit(self._make(data), data, self._ess)

    def left_out(self, number: int) -> list[LeftOut]:
        """Return how well the rows of an experiment are foretold without it."""
        here = self._done.codes == number
        others, own = (self._data.take(np.flatnonzero(rows)) for rows in (~here, here))
        targets = self._done.targets[number]
        free = [k for k, each in enumerate(self._done.targets) if not each and k != number]
        networks = {
            "learned": self._learned(others),
            "pooled": self._learned(others.untouched),
            "observed": self._observed_by_all if targets else self._observed(free),
            "alone": fit(Dag(self._data.names), others, self._ess),
        }
        logs = {
            name: None if net is None else net.log_densities(own.untouched)
            for name, net in networks.items()
        }
        label = self._done.names[number]
        return [
            LeftOut(
                label,
                x,
                own.n_rows,
                {
                    name: None if found is None else float(-found[x].mean())
                    for name, found in logs.items()
                },
            )
            for x in self._data.names
            if x not in targets
        ]
