"""A receiver of traces over OTLP/HTTP on a real port, which decodes what it is sent."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from attrs import define, field, frozen
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@frozen
class Seen:
    """A span. Ids in hexadecimal digits; `links`: (trace, span)."""

    name: str
    kind: int
    trace_id: str
    span_id: str
    parent: str
    attributes: dict[str, Any]
    resource: dict[str, Any]
    failed: bool
    events: int
    links: list[tuple[str, str]]


@define
class OtlpReceiver:
    """Receives traces. `status`: of its answers. `raw`: the bodies as they came, unpacked."""

    status: int = 200
    spans: list[Seen] = field(factory=list)
    raw: list[bytes] = field(factory=list)
    _http: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()

    @property
    def endpoint(self) -> str:
        assert self._http is not None
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def named(self, name: str) -> list[Seen]:
        return [span for span in list(self.spans) if span.name == name]

    def take(self, path: str, body: bytes) -> None:
        assert path == "/v1/traces", path
        self.raw.append(body)
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            resource = _values(group.resource.attributes)
            for scope in group.scope_spans:
                for span in scope.spans:
                    self.spans.append(
                        Seen(
                            span.name,
                            span.kind,
                            span.trace_id.hex(),
                            span.span_id.hex(),
                            span.parent_span_id.hex(),
                            _values(span.attributes),
                            resource,
                            span.status.code == 2,
                            len(span.events),
                            [(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
                        )
                    )


def _values(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


def _handler(receiver: OtlpReceiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            if receiver.status == 200:
                receiver.take(self.path, body)
            self.send_response(receiver.status)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Tests say what went wrong."""

    return Handler
