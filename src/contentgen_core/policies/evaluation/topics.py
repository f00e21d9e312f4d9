"""Topics that a knowledge base has documents on, and which documents those are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from math import log
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.chance import choose
from contentgen_core.policies.text.file_titles import real_title

LEAST_WORDS: Final = 2
"""Of a topic, without stop words."""
MOST_OF_A_TITLE: Final = 0.1
"""A title that more of the documents have is a heading ("Background") and no topic."""
ON_TOPIC: Final = 0.5
"""The share of a topic's information from which on a document is on it."""


@frozen
class Topic:
    """`own`: the documents that it is the title of; `on`: all that hold much of what it says, these included."""

    text: str
    language: Language
    own: frozenset[DocumentId]
    on: frozenset[DocumentId]


def topics(documents: Sequence[Sequence[Passage]], count: int, seed: int, analysis: TextAnalysis) -> list[Topic]:
    """Return at most `count` titles of documents. `documents`: the passages of each. Takes a millisecond a document."""
    held = {passages[0].document.id: _terms(passages) for passages in documents if passages}
    having = Counter(term for terms in held.values() for term in terms)
    titled: dict[str, list[KbDocument]] = defaultdict(list)
    for document in (passages[0].document for passages in documents if passages):
        title = " ".join(real_title(document.title).split())
        if len(set(analysis.terms(title, document.language))) >= LEAST_WORDS:
            titled[title].append(document)
    most = max(1.0, MOST_OF_A_TITLE * len(held))
    titles = [title for title, having_it in titled.items() if len(having_it) <= most and len(having_it) < len(held)]

    def topic(title: str) -> Topic:
        own = titled[title]
        weights = {term: log(1 + len(held) / having[term]) for term in analysis.terms(title, own[0].language)}
        on = {id for id, terms in held.items() if _share(weights, terms) >= ON_TOPIC}
        ids = frozenset(document.id for document in own)
        return Topic(title, own[0].language, ids, ids | on)

    found = (topic(title) for title in choose(titles, len(titles), seed, lambda title: title))
    return list(islice((topic for topic in found if len(topic.on) < len(held)), count))


def _share(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    """Return the share of the topic's terms, or of their information, whichever is more: in a knowledge base on one
    field most terms of a topic tell little."""
    met = [weight for term, weight in weights.items() if term in terms]
    return max(len(met) / len(weights), sum(met) / sum(weights.values()))


def _terms(passages: Sequence[Passage]) -> frozenset[str]:
    return frozenset(term for passage in passages for term in (*passage.head_terms, *passage.terms))
