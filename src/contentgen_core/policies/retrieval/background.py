"""What a view holds apart from a topic: by it the coverage score tells words that come up anyway from telling ones.

In the plain statistics of the view each further source on a topic makes the topic's words more ordinary, and a copy of
one does so too: the score would fall as evidence comes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from contentgen_core.model.knowledge import Origin, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery
from contentgen_core.policies.text.title_words import importance

# From this share of the topic's words on, however telling they are, a passage is left out of the background. A share by
# weight would move with the figures that it decides on.
MAY_BE_ON_TOPIC: Final = 0.3


def originals(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without copies of one content, in their order. The oldest stays, before what a model wrote: a copy
    that comes in later, under whatever title, changes nothing."""
    candidates = list(candidates)
    first: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=_age):
        first.setdefault(candidate.passage.content_hash, candidate)
    return [c for c in candidates if first[c.passage.content_hash] is c]


def _age(candidate: Candidate) -> tuple[bool, float, str, int]:
    document = candidate.passage.document
    created = document.created_at.timestamp()
    return (document.origin is Origin.AI, created, document.id, candidate.passage.chunk_index)


def background(
    query: TopicQuery, found: Sequence[Passage], statistics: Mapping[Language, TermStatistics]
) -> dict[Language, TermStatistics]:
    """The view's statistics without what may be on the topic among the passages found, and without copies. How many
    passages there are stays else as it is, so that none on the topic makes a word look more common."""
    without = {}
    for language, known in statistics.items():
        important = {term: importance(query.words.get(term, term)) for term in query.terms.get(language, ())}
        own = [passage for passage in found if passage.document.language == language]
        counted = Counter(term for passage in own for term in _on_topic(important, passage))
        having = {term: max(0, count - counted[term]) for term, count in known.passages_with.items()}
        copies = len(own) - len({passage.content_hash for passage in own})
        without[language] = TermStatistics(max(0, known.passages - copies), known.mean_length, having)
    return without


def _on_topic(important: Mapping[str, float], passage: Passage) -> set[str]:
    """The topic's terms in the passage where it may be on the topic, else none."""
    held = important.keys() & {*passage.terms, *passage.head_terms}
    share = sum(important[term] for term in held)
    return held if share >= MAY_BE_ON_TOPIC * sum(important.values()) else set()
