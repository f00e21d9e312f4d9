"""GET /articles/{id}/freshness: the sentences whose sources read otherwise now or are contradicted, with both words."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.freshness import DatedSentence, Freshness, SentenceState, StaleSentence
from contentgen_core.model.grounding import SentenceReceipt, Support, Verdict
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.knowledge import PRIVATE, KbView, Passage, PassageVersion, RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.dated_words import dated_words
from contentgen_core.policies.articles.freshness import Counterpart, counterpart, rests_on, revised_sentence, still_said
from contentgen_core.policies.grounding.verifier import Receipts, Verifier
from contentgen_core.policies.text.verbatim import find_verbatim
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.doubts import Doubt, doubts_of
from contentgen_core.use_cases.articles.grounding_receipt import view_of
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.chunk_document import sha256
from contentgen_core.use_cases.knowledge.find_words import FindWords
from contentgen_core.use_cases.use_case import use_case

_END: Final = re.compile(r"[.!?…。！？।؟]+[\"”»’)\]]*")


@frozen
class ComparedArticle:
    """An article beside its sources as they are now. `copies`: as they were when it was written; `passages`: those of
    the documents that changed, as they are, and those that contradict it."""

    article: Article
    freshness: Freshness
    copies: tuple[RankedPassage, ...]
    passages: Mapping[SourceRef, Passage]


@frozen
class _Now:
    """The present state of an article's sources. `views`: those that the article may use; `live`: the passages that it
    names and that still exist; `by_document`: all passages of the documents in which one of them changed or is gone;
    `versions`: the former texts of the passages; `doubts`: see `doubts_of`."""

    article: Article
    views: tuple[KbView, ...]
    copies: tuple[RankedPassage, ...]
    live: Mapping[SourceRef, Passage]
    by_document: Mapping[DocumentId, Sequence[Passage]]
    versions: Mapping[DocumentId, Sequence[PassageVersion]]
    doubts: Mapping[DocumentId, Sequence[Doubt]]

    def rested_on(self, support: Support) -> str | None:
        """The text of the passage as it was when the sentence was checked; None where that is not known."""
        copies = (c.passage.text for c in self.copies if c.ref == support.source)
        former = (v.text for v in self._versions(support.source))
        return next((text for text in (*copies, *former) if sha256(text) == support.content_hash), None)

    def _versions(self, source: SourceRef) -> Sequence[PassageVersion]:
        return self.versions.get(DocumentId(source.document_id), ())

    def changed_at(self, source: SourceRef) -> datetime | None:
        of_passage = (v.replaced_at for v in self._versions(source) if v.chunk_index == source.chunk_index)
        return next(of_passage, None)


@use_case
class CheckFreshness:
    """`elsewhere`: finds words in the other documents of a view; `entailment`, `meaning`: as generation has them."""

    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    clock: Clock
    elsewhere: FindWords
    entailment: EntailmentModel | None = None
    meaning: Meaning | None = None

    async def __call__(self, caller: Caller, article_id: ArticleId) -> Freshness:
        """Raises NotFound, NotConfigured."""
        return (await self.compare(caller, article_id)).freshness

    async def compare(self, caller: Caller, article_id: ArticleId) -> ComparedArticle:
        """Check freshness, and return the result with the data it was found from. Never within a transaction: the index
        is searched, and sentences are checked. Raises NotFound, NotConfigured, Unavailable."""
        checked_at = self.clock.now()
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            present = await _read_present_state(tx, article)
        passages = {p.ref: p for of_one in present.by_document.values() for p in of_one}
        passages |= {d.passage.ref: d.passage for of_one in present.doubts.values() for d in of_one}
        found = await self._found_elsewhere(present, await asyncio.to_thread(self._find_affected, present))
        passages |= {other.passage.ref: other.passage for _, other in found if other is not None}
        judged = await self._judge(article, found, passages)
        freshness = Freshness(
            article_id,
            checked_at,
            sentences=len(article.grounding.sentences) if article.grounding else 0,
            stale=tuple(judged),
            dated=self._dated_sentences(article),
            has_receipt=article.grounding is not None,
        )
        return ComparedArticle(article, freshness, present.copies, passages)

    def _find_affected(self, present: _Now) -> list[tuple[StaleSentence, Counterpart | None]]:
        """Return the sentences whose words no longer stand in their documents, each with the text that stands there
        instead, and those that a stronger side of a conflict contradicts, with its sentence."""
        found: list[tuple[StaleSentence, Counterpart | None]] = []
        receipts = present.article.grounding.sentences if present.article.grounding else ()
        for position, receipt in enumerate(receipts):
            support = receipt.support
            if support is None:
                continue
            if _is_unchanged(support, present.live):
                found += self._find_contradiction(position, receipt, support, present)
                continue
            own = sorted(
                present.by_document.get(DocumentId(support.source.document_id), ()),
                key=lambda p: p.ref != support.source,
            )
            was = _words(receipt, support, present)
            if still_said(was or receipt.text, own) is not None:
                found += self._find_contradiction(position, receipt, support, present)
                continue
            former = present.rested_on(support) or " ".join(r.text for r in receipts)
            other = counterpart(was or receipt.text, former, own, self.analysis)
            stale = StaleSentence(
                position,
                receipt.text,
                SentenceState.GONE,
                _number(receipt, support, present.article),
                was or "",
                now=other.text if other else None,
                source=other.passage.ref if other else None,
                changed_at=present.changed_at(support.source),
                proposal=None if was is None else "",
            )
            found.append((stale, other))
        return found

    async def _found_elsewhere(
        self, present: _Now, found: Sequence[tuple[StaleSentence, Counterpart | None]]
    ) -> list[tuple[StaleSentence, Counterpart | None]]:
        """The same; a sentence of which its own document says nothing any more, and whose words another document of the
        article's view has, rests on that one."""
        lost = {stale.position: stale.was or stale.text for stale, other in found if other is None}
        if not lost:
            return list(found)
        wanted = list(dict.fromkeys(lost.values()))
        passages = await self.elsewhere(present.views, wanted, self._languages(present))
        rest: list[tuple[StaleSentence, Counterpart | None]] = []
        for stale, other in found:
            passage = passages.get(lost[stale.position]) if other is None else None
            if passage is None:
                rest.append((stale, other))
            else:
                words = " ".join(lost[stale.position].split())
                rest.append((evolve(stale, now=words, source=passage.ref), Counterpart(passage, words)))
        return rest

    def _languages(self, present: _Now) -> frozenset[Language]:
        """Return the languages in which the words of the article's sources may be indexed."""
        return frozenset({present.article.brief.language, *(c.passage.document.language for c in present.copies)})

    def _find_contradiction(
        self, position: int, receipt: SentenceReceipt, support: Support, present: _Now
    ) -> list[tuple[StaleSentence, Counterpart | None]]:
        """Return the sentence with the sentence of the strongest conflict against it, if there is one."""
        doubts = present.doubts.get(DocumentId(support.source.document_id), ())
        words = _words(receipt, support, present) if doubts else None
        if words is None:
            return []
        for doubt in doubts:
            was, now, passage = doubt.weaker.sentence, doubt.stronger.sentence, doubt.passage
            if rests_on(receipt.text, words, was, self.analysis, passage.document.language):
                stale = StaleSentence(
                    position,
                    receipt.text,
                    SentenceState.CONTRADICTED,
                    _number(receipt, support, present.article),
                    was,
                    now=now,
                    source=passage.ref,
                    changed_at=doubt.conflict.weaker_since,
                    contradiction=doubt.contradiction,
                )
                return [(stale, Counterpart(passage, now))]
        return []

    async def _judge(
        self,
        article: Article,
        found: Sequence[tuple[StaleSentence, Counterpart | None]],
        passages: Mapping[SourceRef, Passage],
    ) -> list[StaleSentence]:
        """Decide whether the sentences hold with the present texts, and what to propose where they do not."""
        kept = [DraftSentence(stale.text, (other.passage.ref,)) for stale, other in found if other]
        holds = await self._check_drafts(kept, article, passages)
        proposed: dict[int, DraftSentence] = {}
        for stale, other in found:
            if other is not None and not _still_holds(stale, other, holds):
                text = revised_sentence(stale.text, stale.was, other.text, self.analysis, article.brief.language)
                if stale.was and text is not None:
                    proposed[stale.position] = DraftSentence(text, (other.passage.ref,))
        valid = await self._check_drafts(proposed.values(), article, passages)
        judged = [_set_state(stale, other, holds, proposed.get(stale.position), valid) for stale, other in found]
        return [stale for stale in judged if stale is not None]

    async def supported(
        self, drafts: Iterable[DraftSentence], article: Article, passages: Mapping[SourceRef, Passage]
    ) -> set[DraftSentence]:
        """Return the sentences that the passages they cite support. Raises NotConfigured."""
        drafts = list(drafts)
        receipts = await self._check_drafts(drafts, article, passages)
        return {draft for draft in drafts if _is_supported(draft, receipts)}

    async def _check_drafts(
        self, drafts: Iterable[DraftSentence], article: Article, passages: Mapping[SourceRef, Passage]
    ) -> Receipts:
        verifier = Verifier(passages, self.analysis)
        return await check(list(drafts), verifier, article.brief.language, self.entailment, meaning=self.meaning)

    def _dated_sentences(self, article: Article) -> tuple[DatedSentence, ...]:
        receipts = article.grounding.sentences if article.grounding else ()
        found = ((n, r.text, dated_words(r.text, article.brief.language)) for n, r in enumerate(receipts))
        return tuple(DatedSentence(position, text, words) for position, text, words in found if words)


async def _read_present_state(tx: Transaction, article: Article) -> _Now:
    copies = await tx[Generations].sources(article.id) or ()
    supports = [r.support for r in (article.grounding.sentences if article.grounding else ()) if r.support]
    refs = list(dict.fromkeys(support.source for support in supports))
    scopes = {copy.passage.document.id: copy.passage.document.scope for copy in copies}
    private = frozenset(document for document, scope in scopes.items() if scope.niche_key == PRIVATE)
    views = (view_of(article, copies), KbView(PRIVATE, article.tenant_id, document_ids=private))
    live = {ref: passage for view in views for ref, passage in (await tx[Knowledge].passages(view, refs)).items()}
    changed = [DocumentId(s.source.document_id) for s in supports if not _is_unchanged(s, live)]
    by_document: dict[DocumentId, list[Passage]] = {document: [] for document in changed}
    for passage in await tx[Knowledge].passages_of(list(by_document)):
        if any(view.sees(passage.document.scope) for view in views):
            by_document[passage.document.id].append(passage)
    cited = list(dict.fromkeys(DocumentId(ref.document_id) for ref in refs))
    searched = (views[0], evolve(views[1], document_ids=None)) if private else views[:1]
    return _Now(
        article,
        searched,
        tuple(copies),
        live,
        by_document,
        await tx[Knowledge].versions(list(by_document)),
        await doubts_of(tx, article, views[0], cited),
    )


def _is_unchanged(support: Support, live: Mapping[SourceRef, Passage]) -> bool:
    passage = live.get(support.source)
    return passage is not None and passage.content_hash == support.content_hash


def _number(receipt: SentenceReceipt, support: Support, article: Article) -> int:
    """Return the number of the source that supports the sentence."""
    numbers = {SourceRef(s.parent_id, s.chunk_index): s.number for s in article.sources}
    return numbers.get(support.source, receipt.citations[0] if receipt.citations else 0)


def _words(receipt: SentenceReceipt, support: Support, present: _Now) -> str | None:
    """The words of the source that a sentence rests on: its own where it has them word for word."""
    text = present.rested_on(support)
    if text is None:
        return None
    own = find_verbatim(receipt.text, text)
    if own is None:
        return text[support.start : support.end]
    end = _END.match(text, own.end)
    return text[own.start : end.end() if end else own.end]


def _set_state(
    stale: StaleSentence, other: Counterpart | None, holds: Receipts, proposed: DraftSentence | None, valid: Receipts
) -> StaleSentence | None:
    """Set the state of a stale sentence; None where the sentence states nothing of the conflict, so that both sides
    support it. `holds`: the receipts of sentences as they are, against the present texts; `valid`: of the proposals."""
    if other is None:
        return stale
    contradicted = stale.contradiction is not None
    if _still_holds(stale, other, holds):
        return None if contradicted else evolve(stale, state=SentenceState.REWORDED, proposal=stale.text)
    accepted = proposed is not None and _is_supported(proposed, valid)
    new = proposed.text if proposed is not None and accepted else None
    return evolve(stale, state=SentenceState.CONTRADICTED if contradicted else SentenceState.CHANGED, proposal=new)


def _still_holds(stale: StaleSentence, other: Counterpart, holds: Receipts) -> bool:
    """Whether what stands there instead supports the sentence as it is. Where it is the weaker side word for word, the
    two sides cannot both be true, whatever the check says."""
    if stale.contradiction is not None and find_verbatim(stale.was, stale.text) is not None:
        return False
    return _is_supported(DraftSentence(stale.text, (other.passage.ref,)), holds)


def _is_supported(draft: DraftSentence, receipts: Receipts) -> bool:
    found = receipts.get(draft)
    return found is not None and found.verdict is Verdict.SUPPORTED
