"""Around the call that makes a post: calls that prepare it (terms, pictures), a failure in clear words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx

from contentgen_adapters.publishing.bodies.texts import one_line, shortened
from contentgen_adapters.publishing.target import Target
from contentgen_adapters.shared.http import BadStatus
from contentgen_adapters.shared.masking import masked, secrets_of
from contentgen_core.ports.publishing import PublishFailed, Refusal

_LONGEST_REASON: Final = 600


@contextmanager
def before_the_post(what: str) -> Iterator[None]:
    """Around calls whose failure means that no post was made or changed; `what` they are for, for a person. Something
    that is missing there is not the post that is gone."""
    try:
        yield
    except PublishFailed as error:
        refusal = Refusal.INVALID if error.refusal is Refusal.GONE else error.refusal
        raise PublishFailed(
            error.provider, f"{what}: {error.message}", refusal, retry_after=error.retry_after
        ) from error.__cause__


def answer_of(error: PublishFailed) -> httpx.Response | None:
    """What the target answered, where it did."""
    return error.__cause__.response if isinstance(error.__cause__, BadStatus) else None


def reworded(target: Target, error: PublishFailed, reason: str, *, retry_after: float | None = None) -> PublishFailed:
    """The same failure with the reason that the target's answer holds somewhere inside, without the secrets that it may
    repeat."""
    answer = answer_of(error)
    reason = masked(reason, (*target.secrets, *(secrets_of(answer.request) if answer is not None else ())))
    status = f"HTTP {answer.status_code}: " if answer is not None else ""
    made = PublishFailed(
        error.provider,
        status + shortened(one_line(reason), _LONGEST_REASON),
        error.refusal,
        outcome_unknown=error.outcome_unknown,
        retry_after=error.retry_after if retry_after is None else retry_after,
    )
    made.__cause__ = error.__cause__
    return made
