"""The coverage of a topic that lists things by name: each of them judged by itself.

One passage has a third of the words of a topic on three products, so that by words together none would be covered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import ArticleSource
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import ArticleCoverage, Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.coverage.assessment import ENOUGH, PRODUCT, level_of, probability
from contentgen_core.policies.grounding.named_things import NamedThing

_WORD: Final = re.compile(r"[^\W_]+")
JUST_BELOW: Final = 0.1
"""Of the score from which a topic is covered: the most that it can have while a thing it names has no source."""


@frozen
class CoveredThing:
    """A thing that a topic lists, with the evidence for the topic on it alone; None where no passage is on it."""

    thing: NamedThing
    evidence: CoverageEvidence | None = None

    @property
    def on_topic(self) -> frozenset[SourceRef]:
        """The passages on it that are on the topic."""
        return frozenset() if self.evidence is None else self.thing.refs & self.evidence.on_topic


def combine_named_things(whole: Coverage, things: Sequence[CoveredThing], length: ArticleLength) -> Coverage:
    """Return the coverage of a topic that lists things: the higher one of the topic's as a whole and of the least
    covered thing that has sources, with the sources of all of them; below "good" where a thing has none. `whole`: of
    the topic as a whole."""
    sourced = [each for each in things if each.evidence is not None]
    unsourced = tuple(each.thing.name for each in things if each.evidence is None)
    found = whole
    if sourced and len(things) > 1:
        together = _together(whole.evidence, sourced)
        score, evidence = min(
            ((round(100 * probability(each, length), 1), each) for each in together), key=lambda pair: pair[0]
        )
        level = level_of(score, PRODUCT.cuts_for(evidence))
        best = max([whole, evolve(whole, level=level, score=score, evidence=evidence)], key=_rank)
        found = evolve(best, off_topic=whole.off_topic.difference(*(each.on_topic for each in sourced)))
    named = {word.casefold() for each in sourced for word in _WORD.findall(each.thing.name)}
    missing = tuple(word for word in whole.evidence.missing_terms if word.casefold() not in named)
    on_topic = found.evidence.on_topic.union(*(each.on_topic for each in sourced))
    evidence = evolve(found.evidence, missing_terms=missing, unsourced=unsourced, on_topic=on_topic)
    return limited_by_unsourced(evolve(found, evidence=evidence))


def limited_by_unsourced(coverage: Coverage) -> Coverage:
    """Return the coverage below "good" where it has things without a source."""
    if not coverage.evidence.unsourced or coverage.level not in ENOUGH:
        return coverage
    _, good, _ = PRODUCT.cuts_for(coverage.evidence)
    return evolve(coverage, level=CoverageLevel.LOW, score=round(min(coverage.score, good - JUST_BELOW), 1))


def without_unwritten(
    coverage: ArticleCoverage, things: Sequence[NamedThing], cited: Sequence[ArticleSource]
) -> ArticleCoverage:
    """Return what an article says of its coverage once it is written: things that it cites nothing on are missing.

    `things`: that its topic lists, by the passages it was written from; `cited`: what it cites."""
    refs = {SourceRef(source.parent_id, source.chunk_index) for source in cited}
    left_out = [each.name for each in things if not each.refs & refs]
    if not left_out:
        return coverage
    missing = tuple(dict.fromkeys((*left_out, *coverage.missing)))
    if coverage.level not in ENOUGH:
        return evolve(coverage, missing=missing)
    good = min(each.cuts[1] for each in (PRODUCT.words, PRODUCT.long, PRODUCT.short))
    return evolve(coverage, level=CoverageLevel.LOW, score=min(coverage.score, good - JUST_BELOW), missing=missing)


def _together(whole: CoverageEvidence, sourced: Sequence[CoveredThing]) -> list[CoverageEvidence]:
    """The evidence for each thing, with the documents and passages of all of them; what is shown is the whole
    topic's."""
    refs = frozenset[SourceRef]().union(*(each.on_topic for each in sourced))
    documents = len({ref.document_id for ref in refs})
    found: list[CoverageEvidence] = []
    for each in sourced:
        evidence = each.evidence
        assert evidence is not None
        found.append(
            evolve(
                evidence,
                breadth=max(evidence.breadth, whole.breadth, float(documents)),
                depth=max(evidence.depth, whole.depth, float(len(refs))),
                documents=max(whole.documents, documents),
                passages=max(whole.passages, len(refs)),
                term_share=whole.term_share,
                sites=whole.sites,
                newest=whole.newest,
                oldest=whole.oldest,
                diversity=whole.diversity,
                agreement=whole.agreement,
                terms=whole.terms,
                found=whole.found,
                on_topic=whole.on_topic,
            )
        )
    return found


def _rank(coverage: Coverage) -> tuple[int, float]:
    return list(CoverageLevel).index(coverage.level), coverage.score
