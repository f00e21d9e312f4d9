"""What clients ask for while faults happen, each with a key by which they may repeat it until it is accepted."""

from __future__ import annotations

import io
import zipfile
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

import httpx
from attrs import define

from tests.process.articles import topics
from tests.process.web import sentences

SOURCES: Final = topics(200)
AGENTS: Final = ("cybersecurite-pme-FR", "cybersecurite-pme-BE")
"""Those that are run by hand; the others write by their schedule."""


@define
class Ask(ABC):
    """`number`: of all asks of a campaign, so that no two are alike. `id`: of what was accepted. `tries`: how often it
    was sent. `refused`: what kept it from being accepted for good. `withdrawn`: the same is under way already.

    `rows`: the query for (id, status, reason) of what such asks make; none where the answer is all. `ends`: the states
    in which it has ended; "failed" beside. `gives_way`: whether a 409 is such a reason to withdraw."""

    number: int
    run: str
    id: str = ""
    tries: int = 0
    refused: str = ""
    kind: ClassVar[str]
    rows: ClassVar[str] = ""
    ends: ClassVar[frozenset[str]] = frozenset()
    gives_way: ClassVar[bool] = False
    withdrawn: bool = False

    @property
    def name(self) -> str:
        return f"{self.kind} {self.run} {self.number}"

    @property
    def key(self) -> dict[str, str]:
        return {"Idempotency-Key": self.name.replace(" ", "-")}

    @property
    def settled(self) -> bool:
        """Nothing more is to be sent."""
        return bool(self.id or self.refused or self.withdrawn)

    def send(self, client: httpx.Client) -> None:
        """Once. Raises httpx.HTTPError."""
        self.tries += 1
        answer = self.request(client)
        if answer.status_code == 200:
            self.id = self.id_in(answer.json())
        elif answer.status_code == 409 and self.gives_way:
            self.withdrawn = True
        elif answer.status_code not in (429, 503):
            self.refused = f"{answer.status_code} {answer.text[:300]}"

    @abstractmethod
    def request(self, client: httpx.Client) -> httpx.Response: ...

    @abstractmethod
    def id_in(self, answer: dict[str, Any]) -> str: ...


@define
class WriteArticle(Ask):
    kind = "article"
    rows = "SELECT id, status, coalesce(error, '') FROM articles"
    ends = frozenset({"generated", "published"})

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
    rows = "SELECT id, record->>'status', coalesce(record->>'error', '') FROM translations"
    ends = frozenset({"completed"})

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"text": f"A **heat pump** is quiet, says {self.name}.", "targetLanguage": "fr"}
        return client.post("/translate", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["translationId"])


@define
class AddDocument(Ask):
    """A repetition is a 409 for the file that is there, so it is found by its title."""

    kind = "document"
    rows = "SELECT id, status, coalesce(record->>'error', '') FROM private_documents"
    ends = frozenset({"ready"})

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
    rows = "SELECT id, record->>'status', coalesce(record->>'error', '') FROM publications WHERE article_id IS NULL"
    ends = frozenset({"published", "unknown"})
    integration: ClassVar[str] = ""

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"title": self.name, "content": "Heat *moves*."}
        return client.post(f"/integrations/{self.integration}/publish", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["publication"]["id"])


@define
class TranslateArticle(TranslateText):
    """Makes an article of its own. Its status is the translation's."""

    original: ClassVar[str] = ""
    gives_way = True  # one language at a time

    def request(self, client: httpx.Client) -> httpx.Response:
        return client.post(f"/writer/{self.original}/translate", json={"targetLanguage": "fr"}, headers=self.key)


@define
class Enrich(Ask):
    kind = "enrichment"
    rows = "SELECT id, record->>'status', coalesce(record->>'error', '') FROM enrichments"
    ends = frozenset({"completed"})
    topic: ClassVar[Any] = None  # from a number to a topic of which the web has pages

    def request(self, client: httpx.Client) -> httpx.Response:
        body = {"agentKey": "home-energy-GB", "topic": type(self).topic(self.number)}
        return client.post("/writer/enrich-kb-topic", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["taskId"])


@define
class RunAgent(Ask):
    """An agent runs once at a time: who asks meanwhile gets a 409 and leaves it."""

    kind = "run"
    rows = "SELECT id, status, coalesce(record->>'errors', '') FROM executions WHERE fire_at IS NULL"
    ends = frozenset({"completed"})
    gives_way = True

    def request(self, client: httpx.Client) -> httpx.Response:
        agent = AGENTS[self.number % len(AGENTS)]
        body = {"articles": 1, "autopublish": True}
        return client.post(f"/agents/{agent}/execute", json=body, headers=self.key)

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["executionId"])


@define
class Invite(Ask):
    """Asking again renews the invitation, and its former mail may be on its way."""

    kind = "invitation"
    rows = "SELECT id, delivery, coalesce(delivery_error, '') FROM invitations"
    ends = frozenset({"sent"})

    def request(self, client: httpx.Client) -> httpx.Response:
        email = f"{self.name.replace(' ', '.')}@example.org"
        return client.post("/team/invite", json={"email": email, "role": "viewer"})

    def id_in(self, answer: dict[str, Any]) -> str:
        return str(answer["id"])


@define
class CoverTopics(Ask):
    """One for a niche: asking while it is computed is the same one."""

    kind = "coverage"
    rows = "SELECT area, record->>'status', coalesce(record->>'error', '') FROM topic_coverages"
    ends = frozenset({"ready"})
    niche: ClassVar[str] = "home-energy"

    def request(self, client: httpx.Client) -> httpx.Response:
        return client.post("/seo/topic-coverage", params={"nicheKey": self.niche})

    def id_in(self, answer: dict[str, Any]) -> str:
        return self.niche


@define
class FindImage(Ask):
    kind = "image"
    article: ClassVar[str] = ""

    def request(self, client: httpx.Client) -> httpx.Response:
        return client.post(f"/writer/{self.article}/auto-image", params={"force": "true"})

    def id_in(self, answer: dict[str, Any]) -> str:
        return "found" if answer["success"] else ""


@define
class Export(Ask):
    kind = "export"
    article: ClassVar[str] = ""

    def request(self, client: httpx.Client) -> httpx.Response:
        answer = client.get(f"/writer/{self.article}/export-pdf", params={"format": "docx"})
        if answer.status_code == 200 and zipfile.ZipFile(io.BytesIO(answer.content)).testzip() is None:
            return httpx.Response(200, json={})
        return answer

    def id_in(self, answer: dict[str, Any]) -> str:
        return "whole"


KINDS: Final[tuple[type[Ask], ...]] = (
    WriteArticle, WriteArticle, WriteArticle, TranslateText, TranslateArticle, AddDocument, Publish, Publish, Enrich,
    RunAgent, Invite, CoverTopics, FindImage, Export,
)  # fmt: skip
"""Some more often than others."""
ROWS: Final = {kind.kind: kind for kind in KINDS if kind.rows}
