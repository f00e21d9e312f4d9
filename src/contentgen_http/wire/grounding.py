"""The grounding receipt on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import grounding as model
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles.grounding_receipt import CheckedReceipt, Staleness
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import Answer, AnswerOf
from contentgen_http.wire.usage import Usage


class Support(AnswerOf[model.Support], kw_only=True):
    """The span of a passage that a sentence rests on."""

    parent_id: Annotated[str, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.")]
    content_hash: Annotated[str, Meta(description="SHA-256 of the passage's text, in hex, as it was when checked.")]
    start: Annotated[int, Meta(description="First character of the span in the passage, from 0.")]
    end: Annotated[int, Meta(description="The character after the span.")]
    score: Annotated[float, Meta(description="How well the span supports the sentence, in 0..1.")]

    @classmethod
    def of(cls, support: model.Support) -> Support:
        source = support.source
        return cls.copy_from(support, parent_id=source.document_id, chunk_index=source.chunk_index)


class SentenceReceipt(AnswerOf[model.SentenceReceipt], kw_only=True):
    """One sentence of the article and what it rests on."""

    text: Annotated[str, Meta(description="The sentence, without citation marks.")]
    citations: Annotated[list[int], Meta(description="The numbers it cites: those of the text's `[n]`.")]
    verdict: Annotated[
        Verdict,
        Meta(
            description="supported, unsupported, outOfContext (the cited passage says it of another product or person "
            "than a reader of the article would take it to be said of), or unsourced (the article has no source to "
            "cite)."
        ),
    ]
    support: Annotated[Support | UnsetType, Meta(description="The passage that supports it best, if one does.")] = UNSET
    missing_facts: Annotated[
        list[str],
        Meta(
            description="Figures, dates and names of the sentence that the cited passages lack, words that say "
            "something and that none of them has, and words that it has in the place of others of an otherwise equal "
            "sentence there."
        ),
    ]
    marked: Annotated[bool, Meta(description="Whether the text marks the sentence as unsupported.")]
    verifier: Annotated[
        str, Meta(description="Who gave the verdict: `lexical` (rules), or the name of the entailment model.")
    ]
    nearness: Annotated[
        float | UnsetType,
        Meta(
            description="How near in meaning the sentence is to the nearest sentence that it cites, in 0..1: 0 for one "
            "about something else, 1 for the same. Absent where words decided alone."
        ),
    ] = UNSET
    passage_language: Annotated[
        Language | UnsetType,
        Meta(
            description="The language of the passage, where it is another than the article's: words could not be "
            "compared, so figures, dates, names, negations and nearness decided."
        ),
    ] = UNSET


class CheckedSentence(SentenceReceipt, kw_only=True):
    """One sentence of the article, what it rests on, and whether that is still there."""

    stale: Annotated[
        Staleness | UnsetType,
        Meta(
            description="Present when a passage it rests on has changed or was deleted since the article was written."
        ),
    ] = UNSET


class StaleSource(Answer, kw_only=True):
    """A source of the article that is no longer what was cited."""

    number: Annotated[int, Meta(description="Its number in the article's list of sources.")]
    reason: Annotated[Staleness, Meta(description="changed, or deleted.")]


class GroundingTotals(AnswerOf[model.GroundingTotals], kw_only=True):
    """The receipt in figures: shares in 0..1."""

    sentences: Annotated[int, Meta(description="Sentences checked.")]
    citation_validity: Annotated[float, Meta(description="Share of citations that lead to a listed source.")]
    citation_recall: Annotated[float, Meta(description="Share of sentences that their citations support.")]
    citation_precision: Annotated[float, Meta(description="Share of citations that contribute to that support.")]
    quote_match: Annotated[float, Meta(description="Share of quotations found word for word in their passage.")]
    fact_match: Annotated[
        float, Meta(description="Share of numbers, dates, units and names found in the cited passage.")
    ]
    longest_verbatim_run: Annotated[
        int, Meta(description="Most consecutive words taken over from a source outside quotations.")
    ]
    copied_8gram_share: Annotated[
        float | UnsetType,
        Meta(
            description="Share of runs of eight words, outside quotations and headings, that stand word for word in a "
            "cited passage. Absent from receipts made before it was counted."
        ),
    ] = UNSET

    @classmethod
    def of(cls, totals: model.GroundingTotals) -> GroundingTotals:
        return cls.copy_from(totals, copied_8gram_share=totals.copied_8grams)


class Grounding(AnswerOf[model.Grounding], kw_only=True):
    """For each sentence of the article, what it rests on and whether that holds. Made by rules, with nearness in
    meaning where the embedder knows the language, unless an entailment model is configured; each sentence says who
    judged it."""

    level: Annotated[
        GroundingLevel,
        Meta(
            description="full, partial (also where the topic is hardly covered), or none (written without any source, "
            "or without one on the topic)."
        ),
    ]
    coverage: Annotated[
        ArticleCoverage | UnsetType, Meta(description="Of the topic, which bounds the level; where it is known.")
    ] = UNSET
    verifier: Annotated[
        str, Meta(description="`lexical`, or the name of the entailment model that judged some of the sentences.")
    ]
    totals: Annotated[GroundingTotals, Meta(description="The receipt in figures.")]
    sentences: Annotated[list[SentenceReceipt], Meta(description="The sentences in the article's order.")]


class CurrentGrounding(AnswerOf[CheckedReceipt], kw_only=True):
    """The receipt as it was made, beside what the knowledge base holds now."""

    level: Annotated[GroundingLevel, Meta(description="As it was when the article was written.")]
    coverage: Annotated[
        ArticleCoverage | UnsetType, Meta(description="Of the topic, which bounds the level; as it was then.")
    ] = UNSET
    verifier: Annotated[
        str, Meta(description="`lexical`, or the name of the entailment model that judged some of the sentences.")
    ]
    totals: Annotated[GroundingTotals, Meta(description="The receipt in figures, as it was then.")]
    stale_sentences: Annotated[int, Meta(description="Sentences that rest on something changed or deleted since.")]
    stale_sources: Annotated[
        list[StaleSource], Meta(description="Sources that have changed or were deleted, by number.")
    ]
    sentences: Annotated[list[CheckedSentence], Meta(description="The sentences in the article's order.")]
    usage: Annotated[Usage | UnsetType, Meta(description="What the content model consumed for the article.")] = UNSET

    @classmethod
    def of(cls, checked: CheckedReceipt) -> CurrentGrounding:
        sentences = zip(checked.grounding.sentences, checked.stale, strict=True)
        return cls.copy_from(
            checked.grounding,
            stale_sentences=sum(stale is not None for stale in checked.stale),
            stale_sources=[StaleSource(number=n, reason=r) for n, r in sorted(checked.stale_sources.items())],
            sentences=[checked_sentence(sentence, stale) for sentence, stale in sentences],
            usage=checked.usage,
        )


def checked_sentence(sentence: model.SentenceReceipt, stale: Staleness | None) -> CheckedSentence:
    return CheckedSentence.copy_from(sentence, stale=stale)
