"""Reviews of the service by its users. They belong to the platform: users of all tenants read them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.ids import ReviewId, UserId

MAX_TITLE: Final = 120
MAX_COMMENT: Final = 4_000
MAX_AUTHOR: Final = 100
STARS: Final = (1, 2, 3, 4, 5)
ANONYMOUS: Final = "A user of Contentgen"


class FlagReason(StrEnum):
    """The reason why a review waits for a platform administrator."""

    LINK = "link"
    EMAIL = "email"
    REPETITION = "repetition"  # of a character or a word, over and over
    SUSPICIOUS = "suspicious"  # scripts, JSON blocks, SQL commands, template literals
    MODERATOR = "moderator"  # an administrator's own decision


@frozen
class Review:
    """A review. `author`: the name that the user gave with it, or None; nothing of the account is shown. `flags`: why
    it is hidden; empty when it is listed. `updated_at`: of its text and stars. `revision` grows with each stored
    change."""

    id: ReviewId
    user_id: UserId
    rating: int
    title: str
    comment: str
    created_at: datetime
    updated_at: datetime
    author: str | None = None
    flags: tuple[FlagReason, ...] = ()
    revision: int = 0

    @property
    def flagged(self) -> bool:
        return bool(self.flags)

    def moderated(self, flagged: bool) -> Review:
        """The review after an administrator's decision. A flagged one keeps its reasons."""
        if not flagged:
            return evolve(self, flags=())
        return self if self.flagged else evolve(self, flags=(FlagReason.MODERATOR,))


@frozen
class ReviewForReader:
    """A review with what concerns its reader. `helpful`: how many users marked it as helpful; `marked`: whether this
    reader did."""

    review: Review
    helpful: int = 0
    marked: bool = False


@frozen
class Ratings:
    """The number of reviews with one star, two, and so on to five."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def average(self) -> float | None:
        """The arithmetic mean of the stars, to two decimals; None without a review."""
        if not self.total:
            return None
        stars = sum(star * count for star, count in zip(STARS, self.counts, strict=True))
        return round(stars / self.total, 2)
