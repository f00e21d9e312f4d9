"""Translations of articles, texts and documents."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.article import Seo, Usage
from contentgen_core.model.ids import ArticleId, DocumentId, JobId, TenantId, TranslationId, UserId
from contentgen_core.model.vocabulary import Language


class TranslationStatus(StrEnum):
    TRANSLATING = "translating"
    COMPLETED = "completed"
    FAILED = "failed"


TRANSITIONS: Final[dict[TranslationStatus, frozenset[TranslationStatus]]] = {
    TranslationStatus.TRANSLATING: frozenset({TranslationStatus.COMPLETED, TranslationStatus.FAILED}),
    TranslationStatus.COMPLETED: frozenset(),
    TranslationStatus.FAILED: frozenset(),
}


@frozen
class Original:
    """A copy, made at the request, of what is translated: Markdown, with title, excerpt and metadata."""

    content: str
    title: str = ""
    excerpt: str | None = None
    seo: Seo | None = None


@frozen
class TranslatedPart:
    """The translation of some of the segments, in their order. `position`: which ones, from 0. `faults`: why each was
    refused, "" if it was not. `tries`: how often they were requested; `usage`: of all tries."""

    position: int
    texts: tuple[str, ...]
    faults: tuple[str, ...]
    tries: int
    usage: Usage

    @property
    def done(self) -> bool:
        """Whether no segment was refused."""
        return not any(self.faults)


@frozen
class Translation:
    """A translation. `original` is kept until the end; `result`: the Markdown of a text or a document, whereas an
    article is translated into the article `made_article_id`. `source`: None where the language is not known. `credits`
    were counted in `quota_window`, a month; they are refunded when it fails. `stopped`: a person took the article over,
    and the credits stay spent. `revision` grows with each stored change."""

    id: TranslationId
    tenant_id: TenantId
    target: Language
    words: int
    credits: int
    created_at: datetime
    created_by: UserId | None = None
    source: Language | None = None
    article_id: ArticleId | None = None
    made_article_id: ArticleId | None = None
    document_id: DocumentId | None = None
    original: Original | None = None
    title: str = ""
    result: str | None = None
    status: TranslationStatus = TranslationStatus.TRANSLATING
    error: str | None = None
    stopped: bool = False
    usage: Usage | None = None
    completed_at: datetime | None = None
    quota_window: date | None = None
    job_id: JobId | None = None
    revision: int = 0

    @property
    def refunded(self) -> bool:
        """Whether its credits were refunded: it failed and was not stopped."""
        return self.status is TranslationStatus.FAILED and not self.stopped

    def moved_to(self, status: TranslationStatus, now: datetime) -> Translation:
        """The translation at its end. Raises IllegalTransition when it has ended already."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A translation that is {self.status} cannot become {status}.")
        return evolve(self, status=status, completed_at=now, original=None, quota_window=None, job_id=None)

    def failed(self, now: datetime, reason: str) -> Translation:
        """The translation, failed for this reason. Raises IllegalTransition when it has ended already."""
        return evolve(self.moved_to(TranslationStatus.FAILED, now), error=reason)
