"""Cross-validation: learn without some rows, and predict these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dagscape.control.limits import ShowProgress, check_progress, use_count, use_memory, use_seed
from dagscape.control.progress import shows_progress
from dagscape.data import Data, TableLike, as_data, check_data
from dagscape.errors import DataError, ParameterError
from dagscape.graphs import Dag
from dagscape.networks import fit
from dagscape.prediction.measures import CrossValidation
from dagscape.prediction.structures import settings_of, structure_maker
from dagscape.speech import choice

if TYPE_CHECKING:
    from dagscape.prediction.structures import Structure


@shows_progress
def cross_validate(
    data: TableLike,
    target: str,
    structure: Structure = "hill_climb",
    *,
    folds: int = 10,
    ess: float | None = None,
    seed: int = 0,
    max_memory: float | None = None,
    progress: ShowProgress = None,
    **settings: Any,
) -> CrossValidation:
    """Measure how well a network predicts a variable, in rows that it was not learned from.

    The rows are split into folds, at random but with the states of the target spread evenly. For
    each fold a structure is learned and fitted on all other rows, and predicts the target in the
    fold from all other variables. So every row is predicted once, by a network that never saw it.

    Parameters
    ----------
    target
        The variable to predict, which must have states; the others may hold numbers, if the search
        is given a score for them: ``score="basis_bic"``.
    structure
        How the structure is found: the name of a search ("hill_climb", "exact", "ges", "kes",
        "learn", "mmhc", "order_search"); "naive", in which the target is the one parent of all
        others; "tan", with a tree of arcs among these; a function that takes the table of the
        other rows and returns a :class:`Result` or a :class:`Dag`; or a :class:`Dag`, of which
        only the tables are then fitted.
    folds
        How many; as many as rows leaves out one row at a time.
    ess
        Equivalent sample size of the tables, above 0, if each is not to have its own; see
        :func:`fit`.
    seed
        For the folds, and for the search if it takes one. The same seed gives the same folds.
    max_memory
        Bytes, for the search that is named and for predictions; by default 70 % of what is free.
    progress
        True for a bar, or a function, called after each fold with the share that is done.
    settings
        All others go to the search that is named: ``score="bdeu"``, ``max_parents=3``,
        ``time_limit=10`` (for each fold).

    Returns
    -------
    CrossValidation
        Log-loss, accuracy and Brier score with standard errors, a calibration table, and the same
        for predictions by the frequencies of the target alone.

    Notes
    -----
    A graph that was chosen by looking at all rows has seen the rows held out; give the search that
    found it instead. Training rows are shared among folds, so standard errors are estimates
    that tend to be somewhat too small (Bengio and Grandvalet, JMLR 2004). States
    count as the table declares them: one that only occurs in a fold has a small probability
    there, by `ess`. "learn" looks for the network alone, and leaves out the local optima.

    Source: Kohavi, A study of cross-validation and bootstrap, IJCAI 1995, for stratified folds.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> ds.cross_validate(data, "dysp").accuracy.mean > 0.8
    True
    """
    data = as_data(data)
    check_data(data)
    data.variables.number(target)  # refuses what is no variable
    if target in data.numbers:
        raise DataError(
            f'column "{target}" holds numbers, and predictions of states are judged here; cut it: '
            f"{choice('discretize', {target: ('quantile', 3)})}"
        )
    count, number = use_count("folds", folds, least=2), use_seed(seed)
    if count > data.n_rows:
        raise ParameterError(
            f"folds must be at most the number of rows, {data.n_rows:,}; got {count:,}"
        )
    if data.n_variables < 2:
        raise ParameterError(f'the table has no column besides "{target}" to predict it from')
    if ess is not None and (
        isinstance(ess, bool) or not isinstance(ess, int | float) or not 0 < ess < np.inf
    ):
        raise ParameterError(
            f"ess must be a number above 0, got {ess!r}: with 0, a row that is held out may be "
            "impossible"
        )
    memory, tell = use_memory(max_memory), check_progress(progress)
    if max_memory is not None and isinstance(structure, str):
        settings |= {"max_memory": max_memory} if "max_memory" in settings_of(structure) else {}
    make = structure_maker(structure, target, settings, number)
    if isinstance(structure, Dag):
        _check_graph(structure, target, data)

    truth = data.column(target).astype(np.intp)
    fold = stratified_folds(truth, count, number)
    states = data.states[target]
    predicted = np.empty((data.n_rows, len(states)))
    frequencies = np.empty_like(predicted)
    dags = []
    for k in range(count):
        held = fold == k
        known = _rows(data, ~held)
        dag = make(known)
        _check_graph(dag, target, data)
        network = fit(dag, known, ess)
        predicted[held] = network.predict_proba(_rows(data, held), target, max_memory=memory)
        frequencies[held] = fit(Dag([target]), known, ess).table(target)
        dags.append(dag)
        if tell is not None:
            tell((k + 1) / count, f"fold {k + 1} of {count}")
    facts: dict[str, Any] = {"target": target, "states": states, "truth": truth, "fold": fold}
    plain = CrossValidation(
        **facts,
        probabilities=frequencies,
        dags=(Dag([target]),) * count,
        structure="frequencies alone",
    )
    return CrossValidation(
        **facts,
        probabilities=predicted,
        dags=tuple(dags),
        structure=make.words,
        baseline=plain,
    )


def _rows(data: Data, chosen: np.ndarray) -> Data:
    """Return some rows, with all the states that the table declares."""
    return data.take(np.flatnonzero(chosen))


def _check_graph(dag: Dag, target: str, data: Data) -> None:
    """Refuse a graph that cannot predict the target from this table."""
    if target not in dag.names:
        raise ParameterError(f'the graph has no variable "{target}", which is to be predicted')
    odd = [x for x in dag.names if x not in data.states]
    if odd:
        raise ParameterError(f'the graph has a variable "{odd[0]}" that the table does not have')
    if len(dag.names) < 2:
        raise ParameterError(f'the graph has no variable besides "{target}" to predict it from')


def stratified_folds(states: NDArray[np.integer], folds: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of each row, from 0.

    The rows of each state are shuffled and dealt to the folds in turn. Each state's first row goes
    to the fold after the one that got the last row of the state before, so that neither the sizes
    of the folds nor the counts of any state in them differ by more than one.
    """
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(len(states))
    by_state = shuffled[np.argsort(states[shuffled], kind="stable")]
    fold = np.empty(len(states), dtype=np.intp)
    fold[by_state] = np.arange(len(states)) % folds
    return fold
