"""The limit of open files: each connection is one, and many systems allow a process only 1,024 by default."""

from __future__ import annotations

import sys
from typing import Final

import structlog

OTHER_FILES: Final = 1_000  # database connections, files of the index, requests under way

log = structlog.get_logger("contentgen.serve")


def raise_file_limit(streams: int) -> None:
    """Raises this process's limit for so many open event streams, as far as the hard limit allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        log.warning("few files may be open", allowed=allowed, wanted=wanted, setting="ulimit -n")
