"""The forecast of an article's words on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from contentgen_core.model.coverage import WordForecast
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_http.wire.base import AnswerOf


class LengthForecast(AnswerOf[WordForecast], kw_only=True):
    """How many words of an article of this length the sources carry. The built-in writer is asked what it would write;
    of a model it is known that it has no more to say than its sources."""

    article_length: Annotated[ArticleLength, Meta(description="The length.")]
    target_words: Annotated[int, Meta(description="The words that an article of this length aims at.", examples=[900])]
    words: Annotated[int, Meta(description="The words that the sources carry of them.", examples=[870])]

    @classmethod
    def of(cls, forecast: WordForecast) -> LengthForecast:
        return cls(article_length=forecast.length, target_words=forecast.target, words=forecast.words)


class PlanForecast(AnswerOf[WordForecast], kw_only=True):
    """How many words of the planned article its sources carry, before it is written."""

    target_words: Annotated[int, Meta(description="The words that an article of this length aims at.", examples=[900])]
    words: Annotated[int, Meta(description="The words that the sources carry, headings included.", examples=[870])]
    sections: Annotated[list[int], Meta(description="Of each section of the plan, in its order, without its heading.")]

    @classmethod
    def of(cls, forecast: WordForecast) -> PlanForecast:
        return cls.copy_from(forecast, target_words=forecast.target)
