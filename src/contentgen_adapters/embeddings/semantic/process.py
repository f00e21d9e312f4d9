"""The same model in a process of its own: a service that answers requests has neither its memory nor its work."""

from __future__ import annotations

import asyncio
import os
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec
import structlog

from contentgen_adapters.embeddings.semantic import program
from contentgen_adapters.embeddings.semantic.program import LENGTH, READY, Answer, Task
from contentgen_adapters.embeddings.semantic.published import space_of
from contentgen_adapters.embeddings.semantic.weights import DIMENSION, MAX_CHARACTERS, MODEL, known_file
from contentgen_adapters.shared.text.model_input import bounded
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Vector

_START_SECONDS: Final = 60.0  # half a second on an idle machine
_SECONDS: Final = 20.0
_END_SECONDS: Final = 1.0  # for a process whose answers have ended
_SECONDS_A_TEXT: Final = 1.0  # on a slow and busy machine without ONNX Runtime
_MAX_FRAME: Final = 256 * 1024 * 1024
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")

log = structlog.get_logger(__name__)


class SemanticProcess:
    """The embedder port over a process that starts with the first text. If it dies another one is tried, once for each
    call. Close it with `aclose`."""

    def __init__(self, source: Path, model: str = MODEL) -> None:
        """`source`: the known file of weights, or a folder with published files. `model`: the name of its space."""
        self._source, self._model = source, model
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0
        self._closed = False

    @classmethod
    async def open(cls, folder: Path | None = None) -> SemanticProcess:
        """With a folder of published files, or else with the installed package; its files are checked. Raises
        NotConfigured where they are missing or others."""
        if folder is None:
            return cls(await asyncio.to_thread(known_file))
        return cls(folder, await asyncio.to_thread(space_of, folder))

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def embedding_weight(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """One vector of unit length per text, in order. Raises ProviderFailed when the process fails."""
        if not texts:
            return []
        answer = await self._answered(kind, [_sendable(text) for text in texts])
        if answer.fault:
            raise ProviderFailed("embeddings", answer.fault, retryable=False)
        return [array("f", vector) for vector in answer.vectors]

    async def aclose(self) -> None:
        """End the process; who waits for an answer gets a failure."""
        process, self._process, self._closed = self._process, None, True
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reading is not None:
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _answered(self, kind: Literal["passage", "query"], texts: list[str]) -> Answer:
        try:
            return await self._attempt(kind, texts)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # it died: once more, with a new one
        except OSError as error:  # TimeoutError is one
            raise _no_answer() from error
        try:
            return await self._attempt(kind, texts)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise _no_answer() from error

    async def _attempt(self, kind: Literal["passage", "query"], texts: list[str]) -> Answer:
        async with asyncio.timeout(_START_SECONDS):
            process = await self._started()
        async with asyncio.timeout(_SECONDS + _SECONDS_A_TEXT * len(texts)):
            return await self._exchange(process, kind, texts)

    async def _exchange(
        self, process: asyncio.subprocess.Process, kind: Literal["passage", "query"], texts: list[str]
    ) -> Answer:
        assert process.stdin is not None
        self._number += 1
        number = self._number
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        try:
            data = msgspec.msgpack.encode(Task(number, kind, texts))
            process.stdin.write(len(data).to_bytes(LENGTH) + data)
            await process.stdin.drain()
            return await answered
        finally:
            del self._waiting[number]
            if answered.done() and not answered.cancelled():
                answered.exception()  # looked at, where writing failed before

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._closed:
                raise BrokenPipeError("closed")
            if self._process is not None and self._process.returncode is None:
                return self._process
            if self._reading is not None:
                await self._reading  # the end of the one before fails nobody who waits for the next one
            environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", program.__name__, str(self._source)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment,
            )
            try:
                assert process.stdout is not None
                await process.stdout.readexactly(len(READY))
            except BaseException:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
                raise
            self._process = process
            self._reading = asyncio.create_task(self._read(process, process.stdout))
            return process

    async def _read(self, process: asyncio.subprocess.Process, answers: asyncio.StreamReader) -> None:
        """Hand out the answers; when they end, those who wait get a failure."""
        decoder = msgspec.msgpack.Decoder(Answer)
        try:
            while True:
                length = int.from_bytes(await answers.readexactly(LENGTH))
                if length > _MAX_FRAME:
                    raise ConnectionError("an answer of a length that no answer has")
                answer = decoder.decode(await answers.readexactly(length))
                waiting = self._waiting.get(answer.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            if self._process is process:
                log.warning("the process that embeds has died", waiting=len(self._waiting))
                self._process = None
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionResetError(str(error)))
            try:
                await asyncio.wait_for(process.wait(), _END_SECONDS)
            except TimeoutError:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


def _no_answer() -> ProviderFailed:
    return ProviderFailed("embeddings", "its process does not answer", retryable=True)


def _sendable(text: str) -> str:
    """As much as the model reads, without halves of characters, which UTF-8 has not."""
    short = bounded(text, MAX_CHARACTERS)
    return short if short.isascii() else short.encode("utf-8", "replace").decode("utf-8")
