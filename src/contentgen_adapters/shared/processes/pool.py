"""Parses in processes of their own, which are killed when they exceed their time.

A file of 2 KB can be made to keep a parser busy for hours, and a thread cannot be killed: it would slow down all other
requests of the service, and a crash of a library would end them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, Generic, TypeVar

import msgspec
from attrs import define, evolve, field, frozen

from contentgen_adapters.shared.processes import worker as program
from contentgen_adapters.shared.processes.fair_places import FairPlaces, NoPlace
from contentgen_adapters.shared.processes.worker import LENGTH, READY, Outcome, Request

PLACES: Final = 3
"""Processes at a time; each takes some 100 MB while it works, and at most the memory of its limits."""
SLICE_SECONDS: Final = 1.0
"""What every job gets before a slow one is gone on with."""
MAX_JOBS: Final = 500
"""Jobs after which a process is replaced, so that memory leaked by a library is freed."""
_WAITING: Final = 200
_WAITING_PER_KEY: Final = 50
_START_SECONDS: Final = 60.0  # a second or two on an idle machine
_WALL: Final = 6.0  # times the processor's seconds: what a job may take on a busy machine
_SLOW_NICENESS: Final = 10
"""Of a process after its slice: on a busy machine, slices and requests get the processor before slow files."""
_OVERHEAD: Final = 1_024  # bytes of a frame that are not the answer
# A process that parses untrusted bytes must not see the secrets in our environment.
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")

J = TypeVar("J")
A = TypeVar("A")


class NotParsed(Exception):
    """A job failed. The text says why and completes "the file …", in words for a person."""


class TookTooLong(NotParsed):
    """A job exceeded its time; its process was killed."""


class TookTooMuch(NotParsed):
    """A job exceeded its memory, or the size of its answer."""


class ProcessDied(NotParsed):
    """The process of a job died for another reason, or did not start."""


class _Slow(Exception):
    """A job was not done within its slice, and no place was free to go on with it."""


class PoolBusy(Exception):
    """Too many jobs wait, or the pool was closed. A later attempt may succeed."""


@frozen
class Limits:
    """The limits of one job. `cpu`: seconds of processor time; six times as many may go by. `memory`: bytes of data
    that its process may allocate, libraries included. `answer`: most bytes of its answer, in msgpack. `processes`: 2
    for a parser that shares its work with a forked process, which it may do while no other job is under way; then
    the time is shared by both, and each may use the memory.
    """

    cpu: float
    memory: int = 1024 * 1024 * 1024
    answer: int = 32 * 1024 * 1024
    processes: int = 1


@frozen
class Parser(Generic[J, A]):
    """A kind of job.

    `parse`: a function on the top level of a module, of one argument; argument and answer are what msgspec encodes,
    with their types annotated. `answer`: decodes the answer. `first`: done once by each process before its first
    job of this parser, without counting, so that libraries are loaded.
    """

    parse: Callable[[J], A]
    answer: msgspec.msgpack.Decoder[A]
    first: J

    @property
    def address(self) -> str:
        return f"{self.parse.__module__}:{self.parse.__qualname__}"


@define(eq=False)
class _Worker:
    process: asyncio.subprocess.Process
    folder: Path
    jobs: int = 0
    loaded: set[str] = field(factory=set)
    is_slow: bool = False

    def slow_down(self) -> None:
        """Let other processes go before this one, which is not kept: it may not take its former priority again."""
        self.is_slow = True
        with suppress(OSError):  # it ended
            niceness = max(_SLOW_NICENESS, os.getpriority(os.PRIO_PROCESS, self.process.pid))
            os.setpriority(os.PRIO_PROCESS, self.process.pid, niceness)


class ProcessPool:
    """Processes that parse, started when needed and kept for further jobs. For one event loop; close it with `aclose`.

    A job gets a slice of time first. One that is not done by then is slow: it goes on where a place for slow jobs is
    free, else it begins anew when its turn among these comes. They have all places but one, so that there is always one
    at which no job stays for longer than a slice. Their processes have a low priority.

    `places`: most processes at a time. One key (a tenant) has at most all but one of them, and likewise of those for
    slow jobs. `slice_seconds`: of time that goes by, without the start of a process.
    """

    def __init__(self, places: int = PLACES, slice_seconds: float = SLICE_SECONDS) -> None:
        self._places = FairPlaces(places, _WAITING, _WAITING_PER_KEY)
        self._slow = FairPlaces(max(1, places - 1), _WAITING, _WAITING_PER_KEY)
        self._slice = slice_seconds
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._closed = False

    async def run_twice(self, parser: Parser[J, A], job: J, key: str, limits: Limits) -> A:
        """Run a job like `run`; if its process died, run it once more, in a single process, since the machine may have
        been short of memory.
        """
        try:
            return await self.run(parser, job, key, limits)
        except ProcessDied:
            return await self.run(parser, job, key, evolve(limits, processes=1))

    async def run(self, parser: Parser[J, A], job: J, key: str, limits: Limits) -> A:
        """Return the answer of a parser.

        `key`: on whose behalf. `limits`: of the job; the wait for a free process does not count. Raises TookTooLong,
        TookTooMuch, ProcessDied, PoolBusy.
        """
        try:
            try:
                async with self._places.of(key):
                    answer = await self._answer(parser, job, limits, key)
            except _Slow:
                async with self._slow.of(key), self._places.of(key):
                    answer = await self._answer(parser, job, limits)
        except NoPlace as exc:
            raise PoolBusy("too many files wait to be read") from exc
        try:
            return parser.answer.decode(answer)
        except msgspec.DecodeError as exc:
            raise ProcessDied("broke the process that read it") from exc

    async def aclose(self) -> None:
        """Kill all processes, busy ones included; the calls that wait for their answers raise PoolBusy."""
        self._closed = True
        for worker in self._busy:
            with suppress(ProcessLookupError):
                worker.process.kill()
        idle, self._idle = self._idle, []
        for worker in idle:
            await _end(worker)

    async def _answer(self, parser: Parser[J, A], job: J, limits: Limits, sliced_for: str | None = None) -> bytes:
        """Run one job in a worker. `sliced_for`: the key of a job that gets no more than a slice, unless a place for
        slow jobs is free then; it raises _Slow.
        """
        async with self._worker() as worker:
            if parser.address not in worker.loaded:
                await self._load(worker, parser, limits)
            data = msgspec.msgpack.encode(job)
            processes = limits.processes if self._places.busy == 1 else 1
            request = Request(parser.address, data, limits.cpu, limits.memory, limits.answer, processes)
            exchange = self._exchange(worker, request, limits.cpu * _WALL)
            if sliced_for is None:
                worker.slow_down()
                outcome, answer = await exchange
            else:
                outcome, answer = await self._run_slice(exchange, sliced_for, worker)
            worker.jobs = MAX_JOBS if outcome is Outcome.MEMORY or worker.is_slow else worker.jobs + 1
        match outcome:
            case Outcome.DONE:
                return answer
            case Outcome.MEMORY:
                raise TookTooMuch(f"takes more than {limits.memory // 1024 // 1024:,} MB of memory to read")
            case Outcome.SIZE:
                raise TookTooMuch(f"holds more than the {limits.answer // 1024 // 1024:,} MB that are read")
            case Outcome.REFUSED:
                raise ProcessDied("broke the process that read it")

    async def _run_slice(
        self, exchange: Coroutine[None, None, tuple[Outcome, bytes]], key: str, worker: _Worker
    ) -> tuple[Outcome, bytes]:
        working = asyncio.create_task(exchange)
        try:
            await asyncio.wait({working}, timeout=self._slice)
            if not working.done():
                async with self._slow.try_of(key) as may_go_on:
                    if not may_go_on:
                        raise _Slow
                    worker.slow_down()
                    return await working
            return working.result()
        finally:
            working.cancel()
            await asyncio.wait({working})  # it reads what the process says, which is ended next

    async def _load(self, worker: _Worker, parser: Parser[J, A], limits: Limits) -> None:
        first = Request(parser.address, msgspec.msgpack.encode(parser.first), None, limits.memory, limits.answer)
        try:
            await self._exchange(worker, first, _START_SECONDS)
        except NotParsed as exc:
            raise ProcessDied("was not read: the process for it does not start") from exc
        worker.loaded.add(parser.address)

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        """A process for one job; it is kept for others where the block ends well."""
        if self._closed:
            raise PoolBusy("the service is ending")
        worker = await self._idle_or_new()
        self._busy.add(worker)
        kept = False
        try:
            yield worker
            kept = worker.jobs < MAX_JOBS and not self._closed
        finally:
            self._busy.discard(worker)
            if kept:
                self._idle.append(worker)
            else:
                await _end(worker)

    async def _idle_or_new(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                return worker
            await _end(worker)
        return await _start()

    async def _exchange(self, worker: _Worker, request: Request, seconds: float) -> tuple[Outcome, bytes]:
        try:
            async with asyncio.timeout(seconds):
                return await _exchange(worker.process, request)
        except TimeoutError as exc:
            raise _too_long(request) from exc
        except (asyncio.IncompleteReadError, ConnectionError) as exc:
            code = await worker.process.wait() if await _ends_soon(worker.process) else None
            if self._closed:
                raise PoolBusy("the service is ending") from exc
            if code == -signal.SIGPROF:
                raise _too_long(request) from exc
            raise ProcessDied("broke the process that read it") from exc


def _too_long(request: Request) -> TookTooLong:
    return TookTooLong(f"was not read within {request.cpu or _START_SECONDS:g} s")


async def _start() -> _Worker:
    """Start a process that waits for its first job. Raises ProcessDied."""
    folder = Path(await asyncio.to_thread(mkdtemp, prefix="contentgen-"))
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    environment["TMPDIR"] = str(folder)  # what a killed process leaves there is removed with it
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", program.__name__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
        )
    except BaseException as exc:
        await _remove(folder)
        if isinstance(exc, OSError):
            raise ProcessDied("was not read: the process for it does not start") from exc
        raise
    worker = _Worker(process, folder)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            await process.stdout.readexactly(len(READY))
    except BaseException as exc:
        await _end(worker)
        if isinstance(exc, TimeoutError | asyncio.IncompleteReadError):
            raise ProcessDied("was not read: the process for it does not start") from exc
        raise
    return worker


async def _exchange(process: asyncio.subprocess.Process, request: Request) -> tuple[Outcome, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    data = msgspec.msgpack.encode(request)
    process.stdin.write(len(data).to_bytes(LENGTH) + data)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH))
    if not 0 < length <= request.answer + _OVERHEAD:
        raise ConnectionError("an answer of a length that no answer has")
    answer = await process.stdout.readexactly(length)
    return Outcome(answer[0]), answer[1:]


async def _ends_soon(process: asyncio.subprocess.Process) -> bool:
    """Whether a process whose answers ended is ending, too."""
    with suppress(TimeoutError):
        async with asyncio.timeout(1.0):
            await process.wait()
    return process.returncode is not None


async def _end(worker: _Worker) -> None:
    with suppress(ProcessLookupError):
        worker.process.kill()
    # Drains the pipe: asyncio counts a process as ended only when its pipes are closed, and stops reading a full pipe.
    await worker.process.communicate()
    await _remove(worker.folder)


async def _remove(folder: Path) -> None:
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
