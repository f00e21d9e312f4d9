"""Upkeep: periodic work, and readiness checks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import frozen

from contentgen_core.services.database_check import DatabaseCheck
from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.agents.fire_schedules import FireSchedules
from contentgen_core.use_cases.article_updates.policies import ManageRefresh
from contentgen_core.use_cases.articles.similar import ReadTopics
from contentgen_core.use_cases.conflicts.manage_conflicts import ManageConflicts
from contentgen_core.use_cases.forget_history import ForgetHistory
from contentgen_core.use_cases.index_now.manage_index_now import ManageIndexNow
from contentgen_core.use_cases.integrations.reseal import ResealSecrets
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.index_upkeep import MaintainIndex, RebuildIndex
from contentgen_core.use_cases.niches.catalogue import EnsureCatalogue
from contentgen_core.use_cases.notice_outages import NoticeOutages
from contentgen_core.use_cases.public.send_alerts import SendAlerts
from contentgen_core.use_cases.search_queries.manage_search_demand import ManageSearchDemand
from contentgen_core.use_cases.synced_sources.manage_sources import ManageSources
from contentgen_core.use_cases.trends.finders import NewKnowledge, SearchedPages
from contentgen_core.use_cases.trends.refresh import RefreshTrends
from contentgen_core.use_cases.trends.texts import ReadTexts


@frozen(kw_only=True)
class Upkeep:
    """Periodic work. `checks`: for each part that readiness depends on, a check that raises with a text for an
    operator."""

    catalogue: EnsureCatalogue
    fire_schedules: FireSchedules
    sources: ManageSources
    refresh: ManageRefresh
    read_topics: ReadTopics
    search_demand: ManageSearchDemand
    index_now: ManageIndexNow
    conflicts: ManageConflicts
    refresh_trends: RefreshTrends
    send_alerts: SendAlerts
    embed_passages: EmbedPassages
    embedding_weights: EmbeddingWeights
    maintain_index: MaintainIndex
    forget_history: ForgetHistory
    notice_outages: NoticeOutages
    sealing_keys: AgreeOnSealingKeys
    reseal_secrets: ResealSecrets
    checks: Mapping[str, Callable[[], Awaitable[None]]]

    @classmethod
    def compose(cls, shared: Shared) -> Upkeep:
        p, background, base = shared.ports, shared.background, shared.options.public_url or ""
        sealing_keys = AgreeOnSealingKeys(p.unit_of_work, p.secret_box)
        rebuild = RebuildIndex(background, p.index, shared.background_apply)
        return cls(
            catalogue=EnsureCatalogue(p.unit_of_work, p.clock, p.ids),
            fire_schedules=FireSchedules(background, p.time_zones, p.clock, p.ids),
            sources=ManageSources(
                background, p.sources, shared.source_secrets, shared.background_apply, p.clock, p.ids
            ),
            refresh=ManageRefresh(background, p.clock, p.ids),
            read_topics=ReadTopics(background, p.analysis, p.renderer, shared.topic_meaning),
            search_demand=ManageSearchDemand(background, p.clock, p.ids),
            index_now=ManageIndexNow(background, p.clock, p.ids, p.new_salt, shared.options.public_url),
            conflicts=ManageConflicts(background, p.clock, p.ids),
            refresh_trends=_refresh_trends(shared),
            send_alerts=SendAlerts(background, p.mailer, p.alert_tokens, p.clock, p.ids, base),
            embed_passages=shared.background_embed,
            embedding_weights=shared.embedding_weights,
            forget_history=ForgetHistory(background, p.clock, shared.options.history_kept),
            notice_outages=NoticeOutages(background),
            maintain_index=MaintainIndex(background, p.index, rebuild, shared.background_embed, p.clock),
            sealing_keys=sealing_keys,
            reseal_secrets=ResealSecrets(
                p.unit_of_work, shared.connect, shared.source_secrets, shared.webhook_secrets, shared.sign, sealing_keys
            ),
            checks={
                "database": DatabaseCheck(p.watching_unit_of_work or p.unit_of_work, p.clock),
                "index": p.index.check,
                "objects": p.objects.check,
                "sealingKeys": sealing_keys,
            },
        )


def _refresh_trends(shared: Shared) -> RefreshTrends:
    p, background = shared.ports, shared.background
    finders = (
        *p.trend_finders,
        SearchedPages(p.searches, p.detector, p.clock, shared.options.trend_searches),
        NewKnowledge(background, p.countries, p.clock),
    )
    texts = ReadTexts(background, p.pages, p.clock)
    return RefreshTrends(background, finders, texts, p.analysis, p.renderer, p.clock, shared.options.trends_every)
