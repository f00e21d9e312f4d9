"""The program of a process that parses: it does one job after the other until its input ends.

Both streams carry frames: a length of 8 bytes, big endian, then so many bytes. A frame in is a `Request` in msgpack; a
frame out is an Outcome of one byte, and after DONE the answer in msgpack.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from typing import Any, BinaryIO, Final, get_type_hints

import msgspec

from contentgen_adapters.shared.processes import forking

LENGTH: Final = 8
READY: Final = b"ready"
_OBJECTS_BETWEEN_COLLECTIONS: Final = 10_000
_MAX_FILE: Final = 256 * 1024 * 1024  # bytes of a file that a parser writes


class Outcome(IntEnum):
    """The outcome of a job. REFUSED: the parser raised another error than lack of memory."""

    DONE = 0
    MEMORY = 1
    SIZE = 2
    REFUSED = 3


class Request(msgspec.Struct, frozen=True):
    """A job.

    `parser`: `module:name` of a function of one argument whose types are annotated. `job`: the argument, in msgpack.
    `cpu`: seconds of processor time, after which the process ends; None for no limit. `memory`: bytes of data that the
    process may allocate, its libraries included. `answer`: most bytes of the answer. `processes`: that may work on it.
    """

    parser: str
    job: bytes
    cpu: float | None
    memory: int
    answer: int
    processes: int = 1


_requests: Final = msgspec.msgpack.Decoder(Request)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Do the jobs that `requests` brings until it ends, and write an outcome for each to `answers`."""
    answers.write(READY)
    answers.flush()
    while header := requests.read(LENGTH):
        request = _requests.decode(requests.read(int.from_bytes(header)))
        outcome, answer = _outcome(request)
        answers.write((len(answer) + 1).to_bytes(LENGTH) + bytes([outcome]))
        answers.write(answer)
        answers.flush()


def _outcome(request: Request) -> tuple[Outcome, bytes]:
    try:
        function, job_type = _parser(request.parser)
        _limit_memory(request.memory)
        _limit_cpu(request.cpu)
        forking.allow(request.processes)
        answer = msgspec.msgpack.encode(function(msgspec.msgpack.decode(request.job, type=job_type)))
    except MemoryError:
        return Outcome.MEMORY, b""
    except Exception:
        return Outcome.REFUSED, b""
    finally:
        _limit_cpu(None)
    return (Outcome.SIZE, b"") if len(answer) > request.answer else (Outcome.DONE, answer)


@cache
def _parser(address: str) -> tuple[Callable[[Any], object], Any]:
    """A function and the type of its argument."""
    module, _, name = address.partition(":")
    function = getattr(importlib.import_module(module), name)
    gc.freeze()  # what is loaded stays: no collection need look at it
    hints = get_type_hints(function)
    hints.pop("return", None)
    (job_type,) = hints.values()
    return function, job_type


def _limit_cpu(seconds: float | None) -> None:
    # At its end the signal SIGPROF ends the process, wherever it is.
    signal.setitimer(signal.ITIMER_PROF, seconds or 0)


def _limit_memory(size: int) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size if hard < 0 else min(size, hard), hard))


def _main() -> None:
    import resource
    from contextlib import suppress
    from pathlib import Path

    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C the service ends and closes our input
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_FILE, _MAX_FILE))
    with suppress(OSError):  # where the machine has no memory left, this process ends and not the service
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    answers = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # a library's prints must not end up among the answers
        os.dup2(quiet, stream)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main()
