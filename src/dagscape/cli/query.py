"""``dagscape query``: what a network says about some of its variables."""

from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.inputs import Json, NetworkName, Seed, read_network
from dagscape.cli.output import emit_json, emit_rows, note
from dagscape.cli.sizes import as_bytes

Known = str | dict[str, float]

Given = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=STATE",
        help="What is known; repeatable. NAME=STATE:2,STATE:1 gives weights: how likely what was "
        "seen is in each state.",
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
    if do:
        net = net.do(pieces(do, net, "--do"))
    known = pieces(given or [], net, "--given")
    memory = None if max_memory is None else as_bytes(max_memory)
    if most_probable:
        if targets:
            raise ds.ParameterError(
                "--most-probable is about all variables together; leave out the targets"
            )
        _show_case(net.most_probable(known, max_memory=memory), json)
        return
    if targets:
        answers = [net.query(targets, known, max_memory=memory, samples=samples, seed=seed)]
    else:
        all_of_them = net.query_all(known, max_memory=memory, samples=samples, seed=seed)
        answers = list(all_of_them.values())
    if json:
        emit_json(answers[0].to_dict() if targets else [answer.to_dict() for answer in answers])
        return
    _show_tables(answers, together=bool(targets))
    if not answers[0].exact:
        note(f"probabilities are {answers[0].claim}")


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
        found[name] = _known(word[len(name) + 1 :], net.states.get(name, ()), option)
    return found


def _known(text: str, states: tuple[str, ...], option: str) -> Known:
    if text in states or ":" not in text:
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


def _show_case(case: ds.MostProbable, json: bool) -> None:
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


def _show_tables(answers: list[ds.Distribution], *, together: bool) -> None:
    columns = (
        (*answers[0].names, "probability") if together else ("variable", "state", "probability")
    )
    errors = () if answers[0].exact else ("error",)
    rows = []
    for answer in answers:
        for place, (key, probability) in enumerate(answer.items()):
            labels = (key,) if isinstance(key, str) else key
            numbers = (
                [probability] if answer.errors is None else [probability, answer.errors.flat[place]]
            )
            first = () if together else answer.names
            rows.append((*first, *labels, *(f"{number:.6f}" for number in numbers)))
    emit_rows((*columns, *errors), rows)
