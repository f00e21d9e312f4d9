"""What a client does with articles, over HTTP."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import httpx

NICHE_OF_LANGUAGE = {"en": "home-energy", "fr": "cybersecurite-pme"}
ENDED = {"generated", "failed"}


def topics(count: int) -> list[tuple[str, str]]:
    """(niche, topic) that the demo's sources carry, each topic once, from both niches in turn."""
    titles = {
        niche: [json.loads(line)["title"] for line in _demo(f"{niche}.jsonl")] for niche in NICHE_OF_LANGUAGE.values()
    }
    pairs = [pair for both in zip(*([(n, t) for t in ts] for n, ts in titles.items()), strict=False) for pair in both]
    again = [(niche, f"{topic} ({n})") for n in range(2, 9) for niche, topic in pairs]
    return [*pairs, *again][:count]


def _demo(name: str) -> list[str]:
    return resources.files("contentgen_http").joinpath("demo", name).read_text("utf-8").splitlines()


def generate(client: httpx.Client, niche: str, topic: str, **headers: str) -> httpx.Response:
    return client.post("/writer/generate", json={"nicheId": niche, "topic": topic}, headers=headers)


def started(client: httpx.Client, count: int) -> list[str]:
    """Ids of so many articles that are being written from now on."""
    answers = [generate(client, niche, topic) for niche, topic in topics(count)]
    assert [answer.status_code for answer in answers] == [200] * count, [a.text for a in answers]
    return [answer.json()["articleId"] for answer in answers]


def statuses(client: httpx.Client) -> dict[str, str]:
    """The status of each article of the tenant, by its id."""
    answer = client.get("/articles", params={"limit": 100})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    found = {article["id"]: article["status"] for article in body["articles"]}
    assert body["total"] == len(found)
    return found


def used(client: httpx.Client, quota: str = "articles") -> int:
    answer = client.get("/tenant/quotas")
    assert answer.status_code == 200, answer.text
    number: int = answer.json()[quota]["used"]
    return number


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The error that an answer carries, as every error of the service is told."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == status
    assert body["requestId"]
    assert body["code"]
    return body
