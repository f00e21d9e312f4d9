"""The grounding receipt and the token usage on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import grounding as model
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_http.wire.base import Answer


class Support(Answer, kw_only=True):
    """The span of a passage that a sentence rests on."""

    parent_id: Annotated[str, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.")]
    content_hash: Annotated[str, Meta(description="SHA-256 of the passage's text, in hex, as it was when checked.")]
    start: Annotated[int, Meta(description="First character of the span in the passage, from 0.")]
    end: Annotated[int, Meta(description="The character after the span.")]
    score: Annotated[float, Meta(description="How well the span supports the sentence, in 0..1.")]


class SentenceReceipt(Answer, kw_only=True):
    """One sentence of the article and what it rests on."""

    text: Annotated[str, Meta(description="The sentence, without citation marks.")]
    citations: Annotated[list[int], Meta(description="The numbers it cites: those of the text's `[n]`.")]
    verdict: Annotated[
        Verdict, Meta(description="supported, unsupported, or unsourced (the article has no source to cite).")
    ]
    support: Annotated[Support | UnsetType, Meta(description="The passage that supports it best, if one does.")] = UNSET
    missing_facts: Annotated[
        list[str], Meta(description="Figures, dates and names of the sentence that the cited passages lack.")
    ]
    marked: Annotated[bool, Meta(description="Whether the text marks the sentence as unsupported.")]


class GroundingTotals(Answer, kw_only=True):
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


class Grounding(Answer, kw_only=True):
    """For each sentence of the article, what it rests on and whether that holds. Made by rules, not by a model."""

    level: Annotated[GroundingLevel, Meta(description="full, partial, or none (written without any source).")]
    totals: Annotated[GroundingTotals, Meta(description="The receipt in figures.")]
    sentences: Annotated[list[SentenceReceipt], Meta(description="The sentences in the article's order.")]

    @classmethod
    def from_model(cls, grounding: model.Grounding) -> Grounding:
        totals = grounding.totals
        return cls(
            level=grounding.level,
            totals=GroundingTotals(
                sentences=totals.sentences,
                citation_validity=totals.citation_validity,
                citation_recall=totals.citation_recall,
                citation_precision=totals.citation_precision,
                quote_match=totals.quote_match,
                fact_match=totals.fact_match,
                longest_verbatim_run=totals.longest_verbatim_run,
            ),
            sentences=[_receipt(sentence) for sentence in grounding.sentences],
        )


def _receipt(sentence: model.SentenceReceipt) -> SentenceReceipt:
    support = sentence.support
    return SentenceReceipt(
        text=sentence.text,
        citations=list(sentence.citations),
        verdict=sentence.verdict,
        support=UNSET
        if support is None
        else Support(
            parent_id=support.source.document_id,
            chunk_index=support.source.chunk_index,
            content_hash=support.content_hash,
            start=support.start,
            end=support.end,
            score=support.score,
        ),
        missing_facts=list(sentence.missing_facts),
        marked=sentence.marked,
    )
