"""One article in one call: sources in, grounded article out. Embeds the whole core in a program, without a server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

from contentgen_core.errors import ContentgenError, TopicAlreadyGenerating
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import LEASE_SECONDS, JobKind
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Caller, PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.content_model import ContentModel, TextModel
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand, CreateNicheCommand
from contentgen_grounded.arguments import checked_settings, checked_sources, checked_text, member_of
from contentgen_grounded.bootstrap.memory import in_memory_to_write
from contentgen_grounded.opening import open_database
from contentgen_grounded.settings import Settings

TENANT = "Local"
NICHE = "Sources"
COUNTRY = "FR"
FACT = "write_article"
"""The fact of the installation that holds what its programs write as: a tenant's id and an agent's key."""
LEASE = timedelta(seconds=LEASE_SECONDS)
LOOK_EVERY_SECONDS = 0.1
UNDER_WAY = 100
"""Articles that are looked through for one that an earlier program left unfinished."""
BATCHES_EMBEDDED_FIRST = 6
"""Of documents: a few seconds of one core."""


class WritingFailed(ContentgenError):
    """The article ended `failed`; the text is its reason."""

    code = "writing_failed"


def write(
    topic: str,
    sources: Iterable[SourceText],
    *,
    folder: str | Path | None = None,
    settings: Settings | None = None,
    model: ContentModel | TextModel | None = None,
    language: Language | str = Language.EN,
    length: ArticleLength | str = ArticleLength.STANDARD,
    allow_low_coverage: bool = False,
) -> Article:
    """`write_article` for programs without asyncio: opens a knowledge base, writes, closes it.

    `folder`: where the knowledge base stays, as for `open_database`; None: one in memory, for this call alone.
    `settings`, `model`: as for `in_memory`. The rest, and what is raised: as for `write_article`.
    """
    settings = checked_settings(settings)

    async def run() -> Article:
        if folder is None:
            opened = in_memory_to_write(settings, model)
        else:
            opened = open_database(folder, settings=settings, model=model)
        async with opened as services:
            return await write_article(
                services, topic, sources, language=language, length=length, allow_low_coverage=allow_low_coverage
            )

    return asyncio.run(run())


async def write_article(
    services: CoreServices,
    topic: str,
    sources: Iterable[SourceText] = (),
    *,
    language: Language | str = Language.EN,
    length: ArticleLength | str = ArticleLength.STANDARD,
    allow_low_coverage: bool = False,
    on_import: Callable[[ImportReport], None] = lambda _: None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Article:
    """Import the sources, then plan, write and check an article on the topic from all that the knowledge base holds.

    `services`: a knowledge base, from `in_memory()` or `open_database()`. `sources`: those that are known by their
    `source_key` and unchanged are passed over, changed ones replace what was there; read lazily, in a thread.
    `language`, `length`: or their values, as "en" and "short". `allow_low_coverage`: write even where the knowledge
    base carries the topic badly. `on_import` gets the counts of the import so far, `on_progress` percents.

    An article on the same topic, language and length that an earlier call left unfinished is finished and returned.

    Raises CoverageTooLow when the knowledge base does not carry the topic, InvalidInput for a topic that is refused and
    for arguments that are not of these types, TopicAlreadyGenerating while one is under way in another language or
    length, WritingFailed, ProviderFailed, and whatever iterating `sources` raises.
    """
    topic = checked_text("topic", topic)
    language, length = member_of(Language, "language", language), member_of(ArticleLength, "length", length)
    caller, key = await tenant_and_agent(services, language)
    scope = KbScope(key.niche_key, caller.tenant_id)
    await services.knowledge.import_sources(scope, checked_sources(sources), on_progress=on_import)
    command = PlanArticleCommand(
        caller=caller,
        agent_key=str(key),
        topic=topic,
        language=language,
        length=length,
        auto_validate=True,
        allow_low_coverage=allow_low_coverage,
    )
    async with _worker(services) as worker:
        await _update_index(services, worker)
        try:
            article = (await services.writing.plan(command)).article
        except TopicAlreadyGenerating:
            article = await _running_article(services, command)
        article = await _finish(services, article, worker, on_progress)
    if article.status is ArticleStatus.FAILED:
        raise WritingFailed(article.error or "The article could not be written.")
    async with services.ports.unit_of_work() as tx:  # plans bound what tenants of a service write, not what programs do
        await tx[Quotas].refund(caller.tenant_id, Quota.ARTICLES, month_window(article.created_at))
    return article


async def tenant_and_agent(services: CoreServices, language: Language) -> tuple[Caller, AgentKey]:
    """Return the one tenant and agent that programs write as, created at the first use. If several programs create them
    at once, the first that is recorded counts.
    """
    async with services.ports.unit_of_work() as tx:
        known = await tx[Installation].find(FACT)
    if known is None:
        created = await _create_tenant(services, language)
        async with services.ports.unit_of_work() as tx:
            known = await tx[Installation].get_or_put(FACT, created)
    tenant_id, key = known.split()
    return await services.people.tenants.owner_of(TenantId(tenant_id)), AgentKey.parse(key)


async def _create_tenant(services: CoreServices, language: Language) -> str:
    """A tenant's id and an agent's key. Its plan blocks uncovered topics, as every plan but Business does."""
    tenant = await services.people.tenants.create(TENANT, PlanName.PRO)
    niche = await services.agents.niches.create(CreateNicheCommand(tenant.caller, NICHE))
    await services.agents.niches.activate(
        ActivateNicheCommand(tenant.caller, niche.id, ("professional",), (language,), (COUNTRY,))
    )
    return f"{tenant.tenant.id} {AgentKey(niche.niche_key, COUNTRY)}"


async def _update_index(services: CoreServices, worker: str) -> None:
    """Bring the search index in step with what was imported, also where its folder was lost."""
    await services.knowledge.apply_index_changes.drain(worker)
    if await services.upkeep.maintain_index(worker):
        await services.knowledge.apply_index_changes.drain(worker)
    embed = services.knowledge.embed_passages
    if not embed.keeps:
        await embed.drain(worker)
        return
    # What is on a topic is known by its company. Of more documents a search embeds those that it finds.
    for _ in range(BATCHES_EMBEDDED_FIRST):
        if not await embed(worker):
            break


async def _running_article(services: CoreServices, command: PlanArticleCommand) -> Article:
    """The article that this command asks for and that is being written. Raises TopicAlreadyGenerating where it is
    another one of this topic."""
    query = ArticleQuery(command.caller.tenant_id, limit=UNDER_WAY, statuses=frozenset({ArticleStatus.GENERATING}))
    for article in (await services.writing.articles.page(query)).articles:
        same = article.brief.language is command.language and article.brief.length is command.length
        if same and article.topic_key == topic_key(command.topic or ""):
            return article
    raise TopicAlreadyGenerating()


@asynccontextmanager
async def _worker(services: CoreServices) -> AsyncIterator[str]:
    """Yield a new worker name for this call; its unfinished work is handed back when the block ends."""
    worker = f"{FACT}-{secrets.token_hex(8)}"
    try:
        yield worker
    finally:
        with suppress(ContentgenError):  # the database is away: its leases run out
            await services.knowledge.apply_index_changes.release(worker)
            await services.knowledge.embed_passages.release(worker)
            async with services.ports.unit_of_work() as tx:
                await tx[Jobs].release(worker, services.ports.clock.now())


async def _finish(services: CoreServices, article: Article, worker: str, on_progress: Callable[[int], None]) -> Article:
    """Return the article once its generation has ended. This process does the work if no other one does."""
    caller = await services.people.tenants.owner_of(article.tenant_id)
    work = asyncio.create_task(_work(services, worker))
    try:
        while article.status is ArticleStatus.GENERATING:
            await asyncio.wait({work}, timeout=LOOK_EVERY_SECONDS)
            article = await services.writing.articles.one(caller, article.id)
            on_progress(article.progress)
            if work.done() and article.status is ArticleStatus.GENERATING:
                work.result()
                work = asyncio.create_task(_work(services, worker))
        await asyncio.wait({work})  # it may be writing another one by now
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
    return article


async def _work(services: CoreServices, worker: str) -> None:
    """Write any one article that is due; if there is none, wait for a moment."""
    async with services.ports.unit_of_work() as tx:
        now = services.ports.clock.now()
        jobs = await tx[Jobs].claim(worker, frozenset({JobKind.GENERATE_ARTICLE}), now, now + LEASE, limit=1)
    for job in jobs:
        async with _renew_lease(services, worker):
            await services.jobs.generate_article(job)
    if not jobs:
        await asyncio.sleep(LOOK_EVERY_SECONDS)


@asynccontextmanager
async def _renew_lease(services: CoreServices, worker: str) -> AsyncIterator[None]:
    """Prolong the lease of the worker's job while the block runs."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            with suppress(ContentgenError):  # the database is away: the next renewal may be in time
                async with services.ports.unit_of_work() as tx:
                    await tx[Jobs].renew(worker, services.ports.clock.now() + LEASE)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
