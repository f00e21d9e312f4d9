"""What a campaign runs: a service, a worker beside it, their database and Redis, and the servers that they call."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
from attrs import define, field

from tests.chaos.peers import Peers
from tests.process.fleet import Worker
from tests.process.service import Service, alive, connect, data_directory, until
from tests.support.redis_server import RedisServer
from tests.support.shifted_clock import sitecustomize

DISK_MIB: Final = 1_024
SMALL_DISK_MIB: Final = 320  # to fill it takes a third of a second
_LEASES: Final = {
    "jobs": "SELECT DISTINCT worker FROM jobs WHERE state = 'running' AND leased_until > now()",
    "kb_index_changes": "SELECT DISTINCT worker FROM kb_index_changes WHERE leased_until > now()",
    "kb_documents_to_embed": (
        "SELECT DISTINCT worker FROM kb_documents_to_embed WHERE leased_until > now() AND worker IS NOT NULL"
    ),
}
"""By table, who holds any."""


@define
class World:
    """`own_disk`: whether the data directory is a file system of its own, which can be filled. `hurried`: leases of
    the dead end at once, as if half a minute had gone by."""

    service: Service
    worker: Worker
    redis: RedisServer
    peers: Peers
    own_disk: bool
    hurried: bool
    clock: Path
    _key: str = ""
    _restarts: list[Callable[[], None]] = field(factory=list)

    @property
    def data_dir(self) -> Path:
        return self.service.data_dir

    def client(self, timeout: float = 40.0) -> httpx.Client:
        self._key = self._key or self.service.demo_key  # once: the disk may be full later
        return self.service.client(self._key, timeout)

    def database(self) -> psycopg.Connection[Any]:
        return connect(self.data_dir)

    def ready(self) -> bool:
        with suppress(httpx.HTTPError):
            return self.service.http.get("/ready", timeout=5).status_code == 200
        return False

    def keep_running(self) -> None:
        """Start again what has ended, as a supervisor of services would."""
        if self.service.process is None or self.service.process.poll() is not None:
            self.service.start("/health")
        if self.worker.process is None or self.worker.process.poll() is not None:
            self.worker.start()
        if self.hurried:
            self.expire_leases_of_the_dead()

    def expire_leases_of_the_dead(self) -> None:
        """As if half a minute had gone by. A worker's name has the number of its process in it."""
        with suppress(psycopg.Error), self.database() as database:
            for table, held in _LEASES.items():
                dead = [worker for (worker,) in database.execute(held).fetchall() if not alive(_pid(worker))]
                database.execute(
                    f"UPDATE {table} SET leased_until = now() WHERE leased_until > now() AND worker = ANY(%s)", (dead,)
                )

    def logs(self) -> str:
        return f"{self.service.log()}\n{self.worker.log()}"


@contextmanager
def a_world(*, hurried: bool, seconds: float = 60.0) -> Iterator[World]:
    """Everything up and ready."""
    with ExitStack() as stack:
        directory = stack.enter_context(data_directory())
        own_disk = _mounted(directory, SMALL_DISK_MIB if hurried else DISK_MIB, stack)
        redis = stack.enter_context(RedisServer())
        peers = Peers()
        stack.enter_context(peers.running())
        clock = directory.parent / "clock"
        env = peers.environment | {
            "CONTENTGEN_REDIS_URL": redis.url,
            "CONTENTGEN_MODEL_TIMEOUT": "8",
            "TESTS_CLOCK": str(clock),
            "PYTHONPATH": os.pathsep.join(
                filter(None, (str(Path(sitecustomize.__file__).parent), os.environ.get("PYTHONPATH")))
            ),
        }
        service = Service(directory, env)
        stack.callback(service.close)
        service.start()
        worker = Worker(directory, env, concurrency=8)
        stack.callback(worker.close)
        worker.start()
        world = World(service, worker, redis, peers, own_disk, hurried, clock)
        until(world.ready, seconds, service.logs)
        yield world


def _mounted(directory: Path, mib: int, stack: ExitStack) -> bool:
    """Put a file system of that size there, which takes the right to mount."""
    directory.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0700", "none", str(directory)]
    with suppress(FileNotFoundError):
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            stack.callback(subprocess.run, ["umount", "--lazy", str(directory)], check=True)
            return True
    return False


def _pid(worker: str) -> int:
    """Of its process; our own for a worker that is not named by one."""
    parts = worker.rsplit("-", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else os.getpid()


def within(condition: Callable[[], bool], seconds: float) -> float | None:
    """The seconds until it was so; None if it was not."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            return None
        time.sleep(0.1)
    return time.monotonic() - began
