"""Traces: what the rest of the program sees of them. Nothing of OpenTelemetry is loaded unless they are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final, Literal, Protocol

from contentgen_core.model.job import Job

Value = str | int | float | bool
Kind = Literal["internal", "server", "client", "producer", "consumer"]
Headers = Iterable[tuple[bytes, bytes]]

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""OpenTelemetry's own variables; its SDK reads them and the others of its specification."""


class Span(Protocol):
    """One timed step. What it notes holds no text of a user, a prompt or a model."""

    @property
    def trace_id(self) -> str | None: ...

    def rename(self, name: str) -> None: ...

    def note(self, **values: Value) -> None:
        """Attributes; a double underscore stands for a dot."""
        ...

    def fail(self, kind: str) -> None:
        """It went wrong: the kind of the error, never its words."""
        ...


class _Nothing(AbstractContextManager[Span]):
    @property
    def trace_id(self) -> str | None:
        return None

    def rename(self, name: str) -> None:
        pass

    def note(self, **values: Value) -> None:
        pass

    def fail(self, kind: str) -> None:
        pass

    def __enter__(self) -> Span:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass


_NOTHING: Final[AbstractContextManager[Span]] = _Nothing()


class Tracing:
    """Traces that are not sent: everything here does nothing."""

    on = False

    def span(self, name: str, kind: Kind = "internal", **values: Value) -> AbstractContextManager[Span]:
        """A step within the present one; an exception that leaves it makes it one that failed."""
        return _NOTHING

    def request(self, headers: Headers, method: str) -> AbstractContextManager[Span]:
        """A request, in the trace that its W3C `traceparent` names, else in a new one."""
        return _NOTHING

    def attempt(self, job: Job) -> AbstractContextManager[Span]:
        """One try of a job, in the trace of that job."""
        return _NOTHING

    def enqueued(self, job: Job) -> None:
        """Show in the present trace where that of the job is."""

    def within(self) -> bool:
        """Whether a step is under way that is to be seen."""
        return False

    def close(self) -> None:
        """Send what is left. Waits two seconds at most."""


def open_tracing(environ: Mapping[str, str], version: str) -> Tracing:
    """Traces as the environment asks for them: sent where OTEL_EXPORTER_OTLP_ENDPOINT is set."""
    if not any(environ.get(name) for name in ENDPOINTS) or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return Tracing()
    from contentgen_http.telemetry.spans import OtlpTracing

    return OtlpTracing(environ, version)
