"""Slugs of public articles: unique on the platform, and kept."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from tests.support.house import AGENT, COVERED, NICHE, open_house


@given(taken=st.sets(st.sampled_from(["heat", "heat-2", "heat-3", "heat-4", "cold"])))
def test_a_free_slug_is_the_wanted_one_or_its_first_free_number(taken: set[str]) -> None:
    slug = free_slug("heat", taken)
    assert slug not in taken
    assert slug == next(s for s in ("heat", "heat-2", "heat-3", "heat-4", "heat-5") if s not in taken)


async def test_an_article_that_an_administrator_makes_public_gets_a_slug_of_its_own() -> None:
    async with open_house() as house:
        admin = evolve(house.caller, platform_admin=True)
        articles = [
            builders.article(
                tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, slug="heat"
            )
            for _ in range(2)
        ]
        async with house.services.ports.unit_of_work() as tx:
            for article in articles:
                await tx[Articles].add(article)
        edit = house.services.writing.edit
        edited = [await edit(EditArticleCommand(admin, article.id, is_public=True)) for article in articles]
        assert [article.slug for article in edited] == ["heat", "heat-2"]
        again = await edit(EditArticleCommand(house.caller, articles[1].id, title="Another"))
        assert again.slug == "heat-2"
        private = await edit(EditArticleCommand(admin, articles[0].id, is_public=False))
        assert private.slug == "heat"


@pytest.mark.parametrize("public", [True, False])
async def test_a_public_article_that_is_written_keeps_its_address(public: bool) -> None:
    async with open_house() as house:
        planned = await house.services.writing.plan(
            PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN)
        )
        assert planned.article.plan is not None
        admin = evolve(house.caller, platform_admin=True)
        edited = await house.services.writing.edit(EditArticleCommand(admin, planned.article.id, is_public=public))
        plan = evolve(planned.article.plan, title="A title of quite another kind")
        await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id, plan))
        await house.work()
        written = await house.article(planned.article.id)
        assert written.status is ArticleStatus.GENERATED
        assert (written.slug == edited.slug) is public
