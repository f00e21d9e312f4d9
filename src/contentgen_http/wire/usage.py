"""The use of a content model on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article as core
from contentgen_http.wire.base import Answer, AnswerOf


class Cost(Answer, kw_only=True):
    """What the tokens cost, by the prices that the operator set when they were used."""

    amount: Annotated[float, Meta(description="In units of the currency, to a millionth.", examples=[0.042135])]
    currency: Annotated[str, Meta(description="Its code by ISO 4217.", examples=["USD"])]


class Usage(AnswerOf[core.Usage], kw_only=True):
    """What the content model consumed for this article, all attempts together."""

    model: Annotated[str, Meta(description="The model that wrote it.")]
    plan_model: Annotated[
        str | UnsetType, Meta(description="The model that planned it, where another one wrote it.")
    ] = UNSET
    input_tokens: Annotated[int, Meta(description="Tokens read.")]
    output_tokens: Annotated[int, Meta(description="Tokens written.")]
    cached_tokens: Annotated[
        int | UnsetType,
        Meta(
            description="Of the tokens read, those that the model's vendor had kept and charged less for, as it said."
        ),
    ] = UNSET
    cost: Annotated[
        Cost | UnsetType,
        Meta(description="What they cost; absent where the operator set no prices, or not for all of these tokens."),
    ] = UNSET

    @classmethod
    def of(cls, usage: core.Usage) -> Usage:
        cost = usage.cost
        return cls.copy_from(
            usage,
            plan_model=UNSET if usage.planned_by in (None, usage.model) else usage.planned_by,
            cached_tokens=usage.cached_tokens or UNSET,
            cost=UNSET if cost is None else Cost(amount=float(cost.amount), currency=cost.currency),
        )
