"""What Table 4.1 of the A* paper prints, its slipped columns put right.

Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010, Table 4.1.
"""

from __future__ import annotations

from typing import NamedTuple

from _order_graph import Range


class Figure(NamedTuple):
    """A number as the paper prints it, with as many digits as it has there."""

    text: str

    @property
    def range(self) -> Range:
        """The whole numbers that print like this."""
        mantissa, _, exponent = self.text.partition("E")
        if not exponent:
            return Range(int(mantissa), int(mantissa))
        digits = len(mantissa.partition(".")[2])
        half = 10 ** (int(exponent) - digits) // 2
        middle = round(float(self.text))
        return Range(middle - half, middle + half)

    def shown(self) -> str:
        """Return it with commas where it is written out."""
        return f"{int(self.text):,}" if self.text.isdigit() else self.text


class Row(NamedTuple):
    """A line of the paper's table, its slipped columns put right; None where nothing is printed."""

    file: str
    own: bool
    """Whether the file is the paper's own table, as far as its AD-tree sizes can tell."""
    seconds: dict[str, float | None]
    nodes: Figure
    edges: Figure
    ad_tree: Figure | None
    full_ad_tree: Figure | None


def _row(
    file: str, own: bool, seconds: str, nodes: str, edges: str, ad_tree: str, full: str
) -> Row:
    times = [None if word == "-" else float(word) for word in seconds.split()]
    return Row(
        file,
        own,
        dict(zip(("DP", "DP-E", "SS", "A*"), times, strict=True)),
        Figure(nodes),
        Figure(edges),
        Figure(ad_tree) if ad_tree else None,
        Figure(full) if full else None,
    )


# Seconds of DP, DP-E, SS and A*; order nodes and edges; AD-tree nodes, built and full.
PAPER = {
    "iris": _row("ebnsl/iris.csv.gz", True, "0.02 0.00 0.03 0.01", "27", "33", "598", "1024"),
    "liver": _row("uci/liver_t41.csv", True, "0.04 0.02 0.12 0.02", "123", "263", "2181", "2187"),
    "car": _row("uci/car_t41.csv", True, "0.11 0.07 0.16 0.11", "114", "202", "40000", "40000"),
    "acute": _row("uci/acute_t41.csv", True, "0.04 0.02 0.36 0.03", "210", "445", "2942", "8748"),
    "abalone": _row(
        "uci/abalone_t41.csv", False, "0.24 0.26 52.32 0.28", "506", "1647", "23440", "34992"
    ),
    "cmc": _row(
        "uci/cmc_t41.csv", False, "0.43 0.49 0.83 0.49", "961", "2221", "336706", "1080000"
    ),
    "wine": _row(
        "ebnsl/wine.csv.gz", True, "2.97 3.41 26.31 1.45", "13465", "38627", "504436", "6377292"
    ),
    "adult": _row(
        "uci/adult.csv", False, "97.87 135.90 - 128.52", "32750", "207948", "9.015E6", "1.435E7"
    ),
    "credit": _row(
        "uci/credit.csv", False, "21.42 23.10 196.58 16.23", "65517", "332032", "4.348E6", "1.020E8"
    ),
    "zoo": _row(
        "uci/zoo_t41.csv", True, "30.08 31.41 377.46 8.16", "112820", "365685", "4.691E5", "1.291E8"
    ),
    "letter": _row(
        "ebnsl/letter.csv.gz", True, "440.1 779.16 - 695.44", "130879", "1.040E6", "6.869E7", ""
    ),
    "voting": _row(
        "ebnsl/voting.csv.gz", True, "- 26.61 - 12.77", "98177", "263839", "1.708E7", ""
    ),
    "hepatitis": _row(
        "uci/hepatitis.csv", False, "127.92 91.44 - 30.70", "494599", "1.802E6", "1.624E6", ""
    ),
    "meta": _row("uci/meta.csv", False, "- 16171.89 - 944.13", "2.083E6", "8.859E6", "1.726E7", ""),
    "heart": _row(
        "uci/heart.csv", True, "- 5003.64 - 1137.89", "8.034E6", "4.282E7", "4.601E6", ""
    ),
    "parkinson": _row(
        "uci/parkinson.csv", False, "- 26542.40 - 10032.36", "1.662E7", "9.791E7", "", "2.824E11"
    ),
}
