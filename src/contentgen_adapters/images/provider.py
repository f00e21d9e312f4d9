"""The declaration of a picture service, and the image search port over it."""

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
from contentgen_adapters.shared.text.markdown import storable
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.images import MAX_QUERY, Picture, PictureQuery

MAX_ANSWER_BYTES: Final = 2 * 1024 * 1024
MAX_NAME: Final = 200
MAX_ALT: Final = 500
RETRY_POLICY: Final = RetryPolicy(total=15.0, silence=8.0, attempts=2, longest_wait=2.0)
"""Short: a user waits for the answer."""
TRACKING_RETRY_POLICY: Final = RetryPolicy(total=10.0, silence=8.0, attempts=1)
"""A single attempt: a repetition could be counted twice."""
_log = structlog.get_logger("contentgen.images")


@frozen
class Access:
    """The operator's settings of one service. `base_url`: None for the vendor's address."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None


def _explain_nothing(_: httpx.Response) -> ProviderFailed | None:
    return None


@frozen
class Provider:
    """A picture service.

    `address`: of its API, without the path. `path`: of the search. `headers(key)`: sent with every request.
    `params(query)`: of a search; the query is not blank and of limited length. `read(content)`: the pictures of an
    answer, best first, unchecked; may raise msgspec.DecodeError. `explain(response)`: the error behind a failed
    response where its body says more than its status, else None. `permanent`: see `Peer`.
    """

    id: str
    name: str
    address: str
    path: str
    headers: Callable[[str], Mapping[str, str]]
    params: Callable[[PictureQuery], Mapping[str, str]]
    read: Callable[[bytes], Iterable[Picture]]
    explain: Callable[[httpx.Response], ProviderFailed | None] = _explain_nothing
    permanent: Callable[[httpx.Response], bool] = lambda _: False

    @property
    def setting(self) -> str:
        """The environment variable of its key."""
        return f"CONTENTGEN_{self.id}_API_KEY".upper()

    def build(self, access: Access, client: httpx.AsyncClient, retry_policy: RetryPolicy = RETRY_POLICY) -> ApiImages:
        """The image search over this service. Raises NotConfigured without a key, or when the address is not
        http(s)."""
        if not access.api_key:
            raise NotConfigured(f"The image search {self.name} is not set up.", self.setting)
        address = web_address(access.base_url or self.address)
        if address is None:
            raise NotConfigured(
                f"The address of {self.name} is no http(s) address.", f"CONTENTGEN_{self.id}_BASE_URL".upper()
            )
        return ApiImages(self, address.rstrip("/"), access.api_key, client, retry_policy)


class ApiImages:
    """The port `ImageSearch` over a declared service.

    `declared`: the service. `address`: its base address, without a trailing slash. `client`: closed by the caller.
    """

    def __init__(
        self, declared: Provider, address: str, api_key: str, client: httpx.AsyncClient, retry_policy: RetryPolicy
    ) -> None:
        self._declared, self._address, self._client, self._retry_policy = declared, address, client, retry_policy
        self._headers = {"Accept": "application/json", **declared.headers(api_key)}
        self._peer = Peer(declared.name, declared.setting, permanent=declared.permanent)
        self._reports: set[asyncio.Task[None]] = set()

    @property
    def provider(self) -> str:
        return self._declared.id

    async def find(self, query: PictureQuery) -> Picture | None:
        text = " ".join(storable(query.text, nul=" ").split())[:MAX_QUERY].strip()
        if not text:
            return None
        params = self._declared.params(evolve(query, text=text))
        response = await self._get(self._address + self._declared.path, self._retry_policy, params)
        try:
            found = list(self._declared.read(response.content))
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise ProviderFailed(self._declared.name, "its answer is no list of pictures", retryable=False) from exc
        usable = (picture for each in found if (picture := _without_invalid_addresses(each)) is not None)
        return next((picture for picture in usable if picture.address != query.other_than), None)

    def report_use(self, picture: Picture) -> None:
        # Only path and query are taken from the address in an answer: the key is sent to the configured host alone.
        parts = urlsplit(picture.tracking or "")
        if picture.provider != self.provider or not parts.path:
            return
        report = asyncio.create_task(self._report_use(f"{parts.path}?{parts.query}" if parts.query else parts.path))
        self._reports.add(report)
        report.add_done_callback(self._reports.discard)

    async def wait_for_reports(self) -> None:
        """Returns when all reports of used pictures have been sent."""
        await asyncio.gather(*self._reports)

    async def _report_use(self, path: str) -> None:
        try:
            await self._get(self._address + path, TRACKING_RETRY_POLICY)
        except Exception as failure:  # it runs in the background: a failure is only logged
            reason = failure.log_text if isinstance(failure, ProviderFailed) else type(failure).__name__
            _log.warning("the use of a picture could not be reported", provider=self.provider, reason=reason)

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
            explained = self._declared.explain(exc.response)
            if explained is None:
                raise
            raise explained from exc


def _without_invalid_addresses(picture: Picture) -> Picture | None:
    """The picture with invalid addresses and control characters removed; None without an address or photographer."""
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
    return " ".join(storable(text or "", nul=" ").split())[:most]
