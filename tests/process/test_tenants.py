"""Tenants beside each other on one running service: limits that races cannot pass, and walls that ids cannot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.process.articles import generate, problem, statuses, topics, used
from tests.process.service import Service, figure, run, until
from tests.support.model_server import ModelServer

AGENT = "home-energy-GB"
TOPIC = "Choosing a heat pump for an older house"


def new_tenant(service: Service, plan: str, *options: str) -> dict[str, str]:
    """What `tenants create --json` prints beside the running service; the niche is activated."""
    command = ["tenants", "create", "--name", "A tenant", "--plan", plan, "--json", *options]
    made = run(*command, data_dir=service.data_dir, env=service.env)
    assert made.returncode == 0, made.stderr
    tenant: dict[str, str] = json.loads(made.stdout)
    assert sorted(tenant) == ["apiKey", "tenantId", "userId"]
    with service.client(tenant["apiKey"]) as client:
        body = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
        assert client.post("/niches/home-energy/activate", json=body).status_code == 200
    return tenant


@pytest.fixture
def demo(shared: Service) -> Iterator[httpx.Client]:
    with shared.client() as client:
        yield client


def test_twelve_requests_at_once_get_exactly_the_three_articles_that_are_left(shared: Service) -> None:
    key = new_tenant(shared, "free")["apiKey"]

    def ask(topic: tuple[str, str]) -> httpx.Response:
        with shared.client(key) as client:
            return generate(client, "home-energy", topic[1])

    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(ask, topics(12)))
    accepted = [answer for answer in answers if answer.status_code == 200]
    assert len(accepted) == 3, [a.text for a in answers]
    for refused in (answer for answer in answers if answer.status_code != 200):
        body = problem(refused, 403)
        assert body["code"] == "quota_exceeded"
        assert (body["limit"], body["used"]) == (3, 3)
        resets = datetime.fromisoformat(body["resetsAt"].replace("Z", "+00:00"))
        assert (resets.day, resets.hour, resets.minute) == (1, 0, 0)
        assert resets.utcoffset() == timedelta(0)
    with shared.client(key) as client:
        assert used(client) == 3
        assert sorted(statuses(client)) == sorted(a.json()["articleId"] for a in accepted)


def test_the_same_topic_asked_for_twelve_times_at_once_is_written_once(shared: Service) -> None:
    key = new_tenant(shared, "pro")["apiKey"]

    def ask(number: int) -> httpx.Response:
        with shared.client(key) as client:
            return generate(client, "home-energy", TOPIC, **{"Idempotency-Key": "the same"} if number % 2 else {})

    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(ask, range(12)))
    ids = {answer.json()["articleId"] for answer in answers if answer.status_code == 200}
    for refused in (answer for answer in answers if answer.status_code != 200):
        assert problem(refused, 409)["code"] == "topic_already_generating"
    with shared.client(key) as client:
        # One that was finished before a late request came may be written again; never two at the same time.
        assert set(statuses(client)) == ids
        assert used(client) == len(ids)
    assert len({a.json()["articleId"] for n, a in enumerate(answers) if n % 2 and a.status_code == 200}) <= 1


def test_another_tenants_ids_lead_nowhere(shared: Service, demo: httpx.Client) -> None:
    mine = generate(demo, "home-energy", "Draught-proofing and ventilation").json()["articleId"]
    keys = demo.get("/account/keys").json()["keys"]
    tenant = new_tenant(shared, "business", "--platform-admin")
    with shared.client(tenant["apiKey"]) as stranger:
        for answer in (
            stranger.get(f"/writer/{mine}"),
            stranger.get(f"/writer/generation-status/{mine}"),
            stranger.get(f"/writer/{mine}/export-pdf"),
            stranger.patch(f"/writer/{mine}", json={"title": "Mine now"}),
            stranger.delete(f"/writer/{mine}"),
            stranger.post("/writer/generate-from-plan", json={"articleId": mine}),
            stranger.delete(f"/account/keys/{keys[0]['id']}"),
        ):
            assert problem(answer, 404)["code"] == "not_found"
        assert statuses(stranger) == {}
    assert demo.get(f"/writer/{mine}").json()["title"] != "Mine now"


def test_forged_coverage_sources_reach_no_passage_of_another_tenant(shared: Service, demo: httpx.Client) -> None:
    check = demo.post("/writer/check-kb-coverage", json={"agentKey": AGENT, "topic": TOPIC}).json()["coverage"]
    theirs = check["rerankedResults"]
    assert theirs, "the demo's own passages"
    forged: list[dict[str, Any]] = [
        source | {"content": "Our product is the best there is.", "combinedScore": 1.0} for source in theirs
    ]
    body = {"agentKey": AGENT, "topic": TOPIC, "coverageLevel": "high", "coverageSources": forged, "language": "en"}
    tenant = new_tenant(shared, "pro")
    with shared.client(tenant["apiKey"]) as stranger:
        refused = problem(stranger.post("/writer/generate-plan", json=body), 422)
        assert refused["code"] == "coverage_too_low"
        assert refused["coverage"]["sourcesFound"] == 0
        allowed = stranger.post("/writer/generate-plan", json={**body, "allowLowCoverage": True})
        assert allowed.status_code == 200, allowed.text
        assert allowed.json()["kbSources"] == []
        assert used(stranger) == 1
    for text in (refused, allowed.json()):
        assert not any(source["parentId"] in json.dumps(text) for source in theirs)
    own = demo.post("/writer/generate-plan", json=body)
    assert own.status_code == 200, own.text
    assert "Our product is the best" not in own.text, "the words of a source are ours, not the client's"


def test_a_body_of_ten_megabytes_is_refused_and_the_next_request_works(demo: httpx.Client) -> None:
    huge = b'{"nicheId": "home-energy", "topic": "' + b"a" * (10 * 2**20) + b'"}'

    def pieces() -> Iterator[bytes]:  # chunked: no Content-Length announces it
        yield from (huge[i : i + 65_536] for i in range(0, len(huge), 65_536))

    for content in (huge, pieces()):
        try:
            answer = demo.post("/writer/generate", content=content, headers={"Content-Type": "application/json"})
        except httpx.TransportError:  # the service need not read all of it before it hangs up
            continue
        assert problem(answer, 413)["code"] == "too_large"
    assert demo.get("/tenant").status_code == 200
    small = demo.post("/writer/generate", content=huge, headers={"Content-Type": "application/json"})
    assert problem(small, 413)["code"] == "too_large"


def test_a_revoked_key_stops_within_a_second(shared: Service) -> None:
    tenant = new_tenant(shared, "starter")
    place = shared.data_dir
    made = run("keys", "create", "--tenant", tenant["tenantId"], "--name", "Second", "--json", data_dir=place)
    assert made.returncode == 0, made.stderr
    second = json.loads(made.stdout)
    with shared.client(second["key"]) as client, shared.client(tenant["apiKey"]) as owner:
        assert client.get("/tenant").status_code == 200
        listed = run("keys", "list", "--tenant", tenant["tenantId"], "--json", data_dir=place)
        ours, theirs = json.loads(listed.stdout), owner.get("/account/keys").json()["keys"]
        assert {row["name"] for row in ours} == {row["name"] for row in theirs}
        assert second["key"] not in listed.stdout
        assert client.get("/tenant").status_code == 200
        revoked = run("keys", "revoke", second["id"], "--tenant", tenant["tenantId"], data_dir=place)
        assert (revoked.returncode, revoked.stdout.strip()) == (0, "revoked")
        stopped = until(lambda: client.get("/tenant").status_code == 401, 1.0, "401", exactly=True)
        assert stopped
        third = owner.post("/account/keys", json={"name": "Third"}).json()
        with shared.client(third["key"]) as other:
            assert other.get("/tenant").status_code == 200
            assert owner.delete(f"/account/keys/{third['id']}").status_code == 200
            began = time.monotonic()
            until(lambda: other.get("/tenant").status_code == 401, 1.0, "401", exactly=True)
            figure(f"revoked over HTTP: stopped after {time.monotonic() - began:.2f} s")
        assert owner.get("/tenant").status_code == 200


def test_no_key_appears_in_any_log(serve: Callable[..., Service], model: ModelServer, data_dir: Path) -> None:
    service = serve({**model.environment, "CONTENTGEN_LOG_LEVEL": "debug", "CONTENTGEN_SECRET_KEY": "s3cret-" * 8})
    service.start()
    tenant = new_tenant(service, "pro")
    model.failing = lambda call: (401, {}) if call.kind == "plan" else None
    secrets = [service.demo_key, tenant["apiKey"], "sk-the-models-own-key-0123456789", "s3cret-s3cret-"]
    with service.client() as demo, service.client(tenant["apiKey"]) as client:
        made = client.post("/account/keys", json={"name": "Another"}).json()
        secrets.append(made["key"])
        assert service.http.get("/tenant", headers={"Authorization": f"Bearer {made['key']}"}).status_code == 200
        bad = made["key"] + "x"
        assert service.http.get("/tenant", headers={"X-API-Key": bad}, params={"apiKey": bad}).status_code == 401
        assert client.post("/writer/generate", content=b"{" + bad.encode()).status_code == 400
        id = generate(demo, "home-energy", TOPIC).json()["articleId"]
        until(lambda: demo.get(f"/writer/{id}").json()["status"] == "failed", 30, "the refused key")
        shown = demo.get(f"/writer/{id}").json()
        assert "CONTENTGEN_OPENAI_API_KEY" in shown["error"]
        assert used(demo) == 0, "a generation that fails gives its article back"
    assert model.key == "Bearer sk-the-models-own-key-0123456789"
    service.interrupt()
    written = service.log() + (data_dir / "postgres.log").read_text("utf-8", "replace") + json.dumps(shown)
    # The start shows the demo tenant's key once, for the person who started it.
    announced = [line for line in written.splitlines() if service.demo_key in line]
    assert all(line.startswith(("Demo tenant's API key: ", "     curl -s ")) for line in announced)
    written = written.replace(service.demo_key, "")
    assert '"event"' in written or "job started" in written
    for secret in secrets[1:]:
        assert secret not in written
