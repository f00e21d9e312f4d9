"""POST /mcp: checks of requests before the protocol's SDK handles them. There are no sessions, and every answer is
JSON."""

from __future__ import annotations

import asyncio
from contextvars import Context
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from attrs import define, field
from litestar import Request, Response

from contentgen_core.errors import Unauthenticated
from contentgen_core.model.tenant import Caller
from contentgen_http.api.auth import CallerCache, presented_key
from contentgen_http.api.schema_faults import fault_of
from contentgen_http.mcp.hosts import AllowedHosts
from contentgen_http.mcp.toolbox import OVER_HTTP
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.errors import UnsupportedMediaType
from contentgen_http.server.rate_limit import Limits
from contentgen_http.services import Services
from contentgen_http.telemetry.context import trace_of

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PER_MINUTE: Final = 300  # messages of one address without a key
MAX_BATCH: Final = 20
# The only version of the protocol with batches, and the version of a request without the header.
WITH_BATCHES: Final = b"2025-03-26"
VERSION_HEADER: Final = b"mcp-protocol-version"
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600

AnyRequest = Request[Any, Any, Any]

_OURS: Final = ("content-length", "content-type")


class _Message(msgspec.Struct):
    """The form of every message, checked before the SDK parses it."""

    jsonrpc: Literal["2.0"]
    id: str | int | msgspec.UnsetType = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    result: Any | msgspec.UnsetType = msgspec.UNSET
    error: Any | msgspec.UnsetType = msgspec.UNSET


@define
class _SdkResponse:
    """The SDK's response to one message."""

    status: int = 500
    headers: dict[str, str] = field(factory=dict)
    body: bytes = b""


@define(eq=False)
class McpEndpoint:
    """The endpoint. The SDK is imported at the first request, in a thread; close it with `aclose`.

    `hosts`: whose requests are accepted. `version`: of the service,
    reported to clients.
    """

    services: Services
    callers: CallerCache
    limits: Limits
    addresses: ClientAddresses
    requests: RequestLimits
    hosts: AllowedHosts
    version: str
    _running: asyncio.Task[None] | None = field(default=None, init=False)
    _ready: asyncio.Future[StreamableHTTPSessionManager] | None = field(default=None, init=False)
    _closing: asyncio.Event = field(factory=asyncio.Event, init=False)

    async def answer(self, request: AnyRequest) -> Response[bytes]:
        """The response to a request. Raises NotPermitted for a foreign host, Unauthenticated for an invalid key,
        RateLimited, TooManyAtOnce, UnsupportedMediaType, and the framework's 413."""
        headers = request.scope["headers"]
        self.hosts.check(headers)
        caller = await self._caller(request)
        await self._count(request, caller)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise UnsupportedMediaType(detail="Send the body as application/json.")
        subject = caller.tenant_id if caller is not None else f"address:{self.addresses.network_of(request.scope)}"
        await self.requests.enter(trace_of(request.scope), subject, slow=True)  # what tools do takes long
        body = await request.body()
        if body.lstrip()[:1] != b"[":
            sent = await self._one(request, caller, body)
            return Response(sent.body, status_code=sent.status, media_type="application/json", headers=sent.headers)
        version = next((value for name, value in headers if name == VERSION_HEADER), WITH_BATCHES)
        if version != WITH_BATCHES:
            return _bad_request(INVALID_REQUEST, f"Batches belong to protocol version {WITH_BATCHES.decode()} alone.")
        return await self._batch(request, caller, body)

    async def aclose(self) -> None:
        self._closing.set()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)

    async def _caller(self, request: AnyRequest) -> Caller | None:
        try:
            key = presented_key(request.scope["headers"])
        except Unauthenticated:
            if any(_names_key(name, value) for name, value in request.scope["headers"]):
                raise
            return None
        caller = await self.callers.caller(key, lambda: self.addresses.network_of(request.scope))
        trace_of(request.scope).tenant_id = caller.tenant_id
        return caller

    async def _count(self, request: AnyRequest, caller: Caller | None) -> None:
        """Raises RateLimited."""
        if caller is None:
            allowance = await self.limits.count_public("mcp", self.addresses.network_of(request.scope), PER_MINUTE)
        else:
            allowance = await self.limits.count_request(caller)
        trace_of(request.scope).allowance = allowance
        if not allowance.allowed:
            raise self.limits.refusal(allowance)

    async def _batch(self, request: AnyRequest, caller: Caller | None, body: bytes) -> Response[bytes]:
        """Handles the messages of a batch in order; each counts as a request. Raises RateLimited before any is
        handled."""
        try:
            messages = msgspec.json.decode(body, type=list[msgspec.Raw])
        except (msgspec.DecodeError, RecursionError):
            return _bad_request(PARSE_ERROR, "The body is not valid JSON.")
        if not 0 < len(messages) <= MAX_BATCH:
            return _bad_request(INVALID_REQUEST, f"A batch has 1 to {MAX_BATCH} messages.")
        for _ in messages[1:]:
            await self._count(request, caller)
        sent = [await self._one(request, caller, bytes(message), within=True) for message in messages]
        answers = [one.body for one in sent if one.body]
        body = b"[" + b",".join(answers) + b"]" if answers else b""
        status = 200 if any(one.status == 200 for one in sent) else max(one.status for one in sent)
        return Response(body, status_code=status, media_type="application/json")

    async def _one(
        self, request: AnyRequest, caller: Caller | None, message: bytes, *, within: bool = False
    ) -> _SdkResponse:
        """Return the response to one message: an error if it is malformed, else the SDK's. `within`: whether it is part
        of a batch.
        """
        if (refusal := _fault(message, within)) is not None:
            return refusal
        manager = await self._manager()
        from contentgen_http.mcp.server import CALLER

        sent, parts = _SdkResponse(), [message]

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.Event().wait()  # no further events: the SDK's wait for a disconnect is cancelled
            return {"type": "http.request", "body": parts.pop(), "more_body": False}

        async def send(event: Any) -> None:
            if event["type"] == "http.response.start":
                sent.status = int(event["status"])
                pairs = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in event["headers"])
                sent.headers = {name: value for name, value in pairs if name not in _OURS}
            else:
                sent.body += event.get("body", b"")

        scope = {**_plain(request.scope, len(message)), CALLER: caller}
        await manager.handle_request(scope, receive, send)
        return sent

    async def _manager(self) -> StreamableHTTPSessionManager:
        if self._ready is None or (self._ready.done() and self._ready.exception() is not None):
            self._ready = asyncio.get_running_loop().create_future()
            # A new context: the task outlives the request that started it, and must not log in its name.
            self._running = asyncio.create_task(self._run(self._ready), name="mcp", context=Context())
        return await asyncio.shield(self._ready)

    async def _run(self, ready: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """Runs the SDK in a task of its own: it has to be closed in the task that opened it."""
        try:
            manager = await asyncio.to_thread(_make_manager, self.services, self.version)
            async with manager.run():
                ready.set_result(manager)
                await self._closing.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)


def _make_manager(services: Services, version: str) -> StreamableHTTPSessionManager:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from contentgen_http.mcp.server import make_server

    return StreamableHTTPSessionManager(make_server(services, OVER_HTTP, version), json_response=True, stateless=True)


def _plain(scope: Any, length: int) -> dict[str, Any]:
    """Return the scope for the SDK: without our state, and with an Accept header that allows everything if there is
    none.
    """
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    headers.append((b"content-length", b"%d" % length))
    if not any(name == b"accept" for name, _ in headers):
        headers.append((b"accept", b"application/json"))
    names = ("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "client", "server")
    return {**{name: scope[name] for name in names if name in scope}, "root_path": "", "headers": headers}


def _names_key(name: bytes, value: bytes) -> bool:
    """Whether a header is meant as an API key, even an empty one. Another Authorization scheme is for a proxy."""
    return name == b"x-api-key" or (name == b"authorization" and value[:6].lower() == b"bearer")


def _fault(raw: bytes, within: bool) -> _SdkResponse | None:
    """A short error for a malformed message, since the SDK's would quote the input; None for a valid one."""
    try:
        message = msgspec.json.decode(raw, type=_Message)
    except msgspec.ValidationError as error:
        fault = fault_of(str(error), _Message)
        return _refusal(INVALID_REQUEST, f"This is no message of JSON-RPC 2.0: {fault.field}: {fault.message}")
    except (msgspec.DecodeError, RecursionError):
        return _refusal(PARSE_ERROR, "The body is not valid JSON.")
    if message.method is msgspec.UNSET and message.result is msgspec.UNSET and message.error is msgspec.UNSET:
        return _refusal(INVALID_REQUEST, "This is no message of JSON-RPC 2.0: method: is required")
    if within and message.method == "initialize":
        return _refusal(INVALID_REQUEST, "initialize comes alone, not in a batch.")
    return None


def _refusal(code: int, message: str) -> _SdkResponse:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return _SdkResponse(400, {}, msgspec.json.encode(error))


def _bad_request(code: int, message: str) -> Response[bytes]:
    return Response(_refusal(code, message).body, status_code=400, media_type="application/json")
