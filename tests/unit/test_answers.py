"""Answers that are made from values: what is copied and converted, and that each type of answer can be made."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from attrs import field, frozen
from msgspec import UNSET, Meta, UnsetType

import contentgen_http.mcp
import contentgen_http.wire
from contentgen_http.wire.base import Answer, AnswerOf
from tests.support.samples import Samples

NOON = datetime(2026, 11, 29, 12, tzinfo=timezone(timedelta(hours=2)))


class Colour(StrEnum):
    RED = "red"


@frozen
class Wheel:
    size: int


@frozen
class Car:
    name: str
    built_at: datetime
    colour: Colour
    wheels: tuple[Wheel, ...] = ()
    spare: Wheel | None = None
    sold_at: datetime | None = None
    owner: str | None = None
    figures: dict[str, int] = field(factory=dict)
    secret: str = "hidden"

    @property
    def doors(self) -> int:
        return 5


class WheelAnswer(AnswerOf[Wheel], kw_only=True):
    size: int


class CarAnswer(AnswerOf[Car], kw_only=True):
    success: bool = True
    name: Annotated[str, Meta(description="Its name.")]
    built_at: datetime
    colour: Colour
    doors: int
    wheels: Annotated[list[WheelAnswer], Meta(description="Its wheels.")]
    spare: WheelAnswer | UnsetType = UNSET
    sold_at: Annotated[datetime | UnsetType, Meta(description="When.")] = UNSET
    owner: str | UnsetType = UNSET
    figures: dict[str, int]


class Doubled(AnswerOf[Wheel], kw_only=True):
    size: int

    @classmethod
    def of(cls, wheel: Wheel) -> Doubled:
        return cls.copy_from(wheel, size=2 * wheel.size)


class Spare(AnswerOf[Car], kw_only=True):
    spare: Doubled | UnsetType = UNSET


class Part(Answer, kw_only=True):
    size: int


class Parts(Answer, kw_only=True):
    wheels: list[Part]


CAR = Car("Ada", NOON, Colour.RED)


def test_fields_are_copied_from_the_attributes_of_their_names() -> None:
    car = Car("Ada", NOON, Colour.RED, (Wheel(3), Wheel(4)), Wheel(5), NOON, "Bo", {"km": 7})
    assert msgspec.to_builtins(CarAnswer.of(car)) == {
        "success": True,
        "name": "Ada",
        "builtAt": "2026-11-29T10:00:00Z",
        "colour": "red",
        "doors": 5,
        "wheels": [{"size": 3}, {"size": 4}],
        "spare": {"size": 5},
        "soldAt": "2026-11-29T10:00:00Z",
        "owner": "Bo",
        "figures": {"km": 7},
    }


def test_none_is_absent() -> None:
    answer = CarAnswer.of(CAR)
    assert (answer.spare, answer.sold_at, answer.owner) == (UNSET, UNSET, UNSET)
    assert answer.wheels == []


def test_a_dictionary_is_a_copy() -> None:
    assert CarAnswer.of(CAR).figures is not CAR.figures


def test_given_values_take_the_place_of_attributes_and_are_converted_alike() -> None:
    answer = CarAnswer.copy_from(CAR, name="Cy", sold_at=NOON, spare=Wheel(6), wheels=[Wheel(7)], success=False)
    assert (answer.name, answer.success) == ("Cy", False)
    assert answer.sold_at == NOON
    assert isinstance(answer.sold_at, datetime)
    assert answer.sold_at.tzinfo is UTC
    assert (answer.spare, answer.wheels) == (WheelAnswer(size=6), [WheelAnswer(size=7)])


def test_unset_and_answers_stay_as_they_are() -> None:
    wheel = WheelAnswer(size=1)
    answer = CarAnswer.copy_from(CAR, sold_at=UNSET, spare=wheel, wheels=[wheel])
    assert answer.sold_at is UNSET
    assert answer.spare is wheel
    assert answer.wheels[0] is wheel


def test_an_answer_with_more_fields_is_copied_from_one_with_fewer() -> None:
    class PricedCar(CarAnswer, kw_only=True):
        price: int

    answer = PricedCar.copy_from(CarAnswer.of(Car("Ada", NOON, Colour.RED, spare=Wheel(2))), price=9)
    assert (answer.name, answer.spare, answer.owner, answer.price) == ("Ada", WheelAnswer(size=2), UNSET, 9)


def test_an_answer_overrides_what_differs_wherever_it_is_nested() -> None:
    assert Spare.of(Car("Ada", NOON, Colour.RED, spare=Wheel(2))).spare == Doubled(size=4)


@pytest.mark.parametrize("value", ["value", "answer", "item", "x", "cls"])
def test_any_field_name_can_be_given(value: str) -> None:
    answer_type: Any = msgspec.defstruct("Named", [(value, datetime)], bases=(Answer,), kw_only=True)
    assert getattr(answer_type.copy_from(CAR, **{value: NOON}), value) == NOON


def test_a_field_that_the_value_lacks_is_named() -> None:
    class Missing(AnswerOf[Car], kw_only=True):
        price: int

    class MaybeMissing(AnswerOf[Car], kw_only=True):
        price: int | UnsetType = UNSET

    for answer in (Missing, MaybeMissing):
        with pytest.raises(TypeError, match=r"issing\.price: Car has no such attribute; give it"):
            answer.of(CAR)


def test_a_given_field_that_the_answer_lacks_is_named() -> None:
    with pytest.raises(TypeError, match="WheelAnswer has no field colour, weight"):
        WheelAnswer.copy_from(Wheel(1), weight=2, colour=3)


def test_a_nested_answer_that_is_not_of_one_value_has_to_be_given() -> None:
    with pytest.raises(TypeError, match=r"Parts\.wheels: Part is no AnswerOf one value; give it"):
        Parts.copy_from(CAR)
    assert Parts.copy_from(CAR, wheels=[Part(size=1)]).wheels == [Part(size=1)]


def test_a_field_with_two_conversions_has_to_be_given_by_hand() -> None:
    class Either(AnswerOf[Car], kw_only=True):
        spare: WheelAnswer | datetime | UnsetType = UNSET

    with pytest.raises(TypeError, match=r"Either\.spare: there is more than one conversion"):
        Either.of(CAR)


def _answers() -> Iterator[type[Answer]]:
    """Yield the answers of HTTP and MCP that have an `of`."""
    for package in (contentgen_http.wire, contentgen_http.mcp):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for _, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
                declared = vars(member).keys() & {"of", "__orig_bases__"}
                if (
                    member.__module__ == module.name
                    and issubclass(member, Answer)
                    and declared
                    and member is not AnswerOf
                ):
                    yield member


def _value_type(answer: type[Answer]) -> Any:
    """Return the V of AnswerOf[V]."""
    [type_] = [get_args(base)[0] for base in getattr(answer, "__orig_bases__", ()) if get_origin(base) is AnswerOf]
    return type_


def _parameters(answer: type[Answer]) -> dict[str, Any]:
    """Return the types of what `of` takes."""
    if "of" not in vars(answer):
        return {"value": _value_type(answer)}
    hints = get_type_hints(vars(answer)["of"].__func__)
    return {name: type_ for name, type_ in hints.items() if name != "return"}


ANSWERS = [*_answers()]

LOOKED_UP = {"ArticleList", "EntityGraph", "TrendList", "WidgetTrends"}
"""Their values refer to each other, or name members of enumerations by strings, which samples do not."""

ALWAYS_FULL = {"KbEntity", "PlanForecasted", "StartedArticleTranslation", "TopicCoverageStarted", "TranslationUpdate"}
"""Their values never lack what they are shown for."""


def _name(answer: type[Answer]) -> str:
    return f"{answer.__module__}.{answer.__name__}"


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("answer", [each for each in ANSWERS if each.__name__ not in LOOKED_UP], ids=_name)
def test_every_answer_can_be_made_and_is_what_the_document_says(answer: Any, full: bool) -> None:
    samples = Samples(full=full or answer.__name__ in ALWAYS_FULL)
    values = {name: samples.make(type_, name) for name, type_ in _parameters(answer).items()}
    made = answer.of(*values.values()) if len(values) == 1 else answer.of(**values)
    for each in made if isinstance(made, list) else [made]:
        assert msgspec.json.decode(msgspec.json.encode(each), type=answer) == each


@pytest.mark.parametrize("answer", [each for each in ANSWERS if "__orig_bases__" in vars(each)], ids=_name)
def test_an_answer_is_made_from_the_type_that_it_declares(answer: type[Answer]) -> None:
    assert [*_parameters(answer).values()] == [_value_type(answer)]
