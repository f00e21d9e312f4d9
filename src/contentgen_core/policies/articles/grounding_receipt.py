"""The receipt of an article's text as a whole, from those of its sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Grounding, SentenceReceipt
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import FULL_FROM, receipt
from contentgen_core.policies.text.other_language import PLAINLY_OWN_PART, is_in_another_language
from contentgen_core.policies.text.verbatim import (
    Letters,
    copied_share,
    find_verbatim,
    longest_verbatim_run,
    quotations,
)


@frozen
class ShownText:
    """The text that a reader sees. `blocks`: in order, each a heading with no sentences or the sentences of a paragraph
    below no heading; `passages`: those that it may cite; `shown`: those whose citations it shows."""

    blocks: Sequence[tuple[str, Sequence[DraftSentence]]]
    passages: Mapping[SourceRef, Passage]
    shown: Collection[SourceRef]

    def grounding(self, receipts: Sequence[SentenceReceipt], analysis: TextAnalysis, language: Language) -> Grounding:
        """Build the receipt of the text. `receipts`: of all sentences, in their order."""
        sentences = [sentence for _, paragraph in self.blocks for sentence in paragraph]
        cited = [ref for sentence in sentences for ref in dict.fromkeys(sentence.sources)]
        quotes = [match for sentence in sentences for match in self._quote_matches(sentence)]
        runs = ["\n".join(run) for run in self._runs()]
        headings = [heading for heading, _ in self.blocks if heading]
        letters = Letters(analysis, language)
        return receipt(
            receipts,
            citations_made=len(cited),
            citations_valid=sum(ref in self.passages for ref in cited),
            quotations_made=len(quotes),
            quotations_matched=sum(quotes),
            verbatim_run=longest_verbatim_run([*headings, *runs], self.passages.values(), letters),
            copied_8grams=copied_share(runs, [self.passages[ref] for ref in self.shown], letters),
            in_another_language=self._is_in_another(language, analysis),
        )

    def _is_in_another(self, language: Language, analysis: TextAnalysis) -> bool:
        """Whether more of its sentences than a full receipt may lack, quotations aside, are in another language: by
        their paragraphs, and all together, since a paragraph may have few words."""
        paragraphs = [[s.text for s in sentences if not s.quotation] for _, sentences in self.blocks]
        every = [text for each in paragraphs for text in each]
        if is_in_another_language(" ".join(every), language, analysis):
            return True
        foreign = sum(
            len(each)
            for each in paragraphs
            if is_in_another_language(" ".join(each), language, analysis, PLAINLY_OWN_PART)
        )
        return foreign > (1 - FULL_FROM) * len(every)

    def _runs(self) -> list[list[str]]:
        """The sentences that are no quotations, split at headings and quotations."""
        runs: list[list[str]] = [[]]
        for heading, sentences in self.blocks:
            if heading:
                runs.append([])
            for sentence in sentences:
                if sentence.quotation:
                    runs.append([])
                else:
                    runs[-1].append(sentence.text)
        return runs

    def _quote_matches(self, sentence: DraftSentence) -> list[bool]:
        """Return for each quotation of a sentence whether a cited passage has it word for word."""
        quoted = (sentence.text,) if sentence.quotation else quotations(sentence.text)
        cited = [self.passages[ref].text for ref in sentence.sources if ref in self.passages]
        return [any(find_verbatim(quote, text) is not None for text in cited) for quote in quoted]
