"""What was asked for in vain, on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.use_cases.articles import without_effect as core
from contentgen_http.wire.base import AnswerOf


class WithoutEffect(AnswerOf[core.WithoutEffect], kw_only=True):
    """What was given and changes nothing in the article."""

    fields: Annotated[list[str], Meta(description="The fields of the request or of its plan.", examples=[["tone"]])]
    reason: Annotated[str, Meta(description="Why, for a person.")]


WithoutEffectField = Annotated[
    WithoutEffect | UnsetType,
    Meta(description="What was given and changes nothing, where no model writes; absent where all has an effect."),
]


def without_effect(found: core.WithoutEffect | None) -> WithoutEffect | UnsetType:
    """As it is answered: absent without any."""
    return UNSET if found is None else WithoutEffect.of(found)
