"""A receiver of webhooks on a real port, which verifies what it gets with the reference library."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from attrs import define, field
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

SECRET: Final = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="


@define
class Receiver:
    """`secret`: what messages must be signed with. `messages`: what came and was verified, by webhook-id in the order
    of coming. `status`: what it answers to a verified message."""

    host: str = ""
    secret: str = SECRET
    status: int = 200
    messages: list[tuple[str, dict[str, Any]]] = field(factory=list)

    @property
    def url(self) -> str:
        return f"http://{self.host}/hooks"

    def of_type(self, type: str) -> list[dict[str, Any]]:
        return [message["data"] for _, message in self.messages if message["type"] == type]

    def answer(self, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, Any]]:
        try:
            Webhook(self.secret).verify(body, headers)
        except WebhookVerificationError as error:
            return 401, {"message": f"the signature is wrong: {error}"}
        message = json.loads(body)
        if self.status == 200:
            self.messages.append((headers["webhook-id"], message))
        slug = message.get("data", {}).get("slug", "test")
        return self.status, {"id": slug, "url": f"https://blog.example.org/{slug}"}


@contextmanager
def a_receiver() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = receiver.answer({name.lower(): value for name, value in self.headers.items()}, body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Tests say what went wrong."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.host = f"127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
