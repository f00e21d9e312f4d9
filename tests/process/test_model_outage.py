"""A model that is away for some seconds, in front of a real service."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from tests.process.articles import problem, started, statuses, used
from tests.process.service import Service, data_directory, free_port, until
from tests.support.model_server import ModelServer

ARTICLES = 8
AWAY_SECONDS = 6.0


def article(client: httpx.Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/writer/generation-status/{id}").json()["article"]
    return found


@pytest.mark.parametrize("how", ["refused", "500", "429"])
def test_articles_wait_for_a_model_and_pay_for_no_part_twice(how: str) -> None:
    with data_directory() as data_dir:
        model = ModelServer(port=free_port())
        listening = how != "refused"
        environment = {
            "CONTENTGEN_CONTENT_MODEL": "openai",
            "CONTENTGEN_OPENAI_BASE_URL": f"http://127.0.0.1:{model.port}/v1",
        }
        if listening:
            answer = (500, {}) if how == "500" else (429, {"Retry-After": "2"})
            model.failing = lambda call: answer
            model.__enter__()
        service = Service(data_dir, environment, options=("--workers", "1", "--job-workers", "2"))
        try:
            service.start()
            with service.client() as client:
                ids = started(client, ARTICLES)
                time.sleep(AWAY_SECONDS)
                wait = until(lambda: article(client, ids[0]).get("waitingFor"), 30, lambda: article(client, ids[0]))
                assert wait["reason"].startswith("OpenAI: ")
                assert article(client, ids[0])["status"] == "generating"
                body = {"agentKey": "home-energy-GB", "topic": "Heat pumps in older houses", "language": "en"}
                began = time.monotonic()
                refusal = client.post("/writer/generate-plan", json=body)
                assert problem(refusal, 503)["code"] == "provider_failed"
                assert 1 <= int(refusal.headers["Retry-After"]) <= 300
                assert time.monotonic() - began < 15
                model.failing = lambda call: None
                if not listening:
                    model.__enter__()
                    listening = True
                until(lambda: set(statuses(client).values()) == {"generated"}, 60, lambda: statuses(client))
                assert used(client) == ARTICLES
                answered = [call.work for call in model.calls if call.kind == "section"]
                if how == "refused":
                    assert len(answered) == len(set(answered))
                assert "waitingFor" not in article(client, ids[0])
                assert service.log().count("the model is away") <= 1
        finally:
            service.close()
            if listening:
                model.__exit__()
