"""What must hold whatever is lost on the way: one post, and the publication tells the truth about it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from attrs import frozen

from tests.live.faulty_proxy import Fault, FaultyProxy
from tests.live.product import Product
from tests.live.small_http import Request


@frozen
class Place:
    """Somewhere to publish to, behind a proxy. `creates`: is this the call that makes a post? `count`: how many posts
    of this title the server itself says it has."""

    name: str
    product: Product
    proxy: FaultyProxy
    integration: str
    creates: Callable[[Request], bool]
    count: Callable[[str], Awaitable[int]]

    async def survives(self, fault: Fault, title: str, **fields: Any) -> dict[str, Any]:
        """Publish with the first creation of this title spoilt: in the end there is one post."""
        mine = title.encode()
        spoiling = self.proxy.spoil(fault, lambda request: self.creates(request) and mine in request.body)
        publication = await self.product.published(self.integration, title=title, content="It *works*.", **fields)
        assert spoiling.spoilt == 1, "the fault was not met"
        assert publication["postStatus"] == fields.get("status", "published"), publication
        there = await self.count(title)
        assert there == 1, f"{there} posts at {self.name} after: {fault}"
        return publication


async def one_post_after_each_fault(place: Place) -> None:
    for number, fault in enumerate(each for each in Fault if each not in (Fault.ANSWER_LATE, Fault.REQUEST_LATE)):
        await place.survives(fault, f"Spoilt {number}")


async def one_draft_after_a_lost_answer(place: Place) -> None:
    await place.survives(Fault.ANSWER_CUT, "Spoilt draft", status="draft")


async def one_post_though_every_attempt_fails_and_a_person_retries(place: Place) -> None:
    """The answers of the creation and of whatever is asked afterwards are lost until a person stops it: by itself it
    would go on for as long as targets are away."""
    title = "Spoilt three times"
    seen: list[str] = []

    def everything(request: Request) -> bool:
        if title.encode() in request.body:
            seen.append(title)
        return bool(seen)

    spoiling = place.proxy.spoil(Fault.ANSWER_CUT, everything, times=1_000)
    publication = await place.product.begin(place.integration, title=title, content="It *works*.")
    publication = await place.product.tried_again(publication, 2)
    answer = await place.product.http.post(f"/publications/{publication['id']}/cancel")
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] in ("unknown", "failed"), answer.text
    spoiling.times = 0
    answer = await place.product.http.post(f"/publications/{publication['id']}/retry")
    assert answer.status_code == 200, answer.text
    again = await place.product.ended(answer.json())
    assert again["status"] == "published", again
    assert await place.count(title) == 1


async def one_post_though_a_call_is_held_up(place: Place) -> None:
    """Two are there for a while: the one that was made again, and the one that the late call makes."""
    title = "Held up on its way"
    mine = title.encode()
    place.proxy.spoil(Fault.REQUEST_LATE, lambda request: place.creates(request) and mine in request.body)
    publication = await place.product.published(place.integration, title=title, content="It *works*.")
    async with asyncio.timeout(60):
        while await place.count(title) < 2:
            await asyncio.sleep(0.5)
    answer = await place.product.http.post("/publications/verify", json={"publicationIds": [publication["id"]]})
    [seen] = answer.json()["publications"]
    assert (seen["status"], seen["twinsRemoved"]) == ("published", 1), seen
    assert await place.count(title) == 1


async def one_post_each_after_answers_that_come_too_late(places: Sequence[Place]) -> None:
    await asyncio.gather(*(place.survives(Fault.ANSWER_LATE, f"Late at {place.name}") for place in places))


async def one_post_each_though_the_product_is_killed_while_it_waits(places: Sequence[Place]) -> None:
    """Whoever asked repeats the request with its key, and learns what became of it."""
    product = places[0].product
    waiting = [asyncio.create_task(_killed(place)) for place in places]
    async with asyncio.timeout(20):
        for place in places:
            while not await place.count(_killed_title(place)):
                await asyncio.sleep(0.1)
    await asyncio.to_thread(product.service.kill)
    await asyncio.gather(*waiting, return_exceptions=True)
    await asyncio.to_thread(product.service.start)
    for place in places:
        publication = await product.ended(await _asked_to_publish(place))
        assert publication["status"] == "published", publication
        there = await place.count(_killed_title(place))
        assert there == 1, f"{there} posts at {place.name}"


def _killed_title(place: Place) -> str:
    return f"Killed at {place.name}"


async def _killed(place: Place) -> None:
    title = _killed_title(place).encode()
    place.proxy.spoil(Fault.ANSWER_LATE, lambda request: place.creates(request) and title in request.body)
    await _asked_to_publish(place)


async def _asked_to_publish(place: Place) -> dict[str, Any]:
    title = _killed_title(place)
    return await place.product.begin(place.integration, title, title=title, content="It *works*.")


ONE_PLACE: Final = (
    one_post_after_each_fault,
    one_draft_after_a_lost_answer,
    one_post_though_every_attempt_fails_and_a_person_retries,
)
ALL_PLACES: Final = (
    one_post_each_after_answers_that_come_too_late,
    one_post_each_though_the_product_is_killed_while_it_waits,
)
