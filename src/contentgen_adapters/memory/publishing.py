"""Publishing targets that keep their posts in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any, Final

from attrs import define, evolve, field

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import (
    Feature,
    IntegrationConstraints,
    Post,
    ProviderInfo,
    PublishOptionField,
    RemotePost,
    SettingField,
)
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, Refusal

TOKEN: Final = "let me in"  # noqa: S105 - a word that opens nothing
INFO: Final = ProviderInfo(
    id="memory",
    name="Memory",
    icon='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="4" y="4" width="16" height="16"/></svg>',
    features=(
        Feature.DRAFT,
        Feature.PUBLISH,
        Feature.SCHEDULE,
        Feature.UPDATE,
        Feature.FIND,
        Feature.TAGS,
        Feature.UNPUBLISH,
        Feature.DELETE,
        Feature.TWINS,
    ),
    credential_fields=(SettingField("token", "Token", required=True, secret=True), SettingField("blog", "Blog")),
    constraints=IntegrationConstraints(body_format="Markdown"),
    option_fields=(PublishOptionField("note", "Note"),),
)


@define
class MemoryTarget:
    """A target with its posts, by id. `before`: called with the name of each call before it is answered (`create`, …),
    and with `after create` or `after update` when the effect is there: what it raises is what the caller gets.
    `address`: of a post, with `{id}`. `warnings`: of a creation or an update."""

    info: ProviderInfo = INFO
    posts: dict[str, Post] = field(factory=dict)
    calls: list[str] = field(factory=list)
    before: Callable[[str], None] = lambda _: None
    address: str = "https://memory.example/{id}"
    warnings: tuple[str, ...] = ()
    numbers: Iterator[int] = field(factory=lambda: count(1))

    def new_id(self) -> str:
        return str(next(self.numbers))

    def _called(self, name: str) -> None:
        self.calls.append(name)
        self.before(name)

    def seen(self, id: str) -> RemotePost:
        return RemotePost(id, self.posts[id].status, self.address.format(id=id), _fingerprint(self.posts[id]))


def _fingerprint(post: Post) -> str:
    return sha256(f"{post.title}\n{post.markdown}".encode()).hexdigest()


@define
class MemoryPublisher:
    target: MemoryTarget
    credentials: Mapping[str, Any]

    async def test(self) -> str:
        self._enter("test")
        return "Memory works."

    async def find(self, post: Post) -> RemotePost | None:
        self._enter("find")
        if Feature.FIND not in self.target.info.features:
            raise LookupUnsupported
        keys = {held.external_key: id for id, held in self.target.posts.items()}
        return self.target.seen(keys[post.external_key]) if post.external_key in keys else None

    async def create(self, post: Post) -> RemotePost:
        self._enter("create")
        id = self.target.new_id()
        self.target.posts[id] = post
        self.target._called("after create")
        return evolve(self.target.seen(id), warnings=self.target.warnings)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        self._enter("update")
        self._held(remote_id)
        self.target.posts[remote_id] = evolve(post)
        self.target._called("after update")
        return evolve(self.target.seen(remote_id), warnings=self.target.warnings)

    async def read(self, remote_id: str) -> RemotePost | None:
        self._enter("read")
        if Feature.FIND not in self.target.info.features:
            raise LookupUnsupported
        return self.target.seen(remote_id) if remote_id in self.target.posts else None

    async def unpublish(self, remote_id: str) -> None:
        self._enter("unpublish")
        self.target.posts[remote_id] = evolve(self._held(remote_id), status=PostStatus.DRAFT)
        self.target._called("after unpublish")

    async def delete(self, remote_id: str) -> None:
        self._enter("delete")
        self._held(remote_id)
        del self.target.posts[remote_id]
        self.target._called("after delete")

    async def copies(self, post: Post) -> Sequence[RemotePost]:
        self._enter("copies")
        held = self.target.posts.items()
        return [self.target.seen(id) for id, other in held if other.external_key == post.external_key]

    async def options(self) -> Sequence[PublishOptionField]:
        self._enter("options")
        return (PublishOptionField("note", "Note", help="As the target has it."), PublishOptionField("place", "Place"))

    def _held(self, remote_id: str) -> Post:
        if remote_id not in self.target.posts:
            raise PublishFailed(self.target.info.id, "there is no such post", Refusal.GONE)
        return self.target.posts[remote_id]

    def _enter(self, name: str) -> None:
        self.target._called(name)
        if self.credentials.get("token") != TOKEN:
            raise PublishFailed(self.target.info.id, "the token is wrong", Refusal.CREDENTIALS)


class MemoryTargets:
    def __init__(self, *targets: MemoryTarget) -> None:
        self._targets = {target.info.id: target for target in targets}

    def all(self) -> Sequence[ProviderInfo]:
        return [self._targets[id].info for id in sorted(self._targets)]

    def get(self, provider: str) -> ProviderInfo:
        return self._target(provider).info

    def connect(
        self, provider: str, credentials: Mapping[str, Any], settings: Mapping[str, Any], tenant_id: TenantId
    ) -> Publisher:
        return MemoryPublisher(self._target(provider), credentials)

    def _target(self, provider: str) -> MemoryTarget:
        if provider not in self._targets:
            raise NotFound("publishing provider", provider)
        return self._targets[provider]
