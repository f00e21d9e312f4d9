"""Every open connection is an open file, and many systems allow a process 1,024 of them unless it asks for more."""

from __future__ import annotations

import sys
from typing import Final

import structlog

BESIDES: Final = 1_000  # the database's connections, the index's files, requests under way

log = structlog.get_logger("contentgen.serve")


def allow_open_files(streams: int) -> None:
    """Raise this process's limit, as far as it may, to what so many open streams need."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + BESIDES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        log.warning("few files may be open", allowed=allowed, wanted=wanted, setting="ulimit -n")
