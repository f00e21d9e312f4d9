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
    """A copy of what is translated, as it was when it was asked for: Markdown, and what stands around it."""

    content: str
    title: str = ""
    excerpt: str | None = None
    seo: Seo | None = None


@frozen
class TranslatedPart:
    """What a model made of some of the segments, in their order, and why each was refused ("": it was not).
    `position`: which segments, from 0. `tries`: how often they were asked for; `usage`: of all tries."""

    position: int
    texts: tuple[str, ...]
    faults: tuple[str, ...]
    tries: int
    usage: Usage

    @property
    def done(self) -> bool:
        return not any(self.faults)


@frozen
class Translation:
    """`original` is kept until the end; `result` is the Markdown of a text or a document, whereas an article becomes
    the article `made_article_id`. `source`: None where the language is not known for sure. `credits` are held for
    `quota_window`, the month they were counted in: given back when it fails. `revision` grows with each stored
    change. `stopped`: a person took the article over, and the credits stay spent."""

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
    def given_back(self) -> bool:
        """Whether it cost nothing in the end: it failed by itself."""
        return self.status is TranslationStatus.FAILED and not self.stopped

    def moved_to(self, status: TranslationStatus, now: datetime) -> Translation:
        """This translation at its end. Raises IllegalTransition when it has ended already."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A translation that is {self.status} cannot become {status}.")
        return evolve(self, status=status, completed_at=now, original=None, quota_window=None, job_id=None)

    def failed(self, now: datetime, reason: str) -> Translation:
        """Raises IllegalTransition when it has ended already."""
        return evolve(self.moved_to(TranslationStatus.FAILED, now), error=reason)
