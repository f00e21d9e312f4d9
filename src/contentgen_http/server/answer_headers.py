"""The id that a request has, and the headers of every answer."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Iterable
from typing import Final

from contentgen_http.telemetry.context import Trace

_SANE_ID: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:\-]{0,99}")
# Other sites learn no address of ours. With `no-referrer` browsers would send forms as from nowhere (Origin: null).
_EMBEDDABLE: Final = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"same-origin"))
_ALWAYS: Final = (*_EMBEDDABLE, (b"x-frame-options", b"DENY"))
_HTTPS_ALONE: Final = (b"strict-transport-security", b"max-age=31536000")
_PRIVATE: Final = (b"cache-control", b"no-store")


def request_id_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """What the client calls its request, by lower-case names of headers; else a new one."""
    for name, value in headers:
        if name == b"x-request-id" and _SANE_ID.fullmatch(value):
            return value.decode("ascii")
    return secrets.token_hex(12)


def headers_of(trace: Trace) -> list[tuple[bytes, bytes]]:
    """Those that come after an answer's own."""
    always = _EMBEDDABLE if trace.embeddable else _ALWAYS
    headers = [(b"x-request-id", trace.request_id.encode("ascii")), *always, *trace.headers]
    if trace.https:
        headers.append(_HTTPS_ALONE)
    allowance = trace.allowance
    if allowance is not None:
        headers += (
            (b"ratelimit-limit", b"%d" % allowance.limit),
            (b"ratelimit-remaining", b"%d" % allowance.remaining),
            (b"ratelimit-reset", b"%d" % math.ceil(allowance.reset_after)),
            _PRIVATE,
        )
    return headers
