"""What the processes of a service do, by name: whoever starts them need not load it."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable, Coroutine, Sequence
from pkgutil import resolve_name
from typing import Any, Final

from attrs import frozen

from contentgen_grounded.extras import from_extra
from contentgen_http.processes.process_deaths import ProcessDeaths
from contentgen_http.processes.shared_file import SharedFile

ANSWER: Final = "contentgen_http.processes.api_process:answer_requests"
DO_JOBS: Final = "contentgen_http.processes.job_process:do_jobs"
DO_JOBS_ALONE: Final = "contentgen_http.processes.job_process:do_jobs_with_right_keys"

SHUTDOWN_SECONDS: Final = 2
"""For requests under way, when a process that answers is told to end."""

Program = Callable[..., Coroutine[Any, Any, None]]


@frozen(kw_only=True)
class Answering:
    """What a process that answers requests is told.

    `listening`: a bound socket. `demo`: whether the first process makes the demo tenant. `does_jobs`: whether it does
    jobs, too. `no_jobs`: whether nobody does any for this instance. `pollers`: processes that do jobs, this one among
    them. `counted_in`: the file in which the processes of this machine count the minute's requests, where there are
    several. `deaths`: those of processes beside it, which /health tells. `askers`: of the process that embeds for all
    of them. `waiting`: over which the first process gets the connections that were made before it (`alive`). `beside`:
    coroutines to run meanwhile; if one fails, the process ends.
    """

    listening: socket.socket
    demo: bool
    does_jobs: bool
    no_jobs: bool = False
    pollers: int = 1
    counted_in: SharedFile | None = None
    deaths: ProcessDeaths | None = None
    askers: socket.socket | None = None
    waiting: socket.socket | None = None
    beside: Sequence[Coroutine[None, None, None]] = ()


def program(name: str) -> Program:
    """The program of that name, loaded. Raises MissingExtra."""
    collecting = gc.isenabled()
    gc.disable()  # it would walk through modules, which are no garbage
    try:
        with from_extra("server"):
            found: Program = resolve_name(name)
            return found
    finally:
        if collecting:
            gc.enable()
