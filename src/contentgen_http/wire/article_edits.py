"""PATCH /writer/{id} on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article as model
from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.changes import UNSET as KEPT
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.web_address import MAX_URL, check_web_address
from contentgen_core.use_cases.articles import edit
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_http.wire.base import NOT_BLANK, Body, Moment, Rule, kept, utc_input

WebAddress = Annotated[
    str, Meta(min_length=1, max_length=MAX_URL, pattern="^[Hh][Tt][Tt][Pp][Ss]?://"), Rule(check_web_address)
]
SeoText = Annotated[str, Meta(max_length=edit.MAX_SEO)]


class SeoChanges(Body, kw_only=True):
    """Fields that are absent stay as they are; null clears one."""

    meta_title: Annotated[SeoText | UnsetType | None, Meta(description="Title for search results.")] = UNSET
    meta_description: Annotated[SeoText | UnsetType | None, Meta(description="Description for search results.")] = UNSET


class ArticleChanges(Body, kw_only=True):
    """Fields that are absent stay as they are; null clears an optional one."""

    title: Annotated[
        Annotated[str, Meta(min_length=1, max_length=edit.MAX_TITLE, pattern=NOT_BLANK)] | UnsetType,
        Meta(description="Its title; not empty."),
    ] = UNSET
    content: Annotated[
        Annotated[str, Meta(max_length=edit.MAX_CONTENT)] | UnsetType,
        Meta(description="Markdown. Its grounding receipt goes with it."),
    ] = UNSET
    excerpt: Annotated[
        Annotated[str, Meta(max_length=edit.MAX_EXCERPT)] | UnsetType | None, Meta(description="A short summary.")
    ] = UNSET
    status: Annotated[
        Literal["draft", "published", "scheduled"] | UnsetType,
        Meta(description="The new status. scheduled needs a scheduledFor in the future, sent now or earlier."),
    ] = UNSET
    scheduled_for: Annotated[
        Moment | UnsetType | None,
        Meta(description="When a scheduled article is to be published; with a time zone."),
    ] = UNSET
    featured_image: Annotated[
        WebAddress | UnsetType | None,
        Meta(description="http or https address of its image.", examples=["https://images.example.org/pump.jpg"]),
    ] = UNSET
    trend_slug: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType | None,
        Meta(description="The trend it belongs to; must exist."),
    ] = UNSET
    seo: Annotated[SeoChanges | UnsetType | None, Meta(description="Metadata for search engines; null clears it.")] = (
        UNSET
    )
    is_public: Annotated[
        bool | UnsetType, Meta(description="Platform admin only. Makes the article publicly accessible.")
    ] = UNSET
    public_category: Annotated[
        PublicCategory | UnsetType | None, Meta(description="Platform admin only. Its public category.")
    ] = UNSET
    is_free_generation: Annotated[
        bool | UnsetType, Meta(description="Platform admin only. Marks a free-generated article.")
    ] = UNSET

    def to_command(self, caller: Caller, article_id: ArticleId) -> EditArticleCommand:
        """Raises InvalidInput."""
        moment = self.scheduled_for
        if moment is not UNSET and moment is not None:
            moment = utc_input("scheduledFor", moment)
        return EditArticleCommand(
            caller=caller,
            article_id=article_id,
            title=kept(self.title),
            content=kept(self.content),
            excerpt=kept(self.excerpt),
            status=KEPT if self.status is UNSET else ArticleStatus(self.status),
            scheduled_for=kept(moment),
            featured_image=kept(self.featured_image),
            trend_slug=kept(self.trend_slug),
            seo=KEPT if self.seo is UNSET else None if self.seo is None else _seo(self.seo),
            seo_fields=_fields_sent(self.seo) if isinstance(self.seo, SeoChanges) else frozenset(),
            is_public=kept(self.is_public),
            public_category=kept(self.public_category),
            is_free_generation=kept(self.is_free_generation),
        )


def _seo(seo: SeoChanges) -> model.Seo:
    return model.Seo(seo.meta_title or None, seo.meta_description or None)


def _fields_sent(seo: SeoChanges) -> frozenset[str]:
    return frozenset(name for name in ("meta_title", "meta_description") if getattr(seo, name) is not UNSET)
