"""A web on this machine that is searched and read, and what stands on its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from attrs import define, field

from tests.support.web_server import WebServer, Write, answer

SEARCH = "/search"
_TOWNS = (
    "Oldport",
    "Merrow",
    "Quintham",
    "Vellby",
    "Sarnford",
    "Tolwick",
    "Ebberton",
    "Ludcombe",
    "Priswell",
    "Hexley",
)
_THINGS = (
    *("compressor", "fan", "casing", "hedge", "fence", "wall", "window", "terrace", "bracket", "footing", "pipe"),
    *("duct", "valve", "sensor", "panel", "meter", "cellar", "stair", "gutter", "gable", "porch", "driveway"),
    *("bedroom", "kitchen", "workshop", "chimney", "boundary", "courtyard", "lawn", "path"),
)
_VERBS = ("reaches", "passes", "leaves", "disturbs", "crosses", "meets", "shakes", "covers", "follows", "touches")
_ADJECTIVES = ("narrow", "quiet", "wooden", "older", "concrete", "shared", "northern", "sheltered", "raised", "open")


def topic(number: int) -> str:
    """A topic of the niche home-energy that no other number has."""
    return f"Heat pump noise limits in {_TOWNS[number % 10]} number {number}"


def text(about: str, seed: str, sections: int = 3) -> str:
    """The inner HTML of an article that keeps to its topic; no two seeds say the same."""
    random = Random(seed)
    parts = []
    for number in range(sections):
        paragraph = " ".join(_sentence(about, random) for _ in range(6))
        parts.append(f"<h2>Finding {number + 1} by {random.randint(1_000, 9_999)}</h2><p>{paragraph}</p>")
    return "".join(parts)


def sentences(about: str, seed: str, count: int) -> list[str]:
    random = Random(seed)
    return [_sentence(about, random) for _ in range(count)]


def _sentence(about: str, random: Random) -> str:
    one, other, third = random.sample(_THINGS, 3)
    quality, verb = random.choice(_ADJECTIVES), random.choice(_VERBS)
    return (
        f"{about}: the {quality} {one} {verb} the {other} at {random.randint(20, 60)} decibels, and the {third} "
        f"{random.choice(_VERBS)} {random.randint(2, 99)} metres of it."
    )


def page(title: str, inner: str) -> bytes:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><main><article><h1>{title}</h1>{inner}</article></main></body></html>"
    ).encode()


@define
class Web:
    """`held`: the topics whose search, and the paths whose pages, are not answered while they are in it."""

    server: WebServer
    held: set[str] = field(factory=set)
    searched: list[str] = field(factory=list)
    _found: dict[str, list[str]] = field(factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a service that searches and reads this web."""
        return {
            "CONTENTGEN_SERPER_API_KEY": "the-key-of-the-search",
            "CONTENTGEN_SERPER_BASE_URL": self.server.url(""),
            "CONTENTGEN_ALLOWED_PRIVATE_HOSTS": self.server.host,
        }

    def finds(self, about: str, addresses: Sequence[str]) -> None:
        """What a search for a topic answers from now on; without it, nothing."""
        self._found[about] = list(addresses)

    def good(self, path: str, about: str) -> str:
        """An honest page on a topic; its address."""
        body = page(f"On {about} {path}", text(about, path))

        def respond(write: Write, server: WebServer) -> None:
            self._wait(path)
            write(answer(body, content_type="text/html"))

        return self.server.serve(path, respond)

    def covers(self, number: int, pages: int = 3) -> str:
        """Give a topic so many good pages; the topic."""
        about = topic(number)
        self.finds(about, [self.good(f"/{number}/{place}", about) for place in range(pages)])
        return about

    def _wait(self, what: str) -> None:
        while what in self.held:
            self.server.pause(0.02)

    def _search(self, body: bytes) -> bytes:
        asked: dict[str, Any] = json.loads(body)
        self.searched.append(asked["q"])
        self._wait(asked["q"])
        organic = [{"title": url, "link": url, "snippet": "…"} for url in self._found.get(asked["q"], [])]
        found = {"searchParameters": asked, "organic": organic}
        return answer(json.dumps(found).encode(), content_type="application/json")


@contextmanager
def a_web() -> Iterator[Web]:
    with WebServer() as server:
        web = Web(server)
        server.take(SEARCH, web._search)
        yield web
