"""A picture on the web that stand-ins of services hand out."""

from __future__ import annotations

import httpx

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
        case _:
            return httpx.Response(404, text="not found")
