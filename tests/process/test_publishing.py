"""Publishing from a running service to a receiver on this machine: its secrets outlive a change of the keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.process.receiver import SECRET, Receiver, a_receiver
from tests.process.service import Service, connect, run


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with a_receiver() as made:
        yield made


def connected(client: httpx.Client, receiver: Receiver) -> dict[str, Any]:
    body = {
        "provider": "webhook",
        "name": "Ours",
        "credentials": {"url": receiver.url, "secret": SECRET},
    }
    answer = client.post("/integrations", json=body)
    assert answer.status_code == 200, answer.text
    integration: dict[str, Any] = answer.json()["integration"]
    return integration


def published(client: httpx.Client, integration: dict[str, Any], title: str) -> dict[str, Any]:
    body = {"title": title, "content": "Heat *moves*."}
    answer = client.post(f"/integrations/{integration['id']}/publish", json=body)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    assert body["success"] is True, body
    return body


def rotated(service: Service, *options: str) -> dict[str, Any]:
    done = run("secrets", "rotate", "--json", *options, data_dir=service.data_dir, env=service.env)
    assert done.returncode == 0, done.stderr
    body: dict[str, Any] = json.loads(done.stdout)
    return body


def sealed(data_dir: Path) -> str:
    with connect(data_dir) as database:
        [(record,)] = database.execute("SELECT record::text FROM integrations").fetchall()
    return str(record)


def test_keys_change_beside_a_running_service_and_the_next_post_is_signed_as_before(
    serve: Callable[..., Service], receiver: Receiver
) -> None:
    service = serve({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": receiver.host})
    service.start()
    key_file = service.data_dir / "sealing.key"
    with service.client() as client:
        integration = connected(client, receiver)
        published(client, integration, "Before")
        first, stored = key_file.read_text(), sealed(service.data_dir)
        assert SECRET not in stored
        assert rotated(service) == {"sealedAnew": 1, "current": 0, "unreadable": []}
        assert key_file.stat().st_mode & 0o777 == 0o600
        assert sealed(service.data_dir) != stored
        published(client, integration, "After a change")
        assert rotated(service, "--forget-old")["sealedAnew"] == 1
        assert first.strip() not in key_file.read_text()
        published(client, integration, "After another, the old key forgotten")
        assert client.post(f"/integrations/{integration['id']}/test").json()["success"] is True
        seen = client.get(f"/integrations/{integration['id']}").json()
    assert (seen["health"], seen["secretsSet"]) == ("connected", ["secret"])
    assert [data["title"] for data in receiver.of_type("article.published")] == [
        "Before",
        "After a change",
        "After another, the old key forgotten",
    ]
    assert SECRET not in service.log()
    assert SECRET.removeprefix("whsec_") not in service.log()
