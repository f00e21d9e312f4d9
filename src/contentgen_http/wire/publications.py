"""Publications on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import publication as model
from contentgen_core.model.ids import ArticleId, IntegrationId
from contentgen_core.model.publication import Finding, PostRequest, PostStatus, PublicationStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.model.web_address import MAX_URL, check_web_address, web_address_or_none
from contentgen_core.policies.articles import publishing as policy
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_core.use_cases.publishing.verify import MAX_ASKED
from contentgen_http.wire.base import (
    Answer,
    AnswerOf,
    Body,
    Id,
    Moment,
    OpenBody,
    Query,
    Rule,
    absent_as_none,
    utc_input,
)

_Term = Annotated[str, Meta(min_length=1, max_length=policy.MAX_TERM)]
Terms = Annotated[list[_Term], Meta(max_length=policy.MAX_TERMS)]
WebAddress = Annotated[str, Meta(max_length=MAX_URL), Rule(check_web_address)]


class Publication(AnswerOf[model.Publication], kw_only=True):
    """A post at a target, and what is known of it."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    integration_id: Annotated[str, Meta(description="Where to.")]
    provider: Annotated[str, Meta(description="The kind of target.", examples=["webhook"])]
    article_id: Annotated[str | UnsetType, Meta(description="The article; absent for other content.")] = UNSET
    status: Annotated[
        PublicationStatus,
        Meta(description="pending: under way; unknown: only a look at the target can show it; removed: deleted there."),
    ]
    post_status: Annotated[PostStatus | UnsetType, Meta(description="The state of the post at the target.")] = UNSET
    remote_id: Annotated[str | UnsetType, Meta(description="The post's id there.")] = UNSET
    url: Annotated[str | UnsetType, Meta(description="Where people read it.")] = UNSET
    error: Annotated[str | UnsetType, Meta(description="What went wrong, and what to do about it.")] = UNSET
    scheduled_for: Annotated[datetime | UnsetType, Meta(description="When it is to appear (UTC).")] = UNSET
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first published there (UTC).")] = UNSET
    finding: Annotated[
        Finding | UnsetType,
        Meta(description="What the last look at the target found there."),
    ] = UNSET
    checked_at: Annotated[datetime | UnsetType, Meta(description="When the target was last looked at (UTC).")] = UNSET
    check_error: Annotated[str | UnsetType, Meta(description="Why that look failed.")] = UNSET
    retries: Annotated[int, Meta(description="Attempts that failed because the target was away or busy.")] = 0
    next_attempt_at: Annotated[
        datetime | UnsetType, Meta(description="When the next attempt is due (UTC); error says why.")
    ] = UNSET
    twins_removed: Annotated[
        int, Meta(description="Second posts that were deleted again: calls held up on their way had made them.")
    ] = 0
    warnings: Annotated[
        list[str], Meta(description="What the post had to do without, such as a picture that could not be uploaded.")
    ]
    updated_at: Annotated[datetime, Meta(description="When this last changed (UTC).")]

    @classmethod
    def of(cls, publication: model.Publication) -> Publication:
        later = publication.request.scheduled_for
        return cls.copy_from(
            publication,
            url=web_address_or_none(publication.url),
            scheduled_for=later,
            next_attempt_at=publication.retry_at,
        )


class Published(AnswerOf[model.Publication], kw_only=True):
    """What became of the publishing so far; it goes on by itself."""

    success: Annotated[bool, Meta(description="false: it failed, or nobody knows.")]
    publication: Annotated[Publication, Meta(description="The post at the target.")]

    @classmethod
    def of(cls, publication: model.Publication) -> Published:
        went_well = publication.status in (PublicationStatus.PUBLISHED, PublicationStatus.PENDING)
        return cls(success=went_well, publication=Publication.of(publication))


class PublishRequest(OpenBody, kw_only=True):
    """What to publish: an article, or a title and content. Other fields are options of the provider."""

    article_id: Annotated[Id | UnsetType, Meta(description="An article of yours.")] = UNSET
    title: Annotated[
        Annotated[str, Meta(max_length=policy.MAX_TITLE)] | UnsetType,
        Meta(description="Needed without articleId; with it, instead of the article's.", examples=["Heat pumps"]),
    ] = UNSET
    content: Annotated[
        Annotated[str, Meta(max_length=policy.MAX_CONTENT)] | UnsetType,
        Meta(description="HTML or Markdown. Needed without articleId.", examples=["Heat pumps *move* heat."]),
    ] = UNSET
    excerpt: Annotated[
        Annotated[str, Meta(max_length=policy.MAX_EXCERPT)] | UnsetType, Meta(description="A short summary.")
    ] = UNSET
    slug: Annotated[
        Annotated[str, Meta(max_length=policy.MAX_SLUG)] | UnsetType, Meta(description="Made from the title if absent.")
    ] = UNSET
    tags: Annotated[Terms | UnsetType, Meta(description="Instead of the article's keywords.")] = UNSET
    categories: Annotated[Terms | UnsetType, Meta(description="Made there when missing, where it can.")] = UNSET
    category: Annotated[_Term | UnsetType, Meta(description="The same for a single one.")] = UNSET
    status: Annotated[PostStatus, Meta(description="What it is to be there.")] = PostStatus.PUBLISHED
    scheduled_for: Annotated[Moment | UnsetType, Meta(description="When, for the status scheduled.")] = UNSET
    featured_image: Annotated[WebAddress | UnsetType, Meta(description="Address of a picture, else the article's.")] = (
        UNSET
    )
    canonical_url: Annotated[WebAddress | UnsetType, Meta(description="Where the text is at home.")] = UNSET
    overwrite: Annotated[bool, Meta(description="Also a post that somebody changed at the target.")] = False
    anew: Annotated[bool, Meta(description="Make the post once more if it was removed at the target.")] = False
    ai_mark: Annotated[
        bool | UnsetType,
        Meta(
            description="Whether the article begins with a sentence that a language model wrote it, where one did; "
            "absent: as its niche has it."
        ),
    ] = UNSET

    def to_command(
        self, caller: Caller, integration_id: IntegrationId, options: dict[str, Any], key: IdempotencyKey | None
    ) -> PublishCommand:
        categories = [] if self.categories is UNSET else list(self.categories)
        if self.category is not UNSET and self.category not in categories:
            categories.insert(0, self.category)
        given = self.categories is not UNSET or self.category is not UNSET
        request = PostRequest(
            title=absent_as_none(self.title),
            content=absent_as_none(self.content),
            excerpt=absent_as_none(self.excerpt),
            slug=absent_as_none(self.slug) or None,
            tags=None if self.tags is UNSET else tuple(self.tags),
            categories=tuple(categories) if given else None,
            status=self.status,
            scheduled_for=None if self.scheduled_for is UNSET else utc_input("scheduledFor", self.scheduled_for),
            featured_image=absent_as_none(self.featured_image),
            canonical_url=absent_as_none(self.canonical_url),
            options=options,
            overwrite=self.overwrite,
            anew=self.anew,
            ai_mark=absent_as_none(self.ai_mark),
        )
        article_id = None if self.article_id is UNSET else ArticleId(self.article_id)
        return PublishCommand(caller, integration_id, article_id, request, key)


class PublicationMark(Body, kw_only=True):
    """What you saw at the target."""

    status: Annotated[Literal["published", "failed"], Meta(description="Is it there?")]
    url: Annotated[WebAddress | UnsetType, Meta(description="Where people read it.")] = UNSET


class RetryQuery(Query, kw_only=True):
    overwrite: Annotated[bool, Meta(description="Also a post that somebody changed at the target.")] = False
    anew: Annotated[bool, Meta(description="Make the post once more if it was removed at the target.")] = False


class PublicationsToVerify(Body, kw_only=True):
    """Which posts to look at: those named, those of an article, or (empty) all that you have."""

    publication_ids: Annotated[
        Annotated[list[Id], Meta(min_length=1, max_length=MAX_ASKED)] | UnsetType,
        Meta(description="Looked at while you wait."),
    ] = UNSET
    article_id: Annotated[Id | UnsetType, Meta(description="An article of yours: its posts, while you wait.")] = UNSET


class PublicationsVerified(Answer, kw_only=True):
    """What was found at the targets."""

    success: Annotated[bool, Meta(description="true: what was asked for was done; see each finding.")] = True
    publications: Annotated[list[Publication], Meta(description="Those that were looked at now.")]
    queued: Annotated[int, Meta(description="How many will be looked at within the next minutes.")]

    @classmethod
    def of(cls, publications: Sequence[model.Publication], queued: int) -> PublicationsVerified:
        return cls(publications=[Publication.of(each) for each in publications], queued=queued)
