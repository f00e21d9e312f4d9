"""A folder of files that is followed, and the articles that were written from it and published to two places."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from tests.live.product import Product
from tests.live.receiver import Message, Receiver
from tests.live.wordpress import WordPress

FILES: Final = 200
_SECONDS: Final = 120.0
_FIRST: Final = ("Aver", "Brim", "Calder", "Dun", "Elm", "Farn", "Gil", "Hazel", "Ivy", "Kings")
_LAST: Final = ("ton", "wick", "ford", "mouth", "holm", "bury", "thorpe", "stead", "by", "combe",
                "dale", "haven", "minster", "port", "worth", "leigh", "sett", "ness", "hurst", "stow")  # fmt: skip
_TEXT: Final = """# Tide mill of {town}

The tide mill of {town} is a water mill that grinds grain with the force of the tide.
It stands on the estuary below {town} and was completed in {built}.
The mill pond of {town} covers {pond} hectares and fills twice a day.
Three wheels drive {stones} pairs of millstones on two floors of the tide mill.
The tide mill of {town} grinds {tonnes} tonnes of barley and wheat a year.
Visitors of the tide mill pay {price} pounds for a tour with the miller.
The sluice gates of {town} were rebuilt in oak after the storm of {storm}.
A society of volunteers keeps the tide mill of {town} open from April to October.
"""


@frozen
class Mill:
    """A file of the folder, and the facts that it states."""

    town: str
    facts: dict[str, int]

    @property
    def topic(self) -> str:
        return f"Tide mill of {self.town}"

    @property
    def file(self) -> str:
        return f"{self.town.lower()}.md"

    def text(self, **other: int) -> str:
        return _TEXT.format(town=self.town, **{**self.facts, **other})


def mills() -> list[Mill]:
    """FILES different ones."""
    towns = [first + last for first in _FIRST for last in _LAST]
    assert len(set(towns)) == FILES
    return [
        Mill(
            town,
            {
                "built": 1600 + n,
                "pond": 3 + n % 40,
                "stones": 2 + n % 7,
                "tonnes": 110 + 3 * n,
                "price": 4 + n % 9,
                "storm": 1800 + n % 150,
            },
        )
        for n, town in enumerate(towns)
    ]


@define
class Living:
    """A folder that is followed, and the places that its articles are published to. `posts`: the publications of each
    article by the name of its place."""

    product: Product
    wordpress: WordPress
    receiver: Receiver
    folder: Path
    places: dict[str, str]
    source: str = ""
    mills: list[Mill] = field(factory=mills)
    articles: dict[str, str] = field(factory=dict)
    posts: dict[str, dict[str, dict[str, Any]]] = field(factory=dict)

    async def call(self, method: str, path: str, body: object = None) -> Any:
        answer = await self.product.http.request(method, path, json=body)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()

    async def synced(self) -> dict[str, Any]:
        """The report of a sync that begins now."""
        source = await self.call("POST", f"/sources/{self.source}/sync")
        before = source.get("lastSync", {}).get("finishedAt")
        return await self.until(self.ended(before), "the end of the sync")

    def ended(self, before: str | None) -> Callable[[], Awaitable[dict[str, Any] | None]]:
        async def ended() -> dict[str, Any] | None:
            last: dict[str, Any] | None = (await self.call("GET", f"/sources/{self.source}")).get("lastSync")
            return last if last and last["finishedAt"] != before else None

        return ended

    async def until(self, condition: Callable[[], Awaitable[Any]], what: str) -> Any:
        async with asyncio.timeout(_SECONDS):
            while not (answer := await condition()):
                await asyncio.sleep(0.3)
        assert answer, what
        return answer

    async def text(self, article: str) -> str:
        content: str = (await self.call("GET", f"/writer/{article}"))["content"]
        return content

    async def at_wordpress(self, article: str) -> tuple[str, str]:
        """The post's text, and when it was changed last."""
        id = self.posts[article]["wordpress"]["remoteId"]
        async with self.wordpress.client() as client:
            post = (await client.get(f"/posts/{id}", params={"context": "edit"})).json()
        return post["content"]["raw"], post["modified_gmt"]

    def messages(self, article: str) -> list[Message]:
        """To the receiver, on this article's post."""
        id = self.posts[article]["webhook"]["remoteId"]
        return [message for message in self.receiver.acted.values() if message.payload["data"].get("id") == id]

    async def updated(self, article: str) -> dict[str, Any]:
        """What was proposed, accepted, and brought to both places."""
        proposed = await self.call("POST", "/article-updates", {"articleId": article})
        update: dict[str, Any] = proposed["update"]
        accepted = await self.call("POST", f"/article-updates/{update['id']}/accept", {"publish": True})
        assert len(accepted["updating"]) == len(self.places), accepted
        for id in accepted["updating"]:
            publication = await self.product.ended(await self.call("GET", f"/publications/{id}"))
            assert publication["status"] == "published", publication
        return update


def assert_only(before: str, after: str, old: str, new: str) -> None:
    """Raises AssertionError if the post differs in anything else than this figure and the mark of its delivery."""
    words, others = before.split(), after.split()
    for tag, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        left, right = " ".join(words[a:b]), " ".join(others[c:d])
        assert left.replace(old, new) == right or "contentgen-" in left + right, f"{left!r} became {right!r}"
