"""Clients that ask for work, and repeat it until it is accepted."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from attrs import define, field

from tests.chaos import asks
from tests.chaos.asks import KINDS, Ask
from tests.chaos.world import World
from tests.process.articles import generate, topics
from tests.process.service import until


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

    def standing(self) -> list[Ask]:
        """What was asked for and not withdrawn."""
        return [ask for ask in self.asks if not ask.withdrawn]

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


def furnish(world: World) -> None:
    """What the asks need: a target, an article that is translated, exported and illustrated, topics for agents, and a
    schedule, which comes due when the campaign says so."""
    web = world.peers.web
    asks.Enrich.topic = staticmethod(lambda number: web.covers(number))
    with world.database() as database:
        database.execute("UPDATE users SET platform_admin = true")
        database.execute("UPDATE tenants SET plan = 'business'")  # more of each than a round asks for by any chance
    with world.client() as client:

        def done(answer: httpx.Response) -> dict[str, Any]:
            assert answer.status_code == 200, answer.text
            body: dict[str, Any] = answer.json()
            return body

        body = {"provider": "wordpress", "name": "Blog", "credentials": world.peers.blog.credentials}
        asks.Publish.integration = done(client.post("/integrations", json=body))["integration"]["id"]
        id = done(generate(client, *topics(1)[0]))["articleId"]
        until(lambda: done(client.get(f"/writer/{id}"))["status"] == "generated", 60, world.logs)
        done(client.patch(f"/writer/{id}", json={"status": "published"}))
        asks.TranslateArticle.original = asks.FindImage.article = asks.Export.article = id
        for niche in ("home-energy", "cybersecurite-pme"):
            done(client.post("/seo/topic-coverage", params={"nicheKey": niche}))
        done(client.patch("/niches/home-energy/article-schedule", json=_DAILY))
    until(lambda: not _busy(world), 60, world.logs)


_DAILY: dict[str, Any] = {
    "enabled": True, "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "hour": 4, "minute": 5,
    "timeZone": "Europe/London", "articlesPerRun": 1, "autopublish": True,
}  # fmt: skip


def make_schedule_due(world: World) -> None:
    """As if the time of the next run had come a second ago."""
    with world.database() as database:
        database.execute("UPDATE article_schedules SET next_fire_at = now() - interval '1 second'")


def _busy(world: World) -> bool:
    with world.database() as database:
        return database.execute("SELECT 1 FROM jobs WHERE state IN ('queued', 'running')").fetchone() is not None
