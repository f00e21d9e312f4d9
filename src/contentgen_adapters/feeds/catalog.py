"""The feeds to read: the starter set, or the list in the operator's file."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.trend import TrendCategory

MAX_FILE: Final = 1_000_000
MAX_FEEDS: Final = 100
"""Per niche."""


@frozen
class Feed:
    """A feed of a niche. `category`: of the sources found in it."""

    niche_key: str
    category: TrendCategory
    url: str


@cache
def starter_feeds(niches: tuple[str, ...]) -> tuple[Feed, ...]:
    """Well-known public feeds. `niches`: keys of all preconfigured niches."""
    return parse_feeds(resources.files(__package__).joinpath("starter.toml").read_text("utf-8"), niches)


def read_feeds(path: Path, niches: Collection[str]) -> tuple[Feed, ...]:
    """The feeds of an operator's TOML file, see `parse_feeds`. Raises ValueError, whose text explains the mistake."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as exc:
        raise ValueError(f"{path} cannot be read ({exc.strerror})") from exc
    if len(data) > MAX_FILE:
        raise ValueError(f"{path} is larger than {MAX_FILE:,} bytes")
    try:
        return parse_feeds(data.decode("utf-8"), niches)
    except ValueError as exc:
        raise ValueError(f"{path}: {exc}") from exc


def parse_feeds(text: str, niches: Collection[str]) -> tuple[Feed, ...]:
    """The feeds of a TOML text: one table per niche key, in it one list of addresses per category.

    `niches`: the keys that are allowed. Raises ValueError.
    """
    feeds: list[Feed] = []
    for niche_key, table in tomllib.loads(text).items():
        if niche_key not in niches:
            raise ValueError(f"{niche_key!r} is no preconfigured niche: one of {', '.join(sorted(niches))}")
        if not isinstance(table, dict):
            raise ValueError(f"[{niche_key}] is to be a table of categories")
        of_niche = [feed for name, urls in table.items() for feed in _feeds(niche_key, name, urls)]
        if len(of_niche) > MAX_FEEDS:
            raise ValueError(f"[{niche_key}] has more than {MAX_FEEDS} feeds")
        feeds += of_niche
    return tuple(feeds)


def _feeds(niche_key: str, name: str, urls: object) -> list[Feed]:
    if name not in TrendCategory._value2member_map_:
        raise ValueError(f"{name!r} in [{niche_key}] is no category: one of {', '.join(TrendCategory)}")
    if not isinstance(urls, list):
        raise ValueError(f"{name} in [{niche_key}] is to be a list of addresses")
    for url in urls:
        if not isinstance(url, str) or web_address(url) is None:
            raise ValueError(f"{url!r} in [{niche_key}] is no http(s) address")
    return [Feed(niche_key, TrendCategory(name), url.strip()) for url in urls]
