"""The service for agents, over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Final

from litestar import Controller, Response

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.mcp.endpoint import AnyRequest, McpEndpoint
from contentgen_http.wire.mcp import RpcAnswers, RpcRequest

TAG: Final = "Agents' protocol"

_protocol_at = partial(
    operation,
    "POST",
    tag=TAG,
    body=RpcRequest,
    answer=RpcAnswers,
    public=True,
    raises=(
        errors.NotPermitted,
        errors.Unauthenticated,
        errors.TenantSuspended,
        errors.RateLimited,
        errors.TooManyAtOnce,
        errors.Unavailable,
    ),
    accepts="A notification was taken; there is nothing to answer.",
    own_errors=(400, 404, 406),
    example={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
)


class McpRoutes(Controller):
    endpoint: McpEndpoint

    @_protocol_at("/mcp/sse")
    async def call_mcp(self, request: AnyRequest) -> Response[bytes]:
        """Speak the Model Context Protocol.

        JSON-RPC 2.0 over streamable HTTP, from protocol version 2025-03-26 on, without sessions; every answer is JSON.
        A notification is answered with 202 and nothing, a batch (version 2025-03-26 alone, 20 messages at most) with a
        list. No key is needed for trends and public articles; with one, there are tools to write with. At most 300
        messages a minute from one address without a key. 403 for a foreign Host or Origin.
        """
        return await self.endpoint.answer(request)

    @_protocol_at("/mcp")
    async def call_mcp_by_its_usual_address(self, request: AnyRequest) -> Response[bytes]:
        """Speak the Model Context Protocol at its usual address.

        The same as POST /mcp/sse.
        """
        return await self.endpoint.answer(request)
