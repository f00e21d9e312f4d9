"""Approval: nothing of a niche that demands it goes out before its present text is approved, whatever the way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted
from contentgen_core.model.approval import LAPSED, ApprovalRequired, ApprovalState
from contentgen_core.model.article import ArticleStatus, Seo
from contentgen_core.model.article_update import RefreshMode, UpdateState
from contentgen_core.model.ids import UserId
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.tenant import Role
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from contentgen_core.use_cases.generation.publish_scheduled import NOT_PUBLISHED
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.approval import EDITOR, an_article, connected, demanded, edited, editor, state
from tests.support.changing_sources import GRANT, changed, written
from tests.support.house import NICHE, open_house
from tests.support.runs import articles, ended, execute
from tests.support.team import joined

REQUESTED = {
    "title": "title",
    "content": "content",
    "excerpt": "excerpt",
    "featured_image": "featuredImage",
    "slug": "slug",
    "tags": "tags",
    "categories": "categories",
    "canonical_url": "canonicalUrl",
    "options": "note",
}
"""The fields of a request as callers name them."""


class TestDeciding:
    async def test_from_nobody_asked_to_approved_and_back(self) -> None:
        async with open_house() as house:
            approval, id = house.services.writing.approval, await an_article(house)
            assert await state(house, id) is ApprovalState.NONE
            submitted = await approval.submit(editor(house), id)
            assert submitted.approval is not None
            assert (submitted.approval_state, submitted.approval.by) == (ApprovalState.IN_REVIEW, EDITOR)
            back = await approval.send_back(house.caller, id, " Who says that? ")
            assert back.approval is not None
            assert (back.approval_state, back.approval.reason) == (ApprovalState.CHANGES_REQUESTED, "Who says that?")
            await edited(house, id, content="The manual says that heat moves.\n")
            assert await state(house, id) is ApprovalState.CHANGES_REQUESTED
            await approval.submit(editor(house), id)
            approved = await approval.approve(house.caller, id, (await house.article(id)).text_hash)
            assert approved.approval is not None
            assert (approved.approval.by, approved.approval.at) == (house.caller.user_id, house.clock.now())
            assert (await approval.submit(editor(house), id)).approval_state is ApprovalState.APPROVED

    @pytest.mark.parametrize(
        "changes",
        [
            {"title": "Another"},
            {"content": "Other words.\n"},
            {"excerpt": "In short."},
            {"seo": Seo("Another", None)},
            {"featured_image": "https://images.example.org/other.jpg"},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    async def test_an_approval_is_of_the_text_as_it_was(self, changes: dict[str, Any]) -> None:
        async with open_house() as house:
            id = await an_article(house)
            before = await house.services.writing.approval.approve(house.caller, id)
            changed = await edited(house, id, **changes)
            said = changed.present_approval
            assert said is not None
            assert (said.state, said.reason, said.by) == (ApprovalState.IN_REVIEW, LAPSED, None)
            with pytest.raises(NothingToApprove, match="changed since"):
                await house.services.writing.approval.approve(house.caller, id, before.text_hash)
            await edited(house, id, status=ArticleStatus.DRAFT)
            approved = await house.services.writing.approval.approve(house.caller, id)
            kept = await edited(house, id, scheduled_for=house.clock.now() + timedelta(days=1))
            assert (approved.approval_state, kept.approval_state) == (ApprovalState.APPROVED,) * 2

    async def test_those_whom_the_niche_names_approve(self) -> None:
        async with open_house() as house:
            id, approval = await an_article(house), house.services.writing.approval
            _, lawyer = await joined(house, Role.VIEWER)
            for nobody in (editor(house), lawyer):
                with pytest.raises(NotPermitted, match="admin or higher"):
                    await approval.approve(nobody, id)
                with pytest.raises(NotPermitted):
                    await approval.send_back(nobody, id, "No.")
            with pytest.raises(NotPermitted):
                await approval.submit(lawyer, id)
            await demanded(house, roles=(), user_ids=(lawyer.user_id,))
            assert (await approval.approve(lawyer, id)).approval_state is ApprovalState.APPROVED
            with pytest.raises(NotPermitted, match="1 users by name"):
                await approval.approve(house.caller, id)

    async def test_without_a_text_there_is_nothing_to_approve(self) -> None:
        async with open_house() as house:
            id, approval = await an_article(house, content=""), house.services.writing.approval
            for decision in (approval.submit(house.caller, id), approval.approve(house.caller, id)):
                with pytest.raises(NothingToApprove):
                    await decision
            for reason in ("", " ", "x" * 2_001, "a\0b"):
                with pytest.raises(InvalidInput):
                    await approval.send_back(house.caller, id, reason)


class TestRules:
    async def test_they_are_chosen_by_administrators_and_kept(self) -> None:
        async with open_house() as house:
            policies = house.services.writing.approval_policies
            first = await policies.get(house.caller, NICHE)
            assert (first.required, first.roles, first.user_ids) == (False, (Role.ADMIN,), ())
            await demanded(house)
            kept = await policies.set(house.caller, NICHE, roles=(Role.OWNER, Role.OWNER))
            assert (kept.required, kept.roles) == (True, (Role.OWNER,))
            assert await policies.get(house.caller, NICHE) == kept
            with pytest.raises(NotPermitted):
                await policies.set(editor(house), NICHE, required=False)
            with pytest.raises(NotPermitted):
                await policies.delete(editor(house), NICHE)
            with pytest.raises(NotFound):
                await policies.set(house.caller, NICHE, user_ids=(UserId("nobody"),))
            for nobody in ({"roles": ()}, {"user_ids": tuple(map(UserId, map(str, range(51))))}):
                with pytest.raises(InvalidInput):
                    await policies.set(house.caller, NICHE, **nobody)  # type: ignore[arg-type]
            await policies.delete(house.caller, NICHE)
            await policies.delete(house.caller, NICHE)
            assert await policies.get(house.caller, NICHE) == first


class TestWaysOut:
    async def test_a_delivery_that_waits_looks_again(self) -> None:
        async with open_house() as house:
            id, integration = await an_article(house), await connected(house)
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, id)
            command = PublishCommand(house.caller, integration.id, id, PostRequest())
            publication = await house.services.publishing.publish.to_integration(command)
            await edited(house, id, content="Other words.\n")
            await house.work()
            ended = await house.services.publishing.publications.get(house.caller, publication.id)
            assert ended.status is PublicationStatus.FAILED
            assert "waits for its approval" in (ended.error or "")
            assert house.target.posts == {}
            with pytest.raises(ApprovalRequired):
                await house.services.publishing.publications.retry(house.caller, publication.id)
            await house.services.writing.approval.approve(house.caller, id)
            await house.services.publishing.publications.retry(house.caller, publication.id)
            await house.work()
            assert [post.markdown for post in house.target.posts.values()] == ["Other words.\n"]

    async def test_at_its_time_an_unapproved_article_is_a_draft_again(self) -> None:
        async with open_house() as house:
            id = await an_article(house)
            at = house.clock.now() + timedelta(hours=1)
            await edited(house, id, status=ArticleStatus.SCHEDULED, scheduled_for=at)
            await demanded(house)
            house.clock.advance(hours=2)
            await house.work()
            article = await house.article(id)
            assert article.approval is not None
            assert (article.status, article.approval.reason) == (ArticleStatus.DRAFT, NOT_PUBLISHED)
            assert article.approval_state is ApprovalState.IN_REVIEW

    async def test_agents_submit_what_they_may_not_publish(self) -> None:
        async with open_house() as house:
            await connected(house)
            await demanded(house)
            await ended(house, await execute(house, 1, autopublish=True))
            [article] = await articles(house)
            assert (article.status, article.approval_state) == (ArticleStatus.GENERATED, ApprovalState.IN_REVIEW)
            assert house.target.posts == {}

    async def test_posts_follow_a_patch_once_it_is_approved(self) -> None:
        async with open_house() as house:
            article, integration = await written(house), await connected(house)
            command = PublishCommand(house.caller, integration.id, article.id, PostRequest())
            await house.services.publishing.publish.to_integration(command)
            await house.work()
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, article.id)
            house.clock.advance(hours=1)
            await changed(house, 1, GRANT.replace("4,000", "2,500"))
            [stale] = (await house.services.writing.freshness(house.caller, article.id)).stale
            patch = house.services.writing.patch
            with pytest.raises(ApprovalRequired):
                await patch(house.caller, article.id, [AcceptedPatch(stale.position)], publish=True)
            assert (await house.article(article.id)).content == article.content
            await house.services.writing.refresh.set(house.caller, NICHE, RefreshMode.AUTO, publish=True)
            await house.work()
            [update] = await house.services.writing.updates.page(house.caller, UpdateState.PROPOSED, None, 9)
            await house.services.writing.updates.accept(house.caller, update.id)
            assert await state(house, article.id) is ApprovalState.IN_REVIEW
            await house.services.writing.approval.approve(house.caller, article.id)
            await house.services.publishing.publish.article(house.caller, article.id, None)
            await house.work()
            [post] = house.target.posts.values()
            assert "2,500" in post.markdown

    @pytest.mark.parametrize(
        "request_of",
        [
            {"title": "Mine"},
            {"content": "Mine."},
            {"excerpt": "Mine."},
            {"featured_image": "https://images.example.org/mine.jpg"},
            {"slug": "mine"},
            {"tags": ("mine",)},
            {"categories": ("Mine",)},
            {"canonical_url": "https://mine.example.org/"},
            {"options": {"note": "Mine."}},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    async def test_an_approved_article_goes_out_in_its_own_words(self, request_of: dict[str, Any]) -> None:
        async with open_house() as house:
            id, integration = await an_article(house), await connected(house)
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, id)
            command = PublishCommand(house.caller, integration.id, id, PostRequest(**request_of))
            with pytest.raises(ApprovalRequired, match=f"as it was approved.*{REQUESTED[next(iter(request_of))]}"):
                await house.services.publishing.publish.to_integration(command)
