"""What a search of passages found, and the coverage that it makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import Coverage, CoverageEvidence
from contentgen_core.model.knowledge import RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import assess
from contentgen_core.policies.coverage.evidence import coverage_evidence
from contentgen_core.policies.coverage.meaning import Background, Meaning, meaning_of
from contentgen_core.policies.coverage.named_things import CoveredThing, combine_named_things
from contentgen_core.policies.grounding.named_things import NamedThing
from contentgen_core.policies.retrieval.off_topic_statistics import off_topic_statistics, originals
from contentgen_core.policies.retrieval.ranking import (
    Candidate,
    EmbeddingWeight,
    TopicQuery,
    rank,
)
from contentgen_core.ports.knowledge_base import Vector


@frozen
class Retrieved:
    """The result of a search. `ranked`: what to show and to write from. `candidates`: what it was chosen from, with the
    `statistics` of the view and the `embedding_weight` used. `vector`: that of the text by the present embedder; None
    where it went by words alone or a former model served. `background`: None where meaning is not compared.
    `off_topic`: those of `ranked` that are about something else, judged with their documents. `provisional`: whether
    passages of the views had no vector, or the embedder failed, where it models meaning. `compared`: all
    candidates, ranked without a cross-encoder, where they have been; None where `by_words` has to. `things`: those that
    the text lists by name, each with what a search for it alone found."""

    query: TopicQuery
    ranked: tuple[RankedPassage, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    statistics: Mapping[Language, TermStatistics] = field(factory=dict)
    embedding_weight: EmbeddingWeight = 0.0
    vector: Vector | None = None
    background: Background | None = None
    off_topic: frozenset[SourceRef] = frozenset()
    provisional: bool = False
    compared: tuple[RankedPassage, ...] | None = field(default=None, repr=False)
    things: tuple[tuple[NamedThing, Retrieved], ...] = field(default=(), repr=False)

    def among(self, candidates: Sequence[Candidate]) -> Retrieved:
        """The same with these of the candidates alone, for its coverage: they are ranked among each other."""
        return evolve(self, candidates=tuple(candidates), compared=None, things=())

    def by_words(self) -> tuple[RankedPassage, ...]:
        """All candidates, ranked without a cross-encoder. Coverage counts them all, so that a better source that is
        added displaces no other, and does not depend on a reranker. Takes some milliseconds where they were not
        compared already."""
        if self.compared is not None:
            return self.compared
        return rank(
            self.query, originals(self.candidates), self.statistics, self.embedding_weight, len(self.candidates)
        )

    @property
    def off_topic_statistics(self) -> Mapping[Language, TermStatistics]:
        """The statistics of the view without the passages on the topic (see
        `policies.retrieval.off_topic_statistics`)."""
        return off_topic_statistics(self.query, [candidate.passage for candidate in self.candidates], self.statistics)

    @property
    def meaning(self) -> Meaning | None:
        """How near the candidates are to the text in meaning; None where the embedder compares spelling."""
        if self.background is None or not isinstance(self.embedding_weight, Mapping):
            return None
        return meaning_of(self.candidates, self.embedding_weight, self.background)

    def coverages(self, lengths: Iterable[ArticleLength]) -> dict[ArticleLength, Coverage]:
        """The coverage of the text as a topic, for an article of each length; of things that it lists, each by itself.
        Takes some milliseconds."""
        by_words, statistics, meaning = self.by_words(), self.off_topic_statistics, self.meaning
        things = [CoveredThing(thing, found.evidence_on(thing) if thing.refs else None) for thing, found in self.things]
        coverages = {
            length: evolve(
                assess(self.query, by_words, statistics, length, meaning),
                ranked=self.ranked,
                off_topic=self.off_topic,
                provisional=self.provisional,
            )
            for length in lengths
        }
        if not things:
            return coverages
        return {length: combine_named_things(coverage, things, length) for length, coverage in coverages.items()}

    def evidence_on(self, thing: NamedThing) -> CoverageEvidence:
        """The evidence for the text, where it names this thing alone."""
        return coverage_evidence(self.query, self.by_words(), self.off_topic_statistics, self.meaning, thing.refs)

    def coverage(self, length: ArticleLength) -> Coverage:
        """The same for one length."""
        return self.coverages([length])[length]
