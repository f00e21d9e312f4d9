"""Imports Arrow and libraries built on it in one thread at a time.

Its compiled modules import each other while they initialise. When two threads import different ones at the same time,
as the search index and the object store do at startup, one may see a partially initialised module and fail.
"""

from __future__ import annotations

from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Final

_import_lock: Final = Lock()


def load(module: str) -> ModuleType:
    """Imports a module that uses Arrow. Blocks for a second or two the first time: call it in a thread."""
    with _import_lock:
        return import_module(module)
