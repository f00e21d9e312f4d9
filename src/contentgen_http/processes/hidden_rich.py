"""Imports without Rich, which structlog and httpx import where it is installed, to draw tracebacks and answers on a
terminal: 67 modules, a tenth of a second of CPU and 5 MiB in each process. Our logs are lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_RICH: Final = "rich"


@contextmanager
def without_rich() -> Iterator[None]:
    """What is imported in the block finds no Rich, as if it were not installed; unless it was imported before."""
    absent = _RICH not in sys.modules
    if absent:
        sys.modules[_RICH] = None  # type: ignore[assignment]  # as the import system has it: no such module
    try:
        yield
    finally:
        if absent:
            del sys.modules[_RICH]
