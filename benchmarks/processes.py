"""Programs that a benchmark starts, watches and stops."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil  # type: ignore[import-untyped]
import psycopg
from attrs import evolve, frozen

from benchmarks.configuration import embeddings

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 15.0
MIB: Final = 1024 * 1024
ONE_PROCESS: Final = ("--workers", "1", "--job-workers", "0")
SETTLED: Final = 0.05  # of a core
SETTLE_SECONDS: Final = 120.0
CONTENTGEN: Final = str(Path(sys.executable).with_name("contentgen"))


@frozen
class Program:
    """A running program that answers on a port of this machine."""

    process: psutil.Process
    port: int
    started_in: float
    """Seconds from its start until it answered."""
    ready_in: float = 0.0
    """Of a service: until it was ready."""

    def cpu_seconds(self) -> float:
        """User and system time of all its threads so far."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def all_cpu_seconds(self) -> float:
        """Return user and system time of the program and all processes that it started."""
        every = [self.process, *self.process.children(recursive=True)]
        return float(sum(times.user + times.system for times in (process.cpu_times() for process in every)))

    def rss_mib(self) -> float:
        return float(self.process.memory_info().rss / MIB)

    def get(self, path: str, **headers: str) -> bytes:
        """The body of an answer 200. Raises urllib.error.URLError."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            body: bytes = answer.read()
            return body


def memory(program: Program) -> float:
    """Return the MiB of all processes of the service but those of PostgreSQL; shared memory counts once (PSS)."""
    total = 0.0
    for process in (program.process, *program.process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
            if process.name() != "postgres":
                total += process.memory_full_info().pss
    return total / MIB


def settle(program: Program) -> None:
    """Wait until the program and its processes rest: the work that a service does on existing data when it starts is no
    part of an answer. Raises RuntimeError after SETTLE_SECONDS.
    """
    until, before = time.perf_counter() + SETTLE_SECONDS, program.all_cpu_seconds()
    while time.perf_counter() < until:
        time.sleep(1.0)
        now = program.all_cpu_seconds()
        if now - before < SETTLED:
            return
        before = now
    raise RuntimeError(f"{program.process.name()} does not rest after {SETTLE_SECONDS:g} s")


def database_cpu_seconds(conninfo: str) -> float:
    """User and system time of all processes of a PostgreSQL on this machine so far, those that ended included; to some
    hundredths of a second."""
    with psycopg.connect(conninfo) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        server = psutil.Process(row[0]).parent()
        ended = server.cpu_times()
        found = float(ended.children_user + ended.children_system)
        for process in (server, *server.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                found += times.user + times.system
        return found


@contextmanager
def data_directory() -> Iterator[Path]:
    """A folder for a database, an index and files, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="contentgen-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def service(
    data_dir: Path,
    *options: str,
    demo: bool = False,
    settings: Mapping[str, str] | None = None,
    all_cores: bool = False,
) -> Iterator[Program]:
    """`contentgen serve` on a data directory, once it is ready, with its default settings but for those named: in one
    process, unless there are options, or `all_cores`, as which it starts by default."""
    if not options and not all_cores:
        options = ONE_PROCESS
    port = free_port()
    command = [CONTENTGEN, "serve", "--data-dir", str(data_dir), "--port", str(port), *options]
    begun = time.perf_counter()
    with _running([*command, *(["--demo"] if demo else [])], port, "/health", settings) as program:
        while not _is_ready(program):
            if time.perf_counter() > begun + START_SECONDS:
                raise RuntimeError(f"{command} is not ready after {START_SECONDS:g} s")
            time.sleep(0.02)
        yield evolve(program, ready_in=time.perf_counter() - begun)


def _is_ready(program: Program) -> bool:
    try:
        program.get("/ready")
    except OSError:  # 503 as well
        return False
    return True


@contextmanager
def module(name: str, *arguments: str, path: str = "/health") -> Iterator[Program]:
    """Run a reference that serves on the port it is given: `python -m NAME PORT ARGUMENT…`."""
    port = free_port()
    with _running([sys.executable, "-m", name, str(port), *arguments], port, path) as program:
        yield program


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment() -> dict[str, str]:
    """Ours, without settings of the product that somebody made for other purposes, with the embedder of this run."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("CONTENTGEN_")}
    return {**ours, "CONTENTGEN_EMBEDDINGS": embeddings()}


@contextmanager
def _running(
    command: Sequence[str], port: int, path: str, settings: Mapping[str, str] | None = None
) -> Iterator[Program]:
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=said, env=environment() | dict(settings or {})
        )
        try:
            if not _answers(process, port, path):
                said.seek(0)
                raise RuntimeError(f"{command} did not start: {said.read()[-2000:].decode('utf-8', 'replace')}")
            yield Program(psutil.Process(process.pid), port, time.perf_counter() - begun)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(process: subprocess.Popen[bytes], port: int, path: str) -> bool:
    deadline = time.perf_counter() + START_SECONDS
    while process.poll() is None and time.perf_counter() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5).read()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.005)
        else:
            return True
    return False
