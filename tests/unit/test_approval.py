"""Approval: nothing of a niche that demands it goes out before its present text is approved, whatever the way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.errors import ContentgenError, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.approval import LAPSED, ApprovalRequired, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus, Seo
from contentgen_core.model.article_update import RefreshMode, UpdateState
from contentgen_core.model.ids import ArticleId, UserId
from contentgen_core.model.publication import PostRequest, PostStatus, Publication, PublicationStatus
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.testing import builders
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from contentgen_core.use_cases.generation.publish_scheduled import NOT_PUBLISHED
from contentgen_core.use_cases.integrations.manage import NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.changing_sources import GRANT, changed, written
from tests.support.house import NICHE, House, open_house
from tests.support.runs import articles, ended, execute
from tests.support.team import joined

EDITOR = UserId("an editor")


async def an_article(house: House, content: str = "Heat moves.\n") -> ArticleId:
    article = builders.article(
        tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content=content
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx.articles.add(article)
    return article.id


async def demanded(house: House, **rules: Any) -> None:
    await house.services.writing.approval_policies.set(house.caller, NICHE, **{"required": True} | rules)


async def connected(house: House) -> Any:
    made = NewIntegration(house.caller, "memory", "Blog", True, {"token": TOKEN, "blog": "heat"}, {})
    return await house.services.publishing.integrations.create(made)


async def edited(house: House, article_id: ArticleId, **changes: Any) -> Article:
    return await house.services.writing.edit(EditArticleCommand(house.caller, article_id, **changes))


def editor(house: House) -> Caller:
    return evolve(house.caller, user_id=EDITOR, role=Role.EDITOR)


async def state(house: House, article_id: ArticleId) -> ApprovalState:
    return (await house.article(article_id)).approval_state


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
        ],
        ids=lambda changes: next(iter(changes)),
    )
    async def test_an_approved_article_goes_out_in_its_own_words(self, request_of: dict[str, Any]) -> None:
        async with open_house() as house:
            id, integration = await an_article(house), await connected(house)
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, id)
            command = PublishCommand(house.caller, integration.id, id, PostRequest(**request_of))
            with pytest.raises(ApprovalRequired, match="as it was approved"):
                await house.services.publishing.publish.to_integration(command)


# ------------------------------------------------------------------------------------------------------- any sequence

_texts = st.sampled_from(("One.\n", "Two.\n", "Three.\n"))
_statuses = st.sampled_from(PostStatus)


class ApprovalMachine(RuleBasedStateMachine):
    """One article, two places, and everything that may happen to them. `approved`: the text that an approver approved
    last, unless it was sent back since."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._opened = open_house()
        self.house = self.run(self._opened.__aenter__())
        self.id = self.run(an_article(self.house, "One.\n"))
        self.integrations = [self.run(connected(self.house)) for _ in range(2)]
        self.run(demanded(self.house))
        self.run(self.house.services.writing.approval.approve(self.house.caller, self.id))
        self.approved: str | None = "One.\n"
        self.required = True
        self.seen: dict[str, tuple[str, str]] = {}
        self.faults: list[PublishFailed] = []
        self.house.target.before = self._before

    def teardown(self) -> None:
        self.run(self._opened.__aexit__(None, None, None))
        self._runner.close()

    def run(self, action: Awaitable[Any]) -> Any:
        async def inside() -> Any:
            return await action

        return self._runner.run(inside())

    def tried(self, action: Awaitable[Any]) -> Any:
        """What it gives; None when it is refused."""
        try:
            return self.run(action)
        except ContentgenError:
            return None

    def _before(self, name: str) -> None:
        if self.faults and name in ("create", "update", "after create"):
            raise self.faults.pop()

    @rule(required=st.sampled_from((True, True, False)))
    def approval_is_demanded_or_not(self, required: bool) -> None:
        self.run(demanded(self.house, required=required))
        self.required = required

    @rule(text=_texts)
    def the_text_is_changed(self, text: str) -> None:
        self.tried(edited(self.house, self.id, content=text))

    @rule(by_approver=st.booleans())
    def somebody_approves(self, by_approver: bool) -> None:
        caller = self.house.caller if by_approver else editor(self.house)
        done = self.tried(self.house.services.writing.approval.approve(caller, self.id))
        assert (done is not None) == by_approver
        if done is not None:
            self.approved = done.content

    @rule(text=_texts, minutes=st.sampled_from((0, 5, 120)))
    def the_text_is_changed_before_jobs_run(self, text: str, minutes: int) -> None:
        self.the_text_is_changed(text)
        self.time_passes_and_jobs_run(minutes)

    @rule(by_approver=st.booleans())
    def somebody_sends_it_back(self, by_approver: bool) -> None:
        caller = self.house.caller if by_approver else editor(self.house)
        if self.tried(self.house.services.writing.approval.send_back(caller, self.id, "Why?")) is not None:
            self.approved = None

    @rule()
    def it_is_submitted(self) -> None:
        """Asking again for what is approved changes nothing; else an approval of another text is over."""
        submitted = self.tried(self.house.services.writing.approval.submit(editor(self.house), self.id))
        if submitted.approval_state is not ApprovalState.APPROVED:
            self.approved = None

    @rule(place=st.integers(0, 1), status=_statuses, own=st.none() | _texts, hours=st.integers(1, 3))
    def it_is_published_at_a_place(self, place: int, status: PostStatus, own: str | None, hours: int) -> None:
        at = self.house.clock.now() + timedelta(hours=hours) if status is PostStatus.SCHEDULED else None
        request = PostRequest(content=own, status=status, scheduled_for=at)
        command = PublishCommand(editor(self.house), self.integrations[place].id, self.id, request)
        self.tried(self.house.services.publishing.publish.to_integration(command))

    @rule()
    def it_is_published_everywhere(self) -> None:
        self.tried(self.house.services.publishing.publish.article(editor(self.house), self.id, None))

    @rule(status=st.sampled_from((ArticleStatus.DRAFT, ArticleStatus.SCHEDULED, ArticleStatus.PUBLISHED)))
    def its_status_is_set(self, status: ArticleStatus) -> None:
        at = self.house.clock.now() + timedelta(hours=1)
        self.tried(edited(self.house, self.id, status=status, scheduled_for=at))

    @rule(public=st.booleans())
    def a_platform_administrator_shows_it(self, public: bool) -> None:
        caller = evolve(self.house.caller, platform_admin=True)
        self.tried(self.house.services.writing.edit(EditArticleCommand(caller, self.id, is_public=public)))

    @rule(overwrite=st.booleans())
    def what_was_published_is_tried_again(self, overwrite: bool) -> None:
        for publication in self._publications():
            retry = self.house.services.publishing.publications.retry
            self.tried(retry(self.house.caller, publication.id, overwrite=overwrite, anew=True))

    @rule(unknown=st.booleans())
    def the_target_will_fail(self, unknown: bool) -> None:
        self.faults.append(PublishFailed("memory", "away", Refusal.TRANSIENT, outcome_unknown=unknown))

    @rule(minutes=st.sampled_from((0, 5, 120)))
    def time_passes_and_jobs_run(self, minutes: int) -> None:
        self.house.clock.advance(minutes=minutes)
        self.run(self.house.work())

    def _publications(self) -> list[Publication]:
        found: list[Publication] = self.run(
            self.house.services.publishing.publications.of_article(self.house.caller, self.id)
        )
        return found

    @invariant()
    def nothing_else_went_out(self) -> None:
        posts = {id: (post.title, post.markdown) for id, post in self.house.target.posts.items()}
        new = {post for id, post in posts.items() if self.seen.get(id) != post}
        self.seen = posts
        if self.required:
            assert {markdown for _, markdown in new} <= {self.approved}

    @invariant()
    def nothing_else_is_shown(self) -> None:
        async def shown() -> Article | None:
            async with self.house.services.ports.unit_of_work() as tx:
                article = await tx.articles.get(self.house.caller.tenant_id, self.id)
                return await tx.public_articles.find(article.slug or "")

        article = self.run(shown())
        if self.required and article is not None:
            assert article.content == self.approved


def test_no_sequence_lets_an_unapproved_text_out() -> None:
    run_state_machine_as_test(
        ApprovalMachine,
        settings=settings(
            max_examples=settings.default.max_examples,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
