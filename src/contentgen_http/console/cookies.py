"""The cookies of the console."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import Cookie

from contentgen_http.console.visit import AnyVisit, session_cookie_name

SESSION_SECONDS: Final = 60 * 24 * 3600


def private_cookie(request: AnyVisit, name: str, value: str, seconds: int, *, path: str = "/console") -> Cookie:
    """Sent to the console alone, never to other sites' requests, and never read by a script."""
    return Cookie(
        key=name,
        value=value,
        path=path,
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=request.scope.get("scheme") == "https",
    )


def session_cookie(request: AnyVisit, token: str, seconds: int) -> Cookie:
    """The cookie that holds a session; with no `seconds` it ends there."""
    return private_cookie(request, session_cookie_name(request.scope), token, seconds)
