"""The same model in a process of its own: a service that answers requests has neither its memory nor its work."""

from __future__ import annotations

import asyncio
import os
import socket
from array import array
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path

from contentgen_adapters.embeddings.semantic.asking import AskingEmbedder
from contentgen_adapters.embeddings.semantic.program import READY, Greeting, framed
from contentgen_adapters.embeddings.semantic.published import space_of
from contentgen_adapters.embeddings.semantic.starting import killed, started
from contentgen_adapters.embeddings.semantic.weights import MODEL, known_file


class SemanticProcess(AskingEmbedder):
    """The embedder port over a process of ours alone, which starts with the first text."""

    def __init__(self, source: Path, model: str = MODEL) -> None:
        super().__init__(source, model)
        self._process: Process | None = None

    @classmethod
    async def open(cls, folder: Path | None = None) -> SemanticProcess:
        """With a folder of published files, or else with the installed package; its files are checked. Raises
        NotConfigured where they are missing or others."""
        return cls(*await _checked(folder))

    async def _begin(self) -> tuple[StreamWriter, StreamReader]:
        process = await started(str(self._source))
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            await process.stdout.readexactly(len(READY))
        except BaseException:
            await killed(process)
            raise
        self._process = process
        return process.stdin, process.stdout

    async def _end(self, tasks: StreamWriter, seconds: float) -> None:
        process = self._process
        if process is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), seconds)
            await killed(process)

    def _has_ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None


class SharedSemanticProcess(AskingEmbedder):
    """The embedder port over the process that embeds for the whole service."""

    def __init__(self, askers: socket.socket, source: Path, model: str = MODEL) -> None:
        """`askers`: what `shared_program` gives."""
        super().__init__(source, model)
        self._askers = askers

    @classmethod
    async def open(cls, askers: socket.socket, folder: Path | None = None) -> SharedSemanticProcess:
        """With a folder of published files, or else with the installed package; its files are checked. Raises
        NotConfigured where they are missing or others."""
        return cls(askers, *await _checked(folder))

    async def _begin(self) -> tuple[StreamWriter, StreamReader]:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                sent = array("i", [theirs.fileno()])
                self._askers.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)], socket.MSG_DONTWAIT)
            answers, tasks = await asyncio.open_unix_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        try:
            tasks.write(framed(Greeting(str(self._source), os.nice(0))))
            await tasks.drain()
            await answers.readexactly(len(READY))
        except BaseException:
            tasks.transport.abort()
            raise
        return tasks, answers

    async def _end(self, tasks: StreamWriter, seconds: float) -> None:
        tasks.transport.abort()


async def _checked(folder: Path | None) -> tuple[Path, str]:
    """Where the model is, and the name of its space."""
    if folder is None:
        return await asyncio.to_thread(known_file), MODEL
    return folder, await asyncio.to_thread(space_of, folder)
