"""``dagscape query``: what a network says about some of its variables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.earlier_folder import RESULT_FILE, table_of
from dagscape.cli.inputs import Json, NetworkName, Seed, read_network
from dagscape.cli.output import emit_json, emit_rows, note
from dagscape.cli.shared_options import as_bytes
from dagscape.networks import Distribution, MostProbable, NumberDistribution
from dagscape.networks.own_rows import ExperimentRows
from dagscape.words import listed

NAMED = 5
"""Variables to name."""

Known = str | float | dict[str, float]
Answer = Distribution | NumberDistribution

Given = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=STATE",
        help="What is known; repeatable. For a number, NAME=61.5. NAME=STATE:2,STATE:1 gives "
        "weights: how likely the observation is in each state.",
    ),
]


def query(
    network: NetworkName,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TARGET]...",
            help="Variable to ask about; several are asked about together. "
            "Without one: each variable by itself.",
        ),
    ] = None,
    given: Given = None,
    do: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=STATE",
            help="What somebody sets, whatever would have caused it; repeatable.",
        ),
    ] = None,
    most_probable: Annotated[
        bool,
        typer.Option("--most-probable", help="The most probable states of all variables together."),
    ] = False,
    max_memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Above this, answer from samples; such as 2GB."),
    ] = None,
    samples: Annotated[int, typer.Option(min=0, help="How many; 0: exact or nothing.")] = 100_000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Ask a network about some variables, given others."""
    net = read_network(network)
    before = net.dag
    set_ = pieces(do or [], net, "--do")
    if do:
        net = net.do(set_)
    known = pieces(given or [], net, "--given")
    memory = None if max_memory is None else as_bytes(max_memory)
    if most_probable:
        if targets:
            raise ds.ParameterError(
                "--most-probable is about all variables together; leave out the targets"
            )
        if numbers := [name for name, kind in net.kinds.items() if kind == "continuous"]:
            raise ds.ParameterError(
                f'--most-probable is for networks of states alone, and "{numbers[0]}" holds '
                "numbers; leave it out to have each variable by itself"
            )
        _show_case(net.most_probable(known, max_memory=memory), json)
        return
    if targets:
        answers = [net.query(targets, known, max_memory=memory, samples=samples, seed=seed)]
    else:
        all_of_them = net.query_all(known, max_memory=memory, samples=samples, seed=seed)
        answers = list(all_of_them.values())
    if do:
        alike = _alike(network, before)
        for line in _out_of_reach(alike, net.dag, list(set_), targets or [], list(known)):
            note(line)
        if not known:
            for line in _own_rows(network, set_, targets or []):
                note(line)
    if json:
        emit_json(answers[0].to_dict() if targets else [answer.to_dict() for answer in answers])
        return
    _show_tables([a for a in answers if isinstance(a, Distribution)], together=bool(targets))
    _show_numbers([a for a in answers if isinstance(a, NumberDistribution)])
    for answer in [each for each in answers if not each.exact][:1]:
        what = "probabilities" if isinstance(answer, Distribution) else "numbers"
        rest = "; what has an error of 0 is exact" if any(a.exact for a in answers) else ""
        note(f"{what} are {answer.claim}{rest}")


def _alike(name: str, dag: ds.Dag) -> ds.Mpdag:
    """Return the networks that data cannot tell from this one; of a folder, those that obey."""
    found = _result_in(name)
    knowledge = None if found is None else found.scope.knowledge
    done = {} if found is None else found.experiments
    graph = dag.to_mpdag(done) if done else dag.to_cpdag()
    try:
        return graph if knowledge is None else knowledge.orient(graph)
    except ds.GraphError:  # the consensus graph need not obey
        return graph


def _result_in(name: str) -> ds.Result | None:
    """Return what was learned, where the network is that of a folder."""
    kept = Path(name) / RESULT_FILE
    return ds.load_result(kept, ds.Result) if kept.is_file() else None


def _own_rows(name: str, set_: dict[str, Known], targets: list[str]) -> Sequence[str]:
    """Say what was seen where an experiment of the folder's table did set the same."""
    found = _result_in(name)
    if found is None or len(targets) != 1:
        return []
    (target,) = targets
    if not any({*set_} == {*each} for each in found.experiments.values()):
        return []
    try:
        seen = ExperimentRows(table_of(Path(name)), set_)
    except ds.DagscapeError:  # it is gone, or has changed: the network answers alone
        return []
    return seen.words(target, seen.of(target))


def _out_of_reach(
    alike: ds.Mpdag, dag: ds.Dag, set_: list[str], targets: list[str], known: list[str]
) -> list[str]:
    """Name the targets to which no directed path leads from what is set.

    What is known may join them all the same: then setting does change what is to be expected.
    """
    reached = {name for each in set_ for name in dag.descendants(each)}
    causes = listed(set_)
    if not targets and known:
        return []
    if not targets:
        some = [name for name in dag.names if name in reached]
        named = f"{len(some):,} variables" if len(some) > NAMED else listed(some)
        if some:
            return [f"setting {causes} changes only {named}, where directed paths lead"]
        return [f"setting {causes} changes nothing: no directed path leads to any variable"]
    lines = []
    for target in targets:
        if target in reached or target in set_ or not dag.d_separated(set_, [target], known):
            continue
        may = any(target in alike.possible_descendants(each) for each in set_)
        other = "; equivalent networks have one, and data alone cannot tell" if may else ""
        lines.append(
            f"setting {causes} changes nothing here: no directed path leads to {target} in this "
            f"network{other}"
        )
    return lines


def pieces(words: list[str], net: ds.Network, option: str) -> dict[str, Known]:
    """Return variables with their states, or weights on these, from NAME=STATE."""
    found: dict[str, Known] = {}
    for word in words:
        # A name may hold an equal sign, and so may a state: the longest name that is known.
        signs = [i for i, letter in enumerate(word) if letter == "="]
        name = next((word[:i] for i in reversed(signs) if word[:i] in net.states), None)
        if not signs:
            raise ds.ParameterError(f'{option} must be NAME=STATE, got "{word}"')
        name = name if name is not None else word[: signs[0]]
        if name in found:
            raise ds.ParameterError(f'{option} names "{name}" twice')
        text = word[len(name) + 1 :]
        states = net.states.get(name)
        found[name] = _number(name, text, option) if states == () else _known(text, states, option)
    return found


def _number(name: str, text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ds.ParameterError(
            f'"{name}" holds numbers; {option} must be NAME=NUMBER, got "{text}"{_with_point(text)}'
        ) from None


def _with_point(text: str) -> str:
    """Return the advice to write a point, where a comma would be one."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return ""
    return f"; with a decimal point: {text.replace(',', '.')}"


def _known(text: str, states: tuple[str, ...] | None, option: str) -> Known:
    if text in (states or ()) or ":" not in text:
        return text
    weights = {}
    for part in text.split(","):
        state, _, weight = part.rpartition(":")
        try:
            weights[state] = float(weight)
        except ValueError:
            raise ds.ParameterError(
                f'{option} has weights as STATE:2,STATE:1, got "{text}"'
            ) from None
    return weights


def _show_case(case: MostProbable, json: bool) -> None:
    if json:
        emit_json(
            {
                "states": case.states,
                "probability": case.probability,
                "log_probability": case.log_probability,
            }
        )
        return
    emit_rows(("variable", "state"), case.states.items())
    note(f"together they have probability {case.probability:.4g}")


def _show_tables(answers: list[Distribution], *, together: bool) -> None:
    if not answers:
        return
    columns = (
        (*answers[0].names, "probability") if together else ("variable", "state", "probability")
    )
    estimated = not all(answer.exact for answer in answers)
    rows = []
    for answer in answers:
        for place, (key, probability) in enumerate(answer.items()):
            labels = (key,) if isinstance(key, str) else key
            error = 0.0 if answer.errors is None else answer.errors.flat[place]
            numbers = [probability, error] if estimated else [probability]
            first = () if together else answer.names
            rows.append((*first, *labels, *(f"{number:.6f}" for number in numbers)))
    emit_rows((*columns, *(["error"] if estimated else [])), rows)


def _show_numbers(answers: list[NumberDistribution]) -> None:
    """Write a line for each number: its mean and sd, and between what 95 % of it lies."""
    if not answers:
        return
    estimated = not all(answer.exact for answer in answers)
    rows = []
    for answer in answers:
        numbers = [answer.mean, answer.sd, *answer.interval()]
        numbers += [answer.error or 0.0] if estimated else []
        rows.append((answer.name, *(f"{number:.6g}" for number in numbers)))
    error = ["error of mean"] if estimated else []
    emit_rows(("variable", "mean", "sd", "2.5 %", "97.5 %", *error), rows)
