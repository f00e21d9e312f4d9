"""The pages behind links in mails about trends. Opening one has no effect, since mail scanners open links too; a button
in a form without scripts has."""

from __future__ import annotations

from html import escape
from typing import Final

from contentgen_core.policies.text.hash_source import hash_source

_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;"
    "padding:0 1.5rem;color:#1c2024;background:#fff}h1{font-size:1.4rem}button{font:inherit;padding:.5rem 1.2rem;"
    "border:0;border-radius:6px;color:#fff;background:#0b5ed7;cursor:pointer}"
    "@media (prefers-color-scheme:dark){body{color:#e8eaed;background:#17191c}}"
)
POLICY: Final = (
    f"default-src 'none'; style-src {hash_source(_STYLE)}; img-src data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def _page(title: str, text: str, button: str | None = None) -> str:
    form = f'<form method="post"><button>{escape(button)}</button></form>' if button else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p>{escape(text)}</p>
{form}
</main>
</body>
</html>
"""


CONFIRM: Final = _page(
    "Trends by email", "You get at most one email a day and can unsubscribe at any time.", "Subscribe"
)
CONFIRMED: Final = _page("You are subscribed", "You will get an email about the next trend that reaches your score.")
END: Final = _page(
    "Unsubscribe", "You will get no more emails about trends, and your address is deleted.", "Unsubscribe"
)
ENDED: Final = _page("You are unsubscribed", "Your address is deleted.")
INVALID: Final = _page(
    "This link is not valid", "It is incomplete or older than two days. Subscribe again to get a new one."
)
