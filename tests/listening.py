"""How the command line is started to be told Ctrl-C."""

import sys

WAIT = 60  # seconds against hanging for ever

# Started by a shell with Ctrl-C ignored, a child would inherit that.
LISTENING = [
    sys.executable,
    "-c",
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.executable, [sys.executable, '-m', 'dagscape', *sys.argv[1:]])",
]
