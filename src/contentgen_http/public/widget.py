"""The list of trends for frames on other sites: a self-contained page without scripts."""

from __future__ import annotations

from html import escape
from typing import Final, Literal

from contentgen_core.model.trend import Trend
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.text.hash_source import hash_source
from contentgen_core.use_cases.public.read_public import ShownTrends
from contentgen_http.public.radar_picture import COLOURS

Theme = Literal["auto", "light", "dark"]

_LIGHT: Final = "--ink:#1c2024;--faint:#60646c;--ground:#fff;--line:#e0e3e8;--link:#0b4f8a"
_DARK: Final = "--ink:#e8eaed;--faint:#a0a4ab;--ground:#17191c;--line:#3a3f45;--link:#8ab8ff"
_COLOURS: Final = {
    "light": f":root{{color-scheme:light;{_LIGHT}}}",
    "dark": f":root{{color-scheme:dark;{_DARK}}}",
    "auto": f":root{{color-scheme:light dark;{_LIGHT}}}@media (prefers-color-scheme:dark){{:root{{{_DARK}}}}}",
}
_KINDS: Final = "".join(f".{kind.value}{{background:{colour}}}" for kind, colour in COLOURS.items())
_LAYOUT: Final = (
    "body{margin:0;padding:.75rem;font:15px/1.4 system-ui,'Noto Sans',sans-serif;color:var(--ink);"
    "background:var(--ground)}h1{font-size:1rem;margin:0 0 .5rem}ol{list-style:none;margin:0;padding:0}"
    "li{display:flex;gap:.6rem;padding:.5rem 0;border-top:1px solid var(--line)}"
    "a{color:var(--link);overflow-wrap:anywhere}small{display:block;color:var(--faint);overflow-wrap:anywhere}"
    ".score{flex:none;width:2.2rem;height:1.5rem;line-height:1.5rem;border-radius:.75rem;text-align:center;"
    f"font-size:.8rem;font-weight:700;color:#fff}}{_KINDS}"
)
_STYLES: Final[dict[str, str]] = {theme: colours + _LAYOUT for theme, colours in _COLOURS.items()}


def policy(theme: Theme) -> str:
    """The Content-Security-Policy: any site may frame it; only its own inline styles are allowed."""
    return (
        f"default-src 'none'; style-src {hash_source(_STYLES[theme])}; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors *"
    )


def page(shown: ShownTrends, theme: Theme) -> str:
    entries = "\n".join(_entry(trend, shown.names[trend.niche_key]) for trend in shown.page.trends)
    content = f"<ol>\n{entries}\n</ol>" if entries else "<p>There are no trends yet.</p>"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Trends</title>
<style>{_STYLES[theme]}</style>
</head>
<body>
<main>
<h1>Trends</h1>
{content}
</main>
</body>
</html>
"""


def _entry(trend: Trend, niche_name: str) -> str:
    newest = trend.sources[0] if trend.sources else None
    address = newest.url if newest and is_web_address(newest.url) else None
    title = escape(trend.title)
    if address:
        title = f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer nofollow">{title}</a>'
    details = " · ".join([niche_name, *((newest.publisher,) if newest else ()), *(("sample",) if trend.sample else ())])
    return (
        f'<li><span class="score {trend.category.value}" title="{trend.category.value}, score">{trend.score:.0f}</span>'
        f'<span lang="{trend.language.value}" dir="auto">{title}<small>{escape(details)}</small></span></li>'
    )
