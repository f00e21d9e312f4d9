"""The lock files of one data directory; what each of them means stands in the package's docstring."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from contentgen_adapters.postgres.embedded.errors import EmbeddedPostgresError


class Locks:
    """Those that this process holds, from when it begins to use the server until it leaves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, int] = {}

    @property
    def entered(self) -> bool:
        """Does this process count as a user of the server?"""
        return bool(self._held)

    @contextlib.contextmanager
    def alone(self, seconds: float) -> Iterator[None]:
        """Be the only one who starts or stops. Raises EmbeddedPostgresError when others take longer than `seconds`."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        lock = self.open("start")
        try:
            wait_for(lock, fcntl.LOCK_EX, time.monotonic() + seconds)
            yield
        finally:
            os.close(lock)

    def enter(self, deadline: float) -> None:
        """Become a user. Waits while the keeper stops a server that nobody used; raises as `alone` does."""
        for name in ("users", "keeper"):
            if name not in self._held:
                self._held[name] = self.open(name)
                wait_for(self._held[name], fcntl.LOCK_SH, deadline)

    def am_last(self) -> bool:
        """Is there no other user? To be asked when `alone`, and before leaving: it may cost the lock that says so."""
        return _try(self._held["users"], fcntl.LOCK_EX)

    def dismiss_keeper(self) -> None:
        """Stop holding the keeper back."""
        os.close(self._held.pop("keeper"))

    def leave(self) -> None:
        while self._held:
            os.close(self._held.popitem()[1])

    def server_lives(self) -> bool:
        lock = self.open("server")
        try:
            return not _try(lock, fcntl.LOCK_SH)
        finally:
            os.close(lock)

    @contextlib.contextmanager
    def for_new_server(self, deadline: float) -> Iterator[tuple[int, int]]:
        """What the keeper needs: a file to wait for, and the lock that it and the server hold by inheritance."""
        # opened anew: to hand on the descriptor that we hold a lock by would be to hand on the lock
        keeper, server = self.open("keeper"), self.open("server")
        try:
            wait_for(server, fcntl.LOCK_EX, deadline)
            yield keeper, server
        finally:
            os.close(keeper)
            os.close(server)

    def open(self, name: str) -> int:
        return os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def wait_for(lock: int, how: int, deadline: float) -> None:
    while not _try(lock, how):
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                "Another process has been starting or stopping the database for a long time."
                " Look into postgres.log in the data directory, and try again."
            )
        time.sleep(0.01)


def _try(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
