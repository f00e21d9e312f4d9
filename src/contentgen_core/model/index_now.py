"""Sites whose changed pages are told to search engines by IndexNow."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_core.model.ids import IndexNowSiteId, JobId, TenantId

MAX_SITES: Final = 50
MAX_AT_ONCE: Final = 10_000
"""Addresses that the protocol takes in one request."""
MAX_ADDRESS_BYTES: Final = 2_000


def host_of(address: str) -> str:
    """The host, with its port if it names one; "" for what is no address."""
    try:
        parts = urlsplit(address)
        port = "" if parts.port is None else f":{parts.port}"
        return f"{parts.hostname or ''}{port}"
    except ValueError:
        return ""


@frozen
class NotedAddress:
    """A page that changed, and is to be submitted."""

    address: str
    noted_at: datetime


@frozen
class SubmissionReport:
    """The result of the last submission. `submitted`: addresses that were accepted; `error`: why they were not."""

    at: datetime
    submitted: int = 0
    error: str | None = None


@frozen
class IndexNowSite:
    """`origin`: `https://blog.example.com`; `key`: what the file below it says, which is no secret. `next_at`: when
    noted addresses are submitted at the soonest; `job_id`: of the submission under way; `failures`: since one was
    taken."""

    id: IndexNowSiteId
    tenant_id: TenantId
    origin: str
    host: str
    key: str
    created_at: datetime
    next_at: datetime
    job_id: JobId | None = None
    last: SubmissionReport | None = None
    failures: int = 0
    revision: int = 1

    @property
    def key_address(self) -> str:
        """The address at which search engines look for the key."""
        return f"{self.origin}/{self.key}.txt"
