"""What must hold for messages to a receiver that verifies them with the reference library of Standard Webhooks."""

from __future__ import annotations

import base64
import time
from datetime import timedelta
from typing import Final

from attrs import frozen

from tests.live.faults import Place
from tests.live.faulty_proxy import FaultyProxy
from tests.live.product import Product, now
from tests.live.receiver import SECRET, Message, Receiver
from tests.live.small_http import Request

CONTENT: Final = "Heat pumps *move* heat. „Wärme“ 🌡\n"


@frozen
class Hook:
    product: Product
    receiver: Receiver
    proxy: FaultyProxy
    id: str

    def place(self) -> Place:
        return Place("the webhook", self.product, self.proxy, self.id, _creates, self.count)

    async def count(self, title: str) -> int:
        return len(self.receiver.of_title(title))

    def one(self, title: str) -> Message:
        [message] = self.receiver.of_title(title)
        return message


def credentials(proxy: FaultyProxy) -> dict[str, str]:
    return {"url": f"{proxy.address}/hook", "secret": SECRET}


def _creates(request: Request) -> bool:
    return b'"type":"article.' in request.body


async def the_connection_is_tested_with_a_signed_message(hook: Hook) -> None:
    assert await hook.product.tested(hook.id) == "The webhook took a signed test message."
    assert hook.receiver.deliveries[-1].payload["type"] == "webhook.test"


async def a_wrong_secret_is_refused_with_the_reason(hook: Hook) -> None:
    other = "whsec_" + base64.b64encode(b"another secret of thirty-two bytes").decode()
    reason = await hook.product.refused("webhook", {**credentials(hook.proxy), "secret": other})
    assert "No matching signature found" in reason, reason
    unsigned = await hook.product.refused("webhook", {"url": f"{hook.proxy.address}/hook"})
    assert "Missing required headers" in unsigned, unsigned
    gone = await hook.product.refused("webhook", {**credentials(hook.proxy), "url": f"{hook.proxy.address}/gone"})
    assert "410" in gone, gone


async def a_message_says_what_was_published(hook: Hook) -> None:
    publication = await hook.product.published(
        hook.id, title="Said", content=CONTENT, slug="said", tags=["Winter"],
        canonicalUrl="https://www.example.com/home",
    )  # fmt: skip
    message = hook.one("Said")
    data = message.payload["data"]
    assert message.payload["type"] == "article.published"
    assert (data["markdown"], data["status"], data["tags"]) == (CONTENT, "published", ["Winter"])
    assert data["canonicalUrl"] == "https://www.example.com/home"
    assert abs(time.time() - int(message.timestamp)) < 60
    assert publication["url"] == "https://www.example.com/said"
    assert publication["remoteId"] == data["id"]


async def publishing_an_article_again_is_another_message_of_the_same_post(hook: Hook) -> None:
    article = await hook.product.article()
    first = await hook.product.published(hook.id, articleId=article)
    await hook.product.change(article, title="Told again")
    second = await hook.product.published(hook.id, articleId=article)
    assert second["remoteId"] == first["remoteId"]
    message = hook.one("Told again")
    assert message.payload["type"] == "article.updated"
    assert message.payload["data"]["id"] == first["remoteId"]


async def a_post_for_later_is_told_when_its_time_has_come(hook: Hook) -> None:
    due = (now() + timedelta(seconds=4)).isoformat()
    begun = await hook.product.begin(hook.id, title="For later", content=CONTENT, status="scheduled", scheduledFor=due)
    assert (begun["status"], await hook.count("For later")) == ("pending", 0)
    assert (await hook.product.ended(begun, 30))["status"] == "published"
    assert await hook.count("For later") == 1


WEBHOOK: Final = (
    the_connection_is_tested_with_a_signed_message,
    a_wrong_secret_is_refused_with_the_reason,
    a_message_says_what_was_published,
    publishing_an_article_again_is_another_message_of_the_same_post,
    a_post_for_later_is_told_when_its_time_has_come,
)
