"""What a ranking shows about a topic: the features that a coverage score rests on.

Every scored feature grows with evidence. They compare across topics and languages because each is a share of what this
topic could reach at best; counts over a fixed cosine, or raw BM25, do not carry from one language to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import CoverageEvidence
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Origin, Passage, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.bm25 import NO_STATISTICS, idf
from contentgen_core.policies.ranking import TopicQuery
from contentgen_core.policies.title_words import importance

# A passage is on the topic from this idf-weighted share of the topic's terms on.
ON_TOPIC: Final = 0.55
# Added to each idf: in the KB of a niche the niche's own words are common, and still what a topic is on.
FLOOR: Final = 1.0
# A term that no passage has is no more telling than one that this share of the passages has: "guide" or "tips" are
# rare in a KB for another reason than "refrigerant" is.
RAREST: Final = 0.01


def gather(
    query: TopicQuery, ranked: Sequence[RankedPassage], statistics: Mapping[Language, TermStatistics]
) -> CoverageEvidence:
    """A topic is read in each language of the view: the one in which most of it is found speaks for the terms, while
    passages on the topic count in every language. Passages of origin `ai` and repeated content are no evidence."""
    ranked = _independent(ranked)
    best, best_share, matched = _Reading({}, ()), -1.0, 0.0
    on_topic: list[Passage] = []
    for language, terms in query.terms.items():
        weights = _weights(terms, query.words, statistics.get(language, NO_STATISTICS))
        reading = _Reading(weights, tuple(r.passage for r in ranked if r.passage.document.language == language))
        share = _share_of_best_three(reading)
        if share > best_share:
            best, best_share = reading, share
        for passage in reading.passages:
            held = reading.found(passage)
            # in the topic's order, so that the same terms always add up to the very same float
            matched = max(matched, sum(importance(query.words.get(t, t)) for t in terms if t in held))
            if reading.share(held) >= ON_TOPIC:
                on_topic.append(passage)
    found = frozenset(term for passage in best.passages for term in best.found(passage))
    words = {term: query.words.get(term, term) for term in best.weights}
    subject = {term: word for term, word in words.items() if importance(word) == 1.0}
    return CoverageEvidence(
        term_share=max(best_share, 0.0),
        matched=matched,
        saturation=max((r.rerank_score for r in ranked), default=0.0),
        documents=len({p.document.id for p in on_topic}),
        passages=len(on_topic),
        newest=max((p.document.fetched_at.year for p in on_topic if p.document.fetched_at), default=None),
        agreement=_agreement(ranked),
        terms=tuple(words.values()),
        missing_terms=tuple(word for term, word in subject.items() if term not in found),
    )


@frozen
class _Reading:
    """A topic in one language: its terms' weights, and the passages in that language."""

    weights: dict[str, float]
    passages: tuple[Passage, ...]

    def found(self, passage: Passage) -> frozenset[str]:
        return frozenset(self.weights).intersection((*passage.terms, *passage.head_terms))

    def weight(self, terms: Iterable[str]) -> float:
        present = frozenset(terms)
        return sum(w for t, w in self.weights.items() if t in present)

    def share(self, terms: Iterable[str]) -> float:
        total = sum(self.weights.values())
        return self.weight(terms) / total if total else 0.0


def _independent(ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The first of each content, without what a model wrote: a KB cannot confirm itself."""
    first: dict[str, RankedPassage] = {}
    for passage in ranked:
        if passage.passage.document.origin is not Origin.AI:
            first.setdefault(passage.passage.content_hash, passage)
    return list(first.values())


def _weights(terms: Sequence[str], words: Mapping[str, str], statistics: TermStatistics) -> dict[str, float]:
    rarest = max(1, round(RAREST * statistics.passages))
    ceiling = idf("", TermStatistics(statistics.passages, 0.0, {"": rarest}))
    return {term: (FLOOR + min(ceiling, idf(term, statistics))) * importance(words.get(term, term)) for term in terms}


def _share_of_best_three(reading: _Reading) -> float:
    """The share of the topic's terms that three documents hold together, for the best three there are.

    Exact, not greedy: only an exact best never falls when a document comes in. Documents are tried by falling share of
    their own, so that a choice is given up once even terms without overlap could not beat the best so far.
    """
    documents: dict[DocumentId, frozenset[str]] = {}
    for passage in reading.passages:
        documents[passage.document.id] = documents.get(passage.document.id, frozenset()) | reading.found(passage)
    sets = sorted(((reading.share(s), sorted(s)) for s in set(documents.values())), reverse=True)
    if not sets:
        return 0.0
    best = sets[0][0]
    padded = [(share, frozenset(terms)) for share, terms in sets] + [(0.0, frozenset[str]())] * 2
    for i, (first, a) in enumerate(padded):
        if 3 * first <= best:
            break
        for j, (second, b) in enumerate(padded[i + 1 :], start=i + 1):
            if first + 2 * second <= best:
                break
            both = a | b
            for third, c in padded[j + 1 :]:
                if first + second + third <= best:
                    break
                best = max(best, reading.share(both | c))
    return best


def _agreement(ranked: Sequence[RankedPassage], depth: int = 5) -> float:
    """Overlap of the `depth` first by words with the `depth` first by the index, in 0..1. Shown, not scored: it can
    fall when evidence is added."""
    by_words = sorted(ranked, key=lambda r: (-r.rerank_score, str(r.ref)))[:depth]
    by_index = sorted(ranked, key=lambda r: (-r.original_score, str(r.ref)))[:depth]
    return len({r.ref for r in by_words} & {r.ref for r in by_index}) / len(by_words) if by_words else 0.0
