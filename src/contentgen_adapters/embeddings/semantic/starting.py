"""Start the program that embeds: for one process alone, or one for all processes of a service.

The shared program starts when the first process asks, starts again when it has died and a process asks, and ends with
the block. The processes have one end of a pair of sockets, the program the other. A process that asks makes a pair of
its own and sends one end over the shared pair, with a byte: nobody else can, and nothing is in a file system. Once the
starter of the program and all processes are gone, nobody has the first end any more, and the program ends.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from contentgen_adapters.embeddings.semantic import program
from contentgen_adapters.embeddings.semantic.program import READY

PAUSE_SECONDS: Final = 0.5
"""After one that could not start, until the next one may."""
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")

OnDeath = Callable[[float, object], None]
"""Called with the seconds that a process lived, and its exit status."""

log = structlog.get_logger(__name__)


async def start(*arguments: str, tasks: int = PIPE) -> Process:
    """Start the program with these arguments; its output is read here. `tasks`: descriptor of its input."""
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    command = (sys.executable, "-m", program.__name__, *arguments)
    return await asyncio.create_subprocess_exec(*command, stdin=tasks, stdout=PIPE, env=environment)


async def kill(process: Process) -> None:
    """Returns when it has ended."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


@asynccontextmanager
async def shared_program(threads: int, on_death: OnDeath | None = None) -> AsyncIterator[socket.socket]:
    """Yield the socket through which processes reach the program. `threads`: that embed. `on_death`: called whenever it
    has ended.
    """
    askers, asked = socket.socketpair()
    with askers, asked:
        keeping = asyncio.create_task(_keep(asked, threads, on_death))
        try:
            yield askers
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep(asked: socket.socket, threads: int, on_death: OnDeath | None) -> None:
    while True:
        await _somebody_asks(asked)
        began = time.monotonic()
        ready, status = False, None
        try:
            process = await start(str(threads), tasks=asked.fileno())
            ready, status = await _wait_for_end(process)
        except OSError as error:
            log.error("the process that embeds cannot be started", reason=str(error))
        else:
            log.warning("the process that embeds has died; the next who asks starts it again", status=status)
        if on_death is not None:
            on_death(time.monotonic() - began, "not started" if status is None else status)
        if not ready:  # else who asks now is answered by the next one
            _refuse(asked)
            await asyncio.sleep(PAUSE_SECONDS)


async def _somebody_asks(asked: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    waiting = asyncio.Event()
    loop.add_reader(asked.fileno(), waiting.set)
    try:
        await waiting.wait()
    finally:
        loop.remove_reader(asked.fileno())


async def _wait_for_end(process: Process) -> tuple[bool, int]:
    """Whether it was ready before it ended, and its exit status. It is killed when nobody waits any longer."""
    assert process.stdout is not None
    try:
        ready = await process.stdout.read(len(READY)) == READY
        return ready, await process.wait()
    finally:
        await kill(process)


def _refuse(asked: socket.socket) -> None:
    """Refuse the processes that ask already: they would wait for a program that cannot start."""
    asked.setblocking(False)  # a program that starts later sets it anew; `recv_fds` passes no flags on
    with suppress(BlockingIOError):
        while True:
            for connection in socket.recv_fds(asked, 1, 1)[1]:
                os.close(connection)
