"""Starts `contentgen` as a fork of a process that has its imports done, and its routes read.

A start imports some 2,000 modules and has Litestar read 700 routes, which takes seconds of processor time, and the
suites start the program hundreds of times. What is forked is a process of its own with its own arguments, environment,
streams, signals and exit status. The tests of starting, of several kinds of commands and of what the documentation
shows start the installed program.
"""

from __future__ import annotations

import atexit
import gc
import os
import random
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing import util
from pathlib import Path

import msgspec
from prometheus_client import values

from tests.support.shifted_clock.sitecustomize import shift_clock

_MODULES = (
    "contentgen_http.cli",
    "contentgen_http.serving",
    "contentgen_http.worker",
    "contentgen_http.api_process",
    "contentgen_http.job_process",
    "contentgen.bootstrap.stores",
    "contentgen_adapters.lance.store",
    "contentgen_adapters.text.analysis",
    "uvicorn.protocols.http.httptools_impl",
    "rich.table",
)
"""What most starts import."""
_NO_THREADS = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""What keeps numpy and pyarrow from starting threads when they are imported."""
_MAX_REQUEST = 1_000_000
_STREAMS = 3


class Request(msgspec.Struct):
    """A program to start. Bytes, since arguments need not be UTF-8. `folder`: in which it runs."""

    arguments: list[bytes]
    env: dict[bytes, bytes]
    folder: bytes


class _Forked(Exception):
    """Raised in the forked process, to leave the loop of the one that it was forked from. `inherited`: the file
    descriptors of that one."""

    def __init__(self, request: Request, streams: Sequence[int], inherited: Sequence[int]) -> None:
        super().__init__()
        self.request, self.streams, self.inherited = request, streams, inherited


class PreloadedProcess:
    """A running `contentgen`, with what is used of subprocess.Popen."""

    def __init__(self, arguments: Sequence[str], connection: socket.socket) -> None:
        self.arguments = list(arguments)
        self.returncode: int | None = None
        self._connection = connection
        self.pid = int(connection.recv(_MAX_REQUEST))

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = int(self._connection.recv(_MAX_REQUEST))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.arguments, timeout or 0) from None
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Preloader:
    """The process that is forked, as its clients see it: one for each process that runs tests."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="preloaded-")
        self._address = str(Path(self._folder.name) / "socket")
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, self._address],
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
        encoded = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
        request = msgspec.msgpack.encode(Request([*map(os.fsencode, arguments)], encoded, os.getcwdb()))
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        connection.connect(self._address)
        socket.send_fds(connection, [request], list(streams))
        return PreloadedProcess(arguments, connection)

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
    from tests.support.prepared_app import prepare

    prepare()
    # lancedb starts its thread again in each fork, and warns that another one may hold a lock: there is none.
    warnings.filterwarnings("ignore", "lancedb fork support is experimental")
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
                    request, streams, _, _ = socket.recv_fds(connection, _MAX_REQUEST, _STREAMS)
                    inherited = _descriptors()
                    if not (pid := os.fork()):
                        raise _Forked(msgspec.msgpack.decode(request, type=Request), streams, inherited)
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
    os.environb.clear()
    os.environb.update(request.env)
    os.chdir(request.folder)
    time.tzset()
    random.seed()
    sys.argv = ["contentgen", *map(os.fsdecode, request.arguments)]
    sys.modules["__main__"] = types.ModuleType("__main__")  # what processes of multiprocessing would import once more


def _fork_for_multiprocessing(path: bytes, arguments: Sequence[str | bytes], kept: Sequence[int]) -> int:
    """In the place of multiprocessing's start of a Python, `python … -c CODE`: a fork that runs the code, in which all
    is imported. `kept`: the file descriptors that it gets."""
    if pid := os.fork():
        return pid
    status = 1
    try:
        _drop_signal_handlers()
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


def _drop_signal_handlers() -> None:
    """As starting a program does. A service at work that starts its fork server anew has handlers of its loop: were
    they inherited, a process would survive a SIGTERM that comes before it has its own."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(handler := signal.getsignal(number)) and handler is not signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)


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

    main()


if __name__ == "__main__":
    _main(sys.argv[1])
