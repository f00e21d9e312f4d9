"""Term statistics of a view without the passages on the topic, by which the coverage score weighs the topic's words.

In the view's own statistics each further source on a topic, or a copy of one, lowers the idf of the topic's words: the
score would fall as evidence comes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from contentgen_core.model.knowledge import Origin, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery
from contentgen_core.policies.text.title_words import importance

# A passage that has at least this share of the topic's words, whatever their idf, is not counted. A share weighted by
# idf would depend on the statistics that it decides on.
MIN_TOPIC_SHARE: Final = 0.3


def originals(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without copies of the same content, in their order. Of several copies the oldest one that no model
    wrote is kept, so that a copy added later, under any title, changes nothing."""
    candidates = list(candidates)
    first: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=_age):
        first.setdefault(candidate.passage.content_hash, candidate)
    return [c for c in candidates if first[c.passage.content_hash] is c]


def _age(candidate: Candidate) -> tuple[bool, float, str, int]:
    document = candidate.passage.document
    created = document.created_at.timestamp()
    return (document.origin is Origin.AI, created, document.id, candidate.passage.chunk_index)


def off_topic_statistics(
    query: TopicQuery, found: Sequence[Passage], statistics: Mapping[Language, TermStatistics]
) -> dict[Language, TermStatistics]:
    """The view's statistics, less the topic's terms in those passages that may be on the topic, and less copies.

    `found`: the passages that a search found, copies included. `statistics`: those of the view, by language. Passages
    on the topic still count in the number of passages, so that leaving them out makes no term look more common."""
    reduced = {}
    for language, known in statistics.items():
        important = {term: importance(query.words.get(term, term)) for term in query.terms.get(language, ())}
        own = [passage for passage in found if passage.document.language == language]
        counted = Counter(term for passage in own for term in _terms_on_topic(important, passage))
        having = {term: max(0, count - counted[term]) for term, count in known.passages_with.items()}
        copies = len(own) - len({passage.content_hash for passage in own})
        reduced[language] = TermStatistics(max(0, known.passages - copies), known.mean_length, having)
    return reduced


def _terms_on_topic(important: Mapping[str, float], passage: Passage) -> set[str]:
    """The topic's terms in the passage if it may be on the topic; otherwise none."""
    held = important.keys() & passage.words
    share = sum(important[term] for term in held)
    return held if share >= MIN_TOPIC_SHARE * sum(important.values()) else set()
