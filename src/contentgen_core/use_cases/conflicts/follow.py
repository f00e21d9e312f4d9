"""Apply decisions on conflicts to writing: losing sentences are removed from the passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.repositories.conflicts import Conflicts
from contentgen_core.ports.unit_of_work import UnitOfWork


async def losing_sentences(
    unit_of_work: UnitOfWork, views: Iterable[KbView], passages: Iterable[Passage]
) -> Mapping[DocumentId, Sequence[str]]:
    """The sentences of these passages' documents that lost a conflict in one of the views, by their document."""
    documents = list(dict.fromkeys(passage.document.id for passage in passages))
    found: dict[DocumentId, list[str]] = defaultdict(list)
    if not documents:
        return found
    async with unit_of_work() as tx:
        for view in views:
            if view.tenant_id is None:
                continue
            for conflict in await tx[Conflicts].lost(view.tenant_id, view.niche_key, documents):
                if conflict.losing is not None:
                    found[DocumentId(conflict.losing.source.document_id)].append(conflict.losing.sentence)
    return found


def blank_sentences(passage: Passage, sentences: Sequence[str], analysis: TextAnalysis) -> Passage | None:
    """Return the passage with these sentences replaced by empty lines, so that all else keeps its place; None where
    nothing else is in it."""
    text = passage.text
    for sentence in sentences:
        text = text.replace(sentence, "\n" * len(sentence))
    if text == passage.text:
        return passage
    if not text.strip():
        return None
    return evolve(passage, text=text, terms=analysis.terms(text, passage.document.language))
