"""An article's image and its other forms, on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.use_cases.articles.auto_image import AutoImageResult
from contentgen_http.wire.articles import ImageCredit
from contentgen_http.wire.base import AnswerOf, Query, optional


class ExportQuery(Query, kw_only=True):
    format: Annotated[
        ExportFormat | UnsetType,
        Meta(description="The form; absent: what the Accept header asks for first, otherwise html."),
    ] = UNSET

    receipt: Annotated[
        Literal["true", "false"] | UnsetType,
        Meta(description="true: with the grounding receipt, for editors; as HTML and PDF."),
    ] = UNSET

    ai_mark: Annotated[
        Literal["true", "false"] | UnsetType,
        Meta(
            description="Whether it begins with a sentence that a language model wrote it, where one did; absent: as "
            "its niche has it."
        ),
    ] = UNSET


class AutoImageQuery(Query, kw_only=True):
    force: Annotated[
        Literal["true"] | UnsetType,
        Meta(description="Replace an image that is there. Without it, an article that has an image keeps it."),
    ] = UNSET


class AutoImageAnswer(AnswerOf[AutoImageResult], kw_only=True):
    """The image that the article has now."""

    success: Annotated[bool, Meta(description="False when no picture was found; the article is then as it was.")]
    featured_image: Annotated[str | UnsetType, Meta(description="Address of the article's image.")] = UNSET
    photographer: Annotated[
        str | UnsetType, Meta(description="Who took the picture; absent when the article kept the image it had.")
    ] = UNSET
    image_credit: Annotated[
        ImageCredit | UnsetType, Meta(description="What to show with the picture; with photographer.")
    ] = UNSET

    @classmethod
    def of(cls, result: AutoImageResult) -> AutoImageAnswer:
        article, credit = result.article, result.article.image_credit
        answer = cls(success=result.success, featured_image=optional(article.featured_image))
        if result.picture is not None and credit is not None:
            answer.photographer = credit.photographer
            answer.image_credit = ImageCredit.of(credit)
        return answer
