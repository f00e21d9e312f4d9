"""Extracts the sentences of passages that can be understood outside their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from attrs import evolve, field, frozen

from contentgen_adapters.llm.extractive.references import refers_back
from contentgen_adapters.llm.phrases import Phrases, phrases
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.shown_sentence import LONGEST_RUN
from contentgen_core.policies.grounding.context import Context, Part

FEWEST_WORDS: Final = 6
MOST_WORDS: Final = 60
MOST_PASSAGES: Final = 500
MOST_TEXTS: Final = 4_000
"""What a reader remembers."""
LEAST_LETTERS: Final = 0.6

_FENCE: Final = re.compile(r"^(```|~~~).*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_SKIPPED_LINE: Final = re.compile(r"^\s*(?:#{1,6}\s|\||<|!\[|[-=*_]{3,}\s*$)")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKUP: Final = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[\^?\d{1,4}(?:\s*[,–-]\s*\d{1,4})*\]"), ""),
    (re.compile(r"(\*\*|__|`)(.+?)\1"), r"\2"),
    (re.compile(r"(?<!\w)[*_](\S(?:.*?\S)?)[*_](?!\w)"), r"\1"),
    (re.compile("\ufeff"), ""),
    (re.compile(r"\s+"), " "),
)
_CODE: Final = re.compile(r"[{}<>\\|]|=>|::|\(\)|https?:|www\.|\w=\w|#{2}")
_BOILERPLATE: Final = re.compile(
    r"©|all rights reserved|tous droits réservés|alle rechte vorbehalten|todos los derechos reservados"
    r"|tutti i diritti riservati|click here|cliquez ici|read more|lire la suite|accept (?:all )?cookies"
    r"|accepter les cookies|sign up|subscribe to|abonnez-vous|s'inscrire|share on|partager sur|hier klicken",
    re.IGNORECASE,
)
_ENDS: Final = (".", "!", "。", "！", "．", "।", "۔", ".»", ". »", '."', ".”", "»", "”")
_ASKS: Final = ("?", "？", "؟", "? »", '?"', "?”")
_PAIRS: Final = (("(", ")"), ("«", "»"), ("“", "”"), ("[", "]"), ("（", "）"), ("「", "」"))
_LABEL: Final = re.compile(
    r"^(?:BACKGROUND|OBJECTIVES?|PURPOSE|AIMS?|INTRODUCTION|METHODS?|MATERIALS AND METHODS|DESIGN|SETTING|PARTICIPANTS"
    r"|PATIENTS|INTERVENTIONS?|MEASUREMENTS?|RESULTS?|FINDINGS|CONCLUSIONS?|INTERPRETATION|SIGNIFICANCE|RATIONALE"
    r"|CONTEXTE|OBJECTIFS?|MÉTHODES?|RÉSULTATS?|HINTERGRUND|ZIELE?|METHODEN?|ERGEBNISSE|OBJETIVOS?|MÉTODOS?"
    r"|RESULTADOS?|CONCLUSIONES)(?:(?:/| AND )[A-Z]+)*(?::\s*|\s+(?=[A-ZÀ-Þ]))"
)
_ENUMERATED: Final = re.compile(
    r"^(?:note|n\.?b\.?|remarque|hinweis|nota)\s*:|\(1\)|(?:^|\s)(?:\d|[a-z])\)\s", re.IGNORECASE
)
_ABBREVIATED: Final = re.compile(
    r"(?:\b(?:vs|approx|resp|ca|cf|adjusted OR|hazard ratio|e\.g|i\.e|etc|no|fig|St|Dr|Mr|Mrs))\.?$"
)
"""Ends that the sentence did not have: an abbreviation was taken for it."""
_ASIDE: Final = re.compile(r"\s*\([^()\d]*\)")


SentenceKey = tuple[str, int, int]
"""Document, passage and position of a sentence."""


@frozen
class Sentence:
    """A sentence of a passage. `position`: in its passage, from 0. `words`: number of tokens. `continues`: whether it
    is understood only right after the one before it in its passage, which is usable."""

    passage: Passage
    position: int
    text: str
    terms: frozenset[str]
    words: int
    quotation: bool = False
    continues: bool = False

    @property
    def key(self) -> SentenceKey:
        return (self.passage.document.id, self.passage.chunk_index, self.position)

    @property
    def key_before(self) -> SentenceKey:
        """The key of the one before it in its passage."""
        return (self.passage.document.id, self.passage.chunk_index, self.position - 1)

    def follows(self, before: Sequence[Sentence]) -> bool:
        """Whether it is understood after these sentences."""
        return not self.continues or (bool(before) and before[-1].key == self.key_before)


@frozen
class SentenceReader:
    """Read the usable sentences of passages. Deterministic, and caches the last results: a plan and its sections, and
    the forecasts of all lengths, are written from the same passages. Threads may share it.

    `context`: of the article that the sentences are for.
    """

    analysis: TextAnalysis
    context: Context | None = field(default=None, eq=False, repr=False)
    _known: Callable[[Passage], tuple[Sentence, ...]] = field(eq=False, repr=False)
    _words: Callable[[str, Language], tuple[str, ...]] = field(eq=False, repr=False)
    _in_context: dict[SourceRef, tuple[Sentence, ...]] = field(init=False, factory=dict, eq=False, repr=False)

    @_known.default
    def _remembering_passages(self) -> Callable[[Passage], tuple[Sentence, ...]]:
        return lru_cache(MOST_PASSAGES)(self._usable)

    @_words.default
    def _remembering_words(self) -> Callable[[str, Language], tuple[str, ...]]:
        return lru_cache(MOST_TEXTS)(self._folded_terms)

    def within(self, context: Context | None) -> SentenceReader:
        """A reader for one article: without sentences on things that compete with what its topic asks for, or that
        would be understood there of another thing than their passage is on. It remembers with this one."""
        return evolve(self, context=context)

    def usable(self, passage: Passage) -> tuple[Sentence, ...]:
        """Return complete statements without code, questions or boilerplate that refer to earlier text only where that
        is the usable sentence before them. If a passage has none, return its other sentences without such
        references, long ones marked as quotations.
        """
        if self.context is None:
            return self._known(passage)
        if passage.ref not in self._in_context:
            kept: list[Sentence] = []
            part = self.part_of(passage)
            heading = part.heading if part else ""
            for sentence in self._known(passage):
                led = [kept[-1], sentence] if sentence.continues and kept else [sentence]
                on_topic = sentence.follows(kept) and not self.context.is_on_a_rival(sentence.text)
                if on_topic and self.is_in_context(led, heading):
                    kept.append(sentence)
            self._in_context[passage.ref] = tuple(kept)
        return self._in_context[passage.ref]

    def part_of(self, passage: Passage) -> Part | None:
        """Return the part that a passage belongs to, where the topic compares things and it is on one; else None."""
        return None if self.context is None else self.context.part_of(passage.ref)

    def is_in_context(self, sentences: Sequence[Sentence], heading: str = "") -> bool:
        """Whether a reader of the article understands what the last of these sentences of a paragraph refers to.

        `heading`: of its section; without a heading the article's topic gives the context.
        """
        if self.context is None:
            return True
        paragraph = DraftParagraph(tuple(DraftSentence(s.text, (s.passage.ref,)) for s in sentences))
        return paragraph.sentences[-1] not in self.context.misread(paragraph, heading)

    def folded_words(self, text: str, language: Language) -> tuple[str, ...]:
        """The words of a text, case folded."""
        return self._words(text, language)

    def words(self, passage: Passage) -> int:
        """Number of words in the usable sentences of a passage."""
        return sum(s.words for s in self.usable(passage))

    def _folded_terms(self, text: str, language: Language) -> tuple[str, ...]:
        return tuple(token.text.casefold() for token in self.analysis.tokens(text, language))

    def _usable(self, passage: Passage) -> tuple[Sentence, ...]:
        return tuple(self._sentences(passage, strict=True) or self._sentences(passage, strict=False))

    def _sentences(self, passage: Passage, *, strict: bool) -> list[Sentence]:
        language = passage.document.language
        words = phrases(language)
        found: list[Sentence] = []
        texts = self._texts(passage.text, language)
        if strict:
            texts = [[part for text in block for part in self._parts(text, language, words)] for block in texts]
        position = 0
        for block in texts:
            for place, text in enumerate(block):
                sentence = self._sentence(passage, position, text, language)
                if strict and self._is_complete(sentence):
                    continues = refers_back(text, language)
                    if not continues or (place > 0 and found and found[-1].position == position - 1):
                        found.append(evolve(self._within_run(sentence, language), continues=continues))
                elif not strict and 2 <= sentence.words <= MOST_WORDS and not words.points_back(text):
                    found.append(evolve(sentence, quotation=sentence.words > LONGEST_RUN))
                position += 1
        return found

    def _texts(self, text: str, language: Language) -> list[list[str]]:
        """The sentences of each block of a passage's text, without labels."""
        return [
            [_LABEL.sub("", span.of(block)) for span in self.analysis.sentences(block, language)]
            for block in blocks(text)
        ]

    def _sentence(self, passage: Passage, position: int, text: str, language: Language) -> Sentence:
        tokens = self.analysis.tokens(text, language)
        terms = frozenset(token.term for token in tokens if not token.stop)
        return Sentence(passage, position, text, terms, len(tokens))

    def _count(self, text: str, language: Language) -> int:
        return len(self.analysis.tokens(text, language))

    def _parts(self, text: str, language: Language, words: Phrases) -> list[str]:
        """A long sentence split at semicolons, where each part is a sentence of its own."""
        if "; " not in text or self._count(text, language) <= LONGEST_RUN:
            return [text]
        parts = [part.strip() for part in text.split("; ")]
        if any(self._count(part, language) < FEWEST_WORDS or words.points_back(part) for part in parts):
            return [text]
        closed = [part[0].upper() + part[1:] for part in parts]
        return [part if part.endswith(_ENDS) else part + "." for part in closed]

    def _is_complete(self, sentence: Sentence) -> bool:
        text = sentence.text
        return (
            FEWEST_WORDS <= sentence.words <= MOST_WORDS
            and len(sentence.terms) >= 3
            and not text[0].islower()
            and (text.endswith(_ENDS) or sentence.passage.document.language is Language.TH)
            and not text.endswith(_ASKS)
            and not _CODE.search(text)
            and not _BOILERPLATE.search(text)
            and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)
            and text.count('"') % 2 == 0
            and _share_of_letters(text) >= LEAST_LETTERS
            and not _ENUMERATED.search(text)
            and not _ABBREVIATED.search(text)
        )

    def _within_run(self, sentence: Sentence, language: Language) -> Sentence:
        """A sentence over LONGEST_RUN without its parentheses if that breaks the run, else marked as a quotation."""
        if sentence.words <= LONGEST_RUN:
            return sentence
        pieces = _ASIDE.split(sentence.text)
        if len(pieces) > 1 and max(self._count(piece, language) for piece in pieces) <= LONGEST_RUN:
            return self._sentence(sentence.passage, sentence.position, "".join(pieces), language)
        return evolve(sentence, quotation=True)


def blocks(text: str) -> list[str]:
    """Return paragraphs and list items of a Markdown or plain text, without markup; no code, tables, headings or
    pictures.
    """
    found: list[str] = []
    lines: list[str] = []

    def close() -> None:
        if lines:
            found.append(_plain(" ".join(lines)))
            lines.clear()

    for line in _FENCE.sub("\n", text).splitlines():
        if not line.strip() or _SKIPPED_LINE.match(line):
            close()
            continue
        if _ITEM.match(line):
            close()
            line = _ITEM.sub("", line)
        lines.append(line.strip().removeprefix("> "))
    close()
    return [block for block in found if block]


def _plain(text: str) -> str:
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return re.sub(r" ([.,])(?=\s|$)", r"\1", text).strip()


def _share_of_letters(text: str) -> float:
    solid = [c for c in text if not c.isspace()]
    return sum(c.isalpha() or not c.isascii() for c in solid) / max(1, len(solid))
