"""From public files to the tables that the scripts read; nothing is drawn but from fixed seeds."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _uci import uci

__all__ = ["alarm", "coil", "leukemia", "named", "networks", "parts", "supplement", "table", "uci"]

Files = dict[str, bytes]
"""By name."""

ALARM = {
    "HIST": "HISTORY",
    "HREK": "HREKG",
    "HRSA": "HRSAT",
    "PRSS": "PRESS",
    "ECO2": "EXPCO2",
    "MINV": "MINVOL",
    "MVS": "MINVOLSET",
    "HYP": "HYPOVOLEMIA",
    "LVF": "LVFAILURE",
    "APL": "ANAPHYLAXIS",
    "ANES": "INSUFFANESTH",
    "PMB": "PULMEMBOLUS",
    "INT": "INTUBATION",
    "KINK": "KINKEDTUBE",
    "DISC": "DISCONNECT",
    "LVV": "LVEDVOLUME",
    "STKV": "STROKEVOLUME",
    "CCHL": "CATECHOL",
    "ERLO": "ERRLOWOUTPUT",
    "ERCA": "ERRCAUTER",
    "SHNT": "SHUNT",
    "PVS": "PVSAT",
    "ACO2": "ARTCO2",
    "VALV": "VENTALV",
    "VLNG": "VENTLUNG",
    "VTUB": "VENTTUBE",
    "VMCH": "VENTMACH",
}
"""Short names of columns in R's bnlearn; the others are alike."""

FEWEST = 5
"""Patients of each state of a gene."""


def table(names: Iterable[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a CSV: a line of names, a line for each row."""
    lines = (",".join(map(str, row)) for row in rows)
    return "\n".join([",".join(names), *lines, ""]).encode()


def networks(fetched: Files) -> Files:
    """Take the example networks out of a wheel of pgmpy."""
    (wheel,) = fetched.values()
    with zipfile.ZipFile(io.BytesIO(wheel)) as inside:
        return {
            f"networks/{Path(name).stem}": gzip.decompress(inside.read(name))
            for name in inside.namelist()
            if name.endswith(".bif.gz")
        }


def alarm(fetched: Files) -> Files:
    """Write a data frame of R as CSV, with the names of the network."""
    try:
        import pyreadr
    except ImportError as error:
        raise RuntimeError("it needs pyreadr: pip install pyreadr") from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alarm.rda"
        path.write_bytes(fetched["alarm.rda"])
        (frame,) = pyreadr.read_r(path).values()
    names = [ALARM.get(name, name) for name in frame.columns]
    return {"bnlearn/alarm.csv": table(names, frame.astype(str).values.tolist())}


def coil(fetched: Files) -> Files:
    """Cut the attributes that the KES paper used into two states."""
    rows = [line.split() for line in fetched["ticdata2000.txt"].decode().splitlines()]
    used, cuts = [2, 43, *range(65, 87)], {2: 1, 43: 3}
    codes = [
        [int(int(row[a - 1]) > cuts.get(a, 0)) for a in used] for row in rows if len(row) == 86
    ]
    return {"kes/coil.csv": table([f"A{a}" for a in used], codes)}


def leukemia(fetched: Files) -> Files:
    """Cut genes into three states, in two ways; patients become the variables."""
    blocks, patients = [], []
    for name in ("data_set_ALL_AML_train.csv", "data_set_ALL_AML_independent.csv"):
        rows = _rows_of_csv(fetched[name])
        patients += [int(cell) for cell in rows[0][2::2]]
        blocks.append(np.array([[float(cell) for cell in row[2::2]] for row in rows[1:]]))
    order = np.argsort(patients)
    genes = np.hstack(blocks)[:, order]
    is_aml = np.array([28 <= patients[k] <= 38 or patients[k] in AML_LATER for k in order])
    made = {}
    for tag, states in (("mi5", _informed(genes, is_aml)), ("tertile", _tertiles(genes))):
        for word, wanted in (("all", False), ("aml", True)):
            columns = np.flatnonzero(is_aml == wanted)
            names = [f"P{c + 1}" for c in columns]
            made[f"kes/leukemia_{word}_{tag}.csv"] = table(names, states[:, columns].tolist())
    return made


AML_LATER = {50, 51, 52, 53, 54, 57, 58, 60, 61, 62, 63, 64, 65, 66}
"""Patients of the independent set with acute myeloid leukemia; of the first set, 28 to 38."""


def _rows_of_csv(content: bytes) -> list[list[str]]:
    import csv

    return list(csv.reader(io.StringIO(content.decode())))


def _tertiles(genes: Any) -> Any:
    rank = np.argsort(np.argsort(genes, axis=1, kind="stable"), axis=1, kind="stable")
    return rank * 3 // genes.shape[1]


def _informed(genes: Any, is_aml: Any) -> Any:
    """Cut where states say most about the class, with so many patients in each at least."""
    n = genes.shape[1]
    low, high = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    allowed = (low >= FEWEST) & (high - low >= FEWEST) & (n - high >= FEWEST)

    def weighed(count: Any) -> Any:
        return count * np.log(np.maximum(count, 1))

    states = np.zeros(genes.shape, dtype=int)
    for g, gene in enumerate(genes):
        order = np.argsort(gene, kind="stable")
        values = gene[order]
        ones = np.concatenate([[0], np.cumsum(is_aml[order])])
        cut = np.ones(n + 1, dtype=bool)
        cut[1:n] = values[1:] > values[:-1]
        gain = np.zeros(low.shape)
        ends = ((np.zeros_like(low), low), (low, high), (high, np.full_like(low, n)))
        for begin, end in ends:
            some = ones[end] - ones[begin]
            gain += weighed(some) + weighed(end - begin - some) - weighed(end - begin)
        gain = np.where(allowed & cut[low] & cut[high], np.round(gain, 9), -np.inf)
        best = int(np.argmax(gain))
        if np.isinf(gain.flat[best]):  # too many equal values
            states[g] = _tertiles(genes[g : g + 1])[0]
            continue
        states[g] = (gene >= values[low.flat[best]]).astype(int)
        states[g] += (gene >= values[high.flat[best]]).astype(int)
    return states


def supplement(fetched: Files) -> Files:
    """Name the columns of the MMHC supplement's tables; read true graphs off their matrices."""
    texts: dict[str, str] = {}
    for name, content in fetched.items():
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as inside:
                for part in inside.namelist():
                    if part.endswith(".txt"):
                        texts[Path(part).name] = inside.read(part).decode()
        else:
            version = "4" if "_5000" in name else "blr"
            texts[re.sub(r"Child10_(\d+)\.", rf"Child10_s\1_v{version}.", name)] = content.decode()
    made: Files = {}
    states: dict[str, list[int]] = {}
    for name, text in texts.items():
        rows = [
            [int(float(cell)) for cell in line.replace(",", " ").split()]
            for line in text.splitlines()
            if line.strip()
        ]
        if name.endswith("_graph.txt"):
            arcs = [
                (f"X{i + 1}", f"X{j + 1}")
                for i, row in enumerate(rows)
                for j, there in enumerate(row)
                if there
            ]
            made[f"mmhc/{name.removesuffix('.txt')}.csv"] = table(["parent", "child"], arcs)
        elif found := re.fullmatch(r"(.*)_s(\d+)_v(\w+)\.txt", name):
            made[f"mmhc/{name.removesuffix('.txt')}.csv"] = table(_numbered(rows), rows)
            highest = [max(column) + 1 for column in zip(*rows, strict=True)]
            known = states.setdefault(found[1], highest)
            states[found[1]] = [max(pair) for pair in zip(known, highest, strict=True)]
    counts = [
        (network, f"X{i + 1}", count)
        for network, some in states.items()
        for i, count in enumerate(some)
    ]
    made["mmhc/arities.csv"] = table(["network", "variable", "states"], counts)
    return made


def named(fetched: Files) -> Files:
    """Name the columns of a table of whole numbers."""
    ((name, content),) = fetched.items()
    rows = [line.split(",") for line in content.decode().splitlines() if line.strip()]
    codes = [[int(cell) for cell in row] for row in rows]
    return {f"ebnsl/{name}": table(_numbered(codes), codes)}


def parts(fetched: Files) -> Files:
    """Put the parts of a set of zeros and ones one after the other."""
    (name,) = {file.split(".")[0] for file in fetched}
    rows = [
        line.split(",")
        for part in ("train", "valid", "test")
        for line in fetched[f"{name}.{part}.data"].decode().replace("\r", "").splitlines()
        if line
    ]
    return {f"debd/{name}.csv": table([f"V{i}" for i in range(len(rows[0]))], rows)}


def _numbered(rows: Sequence[Sequence[Any]]) -> list[str]:
    return [f"X{i + 1}" for i in range(len(rows[0]))]
