"""What must hold from a folder that changes to the posts that are out: ten articles at a real WordPress and at a
receiver of webhooks, five of whose sources change. Exactly the sentences concerned are proposed, accepted and updated,
once at each place, in each language, and nothing else is touched."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.live.faulty_proxy import faulty_proxy
from tests.live.living_translations import TRANSLATIONS
from tests.live.mills import FILES, Living, assert_only
from tests.live.product import product
from tests.live.publishing_webhook import credentials
from tests.live.receiver import Receiver, receiver
from tests.live.report import Report
from tests.live.wordpress import WordPress, packages, wordpress

NAME: Final = "living"
ARTICLES: Final = 10
CHANGED: Final = 5


async def a_folder_is_followed(living: Living) -> None:
    for mill in living.mills:
        living.folder.joinpath(mill.file).write_text(mill.text(), "utf-8")
    niche = await living.call("POST", "/niches", {"name": "Tide mills"})
    activation = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
    await living.call("POST", f"/niches/{niche['id']}/activate", activation)
    body = {"kind": "folder", "name": "Mills", "nicheKey": niche["nicheKey"], "place": str(living.folder)}
    living.source = (await living.call("POST", "/sources", body))["id"]
    first = await living.until(living.ended(None), "the first sync")
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
        await living.updated(living.articles[town])
    for town in chosen:
        article, mill = living.articles[town], by_town[town]
        before, after = f"{mill.facts['tonnes']} tonnes", f"{mill.facts['tonnes'] + 1000} tonnes"
        assert await living.text(article) == texts[town].replace(before, after), town
        post, _ = await living.at_wordpress(article)
        assert_only(posts[town][0], post, str(mill.facts["tonnes"]), str(mill.facts["tonnes"] + 1000))
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
    update = await living.updated(article)
    assert [change["state"] for change in update["changes"]] == ["gone"] * len(update["changes"])
    now = await living.text(article)
    assert gone not in now
    assert gone not in (await living.at_wordpress(article))[0]


LIVING: Final = (
    a_folder_is_followed,
    ten_articles_are_published_to_both_places,
    exactly_the_sentences_whose_sources_changed_are_updated_once_everywhere,
    a_removed_source_takes_its_sentences_and_nothing_else,
    *TRANSLATIONS,
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
