"""Arrow and what is built on it, loaded by one thread at a time.

Its compiled modules import each other while they initialise. Two threads that load different ones at the same moment,
as the search index and the object store do at a start, can meet one that is half there: the import then fails.
"""

from __future__ import annotations

from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Final

_one_at_a_time: Final = Lock()


def load(module: str) -> ModuleType:
    """A module that imports Arrow. Blocks, for a second or two the first time: call it in a thread."""
    with _one_at_a_time:
        return import_module(module)
