"""Tracking parameters of addresses.

A short list of our own: those of common URL cleaners include `id`, `source`, `ref`, `session` or `gallery`, which
select the page on many sites, so that two pages would get one address."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote_plus, urlsplit, urlunsplit

_NAMES: Final = frozenset(
    [
        "gclid",
        "gclsrc",
        "dclid",
        "gbraid",
        "wbraid",
        "gad_source",
        "srsltid",
        "fbclid",
        "msclkid",
        "yclid",
        "ymclid",
        "ysclid",
        "twclid",
        "ttclid",
        "epik",
        "wickedid",
        "li_fat_id",
        "igsh",
        "igshid",
        "mc_cid",
        "mc_eid",
        "mkt_tok",
        "_hsenc",
        "_hsmi",
        "hsctatracking",
        "_ga",
        "_gl",
        "_openstat",
        "vero_id",
        "vero_conv",
        "oly_enc_id",
        "oly_anon_id",
        "wt_mc",
        "ref_src",
        "s_cid",
        "spm",
        "scm",
        "share_id",
        "ncid",
        "cmpid",
    ]
)
_PREFIXES: Final = ("utm_", "mtm_", "matomo_", "piwik_", "pk_", "hsa_", "__hs", "fb_action", "fb_ref", "fb_source")


def without_tracking(query: str) -> str:
    """A query string without tracking parameters; the others are unchanged and keep their order."""
    return "&".join(piece for piece in query.split("&") if piece and not _tracks(piece))


def strip_tracking(url: str) -> str:
    """Return an address without tracking parameters and fragment; the other parameters keep their order."""
    parts = urlsplit(url)
    query = without_tracking(parts.query)
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", query, ""))


def _tracks(piece: str) -> bool:
    name = unquote_plus(piece.partition("=")[0]).lower()
    return name in _NAMES or name.startswith(_PREFIXES)
