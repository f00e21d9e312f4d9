"""Enrichment: the states and their order, what it brings in, and what it costs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.web_search.catalog import SETTINGS
from contentgen_core.errors import (
    DailyQuotaExceeded,
    IdempotencyKeyReused,
    IllegalTransition,
    InvalidInput,
    NotConfigured,
    NotFound,
    NotPermitted,
    PlanForbids,
    ProviderFailed,
)
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.enrichment import CAN_GENERATE, ENDED, PROGRESS, STAGES, TRANSITIONS, Enrichment
from contentgen_core.model.enrichment import EnrichmentStatus as Status
from contentgen_core.model.ids import EnrichmentId, TenantId
from contentgen_core.model.knowledge import KbView, Origin
from contentgen_core.model.tenant import PlanName, Quota, Role
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.web_search import CitedStatement, ConfiguredWebSearches
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.enrichment.start import EnrichCommand, Rejected, Started, search_for
from contentgen_core.use_cases.idempotency import IdempotencyKey
from tests.support.house import AGENT, House, open_house
from tests.support.mortal import died_after

TOPIC = "Noise limits for a heat pump in terraced houses"


def fresh() -> Enrichment:
    key = AgentKey("home-energy", "GB")
    return Enrichment(EnrichmentId("e"), TenantId("t"), key, TOPIC, "serper", MOMENT)


async def started(house: House, **changes: Any) -> Started:
    outcome = await house.services.knowledge.enrich(evolve(EnrichCommand(house.caller, AGENT, TOPIC), **changes))
    assert isinstance(outcome, Started)
    return outcome


async def enrichment_of(house: House, outcome: Started) -> Enrichment:
    return await house.services.knowledge.enrichments.get(house.caller, outcome.enrichment.id)


async def used(house: House) -> int:
    return (await house.services.people.tenant.quotas(house.caller))[Quota.ENRICHMENTS].used


# ------------------------------------------------------------------------------------------------------ the states


def test_the_progress_and_can_generate_of_each_state_are_the_specifications() -> None:
    table = {
        "pending": (5, False), "queued": (5, False), "searching": (20, False), "fetching": (40, False),
        "processing": (60, False), "indexing": (80, False), "ready": (90, True), "completed": (100, True),
        "failed": (0, False),
    }  # fmt: skip
    assert {s: (PROGRESS[s], s in CAN_GENERATE) for s in Status if s is not Status.ENRICHING} == table
    assert 10 <= PROGRESS[Status.ENRICHING] <= 95
    assert Status.ENRICHING not in CAN_GENERATE


@given(st.lists(st.sampled_from(Status), max_size=30), st.lists(st.floats(0, 1), min_size=30, max_size=30))
def test_on_the_way_to_completed_progress_never_falls_and_no_state_is_skipped(
    wanted: list[Status], shares: list[float]
) -> None:
    enrichment, way = fresh(), [Status.PENDING]
    seen = [enrichment.progress]
    for status, share in zip(wanted, shares, strict=False):
        try:
            enrichment = enrichment.moved_to(status, MOMENT, "")
        except IllegalTransition:
            continue
        way.append(status)
        if status is Status.ENRICHING:
            enrichment = enrichment.enriching(share, 3)
        seen.append(enrichment.progress)
    reached = way[:-1] if way[-1] is Status.FAILED else way
    assert tuple(reached) == STAGES[: len(reached)]
    assert seen[: len(reached)] == sorted(seen[: len(reached)])
    assert (enrichment.completed_at is None) == (enrichment.status not in ENDED)
    assert (enrichment.status is Status.FAILED) <= (enrichment.progress == 0)


@given(st.sampled_from(Status))
def test_every_state_that_has_not_ended_can_fail_and_an_ended_one_stays(status: Status) -> None:
    assert (Status.FAILED in TRANSITIONS[status]) == (status not in ENDED)


# --------------------------------------------------------------------------------------------------- from end to end


async def test_an_enrichment_ends_completed_and_the_topic_is_then_covered() -> None:
    async with open_house() as house:
        check = CheckCoverageCommand(house.caller, AGENT, TOPIC)
        before = await house.services.writing.check_coverage(check)
        outcome = await started(house)
        assert (outcome.enrichment.status, outcome.enrichment.provider) == (Status.PENDING, "scripted")
        assert outcome.remaining == 9
        await house.work()
        enrichment = await enrichment_of(house, outcome)
        assert (enrichment.status, enrichment.progress, enrichment.error) == (Status.COMPLETED, 100, None)
        assert enrichment.insights_added >= 4
        after = await house.services.writing.check_coverage(check)
        assert after.coverage.score > before.coverage.score
        assert any("web.example.org" in (r.passage.document.url or "") for r in after.coverage.ranked)


async def test_the_agents_country_and_the_niches_language_reach_the_search() -> None:
    async with open_house() as house:
        await started(house)
        await house.work()
        [query] = house.web.queries
        assert (query.text, query.country, query.language) == (TOPIC, "GB", "en")


async def test_passages_keep_where_and_when_they_were_found_and_reach_no_other_tenant() -> None:
    async with open_house() as house:
        outcome = await started(house)
        await house.work()
        ids = (await enrichment_of(house, outcome)).documents
        async with house.services.ports.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of(ids)
            other = (await house.other_tenant()).tenant_id
        documents = {p.document for p in passages}
        assert {d.url for d in documents} == set(house.web.pages)
        assert all(d.fetched_at == house.clock.now() and d.published is not None for d in documents)
        assert {d.author for d in documents} == {"Ada Ohm"}
        assert {d.origin for d in documents} == {Origin.WEB}
        view = KbView("home-energy", other, frozenset({"GB"}))
        found = await house.services.jobs.generate_article.retrieve(view, TOPIC, 60)
        assert not any(r.passage.document.id in ids for r in found.ranked)


async def test_what_a_model_distils_is_marked_checked_and_no_source_of_its_own() -> None:
    async with open_house() as house:
        house.model.invented = ("Whales sing at 188 decibels.",)
        house.web.statements = (
            CitedStatement("At night the noise limits are 35 decibels.", ("https://web.example.org/limits",)),
            CitedStatement("Heat pumps were banned in 1999.", ("https://web.example.org/limits",)),
        )
        await started(house)
        await house.work()
        view = KbView("home-energy", house.caller.tenant_id, frozenset({"GB"}))
        found = (await house.services.jobs.generate_article.retrieve(view, TOPIC, 60)).ranked
        ai = [r.passage for r in found if r.passage.document.origin is Origin.AI]
        said = " ".join(p.text for p in ai)
        assert "35 decibels" in said
        assert "Whales" not in said
        assert "1999" not in said
        assert {p.document.url for p in ai} <= set(house.web.pages)
        coverage = (
            await house.services.writing.check_coverage(CheckCoverageCommand(house.caller, AGENT, TOPIC))
        ).coverage
        assert coverage.evidence.documents <= len({r.passage.document.url for r in found})


async def test_a_copy_of_a_page_brings_nothing_in() -> None:
    async with open_house() as house:
        title, text = house.web.pages["https://web.example.org/noise"]
        house.web.pages["https://mirror.example.org/noise"] = (title, text + "\n\nCopied with kind permission.")
        outcome = await started(house)
        await house.work()
        enrichment = await enrichment_of(house, outcome)
        assert enrichment.status is Status.COMPLETED
        assert len(enrichment.documents) == len(house.web.pages) - 1


async def test_the_same_topic_again_reports_nothing_new_and_costs_nothing() -> None:
    async with open_house() as house:
        first = await started(house)
        await house.work()
        house.clock.advance(seconds=60)
        again = await started(house)
        assert await used(house) == 2
        await house.work()
        enrichment = await enrichment_of(house, again)
        assert (enrichment.status, enrichment.insights_added, enrichment.can_generate) == (Status.COMPLETED, 0, True)
        assert "0 new insights" in enrichment.message
        assert "not counted" in enrichment.message
        assert await used(house) == 1
        assert (await enrichment_of(house, first)).insights_added >= 4


async def test_the_same_topic_again_counts_what_came_since() -> None:
    async with open_house() as house:
        house.web.pages, later = dict(list(house.web.pages.items())[:-1]), house.web.pages
        await started(house)
        await house.work()
        house.clock.advance(seconds=60)
        house.web.pages = later
        again = await started(house)
        await house.work()
        enrichment = await enrichment_of(house, again)
        async with house.services.ports.unit_of_work() as tx:
            held = await tx[Knowledge].passages_of(enrichment.documents)
        assert enrichment.status is Status.COMPLETED
        assert 0 < enrichment.insights_added < len(held)
        assert await used(house) == 2


# -------------------------------------------------------------------------------------------------- refused, rejected


async def test_a_topic_foreign_to_the_niche_is_rejected_and_nothing_is_spent() -> None:
    async with open_house() as house:
        command = EnrichCommand(house.caller, AGENT, "Medieval falconry manuals in Iceland")
        outcome = await house.services.knowledge.enrich(command)
        assert isinstance(outcome, Rejected)
        assert outcome.reason
        assert 0 <= outcome.confidence <= 1
        assert outcome.remaining == 10
        assert await used(house) == 0
        assert await house.work() == 0


@pytest.mark.parametrize("plan", [PlanName.FREE, PlanName.STARTER])
async def test_plans_without_enrichment_are_told_so(plan: PlanName) -> None:
    async with open_house() as house:
        with pytest.raises(PlanForbids):
            await started(house, caller=house.on_plan(plan))


async def test_a_viewer_may_not_enrich() -> None:
    async with open_house() as house:
        with pytest.raises(NotPermitted):
            await started(house, caller=evolve(house.caller, role=Role.VIEWER))


@pytest.mark.parametrize("changes", [{"topic": "short"}, {"topic": "x" * 501}, {"agent_key": "nope"},
                                     {"topic": "Look at https://evil.example.com"}, {"niche_label": "{{7*7}}"},
                                     {"niche_label": "x" * 101}])  # fmt: skip
async def test_what_breaks_a_rule_is_refused(changes: dict[str, Any]) -> None:
    async with open_house() as house:
        with pytest.raises(InvalidInput):
            await started(house, **changes)
        assert await used(house) == 0


async def test_an_agent_of_nobody_is_not_found() -> None:
    async with open_house() as house:
        with pytest.raises(NotFound):
            await started(house, agent_key="home-energy-FR")


async def test_without_a_search_the_settings_are_named() -> None:
    async with open_house() as house:
        start = evolve(house.services.knowledge.enrich, searches=ConfiguredWebSearches(None, None, SETTINGS))
        with pytest.raises(NotConfigured, match="CONTENTGEN_SERPER_API_KEY"):
            await start(EnrichCommand(house.caller, AGENT, TOPIC))
        assert await used(house) == 0


async def test_only_business_searches_with_the_premium_search() -> None:
    async with open_house() as house:
        house.web.provider = "gpt_premium"
        searches = ConfiguredWebSearches(None, house.web, SETTINGS)
        async with house.services.ports.unit_of_work() as tx:
            context = await context_of_agent(tx, house.caller.tenant_id, AgentKey.parse(AGENT))
        assert search_for(searches, PlanName.BUSINESS, context) is house.web
        with pytest.raises(NotConfigured):
            search_for(searches, PlanName.PRO, context)


async def test_twelve_at_once_with_three_left_make_exactly_three() -> None:
    async with open_house() as house:
        for _ in range(7):
            await started(house)
        outcomes = await asyncio.gather(*(started(house) for _ in range(12)), return_exceptions=True)
        assert sum(isinstance(o, Started) for o in outcomes) == 3
        assert all(isinstance(o, Started | DailyQuotaExceeded) for o in outcomes)
        assert await used(house) == 10


async def test_a_call_that_is_repeated_with_its_key_spends_once() -> None:
    async with open_house() as house:
        key = IdempotencyKey("k", "same")
        first, second = await started(house, idempotency=key), await started(house, idempotency=key)
        assert first.enrichment.id == second.enrichment.id
        assert await used(house) == 1
        with pytest.raises(IdempotencyKeyReused):
            await started(house, idempotency=IdempotencyKey("k", "other"))


async def test_another_tenant_does_not_see_it() -> None:
    async with open_house() as house:
        outcome = await started(house)
        with pytest.raises(NotFound):
            await house.services.knowledge.enrichments.get(await house.other_tenant(), outcome.enrichment.id)


# ------------------------------------------------------------------------------------------------ failing and going on


async def test_a_failed_enrichment_says_why_and_gives_its_enrichment_back_once() -> None:
    async with open_house() as house:
        house.web.pages = {}
        outcome = await started(house)
        assert await used(house) == 1
        await house.work()
        enrichment = await enrichment_of(house, outcome)
        assert (enrichment.status, enrichment.progress, enrichment.can_generate) == (Status.FAILED, 0, False)
        assert "no page" in (enrichment.error or "")
        assert await used(house) == 0


async def test_a_yesterdays_failure_gives_nothing_back_to_today() -> None:
    async with open_house() as house:
        house.web.pages = {}
        await started(house)
        house.clock.advance(days=1)
        other = await started(house)
        await house.work()
        assert (await enrichment_of(house, other)).status is Status.FAILED
        assert await used(house) == 0


async def test_unreadable_pages_are_passed_over_and_none_readable_is_a_failure() -> None:
    async with open_house() as house:
        house.web.pages["https://web.example.org/wall"] = ("Consent", "")
        outcome = await started(house)
        await house.work()
        assert (await enrichment_of(house, outcome)).status is Status.COMPLETED
        house.web.pages = {"https://web.example.org/wall": ("Consent", "")}
        outcome = await started(house)
        await house.work()
        enrichment = await enrichment_of(house, outcome)
        assert enrichment.status is Status.FAILED
        assert "no text" in (enrichment.error or "")


async def test_too_few_insights_are_no_ground_to_write_on() -> None:
    async with open_house() as house:
        house.web.pages = dict(list(house.web.pages.items())[:1])
        outcome = await started(house)
        await house.work()
        enrichment = await enrichment_of(house, outcome)
        assert (enrichment.status, enrichment.can_generate) == (Status.FAILED, False)
        assert "Only" in (enrichment.error or "")


async def test_a_search_that_is_away_is_asked_again_and_given_up_after_three_attempts() -> None:
    async with open_house() as house:
        outcome = await started(house)

        def away(what: str) -> None:
            raise ProviderFailed("scripted", "overloaded", retryable=True)

        house.web.before = away
        for attempt in range(3):
            assert await house.work() == 1
            house.clock.advance(seconds=20)
            expected = Status.SEARCHING if attempt < 2 else Status.FAILED
            assert (await enrichment_of(house, outcome)).status is expected
        assert await used(house) == 0


async def test_a_process_that_dies_at_any_transaction_is_replaced_and_nothing_is_done_twice() -> None:
    seen: set[Status] = set()
    for transactions in range(100):
        async with open_house() as house:
            outcome = await started(house)
            [job] = await house.claim("w1")
            died = await died_after(house, transactions, job)
            seen.add((await enrichment_of(house, outcome)).status)
            house.clock.advance(seconds=31)
            await house.work("w2")
            enrichment = await enrichment_of(house, outcome)
            assert enrichment.status is Status.COMPLETED
            assert await used(house) == 1
            async with house.services.ports.unit_of_work() as tx:
                passages = await tx[Knowledge].passages_of(enrichment.documents)
            assert len({p.content_hash for p in passages}) == len(passages)
            assert {p.document.url for p in passages} == set(house.web.pages)
            assert sum(house.web.reads.values()) <= 2 * len(house.web.pages)
            if not died:
                break
    assert seen == set(STAGES), "the process died in every state"
