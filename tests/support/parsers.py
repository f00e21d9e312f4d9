"""Parsers of all kinds of behaviour, to be run in processes."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import msgspec

from contentgen_adapters.shared.processes import forking
from contentgen_adapters.shared.processes.pool import Parser

ITEMS = 60
"""Of a task that two processes may share."""
ITEM_SECONDS = 0.02


class Task(msgspec.Struct, frozen=True):
    """What to do: `act` names a behaviour, `size` its extent."""

    act: str = "echo"
    size: int = 0


def perform(task: Task) -> str:
    """Behave as the task says, and return the answer if the behaviour has one."""
    match task.act:
        case "spin":
            while True:
                pass
        case "sleep":
            time.sleep(60)
        case "nap":
            time.sleep(task.size / 2)
        case "priority":
            time.sleep(task.size / 2)
            return str(os.getpriority(os.PRIO_PROCESS, 0))
        case "allocate":
            return str(len(bytearray(task.size)))
        case "talk":
            return "x" * task.size
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raise":
            raise RecursionError
        case "print":
            print("among the answers")  # noqa: T201
        case "secrets":
            return " ".join(name for name in os.environ if "CONTENTGEN" in name)
        case "leave":
            Path(tempfile.mkdtemp(), "left").write_bytes(b"x" * task.size)
            os.kill(os.getpid(), signal.SIGKILL)
        case "folder":
            return tempfile.gettempdir()
    return str(os.getpid())


def share(task: Task) -> list[str]:
    """The items that two processes make, each as its number and the process. `act` tells what goes wrong."""
    if task.act == "start":
        return []
    first = os.getpid()

    def make(item: int) -> str:
        began = time.process_time()
        while time.process_time() - began < ITEM_SECONDS or (task.act in ("spin", "trap") and os.getpid() != first):
            pass
        if task.act == "sleep":
            time.sleep(60)
        if task.act in ("raise", "trap") and item >= task.size:
            raise ValueError(str(item))
        return f"{item} {os.getpid()}"

    def forked() -> None:
        if task.act == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if task.act == "kill":
            os.kill(first, signal.SIGKILL)

    made: list[str] = []
    try:
        made.extend(forking.texts(make, ITEMS, task.size if task.act == "talk" else 1_000_000, forked))
    except ValueError as error:
        made.append(str(error))
    return made


SHARE = Parser(share, msgspec.msgpack.Decoder(list[str]), Task("start"))
PERFORM = Parser(perform, msgspec.msgpack.Decoder(str), Task())
