"""Pages of libraries' files that a process has read and will not read again."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MAPPINGS: Final = Path("/proc/self/smaps")
_MAPPING: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) r-.p \S+ \S+ \S+ +/")
"""One of a file that is read and not written to."""
_OWN: Final = re.compile(r"(?:Anonymous|Swap): +[1-9]")
"""Pages of it that the process has written to before, such as those with addresses."""
_DONTNEED: Final = 4  # MADV_DONTNEED of Linux; Python names it for its own mappings alone


def let_go_of_library_pages() -> None:
    """Gives back what is mapped of files and as it is there; elsewhere than on Linux nothing. Whoever reads such a page
    again finds it in the system's cache, or on the disk."""
    if not _MAPPINGS.exists():
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for start, end in list(_unchanged()):
        advise(start, end - start, _DONTNEED)


def _unchanged() -> Iterator[tuple[int, int]]:
    mapping, own = None, False
    for line in _MAPPINGS.read_text().splitlines():
        if "-" in line.partition(" ")[0]:
            if mapping and not own:
                yield mapping
            found = _MAPPING.match(line)
            mapping, own = found and (int(found[1], 16), int(found[2], 16)), False
        own = own or _OWN.match(line) is not None
    if mapping and not own:
        yield mapping
