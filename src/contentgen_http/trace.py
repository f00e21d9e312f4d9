"""What is known of a request while it is under way: made by the edge, filled by the gate, read for log and headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from contentgen_core.ports.counters import Allowance

_KEY: Final = "contentgen.trace"


class Trace:
    """`tenant_id` and `allowance` are known once the caller is. `streams`: the answer goes on for as long as its reader
    likes, so what counts as its time is that until it began."""

    __slots__ = ("allowance", "request_id", "streams", "tenant_id")

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.tenant_id: str | None = None
        self.allowance: Allowance | None = None
        self.streams = False


def put_trace(scope: dict[str, Any], trace: Trace) -> None:
    scope[_KEY] = trace


def trace_of(scope: Mapping[str, Any]) -> Trace:
    trace = scope[_KEY]
    assert isinstance(trace, Trace)
    return trace
