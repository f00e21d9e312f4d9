"""The list of articles: pages, filters, search and order."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles, SortBy
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant, given_tenants

ODD_SEARCHES: Final = (
    *("'", '"', "''", '"heat', "heat'", ":*", "heat:*", "heat:A", "&", "|", "!", "()", "((", "<->", "heat <-> pump"),
    *(
        "heat & pump",
        "heat | pump",
        "!heat",
        "!(heat)",
        "heat \\ pump",
        "\\",
        "%",
        "_",
        "*",
        "--",
        ";",
        "$1",
        "%s",
        "{}",
    ),
    *("\x00", "heat\x00pump", "\t\n", "\u200b", "🔥", "ﬁ", "İ", "é", "e\u0301", "a" * 5_000, "word " * 500),
)


async def _listed(unit_of_work: UnitOfWork, tenant_id: TenantId, **query: Any) -> list[Article]:
    asked = ArticleQuery(tenant_id, **{"limit": 100} | query)
    async with unit_of_work() as tx:
        page, summaries = await tx[Articles].page(asked), await tx[Articles].summaries(asked)
    assert page.total == summaries.total == len(page.articles)
    assert [_comparable(found) for found in summaries.articles] == [
        _comparable(ArticleSummary.of(article)) for article in page.articles
    ]
    return list(page.articles)


def _comparable(summary: ArticleSummary) -> ArticleSummary:
    missing = summary.coverage_missing
    return summary._replace(
        keywords=tuple(summary.keywords), coverage_missing=None if missing is None else tuple(missing)
    )


class ArticlePagesContract:
    async def test_a_page_may_be_of_one_state_of_approval(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        waiting = Approval(ApprovalState.IN_REVIEW, MOMENT)
        plain, asked, approved = (builders.article(tenant_id=tenant.id, content=f"Text {n}.") for n in range(3))
        asked = evolve(asked, approval=waiting)
        approved = evolve(approved, approval=Approval(ApprovalState.APPROVED, MOMENT, text_hash=approved.text_hash))
        await given(unit_of_work, plain, asked, approved)
        await given(unit_of_work, builders.article(tenant_id=other.id, approval=waiting))
        assert await _listed(unit_of_work, tenant.id, approval=ApprovalState.IN_REVIEW) == [asked]
        assert await _listed(unit_of_work, tenant.id, approval=ApprovalState.APPROVED) == [approved]
        assert await _listed(unit_of_work, tenant.id, approval=ApprovalState.CHANGES_REQUESTED) == []
        assert await _listed(unit_of_work, tenant.id, approval=ApprovalState.APPROVED, search="text") == [approved]
        assert await _listed(unit_of_work, tenant.id, language=Language.FR) == []
        in_english = {"language": asked.brief.language, "approval": ApprovalState.IN_REVIEW}
        assert await _listed(unit_of_work, tenant.id, **in_english) == [asked]
        async with unit_of_work() as tx:
            changed = await tx[Articles].save(evolve(approved, content="Another text."))
        assert await _listed(unit_of_work, tenant.id, approval=ApprovalState.APPROVED) == []
        lapsed, waits = await _listed(unit_of_work, tenant.id, approval=ApprovalState.IN_REVIEW)
        assert (lapsed.id, lapsed.approval_state) == (changed.id, ApprovalState.IN_REVIEW)
        assert waits == asked

    async def test_without_articles_the_page_is_empty(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        assert await _listed(unit_of_work, tenant.id) == []

    async def test_a_tenant_lists_its_own_articles_only(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        mine, theirs = (builders.article(tenant_id=t.id) for t in (tenant, other))
        await given(unit_of_work, mine, theirs)
        assert await _listed(unit_of_work, tenant.id) == [mine]

    async def test_pages_follow_each_other_and_know_the_total(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = [builders.article(tenant_id=tenant.id, created_at=MOMENT - timedelta(minutes=n)) for n in range(5)]
        await given(unit_of_work, *articles)
        async with unit_of_work() as tx:
            pages = [await tx[Articles].page(ArticleQuery(tenant.id, page=n, limit=2)) for n in (1, 2, 3, 4)]
        assert [list(page.articles) for page in pages] == [articles[:2], articles[2:4], articles[4:], []]
        assert {page.total for page in pages} == {5}

    async def test_listed_articles_come_without_their_heavy_parts(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.full_article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        light = evolve(article, plan=None, sources=(), grounding=None, usage=None, image_credit=None)
        assert await _listed(unit_of_work, tenant.id) == [light]
        async with unit_of_work() as tx:
            assert await tx[Articles].listed(tenant.id, article.id) == light

    async def test_an_article_is_listed_for_its_tenant_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        for tenant_id, id in ((other.id, article.id), (tenant.id, ArticleId("nope")), (tenant.id, ArticleId("\x00"))):
            async with unit_of_work() as tx:
                with pytest.raises(NotFound):
                    await tx[Articles].listed(tenant_id, id)

    async def test_articles_are_filtered_by_niche(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        boats, cars = (builders.article(tenant_id=tenant.id, niche_key=key) for key in ("boats", "cars"))
        await given(unit_of_work, boats, cars)
        assert await _listed(unit_of_work, tenant.id, niche_key="boats") == [boats]
        for unknown in ("boat", "", "\x00"):
            assert await _listed(unit_of_work, tenant.id, niche_key=unknown) == []

    async def test_articles_are_filtered_by_any_of_several_states(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        by_status = {status: builders.article(tenant_id=tenant.id, status=status) for status in ArticleStatus}
        await given(unit_of_work, *by_status.values())
        for wanted in (*(frozenset({status}) for status in ArticleStatus), frozenset(list(ArticleStatus)[1:4])):
            found = await _listed(unit_of_work, tenant.id, statuses=wanted)
            assert {article.status for article in found} == wanted
        assert len(await _listed(unit_of_work, tenant.id, statuses=frozenset())) == len(ArticleStatus)

    async def test_filters_narrow_together(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        wanted = builders.article("Wind power", tenant_id=tenant.id, niche_key="boats")
        await given(
            unit_of_work,
            wanted,
            builders.article("Wind power", tenant_id=tenant.id, niche_key="cars"),
            builders.article("Sun", tenant_id=tenant.id, niche_key="boats"),
            builders.article("Wind power", tenant_id=tenant.id, niche_key="boats", status=ArticleStatus.FAILED),
        )
        statuses = frozenset({ArticleStatus.DRAFT})
        assert await _listed(unit_of_work, tenant.id, niche_key="boats", search="wind", statuses=statuses) == [wanted]


class ArticleSearchContract:
    @pytest.mark.parametrize(
        ("search", "found"),
        [
            ("heat", True),
            ("HEAT", True),
            ("hea", True),
            ("pump heat", True),
            ("pu he", True),
            ("  pump\t heat ", True),
            ("kilowatt", True),
            ("heat kilo", True),
            ("2026", True),
            ("éco", True),
            ("ÉCO", True),
            ("теп", True),
            ("eat", False),
            ("heat boiler", False),
            ("heatpump", False),
            ("kilowatts", False),
        ],
    )
    async def test_every_word_must_begin_a_word_of_title_or_content(
        self, unit_of_work: UnitOfWork, search: str, found: bool
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(
            tenant_id=tenant.id,
            title="Heat pumps in 2026: économies",
            content="A **kilowatt** hour, and its price [1]. Тепловой насос.",
        )
        await given(unit_of_work, article, builders.article(tenant_id=tenant.id, title="Boats"))
        assert await _listed(unit_of_work, tenant.id, search=search) == ([article] if found else [])

    async def test_a_search_follows_the_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Wind", tenant_id=tenant.id)
        await given(unit_of_work, article)
        async with unit_of_work() as tx:
            saved = await tx[Articles].save(evolve(article, title="Tides", content="Water"))
        assert await _listed(unit_of_work, tenant.id, search="wind") == []
        assert await _listed(unit_of_work, tenant.id, search="tide wat") == [saved]

    async def test_odd_searches_never_fail(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.article("Heat pumps", tenant_id=tenant.id))
        for search in ODD_SEARCHES:
            assert len(await _listed(unit_of_work, tenant.id, search=search)) in (0, 1)

    @pytest.mark.parametrize(
        "search", ["heat:*", '"heat"', "(heat & pump)", "!heat", "heat' pump", "heat\x00", "%heat"]
    )
    async def test_signs_around_words_mean_nothing(self, unit_of_work: UnitOfWork, search: str) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Heat pumps", tenant_id=tenant.id)
        await given(unit_of_work, article, builders.article("Boats", tenant_id=tenant.id))
        assert await _listed(unit_of_work, tenant.id, search=search) == [article]

    @pytest.mark.parametrize("search", ["", "   ", "&", "'", ":*", "!()"])
    async def test_a_search_without_a_word_leaves_nothing_out(self, unit_of_work: UnitOfWork, search: str) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Heat pumps", tenant_id=tenant.id)
        await given(unit_of_work, article)
        assert await _listed(unit_of_work, tenant.id, search=search) == [article]

    async def test_a_very_long_article_can_be_stored_and_searched(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        words = " ".join(f"word{n}" for n in range(60_000))
        article = builders.article("Heat", tenant_id=tenant.id, content=words + " " + "x" * 3_000)
        await given(unit_of_work, article)
        assert await _listed(unit_of_work, tenant.id, search="heat word1") == [article]


class ArticleOrderContract:
    @pytest.mark.parametrize("sort_by", SortBy)
    async def test_articles_are_ordered_by_the_date_asked_for(self, unit_of_work: UnitOfWork, sort_by: SortBy) -> None:
        tenant = await given_tenant(unit_of_work)
        hours = [timedelta(hours=n) for n in range(3)]
        created, updated, published = (
            builders.article(
                tenant_id=tenant.id,
                created_at=MOMENT + hours[shift],
                updated_at=MOMENT + hours[(shift + 1) % 3],
                published_at=MOMENT + hours[(shift + 2) % 3],
            )
            for shift in (2, 1, 0)
        )
        await given(unit_of_work, created, updated, published)
        newest_first = {
            SortBy.CREATED_AT: [created, updated, published],
            SortBy.UPDATED_AT: [updated, published, created],
            SortBy.PUBLISHED_AT: [published, created, updated],
        }[sort_by]
        assert await _listed(unit_of_work, tenant.id, sort_by=sort_by) == newest_first
        assert await _listed(unit_of_work, tenant.id, sort_by=sort_by, descending=False) == newest_first[::-1]

    async def test_unpublished_articles_come_last_in_either_order(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        draft = builders.article(tenant_id=tenant.id)
        old, new = (builders.article(tenant_id=tenant.id, published_at=MOMENT.replace(hour=h)) for h in (8, 20))
        await given(unit_of_work, old, draft, new)
        by_publication = {"sort_by": SortBy.PUBLISHED_AT}
        assert await _listed(unit_of_work, tenant.id, **by_publication) == [new, old, draft]
        assert await _listed(unit_of_work, tenant.id, **by_publication, descending=False) == [old, new, draft]

    @pytest.mark.parametrize("sort_by", SortBy)
    async def test_equal_or_missing_dates_are_ordered_by_id(self, unit_of_work: UnitOfWork, sort_by: SortBy) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = [builders.article(tenant_id=tenant.id) for _ in range(4)]
        await given(unit_of_work, articles[2], articles[0], articles[3], articles[1])
        assert await _listed(unit_of_work, tenant.id, sort_by=sort_by, descending=False) == articles
        assert await _listed(unit_of_work, tenant.id, sort_by=sort_by) == articles[::-1]
