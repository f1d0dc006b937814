"""Damage done to good files: what disks, editors, other programs and enemies make of them.

All of it is drawn from a generator that the caller seeds, so that a case can be made again.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

BRACKETS = (b"[", b"{", b"(", b"<", b"<a>", b'{"a":', b"/*", b'"')
NUMBERS = (
    b"0",
    b"-1",
    b"-0.0",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"1e308",
    b"NaN",
    b"Infinity",
    b"inf",
    b"4294967296",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"9" * 310,
    b"9" * 400,
    b"9" * 5000,
    b"0." + b"3" * 400,
    b"0x7f",
    "٣".encode(),
)
ODDITIES = (
    b"",
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\r",
    b"\n",
    b"\t",
    b'"',
    b"'",
    b"\\",
    b"&uuml;",
    b"&#0;",
    b"&#1114112;",
    b"<!DOCTYPE a SYSTEM 'b'>",
    b"]]>",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"\xef\xbb\xbf",
    b"=1+1",
    b"\xe2\x80\xa8",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    10**400,
    1e308,
    "",
    "x",
    "1e999",
    "\ud800",
    "NaN",
    [],
    [[]],
    [None],
    [0],
    ["A"],
    {},
    {"number": "inf"},
    {"number": "-inf"},
    {"a": 1},
)
DEEP = "a value nested too deeply for what writes JSON"
_NUMBER = re.compile(rb"[+-]?[0-9][0-9.eE+-]*")
_WORD = re.compile(rb"[A-Za-z_]+")


def mutations(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield damaged copies of a file: most have one thing wrong with them, some several."""
    rng = random.Random(seed)
    for _ in range(count):
        damaged = content
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            damaged = rng.choice(WAYS)(damaged, rng)
        yield damaged


def _flip(content: bytes, rng: random.Random) -> bytes:
    whole = bytearray(content or b"\0")
    for _ in range(rng.choice((1, 1, 8))):
        whole[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
    return bytes(whole)


def _set_byte(content: bytes, rng: random.Random) -> bytes:
    whole = bytearray(content or b"\0")
    whole[rng.randrange(len(whole))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    return bytes(whole)


def _cut_short(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _chunk(content: bytes, rng: random.Random) -> slice:
    start = rng.randrange(len(content) + 1)
    return slice(start, start + rng.choice((1, 4, 16, 64, 256)))


def _delete(content: bytes, rng: random.Random) -> bytes:
    gone = _chunk(content, rng)
    return content[: gone.start] + content[gone.stop :]


def _repeat(content: bytes, rng: random.Random) -> bytes:
    chunk = _chunk(content, rng)
    return content[: chunk.start] + content[chunk] * rng.choice((2, 2, 50)) + content[chunk.stop :]


def _move(content: bytes, rng: random.Random) -> bytes:
    taken, at = content[_chunk(content, rng)], rng.randrange(len(content) + 1)
    return content[:at] + taken + content[at + rng.choice((0, len(taken))) :]


def _insert(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(ODDITIES) + content[at:]


def _nest(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(BRACKETS) * rng.choice((3, 60, 1500)) + content[at:]


def _replaced(
    content: bytes, rng: random.Random, pattern: re.Pattern[bytes], by: Callable[[], bytes]
) -> bytes:
    found = list(pattern.finditer(content))
    if not found:
        return _insert(content, rng)
    one = rng.choice(found)
    return content[: one.start()] + by() + content[one.end() :]


def _number(content: bytes, rng: random.Random) -> bytes:
    return _replaced(content, rng, _NUMBER, lambda: rng.choice(NUMBERS))


def _word(content: bytes, rng: random.Random) -> bytes:
    words = _WORD.findall(content) or [b"x"]
    return _replaced(content, rng, _WORD, lambda: rng.choice((*ODDITIES, *rng.choices(words, k=9))))


WAYS = (
    _flip,
    _set_byte,
    _cut_short,
    _delete,
    _repeat,
    _move,
    _insert,
    _nest,
    _number,
    _number,
    _word,
    _word,
)


def json_mutations(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield copies of a JSON file that are still JSON, with values of other kinds in it."""
    rng = random.Random(seed)
    for _ in range(count):
        whole = json.loads(content)
        for _ in range(rng.choice((1, 1, 2))):
            whole = _with_another_value(whole, rng)
        depth = rng.choice((10, 300, 900, 5000))
        nested = rng.choice(("[" * depth + "]" * depth, '{"a":' * depth + "0" + "}" * depth))
        yield json.dumps(whole).replace(json.dumps(DEEP), nested).encode()


def _with_another_value(whole: Any, rng: random.Random) -> Any:
    holders = list(_holders(whole))
    if not holders:
        return rng.choice(VALUES)
    holder = rng.choice(holders)
    key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    what = rng.random()
    if what < 0.1:
        del holder[key]
    elif what < 0.2 and isinstance(holder, list):
        holder.append(holder[key])
    elif what < 0.25:
        holder[key] = DEEP
    else:
        holder[key] = json.loads(json.dumps(rng.choice(VALUES)))
    return whole


def _holders(value: Any) -> Iterator[Any]:
    """Yield the lists and objects in a value that hold something."""
    if isinstance(value, dict | list) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)


SQL_VALUES = (
    "NULL",
    "'text'",
    "x'00'",
    f"x'{'ff' * 40}'",
    "-1",
    "0",
    "1.5",
    "9e999",
    "-9e999",
    "1e308",
    "9223372036854775807",
    "-9223372036854775808",
    "'[]'",
    "'{}'",
    "'[1, 2]'",
    '\'["a", "a"]\'',
    "'[\"\\ud800\"]'",
    f"'{'[' * 2000}'",
    f"'{'9' * 5000}'",
    "'NaN'",
)


def sql_mutations(path: Path, count: int, seed: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield statements that leave a store a SQLite file, with something wrong in it."""
    rng = random.Random(seed)
    with closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT tbl_name FROM sqlite_master ORDER BY 1")]
        columns = {t: [row[1] for row in db.execute(f"PRAGMA table_info({t})")] for t in tables}
        texts = [
            (table, column, text)
            for table in dict.fromkeys(tables)
            for column in columns[table]
            for (text,) in db.execute(f"SELECT {column} FROM {table} LIMIT 5")
            if isinstance(text, str) and text.startswith(("{", "["))
        ]
    for number in range(count):
        if rng.random() < 0.5:
            table, column, text = rng.choice(texts)
            (other,) = json_mutations(text.encode(), 1, seed + number)
            yield f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (other.decode(), text)
        else:
            table = rng.choice(tables)
            yield _statement(table, rng.choice(columns[table]), rng), ()


def _statement(table: str, column: str, rng: random.Random) -> str:
    value = rng.choice(SQL_VALUES)
    one = f"WHERE rowid = (SELECT min(rowid) FROM {table})"
    where = rng.choice(("", one if table != "facts" else "WHERE name = 'settings'"))
    update = f"UPDATE {table} SET {column} = {value} {where}"
    return rng.choice(
        (
            update,
            update,
            update,
            f"DELETE FROM {table} {where}",
            f"DROP TABLE {table}",
            f"ALTER TABLE {table} RENAME TO other",
            f"ALTER TABLE {table} ADD COLUMN other",
            f"CREATE VIEW other AS SELECT * FROM {table}",
        )
    )
