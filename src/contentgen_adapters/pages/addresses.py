"""The address under which a page is stored: without fragment and tracking parameters."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from contentgen_adapters.shared.text.tracking import strip_tracking

_SAME_SITE_PREFIX: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")


def address_of_page(fetched: str, canonical: str | None) -> str:
    """The address to cite a page by: its canonical one if that is on the same site, else the one it was fetched from.

    A canonical address on another site would attribute the text to that site. A canonical address that is the site's
    root is ignored as well: it is a common mistake in page templates.
    """
    if canonical:
        there, here = urlsplit(canonical), urlsplit(fetched)
        try:
            same_port = there.port == here.port or {there.scheme, here.scheme} == {"http", "https"}
        except ValueError:
            same_port = False
        same_site = _site(there.hostname) == _site(here.hostname) and same_port and there.username is None
        if same_site and (there.path not in ("", "/") or here.path in ("", "/")):
            return strip_tracking(canonical)
    return strip_tracking(fetched)


def _site(host: str | None) -> str:
    return _SAME_SITE_PREFIX.sub("", (host or "").lower().removesuffix("."))
