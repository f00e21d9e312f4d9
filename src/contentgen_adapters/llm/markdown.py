"""Cutting Markdown into pieces a model can translate, and checking that nothing of its structure was lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from contentgen_adapters.llm.conversation import Unusable
from contentgen_adapters.llm.wire import TextAnswer

PIECE: Final = 6_000
"""Characters of one piece; a single block may be longer."""
_CITATION: Final = re.compile(r"\[\d{1,4}\]")
_ADDRESS: Final = re.compile(r"\]\(([^)\s]+)")
_HEADING: Final = re.compile(r"^#{1,6} ", re.MULTILINE)
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)


def pieces(markdown: str, most: int = PIECE) -> list[str]:
    """The Markdown cut between blocks into pieces of about `most` characters; a fenced block is never cut."""
    made: list[str] = []
    current = ""
    for block in _blocks(markdown):
        if current and len(current) + len(block) > most:
            made.append(current)
            current = block
        else:
            current = f"{current}\n\n{block}" if current else block
    return [*made, current] if current else made


def _blocks(markdown: str) -> list[str]:
    blocks: list[str] = []
    fenced = False
    for part in re.split(r"\n\s*\n", markdown.strip()):
        if fenced:
            blocks[-1] += "\n\n" + part
        elif part.strip():
            blocks.append(part)
        fenced ^= len(_FENCE.findall(part)) % 2 == 1
    return blocks


def same_structure(original: str) -> Callable[[TextAnswer, bool], str]:
    """A reader of translations of `original`; one with other citations, addresses, headings or code is refused."""
    wanted = _structure(original)

    def read(answer: TextAnswer, last: bool) -> str:
        text = answer.text.strip()
        if not text:
            raise Unusable("the translation is empty")
        for name, found in _structure(text).items():
            if found != wanted[name]:
                raise Unusable(f"the {name} are not those of the original")
        return text

    return read


def _structure(text: str) -> dict[str, Counter[str]]:
    return {
        "citation marks": Counter(_CITATION.findall(text)),
        "link addresses": Counter(_ADDRESS.findall(text)),
        "headings": Counter(_HEADING.findall(text)),
        "code fences": Counter(found.strip() for found in _FENCE.findall(text)),
    }
