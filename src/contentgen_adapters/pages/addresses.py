"""The address under which a page is kept: where it was found, without what tells its readers apart."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

# Parameters of newsletters, advertisements and shares that select no content. Narrow on purpose: `source`, `ref` or
# `id` do select content on some sites.
_TRACKING: Final = re.compile(
    r"utm_\w+|(?:g|fb|ms|dc|tw|yc|ys|tt|wbra|gbra|li_fat_|epi)cl(?:k)?id|gclsrc|gbraid|wbraid|dclid|li_fat_id|igshid|igsh"
    r"|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|__hs(?:sc|tc|fp)|hsctatracking|vero_(?:id|conv)|oly_(?:anon|enc)_id|_openstat|yclid"
    r"|ymclid|_ga|_gl|pk_(?:campaign|kwd|source|medium)|mtm_\w+|matomo_\w+|piwik_\w+|s_cid|wickedid|srsltid|fb_(?:action|ref"
    r"|source)\w*|spm|scm|share_id|ncid|cmpid",
    re.IGNORECASE,
)
_SAME_SITE_PREFIX: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")


def without_tracking(url: str) -> str:
    """An address without tracking parameters and fragment; the rest stays as it is, in its order."""
    parts = urlsplit(url)
    kept = [piece for piece in parts.query.split("&") if not _TRACKING.fullmatch(piece.partition("=")[0])]
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", "&".join(kept), ""))


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
            return without_tracking(canonical)
    return without_tracking(fetched)


def _site(host: str | None) -> str:
    return _SAME_SITE_PREFIX.sub("", (host or "").lower().removesuffix("."))
