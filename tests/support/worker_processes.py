"""The processes that pools of this process have started."""

from __future__ import annotations

import psutil

from contentgen_adapters.shared.processes import worker


def workers() -> list[psutil.Process]:
    """Those that do jobs, of all pools."""
    return [each for each in psutil.Process().children() if worker.__name__ in _command(each)]


def second_processes() -> list[psutil.Process]:
    """Those that a worker has forked for its job."""
    return [second for each in workers() for second in _children(each)]


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:  # it has just ended
        return []


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children())
    except psutil.NoSuchProcess:
        return []
