"""The evaluation of a niche on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import governance as model
from contentgen_core.model.governance import Criterion, Grade
from contentgen_core.policies.topics.governance import WEIGHTS
from contentgen_http.wire.base import AnswerOf

Score = Annotated[float, Meta(ge=0, le=100)]


class GovernanceCriterion(AnswerOf[model.Finding], kw_only=True):
    """One criterion, judged."""

    criterion: Annotated[Criterion, Meta(description="What is judged.")]
    score: Annotated[Score, Meta(description="0 to 100.", examples=[72.5])]
    grade: Annotated[Grade, Meta(description="A from 85, B from 70, C from 55, D from 40, else E.")]
    weight: Annotated[float, Meta(description="What it counts for, out of 100.", examples=[25])]
    measured: Annotated[bool, Meta(description="false: there is nothing to judge yet, and it does not count.")]
    evidence: Annotated[str, Meta(description="What the score rests on, in words.")]
    figures: Annotated[dict[str, float], Meta(description="What the score rests on, by name.")]
    next_action: Annotated[str, Meta(description="What would raise the score.")]

    @classmethod
    def of(cls, finding: model.Finding) -> GovernanceCriterion:
        return cls.copy_from(finding, weight=WEIGHTS[finding.criterion])


class Governance(AnswerOf[model.Evaluation], kw_only=True):
    """How well a niche, or an agent of it, is looked after."""

    niche_key: Annotated[str, Meta(description="The niche.", examples=["home-energy"])]
    agent_key: Annotated[str | UnsetType, Meta(description="The agent, where one was named.")] = UNSET
    evaluated_at: Annotated[datetime, Meta(description="Now: an evaluation is not stored.")]
    score: Annotated[Score, Meta(description="The mean of the measured criteria by their weights.", examples=[68.0])]
    grade: Annotated[Grade, Meta(description="A from 85, B from 70, C from 55, D from 40, else E.")]
    criteria: Annotated[list[GovernanceCriterion], Meta(description="Each criterion, always in the same order.")]
    next_action: Annotated[str, Meta(description="What to do first: where the most points are to be gained.")]

    @classmethod
    def of(cls, evaluation: model.Evaluation) -> Governance:
        agent_key = evaluation.area.agent_key
        return cls.copy_from(
            evaluation,
            niche_key=evaluation.area.niche_key,
            agent_key=None if agent_key is None else str(agent_key),
            criteria=evaluation.findings,
        )
