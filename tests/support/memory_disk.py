"""A place for what tests store and remove again."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

_SHARED_MEMORY = Path("/dev/shm")
_ROOM = 4 * 2**30  # bytes: many times what all suites hold at once


@cache
def memory_disk() -> Path:
    """The folder for databases and indexes of tests: in memory where there is much room, else on the disk.

    A new cluster of PostgreSQL is 2,000 files and 50 MB, and making them on a disk takes four times the processor time.
    Tests end processes, not the machine, so that all that was written survives there too.
    """
    if os.access(_SHARED_MEMORY, os.W_OK) and shutil.disk_usage(_SHARED_MEMORY).free > _ROOM:
        return _SHARED_MEMORY
    return Path(tempfile.gettempdir())
