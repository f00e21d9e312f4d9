"""Parsers of all kinds of behaviour, to be run in processes."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import msgspec

from contentgen_adapters.shared.processes.pool import Parser


class Task(msgspec.Struct, frozen=True):
    """What to do: `act` names a behaviour, `size` its extent."""

    act: str = "echo"
    size: int = 0


def perform(task: Task) -> str:
    """What each behaviour answers, if it does."""
    match task.act:
        case "spin":
            while True:
                pass
        case "sleep":
            time.sleep(60)
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


PERFORM = Parser(perform, msgspec.msgpack.Decoder(str), Task())
