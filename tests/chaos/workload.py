"""What clients ask for while faults happen, each with a key by which they may repeat it until it is accepted."""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

import httpx
from attrs import define, field

from tests.chaos.world import World
from tests.process.articles import topics
from tests.process.web import sentences

AGENT: Final = "home-energy-GB"
SOURCES: Final = topics(200)
DONE: Final = frozenset({"generated", "published", "ready", "completed"})


@define
class Ask(ABC):
    """`number`: of all asks of a campaign, so that no two are alike. `id`: of what was accepted. `tries`: how often it
    was sent. `refused`: what kept it from being accepted for good."""

    number: int
    run: str
    id: str = ""
    tries: int = 0
    refused: str = ""
    kind: ClassVar[str]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.run} {self.number}"

    @property
    def key(self) -> dict[str, str]:
        return {"Idempotency-Key": self.name.replace(" ", "-")}

    @property
    def settled(self) -> bool:
        """Nothing more is to be sent."""
        return bool(self.id or self.refused)

    def send(self, client: httpx.Client) -> None:
        """Once. Raises httpx.HTTPError."""
        self.tries += 1
        answer = self.request(client)
        if answer.status_code == 200:
            self.id = self.id_in(answer.json())
        elif answer.status_code not in (429, 503):
            self.refused = f"{answer.status_code} {answer.text[:300]}"

    @abstractmethod
    def request(self, client: httpx.Client) -> httpx.Response: ...

    @abstractmethod
    def id_in(self, answer: dict[str, Any]) -> str: ...


@define
class WriteArticle(Ask):
    kind = "article"

    @property
    def topic(self) -> str:
        return f"{SOURCES[self.number % len(SOURCES)][1]} ({self.run} {self.number})"

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"nicheId": SOURCES[self.number % len(SOURCES)][0], "topic": self.topic}
        return client.post("/writer/generate", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["articleId"])


@define
class TranslateText(Ask):
    kind = "translation"

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"text": f"A **heat pump** is quiet, says {self.name}.", "targetLanguage": "fr"}
        return client.post("/translate", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["translationId"])


@define
class AddDocument(Ask):
    """A repetition is a 409 for the file that is there, so it is found by its title."""

    kind = "document"

    def request(self, client: httpx.Client) -> httpx.Response:
        text = "\n\n".join(sentences(f"The heat store {self.name}", self.name, 12))
        answer = client.post("/documents/upload", files={"file": (f"{self.name}.md", text.encode(), "text/markdown")})
        if answer.status_code != 409:
            return answer
        listed = client.get("/documents", params={"limit": 100})
        if listed.status_code != 200:
            return listed
        mine = [document for document in listed.json()["documents"] if document["title"] == self.name]
        return httpx.Response(200, json=mine[0]) if mine else answer

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["id"])


@define
class Publish(Ask):
    kind = "publication"
    integration: ClassVar[str] = ""

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"title": self.name, "content": "Heat *moves*."}
        return client.post(f"/integrations/{Publish.integration}/publish", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["publication"]["id"])


KINDS: Final[tuple[type[Ask], ...]] = (WriteArticle, TranslateText, AddDocument, Publish)


@define
class Workload:
    """Sends what it is told to ask for, from a few threads as clients do, and repeats it until it is accepted."""

    world: World
    asks: list[Ask] = field(factory=list)
    slowest: float = 0.0
    _stop: threading.Event = field(factory=threading.Event)

    def ask(self, number: int, run: str, chance: random.Random) -> Ask:
        made = chance.choice(KINDS)(number, run)
        self.asks.append(made)
        return made

    @contextmanager
    def running(self, clients: int = 4) -> Iterator[None]:
        self._stop.clear()
        threads = [threading.Thread(target=self._send, args=(place, clients)) for place in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(60)

    def all_sent(self) -> bool:
        return all(ask.settled for ask in list(self.asks))

    def _send(self, place: int, clients: int) -> None:
        with self.world.client() as client:
            while not self._stop.wait(0.1):
                for ask in [ask for ask in self.asks[place::clients] if not ask.settled]:
                    began = time.monotonic()
                    try:
                        ask.send(client)
                    except httpx.HTTPError:  # the service was killed
                        continue
                    self.slowest = max(self.slowest, time.monotonic() - began)
                    if self._stop.wait(0.02):
                        return


def connect_blog(world: World) -> None:
    """Make the target that posts are published to."""
    body = {"provider": "wordpress", "name": "Blog", "credentials": world.peers.blog.credentials}
    with world.client() as client:
        answer = client.post("/integrations", json=body)
    assert answer.status_code == 200, answer.text
    Publish.integration = answer.json()["integration"]["id"]
