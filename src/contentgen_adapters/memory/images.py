"""A picture service of a few pictures, searched by their words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from contentgen_core.ports.images import MAX_QUERY, Picture, PictureQuery

_WORD: Final = re.compile(r"\w+")


class MemoryImages:
    """An ImageSearch over `pictures`: the first one whose `alt` has every word of the query. `used`: the pictures that
    it was told of."""

    def __init__(self, pictures: Iterable[Picture] = (), provider: str = "memory") -> None:
        self._pictures = tuple(pictures)
        self._provider = provider
        self.used: list[Picture] = []
        self.queries: list[PictureQuery] = []

    @property
    def provider(self) -> str:
        return self._provider

    async def find(self, query: PictureQuery) -> Picture | None:
        self.queries.append(query)
        words = set(_WORD.findall(query.text[:MAX_QUERY].casefold()))
        for picture in self._pictures:
            if words and picture.address != query.other_than and words <= _words(picture):
                return picture
        return None

    def report_use(self, picture: Picture) -> None:
        self.used.append(picture)


def _words(picture: Picture) -> set[str]:
    return set(_WORD.findall((picture.alt or "").casefold()))
