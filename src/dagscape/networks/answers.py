"""What a network answers: queries, the most probable case, predictions, interventions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.arguments import as_list
from dagscape.control.limits import use_count, use_memory, use_seed, use_threads
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.networks.distributions import Distribution
from dagscape.networks.evidence import Evidence, Given, Known, check_variable, use_evidence
from dagscape.networks.exact_answers import ExactAnswers
from dagscape.networks.nodes import GaussianNode, Node, TableNode
from dagscape.networks.nodes.table import checked_table
from dagscape.shows_itself import ShowsItself
from dagscape.words import size

if TYPE_CHECKING:
    from dagscape.networks.network import Network
    from dagscape.networks.nodes.table import Table
    from dagscape.networks.number_answers import NumberAnswers
    from dagscape.networks.number_distribution import NumberDistribution
    from dagscape.networks.sampled_answers import WeightedSamples

SAMPLES = 100_000


@dataclass(frozen=True)
class MostProbable:
    """The most probable case; see :meth:`Network.most_probable`."""

    states: dict[str, str]
    """The state of each variable; of those that were given, that one."""
    probability: float
    """P(all these states | what was given)."""
    log_probability: float
    """The natural log of it: among many variables even the most probable case is improbable."""


class Answers(ShowsItself, ABC):
    """Questions that a network answers; a part of :class:`Network`."""

    __slots__ = ("_exact",)
    _exact: ExactAnswers

    def query(
        self,
        targets: str | Sequence[str],
        given: Given = None,
        *,
        max_memory: float | None = None,
        samples: int = SAMPLES,
        seed: int = 0,
    ) -> Distribution | NumberDistribution:
        """Return the distribution of a variable, or of several together, given what is known.

        Exact, by messages in a tree of cliques. What it takes grows with the largest clique, not
        with the number of variables; :meth:`query_cost` says it before. Where that is more than
        the memory, the answer is estimated from weighted samples, has `errors`, and says so.

        In networks with numbers the answer is exact where, above all that is asked and given,
        numbers are linear in their parents and no states depend on numbers: numbers are then
        normal, or a mixture of normal distributions if states are open: of 10,000 combinations at
        most, and of so few that with the square of the numbers they make no more than 10 million.
        Else it is estimated from weighted samples.

        Parameters
        ----------
        targets
            A variable, or several for their joint distribution; a number is asked about alone.
        given
            The states of other variables, or their numbers: ``{"Sex": "F", "Age": 61}``. A dict in
            place of a state is soft evidence: how likely what was observed is in each state,
            ``{"Test": {"pos": 0.9, "neg": 0.2}}``; only ratios count, and states not named have
            weight 0.
        max_memory
            Bytes; 70 % of what is free by default.
        samples, seed
            For an answer that is estimated; with 0 samples it is refused instead.

        Notes
        -----
        This is what one *sees*: the distribution among cases that happen to be so. What follows
        if somebody *makes* a variable so is :meth:`do`.
        Sources: Lauritzen and Spiegelhalter 1988; Shachter 1998; for numbers Lauritzen 1992.
        """
        wanted = [targets] if isinstance(targets, str) else as_list("targets", targets, "names")
        labels = self._labels()
        for x in wanted:
            check_variable(x, labels)
        if not wanted or len(set(wanted)) != len(wanted):
            raise ParameterError(f"targets must be one variable or several, each once: {targets!r}")
        evidence = use_evidence(given, labels)
        if known := [x for x in wanted if x in evidence.states or x in evidence.numbers]:
            raise ParameterError(f'"{known[0]}" is given, so there is nothing to ask about it')
        memory = use_memory(max_memory)
        use_count("samples", samples)
        found: Distribution | NumberDistribution
        if self._numbers():
            found = self._number_answers(evidence, memory, samples, seed).ask(wanted)
        else:
            found = self._from_tables(wanted, evidence, memory, samples, seed)
        seen = self._network()._seen
        if seen is not None and not evidence.text and len(wanted) == 1:
            found._show_beside(seen, wanted[0])
        return found

    def query_all(
        self,
        given: Given = None,
        *,
        max_memory: float | None = None,
        samples: int = SAMPLES,
        seed: int = 0,
    ) -> dict[str, Distribution | NumberDistribution]:
        """Return the distribution of every variable by itself, given what is known.

        One pass through the tree of cliques and back gives all of them: about twice what
        :meth:`query` takes for one. Variables that are given have their state with probability 1.
        """
        labels = self._labels()
        evidence = use_evidence(given, labels)
        memory = use_memory(max_memory)
        use_count("samples", samples)
        if self._numbers():
            return self._number_answers(evidence, memory, samples, seed).ask_all()
        if self._affordable((), evidence, memory, samples):
            tables = self._answers().all_marginals(evidence, memory)
            return {x: Distribution({x: labels[x]}, tables[x], evidence.text) for x in labels}
        drawn = self._samples(evidence, samples, seed)
        found = {x: drawn.joint([x]) for x in labels}
        return {
            x: Distribution({x: labels[x]}, table, evidence.text, errors, (samples, drawn.worth))
            for x, (table, errors) in found.items()
        }

    def most_probable(
        self, given: Given = None, *, max_memory: float | None = None
    ) -> MostProbable:
        """Return the most probable states of all other variables together.

        That is not each variable's most probable state: those may not even be possible together.
        Exact; refused where it would take more than the memory. Of cases that are equally
        probable it is one, always the same.
        """
        labels = self._labels()
        evidence = use_evidence(given, labels)
        memory = use_memory(max_memory)
        self._affordable((), evidence, memory, samples=0)
        codes, log_probability = self._answers().most_probable(evidence, memory)
        states = {x: labels[x][codes[x]] for x in labels}
        return MostProbable(states, math.exp(log_probability), log_probability)

    def query_cost(self, targets: str | Sequence[str] = (), given: Given = None) -> float:
        """Return the bytes that an exact answer takes, about; of :meth:`query_all` by default."""
        wanted = [targets] if isinstance(targets, str) else as_list("targets", targets, "names")
        labels = self._labels()
        for x in wanted:
            check_variable(x, labels)
        return self._answers().cost(wanted, use_evidence(given, labels)).bytes

    def do(self, states: Mapping[str, Known]) -> Network:
        """Return the network in which somebody sets variables, whatever would have caused them.

        Arcs into these variables are gone, and their state is certain; a dict of weights in place
        of a state sets it by chance, with these probabilities. ``net.do({"Smoking": "no"})
        .query("Cancer")`` is P(Cancer | do(Smoking = no)). A variable with numbers is set to one.

        Notes
        -----
        This is right if the arcs of the network are causes, no common cause is missing from it, and
        rows were not selected by what the variables cause. Data alone show none of these: a network
        that is learned may have arcs that could as well point the other way. Only what a directed
        path leads to can change, here ``net.dag.descendants("Smoking")``. :func:`dagscape.effect`
        averages over what the data leave open. Where the network was fitted to rows of experiments,
        and one of these did set the same, answers show beside what was seen there (`own_rows`).
        Source: Pearl, Causality, 2009, chapter 1.
        """
        return intervene(self._network(), states)

    def predict_proba(
        self, data: Any, target: str, *, threads: int | None = None, max_memory: float | None = None
    ) -> np.ndarray:
        """Return P(target | the other values of a row) for many rows.

        Parameters
        ----------
        data
            A :class:`Data`, or a frame, a dict of columns or the path of a table, which may have
            gaps: what is missing is summed out. Columns that are no variable of the network are
            left out of account, and so is the target's own. Numbers are cut where the states of a
            variable are named after intervals. :func:`.read_rows` reads a file that needs options.
        target
            The variable to predict.

        Returns
        -------
        numpy.ndarray
            A row for each row, a column for each state of the target, in the network's order.

        Notes
        -----
        Rows that the network holds impossible are an error that names the first of them. In
        networks with numbers, what is missing is integrated out, too: exactly where no states
        depend on numbers, elsewhere by drawn cells, mostly within .01 of a probability. Rows that
        have a value for each variable of the Markov blanket need neither. Numbers that follow a
        parent by a curve, which :func:`random_network` draws and :func:`fit` does not, need such
        rows.
        """
        from dagscape.networks.predictions import predict_from_numbers, predict_rows

        if isinstance(target, str) and target in self._numbers():
            raise ParameterError(
                f'"{target}" holds numbers, and has no probabilities of states; predict gives its '
                "mean, query its distribution"
            )
        if self._numbers():
            return predict_from_numbers(self._network(), data, target)
        return predict_rows(
            self._network(),
            self._answers(),
            data,
            target,
            use_memory(max_memory),
            use_threads(threads),
        )

    def predict(
        self, data: Any, target: str, *, threads: int | None = None, max_memory: float | None = None
    ) -> np.ndarray:
        """Return the most probable state of a variable for each row; see :meth:`predict_proba`.

        Of states that are equally probable it is the first. Of a variable with numbers it is the
        mean given the rest of the row: exact where all children are linear in it, else by numerical
        integration; where something is missing, as :meth:`predict_proba` says.
        """
        if isinstance(target, str) and target in self._numbers():
            from dagscape.networks.predictions import predict_from_numbers

            return predict_from_numbers(self._network(), data, target)
        found = self.predict_proba(data, target, threads=threads, max_memory=max_memory)
        labels = np.array(self._labels()[target], dtype=object)
        return np.asarray(labels[found.argmax(axis=1)])

    def _from_tables(
        self, wanted: Sequence[str], evidence: Evidence, memory: int, samples: int, seed: int
    ) -> Distribution:
        """Answer by messages between tables, or from samples where these take too much memory."""
        labels = self._labels()
        states = {x: labels[x] for x in wanted}
        if self._affordable(wanted, evidence, memory, samples):
            table = self._answers().joint(wanted, evidence, memory)
            return Distribution(states, table, evidence.text)
        drawn = self._samples(evidence, samples, seed)
        table, errors = drawn.joint(wanted)
        return Distribution(states, table, evidence.text, errors, (samples, drawn.worth))

    def _number_answers(
        self, evidence: Evidence, memory: int, samples: int, seed: int
    ) -> NumberAnswers:
        from dagscape.networks.number_answers import NumberAnswers

        return NumberAnswers(
            self._network(),
            evidence,
            (lambda part: part._samples(evidence, samples, seed)) if samples else None,
            lambda part, wanted: part._from_tables(wanted, evidence, memory, samples, seed),
        )

    def _numbers(self) -> tuple[str, ...]:
        """Return the variables that hold numbers."""
        return tuple(x for x, labels in self._labels().items() if not labels)

    @abstractmethod
    def _network(self) -> Network:
        """Return the network that is asked."""

    def _labels(self) -> Mapping[str, tuple[str, ...]]:
        return self._network().states

    def _answers(self) -> ExactAnswers:
        """Return the network as the engine has it, made once."""
        if numbers := self._numbers():
            raise ParameterError(
                f'"{numbers[0]}" holds numbers, and this is for networks of states alone; '
                "query and query_all answer for numbers too"
            )
        if not hasattr(self, "_exact"):
            self._exact = ExactAnswers(self._network())
        return self._exact

    def _affordable(
        self, targets: Sequence[str], evidence: Evidence, memory: int, samples: int
    ) -> bool:
        """Tell whether there is memory for an exact answer; refuse if no other is allowed."""
        needed = self._answers().cost(targets, evidence).bytes
        if needed > memory and samples == 0:
            raise ParameterError(
                f"an exact answer would take {size(needed)} of memory, and {size(memory)} are "
                "allowed; ask for fewer variables together, or give more of the others"
            )
        return needed <= memory

    def _samples(self, evidence: Evidence, samples: int, seed: int) -> WeightedSamples:
        from dagscape.networks.sampled_answers import WeightedSamples

        count = use_count("samples", samples, least=1)
        return WeightedSamples(self._network(), evidence, count, use_seed(seed))


def intervene(network: Network, states: Mapping[str, Known]) -> Network:
    """Return the network without arcs into the variables that are set; see ``Network.do``."""
    from dagscape.networks.network import Network  # which has these answers

    set_to = use_evidence(states, network.states)
    if not set_to.text:
        raise ParameterError('do needs a variable and its state, such as {"Smoking": "no"}')
    arcs = [(a, b) for a, b in network.dag.arcs if b not in set_to.text]
    dag = Dag(network.names, arcs)
    nodes: dict[str, Node] = {}
    for x in network.names:
        if x in set_to.states:
            nodes[x] = _row(x, np.eye(len(network.states[x]))[set_to.states[x]])
        elif x in set_to.weights:
            weights = np.array(set_to.weights[x])
            nodes[x] = _row(x, weights / weights.sum())
        elif x in set_to.numbers:
            nodes[x] = GaussianNode(set_to.numbers[x], 0.0)
        else:
            nodes[x] = network.node_for(x, dag)
    done = ", ".join(set_to.text.values())
    title = f"{network.name}, do({done})" if network.name else f"do({done})"
    made = Network._of_parts(dag, network.states, nodes, title, network.reference)
    return made if network._seen is None else made._beside(network._seen.where(dict(states)))


def _row(x: str, probabilities: Table) -> TableNode:
    """Return a table of a variable without parents."""
    return TableNode(checked_table(x, probabilities, probabilities.shape, ()))
