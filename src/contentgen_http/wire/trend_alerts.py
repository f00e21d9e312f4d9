"""Subscriptions to trends, and visits, on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.trend_alert import DEFAULT_SCORE, MAX_NICHES
from contentgen_http.wire.base import AnswerOf, Body, Query

MAX_EMAIL = 254
MAX_TOKEN = 4_000


class NewTrendAlert(Body, kw_only=True):
    """Which trends to send, and where."""

    email: Annotated[
        str, Meta(min_length=3, max_length=MAX_EMAIL, description="Mail address.", examples=["ada@example.org"])
    ]
    niche_keys: Annotated[
        Annotated[list[Annotated[str, Meta(min_length=1, max_length=100)]], Meta(max_length=MAX_NICHES)] | UnsetType,
        Meta(description="Only trends of these niches; absent or empty: of all."),
    ] = UNSET
    min_score: Annotated[float, Meta(ge=0, le=100, description="Only trends that reach this score.", examples=[70])] = (
        DEFAULT_SCORE
    )


class TrendAlertRequested(AnswerOf[bool], kw_only=True):
    """The subscription begins once the address confirms it."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    delivery: Annotated[
        Literal["sent", "logged"],
        Meta(description="sent: a link to confirm is on its way; logged: the service has no mail server."),
    ]
    message: Annotated[str, Meta(description="What to do next.")]

    @classmethod
    def of(cls, delivered: bool) -> TrendAlertRequested:
        if delivered:
            return cls(delivery="sent", message="Open the link in the mail that we sent you to confirm.")
        return cls(delivery="logged", message="This service has no mail server: the confirmation was only logged.")


class LinkQuery(Query, kw_only=True):
    token: Annotated[Annotated[str, Meta(max_length=MAX_TOKEN)] | UnsetType, Meta(description="The link's token.")] = (
        UNSET
    )


class TrendClick(Body, kw_only=True):
    """Which trend was followed."""

    slug: Annotated[str, Meta(min_length=1, max_length=200, description="The trend's slug.")]
