"""Calls that prepare a post (categories, pictures), and failures with the reason from an answer's body."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx

from contentgen_adapters.publishing.bodies.texts import one_line, shorten
from contentgen_adapters.publishing.target import Target, forbidden
from contentgen_adapters.shared.http import BadStatus
from contentgen_adapters.shared.masking import mask, secrets_of
from contentgen_core.ports.publishing import PublishFailed, Refusal

_LONGEST_REASON: Final = 600


@contextmanager
def preparation(what: str) -> Iterator[None]:
    """A block of calls before the post is created or changed: their failures have `outcome_unknown` False, and a
    missing resource does not mean that the post is gone.

    `what`: the purpose of the calls, which becomes part of the message.
    """
    try:
        yield
    except PublishFailed as error:
        refusal = Refusal.INVALID if error.refusal is Refusal.GONE else error.refusal
        raise PublishFailed(
            error.provider, f"{what}: {error.message}", refusal, retry_after=error.retry_after
        ) from error.__cause__


def response_of(error: PublishFailed) -> httpx.Response | None:
    """The target's response behind a failure; None where it did not answer."""
    return error.__cause__.response if isinstance(error.__cause__, BadStatus) else None


def with_reason(
    target: Target, error: PublishFailed, reason: str, *, retry_after: float | None = None
) -> PublishFailed:
    """Return the same failure with another reason, in which the secrets of the target and of the request are masked.

    `reason`: from the body of the answer. `retry_after`: seconds; by default as before.
    """
    answer = response_of(error)
    reason = mask(reason, (*target.secrets, *(secrets_of(answer.request) if answer is not None else ())))
    status = f"HTTP {answer.status_code}: " if answer is not None else ""
    made = PublishFailed(
        error.provider,
        status + shorten(one_line(reason), _LONGEST_REASON) + (forbidden(answer) if answer is not None else ""),
        error.refusal,
        outcome_unknown=error.outcome_unknown,
        retry_after=error.retry_after if retry_after is None else retry_after,
    )
    made.__cause__ = error.__cause__
    return made
