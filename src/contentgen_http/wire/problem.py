"""Error: the one shape of everything that goes wrong (RFC 9457, application/problem+json)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import niche as model
from contentgen_http.wire.base import Answer, AnswerOf
from contentgen_http.wire.coverage import Coverage

CAN: Final = (
    "What this process can do at the moment: read, search, write, upload, publish; each needs some of the parts."
)


class FieldFault(Answer, kw_only=True):
    """One fault of a request."""

    field: Annotated[str, Meta(description="Path of the field in the request.", examples=["plan.sections[0].heading"])]
    message: Annotated[str, Meta(description="What is wrong with it.", examples=["at most 200 characters"])]


class ReadyPart(Answer, kw_only=True):
    """One part of the service."""

    state: Annotated[str, Meta(description="up or away.", examples=["up"])]
    detail: Annotated[str | UnsetType, Meta(description="Why it is away, or what it is.")] = UNSET


class NicheUses(AnswerOf[model.NicheUses], kw_only=True):
    """What a niche holds."""

    agents: Annotated[int, Meta(description="Agents.", examples=[2])]
    articles: Annotated[int, Meta(description="Articles, in whatever state.", examples=[14])]
    documents: Annotated[int, Meta(description="Your documents in its knowledge base.", examples=[3])]
    passages: Annotated[int, Meta(description="Passages of these.", examples=[57])]
    schedules: Annotated[int, Meta(description="Article schedules that are on.", examples=[1])]


class Error(Answer, kw_only=True):
    """What went wrong. `code` is stable and meant for programs, `detail` for people."""

    type: Annotated[str, Meta(description="URI of the kind of problem.", examples=["urn:contentgen:error:not_found"])]
    title: Annotated[str, Meta(description="The kind of problem.", examples=["Not found"])]
    status: Annotated[int, Meta(description="The HTTP status.", examples=[404])]
    detail: Annotated[str, Meta(description="What is wrong here and what to do about it.")]
    code: Annotated[str, Meta(description="Stable name of the kind of problem.", examples=["not_found"])]
    request_id: Annotated[str, Meta(description="The request's X-Request-Id, to be named when asking for help.")]
    errors: Annotated[
        list[FieldFault] | UnsetType, Meta(description="The faults of the request; when it is at fault.")
    ] = UNSET
    limit: Annotated[int | UnsetType, Meta(description="The allowance that is used up.")] = UNSET
    used: Annotated[int | UnsetType, Meta(description="How much of it is used.")] = UNSET
    resets_at: Annotated[datetime | UnsetType, Meta(description="When it starts anew (UTC), where it does.")] = UNSET
    coverage: Annotated[
        Coverage | UnsetType, Meta(description="The finding; with code coverage_too_low. As in the coverage check.")
    ] = UNSET
    uses: Annotated[NicheUses | UnsetType, Meta(description="What is in the niche; with code niche_in_use.")] = UNSET
    parts: Annotated[
        dict[str, ReadyPart] | UnsetType, Meta(description="The service's parts and their state; from GET /ready.")
    ] = UNSET
    can: Annotated[dict[str, bool] | UnsetType, Meta(description=f"{CAN} From GET /ready.")] = UNSET
