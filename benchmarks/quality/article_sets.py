"""Knowledge bases with subjects: a folder each with docs.jsonl and topics.jsonl, as the README of the data describes
them. An article about a subject is judged by which paragraphs it cites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from attrs import frozen

from benchmarks.quality.collections import SUBJECTS, Paragraph, rows
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText


class Heading(msgspec.Struct, frozen=True):
    """A heading of the real article, and the paragraphs right under it."""

    level: int
    text: str
    docs: tuple[str, ...]


class Topic(msgspec.Struct, frozen=True):
    """A subject to write about. `docs`: its paragraphs; `lead`: the real article's lead, empty if there is none."""

    id: str
    text: str
    lang: str
    docs: tuple[str, ...]
    headings: tuple[Heading, ...] = ()
    lead: str = ""
    text_local: str = ""

    @property
    def title(self) -> str:
        """The title in the language of the paragraphs."""
        return self.text_local or self.text

    @property
    def themes(self) -> dict[str, str]:
        """The first-level heading above each paragraph; empty without headings."""
        found: dict[str, str] = {}
        theme = ""
        for heading in self.headings:
            if heading.level == 1:
                theme = heading.text
            found |= dict.fromkeys(heading.docs, theme)
        return found


@frozen
class ArticleSet:
    """A knowledge base with the topics to write about."""

    name: str
    language: Language
    paragraphs: tuple[Paragraph, ...]
    topics: tuple[Topic, ...]

    def sources(self, without: str = "") -> Iterator[SourceText]:
        """Return all paragraphs as documents, except those of one subject."""
        for paragraph in self.paragraphs:
            if paragraph.group != without:
                yield SourceText(paragraph.id, paragraph.title, paragraph.text, language=self.language)


def load(data: Path) -> list[ArticleSet]:
    """Load the sets in the data's folder, by name. Raises FileNotFoundError if there are none."""
    sets = []
    for folder in sorted((data / SUBJECTS).iterdir()):
        if not (folder / "topics.jsonl").is_file():
            continue
        topics = rows(folder / "topics.jsonl", Topic)
        paragraphs = rows(folder / "docs.jsonl", Paragraph)
        sets.append(ArticleSet(folder.name, Language(topics[0].lang), paragraphs, topics))
    return sets
