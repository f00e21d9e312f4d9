"""The coverage check and the topic operations on the wire."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import coverage as model
from contentgen_core.model.coverage import CoverageLevel, PlanQuality
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.topic_gap import GapKind
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.coverage.assessment import NEEDS, Need
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.ports.content_model import TopicJudgement, TopicSuggestion
from contentgen_core.use_cases.articles.check_coverage import MIN_TOPIC, CheckCoverageCommand, CoverageReport
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import AgentKeyText, Answer, AnswerOf, Body, Rule
from contentgen_http.wire.forecast import LengthForecast
from contentgen_http.wire.kb import KbSource
from contentgen_http.wire.similar import SimilarField

TOP_SOURCES: Final = 5

AgentKeyField = Annotated[
    AgentKeyText, Meta(description="`<nicheKey>-<CC>` of an agent you may use.", examples=["home-energy-GB"])
]


class TopSource(AnswerOf[RankedPassage], kw_only=True):
    """A document that covers the topic."""

    title: Annotated[str, Meta(description="Its title.", examples=["Heat pump basics"])]
    relevance: Annotated[float, Meta(description="Combined score of its best passage, in 0..1.", examples=[0.82])]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET

    @classmethod
    def of(cls, best: RankedPassage) -> TopSource:
        document = best.passage.document
        return cls.copy_from(document, relevance=best.combined_score)


class Coverage(AnswerOf[model.Coverage], kw_only=True):
    """How well the knowledge base covers a topic."""

    level: Annotated[CoverageLevel, Meta(description="insufficient, low, good or excellent.")]
    score: Annotated[float, Meta(description="The score behind the level, in 0..100.", examples=[78.5])]
    sources_found: Annotated[int, Meta(description="Different documents found.", examples=[6])]
    top_sources: Annotated[list[TopSource], Meta(description="The best five documents, best first.")]
    reranked_results: Annotated[
        list[KbSource], Meta(description="The passages found, best first. Pass them on as coverageSources.")
    ]
    provisional: Annotated[
        bool,
        Meta(description="Whether documents are still being read, so that level, score and sources may change soon."),
    ]

    @classmethod
    def of(cls, coverage: model.Coverage) -> Coverage:
        return cls.copy_from(
            coverage, top_sources=coverage.best_passages[:TOP_SOURCES], reranked_results=coverage.ranked
        )


class TermFinding(AnswerOf[model.TermFinding], kw_only=True):
    """One of the topic's words, and where the knowledge base has it."""

    word: Annotated[str, Meta(description="As typed.", examples=["noise"])]
    documents: Annotated[int, Meta(description="Independent documents that have it.", examples=[4])]
    passages: Annotated[int, Meta(description="Passages that have it.", examples=[9])]
    in_headings: Annotated[bool, Meta(description="Whether a title or heading has it.")]
    titles: Annotated[list[str], Meta(description="Of the best documents that have it, at most three.")]


class CoverageEvidence(Answer, kw_only=True):
    """What the score rests on. Copies, and what a model wrote, are not counted."""

    terms: Annotated[list[TermFinding], Meta(description="The topic's words and where each was found.")]
    missing_terms: Annotated[list[str], Meta(description="The subject's words that no source has.")]
    unsourced_names: Annotated[
        list[str] | UnsetType,
        Meta(
            description="Of the things that the topic lists by name, those that no source is on; the level is then at "
            "most low. Absent where there is none.",
            examples=[["Calor 300"]],
        ),
    ] = UNSET
    documents: Annotated[int, Meta(description="Independent documents on the topic.", examples=[4])]
    documents_needed: Annotated[int, Meta(description="That an article of this length should rest on.", examples=[3])]
    passages: Annotated[int, Meta(description="Passages on the topic.", examples=[9])]
    passages_needed: Annotated[int, Meta(description="That an article of this length takes.", examples=[7])]
    best_match: Annotated[
        float, Meta(description="How well the best passage answers the topic, of what is possible, in 0..1.")
    ]
    words_together: Annotated[
        float,
        Meta(description="Weighted share of the topic's words in the best three documents taken together, in 0..1."),
    ]
    nearness: Annotated[
        float | UnsetType,
        Meta(
            description="How near the nearest passage is to the topic in meaning: 0 as sentences on different things, "
            "1 as paraphrases. Absent where the embedding model models no meaning."
        ),
    ] = UNSET
    prominence: Annotated[
        float | UnsetType,
        Meta(description="How much nearer that is than this knowledge base's passages usually are, on the same scale."),
    ] = UNSET
    ranking_agreement: Annotated[
        float, Meta(description="Share of the five best by words that are also the search's five best, in 0..1.")
    ]
    diversity: Annotated[
        float, Meta(description="How little the documents on the topic repeat each other, in 0..1; 0 for one alone.")
    ]
    sites: Annotated[int, Meta(description="Different sites that these documents come from, of those with an address.")]
    newest_year: Annotated[int | UnsetType, Meta(description="When the newest of them was fetched, where known.")] = (
        UNSET
    )
    oldest_year: Annotated[int | UnsetType, Meta(description="When the oldest of them was fetched, where known.")] = (
        UNSET
    )

    @classmethod
    def of(cls, evidence: model.CoverageEvidence, need: Need) -> CoverageEvidence:
        return cls.copy_from(
            evidence,
            terms=evidence.found,
            unsourced_names=evidence.unsourced or UNSET,
            documents_needed=need.documents,
            passages_needed=need.passages,
            best_match=evidence.saturation,
            words_together=evidence.term_share,
            prominence=UNSET if evidence.nearness is None else evidence.prominence,
            ranking_agreement=evidence.agreement,
            newest_year=evidence.newest,
            oldest_year=evidence.oldest,
        )


class CoverageRequest(Body, kw_only=True):
    """What to check."""

    agent_key: AgentKeyField
    topic: Annotated[
        str,
        Meta(
            min_length=MIN_TOPIC,
            max_length=500,
            description="The topic. URLs, script tags, JSON, SQL injection and template literals are refused.",
            examples=["Choosing a heat pump for an older house"],
        ),
        Rule(partial(check_topic, min_length=MIN_TOPIC)),
    ]
    article_length: Annotated[ArticleLength, Meta(description="The length the sources have to suffice for.")] = (
        ArticleLength.STANDARD
    )

    private_docs_mode: Annotated[
        Literal["disabled", "auto"],
        Meta(description="Whether all of your private documents count, too, as they do for a plan with this mode."),
    ] = "disabled"

    def to_command(self, caller: Caller) -> CheckCoverageCommand:
        return CheckCoverageCommand(
            caller, self.agent_key, self.topic, self.article_length, self.private_docs_mode == "auto"
        )


class CoverageCheck(AnswerOf[CoverageReport], kw_only=True):
    """What the knowledge base holds on the topic, and what to do about it."""

    can_generate: Annotated[bool, Meta(description="Whether generating is recommended; always true on Business.")]
    coverage: Annotated[Coverage, Meta(description="The finding.")]
    evidence: Annotated[CoverageEvidence, Meta(description="What the score rests on.")]
    estimated_plan_quality: Annotated[PlanQuality, Meta(description="What a plan from these sources will be like.")]
    forecast: Annotated[
        list[LengthForecast], Meta(description="How long an article would be, for each length that the plan includes.")
    ]
    warnings: Annotated[
        list[str],
        Meta(description="Where generating is possible although the topic is not covered, or hardly: what is missing."),
    ]
    recommendations: Annotated[list[str], Meta(description="What would help.")]
    alternative_topics: Annotated[
        list[str], Meta(description="Topics near this one that the knowledge base carries; when coverage is too low.")
    ]
    similar_articles: SimilarField
    remaining_checks: Annotated[int | UnsetType, Meta(description="Checks left today; on the Pro plan only.")] = UNSET

    @classmethod
    def of(cls, report: CoverageReport) -> CoverageCheck:
        return cls.copy_from(
            report,
            evidence=CoverageEvidence.of(report.coverage.evidence, NEEDS[report.length]),
            estimated_plan_quality=report.quality,
            forecast=report.forecasts,
            similar_articles=report.similar,
        )


class SuggestTopicRequest(Body, kw_only=True):
    """For which agent."""

    agent_key: AgentKeyField


class SuggestedTopic(AnswerOf[TopicSuggestion], kw_only=True):
    """A topic that is missing: in the knowledge base, or as an article."""

    topic: Annotated[str, Meta(description="The topic.")]
    reason: Annotated[str, Meta(description="Why it is suggested.")]
    score: Annotated[float, Meta(description="How well the knowledge base carries it, in 0..1.", examples=[0.7])]
    gap: Annotated[
        GapKind | UnsetType,
        Meta(
            description="uncovered (asked for, without enough sources), named (by several documents of which none is "
            "about it), unanswered (a question that the sources ask and do not answer) or unwritten (covered, and no "
            "article has it). Absent where a model put the topic together."
        ),
    ] = UNSET
    coverage: Annotated[
        ArticleCoverage | UnsetType, Meta(description="How well the knowledge base covers it for a standard article.")
    ] = UNSET


class SuggestedTopics(AnswerOf[tuple[TopicSuggestion, ...]], kw_only=True):
    """Suggestions, the most urgent first; none when the knowledge base is empty or lacks nothing."""

    topics: Annotated[list[SuggestedTopic], Meta(description="The topics.")]

    @classmethod
    def of(cls, suggestions: tuple[TopicSuggestion, ...]) -> SuggestedTopics:
        return cls(topics=[SuggestedTopic.of(suggestion) for suggestion in suggestions])


class ValidateTopicRequest(Body, kw_only=True):
    """The topic to judge, and for which agent."""

    agent_key: AgentKeyField
    topic: Annotated[
        str,
        Meta(min_length=1, max_length=500, description="The topic.", examples=["Heat pumps in older houses"]),
        Rule(check_topic),
    ]


class TopicValidity(AnswerOf[TopicJudgement], kw_only=True):
    """Whether a topic suits the agent's niche."""

    valid: Annotated[bool, Meta(description="Whether it suits the niche.")]
    confidence: Annotated[float, Meta(description="How sure that is, in 0..1.", examples=[0.9])]
    reason: Annotated[str, Meta(description="Why.")]
