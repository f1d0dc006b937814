"""How the command line is started to be told Ctrl-C."""

import sys

WAIT = 60  # seconds against hanging for ever

# Started by a shell with Ctrl-C ignored, a child would inherit that.
LISTENING = [
    sys.executable,
    "-c",
    "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('dagscape', run_name='__main__')",
]
