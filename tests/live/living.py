"""What must hold from a folder that changes to the posts that are out: ten articles at a real WordPress and at a
receiver of webhooks, five of whose sources change. Exactly the sentences concerned are proposed, accepted and updated,
once at each place, and nothing else is touched."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from tests.live.faulty_proxy import faulty_proxy
from tests.live.product import Product, product
from tests.live.publishing_webhook import credentials
from tests.live.receiver import Message, Receiver, receiver
from tests.live.report import Report
from tests.live.wordpress import WordPress, packages, wordpress

NAME: Final = "living"
FILES: Final = 200
ARTICLES: Final = 10
CHANGED: Final = 5
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
        return await self.until(self._ended(before), "the end of the sync")

    def _ended(self, before: str | None) -> Callable[[], Awaitable[dict[str, Any] | None]]:
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


async def a_folder_is_followed(living: Living) -> None:
    for mill in living.mills:
        living.folder.joinpath(mill.file).write_text(mill.text(), "utf-8")
    niche = await living.call("POST", "/niches", {"name": "Tide mills"})
    activation = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
    await living.call("POST", f"/niches/{niche['id']}/activate", activation)
    body = {"kind": "folder", "name": "Mills", "nicheKey": niche["nicheKey"], "place": str(living.folder)}
    living.source = (await living.call("POST", "/sources", body))["id"]
    first = await living.until(living._ended(None), "the first sync")
    assert (first["outcome"], first["added"]) == ("done", FILES), first


async def ten_articles_are_published_to_both_places(living: Living) -> None:
    niche = (await living.call("GET", f"/sources/{living.source}"))["nicheKey"]
    for mill in living.mills[:: FILES // ARTICLES][:ARTICLES]:
        body = {"nicheId": niche, "topic": mill.topic}
        article: str = (await living.call("POST", "/writer/generate", body))["articleId"]

        async def written(article: str = article) -> bool:
            status = (await living.call("GET", f"/writer/{article}"))["status"]
            assert status != "failed", article
            return bool(status == "generated")

        await living.until(written, f"an article on {mill.topic}")
        living.articles[mill.town] = article
        living.posts[article] = {
            place: await living.product.published(integration, articleId=article)
            for place, integration in living.places.items()
        }
    assert len(living.articles) == ARTICLES


async def exactly_the_sentences_whose_sources_changed_are_updated_once_everywhere(living: Living) -> None:
    towns = list(living.articles)
    chosen, others = towns[:CHANGED], towns[CHANGED:]
    texts = {town: await living.text(living.articles[town]) for town in towns}
    posts = {town: await living.at_wordpress(living.articles[town]) for town in towns}
    told = {town: len(living.messages(living.articles[town])) for town in towns}
    by_town = {mill.town: mill for mill in living.mills}
    await asyncio.sleep(1.1)  # WordPress says in whole seconds when a post was changed
    for town in chosen:
        mill = by_town[town]
        assert f"{mill.facts['tonnes']} tonnes" in texts[town], f"the article on {town} lacks the fact to be changed"
        living.folder.joinpath(mill.file).write_text(mill.text(tonnes=mill.facts["tonnes"] + 1000), "utf-8")
    synced = await living.synced()
    assert (synced["changed"], synced["unchanged"]) == (CHANGED, FILES - CHANGED), synced
    listed = {each["id"] for each in (await living.call("GET", "/articles/freshness"))["articles"]}
    assert listed == {living.articles[town] for town in chosen}, listed
    for town in chosen:
        await _updated(living, living.articles[town])
    for town in chosen:
        article, mill = living.articles[town], by_town[town]
        before, after = f"{mill.facts['tonnes']} tonnes", f"{mill.facts['tonnes'] + 1000} tonnes"
        assert await living.text(article) == texts[town].replace(before, after), town
        post, _ = await living.at_wordpress(article)
        _only(posts[town][0], post, str(mill.facts["tonnes"]), str(mill.facts["tonnes"] + 1000))
        messages = living.messages(article)
        assert len(messages) == told[town] + 1, f"{town}: {len(messages)} messages"
        assert messages[-1].payload["type"] == "article.updated"
        assert after in messages[-1].payload["data"]["markdown"]
    for town in others:
        article = living.articles[town]
        assert (await living.text(article), await living.at_wordpress(article)) == (texts[town], posts[town]), town
        assert len(living.messages(article)) == told[town], town


async def a_removed_source_takes_its_sentences_and_nothing_else(living: Living) -> None:
    """A sentence whose file lost it is left out, once a person accepts that."""
    town = list(living.articles)[CHANGED]
    article = living.articles[town]
    mill = next(mill for mill in living.mills if mill.town == town)
    gone = f"The mill pond of {town} covers {mill.facts['pond']} hectares and fills twice a day"
    former = await living.text(article)
    assert gone in former, former
    living.folder.joinpath(mill.file).write_text(mill.text().replace(f"{gone}.\n", ""), "utf-8")
    await living.synced()
    update = await _updated(living, article)
    assert [change["state"] for change in update["changes"]] == ["gone"] * len(update["changes"])
    now = await living.text(article)
    assert gone not in now
    assert gone not in (await living.at_wordpress(article))[0]


async def _updated(living: Living, article: str) -> dict[str, Any]:
    """What was proposed, accepted, and brought to both places."""
    proposed = await living.call("POST", "/article-updates", {"articleId": article})
    update: dict[str, Any] = proposed["update"]
    accepted = await living.call("POST", f"/article-updates/{update['id']}/accept", {"publish": True})
    assert len(accepted["updating"]) == len(living.places), accepted
    for id in accepted["updating"]:
        publication = await living.product.ended(await living.call("GET", f"/publications/{id}"))
        assert publication["status"] == "published", publication
    return update


def _only(before: str, after: str, old: str, new: str) -> None:
    """Raises AssertionError if the post differs in anything else than this figure and the mark of its delivery."""
    words, others = before.split(), after.split()
    for tag, a, b, c, d in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        left, right = " ".join(words[a:b]), " ".join(others[c:d])
        assert left.replace(old, new) == right or "contentgen-" in left + right, f"{left!r} became {right!r}"


LIVING: Final = (
    a_folder_is_followed,
    ten_articles_are_published_to_both_places,
    exactly_the_sentences_whose_sources_changed_are_updated_once_everywhere,
    a_removed_source_takes_its_sentences_and_nothing_else,
)


async def check_living(installed: Path, report: Report) -> None:
    with report.needs("WordPress"):
        programs = await packages(installed / "wordpress")
        with tempfile.TemporaryDirectory(prefix="contentgen-mills-") as temporary:
            data, folder = Path(temporary, "wordpress"), Path(temporary, "mills")
            for each in (data, folder):
                await asyncio.to_thread(each.mkdir)
            async with wordpress(programs, data) as site, receiver() as received, _living(
                site, received, folder
            ) as living:  # fmt: skip
                await report.run("living articles", LIVING, living)


@asynccontextmanager
async def _living(site: WordPress, received: Receiver, folder: Path) -> AsyncIterator[Living]:
    async with faulty_proxy() as proxy:
        proxy.upstream = received.address
        settings = {"CONTENTGEN_SOURCE_FOLDERS": str(folder)}
        async with product([site.address, proxy.address], settings) as served:
            blog = {"siteUrl": site.address, "username": "editor", "applicationPassword": site.passwords["editor"]}
            places = {
                "wordpress": await served.connect("wordpress", blog),
                "webhook": await served.connect("webhook", credentials(proxy)),
            }
            yield Living(served, site, received, folder, places)
