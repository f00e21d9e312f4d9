"""Free articles from a link: their topic, the least length of a page, and the key of a visitor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final
from urllib.parse import urlsplit

from contentgen_core.errors import InvalidInput
from contentgen_core.policies.tenancy.client_networks import client_network
from contentgen_core.policies.text.truncation import truncate_at_word
from contentgen_core.policies.topics.validation import check_topic

MIN_WORDS: Final = 150
"""Words of a page from which a short article (300 to 600 words) can be grounded without repetition."""
MAX_TOPIC: Final = 200
MIN_TOPIC: Final = 3

# `Title | Site`: these two hardly ever stand within a title. The others do, so there the site's name has to match the
# host.
_SITE_SEPARATOR: Final = re.compile(r"\s+[|·]\s+")
_POSSIBLE_SITE_SEPARATOR: Final = re.compile(r"\s+[–—-]\s+|\s*::\s*")
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_SIGNS: Final = re.compile(r"[\W_]+")
_MAX_TITLE: Final = 1_000


def topic_of_page(url: str, title: str, text: str) -> str | None:
    """The topic of a page: its title without the site's name, else the whole title, its first heading or its first
    line. Pages are untrusted: a candidate that `check_topic` refuses is skipped. None when none is left."""
    for candidate in _candidates(url, title, text):
        try:
            return check_topic(truncate_at_word(candidate, MAX_TOPIC), min_length=MIN_TOPIC, max_length=MAX_TOPIC)
        except InvalidInput:
            continue
    return None


def _candidates(url: str, title: str, text: str) -> Iterator[str]:
    title = " ".join(title[:_MAX_TITLE].split())
    if title:
        yield _without_site(url, title)
        yield title
    heading = _HEADING.search(text)
    if heading:
        yield heading[1]
    yield next((line for line in text.splitlines() if line.strip()), "")


def _without_site(url: str, title: str) -> str:
    first, *others = _SITE_SEPARATOR.split(title)
    if others and first.strip():
        return first
    *before, last = _POSSIBLE_SITE_SEPARATOR.split(title)
    if before and before[0].strip() and _names_site(url, last):
        return title[: title.rindex(last)].rstrip(" –—-:")
    return title


def _names_site(url: str, text: str) -> bool:
    host, name = urlsplit(url).hostname or "", _SIGNS.sub("", text).casefold()
    labels = [_SIGNS.sub("", label) for label in host.removeprefix("www.").split(".")[:-1]]
    return bool(name) and any(len(label) > 2 and (label in name or name in label) for label in labels)


def visitor_key(address: str, day: date) -> str:
    """The text that identifies a visitor on a day, from which the caller makes a keyed digest; the day makes it another
    one tomorrow. An IPv6 address counts by its network, since a customer has any number of addresses in it."""
    # With a NUL, so that no client can have it hashed as an API key.
    return f"\0free article of {client_network(address)} on {day:%Y-%m-%d}"
