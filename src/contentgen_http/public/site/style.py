"""The style of the public pages, in the site's colours, and the policy that allows it alone."""

from __future__ import annotations

from functools import cache
from importlib import resources

from contentgen_core.model.site import DARK_GROUND, LIGHT_GROUND, Site
from contentgen_core.policies.text.hash_source import hash_source


@cache
def style(site: Site) -> str:
    """The style sheet, which stands in each page."""
    light = f":root{{color-scheme:light dark;--ground:{LIGHT_GROUND};--accent:{site.colour}}}"
    dark = f":root{{--ground:{DARK_GROUND};--accent:{site.dark_colour}}}"
    rules = resources.files(__package__).joinpath("site.css").read_text("utf-8")
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}{rules}"


@cache
def policy(site: Site) -> str:
    """The Content-Security-Policy: no scripts, this style, pictures of articles, and forms that ask this host."""
    return (
        f"default-src 'none'; style-src {hash_source(style(site))}; img-src 'self' http: https: data:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
