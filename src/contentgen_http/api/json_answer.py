"""Successful responses: a wire struct as JSON."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Response
from litestar.types import ASGIApp, Receive, Scope, Send

_JSON: Final = (b"content-type", b"application/json")


class JsonAnswer(Response[Any]):
    """The response for a struct that an operation returns. Litestar's own class merges headers and cookies of all
    layers for each response, which takes a fifth of the time of a list; there are none here."""

    def __init__(self, content: Any, **_: object) -> None:
        self.content = content

    def to_asgi_response(self, *_args: object, **_kwargs: object) -> ASGIApp:  # type: ignore[override]
        return _sender(msgspec.json.encode(self.content))


def _sender(body: bytes) -> ASGIApp:
    async def send_body(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [_JSON, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return send_body
