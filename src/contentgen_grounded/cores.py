"""Count the cores that this program may use, and the processes that they are worth."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Final

CGROUPS: Final = Path("/sys/fs/cgroup")
MOST_API: Final = 8
MOST_JOB: Final = 16
"""Beyond these the database is what is short of, and whoever has such a machine says how to share it."""


def usable_cores(cgroups: Path = CGROUPS) -> int:
    """The cores that this process may run on, at most as many as the limit of its container comes to, rounded up; one
    at least. `cgroups`: where the kernel shows the limit."""
    quota = _quota(cgroups)
    return max(1, _allowed_cores() if quota is None else min(_allowed_cores(), ceil(quota)))


def api_processes(cores: int) -> int:
    """Return the default number of processes that answer requests: one for two cores, since a request costs far less
    than an article.
    """
    return min(MOST_API, max(1, cores // 2))


def job_processes(cores: int) -> int:
    """Return the default number of processes that do jobs: one for each core, since an event loop uses one."""
    return min(MOST_JOB, cores)


def _allowed_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quota(cgroups: Path) -> float | None:
    """The cores of the container's limit; None without one. Of cgroups in version 2, or else 1."""
    for read in (_quota_of_version_2, _quota_of_version_1):
        if (quota := _read(read, cgroups)) is not None:
            return quota
    return None


def _read(read: Callable[[Path], float | None], cgroups: Path) -> float | None:
    try:
        return read(cgroups)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _quota_of_version_2(cgroups: Path) -> float | None:
    quota, period = (cgroups / "cpu.max").read_text().split()
    return None if quota == "max" else int(quota) / int(period)


def _quota_of_version_1(cgroups: Path) -> float | None:
    quota = int((cgroups / "cpu" / "cpu.cfs_quota_us").read_text())
    return None if quota <= 0 else quota / int((cgroups / "cpu" / "cpu.cfs_period_us").read_text())
