"""A schedule that fires in real processes: once, however many there are, and through a kill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.process.articles import used
from tests.process.gates import kill, restart
from tests.process.service import Service, connect, until
from tests.support.model_server import ModelServer

NICHE = "home-energy"
AGENTS = ("home-energy-GB", "home-energy-US")
DAILY: dict[str, Any] = {
    "enabled": True, "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "hour": 4, "minute": 5,
    "timeZone": "Europe/London", "articlesPerRun": 2, "autopublish": True,
}  # fmt: skip


def scheduled(client: httpx.Client) -> dict[str, Any]:
    answer = client.patch(f"/niches/{NICHE}/article-schedule", json=DAILY)
    assert answer.status_code == 200, answer.text
    schedule: dict[str, Any] = answer.json()
    return schedule


def make_due(service: Service) -> None:
    """As if the time of the next run had come a second ago."""
    with connect(service.data_dir) as database:
        database.execute("UPDATE article_schedules SET next_fire_at = now() - interval '1 second'")


def runs(client: httpx.Client) -> list[dict[str, Any]]:
    """Of the demo's agents."""
    found: list[dict[str, Any]] = []
    for agent in AGENTS:
        answer = client.get(f"/agents/{agent}/executions")
        assert answer.status_code == 200, answer.text
        found += answer.json()["executions"]
    return found


def ended(client: httpx.Client, each: int) -> list[dict[str, Any]]:
    """The runs, so many of each agent, once they have ended."""
    count = each * len(AGENTS)
    until(lambda: sum("completedAt" in run for run in runs(client)) >= count, 90, lambda: runs(client))
    assert len(runs(client)) == count
    return runs(client)


def compute_topics(client: httpx.Client) -> None:
    path = f"/seo/topic-coverage?nicheKey={NICHE}"
    assert client.post(path).status_code == 200
    until(lambda: client.get(path).json()["status"] == "ready", 60, lambda: client.get(path).text)


def test_two_processes_fire_a_schedule_once_and_publish_what_it_has_written(serve: Callable[..., Service]) -> None:
    first, second = serve(), serve()
    first.start()
    second.start()
    with first.client() as client:
        planned = scheduled(client)["nextRunAt"]
        for number in (1, 2):
            make_due(first)
            for run in ended(client, number):
                assert (run["trigger"], run["status"], run["errors"]) == ("schedule", "completed", [])
                assert len(run["articles"]) == 2
            path = f"/niches/{NICHE}/article-schedule"
            assert client.get(path).json()["nextRunAt"] == planned
        ids = [article["articleId"] for run in runs(client) for article in run["articles"]]
        assert len(ids) == len(set(ids)) == used(client) == 8
        for id in ids:
            until(lambda id=id: client.get(f"/writer/{id}").json()["status"] == "published", 30, id)
    assert "Traceback" not in first.log() + second.log()


def test_a_run_whose_process_is_killed_ends_with_the_articles_it_was_to_have(
    serve: Callable[..., Service], model: ModelServer
) -> None:
    service = serve(model.environment)
    service.start()
    with service.client() as client:
        compute_topics(client)
        scheduled(client)
        model.delay = 0.5
        make_due(service)
        until(lambda: sum(len(run["articles"]) for run in runs(client)) >= 2, 30, lambda: runs(client))
    restart(service, kill(service))
    with service.client() as client:
        for run in ended(client, 1):
            assert (run["status"], run["errors"], len(run["articles"])) == ("completed", [], 2)
        assert used(client) == client.get("/articles").json()["total"] == 4
    assert "Traceback" not in service.log()
