"""Supervision of processes: they are spawned, restarted when they die, and ended together.

Spawned, not forked: LanceDB's runtime and connection pools do not survive a fork."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final

import structlog
import uvloop

from contentgen.settings import Settings
from contentgen_core.errors import ContentgenError
from contentgen_http.telemetry.logs import configure_logging

FIRST_DELAY_SECONDS: Final = 0.5
LONGEST_DELAY_SECONDS: Final = 30.0
STEADY_SECONDS: Final = 60.0
"""After a process ran this long, the delay of restarts starts again at FIRST_DELAY_SECONDS."""
CANNOT_START: Final = 3  # exit status of a process that logged why it cannot start

Program = Callable[..., Coroutine[Any, Any, None]]

log = structlog.get_logger("contentgen.processes")


class ProcessFailed(ContentgenError):
    """A process could not start; its log has the reason."""

    code = "process_failed"


class Supervisor:
    """Keeps processes running.

    `name`: of the processes in logs. `count`: how many. `end_seconds`: from SIGTERM until they are killed. `program`:
    called in each as `program(settings, *arguments, lifetime)`. `ready`: an event, set once one has started its work.
    """

    def __init__(
        self,
        name: str,
        count: int,
        end_seconds: float,
        program: Program,
        settings: Settings,
        *arguments: object,
    ) -> None:
        self.ready = asyncio.Event()
        self._name = name
        self._count = count
        self._end_seconds = end_seconds
        self._arguments = (program, settings, *arguments)
        self._context = multiprocessing.get_context("spawn")
        self._processes: set[SpawnProcess] = set()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Runs until SIGTERM, SIGINT or cancellation, and returns when all processes have ended. A second signal kills
        them. Raises ProcessFailed when the first process cannot start."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        keepers = [asyncio.create_task(self._keep_running()) for _ in range(self._count)]
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
                log.error("processes did not end in time and are killed", name=self._name, count=len(late))
                self._signal(signal.SIGKILL)
                await asyncio.wait(late)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes:
            with suppress(ProcessLookupError, AttributeError):
                process.kill() if number is signal.SIGKILL else process.terminate()

    async def _keep_running(self) -> None:
        delay = FIRST_DELAY_SECONDS
        while True:
            began = time.monotonic()
            process = await self._start()
            await _ended(process)
            self._processes.discard(process)
            if process.exitcode == CANNOT_START and not self.ready.is_set():
                raise ProcessFailed(f"No {self._name} process can start; the lines above say why.")
            if time.monotonic() - began >= STEADY_SECONDS:
                delay = FIRST_DELAY_SECONDS
            log.error(
                "a process ended and is started again",
                name=self._name,
                process=process.pid,
                status=process.exitcode,
                seconds=delay,
            )
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY_SECONDS)

    async def _start(self) -> SpawnProcess:
        parent_end, child_end = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_run, args=(child_end, *self._arguments), name=self._name)
        process.start()
        child_end.close()
        self._processes.add(process)
        asyncio.get_running_loop().add_reader(parent_end.fileno(), self._on_started, parent_end)
        return process

    def _on_started(self, connection: Connection) -> None:
        """Called when a process reports its start, or ended before that."""
        asyncio.get_running_loop().remove_reader(connection.fileno())
        with suppress(EOFError):
            connection.recv_bytes()
            self.ready.set()
        connection.close()


async def _ended(process: SpawnProcess) -> None:
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
    once, at the first SIGTERM (a service manager may signal too), or when the supervisor is gone.
    """

    def __init__(self, announce: Connection | None = None) -> None:
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
        if self._announce is not None:
            with suppress(OSError):
                self._announce.send_bytes(b"ready")
            self._announce.close()
            self._announce = None


def _run(announce: Connection, program: Program, settings: Settings, *arguments: object) -> None:
    """The main function of a spawned process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal signals all processes; the supervisor ends them
    configure_logging(settings.log_level)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(program(settings, *arguments, Lifetime(announce)))
    except ContentgenError as error:
        log.critical("this process cannot go on", reason=error.detail)
        sys.exit(CANNOT_START)
