"""What the ending of a file name promises, and what the first bytes of a file show."""

from __future__ import annotations

from pathlib import Path

from dagscape.errors import DataError
from dagscape.files.endings import (
    ARROW,
    COMPRESSIONS,
    GRAPHS,
    NETWORKS,
    PARQUET,
    SCORES,
    TEXT,
)
from dagscape.speech import choice

MISSING_VALUES = ("", "NA", "N/A", "NaN", "nan", "NULL", "null")
"""Cells of text files that mean a missing value, unless others are given."""

_SIGNATURES = (
    (b"PAR1", "Parquet", ".parquet"),
    (b"ARROW1", "Arrow", ".arrow"),
    (b"\xff\xff\xff\xff", "Arrow", ".arrow"),  # the format for streams
    (b"\x1f\x8b", "gzip", ".gz"),
    (b"\x28\xb5\x2f\xfd", "zstd", ".zst"),
    (b"PK\x03\x04", "a zip archive or a spreadsheet", ""),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet", ""),
    (b"SQLite format 3", "an SQLite database", ""),
    (b"\x89HDF", "HDF5", ""),
    (b"RDX", "R data", ""),
    (b"%PDF", "PDF", ""),
    (b"\xff\xfe", "text in UTF-16", ""),
    (b"\xfe\xff", "text in UTF-16", ""),
)


def split_ending(path: Path) -> tuple[str, str]:
    """Return the ending in lower case, and that of the compression if there is one."""
    compression = path.suffix.lower() if path.suffix.lower() in COMPRESSIONS else ""
    inner = path.with_suffix("") if compression else path
    return inner.suffix.lower(), compression


OF_OTHERS = {
    **dict.fromkeys((".dta",), ("Stata", "stata")),
    **dict.fromkeys((".sav", ".zsav"), ("SPSS", "spss")),
    **dict.fromkeys((".sas7bdat", ".xpt"), ("SAS", "sas")),
}
"""Files of other programs: whose, and the extra that reads them."""
_OF_R = (".rds", ".rda", ".rdata")
SHEETS = (".xls", ".xlsx", ".ods")


def may_be_text(ending: str) -> bool:
    """Tell whether a table with such a name may be text: it is not known as something else."""
    others = (PARQUET, ARROW, NETWORKS, GRAPHS, SCORES, OF_OTHERS, _OF_R, SHEETS)
    return not any(ending in endings for endings in others)


def unknown_ending(path: Path, *, reading: bool = False) -> DataError:
    """Return the error for a file name that promises nothing known."""
    text = ", ".join(TEXT)
    rest = ", ".join((*PARQUET, *ARROW))
    other, ending = "", path.suffix.lower()
    if reading and ending in _OF_R:
        return DataError(
            f'"{path.name}" is a file of R, and these are not read here; write the table in R: '
            'write.csv(table, "table.csv", row.names = FALSE)'
        )
    if ending in SHEETS:
        other = "; save the sheet as CSV"
    elif reading and split_ending(path)[0] not in (*PARQUET, *ARROW):
        other = f"; if it is text, give {choice('separator', ',')}"
    return DataError(
        f'"{path.name}" has an unknown ending; use {text} (also with {" or ".join(COMPRESSIONS)} '
        f"after it), {rest}{other}"
    )


def check_signature(path: Path, start: bytes, allowed: tuple[str, ...]) -> None:
    """Raise a DataError if the first bytes are those of another format than the ending says."""
    for signature, what, ending in _SIGNATURES:
        if start.startswith(signature):
            if ending and ending in allowed:
                return
            todo = f"name it {ending}" if ending else "save it as CSV in UTF-8"
            raise DataError(
                f"the file is not what its ending {path.suffix} says: it is {what}; {todo}"
            )
    if "" not in allowed:
        raise DataError(
            f"the file is not what its ending {path.suffix} says; if it is text, "
            "name it .csv or .tsv"
        )
