"""What stands before the call that makes a post: limits, and calls that prepare it (terms, pictures)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from contentgen_adapters.http import BadStatus
from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_core.ports.publishing import PublishFailed, Refusal


@contextmanager
def before_the_post(what: str) -> Iterator[None]:
    """Around calls whose failure means that no post was made or changed; `what` they are for, for a person. Something
    that is missing there is not the post that is gone."""
    try:
        yield
    except PublishFailed as error:
        refusal = Refusal.INVALID if error.refusal is Refusal.GONE else error.refusal
        raise PublishFailed(
            error.provider, f"{what}: {said(error)}", refusal, retry_after=error.retry_after
        ) from error.__cause__


def said(error: PublishFailed) -> str:
    """The message without the provider's name, which PublishFailed puts in front again."""
    return error.detail.removeprefix(f"{error.provider}: ")


def answer_of(error: PublishFailed) -> httpx.Response | None:
    """What the target answered, where it did."""
    return error.__cause__.response if isinstance(error.__cause__, BadStatus) else None


def check_longest(provider: str, what: str, text: str, most: int) -> None:
    """Raises PublishFailed: a title or text that is too long is a person's to shorten."""
    if units(text) > most:
        message = f"the {what} is too long: {units(text):,} characters, {provider} takes {most:,}"
        raise PublishFailed(provider, message, Refusal.INVALID)
