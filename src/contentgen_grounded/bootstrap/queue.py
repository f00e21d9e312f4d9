"""The queue of jobs that the settings choose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from contentgen_core.ports.job_queue import JobQueue
from contentgen_grounded.extras import from_extra
from contentgen_grounded.settings import BadSetting, Settings


@contextmanager
def job_queue(settings: Settings) -> Iterator[JobQueue | None]:
    """Return the queue that hands jobs to the workers; None where they claim jobs from the database. Raises
    BadSetting.
    """
    if settings.redis_url is None:
        yield None
        return
    with from_extra("server"):
        from contentgen_adapters.dramatiq.queue import DramatiqQueue

    try:
        queue = DramatiqQueue(settings.redis_url)
    except ValueError as error:
        raise bad_redis_url() from error
    try:
        yield queue
    finally:
        queue.close()


def check_redis_url(settings: Settings) -> None:
    """Check the address of Redis before anything is started. Raises BadSetting."""
    with job_queue(settings):
        pass


def bad_redis_url() -> BadSetting:
    """Return the error for an invalid address of Redis."""
    # Not the address itself, nor what the library says of it: it may hold a password.
    return BadSetting("CONTENTGEN_REDIS_URL: no address of a Redis, such as redis://host:6379/0.")
