"""Groups passages into the themes of an article."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from attrs import field, frozen

from contentgen_adapters.llm.extractive.headings import asked_in, own_heading, self_contained_heading, subject
from contentgen_adapters.llm.extractive.key_phrases import key_phrases
from contentgen_adapters.llm.extractive.selection import similarity
from contentgen_adapters.llm.extractive.sentences import SentenceReader
from contentgen_adapters.llm.phrases import Phrases, fold
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import cosine

MIN_LIKENESS: Final = 0.42
"""Passages that are less alike are on different themes."""
MIN_THEME_WORDS: Final = 45
"""Fewer words make no section."""
_MEANING: Final = 0.6
_SAME_HEADING: Final = 0.5
_SAME_DOCUMENT: Final = 0.08
_FOLLOWS: Final = 0.08
_HEADING_WEIGHT: Final = 2.0
_RETRIEVED: Final = 0.75
_NICHE_WEIGHT: Final = 0.25
_LARGEST_SHARE: Final = 1.6


@frozen
class Theme:
    """Passages on one subject, in the order in which they are read."""

    heading: str
    passages: tuple[Passage, ...]


@frozen
class Material:
    """The passages of a plan.

    `relevance`: to the topic, in 0..1, by passage reference. `vectors`: idf-weighted unit vectors of terms, by
    reference; `meanings`: the embedder's vectors, empty if no embedder models meaning.
    """

    passages: tuple[Passage, ...]
    relevance: dict[object, float]
    vectors: dict[object, dict[str, float]] = field(repr=False)
    meanings: Mapping[SourceRef, Sequence[float]] = field(factory=dict, repr=False)

    def best_first(self) -> list[Passage]:
        return sorted(self.passages, key=lambda p: -self.relevance[p.ref])

    def cosine(self, one: Passage, other: Passage) -> float:
        a, b = self.vectors[one.ref], self.vectors[other.ref]
        return sum(weight * b.get(term, 0.0) for term, weight in a.items())

    def likeness(self) -> dict[tuple[SourceRef, SourceRef], float]:
        """Estimate how likely each two passages are on one theme, in 0..1 and more: by shared words, by meaning where
        it is known, by their headings, and where they follow each other in a document.
        """
        pairs = list(combinations(self.passages, 2))
        words = {(a.ref, b.ref): self.cosine(a, b) for a, b in pairs}
        if all(p.ref in self.meanings for p in self.passages):
            near = {(a.ref, b.ref): cosine(self.meanings[a.ref], self.meanings[b.ref]) for a, b in pairs}
            low, high = min(near.values(), default=0.0), max(near.values(), default=1.0)
            wide = (high - low) or 1.0
            words = {
                pair: (1 - _MEANING) * shared + _MEANING * (near[pair] - low) / wide for pair, shared in words.items()
            }
        return {(a.ref, b.ref): words[a.ref, b.ref] + _together(a, b) for a, b in pairs}


def material(
    sources: Sequence[RankedPassage],
    topic: str,
    niche: str,
    analysis: TextAnalysis,
    meanings: Mapping[SourceRef, Sequence[float]],
) -> Material:
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
    return Material(passages, relevance, {ref: _unit(bag, idf) for ref, bag in bags.items()}, meanings)


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
    """Return at most `count` themes with different headings, in the order of their documents.

    Passages are merged by average linkage until the remaining groups are on different themes. Of more themes than
    `count`, those with most on the topic are kept if they have the `needed` words; otherwise the nearest are merged
    further.
    """
    if not given.passages:
        return []
    likeness = given.likeness()
    largest = max(2, math.ceil(_LARGEST_SHARE * len(given.passages) / count))
    groups = merge([[p] for p in given.passages], likeness, 1, MIN_LIKENESS, largest)
    groups = _without_thin(groups, likeness, reader)
    groups.sort(key=lambda group: -sum(given.relevance[p.ref] * reader.words(p) for p in group))
    if len(groups) > count:
        held = sum(reader.words(p) for group in groups[:count] for p in group)
        groups = groups[:count] if held >= needed else _down_to(count, groups, likeness, largest)
    ordered = _order_groups(groups, given)
    found: list[Theme] = []
    for group in ordered:
        others = [p for other in ordered if other is not group for p in other]
        heading = _heading(group, others, [topic, *(theme.heading for theme in found)], given, words, reader.analysis)
        found.append(Theme(heading, _order_passages(group, given)))
    return found


def _order_groups(groups: Sequence[Sequence[Passage]], given: Material) -> list[Sequence[Passage]]:
    """The document with most on the topic first, each in its own order: its author goes from what something is to what
    goes wrong with it, and relevance does not."""
    worth = Counter[str]()
    for passage in given.passages:
        worth[passage.document.id] += round(1000 * given.relevance[passage.ref])

    def begins(group: Sequence[Passage]) -> tuple[int, str, int]:
        first = _order_passages(group, given)[0]
        return (-worth[first.document.id], first.document.id, first.place)

    return sorted(groups, key=begins)


def _down_to(
    count: int,
    groups: Sequence[Sequence[Passage]],
    likeness: Mapping[tuple[SourceRef, SourceRef], float],
    largest: int,
) -> list[list[Passage]]:
    """The nearest groups merged until there are `count`, into one of more than `largest` passages only if need be."""
    evenly = merge(groups, likeness, count, -1.0, largest)
    return merge(evenly, likeness, count, -1.0, sum(map(len, groups)))


def merge(
    groups: Sequence[Sequence[Passage]],
    likeness: Mapping[tuple[SourceRef, SourceRef], float],
    count: int,
    least: float,
    largest: int,
) -> list[list[Passage]]:
    """Merge the two groups that are most alike, again and again: down to `count`, or until no two are alike enough."""
    left = [list(group) for group in groups]
    while len(left) > max(1, count):
        best, pair = least, None
        for i, one in enumerate(left):
            for j in range(i + 1, len(left)):
                linkage = _linkage(one, left[j], likeness)
                if linkage > best and len(one) + len(left[j]) <= largest:
                    best, pair = linkage, (i, j)
        if pair is None:
            break
        left[pair[0]] += left.pop(pair[1])
    return left


def _linkage(
    one: Sequence[Passage], other: Sequence[Passage], likeness: Mapping[tuple[SourceRef, SourceRef], float]
) -> float:
    values = [likeness.get((a.ref, b.ref), likeness.get((b.ref, a.ref), 0.0)) for a in one for b in other]
    return sum(values) / len(values)


def _without_thin(
    groups: Sequence[Sequence[Passage]], likeness: Mapping[tuple[SourceRef, SourceRef], float], reader: SentenceReader
) -> list[list[Passage]]:
    """A group too short for a section of its own joins the one that it is most like."""
    left = [list(group) for group in groups]
    while len(left) > 1:
        thin = min(left, key=lambda g: sum(reader.words(p) for p in g))
        if sum(reader.words(p) for p in thin) >= MIN_THEME_WORDS:
            break
        left.remove(thin)
        max(left, key=lambda g: _linkage(thin, g, likeness)).extend(thin)
    return left


def _together(one: Passage, other: Passage) -> float:
    """Score by headings and positions whether two passages are on one theme."""
    heading = own_heading(one) or subject(one)
    same_heading = bool(heading) and heading == (own_heading(other) or subject(other))
    follows = one.document.id == other.document.id and abs(one.chunk_index - other.chunk_index) == 1
    return _SAME_HEADING * same_heading + _SAME_DOCUMENT * (one.document.id == other.document.id) + _FOLLOWS * follows


def _order_passages(group: Sequence[Passage], given: Material) -> tuple[Passage, ...]:
    """Order passages: first the document with most on the topic, within each document in its own order."""
    worth = Counter[str]()
    for passage in group:
        worth[passage.document.id] += round(1000 * given.relevance[passage.ref])
    return tuple(sorted(group, key=lambda p: (-worth[p.document.id], p.document.id, p.chunk_index)))


def _heading(
    group: Sequence[Passage],
    others: Sequence[Passage],
    taken: Sequence[str],
    given: Material,
    words: Phrases,
    analysis: TextAnalysis,
) -> str:
    """Return the own heading of the group's most relevant and central passage that has one, else what the group's text
    names most, else a phrase.
    """
    central = {p.ref: sum(given.cosine(p, other) for other in group) / len(group) for p in group}
    worth = {p.ref: given.relevance[p.ref] + central[p.ref] for p in group}
    for passage in sorted(group, key=lambda p: (bool(asked_in(p, words)), -worth[p.ref])):
        heading = self_contained_heading(passage, words)
        if heading and _is_new(heading, taken, passage, analysis):
            return heading
    for named in key_phrases(group, others, taken[0], analysis):
        if _is_new(named, taken, group[0], analysis):
            return named
    known = {fold(heading) for heading in taken}
    return next((h for h in (words.further, f"{words.further} 2", f"{words.further} 3") if fold(h) not in known), "")


def _is_new(heading: str, others: Sequence[str], passage: Passage, analysis: TextAnalysis) -> bool:
    terms = frozenset(analysis.terms(heading, passage.document.language))
    if not terms:
        return False
    known = [frozenset(analysis.terms(other, passage.document.language)) for other in others]
    topic, headings = known[0], known[1:]
    return terms != topic and not any(similarity(terms, other) >= 0.8 for other in headings)
