"""Output of a content model: sentences that name their sources by id, before they are rendered."""

from __future__ import annotations

from collections.abc import Container

from attrs import evolve, frozen

from contentgen_core.model.article import Usage
from contentgen_core.model.article_plan import SourceRef


@frozen(cache_hash=True)
class DraftSentence:
    """A sentence and the passages that it cites. `quotation`: whether it is verbatim and has to be marked as a
    quotation. `continues`: whether it is understood only right after the sentence before it."""

    text: str
    sources: tuple[SourceRef, ...] = ()
    quotation: bool = False
    continues: bool = False

    def citing_only(self, known: Container[SourceRef]) -> DraftSentence:
        """The sentence with those of its sources that are `known`, each once."""
        sources = tuple(dict.fromkeys([ref for ref in self.sources if ref in known]))
        return self if sources == self.sources else evolve(self, sources=sources)


@frozen
class DraftParagraph:
    """A paragraph. `bullets`: whether each sentence is rendered as an item of a list."""

    sentences: tuple[DraftSentence, ...]
    bullets: bool = False


@frozen
class SectionDraft:
    """A section as the content model wrote it, with the tokens it consumed."""

    heading: str
    paragraphs: tuple[DraftParagraph, ...]
    usage: Usage

    @property
    def sentences(self) -> tuple[DraftSentence, ...]:
        return tuple(s for p in self.paragraphs for s in p.sentences)
