"""Reading in a process apart.

A damaged Parquet or Arrow file can end the process that reads it: what reads it panics, or asks for
more memory than there is and aborts, and no ``except`` helps. So another process reads it, with
limited memory, and sends back codes and labels; if it ends early, that is a sentence here.

Starting that process takes longer than reading most files, so it waits a moment for the next one.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeAlias

from dagscape import speech
from dagscape.data.arrow_files import typed_columns
from dagscape.data.columns import Column, ColumnError
from dagscape.data.messages import column_of, receive, send, send_column
from dagscape.data.streams import Growing
from dagscape.data.text_tables import Choice
from dagscape.errors import DagscapeError, DataError, ParameterError
from dagscape.import_path import elsewhere
from dagscape.notes import Note

PATIENCE = 3.0
"""Seconds that the process waits for another file."""

TellRows: TypeAlias = Callable[[int, float], object]
"""Called with how many rows are read, and which share of all that is."""

_ERRORS: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in (DataError, ParameterError, MemoryError)
}
_CUT_OFF = (EOFError, BrokenPipeError, ConnectionResetError)
# The packages themselves would import all that dagscape has, which takes longer than the rest.
_START = """
import json, sys, types
folder, sys.path[:] = json.loads(sys.argv[1])
for name in ("dagscape", "dagscape.data"):
    package = types.ModuleType(name)
    package.__path__ = [folder + name[8:].replace(".", "/")]
    sys.modules[name] = package
from dagscape.data.reader_process import serve
serve()
"""


class Reader:
    """A process that reads files one after another, started when it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self._turn = threading.Lock()

    def columns(self, file: Path, choice: Choice, tell: TellRows = lambda *_: None) -> list[Column]:
        """Return the chosen columns of a file; ``tell`` hears how far it is."""
        with self._turn:
            if self._owner != os.getpid():  # forked: the pipes belong to the other
                self._process, self._owner = None, os.getpid()
            while True:
                waiting = self._process is not None
                process = self._started()
                if process is None:
                    growing = Growing()
                    for piece in _read_here(file, choice):
                        growing.add_piece(piece)
                    return growing.finish()
                try:
                    return self._ask(process, file, choice, tell)
                except _CUT_OFF:
                    if not waiting:
                        raise DataError("the file is damaged; write it again") from None

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None

    def _ask(
        self, process: subprocess.Popen[bytes], file: Path, choice: Choice, tell: TellRows
    ) -> list[Column]:
        answer = None
        try:
            answer = _answered(process, file, choice, tell)
        except DagscapeError:
            raise  # of pieces that make no column together
        except (ValueError, KeyError, TypeError):
            raise EOFError from None  # an answer that makes no sense counts as no answer
        finally:
            if answer is None:
                self.close()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _started(self) -> subprocess.Popen[bytes] | None:
        """Return the process; None where this one cannot start another that runs Python."""
        if self._process is None and sys.executable and not getattr(sys, "frozen", False):
            package = os.fspath(Path(__file__).parents[1].absolute())
            known = json.dumps([package, elsewhere(sys.path)])
            with suppress(OSError):
                # With -c alone, Python would import what it needs from the current folder, where
                # the file may be from anybody.
                self._process = subprocess.Popen(  # noqa: S603 (Python itself)
                    [sys.executable, "-I", "-c", _START, known],
                    cwd=package,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,  # what panics say there
                )
            ready = False
            try:
                ready = self._process is not None and _greets(self._process)
            finally:
                if not ready:
                    self.close()
        return self._process


SHARED = Reader()
atexit.register(SHARED.close)


def _greets(process: subprocess.Popen[bytes]) -> bool:
    try:
        return "ready" in receive(_stream(process.stdout))[0]
    except (*_CUT_OFF, ValueError):
        return False


def _answered(
    process: subprocess.Popen[bytes], file: Path, choice: Choice, tell: TellRows
) -> list[Column] | Exception:
    """Ask the process for a file; return the columns, or what it says is wrong."""
    request = {
        "file": os.fspath(file.absolute()),
        "wanted": choice.wanted,
        "left_out": list(choice.left_out),
        "options": speech.spoken(),
    }
    send(_stream(process.stdin), request)
    growing, all_rows = Growing(), 0
    while True:
        message, content = receive(_stream(process.stdout))
        if message.get("note") is not None:
            return ColumnError(message["words"], Note.from_dict(message["note"]))
        if "error" in message:
            return _ERRORS[message["error"]](message["words"])
        if "rows" in message:
            all_rows = int(message["rows"])
        elif "column" in message:
            growing.add_piece(column_of(message["column"], content))
            tell(growing.rows, growing.rows / max(1, all_rows))
        else:
            return growing.finish()


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "asked for above"  # noqa: S101
    return pipe


def _read_here(
    file: Path, choice: Choice, tell_rows: Callable[[int], object] = int
) -> Iterator[Column]:
    """Yield pieces of columns; a panic, or what else a damaged file leads to, is a DataError."""
    try:
        yield from typed_columns(file, choice, tell_rows)
    except (DataError, ParameterError, MemoryError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a panic is no Exception
        said = str(error).partition("\n")[0][:200]
        if "not yet implemented" in said:  # of run-end-encoded columns, for instance
            raise DataError(
                "the file has a column of a type that cannot be read here; write it again with "
                "plain columns of words or numbers"
            ) from error
        reason = said if isinstance(error, OSError) else f"{type(error).__name__}: {said}"
        raise DataError(f"the file is damaged ({reason}); write it again") from error


def serve() -> None:
    """Read the files that the other process asks for, until it closes the pipe or asks no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that one ends this one
    _limit_memory()
    asked: Any = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever prints must not mix with answers
    send(answers, {"ready": True})
    with suppress(EOFError):
        while True:
            request, _ = receive(asked)
            _answer(request, answers)
            waiting = threading.Timer(PATIENCE, os._exit, (0,))
            waiting.start()
            asked.peek()
            waiting.cancel()


def _answer(request: dict[str, Any], answers: IO[bytes]) -> None:
    choice = Choice(request["wanted"], request["left_out"])
    try:
        with speech.speaking_of(request["options"]):
            pieces = _read_here(
                Path(request["file"]), choice, lambda rows: send(answers, {"rows": rows})
            )
            for column in pieces:
                send_column(answers, column)
        send(answers, {"done": True})
    except (DataError, ParameterError, MemoryError) as error:
        note = error.note.to_dict() if isinstance(error, ColumnError) else None
        kind = "DataError" if note else type(error).__name__
        send(answers, {"error": kind, "words": str(error), "note": note})


def _limit_memory() -> None:
    """Let a file that asks for more memory than the machine has be refused it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > most:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # rather this process than another
