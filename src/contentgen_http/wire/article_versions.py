"""Versions of articles on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.model import article_version as model
from contentgen_core.model.article_version import VersionCause, VersionText
from contentgen_core.policies.articles import text_changes
from contentgen_core.use_cases.versions import read_versions
from contentgen_core.use_cases.versions.read_versions import MAX_VERSIONS
from contentgen_http.wire.articles import Seo
from contentgen_http.wire.base import Answer, AnswerOf, Query

Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class ArticleVersion(AnswerOf[model.ArticleVersion], kw_only=True):
    """A version of an article's text."""

    number: Annotated[int, Meta(description="From 1, in their order.")]
    at: Annotated[datetime, Meta(description="When the text became this (UTC).")]
    by: Annotated[str | UnsetType, Meta(description="Id of the user who made it; absent when nobody did.")] = UNSET
    cause: Annotated[
        VersionCause,
        Meta(
            description="generated, edited, patched (sentences whose sources changed), updated (the same, by an update "
            "that was accepted), translated, restored, or earlier (as it was before its first change that was kept)."
        ),
    ]
    title: Annotated[str, Meta(description="Its title then.")]
    text_hash: Annotated[str, Meta(description="SHA-256 of the text, as approval.textHash has it.")]
    approved_by: Annotated[str | UnsetType, Meta(description="Id of the user who approved it last.")] = UNSET
    approved_at: Annotated[datetime | UnsetType, Meta(description="When (UTC).")] = UNSET
    published_at: Annotated[
        datetime | UnsetType, Meta(description="When it first went out (UTC); such a version is always kept.")
    ] = UNSET


class ArticleVersionList(Answer, kw_only=True):
    """Versions, newest first."""

    versions: Annotated[list[ArticleVersion], Meta(description="As many as were asked for at most.")]


class VersionQuery(Query, kw_only=True):
    """Which versions are listed."""

    before: Annotated[Number | UnsetType, Meta(description="Only those with a lower number.")] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_VERSIONS)], Meta(description="The most of an answer.")] = 50


class ArticleVersionText(Answer, kw_only=True):
    """A version with its text."""

    version: Annotated[ArticleVersion, Meta(description="Which it is.")]
    content: Annotated[str, Meta(description="Markdown.")]
    excerpt: Annotated[str | UnsetType, Meta(description="A short summary.")] = UNSET
    seo: Annotated[Seo | UnsetType, Meta(description="Metadata for search engines.")] = UNSET
    featured_image: Annotated[str | UnsetType, Meta(description="Address of its image.")] = UNSET

    @classmethod
    def of(cls, version: model.ArticleVersion, text: VersionText) -> ArticleVersionText:
        return cls.copy_from(text, version=version)


class DiffQuery(Query, kw_only=True):
    """What a version is compared with."""

    with_: Annotated[
        Number | UnsetType, Meta(description="Number of the version after the change; absent: the newest.")
    ] = field(name="with", default=UNSET)


class TextChange(AnswerOf[text_changes.TextChange], kw_only=True):
    """Sentences or headings in the place of others; either list may be empty."""

    position: Annotated[int, Meta(description="Of the first in the version before, from 0.")]
    before: Annotated[tuple[str, ...], Meta(description="What stood there.")]
    after: Annotated[tuple[str, ...], Meta(description="What stands there.")]


class VersionDiff(AnswerOf[read_versions.ComparedVersions], kw_only=True):
    """What differs between two versions."""

    before: Annotated[ArticleVersion, Meta(description="The one.")]
    after: Annotated[ArticleVersion, Meta(description="The other.")]
    changes: Annotated[list[TextChange], Meta(description="In the content, in its order, with citations.")]
    fields: Annotated[
        list[str], Meta(description="What else differs: title, excerpt, seo, featuredImage; markup of the content.")
    ]

    @classmethod
    def of(cls, compared: read_versions.ComparedVersions) -> VersionDiff:
        (before, old), (after, new) = compared.before, compared.after
        differs = {
            "title": old.title != new.title,
            "excerpt": old.excerpt != new.excerpt,
            "seo": old.seo != new.seo,
            "featuredImage": old.featured_image != new.featured_image,
            "markup": compared.markup,
        }
        return cls.copy_from(
            compared,
            before=before,
            after=after,
            fields=[name for name, different in differs.items() if different],
        )
