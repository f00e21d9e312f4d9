"""The support of each sentence: a tooltip on every citation, and the whole receipt as a closed list."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from contentgen_adapters.shared.document.labels import LABELS
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.grounding import Grounding, GroundingLevel, SentenceReceipt, Verdict
from contentgen_core.model.vocabulary import Language


def percent(share: float) -> str:
    """A share in 0..1 as whole percent, rounded down: only 1 is 100 %."""
    return f"{int(share * 100 + 1e-9)} %"


def citation_notes(grounding: Grounding | None, sources: Sequence[ArticleSource]) -> list[str]:
    """A note for each citation of the text, in order: the source's title and the score of its support."""
    titles = {source.number: source.title for source in sources}
    return [
        " · ".join(filter(None, (titles.get(number, ""), _degree(sentence))))
        for sentence in (grounding.sentences if grounding else ())
        for number in sentence.citations
    ]


def cites(grounding: Grounding) -> bool:
    """Whether a sentence cites a source. A sentence of the level `none` may, on a topic that is not covered."""
    return grounding.level is not GroundingLevel.NONE or any(s.citations for s in grounding.sentences)


def receipt_list(grounding: Grounding | None, language: Language) -> str:
    """The sentences with their verdicts in a `details` element; empty for an article without sources."""
    if grounding is None or not cites(grounding):  # nothing to show
        return ""
    labels = LABELS[language]
    supported = sum(s.verdict is Verdict.SUPPORTED for s in grounding.sentences)
    summary = f"{escape(labels.supported)}: {supported} / {len(grounding.sentences)}"
    items = "\n".join(_item(sentence) for sentence in grounding.sentences)
    return f'<details class="receipt">\n<summary>{summary}</summary>\n<ol>\n{items}\n</ol>\n</details>\n'


def _item(sentence: SentenceReceipt) -> str:
    links = "".join(f'<a href="#source-{n}">[{n}]</a>' for n in sentence.citations)
    missing = "".join(f" <del>{escape(fact)}</del>" for fact in sentence.missing_facts)
    return f"<li>{escape(sentence.text)} {links} <strong>{escape(_degree(sentence))}</strong>{missing}</li>"


def _degree(sentence: SentenceReceipt) -> str:
    if sentence.verdict is not Verdict.SUPPORTED:
        return "✗"
    return f"✓ {percent(sentence.support.score)}" if sentence.support else "✓"
