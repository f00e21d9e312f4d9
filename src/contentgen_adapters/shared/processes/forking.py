"""Texts of many items, made by the process of a job and a second one that it forks.

A forked process has all that was opened and loaded before it, so that nothing is sent to it or read twice. Each takes
the next item when it is done with one. What the second does not bring, since it broke or was ended, the first makes
itself.
"""

from __future__ import annotations

import os
import signal
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from select import PIPE_BUF
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LEAST: Final = 50  # items: with fewer, a fork takes about as long as it saves
_NUMBER: Final = array("H").itemsize
_MOST: Final = PIPE_BUF // _NUMBER  # items: an empty pipe takes so many numbers at once
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h

_processes = 1
_texts: Final = msgspec.msgpack.Decoder(dict[int, str])


def allow(processes: int) -> None:
    """Let so many processes, 1 or 2, work on what this one does next."""
    global _processes  # a limit of the process, like those that the system keeps
    _processes = processes


def texts(make: Callable[[int], str], count: int, most: int, forked: Callable[[], object]) -> Iterator[str]:
    """Return `make(0)` to `make(count - 1)`, in order, made by two processes. Raises the error of the first item that
    fails.

    `most`: characters; a process with more of them starts no further item before they are asked for. `forked`: called
    in the second process before its first item.
    """
    made: dict[int, str] = {}
    failed: dict[int, Exception] = {}
    if _processes > 1 and _LEAST <= count <= _MOST:
        with suppress(OSError):  # no further process is to be had: nothing was made yet
            made, failed = _make_in_two_processes(make, count, most, forked)
    for item in range(count):
        if item in failed:
            raise failed[item]
        yield made[item] if item in made else make(item)


def _make_in_two_processes(
    make: Callable[[int], str], count: int, most: int, forked: Callable[[], object]
) -> tuple[dict[int, str], dict[int, Exception]]:
    from multiprocessing import get_context  # here: most jobs need none of it

    fork = get_context("fork")
    with _numbers(count) as numbers:
        theirs, answer = fork.Pipe(duplex=False)
        job = (os.getpid(), signal.getitimer(signal.ITIMER_PROF)[0], make, numbers, most, forked, answer)
        second = fork.Process(target=_help, args=job)
        with theirs:
            with answer:
                second.start()
            before = _children_seconds()
            try:
                made, failed = _make_some(make, numbers, most)
                if not failed:  # else it goes on alone, as far as that item
                    with suppress(EOFError, OSError, MemoryError, msgspec.DecodeError):
                        made |= _texts.decode(theirs.recv_bytes())
            finally:
                second.kill()
                second.join()
                _spend(_children_seconds() - before)
    return made, failed


def _numbers(count: int) -> BinaryIO:
    """The numbers of the items, in a pipe: whoever reads has the next one for itself."""
    numbers, source = os.pipe()
    with open(source, "wb") as end:
        end.write(array("H", range(count)).tobytes())
    return open(numbers, "rb", buffering=0)


def _make_some(make: Callable[[int], str], numbers: BinaryIO, most: int) -> tuple[dict[int, str], dict[int, Exception]]:
    """Return the texts that one process makes, until an item fails, its texts are too long, or no item is left."""
    made: dict[int, str] = {}
    failed: dict[int, Exception] = {}
    size = 0
    while size <= most and (number := numbers.read(_NUMBER)):
        item = int.from_bytes(number, sys.byteorder)
        try:
            made[item] = make(item)
        except Exception as error:  # raised in its turn
            failed[item] = error
            break
        size += len(made[item])
    numbers.read(PIPE_BUF)  # so that the other ends as well
    return made, failed


def _help(
    first: int,
    seconds: float,
    make: Callable[[int], str],
    numbers: BinaryIO,
    most: int,
    forked: Callable[[], object],
    answer: Connection,
) -> None:
    """The second process. It ends with the first, whatever ends that one."""
    import ctypes

    if ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) or os.getppid() != first:
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    forked()
    made, _ = _make_some(make, numbers, most)
    answer.send_bytes(msgspec.msgpack.encode(made))


def _children_seconds() -> float:
    """Processor time of the processes that this one started and that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _spend(seconds: float) -> None:
    """Take processor time from what is left of this process's limit, which ends it as the limit does."""
    left = signal.getitimer(signal.ITIMER_PROF)[0]
    if left > seconds:
        signal.setitimer(signal.ITIMER_PROF, left - seconds)
    elif left:
        signal.raise_signal(signal.SIGPROF)
