"""POST /public/generate-from-link: somebody without an account has an article written from a page."""

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
from contentgen_core.ports.repositories.free_articles import PLATFORM
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.admission import enqueue_generation
from contentgen_core.use_cases.free_articles.read_page import LENGTH, NICHE, Material, ReadPage

SETTING: Final = "CONTENTGEN_FREE_ARTICLES_PER_DAY"
HOME: Final = "tenant of free articles"
"""What the tenant that free articles belong to is recorded under."""


@frozen
class FreeAllowance:
    """Free articles a UTC day: for everybody together (0: none are made here), and for one address."""

    a_day: int = 20
    an_address: int = 3


@frozen
class FreeArticle:
    """`created`: by this very call. `open`: whether everybody may read it. A free article that a platform admin marked
    holds its topic but may be private to its tenant: then a visitor is told of the topic and nothing else."""

    article: Article
    created: bool
    open: bool


@frozen
class GenerateFromLink:
    """`address_of`: the address without what tells its visitors apart."""

    unit_of_work: UnitOfWork
    read_page: ReadPage
    renderer: ArticleRenderer
    key_maker: KeyMaker
    clock: Clock
    ids: Ids
    address_of: Callable[[str], str]
    allowance: FreeAllowance = FreeAllowance()

    async def __call__(self, url: str, address: str) -> FreeArticle:
        """The article of this page: a new one, which is generating when this returns, or the one that there is. The
        page is read between two transactions; only the second one decides.

        Raises InvalidInput for an address that is never read, NotConfigured where no free articles are made,
        PageUnreadable, DailyQuotaExceeded. Refused: nothing counted."""
        fault = self.read_page.reader.fault_of(url)
        if fault is not None:
            raise InvalidInput.of("url", fault)
        if self.allowance.a_day == 0:
            raise NotConfigured("Free articles are switched off here.", SETTING)
        link, day = self.address_of(url), day_window(self.clock.now())
        visitor = self.key_maker.digest(visitor_key(address, day))
        async with self.unit_of_work() as tx:
            home = await self._home(tx)
            if found := await _standing(tx, [link], None, home):
                return found
            await self._check_left(tx, day, visitor)
        material = await self.read_page(url, home)
        links = list(dict.fromkeys((link, self.address_of(material.url))))
        try:
            return await self._let_in(home, links, material, day, visitor)
        except DuplicateFreeArticle:  # a platform admin gave the topic to an article at this very moment
            async with self.unit_of_work() as tx:
                if found := await _standing(tx, links, topic_key(material.topic), home):
                    return found
            raise

    async def sweep(self) -> None:
        """Forget who asked on former days."""
        async with self.unit_of_work() as tx:
            await tx.free_articles.sweep(day_window(self.clock.now()))

    async def _let_in(
        self, home: TenantId, links: list[str], material: Material, day: date, visitor: str
    ) -> FreeArticle:
        article = self._made(home, material)
        async with self.unit_of_work() as tx:
            await tx.free_articles.lock()
            if found := await _standing(tx, links, article.free_topic, home):
                return found
            for link in links:
                if failed := await tx.free_articles.by_link(link):
                    await tx.articles.delete(failed.tenant_id, failed.id)
            await self._consume(tx, day, visitor)
            article = await enqueue_generation(tx, article, JobId(self.ids.new()), article.created_at)
            await tx.articles.add(article)
            await tx.generations.save_sources(article.id, material.sources)
            await tx.free_articles.add(article.id, links, day, visitor)
        return FreeArticle(article, created=True, open=True)

    def _made(self, home: TenantId, material: Material) -> Article:
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

    async def _home(self, tx: Transaction) -> TenantId:
        """The tenant that free articles belong to, made when it is first needed. It has no users, so no keys either."""
        fresh = TenantId(self.ids.new())
        home = TenantId(await tx.installation.get_or_put(HOME, fresh))
        if home == fresh:
            now = self.clock.now()
            await tx.tenants.add(Tenant(fresh, "Free articles", PlanName.FREE, now))
            await tx.niches.add(Niche(NicheId(self.ids.new()), NICHE, "Free articles", now, tenant_id=fresh))
        return home

    async def _check_left(self, tx: Transaction, day: date, visitor: str) -> None:
        """Refuse before a page is read for nothing."""
        for subject, limit in self._limits(visitor):
            used = await tx.free_articles.used(day, subject)
            if used >= limit:
                raise self._exceeded(subject, limit, used)

    async def _consume(self, tx: Transaction, day: date, visitor: str) -> None:
        for subject, limit in self._limits(visitor):
            if not await tx.free_articles.consume(day, subject, limit):
                raise self._exceeded(subject, limit, limit)

    def _limits(self, visitor: str) -> tuple[tuple[str, int], ...]:
        return (PLATFORM, self.allowance.a_day), (visitor, self.allowance.an_address)

    def _exceeded(self, subject: str, limit: int, used: int) -> DailyQuotaExceeded:
        reset = day_resets_at(self.clock.now())
        whose = "for everybody together" if subject == PLATFORM else "for one address"
        return DailyQuotaExceeded(
            f"{limit} free articles a day are made {whose}, and {used} were. More at {reset:%Y-%m-%d %H:%M} UTC.",
            limit=limit,
            used=used,
            resets_at=reset,
        )


async def _standing(tx: Transaction, links: list[str], free_topic: str | None, home: TenantId) -> FreeArticle | None:
    """The article of one of these links, or with this topic; none that failed, which may be tried again."""
    for link in links:
        article = await tx.free_articles.by_link(link)
        if article is not None and article.status is not ArticleStatus.FAILED:
            return FreeArticle(article, created=False, open=True)
    known = None if free_topic is None else await tx.duplicates.by_free_topic(free_topic)
    if known is None:
        return None
    article = await tx.articles.get(known.tenant_id, known.id)
    return FreeArticle(article, created=False, open=article.is_public or article.tenant_id == home)
