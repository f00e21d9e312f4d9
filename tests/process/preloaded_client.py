"""Asks the preloaded process (tests/process/preloaded.py) for a fork, and is what its starter waits for.

As a program it takes the place of the fork in a shell: it has its streams, passes signals on and ends as it does. It
needs nothing but the standard library, and so starts within hundredths of a second."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType

MAX_REQUEST = 1_000_000


class PreloadedProcess:
    """A running `contentgen`, with what is used of subprocess.Popen."""

    def __init__(self, arguments: Sequence[str], connection: socket.socket) -> None:
        self.arguments = list(arguments)
        self.returncode: int | None = None
        self._connection = connection
        self.pid = int(connection.recv(MAX_REQUEST))

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = int(self._connection.recv(MAX_REQUEST))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.arguments, timeout or 0) from None
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(
    address: str, arguments: Sequence[str], env: Mapping[str, str], streams: tuple[int, int, int]
) -> PreloadedProcess:
    """`contentgen` with these arguments, in this folder. `address`: the socket of the preloaded process. `streams`:
    file descriptors for its input, output and errors."""
    request = json.dumps([[*arguments], {**env}, os.getcwd()])  # bytes that are no UTF-8 are lone surrogates: escaped
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(address)
    socket.send_fds(connection, [request.encode()], list(streams))
    return PreloadedProcess(arguments, connection)


def _main(address: str, *arguments: str) -> int:
    process = start(address, arguments, os.environ, (0, 1, 2))

    def pass_on(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_on)
    status = process.wait()
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
