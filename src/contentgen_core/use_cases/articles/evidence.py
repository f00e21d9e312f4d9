"""GET /articles/{id}/evidence: what an article rests on, who looked at it, and where it went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.article_comment import MAX_COMMENTS, SentenceReview, hash_of_sentence
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_version import ArticleVersion
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.ids import ArticleId, IntegrationId, UserId
from contentgen_core.model.knowledge import PRIVATE, KbView, Passage
from contentgen_core.model.publication import Publication
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.article_comments import ArticleComments, SentenceReviews
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.ai_marks import ai_use_of
from contentgen_core.use_cases.approval.reviewed import ReviewedSentence, with_reviews
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.articles.grounding_receipt import CheckedReceipt, Staleness, check_receipt, view_of
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.use_case import use_case

MAX_VERSIONS: Final = 100
"""The newest of an article."""
MAX_REVIEWS: Final = 20
"""The latest of a sentence."""


@frozen
class SourceEvidence:
    """A numbered source. `passage`: as it was when the article was written from it, with its document; None where that
    was not kept. `stale`: what became of it since."""

    source: ArticleSource
    passage: Passage | None
    stale: Staleness | None


@frozen
class SentenceEvidence:
    """A sentence of the present text. `receipt`: None where it was never checked, because a person wrote it since."""

    text: str
    receipt: SentenceReceipt | None
    stale: Staleness | None
    reviews: tuple[SentenceReview, ...]


@frozen
class WithdrawnReviews:
    """Sentences of the present text that earlier evidence named as reviewed by a user, who had approved the article
    as a whole. `at`: when, last."""

    by: UserId
    at: datetime
    sentences: int


@frozen
class ArticleEvidence:
    """The evidence for an article's present text. `versions`: newest first; `people`: the names of members whose ids
    appear in it; `integrations`: the names of the places it was published at; `withdrawn`: claims of earlier evidence
    that no longer hold."""

    article: Article
    made_at: datetime
    ai_use: AiUse
    sources: tuple[SourceEvidence, ...]
    sentences: tuple[SentenceEvidence, ...]
    publications: tuple[Publication, ...]
    versions: tuple[ArticleVersion, ...]
    open_comments: int
    resolved_comments: int
    people: Mapping[UserId, str]
    integrations: Mapping[IntegrationId, str]
    withdrawn: tuple[WithdrawnReviews, ...] = ()

    @property
    def version(self) -> ArticleVersion | None:
        """The newest version of the present text."""
        text_hash = self.article.text_hash
        return next((version for version in self.versions if version.text_hash == text_hash), None)


@use_case
class GatherEvidence:
    unit_of_work: UnitOfWork
    sentences: ArticleSentences
    clock: Clock

    async def __call__(self, caller: Caller, article_id: ArticleId) -> ArticleEvidence:
        """Raises NotFound for an unknown article, or one without a text; ConcurrentChange when it changed meanwhile."""
        async with self.unit_of_work() as tx:
            evidence, checked = await self._without_sentences(tx, caller, article_id)
            reviews = await tx[SentenceReviews].of_article(caller.tenant_id, article_id)
            if (await tx[Articles].get(caller.tenant_id, article_id)).revision != evidence.article.revision:
                raise ConcurrentChange.of("article")
        texts = await self.sentences(evidence.article)
        return evolve(
            evidence,
            sentences=_sentences(with_reviews(texts, reviews), checked),
            withdrawn=_withdrawn_reviews(texts, reviews),
        )

    async def _without_sentences(
        self, tx: Transaction, caller: Caller, article_id: ArticleId
    ) -> tuple[ArticleEvidence, CheckedReceipt | None]:
        tenant_id = caller.tenant_id
        article = await with_present_titles(tx, await tx[Articles].get(tenant_id, article_id))
        if not article.content.strip():
            raise NotFound("evidence of article", article_id)
        checked = None if article.grounding is None else await check_receipt(tx, article)
        versions = await tx[ArticleVersions].page(tenant_id, article_id, None, MAX_VERSIONS)
        comments = await tx[ArticleComments].count(tenant_id, article_id)
        resolved = len(await tx[ArticleComments].page(tenant_id, article_id, True, None, MAX_COMMENTS))
        publications = await tx[Publications].of_article(tenant_id, article_id)
        evidence = ArticleEvidence(
            article=article,
            made_at=self.clock.now(),
            ai_use=await ai_use_of(tx, article),
            sources=await _sources(tx, article, checked),
            sentences=(),
            publications=tuple(publications),
            versions=tuple(versions),
            open_comments=max(0, comments - resolved),
            resolved_comments=resolved,
            people={member.user.id: member.user.name for member in await tx[Users].members(tenant_id)},
            integrations={one.id: one.name for one in await tx[Integrations].list(tenant_id)} if publications else {},
        )
        return evidence, checked


async def _sources(tx: Transaction, article: Article, checked: CheckedReceipt | None) -> tuple[SourceEvidence, ...]:
    copies = await tx[Generations].sources(article.id) or ()
    passages = {copy.ref: copy.passage for copy in copies}
    refs = {source.number: SourceRef(source.parent_id, source.chunk_index) for source in article.sources}
    if missing := [ref for ref in refs.values() if ref not in passages]:
        private = frozenset(source.parent_id for source in article.sources if source.private)
        for view in (view_of(article, copies), KbView(PRIVATE, article.tenant_id, document_ids=private)):
            passages |= await tx[Knowledge].passages(view, missing)
    stale = {} if checked is None else checked.stale_sources
    return tuple(
        SourceEvidence(source, passages.get(refs[source.number]), stale.get(source.number))
        for source in sorted(article.sources, key=lambda source: source.number)
    )


def _sentences(texts: Sequence[ReviewedSentence], checked: CheckedReceipt | None) -> tuple[SentenceEvidence, ...]:
    """The receipts stay with the words of their sentence; of several of the same words, in their order."""
    known: dict[str, list[tuple[SentenceReceipt, Staleness | None]]] = defaultdict(list)
    if checked is not None:
        for receipt, stale in zip(checked.grounding.sentences, checked.stale, strict=True):
            known[receipt.text].append((receipt, stale))

    def with_receipt(sentence: ReviewedSentence) -> SentenceEvidence:
        receipts = known[sentence.text]
        receipt, stale = receipts.pop(0) if receipts else (None, None)
        latest = sorted(sentence.reviews, key=lambda review: (review.at, review.by))[-MAX_REVIEWS:]
        return SentenceEvidence(sentence.text, receipt, stale, tuple(latest))

    return tuple(with_receipt(sentence) for sentence in texts)


def _withdrawn_reviews(texts: Sequence[str], reviews: Sequence[SentenceReview]) -> tuple[WithdrawnReviews, ...]:
    present = {hash_of_sentence(text) for text in texts}
    former: dict[UserId, list[SentenceReview]] = defaultdict(list)
    for review in reviews:
        if not review.confirmed and review.sentence_hash in present:
            former[review.by].append(review)
    return tuple(
        WithdrawnReviews(by, max(review.at for review in of_user), len(of_user))
        for by, of_user in sorted(former.items())
    )
