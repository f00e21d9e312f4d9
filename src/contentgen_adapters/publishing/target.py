"""Calls to a target, and what their failures mean for a post."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import field, frozen

from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.masking import masked
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.publishing import PublishFailed, Refusal

T = TypeVar("T")

_ONCE: Final = RetryPolicy(total=60.0, attempts=1)
_READING: Final = RetryPolicy(total=60.0, attempts=3)
_REFUSALS: Final[dict[int, Refusal]] = {
    401: Refusal.CREDENTIALS,
    402: Refusal.PERMISSION,
    403: Refusal.PERMISSION,
    404: Refusal.GONE,
    409: Refusal.CONFLICT,
    410: Refusal.GONE,
    426: Refusal.PERMISSION,
    408: Refusal.TRANSIENT,
    425: Refusal.TRANSIENT,
    429: Refusal.LIMITED,
    529: Refusal.LIMITED,
}
_METHODS_THAT_READ: Final = ("GET", "HEAD")
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, AddressRefused, httpx.InvalidURL,
                      httpx.UnsupportedProtocol)  # fmt: skip


def usual_refusal(response: httpx.Response) -> Refusal:
    """What a status outside 2xx means where a target says nothing better."""
    status = response.status_code
    return _REFUSALS.get(status, Refusal.TRANSIENT if status >= 500 else Refusal.INVALID)


def read_as(response: httpx.Response, kind: type[T]) -> T | None:
    """The JSON of an answer as a type; None where it is something else, such as a page of a firewall."""
    try:
        return msgspec.json.decode(response.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


@contextmanager
def before_the_post_is_made() -> Iterator[None]:
    """Around calls that change something else (tags, pictures): whatever becomes of them, there is no post yet."""
    try:
        yield
    except PublishFailed as error:
        raise _told_anew(error, outcome_unknown=False) from error


@contextmanager
def after_the_post_was_made() -> Iterator[None]:
    """Around the further calls of a creation (making public, reading): when one of them fails the post is there all the
    same, and whoever comes next must look before making another."""
    try:
        yield
    except PublishFailed as error:
        raise _told_anew(error, outcome_unknown=True) from error


@contextmanager
def a_conflict_may_be_ours() -> Iterator[None]:
    """Around a creation that is refused where a post of the same slug or title exists: that may be the post of an
    earlier attempt, so a person looks."""
    try:
        yield
    except PublishFailed as error:
        if error.refusal is not Refusal.CONFLICT:
            raise
        raise _told_anew(error, outcome_unknown=True) from error


def _told_anew(error: PublishFailed, *, outcome_unknown: bool) -> PublishFailed:
    return PublishFailed(
        error.provider, error.message, error.refusal, outcome_unknown=outcome_unknown, retry_after=error.retry_after
    )


@frozen
class Target:
    """One target as its provider calls it. `base`: the address that paths are put behind, without a slash at the end.
    `refusal`: reads more in an answer than its status says. `secrets`: never part of a message, whoever repeats them.
    """

    name: str
    client: httpx.AsyncClient
    base: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    refusal: Callable[[httpx.Response], Refusal] = usual_refusal
    secrets: tuple[str, ...] = field(default=(), repr=False)

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> httpx.Response:
        """Raises PublishFailed."""
        return await self.call("GET", path, params=params)

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        content: bytes | None = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        reads: bool | None = None,
        **parts: Any,
    ) -> httpx.Response:
        """One call; one that only reads is repeated after a passing failure, nothing else is. `reads`: whether it
        changes nothing, where the method does not say so (a search by POST). `path` may be a whole address. `parts`:
        `data` or `files` of httpx. Raises PublishFailed; `outcome_unknown` where a call that may change something got
        no answer, or that of a broken server."""
        sent = {"Accept": "application/json", **self.headers, **(headers or {})}
        if json is not None:
            content = msgspec.json.encode(json)
            sent.setdefault("Content-Type", "application/json")
        peer = Peer(self.name)
        reads = method in _METHODS_THAT_READ if reads is None else reads
        try:
            request = self.client.build_request(
                method, self._address(path), content=content, params=params, headers=sent, **parts
            )
        except httpx.InvalidURL as error:
            raise PublishFailed(self.name, "its address is not a valid http(s) URL", Refusal.INVALID) from error
        try:
            return await send(self.client, request, peer=peer, retry_policy=_READING if reads else _ONCE)
        except BadStatus as error:
            refusal = self.refusal(error.response)
            broken = error.response.status_code >= 500 and refusal is Refusal.TRANSIENT
            raise PublishFailed(
                self.name,
                self._words(error),
                refusal,
                outcome_unknown=broken and not reads,
                retry_after=error.retry_after,
            ) from error
        except ProviderFailed as error:
            never_sent = isinstance(error.__cause__, _NEVER_SENT)
            refusal = Refusal.TRANSIENT if error.retryable else Refusal.INVALID
            raise PublishFailed(
                self.name, self._words(error), refusal, outcome_unknown=not never_sent and not reads
            ) from error

    def decoded(self, response: httpx.Response, kind: type[T], *, reads: bool | None = None) -> T:
        """The JSON of an answer as a type; `reads` as for `call`. Raises PublishFailed; the call behind it may have had
        its effect."""
        found = read_as(response, kind)
        if found is None:
            reads = response.request.method in _METHODS_THAT_READ if reads is None else reads
            message = "its answer cannot be read: is the address right, and no login or firewall in front of it?"
            raise PublishFailed(self.name, message, Refusal.INVALID, outcome_unknown=not reads)
        return found

    def _address(self, path: str) -> str:
        return path if path.startswith(("https://", "http://")) else f"{self.base}{path}"

    def _words(self, error: ProviderFailed) -> str:
        return self.without_secrets(error.message)

    def without_secrets(self, text: str) -> str:
        return masked(text, self.secrets)
