"""The UCI sets of the A* paper: two states for most columns, or those that its tree sizes tell.

The paper says that continuous variables, and discrete ones with more than three states, became two,
and that missing values were filled at random. So a number is above its column's mean or not, states
count as numbers in their order, and a missing cell is drawn from the column. The sizes of AD-trees
in its Table 4.1 tell where it did something else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

Column = list[str]
Codes = list[int]
Cut = Callable[[Column], Codes]


def uci(fetched: dict[str, bytes]) -> dict[str, bytes]:
    """Make the table of a raw file."""
    ((file, content),) = fetched.items()
    name = next(name for name, form in FORMS.items() if form.file == file)
    form = FORMS[name]
    names, rows = form.read(content)
    rng = random.Random(f"{name}-20110805")  # noqa: S311
    columns = []
    for column, cells in zip(names, zip(*rows, strict=True), strict=True):
        known = [cell for cell in cells if cell not in ("?", "")]
        filled = [
            cell if cell not in ("?", "") else known[int(rng.random() * len(known))]
            for cell in cells
        ]
        columns.append(form.cuts.get(column, form.otherwise)(filled))
    lines = [",".join(names), *(",".join(map(str, row)) for row in zip(*columns, strict=True)), ""]
    return {f"uci/{name}{form.tag}.csv": "\n".join(lines).encode()}


def is_number(cell: str) -> bool:
    """Tell whether a cell is one."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def states(cells: Column) -> Codes:
    """Give states numbers from 0, in the order of numbers if they are, else of the alphabet."""
    found = set(cells)
    order = sorted(found, key=float) if all(map(is_number, found)) else sorted(found)
    code = {state: i for i, state in enumerate(order)}
    return [code[cell] for cell in cells]


def two_states(cells: Column) -> Codes:
    """Cut at the mean where there are more than three."""
    if len(set(cells)) <= 3:
        return states(cells)
    numbers = [float(cell) for cell in cells] if all(map(is_number, cells)) else states(cells)
    mean = sum(numbers) / len(numbers)
    return [int(number > mean) for number in numbers]


def tertiles(cells: Column) -> Codes:
    """Cut into three parts, as even as ties allow."""
    numbers = [float(cell) for cell in cells]
    ranked = sorted(numbers)
    cuts = [ranked[len(ranked) * i // 3] for i in (1, 2)]
    return [sum(number >= cut for cut in cuts) for number in numbers]


def median(cells: Column) -> Codes:
    """Cut where half of the cells are below."""
    numbers = [float(cell) for cell in cells]
    ranked, half = sorted(numbers), len(numbers) // 2
    middle = ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2
    return [int(number >= middle) for number in numbers]


def middle(cells: Column) -> Codes:
    """Cut in the middle between the lowest and the highest."""
    numbers = [float(cell) for cell in cells]
    return [int(number > (min(numbers) + max(numbers)) / 2) for number in numbers]


def fever(cells: Column) -> Codes:
    """Cut above 38 and from 40 degrees."""
    return [int(float(cell) > 38) + int(float(cell) >= 40) for cell in cells]


Table = tuple[list[str], list[list[str]]]


class Form(NamedTuple):
    """How a raw file is read and cut."""

    file: str
    names: Sequence[str]
    cuts: Mapping[str, Cut] = MappingProxyType({})
    otherwise: Cut = two_states
    tag: str = ""

    def read(self, content: bytes) -> Table:
        """Return the names of the columns, and rows."""
        special = {
            "diagnosis.data": _acute,
            "zoo.data": _zoo,
            "meta.arff": _arff,
            "parkinsons.data": _parkinsons,
        }
        if self.file in special:
            return special[self.file](content, list(self.names))
        rows = [row for row in _rows(content) if len(row) == len(self.names)]
        if is_number(rows[1][-1]) and not is_number(rows[0][-1]):
            rows = rows[1:]  # a line of names, which some copies have
        return list(self.names), rows


def _rows(content: bytes, separator: str = ",", encoding: str = "utf-8") -> list[list[str]]:
    text = content.decode(encoding).replace("\r", "")
    return [
        [cell.strip() for cell in line.split(separator)]
        for line in text.split("\n")
        if line.strip()
    ]


def _acute(content: bytes, names: list[str]) -> Table:
    rows = _rows(content, "\t", "utf-16")
    return names, [[row[0].replace(",", "."), *row[1:]] for row in rows]


def _zoo(content: bytes, names: list[str]) -> Table:
    return names, [row[1:] for row in _rows(content) if len(row) == 18]  # not the animal's name


def _arff(content: bytes, _: list[str]) -> Table:
    lines = content.decode().replace("\r", "").split("\n")
    at = next(i for i, line in enumerate(lines) if line.strip().lower() == "@data")
    names = [line.split()[1] for line in lines[:at] if line.lower().startswith("@attribute")]
    kept = [line for line in lines[at + 1 :] if line.strip() and not line.startswith("%")]
    return names, [[cell.strip() for cell in line.split(",")] for line in kept]


def _parkinsons(content: bytes, _: list[str]) -> Table:
    """Take the subject from names of recordings such as phon_R01_S07_3."""
    head, *rows = _rows(content)
    clean = str.maketrans({":": "_", "(": "_", ")": None, "%": "pct"})
    names = ["subject", *(name.translate(clean) for name in head[1:])]
    return names, [[row[0].split("_S")[1].split("_")[0], *row[1:]] for row in rows]


def _names(words: str) -> list[str]:
    return words.split()


LIVER = _names("mcv alkphos sgpt sgot gammagt drinks selector")
CMC = _names(
    "wife_age wife_education husband_education children wife_religion wife_working "
    "husband_occupation living_index media_exposure method"
)

FORMS: dict[str, Form] = {
    "liver": Form("bupa.data", LIVER, dict.fromkeys(LIVER[:6], median), tag="_t41"),
    "car": Form(
        "car.data",
        _names("buying maint doors persons lug_boot safety class"),
        otherwise=states,
        tag="_t41",
    ),
    "acute": Form(
        "diagnosis.data",
        _names(
            "temperature nausea lumbar_pain urine_pushing micturition_pains urethra_burning "
            "bladder_inflammation nephritis"
        ),
        {"temperature": fever},
        tag="_t41",
    ),
    "abalone": Form(
        "abalone.data",
        _names(
            "sex length diameter height whole_weight shucked_weight viscera_weight shell_weight "
            "rings"
        ),
        {"rings": tertiles},
        tag="_t41",
    ),
    "cmc": Form(
        "cmc.data", CMC, {"wife_age": tertiles, "children": tertiles}, otherwise=states, tag="_t41"
    ),
    "adult": Form(
        "adult.data",
        _names(
            "age workclass fnlwgt education education_num marital_status occupation relationship "
            "race sex capital_gain capital_loss hours_per_week native_country income"
        ),
    ),
    "credit": Form("crx.data", [*(f"A{i}" for i in range(1, 16)), "class"]),
    "zoo": Form(
        "zoo.data",
        _names(
            "hair feathers eggs milk airborne aquatic predator toothed backbone breathes venomous "
            "fins legs tail domestic catsize type"
        ),
        {"legs": middle, "type": middle},
        tag="_t41",
    ),
    "hepatitis": Form(
        "hepatitis.data",
        _names(
            "class age sex steroid antivirals fatigue malaise anorexia liver_big liver_firm "
            "spleen_palpable spiders ascites varices bilirubin alk_phosphate sgot albumin protime "
            "histology"
        ),
    ),
    "meta": Form("meta.arff", ()),
    "heart": Form("SPECT.train", ["diagnosis", *(f"F{i}" for i in range(1, 23))]),
    "parkinson": Form("parkinsons.data", ()),
}
