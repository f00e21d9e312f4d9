"""An embedder that sends its texts to an embedding program in another process."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from array import array
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
import structlog

from contentgen_adapters.embeddings.semantic.program import FRAME_BYTES, LENGTH, Answer, Task, frame
from contentgen_adapters.embeddings.semantic.weights import DIMENSION, MAX_CHARACTERS, MODEL
from contentgen_adapters.shared.text.model_input import cut
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Vector

_START_SECONDS: Final = 60.0  # half a second on an idle machine
_SECONDS: Final = 20.0
_END_SECONDS: Final = 1.0  # for a process whose answers have ended
_SECONDS_A_TEXT: Final = 1.0  # on a slow and busy machine without ONNX Runtime

log = structlog.get_logger(__name__)


class AskingEmbedder(ABC):
    """The embedder port over a program that is begun, or found, with the first text. If it dies another one is tried,
    once for each call. Close it with `aclose`."""

    def __init__(self, source: Path, model: str = MODEL) -> None:
        """`source`: the known file of weights, or a folder with published files. `model`: the name of its space."""
        self._source, self._model = source, model
        self._starting = asyncio.Lock()
        self._tasks: StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0
        self._closed = False

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
        """Return one vector of unit length per text, in order. Raises ProviderFailed when the process fails."""
        if not texts:
            return []
        answer = await self._ask(kind, [_sendable(text) for text in texts])
        if answer.fault:
            raise ProviderFailed("embeddings", answer.fault, retryable=False)
        return [array("f", vector) for vector in answer.vectors]

    async def aclose(self) -> None:
        """End what was begun; who waits for an answer gets a failure."""
        tasks, self._tasks, self._closed = self._tasks, None, True
        if tasks is not None:
            await self._end(tasks, 0.0)
        if self._reading is not None:
            await asyncio.gather(self._reading, return_exceptions=True)

    @abstractmethod
    async def _begin(self) -> tuple[StreamWriter, StreamReader]:
        """Return the streams for tasks and answers, once the program is ready. Raises OSError, IncompleteReadError."""

    @abstractmethod
    async def _end(self, tasks: StreamWriter, seconds: float) -> None:
        """End what `_begin` began, within so many seconds."""

    def _has_ended(self) -> bool:
        """Whether the program is known to have ended, before its answers say so."""
        return False

    async def _ask(self, kind: Literal["passage", "query"], texts: list[str]) -> Answer:
        try:
            return await self._attempt(kind, texts)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # it died: once more, with a new one
        except OSError as error:  # TimeoutError is one
            raise _process_failure() from error
        try:
            return await self._attempt(kind, texts)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise _process_failure() from error

    async def _attempt(self, kind: Literal["passage", "query"], texts: list[str]) -> Answer:
        async with asyncio.timeout(_START_SECONDS):
            tasks = await self._ensure_started()
        async with asyncio.timeout(_SECONDS + _SECONDS_A_TEXT * len(texts)):
            return await self._exchange(tasks, kind, texts)

    async def _exchange(self, tasks: StreamWriter, kind: Literal["passage", "query"], texts: list[str]) -> Answer:
        self._number += 1
        number = self._number
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        try:
            tasks.write(frame(Task(number, kind, texts)))
            await tasks.drain()
            return await answered
        finally:
            del self._waiting[number]
            if answered.done() and not answered.cancelled():
                answered.exception()  # looked at, where writing failed before

    async def _ensure_started(self) -> StreamWriter:
        async with self._starting:
            if self._closed:
                raise BrokenPipeError("closed")
            if self._tasks is not None and not (self._tasks.is_closing() or self._has_ended()):
                return self._tasks
            if self._reading is not None:
                await self._reading  # the end of the one before fails nobody who waits for the next one
            tasks, answers = await self._begin()
            if self._closed:
                await self._end(tasks, 0.0)
                raise BrokenPipeError("closed")
            self._tasks = tasks
            self._reading = asyncio.create_task(self._read(tasks, answers))
            return tasks

    async def _read(self, tasks: StreamWriter, answers: StreamReader) -> None:
        """Hand out the answers; when they end, those who wait get a failure."""
        decoder = msgspec.msgpack.Decoder(Answer)
        try:
            while True:
                length = int.from_bytes(await answers.readexactly(LENGTH))
                if length > FRAME_BYTES:
                    raise ConnectionError("an answer of a length that no answer has")
                answer = decoder.decode(await answers.readexactly(length))
                waiting = self._waiting.get(answer.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
            if self._tasks is tasks:
                log.warning("the process that embeds has died", waiting=len(self._waiting))
                self._tasks = None
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionResetError(str(error)))
            await self._end(tasks, _END_SECONDS)


def _process_failure() -> ProviderFailed:
    return ProviderFailed("embeddings", "its process does not answer", retryable=True)


def _sendable(text: str) -> str:
    """Return as much of the text as the model reads, without lone surrogates, which UTF-8 cannot encode."""
    short = cut(text, MAX_CHARACTERS)
    return short if short.isascii() else short.encode("utf-8", "replace").decode("utf-8")
