"""WordPress's REST API: its answers, its errors, and calls to it."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.target import Target, read_as, usual_refusal
from contentgen_core.ports.publishing import Refusal

NAME: Final = "wordpress"
_REFUSED_CREDENTIALS: Final = frozenset({
    "incorrect_password", "invalid_username", "invalid_email", "rest_not_logged_in",
    "application_passwords_disabled", "application_passwords_disabled_for_user",
})  # fmt: skip

T = TypeVar("T")


class Content(msgspec.Struct):
    raw: str = ""


class StoredPost(msgspec.Struct):
    id: int
    status: str
    link: str = ""
    date_gmt: str | None = None
    content: Content | None = None
    title: Content | None = None


class Term(msgspec.Struct):
    """A category, a tag or a user."""

    id: int
    name: str


class User(msgspec.Struct):
    id: int
    name: str
    capabilities: Any = None  # PHP writes an empty object as a list


class ApiError(msgspec.Struct):
    code: Any = None
    message: Any = None
    data: Any = None

    @property
    def existing_term(self) -> int | None:
        term = self.data.get("term_id") if self.code == "term_exists" and isinstance(self.data, dict) else None
        return term if isinstance(term, int) else None

    @property
    def forbids_status(self) -> bool:
        """Whether the error is the one for a request for drafts without a login: an invalid parameter `status`."""
        details = self.data.get("details") if isinstance(self.data, dict) else None
        fault = details.get("status") if isinstance(details, dict) else None
        return isinstance(fault, dict) and fault.get("code") == "rest_forbidden_status"


@frozen
class WordPressApi:
    """The REST API. `plain`: for a site with plain permalinks, where the API's route is a parameter. `posts`: the path
    of the posts' type.
    """

    target: Target
    plain: bool
    posts: str

    async def get(self, path: str, params: dict[str, Any]) -> httpx.Response:
        return await self.call("GET", path, params=params)

    async def call(
        self, method: str, path: str, *, params: dict[str, Any] | None = None, **parts: Any
    ) -> httpx.Response:
        """Send one request. `path`: below the API's own. Raises PublishFailed."""
        if self.plain:
            return await self.target.call(
                method, "/", params={"rest_route": f"/wp/v2{path}", **(params or {})}, **parts
            )
        return await self.target.call(method, f"/wp-json/wp/v2{path}", params=params, **parts)

    def decoded(self, response: httpx.Response, kind: type[T]) -> T:
        """Decode a response. Raises PublishFailed."""
        return self.target.decoded(response, kind)


def error_of(response: httpx.Response) -> ApiError:
    return read_as(response, ApiError) or ApiError()


def refusal_of(response: httpx.Response) -> Refusal:
    """A 404 for the route means a wrong address, not a missing post; a refused picture comes with status 500."""
    error = error_of(response)
    code = error.code
    if code in _REFUSED_CREDENTIALS or error.forbids_status:
        return Refusal.CREDENTIALS
    if code == "rest_upload_sideload_error":
        return Refusal.INVALID
    if response.status_code in (404, 410):
        return Refusal.GONE if code in ("rest_post_invalid_id", "rest_already_trashed") else Refusal.INVALID
    return usual_refusal(response)
