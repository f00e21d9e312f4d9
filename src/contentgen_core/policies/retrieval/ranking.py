"""From an index's candidates to ranked passages: scored with the statistics of the reader's own view, freed from
near-duplicates, spread over documents. The same candidates in any order give the same ranking."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import IndexHit, Passage, RankedPassage, TermStatistics
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval import feedback
from contentgen_core.policies.retrieval.bm25 import NO_STATISTICS, Bm25, Match
from contentgen_core.policies.retrieval.questions import asked_for
from contentgen_core.policies.text.near_duplicates import shingles

NEAR_DUPLICATE: Final = 0.8
# Passages of one document beyond this many lose DEMOTION of their score for each further one.
MAX_PER_DOCUMENT: Final = 4
DEMOTION: Final = 0.85
# The share of the score that nearness makes where it counts fully; words make the rest.
NEARNESS: Final = 0.3

EmbeddingWeight = float | Mapping[Language, float]
"""How far nearness may be relied on, 0..1: in each language of the passages, or in all of them alike."""


@frozen
class TopicQuery:
    """`terms`: for each language of the view the topic's distinct terms, in order, stop words left out;
    `words`: each term's word as it was typed; `asked_for`: in each language the terms that name what a question asks
    for."""

    text: str
    terms: dict[Language, tuple[str, ...]]
    words: dict[str, str]
    asked_for: Mapping[Language, frozenset[str]] = field(factory=dict)


@frozen
class Candidate:
    passage: Passage
    hit: IndexHit


def topic_query(text: str, languages: Collection[Language], analysis: TextAnalysis) -> TopicQuery:
    """A topic as each of these languages reads it. A language in which nothing but stop words is left has no terms."""
    terms: dict[Language, tuple[str, ...]] = {}
    words: dict[str, str] = {}
    asked: dict[Language, frozenset[str]] = {}
    for language in sorted(languages, key=list(Language).index):
        read = analysis.tokens(text, language)
        asked[language] = asked_for(read, language)
        tokens = [token for token in read if not token.stop and token.term]
        terms[language] = tuple(dict.fromkeys(token.term for token in tokens))
        for token in tokens:
            words.setdefault(token.term, token.text)
    return TopicQuery(text, terms, words, asked)


def rank(
    query: TopicQuery,
    candidates: Sequence[Candidate],
    statistics: Mapping[Language, TermStatistics],
    embedding_weight: EmbeddingWeight,
    limit: int,
) -> tuple[RankedPassage, ...]:
    """The best `limit` passages, best first, ties by ref. All scores are in 0..1:

    `rerank_score`: BM25 of the view over its upper bound for this topic, with closeness (absolute: it compares across
    topics); `original_score`: the index's own scores, scaled to the best candidate and fused; `combined_score`: words
    (BM25 with kin) and the cosine, both scaled over the candidates and summed, the cosine with the share NEARNESS times
    the `embedding_weight` in the passage's language (0 for a language that is not named), with a second look at what
    the best are about, brought back to the level of the best absolute evidence.
    """
    by_language = (
        embedding_weight if isinstance(embedding_weight, Mapping) else dict.fromkeys(Language, embedding_weight)
    )
    for given in by_language.values():
        if not 0.0 <= given <= 1.0:
            raise ValueError(f"an embedding weight is in 0..1, not {given}")
    trusts = [by_language.get(c.passage.document.language, 0.0) for c in candidates]
    scored = _scored(query, candidates, statistics, trusts)
    ordered = sorted(scored, key=_best_first)
    return tuple(_spread(_without_near_duplicates(ordered), max(limit, 0)))


def _best_first(ranked: RankedPassage) -> tuple[float, str, int]:
    return (-ranked.combined_score, ranked.passage.document.id, ranked.passage.chunk_index)


def _scored(
    query: TopicQuery,
    candidates: Sequence[Candidate],
    statistics: Mapping[Language, TermStatistics],
    trusts: Sequence[float],
) -> list[RankedPassage]:
    scorers = {
        language: Bm25(terms, statistics.get(language, NO_STATISTICS), query.words, query.asked_for.get(language, ()))
        for language, terms in query.terms.items()
    }
    matches: list[Match] = []
    for candidate in candidates:
        scorer = scorers.get(candidate.passage.document.language)
        matches.append(scorer.match(candidate.passage) if scorer else Match(0.0, 0.0))
    cosines = [c.hit.cosine for c in candidates]
    best_text = max((c.hit.text_score for c in candidates), default=0.0)
    best_exact = max((m.exact for m in matches), default=0.0)
    trusted = [
        embedding_weight * cosine
        for embedding_weight, cosine in zip(trusts, cosines, strict=True)
        if cosine is not None
    ]
    level = min(1.0, max(best_exact, *trusted, 0.0))
    best_akin = max((m.akin for m in matches), default=0.0)
    words = [m.akin / best_akin if best_akin else 0.0 for m in matches]
    fused = [
        own + NEARNESS * embedding_weight * (near - own)
        for own, near, embedding_weight in zip(words, _min_max(cosines), trusts, strict=True)
    ]
    final = _looked_at_again(query, candidates, fused)
    ranked = []
    for candidate, match, embedding_weight, score in zip(candidates, matches, trusts, final, strict=True):
        text = max(candidate.hit.text_score, 0.0) / best_text if best_text > 0 else 0.0
        ranked.append(
            RankedPassage(
                candidate.passage,
                combined_score=level * score,
                rerank_score=match.exact,
                original_score=_fused(text, min(1.0, max(candidate.hit.cosine or 0.0, 0.0)), embedding_weight),
            )
        )
    return ranked


def _looked_at_again(query: TopicQuery, candidates: Sequence[Candidate], scores: Sequence[float]) -> list[float]:
    """The scores with feedback, each language by itself: words of one say nothing about texts in another."""
    best = max(scores, default=0.0)
    final = [score / best if best else 0.0 for score in scores]
    places: dict[Language, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(candidate.passage.document.language, []).append(place)
    for language, own in places.items():
        terms = query.terms.get(language, ())
        share = feedback.share(len(terms))
        seconded = feedback.seconded([candidates[i].passage for i in own], [final[i] for i in own], terms)
        most = max(seconded, default=0.0)
        for place, second in zip(own, seconded, strict=True):
            final[place] = (1 - share) * final[place] + share * (second / most if most else final[place])
    return [best * score for score in final]


def _fused(words: float, near: float, embedding_weight: float) -> float:
    return (words + embedding_weight * near) / (1 + embedding_weight)


def _min_max(values: Sequence[float | None]) -> list[float]:
    """Scaled to 0..1 over those that are known. Unknown ones were not among the nearest: 0, like the farthest."""
    known = [v for v in values if v is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high <= low:
        return [0.0 if v is None else 1.0 for v in values]
    return [0.0 if v is None else (v - low) / (high - low) for v in values]


def _without_near_duplicates(ordered: Iterable[RankedPassage]) -> Iterator[RankedPassage]:
    """Keeps the better of two passages with the same content, or with a Jaccard similarity of at least
    NEAR_DUPLICATE over 5-shingles of terms. Lazily: most of the candidates are never needed."""
    hashes: set[str] = set()
    refs: set[SourceRef] = set()
    sizes: list[int] = []
    # shingle -> places among the kept: compares each pair only where it meets
    holders: dict[tuple[str, ...], tuple[int, ...]] = {}
    for ranked in ordered:
        if ranked.passage.content_hash in hashes or ranked.ref in refs:
            continue
        own = shingles(ranked.passage.terms)
        met = own & holders.keys()
        shared = Counter(place for shingle in met for place in holders[shingle])
        if any(n >= NEAR_DUPLICATE * (len(own) + sizes[place] - n) for place, n in shared.items()):
            continue
        hashes.add(ranked.passage.content_hash)
        refs.add(ranked.ref)
        here = (len(sizes),)
        holders.update({shingle: holders[shingle] + here for shingle in met})
        holders.update(dict.fromkeys(own - met, here))
        sizes.append(len(own))
        yield ranked


def _spread(ordered: Iterable[RankedPassage], limit: int) -> list[RankedPassage]:
    """The first `limit` once a document's passages beyond MAX_PER_DOCUMENT are demoted, so that one long document does
    not fill the list. Reads on only while a further passage could come among them: none gains by it."""
    taken: Counter[str] = Counter()
    spread: list[RankedPassage] = []
    for ranked in ordered:
        if len(spread) >= limit and (not limit or _best_first(spread[limit - 1]) < _best_first(ranked)):
            break
        extra = max(0, taken[ranked.passage.document.id] - MAX_PER_DOCUMENT + 1)
        taken[ranked.passage.document.id] += 1
        insort(
            spread,
            evolve(ranked, combined_score=ranked.combined_score * DEMOTION**extra) if extra else ranked,
            key=_best_first,
        )
    return spread[:limit]


# On the sample knowledge base the best passage of a topic it covers scores .45 to .65, that of a topic it lacks .05 at
# most; within a covered topic, passages below a quarter of the best share a common word or nothing with it.
LEAST_BEST: Final = 0.10


SHARE_OF_BEST: Final = 0.25


def relevant(ranked: Sequence[RankedPassage]) -> tuple[RankedPassage, ...]:
    """The passages worth writing from, in their order; none when even the best has little to do with the topic."""
    best = max((r.combined_score for r in ranked), default=0.0)
    if best < LEAST_BEST:
        return ()
    return tuple(r for r in ranked if r.combined_score >= SHARE_OF_BEST * best)
