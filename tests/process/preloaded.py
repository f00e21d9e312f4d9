"""Starts `contentgen` as a fork of a process that has its imports done, and its routes read.

A start imports some 2,000 modules and has Litestar read 700 routes, which takes seconds of processor time, and the
suites start the program hundreds of times. What is forked is a process of its own with its own arguments, environment,
streams, signals and exit status; it ends without taking apart what was imported. The tests of starting and of several
kinds of commands start the installed program, and those of what the documentation shows do so the first time that it
shows a kind of command.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import json
import os
import random
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing import util
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from prometheus_client import values

from tests.process.preloaded_client import MAX_REQUEST, PreloadedProcess, start
from tests.support.shifted_clock.sitecustomize import shift_clock

_MODULES = (
    "contentgen_http.cli",
    "contentgen_http.processes.serving",
    "contentgen_http.processes.worker",
    "contentgen_http.processes.api_process",
    "contentgen_http.processes.job_process",
    "contentgen_grounded.bootstrap.stores",
    "contentgen_adapters.lance.store",
    "contentgen_adapters.text.analysis",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.httptools_impl",
    "anyio._backends._asyncio",
    "encodings.idna",
    "rich.table",
)
"""What most starts import."""
_NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""What keeps numpy and pyarrow from starting threads when they are imported."""
_STREAMS = 3
_spawnv_passfds = util.spawnv_passfds  # type: ignore[attr-defined]


class Request(NamedTuple):
    """A program to start. `folder`: in which it runs."""

    arguments: list[str]
    env: dict[str, str]
    folder: str


class _Forked(Exception):
    """Raised in the forked process, to leave the loop of the one that it was forked from. `inherited`: the file
    descriptors of that one."""

    def __init__(self, request: Request, streams: Sequence[int], inherited: Sequence[int]) -> None:
        super().__init__()
        self.request, self.streams, self.inherited = request, streams, inherited


class Preloader:
    """The process that is forked, as its clients see it: one for each process that runs tests."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="preloaded-")
        self.address = str(Path(self._folder.name) / "socket")
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, self.address],
            env={**os.environ, **_NO_THREADS},
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline(), "the process to fork did not start"
        atexit.register(self.close)

    def start(
        self, arguments: Sequence[str], env: Mapping[str, str], streams: tuple[int, int, int]
    ) -> PreloadedProcess:
        """`contentgen` with these arguments. `streams`: file descriptors for its input, output and errors."""
        return start(self.address, arguments, env, streams)

    def run(self, arguments: Sequence[str], env: Mapping[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
        """`contentgen` from its start to its end, without input, with what it printed. Raises
        subprocess.TimeoutExpired."""
        with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = self.start(arguments, env, (nothing.fileno(), out.fileno(), err.fileno()))
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            for printed in (out, err):
                printed.seek(0)
            return subprocess.CompletedProcess(list(arguments), status, out.read().decode(), err.read().decode())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


@cache
def preloader() -> Preloader:
    """That of this process, started when first asked for."""
    return Preloader()


def _load() -> None:
    for module in _MODULES:
        __import__(module)
    from contentgen_adapters.embeddings.hashed import HashedEmbedder
    from contentgen_adapters.embeddings.semantic import process
    from contentgen_adapters.embeddings.semantic.weights import known_file
    from contentgen_adapters.publishing.catalog import built_in, providers_of_other_packages
    from contentgen_adapters.shared.http import tls
    from contentgen_core.errors import NotConfigured
    from contentgen_grounded.settings import load
    from contentgen_http.cli import GROUPS
    from contentgen_http.commands.deferred import commands_of
    from tests.support.prepared_app import prepare

    prepare()
    built_in()
    providers_of_other_packages()
    load({})  # which has the types of the settings read
    tls()
    known = cache(known_file)  # reads 72 MB, in each start of a service
    with suppress(NotConfigured):
        known()
        patch.object(process, "known_file", known).start()
    asyncio.run(HashedEmbedder().embed(["a text"], "passage"))  # which makes its tables
    for group in GROUPS:
        commands_of(group)
    # lancedb starts its thread again in each fork, and warns that another one may hold a lock: there is none.
    warnings.filterwarnings("ignore", "lancedb fork support is experimental")
    # Python warns of the same, since 3.12.
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    _stop_loop_of_lancedb()
    gc.collect()
    gc.freeze()  # else each fork walks, and thereby copies, all that was imported when it ends: half a second
    threads = os.listdir("/proc/self/task")
    assert len(threads) == 1, f"{len(threads)} threads run, which a fork would lose"


def _stop_loop_of_lancedb() -> None:
    loop = sys.modules["lancedb.background_loop"].LOOP
    loop.loop.call_soon_threadsafe(loop.loop.stop)
    loop.thread.join()
    loop.loop.close()


def _descriptors() -> list[int]:
    """The open file descriptors, without the one that lists them."""
    return [int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]


def _serve(listening: socket.socket) -> None:
    """Forks a process for each connection, and sends its exit status there when it has ended. Raises _Forked, with the
    request and its streams, in the forked process."""
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is listening:
                    connection, _ = listening.accept()
                    request, streams, _, _ = socket.recv_fds(connection, MAX_REQUEST, _STREAMS)
                    inherited = _descriptors()
                    if not (pid := os.fork()):
                        raise _Forked(Request(*json.loads(request)), streams, inherited)
                    for stream in streams:
                        os.close(stream)
                    connection.send(str(pid).encode())
                    selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, connection))
                else:
                    pid, connection = key.data
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                    with suppress(OSError):  # nobody waits for it any more
                        connection.send(str(status).encode())
                    connection.close()


def _become(request: Request, streams: Sequence[int], inherited: Sequence[int]) -> None:
    """Take over what a program gets from whoever starts it."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for descriptor in inherited:
        if descriptor >= _STREAMS:
            with suppress(OSError):  # the selector's, which is closed already
                os.close(descriptor)
    os.environ.clear()
    os.environ.update(request.env)
    os.chdir(request.folder)
    time.tzset()
    random.seed()
    sys.argv = ["contentgen", *request.arguments]
    sys.modules["__main__"] = types.ModuleType("__main__")  # what processes of multiprocessing would import once more


def _fork_for_multiprocessing(path: bytes, arguments: Sequence[str | bytes], kept: Sequence[int]) -> int:
    """In the place of multiprocessing's start of a Python, `python … -c CODE`: a fork that runs the code, in which all
    is imported. `kept`: the file descriptors that it gets.

    A fork server that is started again is a Python of its own, as in the product: a fork would have what a service at
    work has, loops and their descriptors among it.
    """
    if b"forkserver" in os.fsencode(arguments[-1]):
        util.spawnv_passfds = _spawnv_passfds  # type: ignore[attr-defined]
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # as a program that is executed has it
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    if pid:
        return pid
    status = 1
    try:
        _stop_loop_of_lancedb()  # which would miss its descriptors
        for descriptor in _descriptors():
            if descriptor >= _STREAMS and descriptor not in kept:
                with suppress(OSError):  # that of the list
                    os.close(descriptor)
        values.ValueClass = values.get_value_class()  # chosen by the environment of now
        exec(arguments[-1], {"__name__": "__main__"})
        status = 0
    finally:
        os._exit(status)


def _main(address: str) -> None:
    _load()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(address)
    listening.listen()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    try:
        _serve(listening)
    except _Forked as forked:
        _become(forked.request, forked.streams, forked.inherited)
        util.spawnv_passfds = _fork_for_multiprocessing  # type: ignore[attr-defined]
        shift_clock()
    from contentgen_http.__main__ import main

    try:
        main()
    except SystemExit as ended:
        if isinstance(ended.code, int | None):
            _end(ended.code or 0)
        raise


def _end(status: int) -> None:
    """End as a Python does, but without taking apart all modules, which is most of a short command. Comes back when
    nobody reads what was printed any more: then a Python says so."""
    threading._shutdown()
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _main(sys.argv[1])
