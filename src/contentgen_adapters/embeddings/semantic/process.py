"""Run the same model in a process of its own, so that a service that answers requests bears neither its memory nor its
work.
"""

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
from contentgen_adapters.embeddings.semantic.program import READY, Greeting, frame
from contentgen_adapters.embeddings.semantic.published import space_of
from contentgen_adapters.embeddings.semantic.starting import kill, start
from contentgen_adapters.embeddings.semantic.weights import MODEL, known_file


class SemanticProcess(AskingEmbedder):
    """The embedder port over a process of ours alone, which starts with the first text."""

    def __init__(self, source: Path, model: str = MODEL) -> None:
        super().__init__(source, model)
        self._process: Process | None = None

    @classmethod
    async def open(cls, folder: Path | None = None) -> SemanticProcess:
        """Open with a folder of published files, or else with the installed package; the files are checked. Raises
        NotConfigured where they are missing or not the known ones.
        """
        return cls(*await _check_files(folder))

    async def _begin(self) -> tuple[StreamWriter, StreamReader]:
        process = await start(str(self._source))
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            await process.stdout.readexactly(len(READY))
        except BaseException:
            await kill(process)
            raise
        self._process = process
        return process.stdin, process.stdout

    async def _end(self, tasks: StreamWriter, seconds: float) -> None:
        process = self._process
        if process is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), seconds)
            await kill(process)

    def _has_ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None


class SharedSemanticProcess(AskingEmbedder):
    """The embedder port over the process that embeds for the whole service."""

    def __init__(self, askers: socket.socket, source: Path, model: str = MODEL) -> None:
        """`askers`: the socket that `shared_program` yields."""
        super().__init__(source, model)
        self._askers = askers

    @classmethod
    async def open(cls, askers: socket.socket, folder: Path | None = None) -> SharedSemanticProcess:
        """Open with a folder of published files, or else with the installed package; the files are checked. Raises
        NotConfigured where they are missing or not the known ones.
        """
        return cls(askers, *await _check_files(folder))

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
            tasks.write(frame(Greeting(str(self._source), os.nice(0))))
            await tasks.drain()
            await answers.readexactly(len(READY))
        except BaseException:
            tasks.transport.abort()
            raise
        return tasks, answers

    async def _end(self, tasks: StreamWriter, seconds: float) -> None:
        tasks.transport.abort()


async def _check_files(folder: Path | None) -> tuple[Path, str]:
    """Return where the model is, and the name of its space."""
    if folder is None:
        return await asyncio.to_thread(known_file), MODEL
    return folder, await asyncio.to_thread(space_of, folder)
