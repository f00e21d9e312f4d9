"""Find out what a Strapi token may do, which version answers, and which fields exist, without making an entry.

Strapi looks at rights first and at the body afterwards. So a body without `data` is refused as invalid (400) to whoever
may write, and as forbidden (403) to whoever may not. It checks the names in `fields` and `populate` against the content
type, whether there are entries or not.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import httpx

from contentgen_core.ports.publishing import PublishFailed, Refusal

_NAME: Final = "strapi"
_NO_ENTRY: Final = {True: "a" * 24, False: "0"}
"""An id that no entry has, in Strapi 5 and 4."""

Call = Callable[..., Awaitable[httpx.Response]]


async def check_rights(call: Call, path: str, plural: str, *, five: bool) -> None:
    """Whether the token may create and change (and so publish) entries. Raises PublishFailed, with PERMISSION for one
    that may not."""
    asked: tuple[tuple[str, str, str, dict[str, str]], ...] = (
        ("create", "POST", path, {}),
        ("update", "PUT", f"{path}/{_NO_ENTRY[five]}", {"status": "published"} if five else {}),
    )
    for right, method, address, params in asked:
        try:
            await call(method, address, params=params, json={})
        except PublishFailed as error:
            if error.refusal is Refusal.PERMISSION:
                message = f"this token may not {right} entries of {plural}. Give it find, findOne, create and update"
                raise PublishFailed(_NAME, message, Refusal.PERMISSION) from error.__cause__
            if error.refusal not in (Refusal.INVALID, Refusal.GONE):
                raise


async def check_version(call: Call, path: str, *, five: bool) -> None:
    """Whether Strapi answers as the chosen version: 5 alone has a field `documentId`. Raises PublishFailed."""
    has_document_ids = await _accepts(call, path, {"fields[0]": "documentId"})
    if has_document_ids is five:
        return
    message = "this is Strapi 4: choose that version" if five else "this is Strapi 5: choose that version"
    if not five:
        message += " (if it is a Strapi older than 4.13, make one entry first)"
    raise PublishFailed(_NAME, message, Refusal.INVALID)


async def missing_fields(call: Call, path: str, plain: Sequence[str], related: Sequence[str]) -> list[str]:
    """Return the mapped fields that the content type does not have. `plain`: texts, numbers and JSON; `related`: media
    and relations. Raises PublishFailed.
    """
    missing = [name for name in plain if not await _accepts(call, path, {"fields[0]": name})]
    return missing + [name for name in related if not await _accepts(call, path, {"populate[0]": name})]


async def _accepts(call: Call, path: str, params: dict[str, Any]) -> bool:
    try:
        await call("GET", path, params={"pagination[pageSize]": 1, **params})
    except PublishFailed as error:
        if error.refusal is Refusal.INVALID:
            return False
        raise
    return True
