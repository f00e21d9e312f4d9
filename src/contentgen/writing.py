"""One article in one call: sources in, grounded article out. Embeds the whole core in a program, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta

from contentgen_core.errors import ContentgenError
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_core.use_cases.niches.manage import ActivateNicheCommand, CreateNicheCommand

WORKER = "here"
LOOK_EVERY_SECONDS = 0.1
NICHE_COUNTRY = "FR"


class WritingFailed(ContentgenError):
    """The article ended `failed`; the text is its reason."""

    code = "writing_failed"


async def write_article(
    services: CoreServices,
    topic: str,
    sources: Iterable[SourceText],
    *,
    language: Language = Language.EN,
    length: ArticleLength = ArticleLength.STANDARD,
    allow_low_coverage: bool = False,
    on_import: Callable[[ImportReport], None] = lambda _: None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Article:
    """Import the sources into a niche of their own, plan, write and check an article on the topic.

    `on_progress` gets percents. Raises CoverageTooLow when the sources do not carry the topic (unless allowed),
    InvalidInput for a topic that is refused, WritingFailed, and what reading the sources raises.
    """
    caller, key = await _niche_for(services, language)
    scope = KbScope(key.niche_key, caller.tenant_id)
    await services.knowledge.import_sources(scope, sources, on_progress=on_import)
    await services.knowledge.apply_index_changes.drain(WORKER)
    planned = await services.writing.plan(
        PlanArticleCommand(
            caller=caller,
            agent_key=str(key),
            topic=topic,
            language=language,
            length=length,
            auto_validate=True,
            allow_low_coverage=allow_low_coverage,
        )
    )
    work = asyncio.create_task(_work(services))
    article = planned.article
    while article.status is ArticleStatus.GENERATING:
        await asyncio.wait({work}, timeout=LOOK_EVERY_SECONDS)
        article = await services.writing.articles.one(caller, article.id)
        on_progress(article.progress)
        if work.done() and article.status is ArticleStatus.GENERATING:
            work.result()
            work = asyncio.create_task(_work(services))
    await work
    if article.status is ArticleStatus.FAILED:
        raise WritingFailed(article.error or "The article could not be written.")
    return article


async def _niche_for(services: CoreServices, language: Language) -> tuple[Caller, AgentKey]:
    """A tenant of its own, whose plan blocks uncovered topics as every plan but Business does."""
    tenant = await services.people.tenants.create("Local", PlanName.PRO)
    niche = await services.agents.niches.create(CreateNicheCommand(tenant.caller, "Sources"))
    await services.agents.niches.activate(
        ActivateNicheCommand(tenant.caller, niche.id, ("professional",), (language,), (NICHE_COUNTRY,))
    )
    return tenant.caller, AgentKey(niche.niche_key, NICHE_COUNTRY)


async def _work(services: CoreServices) -> None:
    """Run what is due once; an article waiting for a retry is found by the next look."""
    now = services.ports.clock.now()
    async with services.ports.unit_of_work() as tx:
        jobs = await tx.jobs.claim(
            WORKER, frozenset({JobKind.GENERATE_ARTICLE}), now, now + timedelta(hours=1), limit=1
        )
    for job in jobs:
        await services.jobs.generate_article(job)
