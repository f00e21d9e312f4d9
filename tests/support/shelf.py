"""Passages that stand on one shelf, and what of a topic they cover."""

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.coverage import Coverage, CoverageLevel
from contentgen_core.model.knowledge import IndexHit, Passage, TermStatistics
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import (
    assess,
)
from contentgen_core.policies.retrieval.ranking import Candidate, rank, topic_query
from contentgen_core.testing.builders import kb_document, passage, sha256

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
TEXTS = [
    "A heat pump moves heat from outdoor air into the house and needs electricity for its compressor.",
    "Noise from a heat pump comes from the fan and the compressor, and falls with distance.",
    "Sizing a heat pump starts from the heat loss of the house on a cold day.",
    "Insulation of the loft reduces heat loss, so a smaller heat pump is enough.",
    "The noise limit at night is 40 decibels at the neighbour's window in many regions.",
    "A quiet heat pump placed behind a wall can still carry noise into the house through pipes.",
    "Fans that turn slowly make less noise; a larger heat pump can run at low speed.",
    "Rubber feet keep the noise and vibration of a heat pump from reaching the building.",
]


def shelf(texts: list[str], **changes: object) -> list[Passage]:
    return [
        passage(kb_document(title="", **changes), text, terms=ANALYSIS.terms(text, EN), content_hash=sha256(text))
        for text in texts
    ]


def statistics_of(passages: list[Passage]) -> dict[Language, TermStatistics]:
    counts: dict[str, int] = {}
    for item in passages:
        for term in set(item.terms):
            counts[term] = counts.get(term, 0) + 1
    mean = sum(len(p.terms) for p in passages) / max(1, len(passages))
    return {EN: TermStatistics(len(passages), mean, counts)}


def check(topic: str, passages: list[Passage], length: ArticleLength = ArticleLength.SHORT) -> Coverage:
    query = topic_query(topic, [EN], ANALYSIS)
    statistics = statistics_of(passages)
    found = rank(query, [Candidate(p, IndexHit(p.ref, 1.0, None)) for p in passages], statistics, 0.0, 48)
    return assess(query, found, statistics, length)


COVERED = (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
