"""The process that others are forked from. Whoever starts it imports nothing that it imports."""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing import forkserver
from typing import Final

PRELOADED: Final = "contentgen_http.preloaded"
_NO_THREADS: Final = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""What keeps numpy and pyarrow from starting threads when they are imported."""


def preload() -> None:
    """Begin to import what processes will need, in the background. Blocks for as long as a process takes to start."""
    if start_method() == "forkserver":
        for name, value in _NO_THREADS.items():
            os.environ.setdefault(name, value)
        forkserver.set_forkserver_preload([PRELOADED])
        interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C must not show what it imports
        try:
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, interrupted)


def start_method() -> str:
    """How processes are started here, as multiprocessing names it."""
    return "forkserver" if sys.platform == "linux" else "spawn"
