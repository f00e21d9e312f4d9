"""The structs that models answer with, and their JSON schemas. Class and field names are part of the prompts."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

W = TypeVar("W", bound=msgspec.Struct)


class _Strict(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A struct without optional or additional fields, as strict structured output requires."""


class SectionPlan(_Strict):
    heading: str
    goal: str
    key_points: list[str]
    sources: list[str]
    target_words: int


class Question(_Strict):
    question: str
    sources: list[str]


class SeoPlan(_Strict):
    meta_title: str
    meta_description: str
    keywords: list[str]


class PlanAnswer(_Strict):
    title: str
    angle: str
    audience: str
    sections: list[SectionPlan]
    faq: list[Question]
    seo: SeoPlan


class Sentence(_Strict):
    text: str
    sources: list[str]
    quotation: bool


class Paragraph(_Strict):
    sentences: list[Sentence]
    bullets: bool


class SectionAnswer(_Strict):
    paragraphs: list[Paragraph]


class Topic(_Strict):
    topic: str
    reason: str
    score: float


class TopicsAnswer(_Strict):
    topics: list[Topic]


class JudgementAnswer(_Strict):
    valid: bool
    confidence: float
    reason: str


class TextAnswer(_Strict):
    text: str


class TranslatedText(_Strict):
    number: int
    text: str


class TranslationAnswer(_Strict):
    translations: list[TranslatedText]


class RevisionAnswer(_Strict):
    leave_out: bool
    text: str


class CuratedEntity(_Strict):
    members: list[int]
    type: Literal["person", "organisation", "place", "product", "law", "concept"]


class CurationAnswer(_Strict):
    entities: list[CuratedEntity]


def schema(answer: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of an answer, without references: not every server resolves them."""
    (root,), definitions = msgspec.json.schema_components([answer], ref_template="{name}")
    inlined = _inline(root, definitions)
    assert isinstance(inlined, dict)
    return inlined


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _inline(definitions[node["$ref"]], definitions)
        return {
            key: _inline(value, definitions) for key, value in node.items() if key != "title" or isinstance(value, dict)
        }
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    return node
