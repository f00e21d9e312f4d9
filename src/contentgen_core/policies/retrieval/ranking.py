"""Ranks the candidates of an index: scored with the statistics of the reader's own view, without near-duplicates, with
a limit on passages of one document. The order of the candidates makes no difference."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import IndexHit, Passage, RankedPassage, TermStatistics
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval import feedback
from contentgen_core.policies.retrieval.bm25 import NO_MATCH, NO_STATISTICS, Bm25
from contentgen_core.policies.retrieval.cosine_share import cosine_share
from contentgen_core.policies.retrieval.questions import answer_type_terms
from contentgen_core.policies.text.near_duplicates import shingles_in_order
from contentgen_core.policies.text.nearness import models_meaning

NEAR_DUPLICATE_JACCARD: Final = 0.8
# Passages of one document beyond this many lose DEMOTION of their score for each further one.
MAX_PER_DOCUMENT: Final = 4
DEMOTION: Final = 0.85
LEAST_RANGE: Final = 0.05
"""Of the cosines that a model of meaning gives the candidates, so that of two notes on a topic the farther one is not
at the end of the scale."""
LEAST_AFTER_DEMOTION: Final = 0.6
"""What a demoted passage keeps of its score where nearness counts as meaning: the many good passages of a long document
stay ahead of those on other subjects."""

EmbeddingWeight = float | Mapping[Language, float]
"""How much the cosine counts, in 0..1, from 0 for an embedder that compares spelling to 1 for one that models meaning:
for each language of the passages, or one value for all."""


@frozen
class TopicQuery:
    """A topic as text and as terms. `terms`: for each language of the view the topic's distinct terms, in order, stop
    words left out; `words`: the word that each term was typed as; `answer_type_terms`: for each language those that
    name the answer type of a question; `frequencies`: for each language how often a term stands in the topic."""

    text: str
    terms: dict[Language, tuple[str, ...]]
    words: dict[str, str]
    answer_type_terms: Mapping[Language, frozenset[str]] = field(factory=dict)
    frequencies: Mapping[Language, Mapping[str, int]] = field(factory=dict)


@frozen
class Candidate:
    """A passage with the scores that the index gave it."""

    passage: Passage
    hit: IndexHit


def weight_of(candidate: Candidate, embedding_weight: EmbeddingWeight) -> float:
    """The embedding weight in the language of a candidate."""
    if isinstance(embedding_weight, Mapping):
        return embedding_weight.get(candidate.passage.document.language, 0.0)
    return embedding_weight


def topic_query(text: str, languages: Collection[Language], analysis: TextAnalysis) -> TopicQuery:
    """The topic analysed in each of these languages. A language in which it holds stop words only has no terms."""
    terms: dict[Language, tuple[str, ...]] = {}
    words: dict[str, str] = {}
    asked: dict[Language, frozenset[str]] = {}
    frequencies: dict[Language, Counter[str]] = {}
    for language in sorted(languages, key=list(Language).index):
        tokens = analysis.tokens(text, language)
        asked[language] = answer_type_terms(tokens, language)
        kept = [token for token in tokens if not token.stop and token.term]
        frequencies[language] = Counter(token.term for token in kept)
        terms[language] = tuple(frequencies[language])
        for token in kept:
            words.setdefault(token.term, token.text)
    return TopicQuery(text, terms, words, asked, frequencies)


def rank(
    query: TopicQuery,
    candidates: Sequence[Candidate],
    statistics: Mapping[Language, TermStatistics],
    embedding_weight: EmbeddingWeight,
    limit: int,
) -> tuple[RankedPassage, ...]:
    """The best `limit` passages, best first, ties by ref. All scores are in 0..1:

    `rerank_score`: BM25 with the view's statistics over its upper bound for this topic, with proximity; it compares
    across topics. `original_score`: the index's text score, scaled to the best candidate, fused with the cosine.
    `combined_score`: BM25 with fuzzy matches and the cosine, both scaled over the candidates and summed, the cosine
    with its share for the `embedding_weight` in the passage's language (0 for a language that is missing there);
    then feedback; then scaled so that the best passage has the larger of the best exact BM25 score and the best
    weighted cosine.

    `statistics`: those of the view, by language. Raises ValueError for an embedding weight outside 0..1."""
    by_language = (
        embedding_weight if isinstance(embedding_weight, Mapping) else dict.fromkeys(Language, embedding_weight)
    )
    for weight in by_language.values():
        if not 0.0 <= weight <= 1.0:
            raise ValueError(f"an embedding weight is in 0..1, not {weight}")
    embedding_weights = [by_language.get(c.passage.document.language, 0.0) for c in candidates]
    scored = _score(query, candidates, statistics, embedding_weights)
    ordered = sorted(scored, key=_best_first)
    least = {language: LEAST_AFTER_DEMOTION for language, weight in by_language.items() if models_meaning(weight)}
    return tuple(_limited_per_document(_without_near_duplicates(ordered), max(limit, 0), least))


def _best_first(ranked: RankedPassage) -> tuple[float, str, int]:
    return (-ranked.combined_score, ranked.passage.document.id, ranked.passage.chunk_index)


def _score(
    query: TopicQuery,
    candidates: Sequence[Candidate],
    statistics: Mapping[Language, TermStatistics],
    embedding_weights: Sequence[float],
) -> list[RankedPassage]:
    scorers = {
        language: Bm25(
            terms,
            statistics.get(language, NO_STATISTICS),
            query.words,
            query.answer_type_terms.get(language, ()),
            query.frequencies.get(language),
        )
        for language, terms in query.terms.items()
    }
    matches = [NO_MATCH] * len(candidates)
    for language, places in _places(candidates).items():
        if scorer := scorers.get(language):
            found = scorer.matches([candidates[place].passage for place in places])
            for place, match in zip(places, found, strict=True):
                matches[place] = match
    cosines = [c.hit.cosine for c in candidates]
    best_text = max((c.hit.text_score for c in candidates), default=0.0)
    best_exact = max((m.exact for m in matches), default=0.0)
    weighted_cosines = [
        embedding_weight * cosine
        for embedding_weight, cosine in zip(embedding_weights, cosines, strict=True)
        if cosine is not None
    ]
    level = min(1.0, max(best_exact, *weighted_cosines, 0.0))
    best_fuzzy = max((m.fuzzy for m in matches), default=0.0)
    word_scores = [m.fuzzy / best_fuzzy if best_fuzzy else 0.0 for m in matches]
    shares = [
        cosine_share(embedding_weight, len(query.terms.get(candidate.passage.document.language, ())))
        for candidate, embedding_weight in zip(candidates, embedding_weights, strict=True)
    ]
    least_range = LEAST_RANGE if any(map(models_meaning, embedding_weights)) else 0.0
    fused = [
        word_score + share * (cosine - word_score)
        for word_score, cosine, share in zip(word_scores, _min_max(cosines, least_range), shares, strict=True)
    ]
    final = _add_feedback(query, candidates, fused)
    ranked = []
    for candidate, match, embedding_weight, score in zip(candidates, matches, embedding_weights, final, strict=True):
        text = max(candidate.hit.text_score, 0.0) / best_text if best_text > 0 else 0.0
        ranked.append(
            RankedPassage(
                candidate.passage,
                combined_score=level * score,
                rerank_score=match.exact,
                original_score=_fuse(text, min(1.0, max(candidate.hit.cosine or 0.0, 0.0)), embedding_weight),
            )
        )
    return ranked


def _add_feedback(query: TopicQuery, candidates: Sequence[Candidate], scores: Sequence[float]) -> list[float]:
    """Return the scores with feedback, language by language: terms of one say nothing about texts in another."""
    best = max(scores, default=0.0)
    final = [score / best if best else 0.0 for score in scores]
    for language, own in _places(candidates).items():
        terms = query.terms.get(language, ())
        share = feedback.feedback_share(len(terms))
        again = feedback.feedback_scores([candidates[i].passage for i in own], [final[i] for i in own], terms)
        best_again = max(again, default=0.0)
        for place, score in zip(own, again, strict=True):
            final[place] = (1 - share) * final[place] + share * (score / best_again if best_again else final[place])
    return [best * score for score in final]


def _places(candidates: Sequence[Candidate]) -> dict[Language, list[int]]:
    """Return the indices of the candidates by language."""
    places: dict[Language, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(candidate.passage.document.language, []).append(place)
    return places


def _fuse(text_score: float, cosine: float, embedding_weight: float) -> float:
    return (text_score + embedding_weight * cosine) / (1 + embedding_weight)


def _min_max(values: Sequence[float | None], least_range: float) -> list[float]:
    """Min-max normalisation over the known values, which are taken to range over `least_range` from the highest down.
    None (not among the nearest neighbours) gives 0, like the lowest."""
    known = [v for v in values if v is not None]
    high = max(known, default=0.0)
    low = min(*known, high - least_range) if known else 0.0
    if high <= low:
        return [0.0 if v is None else 1.0 for v in values]
    return [0.0 if v is None else (v - low) / (high - low) for v in values]


def _without_near_duplicates(ordered: Iterable[RankedPassage]) -> Iterator[RankedPassage]:
    """Keeps the better of two passages with the same content, or with a Jaccard similarity of at least
    NEAR_DUPLICATE_JACCARD over 5-shingles of terms. A generator, since most candidates are never needed."""
    hashes: set[str] = set()
    refs: set[SourceRef] = set()
    kept = KeptPassages()
    for ranked in ordered:
        passage = ranked.passage
        if passage.content_hash in hashes or passage.ref in refs or not kept.takes(passage.terms):
            continue
        hashes.add(passage.content_hash)
        refs.add(passage.ref)
        yield ranked


class KeptPassages:
    """The shingles of passages, as 64-bit hashes, to be compared with those of others."""

    def __init__(self) -> None:
        self._sizes: list[int] = []  # shingles of each
        self._first: dict[int, int] = {}  # shingle -> place of the first passage that has it
        self._later: dict[int, list[int]] = {}  # shingle -> places of the others that have it

    def takes(self, terms: tuple[str, ...]) -> bool:
        """Keeps these terms, unless those of a kept passage are almost the same: whether it did."""
        own = set(map(hash, shingles_in_order(terms)))
        known = self._first.keys() & own
        if len(known) >= NEAR_DUPLICATE_JACCARD * len(own) and self._have_almost(len(own), known):
            return False
        place = len(self._sizes)
        self._sizes.append(len(own))
        self._first.update(dict.fromkeys(own - known, place))
        for shingle in known:
            self._later.setdefault(shingle, []).append(place)
        return True

    def _have_almost(self, size: int, known: set[int]) -> bool:
        """Whether a passage of so many shingles, of which these are known, is almost one of them."""
        places = chain.from_iterable((self._first[shingle], *self._later.get(shingle, ())) for shingle in known)
        shared = Counter(places).items()
        return any(count >= NEAR_DUPLICATE_JACCARD * (size + self._sizes[place] - count) for place, count in shared)


def _limited_per_document(
    ordered: Iterable[RankedPassage], limit: int, least: Mapping[Language, float]
) -> list[RankedPassage]:
    """The first `limit` after the passages of a document beyond MAX_PER_DOCUMENT are demoted, so that one long document
    does not fill the list. `least`: what a passage in this language keeps of its score, 0 where it is missing. Stops as
    soon as no further passage can be among them, since demotion never raises a score."""
    taken: Counter[str] = Counter()
    spread: list[RankedPassage] = []
    for ranked in ordered:
        if len(spread) >= limit and (not limit or _best_first(spread[limit - 1]) < _best_first(ranked)):
            break
        extra = max(0, taken[ranked.passage.document.id] - MAX_PER_DOCUMENT + 1)
        taken[ranked.passage.document.id] += 1
        kept = max(least.get(ranked.passage.document.language, 0.0), DEMOTION**extra)
        insort(
            spread,
            evolve(ranked, combined_score=ranked.combined_score * kept) if extra else ranked,
            key=_best_first,
        )
    return spread[:limit]
