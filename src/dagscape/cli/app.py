"""The commands under one roof, and what becomes of their errors.

Whatever the user can mend is one line on stderr and exit code 2; Ctrl-C is one line and 130, a lost
cluster 3; a
reader that closes the pipe early (``| head -1``) is no error worth a word.
"""

import os
import signal
import sys
import threading
import time
import warnings
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import getdoc
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

import dagscape as ds
from dagscape.cli.commands import COMMANDS
from dagscape.cli.option_groups import Call, with_options
from dagscape.cli.output import emit, note
from dagscape.errors import LostClusterError
from dagscape.speech import speaking_of
from dagscape.starting import BEGUN, INTERRUPTED, ended, leave, started
from dagscape.words import size

A_MOMENT = 0.01
"""Seconds after which a destructor that Ctrl-C met has ended."""


def press() -> None:
    """Press Ctrl-C; where signals reach threads, whatever the first of them waits for ends."""
    first = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and first is not None:
        signal.pthread_kill(first, signal.SIGINT)
    else:
        interrupt_main()


class Presses:
    """How often Ctrl-C was pressed while a command ran."""

    def __init__(self) -> None:
        self.count = 0
        self.ended: list[str] = []
        """What the first of them ended, in words; what is last says most."""

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Let the command end by itself; leave at once if that takes too long for somebody."""
        self.count += 1
        if self.count > 1:
            leave()
        raise KeyboardInterrupt

    def repeat(self) -> None:
        """Press once more in a moment what was raised where nobody could catch it."""
        self.count -= 1
        threading.Timer(A_MOMENT, press).start()

    def leave(self, code: int, message: str = "") -> NoReturn:
        """Exit with a line; after a Ctrl-C, any other error is a consequence of it."""
        _leave(*((INTERRUPTED, self.words) if self.count else (code, message)))

    @property
    def words(self) -> str:
        """What to say of it."""
        return " ".join(["interrupted", *self.ended[-1:]])


@contextmanager
def heard() -> Iterator[Presses]:
    """Count what is pressed while a command runs, unless Ctrl-C is ignored."""
    presses = Presses()
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before in (signal.SIG_IGN, None):
        yield presses
        return
    unraisable = sys.unraisablehook

    def quiet(raised: Any) -> None:
        # Where nobody can catch it (in a destructor, say), Python would print it and go on.
        if issubclass(raised.exc_type, KeyboardInterrupt):
            presses.repeat()
        else:
            unraisable(raised)

    sys.unraisablehook = quiet
    signal.signal(signal.SIGINT, presses)
    try:
        yield presses
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = unraisable


BAD_INPUT, CLOSED_PIPE, LOST = 2, 1, 3

LEAST_ROOM = 1_500_000_000
"""Bytes of address space: libraries map files and stacks of threads there, and use far less."""

# typer carries its own copy of click or imports click, by version; this class it has in both.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


class Commands(TyperGroup):
    """A group of commands that ends in one line and an exit code, never in a traceback.

    A command is imported when it is to run, or to show its own help: ``dagscape --help`` waits for
    none of them.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._whole: dict[str, Any] = {}

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run the command that the arguments name, and exit."""
        begun = options.pop("begun", time.monotonic())
        started()
        with heard() as presses:
            try:
                self._main(begun, args, options, presses)
            except SystemExit:
                raise
            except BaseException:
                if not presses.count:
                    raise
                # An import that was cut short, say, has other words for it, and so has polars.
                _leave(INTERRUPTED, presses.words)

    def whole(self, name: str) -> Any:
        """Return a command with its parameters, which are known once its file is imported."""
        if name not in self._whole:
            alone = typer.Typer(rich_markup_mode="rich", add_completion=False)
            known = COMMANDS[name]
            run = imported(name)
            alone.command(name, help=_paragraphs(run), epilog=f"Example: {known.example}")(run)
            self._whole[name] = self.commands[name] = typer.main.get_command(alone)
        return self._whole[name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, whole."""
        if args[0] in COMMANDS:
            self.whole(args[0])
        return super().resolve_command(ctx, args)

    def _main(
        self, begun: float, args: tuple[Any, ...], options: dict[str, Any], presses: Presses
    ) -> NoReturn:
        given = options.pop("args", args[0] if args else None)
        words = list(sys.argv[1:] if given is None else given)
        options |= {"prog_name": "dagscape", "standalone_mode": False}
        if sys.stdout is None:  # closed by the shell: >&-
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        try:
            with (
                speaking_of(self._options(words)),
                warnings.catch_warnings(),
            ):
                warnings.showwarning = lambda message, *_, **__: note(str(message))
                warnings.simplefilter("always", ds.ClusterWarning)
                call = Call(tuple(words), begun, ended=presses.ended)
                code = super().main(words or ["--help"], obj=call, **options)
            sys.stdout.flush()  # here, where a closed pipe can still be met
        except LostClusterError as error:
            presses.leave(LOST, str(error))
        except ds.DagscapeError as error:
            presses.leave(BAD_INPUT, str(error))
        except UsageError as error:
            presses.leave(BAD_INPUT, _usage(error))
        except MemoryError as error:
            presses.leave(
                BAD_INPUT, f"not enough memory: {error}" if str(error) else "not enough memory"
            )
        except BrokenPipeError:
            presses.leave(CLOSED_PIPE)
        except OSError as error:
            what = f'"{error.filename}"' if error.filename else "the output cannot be written"
            presses.leave(BAD_INPUT, f"{what}: {error.strerror or error}")
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        if code == INTERRUPTED:  # what typer makes of Ctrl-C
            presses.leave(INTERRUPTED, presses.words)
        sys.exit(code or 0)

    def _options(self, words: list[str]) -> dict[str, str]:
        """Return the options of the command that the words name, by setting."""
        name = next((word for word in words if word in COMMANDS), None)
        found = {}
        for parameter in () if name is None else self.whole(name).params:
            long = [word for word in parameter.opts if word.startswith("--")]
            if long and parameter.name:
                found[parameter.name] = long[0]
        return found


def _usage(error: Exception) -> str:
    """Return what is wrong with the arguments, and where to read how they should be."""
    said: Callable[[], str] = getattr(error, "format_message", error.__str__)
    sentence = " ".join(said().split()).removesuffix(".")
    path = getattr(getattr(error, "ctx", None), "command_path", "dagscape")
    return f"{sentence} (see {path} --help)"


def _leave(code: int, message: str = "") -> NoReturn:
    """Exit with a line on stderr, dropping what stdout did not take."""
    if message:
        note(message)
    try:
        sys.stdout.flush()
    except OSError:  # the interpreter would try again, and complain
        with suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
    sys.exit(code)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _name, _known in COMMANDS.items():

    @app.command(_name, help=_known.summary, epilog=f"Example: {_known.example}")
    def _not_imported() -> None: ...


def _version(wanted: bool) -> None:
    if wanted:
        emit(f"dagscape {ds.__version__}")
        raise typer.Exit


@app.callback(epilog=f"Example: {COMMANDS['sample'].example}")
def dagscape(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Learn Bayesian networks from tables, ask them, and work with their files."""


def imported(name: str) -> Callable[..., None]:
    """Import the function of a command."""
    found: Callable[..., None] = getattr(import_module(f"dagscape.cli.{name}_command"), name)
    return with_options(found)


def _paragraphs(run: Callable[..., None]) -> str:
    """Return what is said of a command, without the line ends of its source.

    Below the first paragraph, typer keeps these, and a narrow window breaks lines once more.
    """
    return "\n\n".join(" ".join(part.split()) for part in (getdoc(run) or "").split("\n\n"))


def _import_for(name: str) -> None:
    """Import what a command needs while Ctrl-C still ends the process at once."""
    import numpy as np
    import polars as pl

    # polars asks NumPy who it is when it first meets an array, and panics if Ctrl-C comes then.
    pl.Series(np.zeros(1, np.uint8))
    imported(name)


def _refuse_little_room() -> None:
    """Refuse to begin where libraries would abort, or wait for ever, for lack of memory."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    room = resource.getrlimit(resource.RLIMIT_AS)[0]
    if room != resource.RLIM_INFINITY and room < LEAST_ROOM:
        _leave(
            BAD_INPUT,
            f"this process may use {size(room)} of address space, and needs {size(LEAST_ROOM)}; "
            "ulimit -v raises it",
        )


def main() -> None:
    """Run the command line."""
    try:
        if name := next((word for word in sys.argv[1:] if word in COMMANDS), None):
            _refuse_little_room()
            _import_for(name)
        app(begun=BEGUN)
    except ImportError as error:
        said = " ".join(str(error).split())
        _leave(BAD_INPUT, f"a library cannot be loaded, perhaps for lack of memory: {said}")
    except KeyboardInterrupt:  # between two moments in which it is minded
        leave()
    except SystemExit as end:
        ended()
        if end.code == INTERRUPTED:
            leave(said=True)
        raise
