"""Workers beside a service: `contentgen worker` with its processes, and a Redis between them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.process.preloaded import PreloadedProcess, preloader
from tests.process.service import START_SECONDS, STOP_SECONDS, alive, environment, until


def children(supervisor: int) -> list[int]:
    """The processes of a service or a worker that still run: they are forked from one that it started, which does
    nothing else. Those of its database are left out."""
    return [
        pid
        for started in _started_by(supervisor)
        for pid in _started_by(started)
        if alive(pid) and {"forkserver", "preloaded"} & set(re.findall(r"\w+", command(pid)))
    ]


def _started_by(pid: int) -> list[int]:
    try:
        return [int(found) for found in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Worker:
    """One `contentgen worker` on a data directory; may be started again after it ended."""

    _number = 0

    def __init__(self, data_dir: Path, env: Mapping[str, str], *, processes: int = 1, concurrency: int = 8) -> None:
        Worker._number += 1
        self.data_dir, self.env = data_dir, dict(env)
        self.options = ["--processes", str(processes), "--concurrency", str(concurrency)]
        self.log_file = data_dir.parent / f"worker-{Worker._number}.log"
        self.process: PreloadedProcess | None = None

    def start(self) -> None:
        """Start, and wait until one of its processes works."""
        seen = self.log().count('"working"')
        command = ["worker", *self.options, "--data-dir", str(self.data_dir)]
        with self.log_file.open("ab") as log, open(os.devnull, "rb") as nothing:
            streams = (nothing.fileno(), log.fileno(), log.fileno())
            self.process = preloader().start(command, environment(self.env), streams)
        until(lambda: self._works(seen), START_SECONDS, lambda: f"the worker; its log says:\n{self.log()[-4000:]}")

    def _works(self, seen: int) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the worker ended with {self.process.returncode}:\n{self.log()[-4000:]}")
        return self.log().count('"working"') > seen

    def log(self) -> str:
        return self.log_file.read_text("utf-8", "replace") if self.log_file.exists() else ""

    @property
    def pids(self) -> list[int]:
        """Of the processes that do the jobs."""
        assert self.process is not None
        return children(self.process.pid)

    def kill(self) -> None:
        """All of it at once, as a machine that lost its power."""
        assert self.process is not None
        pids = self.pids
        self.process.kill()
        for pid in pids:
            kill(pid)
        self.process.wait(STOP_SECONDS)

    def terminate(self) -> float:
        """SIGTERM; the seconds until it ended, and its processes with it."""
        assert self.process is not None
        began, pids = time.monotonic(), self.pids
        self.process.terminate()
        self.process.wait(STOP_SECONDS)
        took = time.monotonic() - began
        until(lambda: not any(map(alive, pids)), 5, "the end of the worker's processes")
        return took

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            try:
                self.terminate()
            except (subprocess.TimeoutExpired, AssertionError):
                self.kill()
