"""The form of a plan: from the plan to fields, and back."""

from __future__ import annotations

import secrets
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection
from contentgen_core.use_cases.articles.edited_plan import SeenPlan
from contentgen_http.console.visit import Form, source_refs, whole_number

NEW_WORDS: Final = 120
"""Words of a section that is added."""
MAX_TOKEN: Final = 64


@frozen
class Editing:
    """A page on which a person edits a plan. `token`: its own name, by which it knows what it has stored itself, since
    the answer to that may never have arrived; `seen`: the hash of the plan that it was made from."""

    token: str
    seen: str

    @classmethod
    def begun(cls, plan: ArticlePlan) -> Editing:
        return cls(secrets.token_urlsafe(12), plan.text_hash)

    @classmethod
    def of(cls, form: Form, kept: ArticlePlan | None = None) -> Editing:
        """`kept`: the plan that the form's was stored as; None where it was not."""
        return cls(form.text("editing")[:MAX_TOKEN], kept.text_hash if kept else form.text("seen"))


def seen_plan(form: Form) -> SeenPlan | None:
    """The plan that a form was made from, or in whose place (`instead`) a person puts the one of the form."""
    seen = form.text("instead") or form.text("seen")
    return SeenPlan(seen, form.text("editing")[:MAX_TOKEN]) if seen else None


def plan_of(form: Form, former: ArticlePlan) -> ArticlePlan:
    """The plan as the form has it. Sections are named by their place in the form (`section`), in the order in which
    they are to stand. What the form does not show stays as it was."""
    places = [place for place in form.texts("section") if place.isascii() and place.isdigit()]
    sections = [_section(form, place) for place in _ordered(form, places) if not form.text(f"remove-{place}")]
    questions = [
        FaqEntry(text, source_refs(form, f"question-source-{place}"))
        for place in form.texts("question")
        if (text := form.text(f"question-text-{place}"))
    ]
    if added := form.text("new-heading"):
        points = tuple(line.strip() for line in form.text("new-points").splitlines() if line.strip())
        sections.append(PlanSection(added, "", points, (), NEW_WORDS))
    if question := form.text("new-question"):
        questions.append(FaqEntry(question))
    return evolve(
        former,
        title=form.text("title", former.title),
        angle=form.text("angle", former.angle),
        audience=form.text("audience", former.audience),
        sections=tuple(sections),
        faq=tuple(questions),
    )


def without_sources(plan: ArticlePlan) -> ArticlePlan:
    """What a person typed of it: sources are also given to it when it is approved."""
    sections = tuple(evolve(section, source_ids=()) for section in plan.sections)
    return evolve(plan, sections=sections, faq=tuple(evolve(entry, source_ids=()) for entry in plan.faq))


def _ordered(form: Form, places: list[str]) -> list[str]:
    """By their field `order`, equal ones as they stand; one that was moved by a button changes with its neighbour."""
    ranked = sorted(places, key=lambda place: whole_number(form.text(f"order-{place}"), 999))
    for offset, field in ((-1, "up"), (1, "down")):
        moved = form.text(field)
        if moved in ranked:
            at = ranked.index(moved)
            other = at + offset
            if 0 <= other < len(ranked):
                ranked[at], ranked[other] = ranked[other], ranked[at]
    return ranked


def _section(form: Form, place: str) -> PlanSection:
    points = tuple(line.strip() for line in form.text(f"points-{place}").splitlines() if line.strip())
    return PlanSection(
        heading=form.text(f"heading-{place}"),
        goal=form.text(f"goal-{place}"),
        key_points=points,
        source_ids=source_refs(form, f"source-{place}"),
        target_words=whole_number(form.text(f"words-{place}"), NEW_WORDS),
    )
