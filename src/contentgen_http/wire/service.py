"""The service about itself, on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from contentgen_http.wire.base import Answer
from contentgen_http.wire.problem import CAN, ReadyPart


class Welcome(Answer, kw_only=True):
    """Where to go from here."""

    name: Annotated[str, Meta(description="The service.", examples=["Contentgen"])]
    version: Annotated[str, Meta(description="Version of the interface.", examples=["1.0.0"])]
    console: Annotated[str, Meta(description="The pages for people.", examples=["/console"])]
    documentation: Annotated[str, Meta(description="The API reference.", examples=["/docs"])]
    openapi: Annotated[str, Meta(description="The interface description.", examples=["/openapi.json"])]
    health: Annotated[str, Meta(description="Whether the service is alive.", examples=["/health"])]
    ready: Annotated[str, Meta(description="Whether each part is up.", examples=["/ready"])]


class Health(Answer, kw_only=True):
    """The process is alive."""

    status: Annotated[str, Meta(description="Always ok.", examples=["ok"])] = "ok"


class Readiness(Answer, kw_only=True):
    """Every part that requests need is up."""

    ready: Annotated[bool, Meta(description="Always true: otherwise the answer is a 503 Error.")] = True
    parts: Annotated[dict[str, ReadyPart], Meta(description="The parts and their state.")]
    can: Annotated[dict[str, bool], Meta(description=CAN)]
