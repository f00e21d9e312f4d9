"""Free articles from a link: one a page and a topic, from the page's text alone, within the day's allowances."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time, timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import DailyQuotaExceeded, InvalidInput, NotConfigured, NotFound, ProviderFailed
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_core.model.job import MAX_ATTEMPTS
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.policies.articles.free_articles import topic_of_page, visitor_key
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.free_articles import PLATFORM, FreeArticles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.tenants import ApiKeys, Users
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.free_articles.from_link import FreeAllowance, FreeArticle
from contentgen_core.use_cases.free_articles.read_page import NICHE as HOME_NICHE
from tests.support.changed import changed
from tests.support.free_pages import INJECTED, LINK, OTHER_LINK, PAGE, pages
from tests.support.house import NICHE, House, open_house
from tests.support.mortal import died_after

VISITOR = "203.0.113.7"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        opened.web.pages.update(pages())
        yield opened


async def ask(house: House, url: str = LINK, visitor: str = VISITOR) -> FreeArticle:
    return await house.services.writing.generate_from_link(url, visitor)


def with_allowance(house: House, per_day: int, per_address: int = 100) -> None:
    made = evolve(house.services.writing.generate_from_link, allowance=FreeAllowance(per_day, per_address))
    house.services = changed(house.services, writing={"generate_from_link": made})


async def used(house: House, subject: str = PLATFORM) -> int:
    async with house.services.ports.unit_of_work() as tx:
        return await tx[FreeArticles].used(house.clock.now().date(), subject)


async def failed(house: House, url: str = LINK) -> Article:
    """An article that no attempt could write."""

    def fail(method: str, position: int) -> None:
        raise ProviderFailed("scripted", "is out of order", retryable=False)

    house.model.before = fail
    made = (await ask(house, url)).article
    await house.work()
    house.model.before = lambda method, position: None
    async with house.services.ports.unit_of_work() as tx:
        article = await tx[Articles].get(made.tenant_id, made.id)
    assert article.status is ArticleStatus.FAILED
    return article


class TestAnArticle:
    async def test_is_written_from_the_page_and_cites_nothing_else(self, house: House) -> None:
        first = await ask(house)
        assert first.created
        assert first.article.status is ArticleStatus.GENERATING
        assert await house.work() == 1
        again = await ask(house)
        article = again.article
        assert (again.created, again.open, article.id) == (False, True, first.article.id)
        assert article.status is ArticleStatus.GENERATED
        assert "[1]" in article.content
        assert {source.url for source in article.sources} == {LINK}
        assert article.grounding is not None
        assert article.grounding.level is GroundingLevel.FULL
        assert all(s.verdict is Verdict.SUPPORTED for s in article.grounding.sentences if s.citations_needed)

    async def test_has_the_pages_topic_and_language_and_a_fixed_length(self, house: House) -> None:
        article = (await ask(house)).article
        assert (article.brief.topic, article.free_topic) == ("Quiet Heat Pumps", "quiet heat pumps")
        assert (article.is_free_generation, article.is_public) == (True, False)
        assert (article.brief.language, article.brief.length) == (Language.EN, ArticleLength.SHORT)
        french = (await ask(house, OTHER_LINK)).article
        assert french.brief.language is Language.FR

    async def test_belongs_to_a_tenant_that_nobody_has_a_key_of(self, house: House) -> None:
        first, second = (await ask(house)).article, (await ask(house, OTHER_LINK)).article
        assert first.tenant_id == second.tenant_id != house.caller.tenant_id
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Users].count(first.tenant_id) == 0
            assert await tx[ApiKeys].list(first.tenant_id) == []
            with pytest.raises(NotFound):
                await tx[Users].owner(first.tenant_id)
        niches = await house.services.agents.niches.list(house.caller)
        assert HOME_NICHE not in {niche.niche_key for niche in niches}

    async def test_takes_nothing_of_any_tenants_quota_or_knowledge(self, house: House) -> None:
        before = await house.articles_used()
        async with house.services.ports.unit_of_work() as tx:
            documents = await tx[Knowledge].all_documents(None, 100)
        article = (await ask(house)).article
        await house.work()
        assert await house.articles_used() == before
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].all_documents(None, 100) == documents
            assert await tx[Knowledge].known(KbScope(HOME_NICHE, article.tenant_id), [LINK]) == {}

    async def test_takes_the_instructions_of_a_page_for_text(self, house: House) -> None:
        article = (await ask(house, INJECTED)).article
        assert "{{" not in article.brief.topic
        assert "script" not in article.brief.topic
        await house.work()
        article = (await ask(house, INJECTED)).article
        assert article.status is ArticleStatus.GENERATED
        assert {source.url for source in article.sources} == {INJECTED}
        assert "https://evil.example.org" not in {source.url for source in article.sources}


class TestTheSameAgain:
    async def test_the_same_link_is_the_same_article_and_is_not_read_again(self, house: House) -> None:
        first = await ask(house)
        for spelling in (LINK, f"{LINK}?utm_source=mail", f"{LINK}#top", LINK.replace("web", "WEB")):
            again = await ask(house, spelling, "198.51.100.9")
            assert (again.created, again.article.id) == (False, first.article.id)
        assert house.web.reads[LINK] == 1
        assert await used(house) == 1

    async def test_another_link_to_the_same_topic_is_the_same_article(self, house: House) -> None:
        first = await ask(house)
        house.web.pages["https://mirror.example.org/x"] = ("QUIET  heat pumps", PAGE)
        again = await ask(house, "https://mirror.example.org/x")
        assert (again.created, again.article.id) == (False, first.article.id)
        assert await used(house) == 1

    async def test_many_who_ask_at_once_get_one_article(self, house: House) -> None:
        asked = await asyncio.gather(*(ask(house, visitor=f"198.51.100.{n}") for n in range(8)))
        assert len({each.article.id for each in asked}) == 1
        assert sum(each.created for each in asked) == 1
        assert await used(house) == 1
        assert await house.work() == 1

    async def test_a_topic_that_a_platform_admin_gave_to_a_private_article_tells_nothing_of_it(
        self, house: House
    ) -> None:
        caller = evolve(house.caller, platform_admin=True)
        marked = await _article(house, "Quiet heat pumps", title="A secret title")
        await house.services.writing.edit(EditArticleCommand(caller, marked.id, is_free_generation=True))
        found = await ask(house)
        assert (found.created, found.open, found.article.id) == (False, False, marked.id)
        await house.services.writing.edit(EditArticleCommand(caller, marked.id, is_public=True))
        assert (await ask(house)).open
        assert await used(house) == 0

    async def test_a_failed_one_is_tried_again(self, house: House) -> None:
        before = await failed(house)
        again = await ask(house)
        assert again.created
        assert again.article.id != before.id
        await house.work()
        assert (await ask(house)).article.status is ArticleStatus.GENERATED
        async with house.services.ports.unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Articles].get(before.tenant_id, before.id)

    async def test_a_failed_one_leaves_its_topic_to_others(self, house: House) -> None:
        await failed(house)
        marked = await _article(house, "Quiet heat pumps")
        caller = evolve(house.caller, platform_admin=True)
        edited = await house.services.writing.edit(EditArticleCommand(caller, marked.id, is_free_generation=True))
        assert edited.free_topic == "quiet heat pumps"


class TestRefusals:
    async def test_an_address_that_is_never_read_is_invalid(self, house: House) -> None:
        with pytest.raises(InvalidInput) as refused:
            await ask(house, "ftp://web.example.org/file")
        assert [fault.field for fault in refused.value.errors] == ["url"]

    @pytest.mark.parametrize("text", ["", "Heat pumps hum.", "word " * 149])
    async def test_a_page_with_too_little_text_is_refused_and_counts_nothing(self, house: House, text: str) -> None:
        house.web.pages[LINK] = ("Quiet Heat Pumps", text)
        with pytest.raises(PageUnreadable) as refused:
            await ask(house)
        assert refused.value.reason is PageFault.EMPTY
        assert await used(house) == 0
        assert await house.work() == 0

    async def test_text_that_repeats_itself_does_not_count_twice(self, house: House) -> None:
        once = "A heat pump with a noise level of 50 decibels at one metre is heard four metres away at 38 decibels."
        house.web.pages[LINK] = ("Quiet Heat Pumps", "\n\n".join(f"## Part {n}\n\n{once}" for n in range(40)))
        with pytest.raises(PageUnreadable, match="too few"):
            await ask(house)

    async def test_nothing_is_made_where_free_articles_are_switched_off(self, house: House) -> None:
        with_allowance(house, 0)
        with pytest.raises(NotConfigured, match="CONTENTGEN_FREE_ARTICLES_PER_DAY"):
            await ask(house)
        assert house.web.reads[LINK] == 0


class TestAllowances:
    async def test_an_address_has_three_a_day_and_existing_ones_are_free(self, house: House) -> None:
        for n in range(4):
            house.web.pages[f"https://many.example.org/{n}"] = (f"Quiet heat pumps, volume {n}", PAGE)
        for n in range(3):
            assert (await ask(house, f"https://many.example.org/{n}")).created
        with pytest.raises(DailyQuotaExceeded, match="3 free articles a day") as refused:
            await ask(house, "https://many.example.org/3")
        midnight = datetime.combine(house.clock.now().date() + timedelta(days=1), time.min, tzinfo=UTC)
        assert (refused.value.limit, refused.value.used, refused.value.resets_at) == (3, 3, midnight)
        assert house.web.reads["https://many.example.org/3"] == 0
        assert not (await ask(house, "https://many.example.org/0")).created
        assert (await ask(house, "https://many.example.org/3", "198.51.100.9")).created
        house.clock.advance(days=1)
        house.web.pages["https://many.example.org/4"] = ("Quiet heat pumps, the last", PAGE)
        assert (await ask(house, "https://many.example.org/4")).created

    async def test_the_platforms_allowance_is_exact_however_many_ask_at_once(self, house: House) -> None:
        with_allowance(house, 5)
        for n in range(12):
            house.web.pages[f"https://many.example.org/{n}"] = (f"Quiet heat pumps, volume {n}", PAGE)
        asked = await asyncio.gather(
            *(ask(house, f"https://many.example.org/{n}", f"198.51.100.{n}") for n in range(12)),
            return_exceptions=True,
        )
        made = [each for each in asked if isinstance(each, FreeArticle)]
        assert len(made) == 5
        assert all(isinstance(each, DailyQuotaExceeded) for each in asked if each not in made)
        assert await used(house) == 5

    async def test_what_fails_is_given_back_once(self, house: House) -> None:
        article = await failed(house)
        assert await used(house) == 0
        async with house.services.ports.unit_of_work() as tx:
            await tx[FreeArticles].refund(article.id)
        assert await used(house) == 0
        for _ in range(5):
            await failed(house)
        assert await used(house) == 0

    async def test_what_nobody_could_finish_is_given_back_and_begins_anew(self, house: House) -> None:
        first = await ask(house)
        for n in range(MAX_ATTEMPTS + 1):
            jobs = await house.claim(f"worker {n}")
            assert len(jobs) == 1
            house.clock.advance(seconds=31)
        [job] = await house.claim("the last")
        await house.services.handlers[job.kind](job)
        assert await used(house) == 0
        again = await ask(house)
        assert again.created
        assert again.article.id != first.article.id

    async def test_who_asked_is_kept_as_a_digest_of_the_day_and_forgotten_after_it(self, house: House) -> None:
        maker = house.services.writing.generate_from_link.key_maker
        today = house.clock.now().date()
        digest = maker.digest(visitor_key(VISITOR, today))
        await ask(house)
        assert await used(house, digest) == 1
        assert VISITOR not in digest
        house.clock.advance(days=1)
        assert maker.digest(visitor_key(VISITOR, house.clock.now().date())) != digest
        await house.services.writing.generate_from_link.sweep()
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[FreeArticles].used(today, digest) == 0
            assert await tx[FreeArticles].used(today, PLATFORM) == 0


async def test_a_worker_that_dies_anywhere_leaves_one_article_and_one_count() -> None:
    for step in range(1, 40):
        async with open_house() as house:
            house.web.pages.update(pages())
            await ask(house)
            [job] = await house.claim("the first")
            if not await died_after(house, step, job):
                break
            house.clock.advance(seconds=31)
            assert await house.work("another") == 1
            found = await ask(house)
            assert (found.created, found.article.status) == (False, ArticleStatus.GENERATED), step
            assert await used(house) == 1
    else:
        raise AssertionError("the work never ended")
    assert step > 3


@pytest.mark.parametrize(
    ("title", "topic"),
    [
        ("Quiet Heat Pumps | The Energy Blog", "Quiet Heat Pumps"),
        ("Quiet Heat Pumps - Energy Blog", "Quiet Heat Pumps"),
        ("Quiet Heat Pumps — energyblog", "Quiet Heat Pumps"),
        ("Heat pumps - how loud are they?", "Heat pumps - how loud are they?"),
        ("  Quiet\n heat   pumps ", "Quiet heat pumps"),
        ("", "The first heading"),
        ("{{ config.secret }}", "The first heading"),
        ("<script>alert(1)</script>", "The first heading"),
        ("https://evil.example.org/now", "The first heading"),
        ("a" * 1_000, "a" * 199 + "…"),
    ],
)
def test_the_topic_is_what_the_page_calls_itself(title: str, topic: str) -> None:
    text = "# The first heading\n\nSome text."
    assert topic_of_page("https://www.energyblog.example.org/a", title, text) == topic


def test_a_page_that_names_nothing_has_no_topic() -> None:
    assert topic_of_page("https://example.org/", "", "{{ a }}") is None
    assert topic_of_page("https://example.org/", "", "") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.7", "203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("unknown", "unknown", True),
    ],
)
def test_a_visitor_is_an_address_or_a_network_of_64_bits(one: str, other: str, same: bool) -> None:
    day = date(2026, 1, 2)
    assert (visitor_key(one, day) == visitor_key(other, day)) is same
    assert visitor_key(one, day) != visitor_key(one, date(2026, 1, 3))


async def _article(house: House, topic: str, title: str | None = None) -> Article:
    article = builders.article(
        tenant_id=house.caller.tenant_id,
        niche_key=NICHE,
        status=ArticleStatus.GENERATED,
        content="It hums.",
        brief=builders.brief(topic=topic),
        topic_key=topic_key(topic),
        title=title or topic,
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article
