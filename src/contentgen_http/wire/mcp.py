"""Messages of the Model Context Protocol, as described in the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from contentgen_http.wire.base import Answer, OpenBody


class RpcRequest(OpenBody, kw_only=True):
    """A JSON-RPC 2.0 message of the Model Context Protocol."""

    jsonrpc: Annotated[Literal["2.0"], Meta(description="The version of JSON-RPC.")]
    id: Annotated[str | int | UnsetType, Meta(description="What the answer carries; absent from notifications.")] = (
        UNSET
    )
    method: Annotated[str, Meta(description="initialize, tools/list, tools/call, …", examples=["tools/list"])]
    params: Annotated[dict[str, Any] | UnsetType, Meta(description="As the method takes them.")] = UNSET


class RpcError(Answer, kw_only=True):
    """What was wrong with the message itself. What went wrong in a tool is a result with `isError`."""

    code: Annotated[int, Meta(description="As JSON-RPC has them.", examples=[-32601])]
    message: Annotated[str, Meta(description="What was wrong.")]
    data: Annotated[Any | UnsetType, Meta(description="More of it.")] = UNSET


class RpcAnswer(Answer, kw_only=True):
    """A JSON-RPC 2.0 answer: a result, or an error."""

    jsonrpc: Annotated[Literal["2.0"], Meta(description="The version of JSON-RPC.")]
    id: Annotated[str | int | None, Meta(description="That of the request.")]
    result: Annotated[dict[str, Any] | UnsetType, Meta(description="What the method answers with.")] = UNSET
    error: Annotated[RpcError | UnsetType, Meta(description="What was wrong.")] = UNSET


RpcAnswers: TypeAlias = RpcAnswer | list[RpcAnswer]
"""A batch is answered with a list."""
