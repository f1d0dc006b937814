"""Effects that a graph with hidden causes gives, against the networks that it stands for."""

import itertools
import random

import dagscape as ds


def valid(dag: ds.Dag, cause: str, outcome: str, given: tuple[str, ...]) -> bool:
    """Tell whether adjusting gives the effect in a network: Shpitser's criterion, by definition."""
    on_paths = {*dag.descendants(cause)} & {outcome, *dag.ancestors(outcome)}
    below = {x for y in on_paths for x in (y, *dag.descendants(y))}
    if below & {*given}:
        return False
    arcs = [(a, b) for a, b in dag.arcs if not (a == cause and b in on_paths)]
    return ds.Dag(dag.names, arcs).d_separated(cause, outcome, given)


def test_what_is_adjusted_for_gives_the_effect_in_every_network_with_that_graph():
    # By graph: the networks of six variables, one or two hidden, whose seen ones have it.
    by_graph: dict[ds.Pag, list[ds.Dag]] = {}
    rng = random.Random(0)
    for _ in range(1500):
        order = rng.sample("abcdHK", 6)
        arcs = [pair for pair in itertools.combinations(order, 2) if rng.random() < 0.4]
        dag = ds.Dag("abcdHK", arcs)
        by_graph.setdefault(dag.to_pag(["H", "K"]), []).append(dag)
    given = missed = 0
    for pag, dags in by_graph.items():
        for cause, outcome in itertools.permutations("abcd", 2):
            chosen = pag.adjustment_set(cause, outcome)
            if chosen is not None:
                given += 1
                for dag in dags:
                    assert valid(dag, cause, outcome, chosen), (pag, dag, cause, outcome)
                continue
            if len(dags) < 12:  # too few to show that no set would do
                continue
            others = [x for x in "abcd" if x not in (cause, outcome)]
            missed += any(
                all(valid(dag, cause, outcome, some) for dag in dags)
                for size in range(3)
                for some in itertools.combinations(others, size)
            )
    assert given > 100
    assert missed <= given / 20  # a few networks of a class do not show all of it


def test_a_visible_arrow_gives_an_effect_and_a_hidden_cause_does_not():
    pag = ds.Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")]).to_pag()
    assert pag.adjustment_set("c", "d") == ()
    assert pag.adjustment_set("a", "c") is None
    assert pag.adjustment_set("d", "a") == ("c",)  # it does nothing: d is below
