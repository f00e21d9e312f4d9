"""POST /public/generate-from-link: an article from a web page, for visitors without an account."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from attrs import frozen

from contentgen_core.errors import DailyQuotaExceeded, DuplicateFreeArticle, InvalidInput, NotConfigured
from contentgen_core.model.article import Article, ArticleStatus, Brief
from contentgen_core.model.ids import ArticleId, JobId, NicheId, TenantId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import PlanName, Tenant
from contentgen_core.policies.articles.free_articles import visitor_key
from contentgen_core.policies.tenancy.quotas import day_resets_at, day_window
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.duplicates import Duplicates
from contentgen_core.ports.repositories.free_articles import PLATFORM, FreeArticles
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.admission import enqueue_generation
from contentgen_core.use_cases.free_articles.read_page import LENGTH, NICHE, PageMaterial, ReadPage
from contentgen_core.use_cases.use_case import use_case

SETTING: Final = "CONTENTGEN_FREE_ARTICLES_PER_DAY"
TENANT_FACT: Final = "tenant of free articles"
"""The name of the installation's fact that holds the id of the free articles' tenant."""


@frozen
class FreeAllowance:
    """Free articles per UTC day: of all visitors together (0: switched off), and of one address."""

    per_day: int = 20
    per_address: int = 3


@frozen
class FreeArticle:
    """`created`: whether this call created it. `open`: whether it is public. A free article that a platform
    administrator marked keeps its topic but may be private to its tenant: then a visitor sees nothing but the topic."""

    article: Article
    created: bool
    open: bool


@use_case
class GenerateFromLink:
    """`strip_tracking`: removes tracking parameters from an address."""

    unit_of_work: UnitOfWork
    read_page: ReadPage
    renderer: ArticleRenderer
    key_maker: KeyMaker
    clock: Clock
    ids: Ids
    strip_tracking: Callable[[str], str]
    allowance: FreeAllowance = FreeAllowance()

    async def __call__(self, url: str, address: str) -> FreeArticle:
        """The article of this page: a new one, which is generating when this returns, or an existing one. `url`: of the
        page; `address`: the visitor's IP address. The page is read between two transactions; the second one decides.

        Raises InvalidInput for an address that is never read, NotConfigured where free articles are switched off,
        PageUnreadable, DailyQuotaExceeded; then nothing is counted."""
        fault = self.read_page.reader.fault_of(url)
        if fault is not None:
            raise InvalidInput.of("url", fault)
        if self.allowance.per_day == 0:
            raise NotConfigured("Free articles are switched off here.", SETTING)
        link, day = self.strip_tracking(url), day_window(self.clock.now())
        visitor = self.key_maker.digest(visitor_key(address, day))
        async with self.unit_of_work() as tx:
            home = await self._tenant_of_free_articles(tx)
            if found := await _find_existing(tx, [link], None, home):
                return found
            await self._check_left(tx, day, visitor)
        material = await self.read_page(url, home)
        links = list(dict.fromkeys((link, self.strip_tracking(material.url))))
        try:
            return await self._admit(home, links, material, day, visitor)
        except DuplicateFreeArticle:  # a platform administrator marked an article on this topic as free meanwhile
            async with self.unit_of_work() as tx:
                if found := await _find_existing(tx, links, topic_key(material.topic), home):
                    return found
            raise

    async def sweep(self) -> None:
        """Delete the visitors' digests of former days."""
        async with self.unit_of_work() as tx:
            await tx[FreeArticles].sweep(day_window(self.clock.now()))

    async def _admit(
        self, home: TenantId, links: list[str], material: PageMaterial, day: date, visitor: str
    ) -> FreeArticle:
        article = self._new_article(home, material)
        async with self.unit_of_work() as tx:
            await tx[FreeArticles].lock()
            if found := await _find_existing(tx, links, article.free_topic, home):
                return found
            for link in links:
                if failed := await tx[FreeArticles].by_link(link):
                    await tx[Articles].delete(failed.tenant_id, failed.id)
            await self._consume(tx, day, visitor)
            article = await enqueue_generation(tx, article, JobId(self.ids.new()), article.created_at)
            await tx[Articles].add(article)
            await tx[Generations].save_sources(article.id, material.sources)
            await tx[FreeArticles].add(article.id, links, day, visitor)
        return FreeArticle(article, created=True, open=True)

    def _new_article(self, home: TenantId, material: PageMaterial) -> Article:
        now, key = self.clock.now(), topic_key(material.topic)
        return Article(
            id=ArticleId(self.ids.new()),
            tenant_id=home,
            niche_key=NICHE,
            brief=Brief(material.topic, material.language, length=LENGTH),
            topic_key=key,
            title=material.topic,
            status=ArticleStatus.DRAFT,
            created_at=now,
            updated_at=now,
            slug=self.renderer.slug(material.topic),
            is_free_generation=True,
            free_topic=key,
        )

    async def _tenant_of_free_articles(self, tx: Transaction) -> TenantId:
        """The tenant of free articles, created when first needed. It has no users and so no keys."""
        fresh = TenantId(self.ids.new())
        home = TenantId(await tx[Installation].get_or_put(TENANT_FACT, fresh))
        if home == fresh:
            now = self.clock.now()
            await tx[Tenants].add(Tenant(fresh, "Free articles", PlanName.FREE, now))
            await tx[Niches].add(Niche(NicheId(self.ids.new()), NICHE, "Free articles", now, tenant_id=fresh))
        return home

    async def _check_left(self, tx: Transaction, day: date, visitor: str) -> None:
        """Raises DailyQuotaExceeded before a page is read in vain."""
        for subject, limit in self._limits(visitor):
            used = await tx[FreeArticles].used(day, subject)
            if used >= limit:
                raise self._exceeded_error(subject, limit, used)

    async def _consume(self, tx: Transaction, day: date, visitor: str) -> None:
        for subject, limit in self._limits(visitor):
            if not await tx[FreeArticles].consume(day, subject, limit):
                raise self._exceeded_error(subject, limit, limit)

    def _limits(self, visitor: str) -> tuple[tuple[str, int], ...]:
        return (PLATFORM, self.allowance.per_day), (visitor, self.allowance.per_address)

    def _exceeded_error(self, subject: str, limit: int, used: int) -> DailyQuotaExceeded:
        reset = day_resets_at(self.clock.now())
        whose = "for everybody together" if subject == PLATFORM else "for one address"
        return DailyQuotaExceeded(
            f"{limit} free articles a day are made {whose}, and {used} were. More at {reset:%Y-%m-%d %H:%M} UTC.",
            limit=limit,
            used=used,
            resets_at=reset,
        )


async def _find_existing(
    tx: Transaction, links: list[str], free_topic: str | None, home: TenantId
) -> FreeArticle | None:
    """Return the article of one of these links, or on this topic; failed ones do not count, so that they may be tried
    again."""
    for link in links:
        article = await tx[FreeArticles].by_link(link)
        if article is not None and article.status is not ArticleStatus.FAILED:
            return FreeArticle(article, created=False, open=True)
    known = None if free_topic is None else await tx[Duplicates].by_free_topic(free_topic)
    if known is None:
        return None
    article = await tx[Articles].get(known.tenant_id, known.id)
    return FreeArticle(article, created=False, open=article.is_public or article.tenant_id == home)
