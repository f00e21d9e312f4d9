"""Publishing targets as values: what a provider declares, and a post as sent to and read from a target."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.web_address import web_address_or_none


class FieldType(StrEnum):
    """The type of a field in a form. `map`: an object of texts by text."""

    TEXT = "text"
    URL = "url"
    NUMBER = "number"
    BOOLEAN = "boolean"
    SELECT = "select"
    LIST = "list"
    MAP = "map"


@frozen
class Choice:
    """A value of a field, with its label in a form."""

    value: str
    label: str


@frozen
class SettingField:
    """A field of an integration's credentials or settings. Secret ones are encrypted and never shown."""

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
    """An option of a request to publish. `choices`: empty where any value is valid, or where the target has to be asked
    for them."""

    name: str
    label: str
    type: FieldType = FieldType.TEXT
    help: str = ""
    default: Any = None
    choices: tuple[Choice, ...] = ()


class Feature(StrEnum):
    """What a target supports; the rest is done for it (scheduling) or left out and documented. `idempotent`: it
    recognises repetitions by our external key, so that a call without an answer can be repeated. `unpublish`, `delete`:
    a post can be made a draft again, and be deleted, by its API. `twins`: a second post that a call of ours made,
    held up on its way, is known by our external key."""

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
    UNPUBLISH = "unpublish"
    DELETE = "delete"
    TWINS = "twins"


@frozen
class IntegrationConstraints:
    """Limits of a target, in characters unless stated; None: none known. `cannot`: what it does not support, in
    sentences for a person. `unverified`: what was not tried on the real service."""

    body_format: str
    title_max: int | None = None
    body_max: int | None = None
    tags_max: int | None = None
    cannot: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()


RESTART_DELAYS: Final = (2.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""Outlasts a restart: 19 minutes in all."""
WEBHOOK_DELAYS: Final = (5.0, 300.0, 1_800.0, 7_200.0, 18_000.0, 36_000.0, 50_400.0, 72_000.0, 86_400.0)
"""The schedule that Standard Webhooks advises: three days in all."""


@frozen
class ProviderInfo:
    """The declaration of a provider. `icon`: an SVG as text. `found_after`: seconds after which `Publisher.find` is
    sure to find a post that was created. `retry_delays`: seconds before each further attempt while the target is away
    or busy. `platform_only`: only platform administrators may connect it. `test_is_seen`: a test of the connection
    leaves something at the target, such as a message."""

    id: str
    name: str
    icon: str
    features: tuple[Feature, ...]
    credential_fields: tuple[SettingField, ...]
    constraints: IntegrationConstraints
    setting_fields: tuple[SettingField, ...] = ()
    option_fields: tuple[PublishOptionField, ...] = ()
    found_after: float = 0.0
    retry_delays: tuple[float, ...] = RESTART_DELAYS
    platform_only: bool = False
    test_is_seen: bool = False


@frozen
class PostSource:
    """An entry of the numbered list of sources that `[n]` in the text refers to. `published`: the date it states.
    `author`: who wrote it."""

    number: int
    title: str
    url: str | None = None
    published: date | None = None
    author: str | None = None


@frozen
class Post:
    """A post to make at a target. `markdown`: the body without title and list of sources, citations as `[n]`.
    `external_key`: our name for the post, the same for every attempt. `options`: checked against the provider's
    declaration. `clears`: which of `tags`, `categories`, `metaTitle` and `metaDescription` were asked to be empty, and
    not just left open."""

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
    clears: tuple[str, ...] = ()


@frozen
class PublicArticle:
    """An article on the platform's public pages. `url`: None where the operator has not configured the service's
    address."""

    id: ArticleId
    slug: str
    category: PublicCategory
    url: str | None = None


@frozen
class RemotePost:
    """A post as the target has it. `url`: its public address, None where the target has none.
    Whatever a target names that is no address of the web (`javascript:…`) is None, too. `fingerprint`: changes when
    somebody changes the text or the title at the target; None where it was not read. `warnings`: what the post had to
    do without when it was made or changed, in sentences for a person."""

    id: str
    status: PostStatus
    url: str | None = field(default=None, converter=web_address_or_none)
    fingerprint: str | None = None
    warnings: tuple[str, ...] = field(default=(), eq=False)
