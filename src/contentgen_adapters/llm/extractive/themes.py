"""Groups passages into the themes of an article."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from contentgen_adapters.llm.extractive.headings import own_heading, self_contained_heading
from contentgen_adapters.llm.extractive.selection import similarity
from contentgen_adapters.llm.extractive.sentences import SentenceReader
from contentgen_adapters.llm.phrases import Phrases
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

MIN_SIMILARITY: Final = 0.2
"""Cosine below which a passage does not join a theme."""
_HEADING_WEIGHT: Final = 2.0
_RETRIEVED: Final = 0.75
_NICHE_WEIGHT: Final = 0.25
_DIVERSITY: Final = 0.25
_CENTRALITY: Final = 0.4
_LARGEST_SHARE: Final = 1.6
_OTHER_DOCUMENT: Final = 0.06
_CROWDING: Final = 0.03
_HEADED: Final = 0.15


@frozen
class Theme:
    """Passages on one subject; the heading is derived from the first."""

    heading: str
    passages: tuple[Passage, ...]


@frozen
class Material:
    """The passages of a plan.

    `relevance`: to the topic, in 0..1, by passage reference. `vectors`: idf-weighted unit vectors of terms, by
    reference.
    """

    passages: tuple[Passage, ...]
    relevance: dict[object, float]
    vectors: dict[object, dict[str, float]] = field(repr=False)

    def best_first(self) -> list[Passage]:
        return sorted(self.passages, key=lambda p: -self.relevance[p.ref])

    def cosine(self, one: Passage, other: Passage) -> float:
        a, b = self.vectors[one.ref], self.vectors[other.ref]
        return sum(weight * b.get(term, 0.0) for term, weight in a.items())

    def centrality(self, passage: Passage) -> float:
        """The mean cosine to all other passages."""
        others = [p for p in self.passages if p.ref != passage.ref]
        return sum(self.cosine(passage, p) for p in others) / max(1, len(others))


def material(sources: Sequence[RankedPassage], topic: str, niche: str, analysis: TextAnalysis) -> Material:
    """Computes vectors and relevance of the sources.

    Relevance combines the retrieval score, relative to the best, with the weighted share of the topic's terms in a
    passage's heading and text. Document titles are left out of both: all passages of a document share one, so that each
    document would become a theme. Terms of the niche's name have a low weight, since every source has them.
    """
    passages = tuple(source.passage for source in sources)
    bags = {p.ref: _bag(p, analysis) for p in passages}
    frequency = Counter(term for bag in bags.values() for term in bag)
    idf = {term: math.log(1 + len(passages) / count) for term, count in frequency.items()}
    best = max((s.combined_score for s in sources), default=0.0) or 1.0
    weights = {
        language: _topic_weights(topic, niche, passages, language, analysis) for language in _languages(passages)
    }

    def on_topic(p: Passage) -> float:
        asked = weights[p.document.language]
        return sum(w for t, w in asked.items() if t in bags[p.ref]) / (sum(asked.values()) or 1.0)

    relevance: dict[object, float] = {
        s.ref: _RETRIEVED * s.combined_score / best + (1 - _RETRIEVED) * on_topic(s.passage) for s in sources
    }
    return Material(passages, relevance, {ref: _unit(bag, idf) for ref, bag in bags.items()})


def _languages(passages: Sequence[Passage]) -> frozenset[Language]:
    return frozenset(p.document.language for p in passages)


def _topic_weights(
    topic: str, niche: str, passages: Sequence[Passage], language: Language, analysis: TextAnalysis
) -> dict[str, float]:
    """Weights of the topic's terms, by the share of sources with the term in a heading. Not idf: retrieval selected the
    sources by these terms, which makes them the most frequent ones."""
    common = set(analysis.terms(niche, language))
    heads = [set(analysis.terms(f"{p.document.title} . {own_heading(p)}", language)) for p in passages]
    headed = {t: sum(t in head for head in heads) for t in set(analysis.terms(topic, language))}
    most = max((n for t, n in headed.items() if t not in common), default=0) or 1
    return {t: _NICHE_WEIGHT if t in common else 1 + _HEADING_WEIGHT * n / most for t, n in headed.items()}


def _bag(passage: Passage, analysis: TextAnalysis) -> dict[str, float]:
    language = passage.document.language
    body = Counter(passage.terms or analysis.terms(passage.text, language))
    weights = {term: 1 + math.log(count) for term, count in body.items()}
    for term in analysis.terms(own_heading(passage), language):
        weights[term] = weights.get(term, 0.0) + _HEADING_WEIGHT
    return weights


def _unit(bag: dict[str, float], idf: dict[str, float]) -> dict[str, float]:
    weighted = {term: weight * idf[term] for term, weight in bag.items()}
    norm = math.sqrt(sum(w * w for w in weighted.values())) or 1.0
    return {term: w / norm for term, w in weighted.items()}


def themes(given: Material, count: int, topic: str, needed: int, reader: SentenceReader, words: Phrases) -> list[Theme]:
    """At most `count` themes with different headings, those that define something first.

    A passage joins the most similar theme; dissimilar ones only while the themes have fewer than `needed` words.
    """
    seeds = _seeds(given, count, topic, words, reader.analysis)
    groups: dict[object, list[Passage]] = {seed.ref: [seed] for seed, _ in seeds}
    most = math.ceil(_LARGEST_SHARE * len(given.passages) / max(1, len(seeds)))
    available = sum(reader.words(seed) for seed, _ in seeds)
    left = [p for p in given.best_first() if p.ref not in groups]
    for least in (MIN_SIMILARITY, 0.0):
        for passage in tuple(left):
            fit, seed = max(
                ((_fit(given, seed, passage, groups[seed.ref]), seed) for seed, _ in seeds), key=lambda pair: pair[0]
            )
            if fit >= least and len(groups[seed.ref]) < most and (least or available < needed):
                groups[seed.ref].append(passage)
                left.remove(passage)
                available += reader.words(passage)
    order = sorted(seeds, key=lambda s: (s[0].chunk_index > 0, -given.relevance[s[0].ref]))
    return [Theme(heading, tuple(groups[seed.ref])) for seed, heading in order]


def _fit(given: Material, seed: Passage, passage: Passage, group: Sequence[Passage]) -> float:
    """A score for adding a passage to a theme: its similarity, plus a bonus for another document, minus one for
    size."""
    widens = passage.document.id not in {p.document.id for p in group}
    return given.cosine(seed, passage) + _OTHER_DOCUMENT * widens - _CROWDING * (len(group) - 1)


def _seeds(
    given: Material, count: int, topic: str, words: Phrases, analysis: TextAnalysis
) -> list[tuple[Passage, str]]:
    """The first passage of each theme, with its heading: relevant, central, and dissimilar to each other."""
    chosen: list[tuple[Passage, str]] = []
    left = list(given.passages)
    worth = {
        p.ref: given.relevance[p.ref] + _CENTRALITY * given.centrality(p) + _HEADED * _names(p, topic, analysis)
        for p in left
    }
    while left and len(chosen) < count:
        best = max(left, key=lambda p: worth[p.ref] - _DIVERSITY * _nearest(given, p, chosen))
        left.remove(best)
        heading = self_contained_heading(best, words)
        if heading and _is_new(heading, [topic, *(h for _, h in chosen)], best, analysis):
            chosen.append((best, heading))
    if not chosen and given.passages:
        chosen.append((given.passages[0], words.further))
    return chosen


def _names(passage: Passage, topic: str, analysis: TextAnalysis) -> bool:
    language = passage.document.language
    return bool(set(analysis.terms(own_heading(passage), language)) & set(analysis.terms(topic, language)))


def _nearest(given: Material, passage: Passage, chosen: Sequence[tuple[Passage, str]]) -> float:
    return max((given.cosine(passage, seed) for seed, _ in chosen), default=0.0)


def _is_new(heading: str, others: Sequence[str], passage: Passage, analysis: TextAnalysis) -> bool:
    terms = frozenset(analysis.terms(heading, passage.document.language))
    if not terms:
        return False
    known = [frozenset(analysis.terms(other, passage.document.language)) for other in others]
    topic, headings = known[0], known[1:]
    return terms != topic and not any(similarity(terms, other) >= 0.8 for other in headings)
