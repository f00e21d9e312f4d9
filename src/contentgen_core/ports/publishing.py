"""Publishing targets: what each declares, and what can be done with a post at one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from attrs import field, frozen

from contentgen_core.errors import ProviderFailed
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
    """What a target does by itself; the rest is done for it (scheduling) or left out in a stated way."""

    DRAFT = "draft"
    PUBLISH = "publish"
    SCHEDULE = "schedule"
    UPDATE = "update"
    FIND = "find"
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
    """`icon`: an SVG of our own, as text."""

    id: str
    name: str
    icon: str
    features: tuple[Feature, ...]
    credential_fields: tuple[SettingField, ...]
    constraints: IntegrationConstraints
    setting_fields: tuple[SettingField, ...] = ()
    option_fields: tuple[PublishOptionField, ...] = ()


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
class RemotePost:
    """A post as the target has it. `url`: where people read it, None where the target has no such address."""

    id: str
    status: PostStatus
    url: str | None = None


class Refusal(StrEnum):
    """Why a call failed, as far as it matters for what comes next."""

    CREDENTIALS = "credentials"
    PERMISSION = "permission"
    INVALID = "invalid"
    GONE = "gone"
    CONFLICT = "conflict"
    LIMITED = "limited"
    TRANSIENT = "transient"


class PublishFailed(ProviderFailed):
    """A target did not do what was asked. `perhaps_done`: the call may have had its effect all the same (no answer, or
    one of a broken server)."""

    def __init__(
        self,
        provider: str,
        message: str,
        refusal: Refusal,
        *,
        perhaps_done: bool = False,
        retry_after: float | None = None,
    ) -> None:
        retryable = refusal in (Refusal.LIMITED, Refusal.TRANSIENT)
        super().__init__(provider, message, retryable=retryable, retry_after=retry_after)
        self.refusal, self.perhaps_done = refusal, perhaps_done


class CannotTell(Exception):
    """The target has no way to ask it for a post."""


class Publisher(Protocol):
    """One target with one tenant's credentials. Every method raises PublishFailed. None of them repeats a call that
    may have had an effect."""

    async def test(self) -> str:
        """Whether the credentials work: what they lead to, for a person (`Blog "Heat at home", as Ada`)."""
        ...

    async def find(self, post: Post) -> RemotePost | None:
        """The post that an earlier attempt made of this one, if any. Raises CannotTell."""
        ...

    async def create(self, post: Post) -> RemotePost: ...

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Raises PublishFailed with GONE when the target no longer has it."""
        ...

    async def read(self, remote_id: str) -> RemotePost | None:
        """The post as it stands; None when it is gone. Raises CannotTell."""
        ...

    async def options(self) -> Sequence[PublishOptionField]:
        """What can be chosen there: categories, authors, collections, … with their values."""
        ...


class PublishingTargets(Protocol):
    """The providers at hand, built in or of other packages."""

    def all(self) -> Sequence[ProviderInfo]:
        """By id."""
        ...

    def get(self, provider: str) -> ProviderInfo:
        """Raises NotFound."""
        ...

    def connect(self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any]) -> Publisher:
        """`credentials`: with the secret ones in clear. Raises NotFound, InvalidInput naming a field."""
        ...
