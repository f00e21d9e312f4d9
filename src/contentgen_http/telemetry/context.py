"""The context of the current request or job, for logs, headers, metrics and traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final

from contentgen_core.model.job import Job
from contentgen_core.ports.counters import Allowance

VISITORS: Final = "visitors"
_KEY: Final = "contentgen.trace"


class Permit:
    """The place of one of the requests that its tenant may have at work. It has as many holders as the request does
    things. `released`: called when the last of them has released it."""

    __slots__ = ("_holders", "_released")

    def __init__(self, released: Callable[[], None]) -> None:
        self._released = released
        self._holders = 1

    def retain(self) -> bool:
        """One holder more; False if it was released already."""
        if self._holders == 0:
            return False
        self._holders += 1
        return True

    def release(self) -> None:
        self._holders -= 1
        if self._holders == 0:
            self._released()


class Trace:
    """A request: made by the edge, filled by the gate. `tenant_id` and `allowance` are known once the caller is;
    `trace_id` (32 hexadecimal digits) only while traces are sent. `streams`: the answer goes on for as long as its
    reader likes, so what counts as its time is that until it began. `headers`: further ones of whatever is answered;
    `embeddable`: other sites may show it in a frame. `https`: the client came
    by HTTPS. `permit`: its place among those of its tenant."""

    __slots__ = (
        "allowance",
        "embeddable",
        "headers",
        "https",
        "permit",
        "request_id",
        "streams",
        "tenant_id",
        "trace_id",
    )

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.tenant_id: str | None = None
        self.trace_id: str | None = None
        self.allowance: Allowance | None = None
        self.streams = False
        self.embeddable = self.https = False
        self.headers: tuple[tuple[bytes, bytes], ...] = ()
        self.permit: Permit | None = None

    def release(self) -> None:
        """Give the permit back, if it has one."""
        permit, self.permit = self.permit, None
        if permit is not None:
            permit.release()

    @property
    def owner(self) -> str:
        """Who the work is done for: a tenant, or all visitors without a key together."""
        return self.tenant_id or VISITORS

    @property
    def fields(self) -> dict[str, object]:
        """As every line that is logged meanwhile carries them."""
        return {"requestId": self.request_id, "tenantId": self.tenant_id, "traceId": self.trace_id}


class Attempt:
    """One try of a job. `outcome` is known once the transaction that ends or puts back the job was committed."""

    __slots__ = ("job", "outcome", "trace_id")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.outcome: str | None = None
        self.trace_id: str | None = None

    @property
    def owner(self) -> str:
        """The tenant that the job is done for."""
        return self.job.tenant_id

    @property
    def fields(self) -> dict[str, object]:
        """As every line that is logged meanwhile carries them."""
        job = self.job
        return {"jobId": job.id, "kind": job.kind.value, "tenantId": job.tenant_id, "traceId": self.trace_id}


CURRENT: Final[ContextVar[Trace | Attempt | None]] = ContextVar("contentgen_current", default=None)
"""Tasks and threads started meanwhile inherit it. The object, not a copy of it: a tenant that becomes known later is
known there, too."""


def put_trace(scope: dict[str, Any], trace: Trace) -> None:
    scope[_KEY] = trace


def trace_of(scope: Mapping[str, Any]) -> Trace:
    trace = scope[_KEY]
    assert isinstance(trace, Trace)
    return trace
