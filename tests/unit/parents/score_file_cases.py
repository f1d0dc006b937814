"""Score files written and read in plain Python."""

import gzip
from pathlib import Path

# Lists by child: each set (a tuple of names in their order) with its score.
Lists = dict[str, dict[tuple[str, ...], float]]


def as_jkl(lists: Lists) -> str:
    lines = [str(len(lists))]
    for child, sets in lists.items():
        lines.append(f"{child} {len(sets)}")
        lines += [" ".join([repr(s), str(len(p)), *reversed(p)]) for p, s in sets.items()]
    return "\n".join(lines) + "\n"


def as_pss(lists: Lists) -> str:
    lines = ["META pss_version = 0.1", ""]
    for child, sets in lists.items():
        lines += [f"VAR {child}", *(" ".join([repr(s), *reversed(p)]) for p, s in sets.items()), ""]
    return "\n".join(lines)


def from_pss(text: str) -> Lists:
    lists: Lists = {}
    child = ""
    for line in text.split("\n"):
        word, *words = line.split(" ")
        if word == "VAR":
            (child,) = words
            lists[child] = {}
        elif word not in ("META", ""):
            lists[child][tuple(words)] = float(word)
    return lists


def put(path: Path, lists: Lists) -> Path:
    text = (as_jkl if ".jkl" in path.name else as_pss)(lists).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


SMALL: Lists = {
    "B": {("A", "C"): -3.25, (): -4.0, ("A",): -3.25},
    "A": {},
    "C": {("B",): -1e-300},
}
