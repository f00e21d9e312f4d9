"""Starting, finding and leaving the server of a data directory."""

import contextlib
import errno
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.embedded.cluster import (
    ENVIRONMENT,
    KEEPER,
    PORT,
    SOCKET,
    Binaries,
    ServerUser,
    choose_binaries,
    create_cluster,
    find_binaries,
    forget_dead_server,
    make_socket_directory,
    remove_socket_directory,
    server_user,
    socket_directory,
    take_cluster_back,
)
from contentgen_adapters.postgres.embedded.errors import EmbeddedPostgresError, disk_full, failure
from contentgen_adapters.postgres.embedded.keeper import STEP_SECONDS
from contentgen_adapters.postgres.embedded.locks import Locks
from contentgen_adapters.postgres.embedded.ownership import DATABASE, SUPERUSER, USER, give_database

START_SECONDS = 30.0
STOP_SECONDS = 2.0 + 2 * STEP_SECONDS  # by then the keeper has tried the hardest signal
LARGEST_LOG = 10 * 2**20

SETTINGS = {
    "listen_addresses": "",  # the socket alone: who may open its directory is who may connect
    "unix_socket_permissions": "0700",
    "shared_buffers": "256MB",  # the indices of a million passages; taken from the machine only as it is used
    "max_connections": "400",  # a machine of 16 cores has 24 processes with a pool each; an unused place is some kB
    "max_wal_size": "256MB",  # a quarter of the default: less on the disk, and soon back after a crash
    "io_method": "sync",  # saves three processes; a database that fits into memory gains nothing from them
    "max_logical_replication_workers": "0",  # nobody replicates from here: one process less
    # Parallel plans need /dev/shm, of which containers have 64 MB; here they would only compete for few cores.
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    # fsync, full_page_writes and synchronous_commit keep their defaults, which survive a power cut.
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
    "log_checkpoints": "off",  # routine, yet logged whatever the level is
    "log_min_error_statement": "panic",  # statements hold what people write, which is not for the log
}


class EmbeddedPostgres:
    """One process's use of the server on `data_dir`. Its methods block; they may be called from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir.expanduser().resolve()
        self._cluster = (self._data_dir / "postgres").resolve()  # which may be a link to another disk
        self._locks = Locks(self._data_dir / "postgres.locks")
        self._log = self._data_dir / "postgres.log"
        self._sockets = socket_directory(self._data_dir)
        self._mutex = threading.Lock()
        self._keeper: subprocess.Popen[bytes] | None = None
        self._reaper: threading.Thread | None = None

    def start(self) -> str:
        """Use the server, which is started if it does not run, on a cluster that is made if there is none.

        Returns what psycopg connects with. Raises EmbeddedPostgresError when there is no way to a working server,
        at the latest after half a minute.
        """
        with self._mutex, self._errors_told():
            try:
                self._bring_up()
            except BaseException:
                self._locks.leave()
                raise
            return make_conninfo(host=str(self._sockets), port=PORT, user=USER, dbname=DATABASE)

    def owned(self) -> bool:
        """Did this process start the server that it uses now?"""
        return self._locks.entered and self._keeper is not None and self._keeper.poll() is None

    def ensure_running(self) -> bool:
        """Start the server again if it went away; True when that was needed. Cheap enough to call every second.

        Does nothing before `start()` and after `stop()`. Raises EmbeddedPostgresError as `start()` does; the next
        call tries again.
        """
        with self._mutex, self._errors_told():
            return self._locks.entered and not self._locks.server_lives() and self._bring_up()

    def stop(self) -> None:
        """Stop using the server, and wait for its end if nobody else uses it. Never raises; may be repeated."""
        with self._mutex:
            if not self._locks.entered:
                return
            try:
                # Whoever is busy starting it is another user; whatever else goes wrong, the keeper stops it soon.
                with contextlib.suppress(EmbeddedPostgresError, OSError), self._locks.alone(STEP_SECONDS):
                    if self._locks.am_last():
                        self._dismiss_keeper()
            finally:
                self._locks.leave()

    def _dismiss_keeper(self) -> None:
        """As the last user, let the keeper stop the server, and wait until both are gone."""
        self._locks.dismiss_keeper()
        deadline = time.monotonic() + STOP_SECONDS
        while self._locks.server_lives() and time.monotonic() < deadline:
            time.sleep(0.002)
        remove_socket_directory(self._sockets)
        if self._reaper is not None:
            self._reaper.join(timeout=1)

    def _bring_up(self) -> bool:
        """True when the server had to be started."""
        deadline = time.monotonic() + START_SECONDS
        self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._locks.alone(START_SECONDS):
            self._locks.enter(deadline)
            if self._attach(deadline):
                return False
            user = server_user(self._cluster)
            chosen, exists = choose_binaries(self._cluster, find_binaries())
            binaries = chosen.within_reach_of(user)
            if exists:
                take_cluster_back(self._cluster, user)
                forget_dead_server(self._cluster)
            else:
                create_cluster(self._cluster, binaries, user)
            make_socket_directory(self._sockets, user)
            self._launch(binaries, user, deadline)
            return True

    @contextlib.contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise disk_full(self._data_dir) from error
            raise EmbeddedPostgresError(f"The data directory {self._data_dir} cannot be used: {error}.") from error

    def _attach(self, deadline: float) -> bool:
        """Connect to a server that runs already; False when there is none, or when it has just ended."""
        while self._locks.server_lives():
            try:
                self._prepare_database()
            except _NotYet as error:  # it may be recovering or ending: both pass
                if time.monotonic() > deadline:
                    raise self._unavailable(error) from error
                time.sleep(0.02)
            else:
                return True
        return False

    def _launch(self, binaries: Binaries, user: ServerUser, deadline: float) -> None:
        name = user.cluster(self._cluster)
        if self._log.exists() and self._log.stat().st_size > LARGEST_LOG:
            self._log.rename(self._log.with_suffix(".log.1"))
        with (
            open(self._log, "ab", opener=_open_private) as log,
            self._locks.for_new_server(deadline) as (keeper_lock, server_lock),
            _opened(self._sockets) as sockets,
        ):
            said_before = log.tell()
            listens_in = f"/proc/self/fd/{sockets}" if user.led else str(self._sockets)
            settings = SETTINGS | {"unix_socket_directories": listens_in, "port": str(PORT)}
            command = [str(binaries.bin / "postgres"), "-D", name]
            command += [part for setting, value in settings.items() for part in ("-c", f"{setting}={value}")]
            process = subprocess.Popen(  # noqa: S603 - our own program with our own arguments
                [*KEEPER, str(keeper_lock), *user.arguments, *binaries.needed, name, "--", *command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[keeper_lock, server_lock, sockets],
                cwd=self._cluster, env=ENVIRONMENT, start_new_session=True, umask=0o077,
            )  # fmt: skip
        self._keeper = process
        try:
            self._wait_until_ready(process, said_before, deadline)
        finally:
            # Collects the exit status whenever it comes, which may be long after stop().
            self._reaper = threading.Thread(target=process.wait, name="embedded-postgres", daemon=True)
            self._reaper.start()

    def _wait_until_ready(self, keeper: subprocess.Popen[bytes], said_before: int, deadline: float) -> None:
        while keeper.poll() is None:
            try:
                return self._prepare_database()
            except _NotYet as error:
                if time.monotonic() > deadline:
                    raise self._unavailable(error) from error
                time.sleep(0.005)
        with self._log.open("rb") as log:
            log.seek(said_before)
            raise failure(self._cluster, keeper.returncode, log.read().decode("utf-8", "replace"))

    def _prepare_database(self) -> None:
        """Connect, and make the database and its owner if this is the first time. Raises _NotYet and
        EmbeddedPostgresError."""
        if not (self._sockets / SOCKET).exists():
            raise _NotYet(f"there is no socket in {self._sockets}")
        conninfo = make_conninfo(host=str(self._sockets), port=PORT, user=SUPERUSER, connect_timeout=5)
        try:
            with psycopg.connect(make_conninfo(conninfo, dbname="postgres"), autocommit=True) as connection:
                give_database(connection, make_conninfo(conninfo, dbname=DATABASE))
        except psycopg.errors.DiskFull as error:
            raise disk_full(self._data_dir) from error
        except psycopg.Error as error:
            if error.sqlstate is None:  # no connection, or one that was cut
                raise _NotYet(str(error)) from error
            raise failure(self._cluster, 0, str(error)) from error

    def _unavailable(self, error: Exception) -> EmbeddedPostgresError:
        return EmbeddedPostgresError(
            f"PostgreSQL runs on {self._cluster}, but accepts no connections: {error}. See {self._log}, and try again."
        )


class _NotYet(Exception):
    """The server accepts no connections at the moment."""


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)
