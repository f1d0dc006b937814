"""From the words on the command line to data, networks and graphs."""

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

import dagscape as ds
from dagscape.cli.kinds import ARCS, GRAPH, NETWORK, SCORES, kind_of
from dagscape.cli.output import warn_of_losses
from dagscape.cli.table_options import spelling

NETWORKS = ", ".join(ds.embedded_networks())
GRAPH_KINDS = (
    "network file, a graph file (.graphml, .gml, .dot, a .csv of arcs: columns from,to), a saved "
    f"result (.json), or one of {NETWORKS}"
)

NetworkName = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK", help=f"Network file (.bif, .xmlbif, .json), or one of {NETWORKS}."
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="Cut columns of decimal numbers: mean, median, quantile:3, width:4; or name columns, "
        "with points of your own if need be: age=quantile:3,bmi=18.5,25:thin/normal/heavy.",
    ),
]
Continuous = Annotated[
    list[str] | None,
    typer.Option(
        "--continuous", metavar="COLUMN", help="Column of numbers to be taken as such; repeatable."
    ),
]
Discrete = Annotated[
    list[str] | None,
    typer.Option(
        "--discrete", metavar="COLUMN", help="Column of numbers to be taken as states; repeatable."
    ),
]
Missing = Annotated[
    str,
    typer.Option(
        metavar="POLICY", help="Missing values: error, drop, mode, random, state or keep."
    ),
]
Separator = Annotated[
    str | None, typer.Option(metavar="CHAR", help="What separates the cells of a text file.")
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN", help="Column to leave out, such as one that numbers the rows; repeatable."
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of what is drawn at random.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def read_data(
    path: Path,
    discretize: str | None,
    missing: str,
    separator: str | None,
    seed: int,
    leave_out: list[str] | None = None,
    continuous: list[str] | None = None,
    discrete: list[str] | None = None,
) -> ds.Data:
    """Read a table as the options say, and say at once if much of it is lost."""
    name = str(path)
    if not path.exists() and name in ds.embedded_networks():
        raise ds.ParameterError(
            f'"{name}" is a network, not a table; dagscape sample {name} -n 1000 -o {name}.csv '
            "draws one from it"
        )
    if path.is_file() and kind_of(path) in (NETWORK, GRAPH, SCORES) and separator is None:
        raise ds.ParameterError(f'"{name}" is a {kind_of(path)} by its ending, not a table')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DataWarning)  # said below, in words of the shell
        table = ds.read_data(
            path,
            leave_out=leave_out or (),
            discretize=None if discretize is None else _rules(discretize),
            missing=missing,
            separator="\t" if separator in (r"\t", "tab") else separator,
            seed=seed,
            kinds=_kinds(continuous or (), discrete or ()),
            **spelling(ds.MISSING_VALUES),
        )
    warn_of_losses(table)
    return table


def read_to_learn(path: Path, *options: Any) -> ds.Data:
    """Read a table; where it cannot be used, say also how to find all that is wrong with it."""
    try:
        return read_data(path, *options)
    except ds.DataError as error:
        if not path.is_file():
            raise
        words = f"{error} (dagscape check {quote(str(path))} lists all problems at once)"
        raise ds.DataError(words) from None


def _kinds(continuous: Iterable[str], discrete: Iterable[str]) -> dict[str, str]:
    kinds = dict.fromkeys(continuous, "continuous")
    for name in discrete:
        if name in kinds:
            raise ds.ParameterError(f'column "{name}" is in both --continuous and --discrete')
        kinds[name] = "discrete"
    return kinds


def _rules(text: str) -> Any:
    """Return one rule for all columns of decimal numbers, or rules by column."""
    if "=" not in text:
        return _rule(text, text)
    rules: dict[str, str] = {}
    begun: list[str] = []
    for part in text.split(","):
        if rules and not begun and _POINT.fullmatch(part):  # one more point of the last column
            last = next(reversed(rules))
            rules[last] += f",{part}"
            continue
        begun.append(part)  # a name may hold commas and equal signs, a rule none
        _, sign, rule = part.rpartition("=")
        if sign and rule and (name := ",".join(begun).removesuffix(f"={rule}")):
            rules[name] = rule
            begun = []
    if begun:
        raise _no_rule(text)
    return {name: _rule(rule, text) for name, rule in rules.items()}


_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_POINT = re.compile(rf"{_NUMBER}(?::.*)?")


def _rule(rule: str, text: str) -> Any:
    """Return a rule: its name, with a number of intervals, or points with names for the states."""
    if found := re.fullmatch(r"(mean|median)|(quantile|width):(\d{1,9})", rule):
        return found[1] or (found[2], int(found[3]))
    points, colon, names = rule.partition(":")
    numbers = points.split(",")
    if not all(re.fullmatch(_NUMBER, number) for number in numbers):
        raise _no_rule(text)
    cuts = [float(number) for number in numbers]
    return (cuts, names.split("/")) if colon else cuts


def _no_rule(text: str) -> ds.ParameterError:
    return ds.ParameterError(
        "--discretize must be mean, median, quantile:K or width:K, or such rules by column "
        f'(age=quantile:3,bmi=18.5,25,30), got "{text}"'
    )


def read_network(name: str) -> ds.Network:
    """Read a network file, or load an embedded network by name."""
    if name in ds.embedded_networks():  # a file of that name would have an ending
        return ds.load_network(name)
    if not Path(name).suffix and not Path(name).exists():
        raise ds.ParameterError(
            f'no network is called "{name}"; give a file such as {name}.bif or one of {NETWORKS}'
        )
    return ds.read_network(name)


@dataclass(frozen=True)
class GivenGraph:
    """A graph, and whether it names all its variables: a list of arcs need not."""

    graph: ds.Dag | ds.Mpdag
    whole: bool = True

    def on(self, names: Iterable[str]) -> ds.Dag | ds.Mpdag:
        """Return the graph; where it need not name all variables, on these."""
        if self.whole:
            return self.graph
        known = tuple(names)
        if isinstance(self.graph, ds.Dag):
            graph: ds.Dag | ds.Mpdag = ds.Dag(known, self.graph.arcs)
        else:
            graph = type(self.graph)(known, self.graph.directed, self.graph.undirected)
        for name in self.graph.names:
            graph.parents(name)  # refuses a name that is not known
        return graph

    @property
    def alike(self) -> ds.Dag | ds.Mpdag | list[tuple[str, str]]:
        """The graph, or the arcs of one like it where others must say what variables there are."""
        if self.whole:
            return self.graph
        return list((self.graph if isinstance(self.graph, ds.Dag) else self.graph.to_dag()).arcs)


def read_graph(name: str) -> GivenGraph:
    """Read a graph file, or the graph of a network or of a saved result."""
    if name not in ds.embedded_networks() and kind_of(name) in (GRAPH, ARCS):
        return GivenGraph(ds.read_graph(name), kind_of(name) == GRAPH)
    try:
        return GivenGraph(read_network(name).dag)
    except ds.FileFormatError:
        if (result := saved_result(name)) is not None:
            return GivenGraph(result.dag)
        raise


def saved_result(name: str) -> ds.Result | None:
    """Return what a search left in a file, or nothing if it is another file."""
    try:
        return ds.load_result(name) if ".json" in name.lower() else None
    except ds.FileFormatError:
        return None


def chosen_score(words: str, ess: float | None, prior: str | None) -> ds.Score:
    """Return the score that --score names, with what --ess and --prior give."""
    return ds.as_score(_with_ess(ds.SCORES.from_words(words), words, ess), prior)


def named_score(
    table: ds.Data, words: str | None, ess: float | None, prior: str | None
) -> dict[str, Any]:
    """Return score and prior as the package takes them; what no option names is left to its rule.

    --ess alone is a parameter of the default score, which keeps its prior.
    """
    if words is not None:
        return {"score": chosen_score(words, ess, prior)}
    if ess is None:
        return {"prior": prior}
    usual = ds.default_score(table, prior)
    return {"score": ds.as_score(_with_ess(usual.base, str(usual.base), ess), usual.prior)}


def _with_ess(score: ds.Score, words: str, ess: float | None) -> ds.Score:
    if ess is not None:
        fitting = ds.SCORES.with_parameter("ess")
        if score.names[0] not in fitting:
            raise ds.ParameterError(
                f'--ess is a parameter of {", ".join(fitting)}, the score is "{words}"'
            )
        return ds.SCORES.changed(score, ess=ess)
    return score
