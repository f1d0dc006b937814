"""The commands by name: what ``dagscape --help`` says of each without importing it.

A command is the function of its name; "learn" is in `learn_command.py`. What is said
here is the first paragraph of its description; a test compares the two.
"""

from typing import NamedTuple


class Command(NamedTuple):
    """What is known of a command before it is imported."""

    summary: str
    example: str


COMMANDS = {
    "learn": Command(
        "Learn a network from a table, say what to trust in it, and write a page that shows it.",
        "dagscape learn table.csv --out learned --time-limit 300",
    ),
    "check": Command(
        "Look for everything that may be wrong with a table, and fill in the command that reads "
        "it.",
        "dagscape check table.csv --fix",
    ),
    "examine": Command(
        "Set a graph of your own beside a table: how far below the best it is, and what fails of "
        "it.",
        "dagscape examine mygraph.dot table.csv -o examined.html",
    ),
    "score": Command(
        "Score a network's graph on data (natural log, higher is better).",
        "dagscape score alarm.csv alarm.bif --score bdeu --ess 10",
    ),
    "sample": Command(
        "Draw rows from a network.",
        "dagscape sample alarm -n 20000 --seed 1 -o alarm.csv",
    ),
    "compare": Command(
        "Compare the essential graphs of two networks edge by edge, or two folders of learn.",
        "dagscape compare found.bif alarm",
    ),
    "convert": Command(
        "Convert a network, graph, table or file of scores; file endings decide the formats.",
        "dagscape convert alarm.bif alarm.json",
    ),
    "parents": Command(
        "Score parent sets of every variable, and keep those that can be part of a best network.",
        "dagscape parents alarm.csv --max-parents 3 -o alarm.jkl",
    ),
    "exact": Command(
        "Find the network with the best score, and prove that none is better.",
        "dagscape exact alarm.csv --max-parents 4 -o found.bif",
    ),
    "order": Command(
        "Search over orders of the variables for a good network, without proof.",
        "dagscape order alarm.csv --neighborhood swap --init fas -o found.bif",
    ),
    "optima": Command(
        "Find the networks that no neighbor beats, by many runs of k-greedy equivalence search.",
        "dagscape optima alarm.csv --store runs.sqlite -o best.bif",
    ),
    "features": Command(
        "Say how far to trust each edge, directed path or pair of a Markov blanket.",
        "dagscape features runs.sqlite --kind edges --threshold auto",
    ),
    "posterior": Command(
        "Compute how probable every arc, ancestor or class of networks is, given the table.",
        "dagscape posterior survey.csv --kind arcs --least 0.1",
    ),
    "experiments": Command(
        "Say which experiment next would settle most directions of edges.",
        "dagscape experiments cells.csv --interventions target",
    ),
    "query": Command(
        "Ask a network about some variables, given others.",
        "dagscape query asia lung --given smoke=yes --given xray=yes",
    ),
    "predict": Command(
        "Predict a variable for every row of a table.",
        "dagscape predict network.json rows.csv --target HR -o predicted.csv",
    ),
    "effect": Command(
        "Estimate what setting a cause does to an outcome, averaged over what data leave open.",
        "dagscape effect clinic.csv smoke dysp --knowledge tiers.toml",
    ),
    "blanket": Command(
        "Find which variables matter for one, what role each plays, and how much it matters.",
        "dagscape blanket alarm.csv --target HR -o around.svg",
    ),
    "report": Command(
        "Write a page to look at in a browser: one HTML file that needs no other and no network.",
        "dagscape report result.json --landscape runs.sqlite --data alarm.csv -o report.html",
    ),
    "mcp": Command(
        "Serve agents by the Model Context Protocol, over standard input and output.",
        "dagscape mcp --write answers --time-limit 60",
    ),
    "demo": Command(
        "Sample from a known network, learn from the sample, and say where the truth was missed.",
        "dagscape demo --out dagscape-demo",
    ),
}
