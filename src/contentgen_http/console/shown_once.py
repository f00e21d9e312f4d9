"""What is shown once, such as a new key: it waits sealed in the browser that asked for it, for the page that shows it.
That page is read by its address, so that loading it again neither shows it twice nor makes another one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from litestar import Response

from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_http.console.cookies import private_cookie
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, cookie

COOKIE: Final = "contentgen_once"
SECONDS: Final = 120


def to_once(request: Visit, box: SecretBox, address: str, said: Mapping[str, str]) -> Response[Any]:
    """On to the page at `address`, which shows once what is `said`, by names."""
    answer = to(address)
    sealed = box.seal(json.dumps(dict(said), ensure_ascii=False), _purpose(request, address))
    keep(request, answer, sealed, address)
    return answer


def keep(request: Visit, answer: Response[Any], sealed: str, address: str) -> None:
    """Leave in the browser what the page at `address` shows once."""
    answer.set_cookie(private_cookie(request, COOKIE, sealed, SECONDS, path=address))


def said_once(request: Visit, box: SecretBox) -> dict[str, str]:
    """What the page that is asked for shows this once, by names; nothing where there is nothing (any more)."""
    sealed = cookie(request.scope, COOKIE)
    if not sealed:
        return {}
    try:
        said: dict[str, str] = json.loads(box.open(sealed, _purpose(request, request.scope["path"])))
    except SecretUnreadable:  # of another page, or of a session before this one
        return {}
    return said


def forget(request: Visit, answer: Response[Any]) -> None:
    """Take back what an answer has shown."""
    answer.delete_cookie(COOKIE, path=request.scope["path"])


def _purpose(request: Visit, address: str) -> str:
    return f"shown once {request.user.session.digest} {address}"
