"""The tool that changes a plan that awaits its review."""

from __future__ import annotations

from typing import Annotated, Final

from attrs import evolve
from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.errors import FieldError, InvalidInput, NoPlanAwaitingReview
from contentgen_core.model import article_plan as model
from contentgen_core.model.ids import ArticleId
from contentgen_core.use_cases.articles.edited_plan import SeenPlan
from contentgen_core.use_cases.articles.forecast_plan import ForecastPlanCommand
from contentgen_core.use_cases.articles.plan import Planned
from contentgen_http.api.requests import path_id
from contentgen_http.mcp.bounds import shorten
from contentgen_http.mcp.tenant_answers import PlannedArticle, planned_article
from contentgen_http.mcp.tool import Tool, ToolContext
from contentgen_http.wire.base import NOT_BLANK, Answer, Body, Id
from contentgen_http.wire.plans import Line, Text

Place = Annotated[int, Meta(ge=0, le=1_000)]


class EditedSection(Body, kw_only=True):
    """A section as it is to become."""

    keeps: Annotated[
        Place | UnsetType,
        Meta(
            description="Place, from 0, of the section in the plan as it is, of which this one keeps the sources and "
            "what is not given here. Absent: a new section, for which sources are looked up."
        ),
    ] = UNSET
    heading: Annotated[Line | UnsetType, Meta(description="Its heading; a new section needs one.")] = UNSET
    goal: Annotated[Text | UnsetType, Meta(description="What the reader should take away from it.")] = UNSET
    key_points: Annotated[
        Annotated[
            list[Annotated[str, Meta(min_length=1, max_length=model.MAX_TEXT, pattern=NOT_BLANK)]],
            Meta(max_length=model.MAX_KEY_POINTS),
        ]
        | UnsetType,
        Meta(description="What it has to say, in order; for new ones sources are looked up."),
    ] = UNSET
    target_words: Annotated[
        Annotated[int, Meta(ge=model.MIN_SECTION_WORDS, le=model.MAX_SECTION_WORDS)] | UnsetType,
        Meta(description="Words aimed at."),
    ] = UNSET


class EditedQuestion(Body, kw_only=True):
    """A question as it is to become."""

    keeps: Annotated[Place | UnsetType, Meta(description="Place, from 0, of the question whose sources it keeps.")] = (
        UNSET
    )
    question: Annotated[Line | UnsetType, Meta(description="The question; a new one needs it.")] = UNSET


class EditPlan(Body, kw_only=True):
    """The changes to a plan; fields that are absent stay as they are."""

    article_id: Annotated[Id, Meta(description="The draft's id, as plan_article answered it.")]
    title: Annotated[Line | UnsetType, Meta(description="Working title.")] = UNSET
    angle: Annotated[Text | UnsetType, Meta(description="The point of view.")] = UNSET
    audience: Annotated[Text | UnsetType, Meta(description="Whom it is for.")] = UNSET
    sections: Annotated[
        Annotated[list[EditedSection], Meta(min_length=1, max_length=model.MAX_SECTIONS)] | UnsetType,
        Meta(description="All sections in their new order; those that are not named are gone."),
    ] = UNSET
    questions: Annotated[
        Annotated[list[EditedQuestion], Meta(max_length=model.MAX_FAQ)] | UnsetType,
        Meta(description="All questions in their new order."),
    ] = UNSET


class Missing(Answer, kw_only=True):
    """An added part that the knowledge base does not cover."""

    path: Annotated[str, Meta(description="Where it stands in the plan.", examples=["sections[2]"])]
    text: Annotated[str, Meta(description="What was looked for.")]
    reason: Annotated[str, Meta(description="Why it has no source.")]


class PlanEdited(PlannedArticle, kw_only=True):
    """The plan after the changes; it still awaits its review."""

    gaps: Annotated[list[Missing], Meta(description="What was added and has no source.")] = field(default_factory=list)


async def edit_plan(context: ToolContext, arguments: EditPlan) -> PlanEdited:
    caller, id = context.tenant, ArticleId(path_id("article", arguments.article_id))
    article = await context.services.writing.articles.one(caller, id)
    if not article.awaits_review or article.plan is None:
        raise NoPlanAwaitingReview()
    command = ForecastPlanCommand(
        caller, id, _with_edits(article.plan, arguments), seen=SeenPlan(article.plan.text_hash)
    )
    found = await context.services.writing.edit_plan(command)
    planned = planned_article(
        Planned(found.article, found.sources, found.forecast, without_effect=found.without_effect)
    )
    gaps = [Missing(path=gap.path, text=shorten(gap.text, 200), reason=shorten(gap.reason, 200)) for gap in found.gaps]
    return PlanEdited(**{name: getattr(planned, name) for name in planned.__struct_fields__}, gaps=gaps)


def _with_edits(plan: model.ArticlePlan, asked: EditPlan) -> model.ArticlePlan:
    """Raises InvalidInput."""
    faults: list[FieldError] = []
    sections, faq = plan.sections, plan.faq
    if asked.sections is not UNSET:
        sections = tuple(_section(plan, section, f"sections[{n}]", faults) for n, section in enumerate(asked.sections))
    if asked.questions is not UNSET:
        faq = tuple(_question(plan, one, f"questions[{n}]", faults) for n, one in enumerate(asked.questions))
    if faults:
        raise InvalidInput(*faults)
    return evolve(
        plan,
        title=plan.title if asked.title is UNSET else asked.title,
        angle=plan.angle if asked.angle is UNSET else asked.angle,
        audience=plan.audience if asked.audience is UNSET else asked.audience,
        sections=sections,
        faq=faq,
    )


def _section(plan: model.ArticlePlan, asked: EditedSection, path: str, faults: list[FieldError]) -> model.PlanSection:
    former = model.PlanSection("")
    if asked.keeps is not UNSET:
        if asked.keeps < len(plan.sections):
            former = plan.sections[asked.keeps]
        else:
            faults.append(FieldError(f"{path}.keeps", f"the plan has {len(plan.sections)} sections"))
    elif asked.heading is UNSET:
        faults.append(FieldError(f"{path}.heading", "a new section needs one"))
    return evolve(
        former,
        heading=former.heading if asked.heading is UNSET else asked.heading,
        goal=former.goal if asked.goal is UNSET else asked.goal,
        key_points=former.key_points if asked.key_points is UNSET else tuple(asked.key_points),
        target_words=former.target_words if asked.target_words is UNSET else asked.target_words,
    )


def _question(plan: model.ArticlePlan, asked: EditedQuestion, path: str, faults: list[FieldError]) -> model.FaqEntry:
    former = model.FaqEntry("")
    if asked.keeps is not UNSET:
        if asked.keeps < len(plan.faq):
            former = plan.faq[asked.keeps]
        else:
            faults.append(FieldError(f"{path}.keeps", f"the plan has {len(plan.faq)} questions"))
    elif asked.question is UNSET:
        faults.append(FieldError(f"{path}.question", "a new question needs its words"))
    return evolve(former, question=former.question if asked.question is UNSET else asked.question)


PLAN_TOOLS: Final = (
    Tool(
        name="edit_plan",
        title="Edit a plan",
        description="Change a plan that awaits its review: title, angle, audience, sections and questions. Sections "
        "keep their sources by their place; for what is added they are looked up, and gaps says what the knowledge "
        "base does not cover. Consumes nothing; continue with write_article.",
        arguments=EditPlan,
        answer=PlanEdited,
        run=edit_plan,
        with_key=True,
        reads=False,
    ),
)
