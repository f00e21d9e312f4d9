"""A file without a name, for a process and those that it starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.reduction import DupFd
from tempfile import TemporaryFile
from typing import Any


class SharedFile:
    """Reaches a process among its arguments. `descriptor`: of the file, in the process that has this object."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (DupFd(self.descriptor),)


def _received(duplicate: Any) -> SharedFile:
    return SharedFile(duplicate.detach())


@contextmanager
def shared_file() -> Iterator[SharedFile]:
    """A new, empty one; it is there until the last process that has it ends."""
    with TemporaryFile() as file:
        yield SharedFile(file.fileno())
