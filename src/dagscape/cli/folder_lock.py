"""A folder has one writer: two that fill it at the same time would mix their files."""

import getpass
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import dagscape as ds
from dagscape.words import printable

LOCK = ".dagscape-lock"
"""The file in the folder that its writer holds; the system lets go of it when the process ends."""

OPENED = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
"""A folder from anybody may have a link there, to a file that must not be written over."""

FAR = 1 << 20
"""The byte that is locked where the system locks bytes: others can read what is before."""


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Keep other processes from filling a folder, which is made if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise ds.ParameterError(f'--out names a folder, and "{folder}" is a file')
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _taken(folder / LOCK)
    except OSError as error:
        raise ds.ParameterError(f'"{folder}" cannot be written: {error.strerror}') from None
    if file is None:
        raise ds.ParameterError(
            f'"{folder}" is being filled by {_writer(folder / LOCK)}; wait for it to end, or name '
            "another --out"
        )
    try:
        yield
    finally:
        _let_go(file, folder / LOCK)


def _taken(path: Path) -> IO[bytes] | None:
    """Return the file, locked, with who holds it; None if another process does."""
    while True:
        file = open(os.open(path, OPENED, 0o666), "r+b", buffering=0)  # noqa: SIM115
        try:
            if not _locked(file):
                file.close()
                return None
            if _is_still(file, path):
                with suppress(OSError):  # on a full disk, say: others only do not hear who it is
                    file.truncate()
                    file.write(json.dumps(_self(), ensure_ascii=True).encode())
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # the one before removed it in between


def _locked(file: IO[bytes]) -> bool:
    """Lock a file; tell whether that could be done."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        file.seek(0)
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some file systems have no locks
        return True
    return True


def _is_still(file: IO[bytes], path: Path) -> bool:
    """Tell whether an open file is still the one under its name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _let_go(file: IO[bytes], path: Path) -> None:
    if sys.platform == "win32":  # an open file cannot be removed
        file.close()
        with suppress(OSError):
            path.unlink()
        return
    with suppress(OSError):
        path.unlink()
    file.close()


def _self() -> dict[str, str | int]:
    """Return what others are told of this process."""
    said: dict[str, str | int] = {
        "process": os.getpid(),
        "machine": platform.node(),
        "since": time.strftime("%Y-%m-%d %H:%M"),
        "command": shlex.join(["dagscape", *sys.argv[1:]]),
    }
    with suppress(OSError, KeyError, ImportError):
        said["user"] = getpass.getuser()
    return said


def _writer(path: Path) -> str:
    """Say who holds the lock, as far as that is known."""
    try:
        said = json.loads(path.read_bytes()[:FAR])
        words = {name: printable(str(said[name])) for name in _self() if name in said}
        where = "" if words["machine"] == platform.node() else f" on {words['machine']}"
        who = (
            f" of {words['user']}" if "user" in words and said["user"] != getpass.getuser() else ""
        )
        return f"process {words['process']}{who}{where} since {words['since']}: {words['command']}"
    except (OSError, ValueError, LookupError, TypeError, ImportError, RecursionError):
        return "another process"
