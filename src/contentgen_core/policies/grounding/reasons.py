"""Explain, to the model that rewrites it, why a drafted sentence is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage

# A span that supports less says little of what the sentence says.
LITTLE: Final = 0.2
NO_SOURCE: Final = "it names no source that was given"


def reason(found: SentenceReceipt, sources: Sequence[Passage]) -> str:
    """Explain why a sentence is not supported. `sources`: the passages that it cites."""
    if not sources:
        return NO_SOURCE
    titles = ", ".join(dict.fromkeys(f"“{passage.document.title}”" for passage in sources))
    if found.verdict is Verdict.OUT_OF_CONTEXT:
        return (
            f"{titles} says it of its own subject, and a reader would take it to be said of another: name whose it is"
        )
    if found.missing_facts:
        return f"{titles} does not have: {', '.join(found.missing_facts)}"
    if found.support is None or found.support.score < LITTLE:
        return f"{titles} says nothing of it"
    return f"{titles} says something else, or less than it"
