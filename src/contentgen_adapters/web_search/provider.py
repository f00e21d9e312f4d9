"""The declaration of a search provider, and the web search port over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

import httpx
import msgspec
from attrs import evolve, field, frozen

from contentgen_adapters.shared.http import CONNECT, BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.web_results import bounded_query, clean, page_count
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.web_search import WebFindings, WebQuery, WebResult

MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
RETRY_POLICY: Final = RetryPolicy(total=30.0, silence=15.0, longest_wait=5.0)
"""A search takes a second or two, and a user may be waiting for it."""


@frozen
class Access:
    """The operator's settings of one provider. `base_url`: None for the vendor's address."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None


@frozen
class Call:
    """A request to a provider: a GET with `params`, or a POST with a JSON `body`."""

    path: str
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    params: Mapping[str, str] | None = None
    body: Mapping[str, Any] | None = None


def _unchanged(text: str) -> str:
    return text


def _explain_nothing(_: httpx.Response) -> str | None:
    return None


@frozen
class Provider:
    """A search API.

    `needs`: the setting it cannot be used without. `call(query, api_key)`: the request; text and limit of the query are
    within bounds, and the text is not empty. `read(content)`: the results of an answer, unchecked; may raise
    msgspec.DecodeError, and ProviderFailed for a failure that comes with status 200. `address`: the vendor's, if any.
    `prepared(text)`: the query's text as this API should get it. `explain(response)`: the message for a permanent
    refusal where the body says more than the status, else None. `permanent`: see `Peer`. `max_characters`, `max_words`:
    of a query.
    """

    id: str
    name: str
    needs: Literal["api_key", "base_url"]
    call: Callable[[WebQuery, str | None], Call]
    read: Callable[[bytes], Iterable[WebResult]]
    address: str | None = None
    prepared: Callable[[str], str] = _unchanged
    explain: Callable[[httpx.Response], str | None] = _explain_nothing
    permanent: Callable[[httpx.Response], bool] = lambda _: False
    max_characters: int = 400
    max_words: int = 50

    @property
    def setting(self) -> str:
        """The environment variable that enables this provider."""
        return setting_of(self.id, self.needs)

    def is_configured(self, access: Access) -> bool:
        """Whether the setting it needs is there."""
        return bool(getattr(access, self.needs))

    def build(self, access: Access, client: httpx.AsyncClient, retry_policy: RetryPolicy = RETRY_POLICY) -> ApiSearch:
        """The web search over this API. Raises NotConfigured when a setting is missing or the address is invalid."""
        if not self.is_configured(access):
            raise NotConfigured(f"The web search {self.name} is not set up.", self.setting)
        address = usable_address(access.base_url or self.address, setting_of(self.id, "base_url"))
        return ApiSearch(self, address, access.api_key, client, retry_policy)


def setting_of(id: str, field_: str) -> str:
    """The environment variable of a provider's `api_key` or `base_url`."""
    return f"CONTENTGEN_{id}_{field_}".upper()


def usable_address(address: str | None, setting: str) -> str:
    """The address without a trailing slash. Raises NotConfigured, naming `setting`, unless it is http(s)."""
    found = web_address(address)
    if found is None:
        raise NotConfigured("The address of the web search is no http(s) address.", setting)
    return found.rstrip("/")


class ApiSearch:
    """The web search port over a declared API.

    `declared`: the API. `address`: its base address, without a trailing slash. `client`: closed by the caller.
    """

    def __init__(
        self,
        declared: Provider,
        address: str,
        api_key: str | None,
        client: httpx.AsyncClient,
        retry_policy: RetryPolicy,
    ) -> None:
        self._declared = declared
        self._address = address
        self._api_key = api_key
        self._client = client
        self._retry_policy = retry_policy
        self._peer = Peer(declared.name, declared.setting, permanent=declared.permanent)

    @property
    def provider(self) -> str:
        return self._declared.id

    async def search(self, query: WebQuery) -> WebFindings:
        declared = self._declared
        text = declared.prepared(bounded_query(query.text, declared.max_characters, declared.max_words))
        if not text:
            return WebFindings(self.provider, ())
        bounded = evolve(query, text=text, limit=page_count(query.limit))
        call = declared.call(bounded, self._api_key)
        response = await self._send(call)
        try:
            found = declared.read(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise ProviderFailed(declared.name, "its answer is no list of results", retryable=False) from exc
        return WebFindings(self.provider, clean(found, bounded.limit))

    async def _send(self, call: Call) -> httpx.Response:
        try:
            return await send(
                self._client,
                self._request(call),
                peer=self._peer,
                retry_policy=self._retry_policy,
                max_bytes=MAX_ANSWER_BYTES,
            )
        except BadStatus as exc:
            explained = self._declared.explain(exc.response)
            if explained is None:
                raise
            raise ProviderFailed(self._declared.name, explained, retryable=False) from exc

    def _request(self, call: Call) -> httpx.Request:
        headers = {"Accept": "application/json", **call.headers}
        content = None
        if call.body is not None:
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode(call.body)
        silence: Any = httpx.USE_CLIENT_DEFAULT
        if self._retry_policy.silence is not None:
            silence = httpx.Timeout(self._retry_policy.silence, connect=CONNECT, pool=CONNECT)
        method = "GET" if call.body is None else "POST"
        url = self._address + call.path
        return self._client.build_request(
            method, url, params=call.params, content=content, headers=headers, timeout=silence
        )
