"""Delimits untrusted data in prompts by marks that the data cannot contain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage

MAX_SOURCE: Final = 6_000
"""Characters of one passage that a model is shown."""
_OPENING: Final = re.compile(r"<{2,}")
_CLOSING: Final = re.compile(r">{2,}")


def fence(label: str, text: str) -> str:
    """Text between lines that begin with `<<<` and the label. Such runs within the text are replaced by similar
    characters, so that it cannot close its fence or open another."""
    safe = _CLOSING.sub(lambda m: "›" * len(m.group()), _OPENING.sub(lambda m: "‹" * len(m.group()), text))
    return f"<<<BEGIN {label}>>>\n{safe.strip()}\n<<<END {label}>>>"


class Labels:
    """Short labels (`S1`, …) for the sources of one request, and their references."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple({p.ref: p for p in passages}.values())
        self._refs = {f"S{i}": p.ref for i, p in enumerate(self.passages, start=1)}
        self._labels = {ref: label for label, ref in self._refs.items()}

    def __bool__(self) -> bool:
        return bool(self.passages)

    def ref(self, label: str) -> SourceRef | None:
        return self._refs.get(label.strip().strip("[]").upper())

    def label(self, ref: SourceRef) -> str | None:
        return self._labels.get(ref)

    def unknown(self, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if self.ref(label) is None]

    def refs(self, labels: Sequence[str]) -> tuple[SourceRef, ...]:
        """The references of known labels, without duplicates, in order."""
        return tuple(dict.fromkeys(ref for label in labels if (ref := self.ref(label)) is not None))

    def listing(self) -> str:
        """The labelled sources, fenced, for a prompt."""
        if not self.passages:
            return "There are no sources."
        shown = [
            fence(f"SOURCE {self.label(p.ref)}", f"{p.document.title}\n{p.heading}\n\n{p.text[:MAX_SOURCE]}")
            for p in self.passages
        ]
        return "Sources:\n\n" + "\n\n".join(shown)
