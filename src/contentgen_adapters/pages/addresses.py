"""The address under which a page is kept: where it was found, without what tells its readers apart."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from contentgen_adapters.shared.text.tracking import without_tracking

_SAME_SITE_PREFIX: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")


def bare_address(url: str) -> str:
    """An address without tracking parameters and fragment; the rest stays as it is, in its order."""
    parts = urlsplit(url)
    query = without_tracking(parts.query)
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", query, ""))


def address_of_page(fetched: str, canonical: str | None) -> str:
    """The address a page was fetched from, or the one it names as its own if that is one of the same site. Another
    site's would have us cite somebody for what they did not say; a site's root is a common mistake on its pages."""
    if canonical:
        there, here = urlsplit(canonical), urlsplit(fetched)
        try:
            same_port = there.port == here.port or {there.scheme, here.scheme} == {"http", "https"}
        except ValueError:
            same_port = False
        same_site = _site(there.hostname) == _site(here.hostname) and same_port and there.username is None
        if same_site and (there.path not in ("", "/") or here.path in ("", "/")):
            return bare_address(canonical)
    return bare_address(fetched)


def _site(host: str | None) -> str:
    return _SAME_SITE_PREFIX.sub("", (host or "").lower().removesuffix("."))
