"""A picture on the web that stand-ins of services hand out."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import HTTP

import httpx
from attrs import frozen

PNG = b"\x89PNG\r\n\x1a\n" + b"picture" * 10
HOST = "example.com"


def picture(request: httpx.Request) -> httpx.Response:
    if "authorization" in request.headers:
        return httpx.Response(500, text="a stranger's server was sent credentials")
    match request.url.path:
        case "/hero.jpg":
            return httpx.Response(200, content=PNG, headers={"Content-Type": "image/jpeg"})  # servers are wrong, too
        case "/moved.png":
            return httpx.Response(302, headers={"Location": "/hero.jpg"})
        case "/around.png":
            return httpx.Response(302, headers={"Location": "/around.png"})
        case "/page.png":
            return httpx.Response(200, text="<html>Not a picture</html>")
        case "/large.png":
            return httpx.Response(200, content=PNG + b"0" * (10 * 1024 * 1024))
        case "/gone-for-now.png":
            raise httpx.ConnectError("connection refused", request=request)
        case _:
            return httpx.Response(404, text="not found")


@frozen
class Part:
    """Of a form with files."""

    content: bytes
    type: str
    filename: str | None


def form_of(request: httpx.Request) -> dict[str, Part]:
    """A form with files, by the names of its fields. Raises KeyError for a request of another type."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    message = message_from_bytes(head + request.content, policy=HTTP)
    assert isinstance(message, EmailMessage)
    return {
        str(part.get_param("name", header="content-disposition")): Part(
            bytes(part.get_payload(decode=True) or b""), part.get_content_type(), part.get_filename()
        )
        for part in message.iter_parts()
    }
