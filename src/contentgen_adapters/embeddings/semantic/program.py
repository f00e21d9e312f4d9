"""The program of a process that embeds: texts come in and vectors go out. A question waits neither for the passages
that it found nor for an import.

With a source as its argument it serves one client, whose tasks are its input and whose answers its output, until the
input ends. With a number of threads it serves several: its input is a socket, over which each client sends, with a
byte, the end of a connection of its own. There a `Greeting` comes first.

Both streams of a client carry frames: a length of 8 bytes, big endian, then so many bytes of msgpack. `READY` comes out
first. A frame in is a `Task`, a frame out an `Answer`; answers come in any order.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from contentgen_adapters.embeddings.semantic.turns import Kind, Workers

LENGTH: Final = 8
FRAME_BYTES: Final = 256 * 1024 * 1024
"""The most of a frame; nobody sends a longer one."""
READY: Final = b"ready"
_MOST_THREADS: Final = 4
_LOADING: Final = threading.Lock()

EmbedOne = Callable[[str, Kind], bytes]
"""A vector's numbers, of 32 bits each."""


class Greeting(msgspec.Struct, frozen=True, array_like=True):
    """The first message of a client. `source`: the file of weights, or the folder with published files. `niceness`: of
    the client's process; its texts are embedded at the same priority.
    """

    source: str
    niceness: int


class Task(msgspec.Struct, frozen=True, array_like=True):
    """Texts to embed. `number`: of the task, for its answer."""

    number: int
    kind: Kind
    texts: list[str]


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The answer to a task. `vectors`: one per text, in order; empty where embedding failed, `fault` says why."""

    number: int
    vectors: list[bytes]
    fault: str = ""


def frame(content: msgspec.Struct) -> bytes:
    """Return the frame that carries the content."""
    data = msgspec.msgpack.encode(content)
    return len(data).to_bytes(LENGTH) + data


class Server:
    """Serves one asker. `answers`: where they are written, by a thread of its own: one who does not read them keeps
    nobody else waiting. `embed_one`: thread-safe. `niceness`: see `Greeting`."""

    def __init__(self, answers: BinaryIO, embed_one: EmbedOne, workers: Workers, niceness: int = 0) -> None:
        self._answers, self._embed_one, self._workers, self._niceness = answers, embed_one, workers, niceness
        self._writing = ThreadPoolExecutor(1)

    def serve(self, tasks: BinaryIO) -> None:
        """Take the tasks that come until their stream ends."""
        self._answers.write(READY)
        self._answers.flush()
        try:
            while (data := _read(tasks)) is not None:
                self.take(msgspec.msgpack.decode(data, type=Task))
        finally:
            self._workers.drop(self)
            self._writing.shutdown(wait=False, cancel_futures=True)

    def take(self, task: Task) -> None:
        """Embed the texts of a task and answer, later."""
        if not task.texts:
            self._send(Answer(task.number, []))
            return
        left = [len(task.texts)]
        lock = threading.Lock()
        futures = [Future[bytes]() for _ in task.texts]

        def one(place: int) -> None:
            try:
                futures[place].set_result(self._embed_one(task.texts[place], task.kind))
            except Exception as error:
                futures[place].set_exception(error)
            with lock:
                left[0] -= 1
                last = left[0] == 0
            if last:
                self._send(_answer(task, futures))

        self._workers.add(self, self._niceness, task.kind, [partial(one, place) for place in range(len(futures))])

    def _send(self, answer: Answer) -> None:
        with suppress(RuntimeError):  # the asker has gone
            self._writing.submit(self._write, frame(answer))

    def _write(self, data: bytes) -> None:
        self._answers.write(data)
        self._answers.flush()


def _answer(task: Task, futures: list[Future[bytes]]) -> Answer:
    for future in futures:
        if (error := future.exception()) is not None:
            return Answer(task.number, [], f"{type(error).__name__}: {error}")
    return Answer(task.number, [future.result() for future in futures])


def _read(frames: BinaryIO) -> bytes | None:
    """The content of the next frame; None where they end. Raises ConnectionError for one that is too long."""
    length = int.from_bytes(header := frames.read(LENGTH))
    if length > FRAME_BYTES:
        raise ConnectionError("a frame of a length that no frame has")
    data = frames.read(length)
    return data if len(header) == LENGTH and len(data) == length else None


def share(asked: socket.socket, load: Callable[[str], EmbedOne], workers: Workers) -> None:
    """Serve those whose connections come over `asked`, until nobody is left who could send one. `load`: the model of
    a source; thread-safe."""
    while True:
        byte, connections, _, _ = socket.recv_fds(asked, 1, 1)
        if not byte:
            return
        for descriptor in connections:
            connection = socket.socket(fileno=descriptor)
            threading.Thread(target=_converse, args=(connection, load, workers), daemon=True).start()


def _converse(connection: socket.socket, load: Callable[[str], EmbedOne], workers: Workers) -> None:
    gone = suppress(OSError, msgspec.DecodeError)
    with gone, connection, connection.makefile("rb") as tasks, connection.makefile("wb") as answers:
        if (data := _read(tasks)) is None:
            return
        greeting = msgspec.msgpack.decode(data, type=Greeting)
        try:
            embed_one = load(greeting.source)
        except Exception:
            traceback.print_exc()  # as a program of one asker does, which ends with it
            return
        Server(answers, embed_one, workers, greeting.niceness).serve(tasks)


def _load(source: str) -> EmbedOne:
    with _LOADING:
        return _loaded_once(source)


@cache
def _loaded_once(source: str) -> EmbedOne:
    from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder, SemanticEmbedder
    from contentgen_adapters.embeddings.semantic.weights import Weights

    place = Path(source)
    return (FolderEmbedder(place) if place.is_dir() else SemanticEmbedder(Weights(place))).embed_one


def _close_what_was_left_open() -> None:
    """uvloop gives those whom it starts a second descriptor of each stream."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with suppress(OSError):  # that of the list
                os.close(int(name))


def _main(argument: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C the service ends and closes our input
    with suppress(OSError):  # where the machine has no memory left, this process ends and not the service
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
    answers = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # a library's prints must not end up among the answers
    if argument.isdecimal():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager signals all; others still ask, and end us
        threads = int(argument)
        answers.write(READY)
        answers.close()
        _close_what_was_left_open()
        asked = socket.socket(fileno=0)
        asked.setblocking(True)  # the loop of whoever started us watches it as well, and then it does not block
        share(asked, _load, Workers(threads, questions=threads))
    else:
        threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        Server(answers, _load(argument), Workers(threads, questions=1)).serve(sys.stdin.buffer)
    os._exit(0)  # nobody waits for what is being embedded


if __name__ == "__main__":
    _main(sys.argv[1])
