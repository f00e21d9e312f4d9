"""Faults in the caller's terms."""

from __future__ import annotations

import msgspec
import pytest

from contentgen_core.model.vocabulary import DIRECT_TONES, PLAN_TONES
from contentgen_http.api.schema_faults import fault_of
from contentgen_http.wire.article_edits import ArticleChanges
from contentgen_http.wire.base import Body, DirectTone, PlanTone
from contentgen_http.wire.generation import FromPlanRequest, PlanRequest
from contentgen_http.wire.niches import ActivationRequest

PLAN = b'{"articleId": "a", "plan": {"title": "t", "sections": [%s]}}'


@pytest.mark.parametrize(
    ("kind", "raw", "field", "message"),
    [
        (PlanRequest, b"{}", "agentKey", "is required"),
        (PlanRequest, b"[]", "body", "must be object, got array"),
        (PlanRequest, b'{"agentKey": "a-GB", "x\\ny`z": 1}', "x\ny`z", "is not a field of this operation"),
        (PlanRequest, b'{"agentKey": "a-GB", "articleLength": "x"}', "articleLength",
         "must be one of short, standard, long, very_long"),
        (PlanRequest, b'{"agentKey": "a-GB", "keywords": [1]}', "keywords[0]", "must be string, got integer"),
        (PlanRequest, b'{"agentKey": "a-GB", "documentIds": ["a","b","c","d","e","f","g","h","i","j","k"]}',
         "documentIds", "at most 10 items"),
        (PlanRequest, b'{"agentKey": "a-gb"}', "agentKey", "must match ^[a-z0-9-]+-[A-Z]{2}$"),
        (FromPlanRequest, PLAN % b"", "plan.sections", "at least 1 items"),
        (FromPlanRequest, PLAN % b"{}", "plan.sections[0].heading", "is required"),
        (FromPlanRequest, PLAN % b'{"heading": " "}', "plan.sections[0].heading", "must not be empty"),
        (FromPlanRequest, PLAN % b'{"heading": "h", "targetWords": 9}', "plan.sections[0].targetWords", "at least 20"),
        (FromPlanRequest, PLAN % b'{"heading": "h", "goal": null}', "plan.sections[0].goal",
         "must be string, got null"),
        (ArticleChanges, b'{"scheduledFor": "tomorrow"}', "scheduledFor", "Invalid RFC3339 encoded datetime"),
        (ArticleChanges, b'{"scheduledFor": "2026-01-01T00:00:00"}', "scheduledFor",
         "must be date and time with a timezone component"),
        (ArticleChanges, b'{"publicCategory": "x"}', "publicCategory",
         "must be one of trend-radar, hallucinations, rag-failures, prompt-injection, data-leaks, bias, regulation, "
         "safety, other"),
        (ArticleChanges, b'{"status": "generated"}', "status", "must be one of draft, published, scheduled"),
        (ActivationRequest, b'{"tones": ["loud"], "languages": ["en"], "countries": ["GB"]}', "tones[0]",
         "must be one of casual, creative, educational, expert, friendly, informative, persuasive, professional, "
         "technical"),
    ],
)  # fmt: skip
def test_a_fault_names_its_field_and_what_would_be_right(
    kind: type[Body], raw: bytes, field: str, message: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(raw, type=kind)
    fault = fault_of(str(caught.value), kind)
    assert (fault.field, fault.message) == (field, message)


def test_a_fault_does_not_repeat_long_names_of_the_caller() -> None:
    fault = fault_of(f"Object contains unknown field `{'x' * 5_000}`", PlanRequest)
    assert len(fault.field) == 100


def test_the_tones_of_the_wire_are_those_of_the_core() -> None:
    direct, plan = (msgspec.inspect.type_info(kind) for kind in (DirectTone, PlanTone))
    assert isinstance(direct, msgspec.inspect.LiteralType)
    assert isinstance(plan, msgspec.inspect.LiteralType)
    assert set(direct.values) == DIRECT_TONES
    assert set(plan.values) == PLAN_TONES
