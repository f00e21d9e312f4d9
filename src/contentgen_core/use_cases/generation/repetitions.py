"""Repetitions between the sections of an article."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.repetition import without_repetitions
from contentgen_core.policies.grounding.verifier import Receipts
from contentgen_core.use_cases.grounding.meaning import Meaning


async def drop_repetitions(
    sections: Sequence[SectionDraft],
    passages: Mapping[SourceRef, Passage],
    receipts: Receipts,
    language: Language,
    analysis: TextAnalysis,
    meaning: Meaning | None,
) -> list[SectionDraft]:
    """Return the sections, each without what one before it says. The meaning of sentences that are a model's own words
    counts where it is known."""
    checked = {s: receipts.get(s.citing_only(passages)) for draft in sections for s in draft.sentences}
    found = {sentence: receipt for sentence, receipt in checked.items() if receipt is not None}
    own = [sentence.text for sentence, receipt in found.items() if receipt.nearness is not None]
    vectors = {} if meaning is None else await meaning.of_sentences(own, language)
    kept = await asyncio.to_thread(without_repetitions, dict(enumerate(sections)), found, vectors, language, analysis)
    return [kept[position] for position in sorted(kept)]
