"""`contentgen serve` and the other commands as processes of their own."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.embedded.cluster import PORT, socket_directory
from contentgen_adapters.postgres.embedded.ownership import DATABASE, USER
from contentgen_adapters.shared.http import tls
from tests.process.preloaded import PreloadedProcess, preloader
from tests.support.memory_disk import memory_disk

CONTENTGEN = str(Path(sys.executable).with_name("contentgen"))
# Workers of one run have process ids near each other: each begins its ports 50 further on.
_ports = iter(range(18_200 + 50 * (os.getpid() % 100), 32_000))
START_SECONDS = 40.0  # of a first start, on a busy machine
STOP_SECONDS = 30.0
_STORED = frozenset({"CONTENTGEN_DATABASE_URL", "CONTENTGEN_SEALING_KEYS", "CONTENTGEN_SECRET_KEY"})
"""Settings that decide what a first start stores."""
BUSY = 3
ONE_PROCESS = ("--workers", "1", "--job-workers", "0")
"""What starts soonest, for tests to which it is all the same how many processes a service has."""

T = TypeVar("T")


def until(
    condition: Callable[[], T | None], seconds: float, what: str | Callable[[], object], *, exactly: bool = False
) -> T:
    """Ask again and again until the answer is true; fails with `what` after some seconds of a quiet machine, and a few
    times as many of a busy one. `exactly`: where the time itself is promised.

    It asks at longer and longer intervals, so that a condition which asks the service stays below the tenant's limit
    of 500 requests a minute however long that takes."""
    began = time.monotonic()
    allowed = seconds * (1 if exactly else BUSY)
    while not (answer := condition()):
        elapsed = time.monotonic() - began
        if elapsed > allowed:
            raise AssertionError(f"not within {seconds:g} s: {what() if callable(what) else what}")
        time.sleep(min(max(0.05, elapsed / 20), 0.5))
    return answer


def figure(text: str) -> None:
    """A figure that pytest shows with `-s`."""
    sys.stdout.write(text + "\n")


def free_port() -> int:
    """One that nobody uses, and that no other process of the same run will try."""
    for port in _ports:
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no free port")


@contextmanager
def data_directory(place: Path | None = None) -> Iterator[Path]:
    """A data directory of a test's own; its database has ended before it goes."""
    # Not below pytest's own directories, whose long names would move the database's socket elsewhere.
    parent = Path(tempfile.mkdtemp(prefix="contentgen-", dir=place or memory_disk()))
    try:
        yield parent / "data"
        wait_for_end_of_database(parent / "data")
    finally:
        shutil.rmtree(parent, ignore_errors=True)


def wait_for_end_of_database(data_dir: Path) -> None:
    pid = data_dir / "postgres" / "postmaster.pid"
    until(lambda: not pid.exists() or not alive(int(pid.read_text().split()[0])), STOP_SECONDS, "the database's end")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Ours without the settings of whoever runs the tests; and without a model, which most tests are not about."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CONTENTGEN_")}
    return kept | {"COLUMNS": "200", "NO_COLOR": "1", "CONTENTGEN_EMBEDDINGS": "hashed"} | dict(changes or {})


def run(
    *arguments: str | Path,
    data_dir: Path | None = None,
    env: Mapping[str, str] | None = None,
    enter: Sequence[str] = (),
    seconds: float = 90,
) -> subprocess.CompletedProcess[str]:
    """A command from its start to its end, with what it printed. `enter`: what runs the installed program somewhere
    else."""
    placed = ["--data-dir", str(data_dir)] if data_dir is not None else []
    if not enter:
        return preloader().run([*map(str, arguments), *placed], environment(env), seconds)
    return subprocess.run(
        [*enter, CONTENTGEN, *map(str, arguments), *placed],
        env=environment(env), capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def connect(data_dir: Path) -> psycopg.Connection[Any]:
    """To the private database of a data directory, while it runs."""
    conninfo = make_conninfo(host=str(socket_directory(data_dir.resolve())), port=PORT, user=USER, dbname=DATABASE)
    return psycopg.connect(conninfo, autocommit=True)


class Service:
    """One `contentgen serve` on a data directory; may be started again after it ended."""

    def __init__(
        self,
        data_dir: Path,
        env: Mapping[str, str] | None = None,
        *,
        demo: bool = True,
        enter: Sequence[str] = (),
        seen: Path | None = None,
        options: Sequence[str] = ONE_PROCESS,
        installed: bool = False,
    ) -> None:
        """`enter`: what runs the service in a file system of its own, where we see its data directory at `seen`.
        `installed`: start the installed program, which imports everything first, and makes its database itself."""
        self.data_dir = data_dir
        self.enter = list(enter)
        self.seen = seen or data_dir
        self.env = dict(env or {})
        self.demo = demo
        self.options = list(options)
        self.installed = installed or bool(enter)
        self.port = free_port()
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30, trust_env=False, verify=tls())
        self.log_file = data_dir.parent / f"serve-{self.port}.log"
        self.process: subprocess.Popen[bytes] | PreloadedProcess | None = None

    def start(self, ready: str | None = "/ready", seconds: float = START_SECONDS) -> float:
        """Start, and wait until an address answers with 200. The seconds that took."""
        began = time.monotonic()
        if not (self.installed or self.data_dir.exists() or _STORED & self.env.keys()):
            shutil.copytree(_started_once(self.demo), self.data_dir)
        command = ["serve", "--port", str(self.port), "--data-dir", str(self.data_dir), *self.options]
        command += ["--demo"] if self.demo else []
        env = environment(self.env)
        with self.log_file.open("ab") as log, open(os.devnull, "rb") as nothing:
            if self.installed:
                command = [*self.enter, CONTENTGEN, *command]
                self.process = subprocess.Popen(command, env=env, stdin=nothing, stdout=log, stderr=log)
            else:
                self.process = preloader().start(command, env, (nothing.fileno(), log.fileno(), log.fileno()))
        if ready is not None:
            until(lambda: self._answers(ready), seconds, lambda: f"{ready}; the log says:\n{self.log()[-4000:]}")
        return time.monotonic() - began

    def _answers(self, path: str) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the service ended with {self.process.returncode}:\n{self.log()[-4000:]}")
        try:
            return self.http.get(path).status_code == 200
        except httpx.TransportError:
            return False

    def log(self) -> str:
        return self.log_file.read_text("utf-8", "replace") if self.log_file.exists() else ""

    def logs(self) -> str:
        """The ends of its own log and of its private database's, for a failed test to show."""
        database = self.seen / "postgres.log"
        said = database.read_text("utf-8", "replace") if database.exists() else ""
        return f"{self.log()[-6000:]}\n--- postgres.log ---\n{said[-6000:]}"

    def kill(self) -> None:
        """As a power cut or the kernel's memory killer would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(STOP_SECONDS)

    def interrupt(self) -> float:
        """Ctrl-C; the seconds until it ended."""
        return self.end(signal.SIGINT)

    def end(self, number: signal.Signals = signal.SIGTERM) -> float:
        """The seconds that it took to end after this signal. Raises AssertionError where it does not, with its log."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"it did not end; the log says:\n{self.log()[-4000:]}") from error
        return time.monotonic() - began

    def close(self) -> None:
        self.http.close()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    @property
    def demo_key(self) -> str:
        return (self.seen / "demo.key").read_text().strip()

    def client(self, key: str | None = None, timeout: float = 30) -> httpx.Client:
        """A client with a key (by default the demo tenant's), for one thread."""
        headers = {"X-API-Key": key or self.demo_key}
        return httpx.Client(
            base_url=self.http.base_url, headers=headers, timeout=timeout, trust_env=False, verify=tls()
        )

    def postmaster(self) -> int | None:
        """The process of the private database's server, if there is one."""
        try:
            pid = int((self.seen / "postgres" / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None
        return pid if alive(pid) else None


@cache
def _started_once(demo: bool) -> Path:
    """The data directory of a service that was started and ended. A copy of it saves making the database and importing
    the demo's knowledge again: a second of CPU, for each of a hundred tests that are about something else."""
    parent = Path(tempfile.mkdtemp(prefix="contentgen-", dir=memory_disk()))
    atexit.register(shutil.rmtree, parent, ignore_errors=True)
    service = Service(parent / "made", demo=demo)
    service.data_dir.mkdir()  # so that it is made there
    service.start()
    service.interrupt()
    service.close()
    wait_for_end_of_database(service.data_dir)
    return service.data_dir
