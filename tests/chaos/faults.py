"""The kinds of faults. Each has passed when `strike` returns; what it leaves behind the service has to get over by
itself."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final

import psycopg
import redis

from tests.chaos.peers import Mood, Peer
from tests.chaos.world import World, within
from tests.process.fleet import kill
from tests.process.service import until

_MEETING_SECONDS: Final = 3.0  # in which somebody calls a server that was told to spoil answers


class Fault(ABC):
    """`what`: in the words of the report. `costly`: takes seconds, and processor time to start anew."""

    what: ClassVar[str]
    costly: ClassVar[bool] = False

    def possible(self, world: World) -> bool:
        return True

    @abstractmethod
    def strike(self, world: World, chance: random.Random) -> None: ...


class ServiceKilled(Fault):
    what = "kill -9 of the service, started again"
    costly = True

    def strike(self, world: World, chance: random.Random) -> None:
        world.service.kill()
        time.sleep(_short(world, chance, 3))
        world.service.start("/health")


class WorkerKilled(Fault):
    what = "kill -9 of the worker with its processes, started again"
    costly = True

    def strike(self, world: World, chance: random.Random) -> None:
        world.worker.kill()
        time.sleep(_short(world, chance, 3))
        world.worker.start()


class WorkerProcessKilled(Fault):
    what = "kill -9 of a worker's process, which its supervisor starts again"
    costly = True

    def strike(self, world: World, chance: random.Random) -> None:
        for pid in world.worker.pids:
            kill(pid)


class BackendKilled(Fault):
    what = "kill -9 of a PostgreSQL backend: all connections end, the server recovers"

    def strike(self, world: World, chance: random.Random) -> None:
        with suppress(psycopg.Error), world.database() as database:
            found = database.execute(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchall()
            if found:
                kill(chance.choice(sorted(pid for (pid,) in found)))


class ConnectionsEnded(Fault):
    what = "PostgreSQL ends some or all connections (pg_terminate_backend)"

    def strike(self, world: World, chance: random.Random) -> None:
        share = chance.choice((0.2, 0.5, 1.0))
        with suppress(psycopg.Error), world.database() as database:
            database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() <= %s",
                (share,),
            )


class PostmasterKilled(Fault):
    what = "kill -9 of the postmaster, which the service starts again"
    costly = True

    def strike(self, world: World, chance: random.Random) -> None:
        if (first := world.service.postmaster()) is None:
            return
        for _ in range(chance.choice((1, 1, 3))):  # sometimes also the one that comes back
            if (pid := world.service.postmaster()) is not None:
                kill(pid)
            time.sleep(0.2)
        until(lambda: world.service.postmaster() not in (None, first), 60, world.logs)


class DatabaseFrozen(Fault):
    what = "SIGSTOP, later SIGCONT, of PostgreSQL with all its processes"

    def strike(self, world: World, chance: random.Random) -> None:
        parent = world.service.postmaster()
        if parent is None:
            return
        with _stopped([parent, *_children(parent)]):
            time.sleep(_short(world, chance, 12))


class ServiceFrozen(Fault):
    what = "SIGSTOP, later SIGCONT, of the service"

    def strike(self, world: World, chance: random.Random) -> None:
        assert world.service.process is not None
        with _stopped([world.service.process.pid]):
            time.sleep(_short(world, chance, 8))


class WorkerFrozen(Fault):
    what = "SIGSTOP, later SIGCONT, of the worker; sometimes for longer than its lease"

    def strike(self, world: World, chance: random.Random) -> None:
        long = not world.hurried and chance.random() < 0.2
        with _stopped(world.worker.pids):
            time.sleep(40 if long else _short(world, chance, 8))


class RedisLost(Fault):
    what = "kill -9 of Redis, started again empty"

    def strike(self, world: World, chance: random.Random) -> None:
        world.redis.stop()
        time.sleep(_short(world, chance, 5))
        world.redis.start()


class RedisEmptied(Fault):
    what = "Redis emptied (FLUSHALL)"

    def strike(self, world: World, chance: random.Random) -> None:
        with suppress(redis.RedisError), world.redis.client() as client:
            client.flushall()


class RedisFrozen(Fault):
    what = "SIGSTOP, later SIGCONT, of Redis"

    def strike(self, world: World, chance: random.Random) -> None:
        world.redis.freeze()
        time.sleep(_short(world, chance, 6))
        world.redis.thaw()


class IndexGone(Fault):
    what = "files of the search index gone: all, or some of them"

    def strike(self, world: World, chance: random.Random) -> None:
        index = world.data_dir / "index"
        if chance.random() < 0.5:
            shutil.rmtree(index, ignore_errors=True)
            return
        files = sorted(file for file in index.rglob("*") if file.is_file())
        for file in chance.sample(files, k=min(len(files), 3)):
            file.unlink(missing_ok=True)


class DiskFull(Fault):
    what = "the disk full to the last byte"

    def possible(self, world: World) -> bool:
        return world.own_disk

    def strike(self, world: World, chance: random.Random) -> None:
        filler = world.data_dir / "filler"
        end = time.monotonic() + _short(world, chance, 6)
        try:
            with filler.open("ab", buffering=0) as file:
                room = os.statvfs(world.data_dir)
                with suppress(OSError):
                    os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize)
                file.seek(0, os.SEEK_END)
                while time.monotonic() < end:  # what is freed meanwhile is taken too
                    for size in (2**20, 4096, 512, 1):
                        with suppress(OSError):
                            while time.monotonic() < end:
                                file.write(b"\0" * size)
                    time.sleep(0.02)
        finally:
            filler.unlink()


class ClockJumps(Fault):
    what = "the clock of service and worker jumps, and later back"

    def strike(self, world: World, chance: random.Random) -> None:
        world.clock.write_text(str(chance.choice((-3600, -120, -40, 40, 120, 3600))))
        time.sleep(_short(world, chance, 6))
        world.clock.write_text("0")


class PeerSpoilt(Fault):
    """The next answers of a server of others are spoilt."""

    moods: ClassVar[tuple[Mood, ...]] = tuple(Mood)

    @abstractmethod
    def peer(self, world: World) -> Peer: ...

    def strike(self, world: World, chance: random.Random) -> None:
        peer, times = self.peer(world), chance.choice((1, 1, 2))
        met = peer.met
        peer.spoil(chance.choice(self.moods), times)
        within(lambda: peer.met >= met + times, _MEETING_SECONDS * (0.1 if world.hurried else 1.0))


class ModelSpoilt(PeerSpoilt):
    what = "the model hangs, trickles, floods, lies, cuts off or refuses"

    def peer(self, world: World) -> Peer:
        return world.peers.model


class TargetSpoilt(PeerSpoilt):
    what = "the target hangs, trickles, floods, lies, cuts off or refuses"

    def peer(self, world: World) -> Peer:
        return world.peers.blog.peer


KINDS: Final[tuple[type[Fault], ...]] = (
    ServiceKilled, WorkerKilled, WorkerProcessKilled, BackendKilled, ConnectionsEnded, PostmasterKilled,
    DatabaseFrozen, ServiceFrozen, WorkerFrozen, RedisLost, RedisEmptied, RedisFrozen, IndexGone, DiskFull,
    ClockJumps, ModelSpoilt, TargetSpoilt,
)  # fmt: skip


def _short(world: World, chance: random.Random, most: float) -> float:
    """Seconds that a fault lasts; a twentieth of them for a campaign in a hurry."""
    return chance.uniform(0, most) * (0.05 if world.hurried else 1.0)


def _children(parent: int) -> list[int]:
    with suppress(OSError):
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return []


@contextmanager
def _stopped(pids: Iterable[int]) -> Iterator[None]:
    pids = list(pids)
    _signal(pids, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(pids, signal.SIGCONT)


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
