"""How well the knowledge base covered an article's topic, on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import coverage as model
from contentgen_core.model.coverage import CoverageLevel
from contentgen_http.wire.base import AnswerOf


class ArticleCoverage(AnswerOf[model.ArticleCoverage], kw_only=True):
    """How well the knowledge base covered the topic when the article's sources were chosen."""

    level: Annotated[
        CoverageLevel,
        Meta(description="insufficient (the topic is not covered), low (hardly), good or excellent."),
    ]
    score: Annotated[float, Meta(description="The score behind the level, in 0..100.", examples=[78.5])]
    missing_terms: Annotated[
        list[str],
        Meta(
            description="Of things that the topic lists by name, those that no source was on; then the subject's words "
            "that no source had. The first eight."
        ),
    ]

    provisional: Annotated[
        bool | UnsetType,
        Meta(description="true where documents were still being read, so that it may be another now; else absent."),
    ] = UNSET

    @classmethod
    def of(cls, coverage: model.ArticleCoverage) -> ArticleCoverage:
        return cls.copy_from(coverage, missing_terms=coverage.missing, provisional=coverage.provisional or UNSET)
