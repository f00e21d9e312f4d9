"""HTTP calls to a service that has a source's documents, and what their failures mean for a sync."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import define, field

from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.masking import mask
from contentgen_adapters.sources.provider import Connection
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.synced_source import SkipReason
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, SourceUnavailable

T = TypeVar("T")

MAX_JSON: Final = 16 * 1024 * 1024
_RETRIES: Final = RetryPolicy(total=180.0, attempts=5)


@define
class Service:
    """A service that its provider calls.

    `name`: in messages. `base`: prefix of all paths. `headers`: of every request. `remedy`: what a person does when it
    refuses the credentials. `pause`: seconds between two requests. `is_busy(response)`: whether a refusal means that it
    was asked too often; `reason(response)`: why it does not give one item.
    """

    name: str
    base: str
    connection: Connection
    remedy: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    pause: float = 0.0
    is_busy: Callable[[httpx.Response], bool] = lambda _: False
    reason: Callable[[httpx.Response], SkipReason] = lambda _: SkipReason.REFUSED
    retries: RetryPolicy = _RETRIES
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def listed(self, kind: type[T], path: str, **call: Any) -> T:
        """Return the JSON answer to a request for a part of the listing; for `call` see `_send`. Raises
        SourceUnavailable, ProviderFailed.
        """
        try:
            return self.decoded(kind, await self._send(path, MAX_JSON, **call))
        except BadStatus as error:
            raise self._unavailable(error) from error

    async def item(self, path: str, *, most: int = MAX_BYTES, **call: Any) -> httpx.Response:
        """The answer to a request for one item. Raises ItemGone, ItemSkipped, SourceUnavailable where the credentials
        are refused, ProviderFailed."""
        try:
            return await self._send(path, most, **call)
        except BadStatus as error:
            status = error.response.status_code
            if status in (404, 410):
                raise ItemGone from error
            if status in (400, 403, 413):
                raise ItemSkipped(self.reason(error.response)) from error
            raise self._unavailable(error) from error
        except ProviderFailed as error:
            if "larger than" in error.message:
                raise ItemSkipped(SkipReason.TOO_LARGE, most) from error
            raise

    def decoded(self, kind: type[T], response: httpx.Response) -> T:
        """Decode a response. Raises SourceUnavailable."""
        try:
            return msgspec.json.decode(response.content, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise SourceUnavailable(f"The answer of {self.name} cannot be read: is the address right?") from error

    async def _send(
        self,
        path: str,
        most: int,
        *,
        method: str = "GET",
        params: Mapping[str, Any] | None = None,
        json: object = None,
        data: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Raises BadStatus, ProviderFailed."""
        content = None if json is None else msgspec.json.encode(json)
        headers = dict(self.headers) | ({"Content-Type": "application/json"} if content is not None else {})
        client = self.connection.around.client

        async with self._turn:
            await asyncio.sleep(self.pause)
            request = client.build_request(
                method, f"{self.base}{path}", params=params, content=content, data=data, headers=headers
            )
            try:
                return await send(client, request, peer=Peer(self.name), retry_policy=self.retries, max_bytes=most)
            except BadStatus as error:
                if error.response.status_code == 403 and self.is_busy(error.response):
                    message = self._without_secrets(error.message)
                    raise ProviderFailed(self.name, message, retryable=True, retry_after=error.retry_after) from error
                raise

    def _unavailable(self, error: BadStatus) -> Exception:
        status = error.response.status_code
        if status in (401, 403):
            return SourceUnavailable(f"{self.name} refuses the credentials (HTTP {status}). {self.remedy}")
        if status in (404, 410):
            return SourceUnavailable(f"{self.name} has no such place, or it is not shared with us. {self.remedy}")
        message = self._without_secrets(error.message)
        return ProviderFailed(self.name, message, retryable=error.retryable, retry_after=error.retry_after)

    def _without_secrets(self, text: str) -> str:
        return mask(text, self.connection.secrets)


@define
class Cursors:
    """Guards a listing of several pages against services that never end it."""

    name: str
    _seen: set[str] = field(factory=set, init=False)

    def following(self, cursor: str | None) -> str | None:
        """Return the cursor of the next page; None at the end. Raises SourceUnavailable for a cursor that was there
        before.
        """
        if cursor is not None:
            if cursor in self._seen:
                raise SourceUnavailable(f"{self.name} lists the same documents over and over.")
            self._seen.add(cursor)
        return cursor or None
