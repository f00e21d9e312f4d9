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
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.approval import LAPSED, Approval, ApprovalRequired, ApprovalState, PostDetails
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, ImageCredit, Seo, Usage
from contentgen_core.model.article_update import RefreshMode, UpdateState
from contentgen_core.model.ids import ArticleId, UserId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.publication import PostRequest, PostStatus, Publication, PublicationStatus
from contentgen_core.model.publishing_target import Post
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.ai_mark import with_ai_mark
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.testing import builders
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from contentgen_core.use_cases.generation.publish_scheduled import NOT_PUBLISHED
from contentgen_core.use_cases.integrations.manage import NewIntegration
from contentgen_core.use_cases.knowledge.retitle_document import RetitleDocument
from contentgen_core.use_cases.niches.settings import SettingsChanges
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.changing_sources import GRANT, changed, written
from tests.support.house import NICHE, House, open_house
from tests.support.runs import articles, ended, execute
from tests.support.team import joined

EDITOR = UserId("an editor")
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


async def an_article(house: House, content: str = "Heat moves.\n") -> ArticleId:
    article = builders.article(
        tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content=content
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx.articles.add(article)
    return article.id


async def with_a_source(house: House) -> Article:
    """An article that cites a document of the knowledge base."""
    async with house.services.ports.unit_of_work() as tx:
        view = KbView(NICHE, house.caller.tenant_id)
        document = (await tx.knowledge.sample(view, 1))[0].document
        source = ArticleSource(1, document.title, document.id, 0, document.url)
        id = await an_article(house, "Heat moves.[1]\n")
        article = evolve(await tx.articles.get(house.caller.tenant_id, id), sources=(source,))
        return await tx.articles.save(evolve(article, usage=Usage("a model", 1, 1)))


async def retitled(house: House, article: Article, title: str) -> None:
    async with house.services.ports.unit_of_work() as tx:
        retitle = RetitleDocument(house.services.ports.analysis)
        await retitle(tx, article.sources[0].parent_id, title)


async def published(house: House, article_id: ArticleId, request: PostRequest, place: Any) -> Publication:
    command = PublishCommand(editor(house), place.id, article_id, request)
    publication = await house.services.publishing.publish.to_integration(command)
    await house.work()
    return await house.services.publishing.publications.get(house.caller, publication.id)


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


class TestBesideTheText:
    """What goes out beside the text is approved with it."""

    async def test_a_source_keeps_the_title_that_was_approved(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            await demanded(house)
            before = article.sources[0].title
            approved = await house.services.writing.approval.approve(house.caller, article.id)
            await retitled(house, article, "Buy it at https://evil.example/")
            assert await state(house, article.id) is ApprovalState.APPROVED
            ended = await published(house, article.id, PostRequest(), place)
            assert ended.status is PublicationStatus.PUBLISHED, ended.error
            [post] = house.target.posts.values()
            assert [source.title for source in post.sources] == [before]
            exported = await house.services.writing.export(house.caller, article.id, ExportFormat.MARKDOWN)
            assert b"evil" not in exported.content
            assert before in exported.content.decode()
            await house.services.writing.approval.send_back(house.caller, article.id, "The title of the source?")
            with pytest.raises(NothingToApprove):
                await house.services.writing.approval.approve(house.caller, article.id, approved.reader_hash)
            shown = await house.article(article.id)
            assert shown.sources[0].title == "Buy it at https://evil.example/"
            await house.services.writing.approval.approve(house.caller, article.id, shown.reader_hash)

    async def test_an_approver_who_read_another_title_approves_nothing(self) -> None:
        async with open_house() as house:
            article = await with_a_source(house)
            read = (await house.article(article.id)).reader_hash
            await retitled(house, article, "Buy it at https://evil.example/")
            with pytest.raises(NothingToApprove, match="changed since"):
                await house.services.writing.approval.approve(house.caller, article.id, read)

    @pytest.mark.parametrize(
        "changes",
        [
            {"sources": ()},
            {"image_credit": None},
            {"brief": builders.brief(keywords=("spam",))},
            {"brief": builders.brief(language=Language.FR)},
        ],
        ids=("sources", "credit", "keywords", "language"),
    )
    async def test_what_is_changed_behind_its_back_lets_the_approval_lapse(self, changes: dict[str, Any]) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            credit = ImageCredit("memory", "Pictures", "https://pictures.example.org/", "Ada Ohm")
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx.articles.get(house.caller.tenant_id, article.id)
                await tx.articles.save(evolve(stored, image_credit=credit))
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, article.id)
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx.articles.get(house.caller.tenant_id, article.id)
                await tx.articles.save(evolve(stored, **changes))
            assert await state(house, article.id) is ApprovalState.IN_REVIEW
            with pytest.raises(ApprovalRequired):
                await published(house, article.id, PostRequest(), place)

    async def test_details_are_chosen_before_the_approval_and_go_out(self) -> None:
        async with open_house() as house:
            id, place = await an_article(house), await connected(house)
            await demanded(house)
            details = PostDetails(
                "sizing", ("heat",), ("News",), "https://example.org/sizing", {"memory": {"note": "For readers"}}
            )
            await house.services.writing.approval.submit(editor(house), id, details)
            await house.services.writing.approval.approve(house.caller, id, (await house.article(id)).reader_hash)
            same = PostRequest(tags=("heat",), canonical_url="https://example.org/sizing", slug="sizing")
            for request in (PostRequest(), same):
                assert (await published(house, id, request, place)).status is PublicationStatus.PUBLISHED
                [post] = house.target.posts.values()
                assert (post.slug, post.tags, post.categories) == ("sizing", ("heat",), ("News",))
                assert (post.canonical_url, post.options) == ("https://example.org/sizing", {"note": "For readers"})
            again = await house.services.writing.approval.submit(editor(house), id, details)
            assert again.approval_state is ApprovalState.APPROVED
            other = await house.services.writing.approval.submit(editor(house), id, PostDetails(tags=("spam",)))
            assert other.approval_state is ApprovalState.IN_REVIEW

    async def test_details_that_no_target_takes_are_refused(self) -> None:
        async with open_house() as house:
            id = await an_article(house)
            for details in (
                PostDetails(options={"nowhere": {}}),
                PostDetails(options={"memory": {"nothing": "x"}}),
                PostDetails(canonical_url="javascript:alert(1)"),
                PostDetails(tags=("x" * 101,)),
            ):
                with pytest.raises(InvalidInput):
                    await house.services.writing.approval.submit(house.caller, id, details)

    async def test_the_mark_is_the_one_that_was_approved(self) -> None:
        async with open_house() as house:
            place, id = await connected(house), (await with_a_source(house)).id
            await demanded(house)
            await house.services.writing.approval.approve(house.caller, id)
            await house.services.agents.niche_settings.change(house.caller, NICHE, SettingsChanges(ai_mark=True))
            await published(house, id, PostRequest(), place)
            [post] = house.target.posts.values()
            assert post.markdown == "Heat moves.[1]\n"
            with pytest.raises(ApprovalRequired, match="aiMark"):
                await published(house, id, PostRequest(ai_mark=True), place)

    async def test_an_approval_of_an_earlier_release_holds_for_what_it_named(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            await demanded(house)
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx.articles.get(house.caller.tenant_id, article.id)
                old = Approval(ApprovalState.APPROVED, house.clock.now(), UserId("ada"), stored.text_hash)
                await tx.articles.save(evolve(stored, approval=old))
            await retitled(house, article, "Buy it at https://evil.example/")
            with pytest.raises(ApprovalRequired, match="categories"):
                await published(house, article.id, PostRequest(categories=("Spam",)), place)
            assert (await published(house, article.id, PostRequest(), place)).status is PublicationStatus.PUBLISHED
            [post] = house.target.posts.values()
            assert [source.title for source in post.sources] == [article.sources[0].title]

    async def test_what_somebody_approved_who_left_stays_approved_and_they_approve_no_more(self) -> None:
        async with open_house() as house:
            article, place = await with_a_source(house), await connected(house)
            _, approver = await joined(house, Role.ADMIN)
            await demanded(house)
            await house.services.writing.approval.approve(approver, article.id)
            await house.services.people.team.remove(house.caller, approver.user_id)
            assert (await published(house, article.id, PostRequest(), place)).status is PublicationStatus.PUBLISHED
            found = (await house.services.writing.evidence(house.caller, article.id)).article.present_approval
            assert found is not None
            assert found.by == approver.user_id
            await demanded(house, roles=(), user_ids=(house.caller.user_id,))
            with pytest.raises(NotPermitted):
                await house.services.writing.approval.approve(approver, article.id)

    async def test_an_approver_of_another_tenant_approves_nothing(self) -> None:
        async with open_house() as house:
            id = await an_article(house)
            with pytest.raises(NotFound):
                await house.services.writing.approval.approve(await house.other_tenant(), id)


# ------------------------------------------------------------------------------------------------------- any sequence

_texts = st.sampled_from(("One.[1]\n", "Two.[1]\n", "Three.[1]\n"))
_titles = st.sampled_from(("A guide", "Another guide", "Buy it at https://evil.example/"))
_statuses = st.sampled_from(PostStatus)
_tags = st.sampled_from(((), ("heat",), ("spam",)))
_details = st.builds(
    PostDetails,
    slug=st.sampled_from((None, "mine")),
    tags=st.none() | _tags,
    categories=st.none() | _tags,
    canonical_url=st.sampled_from((None, "https://example.org/")),
    options=st.sampled_from(({}, {"memory": {"note": "For readers"}})),
)
_single: dict[str, st.SearchStrategy[Any]] = {
    "title": st.just("Mine"),
    "content": _texts,
    "slug": st.sampled_from(("mine", "other")),
    "tags": _tags,
    "categories": _tags,
    "canonical_url": st.sampled_from(("https://example.org/", "https://evil.example/")),
    "options": st.sampled_from(({"note": "For readers"}, {"note": "Spam"})),
    "ai_mark": st.booleans(),
}
_requests = st.just(PostRequest()) | st.one_of(
    [st.builds(PostRequest, **{name: values}) for name, values in _single.items()]
)
"""Plain, or with one field of its own: with several, each would be refused for another's sake."""

Seen = tuple[Any, ...]


def what_readers_get(article: Article) -> Seen:
    """What an approver sees of the article: its title, text, sources and language, and what goes out beside them."""
    assert article.approval is not None
    details = article.approval.details or PostDetails()
    tags = article.brief.keywords if details.tags is None else details.tags
    return (
        article.title,
        with_ai_mark(article, article.approval.ai_mark or AiUse.NONE).content,
        tuple((source.number, source.title, source.url) for source in article.sources),
        article.brief.language,
        details.slug,
        tags,
        details.categories or (),
        details.canonical_url,
        tuple(details.options.get("memory", {}).items()),
    )


def what_was_sent(post: Post) -> Seen:
    return (
        post.title,
        post.markdown,
        tuple((source.number, source.title, source.url) for source in post.sources),
        post.language,
        post.slug,
        post.tags,
        post.categories,
        post.canonical_url,
        tuple(post.options.items()),
    )


class ApprovalMachine(RuleBasedStateMachine):
    """One article with a source, two places, and everything that may happen to them. `approved`: what readers get of
    the article that an approver approved last, unless it was sent back since."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._opened = open_house()
        self.house = self.run(self._opened.__aenter__())
        self.article = self.run(with_a_source(self.house))
        self.id = self.article.id
        self.run(edited(self.house, self.id, content="One.[1]\n"))
        self.integrations = [self.run(connected(self.house)) for _ in range(2)]
        self.run(demanded(self.house))
        approved = self.run(self.house.services.writing.approval.approve(self.house.caller, self.id))
        self.approved: Seen | None = what_readers_get(approved)
        self.required = True
        self.seen: dict[str, Seen] = {}
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

    @rule(title=_titles)
    def its_source_gets_another_title(self, title: str) -> None:
        self.tried(retitled(self.house, self.article, title))

    @rule(mark=st.booleans())
    def its_niche_wants_a_mark_or_not(self, mark: bool) -> None:
        change = self.house.services.agents.niche_settings.change
        self.run(change(editor(self.house), NICHE, SettingsChanges(ai_mark=mark)))

    @rule(by_approver=st.booleans(), details=st.none() | _details)
    def somebody_approves(self, by_approver: bool, details: PostDetails | None) -> None:
        caller = self.house.caller if by_approver else editor(self.house)
        done = self.tried(self.house.services.writing.approval.approve(caller, self.id, None, details))
        assert (done is not None) == by_approver
        if done is not None:
            self.approved = what_readers_get(done)

    @rule(text=_texts, minutes=st.sampled_from((0, 5, 120)))
    def the_text_is_changed_before_jobs_run(self, text: str, minutes: int) -> None:
        self.the_text_is_changed(text)
        self.time_passes_and_jobs_run(minutes)

    @rule(by_approver=st.booleans())
    def somebody_sends_it_back(self, by_approver: bool) -> None:
        caller = self.house.caller if by_approver else editor(self.house)
        if self.tried(self.house.services.writing.approval.send_back(caller, self.id, "Why?")) is not None:
            self.approved = None

    @rule(details=st.none() | _details)
    def it_is_submitted(self, details: PostDetails | None) -> None:
        """Asking again for what is approved changes nothing; else an approval of another text is over."""
        submitted = self.tried(self.house.services.writing.approval.submit(editor(self.house), self.id, details))
        if submitted.approval_state is not ApprovalState.APPROVED:
            self.approved = None

    @rule(place=st.integers(0, 1), status=_statuses, own=_requests, hours=st.integers(1, 3))
    def it_is_published_at_a_place(self, place: int, status: PostStatus, own: PostRequest, hours: int) -> None:
        at = self.house.clock.now() + timedelta(hours=hours) if status is PostStatus.SCHEDULED else None
        request = evolve(own, status=status, scheduled_for=at)
        command = PublishCommand(editor(self.house), self.integrations[place].id, self.id, request)
        self.tried(self.house.services.publishing.publish.to_integration(command))

    @rule(place=st.integers(0, 1), own=_requests)
    def it_is_approved_and_asked_for_otherwise(self, place: int, own: PostRequest) -> None:
        self.somebody_approves(True, None)
        self.it_is_published_at_a_place(place, PostStatus.PUBLISHED, own, 1)
        self.time_passes_and_jobs_run(0)

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
        posts = {id: what_was_sent(post) for id, post in self.house.target.posts.items()}
        new = {post for id, post in posts.items() if self.seen.get(id) != post}
        self.seen = posts
        if self.required:
            assert new <= {self.approved}

    @invariant()
    def nothing_else_is_shown(self) -> None:
        async def shown() -> Article | None:
            try:
                return await self.house.services.public.read.article((await self.house.article(self.id)).slug or "")
            except NotFound:
                return None

        article = self.run(shown())
        if self.required and article is not None:
            assert self.approved is not None
            shown_of = (article.title, article.content, tuple((s.number, s.title, s.url) for s in article.sources))
            assert shown_of == self.approved[:3]


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
