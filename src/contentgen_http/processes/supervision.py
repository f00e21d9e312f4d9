"""Supervision of processes: they are started, restarted when they die, and ended together.

On Linux they are forked from one process that has imported what they need and does nothing else (multiprocessing's fork
server), so that no connection, loop or thread at work is forked; elsewhere they are spawned."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final

import structlog
import uvloop
from attrs import frozen

from contentgen_core.errors import ContentgenError
from contentgen_grounded.settings import Settings
from contentgen_http.processes import programs
from contentgen_http.processes.process_deaths import ProcessDeaths
from contentgen_http.telemetry.logs import configure_logging

FIRST_DELAY_SECONDS: Final = 0.5
LONGEST_DELAY_SECONDS: Final = 30.0
STEADY_SECONDS: Final = 60.0
"""After a process ran this long, the delay of restarts starts again at FIRST_DELAY_SECONDS."""
MOST_FAILED_STARTS: Final = 5
"""Of the first process, before any was ready: further ones would fail likewise, while /health says that all is well."""
CANNOT_START: Final = 3  # exit status of a process that said why it cannot start
PRELOADED: Final = "contentgen_http.processes.fork_server_imports"
_ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1",  # numpy and pyarrow start no threads when they are imported
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    # Of glibc's heaps: by default up to eight a core, of which LanceDB's threads, which come and go, fill one after the
    # other and leave holes.
    "MALLOC_ARENA_MAX": "2",
}
"""Of what is forked, unless somebody has said otherwise."""

log = structlog.get_logger("contentgen.processes")


class ProcessFailed(ContentgenError):
    """A process could not start; the text is its reason."""

    code = "process_failed"


@frozen
class Group:
    """Processes with one program.

    `name`: of the processes in logs. `count`: how many. `program`: the name of one in `programs`, which is called in
    each as `program(settings, *arguments, lifetime)`. `niceness`: how far they stand back for others when all cores are
    busy, as nice(2) has it.
    """

    name: str
    count: int
    program: str
    arguments: tuple[object, ...]
    niceness: int = 0


def preload() -> None:
    """Begin to import what processes will need, in the background. Blocks for as long as a process takes to start."""
    if _start_method() == "forkserver":
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        _track_no_resources()
        forkserver.set_forkserver_preload([PRELOADED])
        interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C must not show what it imports
        try:
            forkserver.ensure_running()
        finally:
            signal.signal(signal.SIGINT, interrupted)


def _track_no_resources() -> None:
    """multiprocessing has a process of its own that removes named semaphores and shared memory which processes leave
    behind. There are none between these."""
    tracker: Any = resource_tracker._resource_tracker
    if tracker._fd is None:  # which multiprocessing sets like this, too, where somebody else has started the process
        tracker._fd = os.open(os.devnull, os.O_WRONLY)


def _start_method() -> str:
    return "forkserver" if sys.platform == "linux" else "spawn"


class Supervisor:
    """Keeps processes running. The first one of the first group starts alone: the others start once it is ready.

    `end_seconds`: from SIGTERM until they are killed. `deaths`: where those are written down that die. `ready`: an
    event, set once one has started its work.
    """

    def __init__(
        self, groups: Sequence[Group], end_seconds: float, settings: Settings, deaths: ProcessDeaths | None = None
    ) -> None:
        self.ready = asyncio.Event()
        self._groups = groups
        self._end_seconds = end_seconds
        self._settings = settings
        self._deaths = deaths
        self._context: Any = multiprocessing.get_context(_start_method())
        self._processes: set[Any] = set()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Runs until SIGTERM, SIGINT or cancellation, and returns when all processes have ended. A second signal kills
        them. Raises ProcessFailed when the first process cannot start, or ends again and again before it is ready."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        every = [(group, number) for group in self._groups for number in range(1, group.count + 1)]
        keepers = [asyncio.create_task(self._keep_running(*one, first=one is every[0])) for one in every]
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait((stopping, *keepers), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (stopping, *keepers):
                task.cancel()
            await asyncio.gather(stopping, *keepers, return_exceptions=True)
            await self._end()
        for task in keepers:
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error

    def _stop(self) -> None:
        if self._stopping.is_set():
            self._signal(signal.SIGKILL)
        self._stopping.set()

    async def _end(self) -> None:
        self._signal(signal.SIGTERM)
        ends = [asyncio.create_task(_ended(process)) for process in self._processes]
        if ends:
            _, late = await asyncio.wait(ends, timeout=self._end_seconds)
            if late:
                log.error("processes did not end in time and are killed", count=len(late))
                self._signal(signal.SIGKILL)
                await asyncio.wait(late)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes:
            with suppress(ProcessLookupError, AttributeError):
                process.kill() if number is signal.SIGKILL else process.terminate()

    async def _keep_running(self, group: Group, number: int, *, first: bool) -> None:
        if not first:
            await self.ready.wait()
        delay, failed = FIRST_DELAY_SECONDS, 0
        while True:
            began = time.monotonic()
            pid: int | None
            status: int | str
            try:
                pid, status = await self._run_once(group)
            except (OSError, EOFError) as error:  # the fork server was killed; the next attempt starts another one
                pid, status = None, f"not started: {error}"
            failed += 1
            if first and not self.ready.is_set() and failed == MOST_FAILED_STARTS:
                raise ProcessFailed(
                    f"The service cannot start: its first process ended {failed} times before it was ready, at last"
                    f" with status {status}. Its log says why."
                )
            lived = time.monotonic() - began
            if lived >= STEADY_SECONDS:
                delay = FIRST_DELAY_SECONDS
            log.error(
                "a process ended and is started again", name=group.name, process=pid, status=status, seconds=delay
            )
            if self._deaths is not None:
                self._deaths.record(f"{group.name} {number}", lived, status, delay)
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY_SECONDS)

    async def _run_once(self, group: Group) -> tuple[int, int]:
        """Run a process until it ends; its id and exit status. Raises OSError and EOFError where it could not be
        started, and ProcessFailed where it says why it cannot start and none has started before."""
        process, connection = self._start(group)
        listening = asyncio.create_task(self._hear(connection))
        try:
            await _ended(process)
            reason = await listening
        finally:
            listening.cancel()
        self._processes.discard(process)
        pid, status = process.pid, process.exitcode
        process.close()  # also tells one whose fork server was killed, and which seems to have ended, to end
        if status == CANNOT_START and not self.ready.is_set():
            raise ProcessFailed(reason)
        return pid, status

    def _start(self, group: Group) -> tuple[Any, Connection]:
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_run,
            args=(theirs, not self.ready.is_set(), group.niceness, group.program, self._settings, *group.arguments),
            name=group.name,
        )
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._processes.add(process)
        return process, ours

    async def _hear(self, connection: Connection) -> str:
        """Waits until a process says that its work has started, or why it cannot; returns that."""
        loop = asyncio.get_running_loop()
        said = asyncio.Event()
        loop.add_reader(connection.fileno(), said.set)
        try:
            await said.wait()
        finally:
            loop.remove_reader(connection.fileno())
        reason = ""
        with connection, suppress(EOFError):
            reason = connection.recv_bytes().decode()
            if not reason:
                self.ready.set()
        return reason


async def _ended(process: Any) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(process.sentinel, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(process.sentinel)
    process.join()


class Lifetime:
    """Decides when a process has to end, and calls `on_stop(at_once)` on its event loop.

    Without a supervisor: at SIGTERM, and at once at SIGINT or a second signal. With one (`announce` is the pipe to it):
    once, at the first SIGTERM (a service manager may signal too), or when the supervisor is gone. `first`: whether this
    process does what has to be done once.
    """

    def __init__(self, announce: Connection | None = None, *, first: bool = True) -> None:
        self.first = first
        self._announce = announce

    def begin(self, on_stop: Callable[[bool], None]) -> None:
        loop = asyncio.get_running_loop()
        parent = multiprocessing.parent_process()
        supervised = self._announce is not None and parent is not None
        begun = False

        def stop(at_once: bool) -> None:
            nonlocal begun
            if supervised and parent is not None:
                loop.remove_reader(parent.sentinel)
            if not (begun and supervised):
                on_stop(at_once or begun)
            begun = True

        loop.add_signal_handler(signal.SIGTERM, stop, False)
        if supervised and parent is not None:
            loop.add_reader(parent.sentinel, stop, False)
        else:
            loop.add_signal_handler(signal.SIGINT, stop, True)

    def ready(self) -> None:
        """Reports to the supervisor that the work has started."""
        self._say(b"")

    def failed(self, reason: str) -> None:
        """Reports why the work cannot start, unless it has."""
        self._say(reason.encode("utf-8", "replace"))

    def _say(self, words: bytes) -> None:
        if self._announce is not None:
            with suppress(OSError):
                self._announce.send_bytes(words)
            self._announce.close()
            self._announce = None


def _run(
    announce: Connection, first: bool, niceness: int, program: str, settings: Settings, *arguments: object
) -> None:
    """The main function of a process."""
    _keep_descriptors_from_programs()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal signals all processes; the supervisor ends them
    os.nice(niceness)
    configure_logging(settings.log_level)
    lifetime = Lifetime(announce, first=first)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(programs.program(program)(settings, *arguments, lifetime))
    except ContentgenError as error:
        log.critical("this process cannot go on", reason=error.detail)
        lifetime.failed(error.detail)
        sys.exit(CANNOT_START)


def _keep_descriptors_from_programs() -> None:
    """What multiprocessing gives a process (sockets, files) would else be given on to each program that it starts."""
    for name in os.listdir("/dev/fd"):
        if int(name) > 2:
            with suppress(OSError):  # that of the list
                os.set_inheritable(int(name), False)
