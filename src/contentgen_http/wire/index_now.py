"""Sites whose changed pages are told to search engines, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import index_now as model
from contentgen_core.model.web_address import MAX_URL
from contentgen_http.wire.base import Answer, AnswerOf, Body


class SubmissionReport(AnswerOf[model.SubmissionReport], kw_only=True):
    """What came of the last submission."""

    at: Annotated[datetime, Meta(description="When it ended.")]
    submitted: Annotated[int, Meta(description="Pages that were taken; it does not say that they are indexed.")]
    error: Annotated[str | UnsetType, Meta(description="Why they were not taken. They are submitted again later.")] = (
        UNSET
    )


class IndexNowSite(AnswerOf[model.IndexNowSite], kw_only=True):
    """A site whose changed pages are told to search engines."""

    id: Annotated[str, Meta(description="Its id.")]
    site: Annotated[str, Meta(description="Its address.", examples=["https://blog.example.com"])]
    key: Annotated[str, Meta(description="What shows engines that you own it; no secret.")]
    key_address: Annotated[
        str,
        Meta(
            description="Where the file with the key, and nothing else, has to be. The service serves the keys of its "
            "own host itself."
        ),
    ]
    last: Annotated[SubmissionReport | UnsetType, Meta(description="What came of the last submission.")] = UNSET
    next_at: Annotated[datetime, Meta(description="When changed pages are submitted at the soonest.")]
    submitting: Annotated[bool, Meta(description="Whether a submission is under way.")]
    created_at: Annotated[datetime, Meta(description="When it was created.")]

    @classmethod
    def of(cls, site: model.IndexNowSite) -> IndexNowSite:
        return cls.copy_from(site, site=site.origin, submitting=site.job_id is not None)


class IndexNowSites(Answer, kw_only=True):
    """The tenant's sites."""

    sites: Annotated[list[IndexNowSite], Meta(description="By host.")]


class NewIndexNowSite(Body, kw_only=True):
    """A site whose changed pages are to be told."""

    site: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_URL,
            description="Its address, without a path.",
            examples=["https://blog.example.com"],
        ),
    ]
