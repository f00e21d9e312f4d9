"""Events from a running service to a receiver on this machine, through kills and a receiver that is away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.process.receiver import Receiver, a_receiver
from tests.process.service import Service, run, until

EDITS = 12


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with a_receiver() as made:
        yield made


def webhook(client: httpx.Client, receiver: Receiver, **changes: Any) -> dict[str, Any]:
    body = {"name": "Ours", "url": receiver.url, **changes}
    answer = client.post("/webhooks", json=body)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def edited(client: httpx.Client, article: str, number: int) -> None:
    assert client.patch(f"/writer/{article}", json={"title": f"Title {number}"}).status_code == 200


def test_each_event_arrives_through_kills_and_while_the_receiver_is_away(
    serve: Callable[..., Service], receiver: Receiver
) -> None:
    service = serve({"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": receiver.host})
    service.start()
    with service.client() as client:
        made = webhook(client, receiver)
        receiver.secret = made["secret"]
        path = f"/webhooks/{made['id']}"
        assert client.post(f"{path}/test").json()["status"] == 200
        topic = "Sizing a heat pump for a house"
        article = client.post("/writer/generate", json={"nicheId": "home-energy", "topic": topic}).json()["articleId"]
        until(lambda: len(receiver.of_type("article.generated")) == 1, 30, "no event")
        assert receiver.of_type("article.generated")[0]["articleId"] == article
        receiver.status = 503
        for number in range(EDITS):
            edited(client, article, number)
            if number % 4 == 3:
                service.kill()
                service.start()
        receiver.status = 200
        until(lambda: len(receiver.of_type("article.updated")) >= 1, 30, "nothing was tried again")
        service.kill()
        service.start()
        waiting = client.get(f"{path}/deliveries?state=waiting&limit=100").json()["deliveries"]
        for delivery in waiting:
            assert client.post(f"{path}/deliveries/{delivery['messageId']}/replay").status_code == 200
        ids = {d["messageId"] for d in client.get(f"{path}/deliveries?limit=100").json()["deliveries"]}
        assert len(ids) == EDITS + 1
        until(lambda: {id for id, _ in receiver.messages} >= ids, 90, "not all have arrived")
        until(
            lambda: not client.get(f"{path}/deliveries?state=waiting").json()["deliveries"], 90, "not all are settled"
        )
        assert "contentgen_webhook_deliveries_due 0.0" in client.get("/metrics").text
        tenant = client.get("/account").json()["tenant"]["id"]
    most = Counter(id for id, _ in receiver.messages).most_common(1)[0][1]
    assert most <= 6, "one was sent again and again"
    assert receiver.secret not in service.log()
    for arguments, said in (
        (["list"], receiver.url),
        (["deliveries", made["id"]], "article.updated  delivered"),
        (["replay", made["id"], "--all"], f"{EDITS + 1} messages are sent again"),
    ):
        done = run("webhooks", *arguments, "--tenant", tenant, data_dir=service.data_dir, env=service.env)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
