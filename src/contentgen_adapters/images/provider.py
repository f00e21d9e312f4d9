"""What a picture service declares, and the image search that any of them becomes by that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
import structlog
from attrs import evolve, field, frozen

from contentgen_adapters.shared.http import CONNECT, BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import encodable
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.images import MAX_QUERY, Picture, PictureQuery

MAX_ANSWER_BYTES: Final = 2 * 1024 * 1024
MAX_NAME: Final = 200
MAX_ALT: Final = 500
RETRY_POLICY: Final = RetryPolicy(total=15.0, silence=8.0, attempts=2, longest_wait=2.0)
"""Somebody waits for the answer."""
TRACKING_RETRY_POLICY: Final = RetryPolicy(total=10.0, silence=8.0, attempts=1)
"""Once: a repetition could count twice."""
_log = structlog.get_logger("contentgen.images")


@frozen
class Access:
    """The operator's settings of one service. `base_url`: None for its own address."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None


def _nothing_more(_: httpx.Response) -> ProviderFailed | None:
    return None


@frozen
class Provider:
    """A picture API.

    `headers(key)` go with every request. `params(query)` are those of the search at `path`; the query comes bounded and
    with words. `read(content)` gives the pictures as the answer has them, best first; it may raise msgspec.DecodeError.
    Addresses that are none are taken care of. `explain` tells what an answer means better than its status does.
    `permanent`: see `Peer`."""

    id: str
    name: str
    address: str
    path: str
    headers: Callable[[str], Mapping[str, str]]
    params: Callable[[PictureQuery], Mapping[str, str]]
    read: Callable[[bytes], Iterable[Picture]]
    explain: Callable[[httpx.Response], ProviderFailed | None] = _nothing_more
    permanent: Callable[[httpx.Response], bool] = lambda _: False

    @property
    def setting(self) -> str:
        """The variable that makes it usable."""
        return f"CONTENTGEN_{self.id}_API_KEY".upper()

    def build(self, access: Access, client: httpx.AsyncClient, retry_policy: RetryPolicy = RETRY_POLICY) -> ApiImages:
        """Raises NotConfigured without a key, or for an address that is none."""
        if not access.api_key:
            raise NotConfigured(f"The image search {self.name} is not set up.", self.setting)
        address = web_address(access.base_url or self.address)
        if address is None:
            raise NotConfigured(
                f"The address of {self.name} is no http(s) address.", f"CONTENTGEN_{self.id}_BASE_URL".upper()
            )
        return ApiImages(self, address.rstrip("/"), access.api_key, client, retry_policy)


class ApiImages:
    """An ImageSearch over the API that a provider declares."""

    def __init__(
        self, declared: Provider, address: str, api_key: str, client: httpx.AsyncClient, retry_policy: RetryPolicy
    ) -> None:
        self._declared, self._address, self._client, self._retry_policy = declared, address, client, retry_policy
        self._headers = {"Accept": "application/json", **declared.headers(api_key)}
        self._peer = Peer(declared.name, declared.setting, permanent=declared.permanent)
        self._telling: set[asyncio.Task[None]] = set()

    @property
    def provider(self) -> str:
        return self._declared.id

    async def find(self, query: PictureQuery) -> Picture | None:
        text = " ".join(encodable(query.text).replace("\0", " ").split())[:MAX_QUERY].strip()
        if not text:
            return None
        params = self._declared.params(evolve(query, text=text))
        response = await self._get(self._address + self._declared.path, self._retry_policy, params)
        try:
            found = list(self._declared.read(response.content))
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise ProviderFailed(self._declared.name, "its answer is no list of pictures", retryable=False) from exc
        sound = (picture for each in found if (picture := _sound(each)) is not None)
        return next((picture for picture in sound if picture.address != query.other_than), None)

    def picked(self, picture: Picture) -> None:
        # Of the address in an answer only path and query are followed, at the address that is set: the key goes there
        # and nowhere else.
        parts = urlsplit(picture.tracking or "")
        if picture.provider != self.provider or not parts.path:
            return
        telling = asyncio.create_task(self._tell(f"{parts.path}?{parts.query}" if parts.query else parts.path))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def told(self) -> None:
        """Waits until what was to be told is told."""
        await asyncio.gather(*self._telling)

    async def _tell(self, path: str) -> None:
        try:
            await self._get(self._address + path, TRACKING_RETRY_POLICY)
        except Exception as failure:  # nobody waits for it
            reason = failure.log_text if isinstance(failure, ProviderFailed) else type(failure).__name__
            _log.warning("the use of a picture could not be told", provider=self.provider, reason=reason)

    async def _get(
        self, url: str, retry_policy: RetryPolicy, params: Mapping[str, str] | None = None
    ) -> httpx.Response:
        silence: Any = httpx.USE_CLIENT_DEFAULT
        if retry_policy.silence is not None:
            silence = httpx.Timeout(retry_policy.silence, connect=CONNECT, pool=CONNECT)
        request = self._client.build_request("GET", url, params=params, headers=self._headers, timeout=silence)
        try:
            return await send(
                self._client, request, peer=self._peer, retry_policy=retry_policy, max_bytes=MAX_ANSWER_BYTES
            )
        except BadStatus as exc:
            meant = self._declared.explain(exc.response)
            if meant is None:
                raise
            raise meant from exc


def _sound(picture: Picture) -> Picture | None:
    """With plain texts and web addresses only; None where it cannot be shown or its photographer not be named."""
    address, photographer = web_address(picture.address), _line(picture.photographer, MAX_NAME)
    if address is None or not photographer:
        return None
    return evolve(
        picture,
        address=address,
        photographer=photographer,
        photographer_url=web_address(picture.photographer_url),
        page_url=web_address(picture.page_url),
        alt=_line(picture.alt, MAX_ALT) or None,
        tracking=web_address(picture.tracking),
    )


def _line(text: str | None, most: int) -> str:
    return " ".join(encodable(text or "").replace("\0", " ").split())[:most]
