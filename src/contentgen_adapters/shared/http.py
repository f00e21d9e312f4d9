"""The client for other services: limits, bounded answers, retries, and one translation of failures."""

from __future__ import annotations

import asyncio
import math
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import frozen
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_base, wait_random_exponential

from contentgen_adapters.shared.content_coding import (
    ACCEPT_ENCODING,
    CorruptBody,
    UnsupportedContentCoding,
    decode,
)
from contentgen_adapters.shared.masking import mask, secrets_of
from contentgen_adapters.shared.outgoing.errors import AddressRefused, NotReached, UnknownHost
from contentgen_core.errors import ProviderFailed

T = TypeVar("T")

MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
MAX_QUOTED_BODY: Final = 300
LONGEST_WAIT: Final = 30.0
CONNECT: Final = 10.0
"""Seconds for a connection, and for a free place in the pool."""
CONNECTIONS: Final = 50
CALLS_PER_HOST: Final = 20
"""Of a client that calls several services: one that is slow leaves connections to the others."""
RETRYABLE: Final = frozenset({408, 425, 429, 529})
"""Beside every 5xx but those that say that asking again is useless."""
_NEVER_RETRYABLE: Final = frozenset({501, 505, 511})


@frozen
class Peer:
    """The service one talks to, as messages name it. `setting`: where the operator set its key; None for one that a
    person entered.

    `also_retryable`: statuses this service asks to retry beyond the usual ones. `permanent`: recognises, from the
    answer's structured fields, a failure that waiting does not heal (an exhausted credit answered as 429).
    """

    name: str
    setting: str | None = None
    also_retryable: frozenset[int] = frozenset()
    permanent: Callable[[httpx.Response], bool] = lambda _: False


class BadStatus(ProviderFailed):
    """A failure that the status of an answer shows; `response` is for adapters that read more in it."""

    def __init__(self, peer: Peer, message: str, response: httpx.Response, *, retryable: bool = False) -> None:
        wait = retry_after(response) if retryable else None
        away = retryable and (response.status_code in RETRYABLE or response.status_code >= 500)
        super().__init__(peer.name, message, retryable=retryable, retry_after=wait, away=away)
        self.response = response

    @property
    def log_text(self) -> str:
        """The text without the service's words, which may repeat what it was sent."""
        return f"{self.provider}: HTTP {self.response.status_code}"


@frozen
class RetryPolicy:
    """The limits of a call's time. Times in seconds. `total` bounds all attempts and waits together, `attempt` one
    attempt from its start to the last byte of its answer (None: only `total` does), `silence` the wait for the next
    bytes of an answer (None: the client's own limit). An answer that asks for more than `longest_wait` is not waited
    for: the failure says so and a job tries again later.

    `places`: bounds the calls under way, at most the client's connections. Waiting for a place is not a failure, and
    that time counts against no limit.
    """

    total: float = 120.0
    attempt: float | None = None
    silence: float | None = None
    places: asyncio.Semaphore | None = None
    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = LONGEST_WAIT
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


RequestHook = Callable[[httpx.Request], AbstractContextManager[Callable[[int], None]]]
"""Makes a context in which a request is sent; what entering it gives is called with the status of the answer."""


class _Client(httpx.AsyncClient):
    request_hook: RequestHook | None = None
    calls_per_host: int | None = None

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._places: dict[tuple[str, str, int | None], asyncio.Semaphore] = {}

    def places_at(self, url: httpx.URL) -> AbstractAsyncContextManager[object]:
        """Return a place for one call of this host."""
        if self.calls_per_host is None:
            return nullcontext()
        return self._places.setdefault((url.scheme, url.host, url.port), asyncio.Semaphore(self.calls_per_host))

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        if self.request_hook is None:
            return await super().send(request, **options)
        with self.request_hook(request) as record_status:
            response = await super().send(request, **options)
            record_status(response.status_code)
            return response


@cache
def tls() -> ssl.SSLContext:
    """Return the TLS context of all clients of this process. Reading the authorities takes tens of milliseconds."""
    return httpx.create_ssl_context()


def make_client(
    *,
    transport: httpx.AsyncBaseTransport | None = None,
    connect: float = CONNECT,
    read: float = 60.0,
    connections: int = CONNECTIONS,
    calls_per_host: int | None = None,
    request_hook: RequestHook | None = None,
) -> httpx.AsyncClient:
    """A client with time and connection limits that follows no redirect: one could carry a key to another host.

    `connections`: at a time. `calls_per_host`: how many calls by `send` one host gets at a time; None: no limit of its
    own. `request_hook`: entered around each request."""
    made = _Client(
        transport=transport,
        verify=tls(),
        follow_redirects=False,
        timeout=httpx.Timeout(read, connect=connect, pool=connect),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=20, keepalive_expiry=30.0),
        headers={"User-Agent": "contentgen/0.1"},
    )
    made.request_hook, made.calls_per_host = request_hook, calls_per_host
    return made


async def post_json(
    client: httpx.AsyncClient,
    url: str,
    body: Any,
    *,
    peer: Peer,
    headers: Mapping[str, str] | None = None,
    retry_policy: RetryPolicy | None = None,
    max_bytes: int = MAX_ANSWER_BYTES,
) -> httpx.Response:
    """POST a JSON body to a service where repeating the request does no harm; the answer is read and of status 2xx.

    Raises ProviderFailed for everything else, after the retries that `retry_policy` allows.
    """
    retry_policy = retry_policy or RetryPolicy()
    sent_headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
    timeout: Any = httpx.USE_CLIENT_DEFAULT
    if retry_policy.silence is not None:
        timeout = httpx.Timeout(retry_policy.silence, connect=CONNECT, pool=CONNECT)
    content = msgspec.json.encode(body)
    request = client.build_request("POST", url, content=content, headers=sent_headers, timeout=timeout)
    return await send(client, request, peer=peer, retry_policy=retry_policy, max_bytes=max_bytes)


async def send(
    client: httpx.AsyncClient,
    request: httpx.Request,
    *,
    peer: Peer,
    retry_policy: RetryPolicy | None = None,
    max_bytes: int = MAX_ANSWER_BYTES,
) -> httpx.Response:
    """Send a request, again after a retryable failure as `retry_policy` allows (`attempts=1`: once).

    Raises ProviderFailed, its subclass BadStatus where the service answered.
    """
    retry_policy = retry_policy or RetryPolicy()
    retrying = AsyncRetrying(
        stop=stop_after_attempt(retry_policy.attempts),
        wait=_AsAsked(retry_policy),
        retry=retry_if_exception(lambda error: _worth_waiting(error, retry_policy.longest_wait)),
        sleep=retry_policy.sleep,
        reraise=True,
    )
    try:
        async with asyncio.timeout(retry_policy.total) as limit:

            async def attempt() -> httpx.Response:
                async with _place(retry_policy.places, limit), _place_at(client, request.url):
                    return await _within(retry_policy.attempt, client, request, peer, max_bytes)

            return await retrying(attempt)
    except TimeoutError as exc:
        raise _incomplete(peer, retry_policy.total) from exc


@asynccontextmanager
async def _place(places: asyncio.Semaphore | None, limit: asyncio.Timeout) -> AsyncIterator[None]:
    """A place for one call. The clock of `limit` stands still until it is free."""
    if places is None:
        yield
        return
    clock, end = asyncio.get_running_loop().time, limit.when()
    left = None if end is None or limit.expired() else end - clock()
    if left is not None:
        limit.reschedule(None)
    async with places:
        if left is not None:
            limit.reschedule(clock() + left)
        yield


def _place_at(client: httpx.AsyncClient, url: httpx.URL) -> AbstractAsyncContextManager[object]:
    """A place for one call of a host. The wait for it counts: whoever asks is not kept longer than `total`."""
    return client.places_at(url) if isinstance(client, _Client) else nullcontext()


async def _within(
    seconds: float | None, client: httpx.AsyncClient, request: httpx.Request, peer: Peer, max_bytes: int
) -> httpx.Response:
    try:
        async with asyncio.timeout(seconds):
            return await _once(client, request, peer, max_bytes)
    except TimeoutError as exc:
        raise _incomplete(peer, seconds or 0.0) from exc


def _incomplete(peer: Peer, seconds: float) -> ProviderFailed:
    return ProviderFailed(peer.name, f"no complete answer within {seconds:g} s", retryable=True, away=True)


async def _once(client: httpx.AsyncClient, request: httpx.Request, peer: Peer, max_bytes: int) -> httpx.Response:
    try:
        request.headers["Accept-Encoding"] = ACCEPT_ENCODING
        streamed = await client.send(request, stream=True)
        try:
            content = await _read_bounded(streamed, peer, max_bytes)
        finally:
            await streamed.aclose()
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as exc:
        raise translate_error(exc, peer) from exc
    response = httpx.Response(
        streamed.status_code,
        headers=[(k, v) for k, v in streamed.headers.multi_items() if k.lower() != "content-encoding"],
        content=content,
        request=request,
    )
    if not response.is_success:
        raise failure_of(response, peer)
    return response


async def _read_bounded(response: httpx.Response, peer: Peer, max_bytes: int) -> bytes:
    """Return the decoded body; its size is counted while it unpacks, so that a small compressed answer cannot fill the
    memory.
    """
    content = bytearray()
    try:
        async for piece in response.aiter_bytes() if response.is_stream_consumed else decode(response):
            content += piece
            if len(content) > max_bytes:
                raise ProviderFailed(peer.name, f"the answer is larger than {max_bytes} bytes", retryable=False)
    except (UnsupportedContentCoding, CorruptBody) as exc:
        raise ProviderFailed(peer.name, f"the answer cannot be unpacked: {exc}", retryable=False) from exc
    return bytes(content)


def translate_error(error: httpx.HTTPError | httpx.InvalidURL | httpx.StreamError, peer: Peer) -> ProviderFailed:
    """Turn an error of the transport into ProviderFailed. Only faults of the address or of the protocol are final."""
    match error:
        case AddressRefused():
            return ProviderFailed(peer.name, f"its address is refused: {error}", retryable=False)
        case NotReached():
            return ProviderFailed(peer.name, str(error), retryable=True, away=True)
        case UnknownHost():
            return ProviderFailed(
                peer.name, "there is no host of that name; check its address", retryable=True, away=True
            )
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return ProviderFailed(peer.name, "its address is not a valid http(s) URL", retryable=False)
        case httpx.TimeoutException():
            return ProviderFailed(peer.name, f"no answer in time ({type(error).__name__})", retryable=True, away=True)
        case httpx.TooManyRedirects() | httpx.DecodingError():
            return ProviderFailed(peer.name, f"its answer cannot be read ({type(error).__name__})", retryable=False)
        case _:
            return ProviderFailed(
                peer.name, f"the connection failed ({type(error).__name__})", retryable=True, away=True
            )


def failure_of(response: httpx.Response, peer: Peer) -> BadStatus:
    """Return the failure that an answer outside 2xx means, by its status."""
    status = response.status_code
    said = _quote_reason(response)
    if status in (401, 403):
        if peer.setting is None:
            return BadStatus(peer, f"refused the credentials (HTTP {status}){said}", response)
        return BadStatus(
            peer, f"refused the key (HTTP {status}); check the key, setting {peer.setting}{said}", response
        )
    if response.is_redirect:
        message = f"answered with a redirect (HTTP {status}), which is not followed; check its address"
        return BadStatus(peer, message, response)
    usually = status in RETRYABLE | peer.also_retryable or (status >= 500 and status not in _NEVER_RETRYABLE)
    return BadStatus(peer, f"HTTP {status}{said}", response, retryable=usually and not peer.permanent(response))


def retry_after(response: httpx.Response, now: float | None = None) -> float | None:
    """Return the wait a service asks for, in seconds: `retry-after-ms`, or Retry-After as seconds or as an HTTP date
    (RFC 9110, 10.2.3). Never negative; None when there is none or it cannot be read. `now`: seconds since the epoch.
    """
    milliseconds = _number(response.headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = response.headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


class _AsAsked(wait_base):
    """Wait as long as the service asked for, else exponentially longer with jitter so that workers do not return as
    one.
    """

    def __init__(self, retry_policy: RetryPolicy) -> None:
        self._otherwise = wait_random_exponential(multiplier=retry_policy.first_wait, max=retry_policy.longest_wait)

    def __call__(self, retry_state: RetryCallState) -> float:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        asked = error.retry_after if isinstance(error, ProviderFailed) else None
        return asked if asked is not None else self._otherwise(retry_state)


def _worth_waiting(error: BaseException, longest_wait: float) -> bool:
    return isinstance(error, ProviderFailed) and error.retryable and (error.retry_after or 0.0) <= longest_wait


def _quote_reason(response: httpx.Response) -> str:
    """Quote the service's message, shortened, without the secrets of the request that it may repeat."""
    text = " ".join(mask(_message_of(response), secrets_of(response.request)).split())
    if len(text) > MAX_QUOTED_BODY:
        text = text[:MAX_QUOTED_BODY] + "…"
    return f": {text}" if text else ""


def _message_of(response: httpx.Response) -> str:
    try:
        data = msgspec.json.decode(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return response.text
    error = data.get("error", data) if isinstance(data, dict) else data
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else response.text
