"""Ghost's Admin API: its answers, its errors, and calls to it with a token that is made for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import httpx
import jwt
import msgspec
from attrs import field, frozen

from contentgen_adapters.publishing.preparing import response_of, with_reason
from contentgen_adapters.publishing.target import Target, read_as, usual_refusal
from contentgen_core.ports.publishing import PublishFailed, Refusal

NAME: Final = "ghost"
TOKEN_SECONDS: Final = 240  # Ghost takes five minutes at most


class StoredPost(msgspec.Struct):
    id: str
    status: str
    updated_at: str
    url: str | None = None
    codeinjection_foot: str | None = None
    feature_image: str | None = None
    title: str = ""
    lexical: str | None = None


class StoredPosts(msgspec.Struct):
    posts: list[StoredPost]


class Image(msgspec.Struct):
    url: str


class Images(msgspec.Struct):
    images: list[Image]


class Site(msgspec.Struct):
    title: str = ""
    version: str = ""


class SiteAnswer(msgspec.Struct):
    site: Site


class Newsletter(msgspec.Struct):
    slug: str
    name: str
    status: str = "active"


class Newsletters(msgspec.Struct):
    newsletters: list[Newsletter]


class Tag(msgspec.Struct):
    name: str


class Tags(msgspec.Struct):
    tags: list[Tag]


class User(msgspec.Struct):
    name: str
    email: str


class Users(msgspec.Struct):
    users: list[User]


class Problem(msgspec.Struct):
    message: str = ""
    context: str | None = None
    type: str | None = None


class Problems(msgspec.Struct):
    errors: list[Problem] = []


@frozen
class GhostApi:
    """The Admin API. `key_id`, `key`: the parts of its key. `now`: the time in UTC."""

    target: Target
    key_id: str = field(repr=False)
    key: bytes = field(repr=False)
    now: Callable[[], datetime]

    async def get(self, path: str, params: dict[str, Any] | None = None) -> httpx.Response:
        return await self.call("GET", path, params=params)

    async def call(self, method: str, path: str, **parts: Any) -> httpx.Response:
        with self._with_ghosts_reason():
            return await self.target.call(method, path, headers={"Authorization": f"Ghost {self._token()}"}, **parts)

    def first(self, response: httpx.Response) -> StoredPost:
        posts = self.target.decoded(response, StoredPosts).posts
        if not posts:
            raise PublishFailed(
                NAME, "its answer holds no post", Refusal.INVALID, outcome_unknown=response.request.method != "GET"
            )
        return posts[0]

    @contextmanager
    def _with_ghosts_reason(self) -> Iterator[None]:
        try:
            yield
        except PublishFailed as error:
            answer = response_of(error)
            problems = _problems(answer) if answer is not None else []
            if not problems:
                raise
            reason = "; ".join(" ".join(filter(None, (each.message, each.context))) for each in problems)
            raise with_reason(self.target, error, reason) from error.__cause__

    def _token(self) -> str:
        now = int(self.now().timestamp())
        claims = {"iat": now, "exp": now + TOKEN_SECONDS, "aud": "/admin/"}
        return jwt.encode(claims, self.key, algorithm="HS256", headers={"kid": self.key_id})


def _problems(response: httpx.Response) -> list[Problem]:
    problems = read_as(response, Problems)
    return problems.errors if problems else []


def refusal_of(response: httpx.Response) -> Refusal:
    """A 404 without a JSON error means a wrong address, not a missing post."""
    if response.status_code == 404 and not any(each.type == "NotFoundError" for each in _problems(response)):
        return Refusal.INVALID
    return usual_refusal(response)
