"""The plan of an article: a person reads and edits it before anything is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Final

from attrs import asdict, frozen

from contentgen_core.errors import FieldError, InvalidInput

MAX_SECTIONS: Final = 20
MAX_KEY_POINTS: Final = 12
MAX_FAQ: Final = 10
MAX_TITLE: Final = 200
MAX_TEXT: Final = 1_000
MIN_SECTION_WORDS: Final = 20
MAX_SECTION_WORDS: Final = 2_000
MAX_SOURCES: Final = 100


@frozen(cache_hash=True)
class SourceRef:
    """A passage of the knowledge base, by its document and its index there. Written `documentId#chunkIndex`."""

    document_id: str
    chunk_index: int

    def __str__(self) -> str:
        return f"{self.document_id}#{self.chunk_index}"

    @classmethod
    def parse(cls, text: str) -> SourceRef:
        """The reference that `str()` wrote. Raises ValueError."""
        document_id, hash_sign, index = text.rpartition("#")
        if not hash_sign or not document_id or not index.isascii() or not index.isdigit() or len(index) > 9:
            raise ValueError(f"{text!r} is not a source id (documentId#chunkIndex)")
        return cls(document_id, int(index))


@frozen
class PlanSection:
    """A section. `source_ids`: the passages to write it from; `target_words`: its intended length."""

    heading: str
    goal: str = ""
    key_points: tuple[str, ...] = ()
    source_ids: tuple[SourceRef, ...] = ()
    target_words: int = 150


@frozen
class FaqEntry:
    """A question that the article answers at its end, and the passages that support the answer."""

    question: str
    source_ids: tuple[SourceRef, ...] = ()


@frozen
class PlanSeo:
    """`meta_title`: at most 60 characters, `meta_description`: at most 155 (cut at words when rendered)."""

    meta_title: str = ""
    meta_description: str = ""
    keywords: tuple[str, ...] = ()


@frozen
class ArticlePlan:
    """The plan of an article. `angle`, `audience`: in words for the writer; `edited_in`: what changed it last, as that
    named itself ("" for a plan as it was made)."""

    title: str
    angle: str = ""
    audience: str = ""
    sections: tuple[PlanSection, ...] = ()
    faq: tuple[FaqEntry, ...] = ()
    seo: PlanSeo = PlanSeo()
    edited_in: str = ""

    @property
    def text_hash(self) -> str:
        """SHA-256, in hexadecimal digits, of all that a person reads of the plan, as JSON without spaces."""
        read = {name: value for name, value in asdict(self).items() if name != "edited_in"}
        canonical = json.dumps(read, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def target_words(self) -> int:
        return sum(section.target_words for section in self.sections)

    @property
    def cited(self) -> frozenset[SourceRef]:
        """Every passage that some part of the plan names as a source."""
        parts = [*(s.source_ids for s in self.sections), *(f.source_ids for f in self.faq)]
        return frozenset(ref for part in parts for ref in part)


def validate_edited_plan(plan: ArticlePlan, known_sources: Collection[SourceRef], max_words: int) -> None:
    """Validate a plan that a person edited. `known_sources`: the passages it may cite; `max_words`: the longest article
    that the tenant's plan allows.

    Raises InvalidInput naming every fault by its path under `plan`."""
    faults: list[FieldError] = []

    def fault(path: str, message: str) -> None:
        faults.append(FieldError(f"plan.{path}", message))

    def text(path: str, value: str, most: int, *, required: bool = False) -> None:
        if required and not value.strip():
            fault(path, "must not be empty")
        if len(value) > most:
            fault(path, f"at most {most} characters")

    def sources(path: str, refs: tuple[SourceRef, ...]) -> None:
        if len(refs) > MAX_SOURCES:
            fault(path, f"at most {MAX_SOURCES} sources")
        for ref in refs[:MAX_SOURCES]:
            if ref not in known:
                fault(path, f"{ref} is not one of this plan's sources")

    known = frozenset(known_sources)
    text("title", plan.title, MAX_TITLE, required=True)
    text("angle", plan.angle, MAX_TEXT)
    text("audience", plan.audience, MAX_TEXT)
    if not 1 <= len(plan.sections) <= MAX_SECTIONS:
        fault("sections", f"between 1 and {MAX_SECTIONS} sections")
    for i, section in enumerate(plan.sections[:MAX_SECTIONS]):
        at = f"sections[{i}]"
        text(f"{at}.heading", section.heading, MAX_TITLE, required=True)
        text(f"{at}.goal", section.goal, MAX_TEXT)
        if len(section.key_points) > MAX_KEY_POINTS:
            fault(f"{at}.keyPoints", f"at most {MAX_KEY_POINTS} key points")
        for j, point in enumerate(section.key_points[:MAX_KEY_POINTS]):
            text(f"{at}.keyPoints[{j}]", point, MAX_TEXT, required=True)
        if not MIN_SECTION_WORDS <= section.target_words <= MAX_SECTION_WORDS:
            fault(f"{at}.targetWords", f"between {MIN_SECTION_WORDS} and {MAX_SECTION_WORDS}")
        sources(f"{at}.sourceIds", section.source_ids)
    if plan.target_words > max_words:
        fault("sections", f"together at most {max_words} words with your plan, not {plan.target_words}")
    if len(plan.faq) > MAX_FAQ:
        fault("faq", f"at most {MAX_FAQ} questions")
    for i, entry in enumerate(plan.faq[:MAX_FAQ]):
        text(f"faq[{i}].question", entry.question, MAX_TITLE, required=True)
        sources(f"faq[{i}].sourceIds", entry.source_ids)
    text("seo.metaTitle", plan.seo.meta_title, MAX_TITLE)
    text("seo.metaDescription", plan.seo.meta_description, MAX_TEXT)
    if len(plan.seo.keywords) > MAX_SECTIONS:
        fault("seo.keywords", f"at most {MAX_SECTIONS} keywords")
    if faults:
        raise InvalidInput(*faults)
