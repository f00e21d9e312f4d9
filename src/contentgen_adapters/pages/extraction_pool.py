"""Extracts texts in worker processes, which are killed when they exceed their time or memory.

A page of 100 KB can be made to keep a parser busy for hours, and a thread cannot be killed: it would slow down all
other requests of the service.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO, Final

import msgspec
from attrs import define

from contentgen_adapters.pages.content import ExtractedPage, ExtractionJob, ExtractionRefused, extract

MAX_MEMORY: Final = 1536 * 1024 * 1024
"""Bytes of data a worker process may allocate, those of its libraries included."""
MAX_JOBS: Final = 500
"""Jobs after which a worker process is replaced, so that memory leaked by a library is freed."""
_LENGTH: Final = 8
_READY: Final = b"ready"
_START_SECONDS: Final = 60.0  # a second or two on an idle machine
_MAX_ANSWER: Final = 64 * 1024 * 1024  # bytes; more than any text within the readers' own bounds
_CPU_MARGIN: Final = 5  # seconds beyond a job's; the limit applies when the service died and cannot kill its worker
# A process that parses untrusted bytes must not see the secrets in our environment.
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
_answer_decoder: Final[msgspec.msgpack.Decoder[ExtractedPage | ExtractionRefused]] = msgspec.msgpack.Decoder(
    ExtractedPage | ExtractionRefused
)
_job_decoder: Final = msgspec.msgpack.Decoder(tuple[ExtractionJob, float])


class ExtractionTimedOut(Exception):
    """A job exceeded its time; its process was killed."""


class ExtractionCrashed(Exception):
    """The process of a job died, ran out of memory or did not start."""


@define
class _Worker:
    process: asyncio.subprocess.Process
    jobs: int = 0


class ExtractionPool:
    """Worker processes, started when needed and kept for further jobs. For one event loop; close it with `aclose`.

    `workers`: most processes at a time.
    """

    def __init__(self, workers: int = 2) -> None:
        self._places = asyncio.Semaphore(workers)
        self._idle: list[_Worker] = []
        self._busy: set[asyncio.subprocess.Process] = set()

    async def read(self, job: ExtractionJob, seconds: float) -> ExtractedPage | ExtractionRefused:
        """The text of a response.

        `seconds`: for the extraction; the wait for a free process does not count. Raises ExtractionTimedOut,
        ExtractionCrashed.
        """
        request = msgspec.msgpack.encode((job, seconds))
        async with self._places:
            worker = await self._worker()
            try:
                async with asyncio.timeout(seconds):
                    answer = await _exchange(worker.process, request)
            except TimeoutError as exc:
                raise ExtractionTimedOut(f"not read within {seconds:g} s") from exc
            except (asyncio.IncompleteReadError, ConnectionError) as exc:
                raise ExtractionCrashed("the page broke the process that read it") from exc
            else:
                worker.jobs += 1
                if worker.jobs < MAX_JOBS:
                    self._idle.append(worker)
            finally:
                self._busy.discard(worker.process)
                if worker not in self._idle:
                    await _ended(worker.process)
        if not answer:
            raise ExtractionCrashed("the page takes too much memory to read")
        try:
            return _answer_decoder.decode(answer)
        except msgspec.DecodeError as exc:
            raise ExtractionCrashed("the page broke the process that read it") from exc

    async def aclose(self) -> None:
        """Kill all processes, busy ones included."""
        for process in self._busy:
            with suppress(ProcessLookupError):
                process.kill()  # the call that waits for its answer raises ExtractionCrashed
        idle = [worker.process for worker in self._idle]
        self._idle.clear()
        for process in idle:
            await _ended(process)

    async def _worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                break
        else:
            worker = _Worker(await _started())
        self._busy.add(worker.process)
        return worker


async def _started() -> asyncio.subprocess.Process:
    """A process that has loaded its libraries, so that they do not count as the first page's time. Raises
    ExtractionCrashed."""
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            await process.stdout.readexactly(len(_READY))
    except BaseException as exc:
        await _ended(process)
        if isinstance(exc, TimeoutError | asyncio.IncompleteReadError):
            raise ExtractionCrashed("the process that reads pages does not start") from exc
        raise
    return process


async def _exchange(process: asyncio.subprocess.Process, request: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(len(request).to_bytes(_LENGTH) + request)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(_LENGTH))
    if length > _MAX_ANSWER:
        raise ExtractionCrashed("the page broke the process that read it")
    return await process.stdout.readexactly(length)


async def _ended(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    # Drains the pipe: asyncio counts a process as ended only when its pipes are closed, and stops reading a full pipe.
    await process.communicate()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """The main loop of a worker process: handles jobs one after the other until `requests` ends.

    Both streams carry msgpack messages, each behind its length in 8 bytes, big endian. An empty answer: out of memory.
    """
    extract(
        ExtractionJob(b"<html><body><p>The first page loads the libraries.</p></body></html>", "https://example.com/")
    )
    answers.write(_READY)
    answers.flush()
    while header := requests.read(_LENGTH):
        job, seconds = _job_decoder.decode(requests.read(int.from_bytes(header)))
        _allow_cpu(seconds)
        try:
            answer = msgspec.msgpack.encode(extract(job))
        except MemoryError:
            answer = b""
        answers.write(len(answer).to_bytes(_LENGTH) + answer)
        answers.flush()


def _allow_cpu(seconds: float) -> None:
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + _CPU_MARGIN
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _main() -> None:
    import resource

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C the service ends and closes our input
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY if hard < 0 else min(MAX_MEMORY, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # a library's prints must not end up among the answers
        os.dup2(quiet, stream)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main()
