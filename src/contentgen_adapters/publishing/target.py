"""HTTP calls to a target, and what their failures mean for a post."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import field, frozen

from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.masking import mask
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.publishing import PublishFailed, Refusal

T = TypeVar("T")

_NO_RETRY: Final = RetryPolicy(total=60.0, attempts=1)
_RETRY_READS: Final = RetryPolicy(total=60.0, attempts=3, longest_wait=2.0)
"""A target that asks to wait longer is not waited for in a job's place: the post is put off."""
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
MAX_PATH: Final = 200
_SAFE_METHODS: Final = ("GET", "HEAD")
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, AddressRefused, httpx.InvalidURL,
                      httpx.UnsupportedProtocol)  # fmt: skip


def usual_refusal(response: httpx.Response) -> Refusal:
    """Return the meaning of a status outside 2xx, unless a target has its own."""
    status = response.status_code
    return _REFUSALS.get(status, Refusal.TRANSIENT if status >= 500 else Refusal.INVALID)


def read_as(response: httpx.Response, kind: type[T]) -> T | None:
    """The JSON body of a response as a type; None where it is something else, such as a firewall's page."""
    try:
        return msgspec.json.decode(response.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def fingerprint(*parts: object) -> str:
    """A digest of a post's title and text as the target gives them back; the order of names does not count."""
    return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


def forbidden(response: httpx.Response) -> str:
    """Return what a 403 refused, for the person who manages the account's rights; "" for other statuses."""
    if response.status_code != 403:
        return ""
    request = response.request
    verb = {"GET": "read", "HEAD": "read", "DELETE": "delete"}.get(request.method, "create or change")
    return f" (the account may not {verb} {request.url.path[:MAX_PATH]})"


@contextmanager
def before_creation() -> Iterator[None]:
    """A block of calls before a post is created (for tags, pictures): their failures have `outcome_unknown` False."""
    try:
        yield
    except PublishFailed as error:
        raise _with_outcome(error, outcome_unknown=False) from error


@contextmanager
def after_creation() -> Iterator[None]:
    """A block of calls after a post was created (making it public, reading it): their failures have `outcome_unknown`
    True, since another attempt must look for the post first."""
    try:
        yield
    except PublishFailed as error:
        raise _with_outcome(error, outcome_unknown=True) from error


@contextmanager
def conflict_may_be_ours() -> Iterator[None]:
    """A block that creates a post. A refusal because slug or title exist gets `outcome_unknown` True: the existing post
    may be that of an earlier attempt, so a person has to check.
    """
    try:
        yield
    except PublishFailed as error:
        if error.refusal is not Refusal.CONFLICT:
            raise
        raise _with_outcome(error, outcome_unknown=True) from error


def _with_outcome(error: PublishFailed, *, outcome_unknown: bool) -> PublishFailed:
    return PublishFailed(
        error.provider, error.message, error.refusal, outcome_unknown=outcome_unknown, retry_after=error.retry_after
    )


@frozen
class Target:
    """A service that a provider calls.

    `name`: in messages. `base`: prefix of all paths, without a trailing slash. `headers`: of every request.
    `refusal(response)`: the meaning of a failed response. `secrets`: removed from every message, even one that quotes
    the service.
    """

    name: str
    client: httpx.AsyncClient
    base: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    refusal: Callable[[httpx.Response], Refusal] = usual_refusal
    secrets: tuple[str, ...] = field(default=(), repr=False)

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> httpx.Response:
        """A GET, retried after a transient failure. Raises PublishFailed."""
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
        """Send one request. Only reads are retried after a transient failure.

        `path`: relative to `base`, or a whole address. `json`: a body to encode. `reads`: whether the request changes
        nothing; by default true for GET and HEAD. `parts`: `data` or `files` of httpx. Raises PublishFailed, with
        `outcome_unknown` when a request that may have had an effect got no answer or a server error.
        """
        sent = {"Accept": "application/json", **self.headers, **(headers or {})}
        if json is not None:
            content = msgspec.json.encode(json)
            sent.setdefault("Content-Type", "application/json")
        peer = Peer(self.name)
        reads = method in _SAFE_METHODS if reads is None else reads
        try:
            request = self.client.build_request(
                method, self._address(path), content=content, params=params, headers=sent, **parts
            )
        except httpx.InvalidURL as error:
            raise PublishFailed(self.name, "its address is not a valid http(s) URL", Refusal.INVALID) from error
        try:
            return await send(self.client, request, peer=peer, retry_policy=_RETRY_READS if reads else _NO_RETRY)
        except BadStatus as error:
            refusal = self.refusal(error.response)
            broken = error.response.status_code >= 500 and refusal is Refusal.TRANSIENT
            raise PublishFailed(
                self.name,
                self._message(error) + forbidden(error.response),
                refusal,
                outcome_unknown=broken and not reads,
                retry_after=error.retry_after,
            ) from error
        except ProviderFailed as error:
            never_sent = isinstance(error.__cause__, _NEVER_SENT)
            refusal = Refusal.TRANSIENT if error.retryable else Refusal.INVALID
            raise PublishFailed(
                self.name, self._message(error), refusal, outcome_unknown=not never_sent and not reads
            ) from error

    def decoded(self, response: httpx.Response, kind: type[T], *, reads: bool | None = None) -> T:
        """The JSON body of a response as a type.

        `reads`: as for `call`. Raises PublishFailed, with `outcome_unknown` unless the request only read.
        """
        found = read_as(response, kind)
        if found is None:
            reads = response.request.method in _SAFE_METHODS if reads is None else reads
            message = "its answer cannot be read: is the address right, and no login or firewall in front of it?"
            raise PublishFailed(self.name, message, Refusal.INVALID, outcome_unknown=not reads)
        return found

    def _address(self, path: str) -> str:
        return path if path.startswith(("https://", "http://")) else f"{self.base}{path}"

    def _message(self, error: ProviderFailed) -> str:
        return self.without_secrets(error.message)

    def without_secrets(self, text: str) -> str:
        """The text with `***` in place of each secret."""
        return mask(text, self.secrets)
