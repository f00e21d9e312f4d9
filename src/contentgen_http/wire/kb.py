"""Passages of the knowledge base on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.knowledge import RankedPassage
from contentgen_http.wire.base import AnswerOf


class KbSource(AnswerOf[RankedPassage], kw_only=True):
    """One passage of the knowledge base, with its scores for the topic asked about (each in 0..1)."""

    parent_id: Annotated[str, Meta(description="Id of the KB document that the passage was cut from.")]
    parent_title: Annotated[str, Meta(description="Title of that document.", examples=["Heat pump basics"])]
    parent_url: Annotated[str | UnsetType, Meta(description="Address of that document, where it has one.")] = UNSET
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.", examples=[0])]
    content: Annotated[str, Meta(description="The text of the passage.")]
    combined_score: Annotated[float, Meta(description="The final score; sources are ordered by it.", examples=[0.82])]
    rerank_score: Annotated[
        float,
        Meta(description="The cross-encoder's score where one judged, else the lexical one.", examples=[0.79]),
    ]
    original_score: Annotated[float, Meta(description="Score that the search index gave.", examples=[0.85])]

    @classmethod
    def of(cls, ranked: RankedPassage) -> KbSource:
        passage = ranked.passage
        return cls.copy_from(
            ranked,
            parent_id=passage.document.id,
            parent_title=passage.document.title,
            parent_url=passage.document.url,
            chunk_index=passage.chunk_index,
            content=passage.text,
        )
