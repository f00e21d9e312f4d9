"""The page of a form that the server refuses before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from contentgen_http.console.pages.knowledge.adding import MAX_SENT, MB
from contentgen_http.console.rendering import environment
from contentgen_http.console.texts import texts_in
from contentgen_http.console.visit import language_of


def refused_page(
    status: HTTPStatus, address: str, headers: Sequence[tuple[bytes, bytes]], request_id: str
) -> str | None:
    """What a browser shows of it; None for what no page of the console sent. `address`: its path; `headers`: of the
    request, in lower case."""
    accepted = b"".join(value for name, value in headers if name == b"accept")
    if b"text/html" not in accepted or not address.startswith("/console"):
        return None
    texts = texts_in(language_of(headers))
    too_large = status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    text = texts("error-form-too-large", most=MAX_SENT // MB) if too_large else texts("error-request")
    return environment(texts.language).get_template("error.html").render(
        t=texts, person=None, path=address, note="", text=text, typed="", request_id=request_id
    )  # fmt: skip
