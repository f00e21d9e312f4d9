"""Assembling an article from checked drafts: Markdown, numbered sources, the grounding receipt.

Numbers, URLs and quotation marks are made here and never by a model; sentences are untrusted text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import ArticleSource, Brief, Seo
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import Grounding, SentenceReceipt, Verdict
from contentgen_core.model.knowledge import PRIVATE, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.grounding_receipt import ShownText
from contentgen_core.policies.articles.relations import relation_chart
from contentgen_core.policies.articles.shown_sentence import shown_sentence
from contentgen_core.policies.grounding.verifier import Receipts
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.truncation import truncate_at_word
from contentgen_core.policies.text.typography import TYPOGRAPHY

MAX_EXCERPT: Final = 300
MAX_QUOTE: Final = 300
"""Characters of what a source is quoted with."""
MAX_QUOTES: Final = 3
MAX_META_TITLE: Final = 60
MAX_META_DESCRIPTION: Final = 155

_EMPTY: Final = DraftParagraph(())


@frozen
class ComposedArticle:
    """An article's content (Markdown without the title) and what is derived from it."""

    content: str
    excerpt: str
    sources: tuple[ArticleSource, ...]
    grounding: Grounding
    word_count: int
    seo: Seo


def compose(
    plan: ArticlePlan,
    sections: Sequence[SectionDraft],
    faq: SectionDraft | None,
    passages: Mapping[SourceRef, Passage],
    brief: Brief,
    analysis: TextAnalysis,
    receipts: Receipts,
) -> ComposedArticle:
    """Assemble an article. Headings are the plan's.

    A citation is shown only if its passage supports the sentence: `[n]` before the sentence's final punctuation,
    numbered by the first appearance of its passage. A sentence without support is marked as such; an article without
    any citation says so at its head. A diagram follows the first section.

    `sections`: the drafts of the plan's sections, in its order. `faq`: the draft of its FAQ, one paragraph per
    question. `passages`: those that the article may cite. `receipts`: for every drafted sentence the result of checking
    it against these passages; KeyError for a missing one."""
    blocks = _blocks(plan, sections, faq, analysis, brief)
    assembler = _Assembler(passages, brief, analysis)
    assembler.number(blocks, receipts)
    parts = [assembler.render(block) for block in blocks]
    if not assembler.numbers:
        parts.insert(0, f"*{markdown.escape(TYPOGRAPHY[brief.language].notice)}*")
    if brief.include_mermaid and (chart := relation_chart(assembler.supported(blocks), analysis, brief.language)):
        later = [place for place, block in enumerate(blocks) if block.level == 2][1:]
        parts.insert(later[0] if later else len(parts), chart)
    excerpt = _excerpt(blocks, brief.language)
    return ComposedArticle(
        content="\n\n".join(parts),
        excerpt=excerpt,
        sources=assembler.sources(),
        grounding=assembler.grounding(blocks),
        word_count=_words_of(blocks, analysis, brief),
        seo=Seo(
            meta_title=truncate_at_word(plan.seo.meta_title or plan.title, MAX_META_TITLE),
            meta_description=truncate_at_word(plan.seo.meta_description or excerpt, MAX_META_DESCRIPTION),
        ),
    )


def count_words(
    plan: ArticlePlan, sections: Sequence[SectionDraft], faq: SectionDraft | None, brief: Brief, analysis: TextAnalysis
) -> int:
    """The words of the article that these drafts make, headings included, as `compose` counts them."""
    return _words_of(_blocks(plan, sections, faq, analysis, brief), analysis, brief)


@frozen
class _Block:
    """A heading (`level` 2 or 3, `text`), or a paragraph."""

    level: int = 0
    text: str = ""
    paragraph: DraftParagraph = _EMPTY

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text,) if self.level else tuple(s.text for s in self.paragraph.sentences)


def _blocks(
    plan: ArticlePlan,
    sections: Sequence[SectionDraft],
    faq: SectionDraft | None,
    analysis: TextAnalysis,
    brief: Brief,
) -> list[_Block]:
    """Everything that is shown, in order. A heading without a paragraph is left out."""
    blocks: list[_Block] = []
    for i, section in enumerate(sections):
        planned = plan.sections[i].heading if i < len(plan.sections) else section.heading
        blocks += _blocks_under_heading(2, planned, _visible_paragraphs(section.paragraphs))
    answers: list[_Block] = []
    if faq is not None:
        for entry, paragraphs in _answers(plan.faq, faq, analysis, brief):
            answers += _blocks_under_heading(3, entry.question, _visible_paragraphs(paragraphs))
    if faq is not None and answers:
        blocks += [_Block(2, faq.heading.strip() or "FAQ"), *answers]
    return blocks


def _blocks_under_heading(level: int, heading: str, paragraphs: Sequence[DraftParagraph]) -> list[_Block]:
    under = [_Block(paragraph=paragraph) for paragraph in paragraphs]
    return [_Block(level, heading), *under] if under and heading.strip() else under


def _visible_paragraphs(paragraphs: Iterable[DraftParagraph]) -> list[DraftParagraph]:
    """Drop sentences without letters or digits, and empty paragraphs."""
    kept = (evolve(p, sentences=tuple(s for s in p.sentences if any(c.isalnum() for c in s.text))) for p in paragraphs)
    return [p for p in kept if p.sentences]


def _answers(
    entries: Sequence[FaqEntry], faq: SectionDraft, analysis: TextAnalysis, brief: Brief
) -> list[tuple[FaqEntry, list[DraftParagraph]]]:
    """The paragraphs that answer each question: by position if there is one for each. Otherwise an answer was cut or
    split, and each paragraph is assigned to the question that it shares most with (sources first, then words), never to
    one before its predecessor's."""
    answers: list[tuple[FaqEntry, list[DraftParagraph]]] = [(entry, []) for entry in entries]
    if len(entries) == len(faq.paragraphs):
        for (_, found), paragraph in zip(answers, faq.paragraphs, strict=True):
            found.append(paragraph)
        return answers
    asked = [frozenset(analysis.terms(entry.question, brief.language)) for entry in entries]
    start = 0
    for paragraph in faq.paragraphs if entries else ():
        cited = {ref for s in paragraph.sentences for ref in s.sources}
        words = {term for s in paragraph.sentences for term in analysis.terms(s.text, brief.language)}
        start = max(
            range(start, len(entries)),
            key=lambda i: (len(cited.intersection(entries[i].source_ids)), len(words & asked[i]), -i),
        )
        answers[start][1].append(paragraph)
    return answers


class _Assembler:
    """Numbers the passages that sentences cite, and renders the sentences."""

    def __init__(self, passages: Mapping[SourceRef, Passage], brief: Brief, analysis: TextAnalysis) -> None:
        self._passages, self._brief, self._analysis = passages, brief, analysis
        self._receipts: dict[DraftSentence, SentenceReceipt] = {}
        self.numbers: dict[SourceRef, int] = {}

    def number(self, blocks: Sequence[_Block], receipts: Receipts) -> None:
        """Give each passage that supports a sentence its number, and each sentence its citations."""
        for sentence in (s for block in blocks for s in block.paragraph.sentences):
            if sentence in self._receipts:
                continue
            checked = sentence.citing_only(self._passages)
            found, citations = receipts[checked], tuple[int, ...]()
            if found.verdict is Verdict.SUPPORTED:
                citations = tuple(self.numbers.setdefault(ref, len(self.numbers) + 1) for ref in checked.sources)
            self._receipts[sentence] = evolve(found, citations=citations)
        if self.numbers:  # otherwise the notice at the head says that the article has no source
            for sentence, found in self._receipts.items():
                if found.verdict is not Verdict.SUPPORTED:
                    self._receipts[sentence] = evolve(found, marked=True)

    def supported(self, blocks: Sequence[_Block]) -> Iterator[str]:
        """Yield the sentences that are shown with a citation."""
        sentences = (s for block in blocks for s in block.paragraph.sentences)
        return (sentence.text for sentence in sentences if self._receipts[sentence].citations)

    def render(self, block: _Block) -> str:
        if block.level:
            return markdown.heading(block.level, block.text)
        sentences = [self._sentence(s) for s in block.paragraph.sentences]
        if block.paragraph.bullets:
            return "\n".join(f"- {markdown.escaped_start(s)}" for s in sentences)
        return markdown.escaped_start(_sentence_separator(self._brief.language).join(sentences))

    def _sentence(self, sentence: DraftSentence) -> str:
        found = self._receipts[sentence]
        return shown_sentence(
            sentence.text,
            found.citations,
            self._brief.language,
            quotation=sentence.quotation,
            marked=found.marked,
        )

    def sources(self) -> tuple[ArticleSource, ...]:
        return tuple(
            ArticleSource(
                number=number,
                title=self._passages[ref].document.title,
                parent_id=self._passages[ref].document.id,
                chunk_index=ref.chunk_index,
                url=self._passages[ref].document.url,
                published=self._passages[ref].document.published,
                quotes=self._quotes(ref),
                private=self._passages[ref].document.scope.niche_key == PRIVATE,
                author=self._passages[ref].document.author,
            )
            for ref, number in self.numbers.items()
        )

    def _quotes(self, ref: SourceRef) -> tuple[str, ...]:
        """Return the spans of a passage that support sentences, in its order."""
        spans = {
            (found.support.start, found.support.end)
            for found in self._receipts.values()
            if found.support is not None and found.support.source == ref and found.citations
        }
        text = self._passages[ref].text
        quotes = (" ".join(text[start:end].split()) for start, end in sorted(spans))
        return tuple(truncate_at_word(quote, MAX_QUOTE) for quote in quotes if quote)[:MAX_QUOTES]

    def grounding(self, blocks: Sequence[_Block]) -> Grounding:
        text = ShownText(
            [(block.text, ()) if block.level else ("", block.paragraph.sentences) for block in blocks],
            self._passages,
            self.numbers.keys(),
        )
        receipts = [self._receipts[sentence] for block in blocks for sentence in block.paragraph.sentences]
        return text.grounding(receipts, self._analysis, self._brief.language)


def _sentence_separator(language: Language) -> str:
    """Return the text between two sentences. Thai separates sentences by spaces, although not words."""
    return "" if language in (Language.ZH, Language.JA) else " "


def _excerpt(blocks: Sequence[_Block], language: Language) -> str:
    """The first sentences as plain text, up to MAX_EXCERPT characters; a first one that is longer is truncated."""
    chosen = ""
    for sentence in (s for block in blocks for s in block.paragraph.sentences):
        longer = f"{chosen}{_sentence_separator(language)}{markdown.one_line(sentence.text)}".strip()
        if len(longer) > MAX_EXCERPT:
            return chosen or truncate_at_word(longer, MAX_EXCERPT)
        chosen = longer
    return chosen


def _words_of(blocks: Iterable[_Block], analysis: TextAnalysis, brief: Brief) -> int:
    return sum(_count_words(text, analysis, brief) for block in blocks for text in block.texts)


def _count_words(text: str, analysis: TextAnalysis, brief: Brief) -> int:
    return sum(1 for token in analysis.tokens(text, brief.language) if any(c.isalnum() for c in token.text))
