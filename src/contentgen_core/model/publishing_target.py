"""Publishing targets as values: what one declares, and a post as it is sent there and seen there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.vocabulary import Language


class FieldType(StrEnum):
    """How a form shows a field. `map`: an object of texts by text."""

    TEXT = "text"
    URL = "url"
    NUMBER = "number"
    BOOLEAN = "boolean"
    SELECT = "select"
    LIST = "list"
    MAP = "map"


@frozen
class Choice:
    value: str
    label: str


@frozen
class SettingField:
    """A field of the credentials or of the settings of an integration. Secret ones are encrypted and never shown."""

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    required: bool = False
    secret: bool = False
    help: str = ""
    default: Any = None
    choices: tuple[Choice, ...] = ()


@frozen
class PublishOptionField:
    """An option of one publishing. `choices`: empty where any value goes, or where they must be asked for first."""

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    help: str = ""
    default: Any = None
    choices: tuple[Choice, ...] = ()


class Feature(StrEnum):
    """What a target does by itself; the rest is done for it (scheduling) or left out in a stated way. `idempotent`: it
    tells repetitions by our external key, so that a call without an answer can be repeated."""

    DRAFT = "draft"
    PUBLISH = "publish"
    SCHEDULE = "schedule"
    UPDATE = "update"
    FIND = "find"
    IDEMPOTENT = "idempotent"
    TAGS = "tags"
    CATEGORIES = "categories"
    FEATURED_IMAGE = "featuredImage"
    EXCERPT = "excerpt"
    SLUG = "slug"
    CANONICAL_URL = "canonicalUrl"
    OPTIONS = "options"


@frozen
class IntegrationConstraints:
    """Limits of the target, in characters unless said; None: none known. `cannot`: what it does not do, in sentences
    for a person. `unverified`: what we could not try on the real service."""

    body_format: str
    title_max: int | None = None
    body_max: int | None = None
    tags_max: int | None = None
    cannot: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()


@frozen
class ProviderInfo:
    """`icon`: an SVG of our own, as text. `found_after`: the seconds after which a post that was made is surely found
    (`Publisher.find`). `platform_only`: connected by platform administrators alone."""

    id: str
    name: str
    icon: str
    features: tuple[Feature, ...]
    credential_fields: tuple[SettingField, ...]
    constraints: IntegrationConstraints
    setting_fields: tuple[SettingField, ...] = ()
    option_fields: tuple[PublishOptionField, ...] = ()
    found_after: float = 0.0
    platform_only: bool = False


@frozen
class PostSource:
    """An entry of the numbered list of sources that `[n]` in the text refers to."""

    number: int
    title: str
    url: str | None = None


@frozen
class Post:
    """What is to stand at the target. `markdown`: the body without the title, citations as `[n]`, the list of sources
    apart. `external_key`: our own name of the post, the same for every attempt. `options`: checked against the
    provider's declaration."""

    external_key: str
    title: str
    markdown: str
    slug: str
    status: PostStatus
    language: Language | None = None
    excerpt: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    scheduled_for: datetime | None = None
    featured_image: str | None = None
    featured_image_alt: str | None = None
    canonical_url: str | None = None
    meta_title: str | None = None
    meta_description: str | None = None
    sources: tuple[PostSource, ...] = ()
    article_id: str | None = None
    options: Mapping[str, Any] = field(factory=dict)


@frozen
class PublicArticle:
    """An article on the platform's public pages. `url`: None where the operator did not say where the service is
    reached."""

    id: ArticleId
    slug: str
    category: PublicCategory
    url: str | None = None


@frozen
class RemotePost:
    """A post as the target has it. `url`: where people read it, None where the target has no such address."""

    id: str
    status: PostStatus
    url: str | None = None
