"""A refused body has all of its faults named."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_http.api.body_faults import MAX_FAULTS, faults_of
from contentgen_http.api.schema_faults import fault_of
from contentgen_http.wire.base import Body
from contentgen_http.wire.generation import FromPlanRequest, PlanRequest

FAULTS: dict[str, object] = {
    "agentKey": 7,
    "topic": ["no text"],
    "articleLength": "endless",
    "tone": "loud",
    "allowLowCoverage": "yes",
    "documentIds": [str(n) for n in range(99)],
    "colour": "blue",
}
GOOD: dict[str, object] = {"agentKey": "home-energy-GB", "topic": "Heat pumps", "articleLength": "short"}


def named(kind: type[Body], sent: object) -> dict[str, str]:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(msgspec.json.encode(sent), type=kind)
    faults = faults_of(caught.value, sent, kind)
    assert faults[0] == fault_of(str(caught.value), kind)
    assert len(faults) <= MAX_FAULTS
    return {fault.field: fault.message for fault in faults}


@given(st.sets(st.sampled_from(sorted(FAULTS)), min_size=1))
def test_every_wrong_field_is_named_and_no_right_one(wrong: set[str]) -> None:
    assert set(named(PlanRequest, GOOD | {name: FAULTS[name] for name in wrong})) == wrong


@given(st.sets(st.integers(0, 11), min_size=1))
def test_every_wrong_item_is_named_with_its_place(wrong: set[int]) -> None:
    sections = [{"heading": " "} if i in wrong else {"heading": "Costs"} for i in range(12)]
    sent = {"articleId": "a", "plan": {"title": "t", "sections": sections}}
    assert set(named(FromPlanRequest, sent)) == {f"plan.sections[{i}].heading" for i in wrong}


def test_what_is_missing_is_named_beside_what_is_wrong() -> None:
    assert named(FromPlanRequest, {"plan": {"title": 1, "sections": [{"goal": 2}, "x"]}}) == {
        "plan.title": "must be string, got integer",
        "plan.sections[0].heading": "is required",
        "plan.sections[0].goal": "must be string, got integer",
        "plan.sections[1]": "must be object, got string",
        "articleId": "is required",
    }


@pytest.mark.parametrize(
    "sent",
    [
        GOOD | {f"field{n}": n for n in range(5_000)},
        GOOD | {"keywords": [0] * 5_000},
        GOOD | {"keywords": ["word"] * 5_000 + [0]},
        {},
        [],
        None,
    ],
)
def test_the_list_of_faults_is_bounded_and_never_empty(sent: object) -> None:
    assert named(PlanRequest, sent)
