"""Comments on sentences of articles, and which sentences people have reviewed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId

MAX_COMMENT: Final = 5_000
"""Characters of a comment, and of a reply."""
MAX_COMMENTS: Final = 500
"""Of an article."""
MAX_REPLIES: Final = 50


@frozen
class CommentReply:
    by: UserId
    at: datetime
    text: str


@frozen
class ArticleComment:
    """A comment on a sentence, by its words, so that it stays with them when the text around changes. `occurrence`:
    which of several sentences of the same words, from 0."""

    id: ArticleCommentId
    tenant_id: TenantId
    article_id: ArticleId
    sentence: str
    text: str
    by: UserId
    at: datetime
    occurrence: int = 0
    replies: tuple[CommentReply, ...] = ()
    resolved_by: UserId | None = None
    resolved_at: datetime | None = None
    revision: int = 1

    @property
    def resolved(self) -> bool:
        return self.resolved_at is not None

    def position_in(self, sentences: Sequence[str]) -> int | None:
        """Return the index of its sentence among those of a text; the last one with these words where there are fewer
        now; None where there is none."""
        places = [position for position, sentence in enumerate(sentences) if sentence == self.sentence]
        return places[min(self.occurrence, len(places) - 1)] if places else None


@frozen
class SentenceReview:
    """A user's review of a sentence. `sentence_hash`: see `hash_of_sentence`. `confirmed`: whether the user confirmed
    this sentence. An earlier release noted an approval of the article as a review of each sentence: such a row is no
    review."""

    sentence_hash: str
    by: UserId
    at: datetime
    confirmed: bool = True


def hash_of_sentence(text: str) -> str:
    """SHA-256 of a sentence's words in UTF-8, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
