"""LinkedIn: a post of a member or an organisation that announces an article (Posts API)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlsplit

import msgspec
from attrs import evolve, frozen

from contentgen_adapters.publishing.bodies.linkedin import LONGEST_COMMENTARY, card, commentary
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target
from contentgen_adapters.shared.http import BadStatus
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publishing_target import (
    Choice,
    Feature,
    FieldType,
    IntegrationConstraints,
    Post,
    ProviderInfo,
    PublishOptionField,
    RemotePost,
    SettingField,
)
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal

VERSION: Final = "202607"
_API: Final = "https://api.linkedin.com"
_AUTHOR: Final = re.compile(r"urn:li:(person|organization):[\w-]{1,100}")
_POST: Final = re.compile(r"urn:li:(?:share|ugcPost|activity):\d{1,30}")
_DUPLICATE: Final = re.compile(rf"duplicate of ({_POST.pattern})")
_MAY_POST: Final = ("ADMINISTRATOR", "CONTENT_ADMIN", "DIRECT_SPONSORED_CONTENT_POSTER")
_PICTURES: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8")
_VISIBILITIES: Final = (Choice("PUBLIC", "Everybody"), Choice("LOGGED_IN", "Members of LinkedIn"),
                        Choice("CONNECTIONS", "Connections"))  # fmt: skip


class _Member(msgspec.Struct):
    sub: str
    name: str = "a member"


class _Role(msgspec.Struct):
    role: str
    organization: str = ""


class _Roles(msgspec.Struct):
    elements: list[_Role]


class _Upload(msgspec.Struct, rename="camel"):
    upload_url: str
    image: str


class _Initialized(msgspec.Struct):
    value: _Upload


@frozen
class LinkedInPublisher:
    """LinkedIn cannot be searched for a post; but it refuses an identical one with the URN of the first, which is then
    used."""

    connection: Connection
    target: Target

    async def test(self) -> str:
        author = self.connection.credentials.get("author") or ""
        if author.startswith("urn:li:organization:"):
            if author not in await self._organizations():
                raise PublishFailed("linkedin", f"the account may not post for {author}", Refusal.PERMISSION)
            return f"May post for {author}."
        member = await self._member()
        if author not in ("", _person(member)):
            message = f"the access token is one of {_person(member)}, not of {author}"
            raise PublishFailed("linkedin", message, Refusal.PERMISSION)
        return f"Posts as {member.name}."

    async def find(self, post: Post) -> RemotePost | None:
        raise LookupUnsupported

    async def create(self, post: Post) -> RemotePost:
        sent = await self._post_of(post)
        try:
            response = await self.target.call("POST", "/posts", json=sent)
        except PublishFailed as error:
            if first := _duplicate(error):
                return _remote(first, post)
            raise
        urn = response.headers.get("x-restli-id", "")
        if not _POST.fullmatch(urn):
            raise PublishFailed("linkedin", "its answer names no post", Refusal.INVALID, outcome_unknown=True)
        return _remote(urn, post)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the text; LinkedIn allows nothing else."""
        patch = {"patch": {"$set": {"commentary": await asyncio.to_thread(commentary, post)}}}
        headers = {"X-RestLi-Method": "PARTIAL_UPDATE"}
        await self.target.call("POST", f"/posts/{quote(remote_id, safe='')}", json=patch, headers=headers)
        return _remote(remote_id, post)

    async def read(self, remote_id: str) -> RemotePost | None:
        raise LookupUnsupported

    async def delete(self, remote_id: str) -> None:
        headers = {"X-RestLi-Method": "DELETE"}
        await self.target.call("DELETE", f"/posts/{quote(remote_id, safe='')}", headers=headers)

    async def options(self) -> tuple[PublishOptionField, ...]:
        """Return the possible authors: the member and organisations, as far as the account may list them."""
        choices: list[Choice] = []
        refused: PublishFailed | None = None
        for ask in (self._member_choices, self._organization_choices):
            try:
                choices += await ask()
            except PublishFailed as error:
                if error.refusal is not Refusal.PERMISSION:
                    raise
                refused = error
        if refused and not choices:
            raise refused
        return (evolve(_AUTHOR_FIELD, choices=tuple(choices)),)

    async def _member_choices(self) -> list[Choice]:
        member = await self._member()
        return [Choice(_person(member), member.name)]

    async def _organization_choices(self) -> list[Choice]:
        return [Choice(urn, f"Organisation {urn.rsplit(':', 1)[-1]}") for urn in await self._organizations()]

    async def _member(self) -> _Member:
        return self.target.decoded(await self.target.get(f"{_API}/v2/userinfo"), _Member)

    async def _organizations(self) -> list[str]:
        answer = await self.target.get("/organizationAcls", {"q": "roleAssignee", "state": "APPROVED"})
        roles = self.target.decoded(answer, _Roles).elements
        return [*dict.fromkeys(role.organization for role in roles if role.role in _MAY_POST and role.organization)]

    async def _post_of(self, post: Post) -> dict[str, Any]:
        author = post.options.get("author") or self.connection.credentials.get("author")
        if author is not None and not _AUTHOR.fullmatch(author):
            raise PublishFailed("linkedin", "the author is neither a member nor an organisation", Refusal.INVALID)
        visibility = post.options.get("visibility") or "PUBLIC"
        if visibility not in {choice.value for choice in _VISIBILITIES}:
            raise PublishFailed("linkedin", f"there is no visibility {visibility[:50]!r}", Refusal.INVALID)
        author = author or _person(await self._member())
        made = {
            "author": author,
            "commentary": await asyncio.to_thread(commentary, post),
            "visibility": visibility,
            "distribution": {
                "feedDistribution": "MAIN_FEED",
                "targetEntities": [],
                "thirdPartyDistributionChannels": [],
            },
            "lifecycleState": "PUBLISHED",
            "isReshareDisabledByAuthor": False,
        }
        if post.canonical_url:
            made["content"] = {"article": await self._card(post, post.canonical_url, author)}
        return made

    async def _card(self, post: Post, link: str, author: str) -> Mapping[str, str]:
        """The article card. LinkedIn does not read the linked page: title, description and picture are sent."""
        shown = await asyncio.to_thread(card, post)
        made = {"source": link, "title": shown.title}
        if shown.description:
            made["description"] = shown.description
        if post.featured_image:
            made["thumbnail"] = await self._thumbnail(post.featured_image, author)
        return made

    async def _thumbnail(self, address: str, author: str) -> str:
        """The URN of the uploaded picture. Raises PublishFailed, never with `outcome_unknown`: no post exists yet."""
        picture = await self._picture(address)
        try:
            asked = {"initializeUploadRequest": {"owner": author}}
            answer = await self.target.call("POST", "/images", json=asked, params={"action": "initializeUpload"})
            upload = self.target.decoded(answer, _Initialized).value
            if not _is_linkedin(upload.upload_url):
                raise PublishFailed("linkedin", "the picture was to go to a foreign address", Refusal.INVALID)
            headers = {"Content-Type": "application/octet-stream"}
            await self.target.call("PUT", upload.upload_url, content=picture, headers=headers)
        except PublishFailed as error:
            raise _without_effect(error, error.refusal) from error
        return upload.image

    async def _picture(self, address: str) -> bytes:
        """Downloads the picture without credentials; a refusal there says nothing about those for LinkedIn."""
        elsewhere = evolve(self.target, headers={"Accept": "image/jpeg, image/png, image/gif"})
        try:
            picture = (await elsewhere.get(address)).content
        except PublishFailed as error:
            raise _without_effect(error, Refusal.TRANSIENT if error.retryable else Refusal.INVALID) from error
        if not picture.startswith(_PICTURES):
            raise PublishFailed("linkedin", "the featured image is no JPG, PNG or GIF", Refusal.INVALID)
        return picture


def _person(member: _Member) -> str:
    return f"urn:li:person:{member.sub}"


def _remote(urn: str, post: Post) -> RemotePost:
    return RemotePost(urn, post.status, f"https://www.linkedin.com/feed/update/{urn}/")


def _duplicate(error: PublishFailed) -> str | None:
    """The URN of the first identical post, if LinkedIn refuses a duplicate. A message may also name a person's URN,
    which is not a post."""
    cause = error.__cause__
    if not isinstance(cause, BadStatus) or cause.response.status_code != 422:
        return None
    found = _DUPLICATE.search(cause.response.text)
    return found[1] if found else None


def _without_effect(error: PublishFailed, refusal: Refusal) -> PublishFailed:
    said = f"the featured image: {error.detail.removeprefix('linkedin: ')}"
    return PublishFailed("linkedin", said, refusal, retry_after=error.retry_after)


def _is_linkedin(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" and (parts.hostname or "").endswith(".linkedin.com")


def _build(connection: Connection) -> LinkedInPublisher:
    author, version = connection.credentials.get("author"), connection.credentials.get("apiVersion") or VERSION
    if author and not _AUTHOR.fullmatch(author):
        raise InvalidInput.of("credentials.author", "must be urn:li:person:… or urn:li:organization:…")
    if not re.fullmatch(r"20\d{4}", version):
        raise InvalidInput.of("credentials.apiVersion", "must be a year and a month, such as 202607")
    headers = {
        "Authorization": f"Bearer {connection.credentials['accessToken']}",
        "LinkedIn-Version": version,
        "X-Restli-Protocol-Version": "2.0.0",
    }
    return LinkedInPublisher(connection, connection.target("linkedin", f"{_API}/rest", headers))


_AUTHOR_FIELD: Final = PublishOptionField(
    "author", "Author", FieldType.SELECT, help="A member or organisation, if not the one of the integration."
)
PROVIDER: Final = Provider(
    ProviderInfo(
        id="linkedin",
        name="LinkedIn",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><circle cx="8" cy="8" r="3"/><path d="M2 20c0-4 3-6 6-6s6 2 6 6"/>'
            '<path d="M15 5h7M15 9h7M17 13h5"/></svg>'
        ),
        features=(Feature.PUBLISH, Feature.UPDATE, Feature.TAGS, Feature.FEATURED_IMAGE, Feature.EXCERPT,
                  Feature.CANONICAL_URL, Feature.OPTIONS, Feature.DELETE),
        credential_fields=(
            SettingField("accessToken", "Access token", required=True, secret=True,
                         help="Of an app of yours at LinkedIn's developer portal, with the right w_member_social (and"
                              " openid, profile) or, for an organisation, w_organization_social. It lasts 60 days."),
            SettingField("author", "Author",
                         help="urn:li:organization:… to post for an organisation. Empty: the member of the token."),
            SettingField("apiVersion", "Version of the API", default=VERSION,
                         help="Year and month. Each one is switched off about a year later (error 426)."),
        ),
        option_fields=(
            _AUTHOR_FIELD,
            PublishOptionField("visibility", "Who can see it", FieldType.SELECT, default="PUBLIC",
                               choices=_VISIBILITIES),
        ),
        constraints=IntegrationConstraints(
            body_format="Text with an article card",
            body_max=LONGEST_COMMENTARY,
            tags_max=10,
            cannot=(
                "A post announces an article that stands elsewhere: it shows title, excerpt (or the first sentences)"
                " and hashtags, cut at 3,000 characters, and a card that leads to the canonical URL.",
                "Without a canonical URL there is no card, and so no picture.",
                "There are no drafts and no posts for later; the latter is done for it.",
                "Of a post only the text can be changed, not the card.",
                "A post cannot be looked for or read back: after a lost answer a person looks. If the same is"
                " published again soon, LinkedIn names the first post, and that one counts.",
                "The access token cannot be renewed by us: enter a new one every 60 days.",
                "Pictures are JPG, PNG or GIF of up to 8 MB; one that cannot be loaded stops the post.",
            ),
            unverified=(
                "The limits of 3,000 characters for the text, 400 and 4,086 for the card.",
                "For how long, and for which changes, LinkedIn takes a post for a duplicate.",
                "The names of the fields in the list of organisations.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
