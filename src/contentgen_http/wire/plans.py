"""ArticlePlan on the wire: the same shape out and in, so that a plan can be sent back as it came."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, field

from contentgen_core.errors import InvalidInput
from contentgen_core.model import article_plan as model
from contentgen_core.model.article_plan import SourceRef
from contentgen_http.wire.base import NOT_BLANK, Body

SourceId = Annotated[str, Meta(pattern="^.{1,100}#[0-9]{1,9}$", max_length=110)]
SourceIds = Annotated[
    list[SourceId],
    Meta(
        max_length=model.MAX_SOURCES,
        description="The passages this rests on, each written `documentId#chunkIndex`.",
        examples=[["0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11#0"]],
    ),
]
Text = Annotated[str, Meta(max_length=model.MAX_TEXT)]
Line = Annotated[str, Meta(min_length=1, max_length=model.MAX_TITLE, pattern=NOT_BLANK)]


class PlanSection(Body, kw_only=True):
    """A section to be written."""

    heading: Annotated[Line, Meta(description="Its heading.", examples=["How a heat pump works"])]
    goal: Annotated[Text, Meta(description="What the reader should take away from it.")] = ""
    key_points: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=model.MAX_TEXT, pattern=NOT_BLANK)]],
        Meta(max_length=model.MAX_KEY_POINTS, description="What it has to say, in order."),
    ] = field(default_factory=list)
    source_ids: SourceIds = field(default_factory=list)
    target_words: Annotated[
        int,
        Meta(
            ge=model.MIN_SECTION_WORDS,
            le=model.MAX_SECTION_WORDS,
            description="Words aimed at. The sections together may not exceed the article's length.",
            examples=[150],
        ),
    ] = 150


class PlanFaq(Body, kw_only=True):
    """A question answered at the end of the article."""

    question: Annotated[Line, Meta(description="The question.", examples=["Does it work below freezing?"])]
    source_ids: SourceIds = field(default_factory=list)


class PlanSeo(Body, kw_only=True):
    """Metadata for search engines."""

    meta_title: Annotated[
        str, Meta(max_length=model.MAX_TITLE, description="Title for search results; best within 60 characters.")
    ] = ""
    meta_description: Annotated[
        Text, Meta(description="Description for search results; best within 155 characters.")
    ] = ""
    keywords: Annotated[
        list[Annotated[str, Meta(max_length=model.MAX_TITLE)]],
        Meta(max_length=model.MAX_SECTIONS, description="Words the article should be found by."),
    ] = field(default_factory=list)


class ArticlePlan(Body, kw_only=True):
    """The plan of an article: returned by plan generation, and accepted back as it is or edited."""

    title: Annotated[Line, Meta(description="Working title.", examples=["Heat pumps in older houses"])]
    angle: Annotated[Text, Meta(description="The point of view that makes this article different.")] = ""
    audience: Annotated[Text, Meta(description="Whom it is for.", examples=["Home owners"])] = ""
    sections: Annotated[
        list[PlanSection],
        Meta(min_length=1, max_length=model.MAX_SECTIONS, description="The sections in their order."),
    ]
    faq: Annotated[list[PlanFaq], Meta(max_length=model.MAX_FAQ, description="Questions answered at the end.")] = field(
        default_factory=list
    )
    seo: Annotated[PlanSeo, Meta(description="Metadata for search engines.")] = field(default_factory=PlanSeo)

    @classmethod
    def from_model(cls, plan: model.ArticlePlan) -> ArticlePlan:
        return cls(
            title=plan.title,
            angle=plan.angle,
            audience=plan.audience,
            sections=[
                PlanSection(
                    heading=section.heading,
                    goal=section.goal,
                    key_points=list(section.key_points),
                    source_ids=[str(ref) for ref in section.source_ids],
                    target_words=section.target_words,
                )
                for section in plan.sections
            ],
            faq=[
                PlanFaq(question=entry.question, source_ids=[str(ref) for ref in entry.source_ids])
                for entry in plan.faq
            ],
            seo=PlanSeo(
                meta_title=plan.seo.meta_title,
                meta_description=plan.seo.meta_description,
                keywords=list(plan.seo.keywords),
            ),
        )

    def to_model(self) -> model.ArticlePlan:
        """Raises InvalidInput for a source id that is none."""
        return model.ArticlePlan(
            title=self.title,
            angle=self.angle,
            audience=self.audience,
            sections=tuple(
                model.PlanSection(
                    heading=section.heading,
                    goal=section.goal,
                    key_points=tuple(section.key_points),
                    source_ids=_refs(f"plan.sections[{i}].sourceIds", section.source_ids),
                    target_words=section.target_words,
                )
                for i, section in enumerate(self.sections)
            ),
            faq=tuple(
                model.FaqEntry(entry.question, _refs(f"plan.faq[{i}].sourceIds", entry.source_ids))
                for i, entry in enumerate(self.faq)
            ),
            seo=model.PlanSeo(self.seo.meta_title, self.seo.meta_description, tuple(self.seo.keywords)),
        )


def _refs(path: str, texts: Iterable[str]) -> tuple[SourceRef, ...]:
    refs: list[SourceRef] = []
    for i, text in enumerate(texts):
        try:
            refs.append(SourceRef.parse(text))
        except ValueError as exc:
            raise InvalidInput.of(f"{path}[{i}]", "must be documentId#chunkIndex") from exc
    return tuple(refs)
