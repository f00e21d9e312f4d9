import ctypes
import mmap
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contentgen_http.library_pages import let_go_of_library_pages

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is mapped is told by Linux")

WHOLE = b"theirs" + bytes(2 * mmap.PAGESIZE)


@contextmanager
def mapped(path: Path) -> Iterator[mmap.mmap]:
    """A file as the dynamic loader maps libraries: for this process alone."""
    path.write_bytes(WHOLE)
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as mapping:
        yield mapping


def only_read(mapping: mmap.mmap) -> None:
    """What the loader does with pages in which it has put addresses."""
    address = ctypes.addressof(ctypes.c_char.from_buffer(mapping))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address), ctypes.c_size_t(len(mapping)), mmap.PROT_READ) == 0


def resident(path: Path) -> int:
    """KiB of the file that this process has in memory."""
    return int(re.findall(rf"{re.escape(str(path))}\n(?:.*\n)*?Rss: +(\d+)", Path("/proc/self/smaps").read_text())[0])


def test_what_was_read_is_let_go_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "library"
    with mapped(path) as mapping:
        only_read(mapping)
        assert mapping[:] == WHOLE
        before = resident(path)
        let_go_of_library_pages()
        assert (before, resident(path)) == (3 * mmap.PAGESIZE // 1024, 0)
        assert mapping[:] == WHOLE


def test_what_was_written_to_stays(tmp_path: Path) -> None:
    for name, ends in (("read", only_read), ("written", lambda mapping: None)):
        with mapped(tmp_path / name) as mapping:
            mapping[:4] = b"ours"
            ends(mapping)
            let_go_of_library_pages()
            assert mapping[:6] == b"oursrs"
