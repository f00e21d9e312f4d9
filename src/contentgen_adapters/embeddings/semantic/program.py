"""The program of a process that embeds: texts come in and vectors go out until its input ends. A question waits neither
for what it found nor for an import.

Both streams carry frames: a length of 8 bytes, big endian, then so many bytes of msgpack. A frame in is a `Task`, a
frame out an `Answer`; answers come in any order.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, Literal

import msgspec

LENGTH: Final = 8
READY: Final = b"ready"
FEW: Final = 32
"""Passages that a request waits for: those that its question found."""
_NICENESS: Final = 10  # of the threads that embed many passages
_MOST_THREADS: Final = 4

Kind = Literal["passage", "query"]
EmbedOne = Callable[[str, Kind], bytes]
"""A vector's numbers, of 32 bits each."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """Texts to embed. `number`: of the task, for its answer."""

    number: int
    kind: Kind
    texts: list[str]


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """`vectors`: one a text, in order; none where embedding failed, `fault` says why."""

    number: int
    vectors: list[bytes]
    fault: str = ""


_tasks: Final = msgspec.msgpack.Decoder(Task)


class Server:
    """`answers`: where they are written. `embed_one`: thread-safe."""

    def __init__(self, answers: BinaryIO, embed_one: EmbedOne) -> None:
        self._answers, self._embed_one, self._writing = answers, embed_one, threading.Lock()
        threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        self._questions = ThreadPoolExecutor(1)
        self._few = ThreadPoolExecutor(threads)
        self._many = ThreadPoolExecutor(max(1, threads // 2), initializer=_step_back)

    def take(self, task: Task) -> None:
        """Embed the texts of a task and answer, later."""
        if not task.texts:
            self._send(Answer(task.number, []))
            return
        pool = self._questions if task.kind == "query" else self._few if len(task.texts) <= FEW else self._many
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

        for place in range(len(task.texts)):
            pool.submit(one, place)

    def _send(self, answer: Answer) -> None:
        data = msgspec.msgpack.encode(answer)
        with self._writing:
            self._answers.write(len(data).to_bytes(LENGTH) + data)
            self._answers.flush()


def _answer(task: Task, futures: list[Future[bytes]]) -> Answer:
    for future in futures:
        if (error := future.exception()) is not None:
            return Answer(task.number, [], f"{type(error).__name__}: {error}")
    return Answer(task.number, [future.result() for future in futures])


def _step_back() -> None:
    """This thread leaves the processor to whoever else wants it, where the platform knows priorities of threads."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def serve(tasks: BinaryIO, answers: BinaryIO, embed_one: EmbedOne) -> None:
    """Take the tasks that come until their stream ends."""
    server = Server(answers, embed_one)
    answers.write(READY)
    answers.flush()
    while header := tasks.read(LENGTH):
        server.take(_tasks.decode(tasks.read(int.from_bytes(header))))


def _main() -> None:
    from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder, SemanticEmbedder
    from contentgen_adapters.embeddings.semantic.weights import Weights

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C the service ends and closes our input
    with suppress(OSError):  # where the machine has no memory left, this process ends and not the service
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
    answers = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # a library's prints must not end up among the answers
    source = Path(sys.argv[1])
    embedder = FolderEmbedder(source) if source.is_dir() else SemanticEmbedder(Weights(source))
    serve(sys.stdin.buffer, answers, embedder.embed_one)
    os._exit(0)  # nobody waits for what is being embedded


if __name__ == "__main__":
    _main()
