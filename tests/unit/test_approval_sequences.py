"""Any sequence of approvals, edits, requests and faults: nothing goes out that an approver did not see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from contentgen_core.errors import ContentgenError, NotFound
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.approval import ApprovalState, PostDetails
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.publication import PostRequest, PostStatus, Publication
from contentgen_core.model.publishing_target import Post
from contentgen_core.policies.articles.ai_mark import with_ai_mark
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.niches.settings import SettingsChanges
from contentgen_core.use_cases.publishing.start import PublishCommand
from tests.support.approval import connected, demanded, edited, editor, retitled, with_a_source
from tests.support.house import NICHE, open_house

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
