"""Figures of an article's worth to its reader: whether it is on its subject, in order, and without repetition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from attrs import frozen

from contentgen_core.model.article import Article
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.alterations import remove_asides

NEAR_IDENTICAL: Final = 0.8
"""Share of the words of two sentences that both have from which they are near-identical (Jaccard)."""
_CITATION: Final = re.compile(r"\[(\d+)\]")
_WORD: Final = re.compile(r"\w+")
_REFERENCES: Final = {
    Language.EN: r"(?:he|she|it|they|this|these|those|his|her|its|their|such|then|however|therefore|thus|also|another"
    r"|both|the (?:latter|former|same|two|other)|a similar|in addition|moreover|furthermore|nevertheless)\b",
    Language.FR: r"(?:il(?! (?:faut|fallut|fallait|y a)\b)|elle|ils|elles|ce|cet|cette|ces|c['’]est|celui|celle|ceux"
    r"|celles|son|sa|ses|leur|leurs|ainsi|cependant|toutefois|puis|ensuite|en outre|de plus"
    r"|la (?:deuxième|seconde|dernière)|le (?:deuxième|second))\b",
    Language.DE: r"(?:er|sie|es|diese[rsmn]?|jene[rsmn]?|sein|seine[rsmn]?|ihre?[rsmn]?|dabei|dadurch|daher|deshalb"
    r"|jedoch|außerdem|dann|danach|auch|beide)\b",
    Language.ES: r"(?:él|ella|ellos|ellas|este|esta|estos|estas|ese|esa|esos|esas|su|sus|así|sin embargo|además|luego"
    r"|después|por (?:lo tanto|ello)|ambos|ambas|también)\b",
}
"""Words at a sentence's beginning that refer to what was said before, written down apart from the product's own."""


@frozen
class Figures:
    """Figures of one article. Shares in 0..1; `purity` and `used` are None where there is nothing to divide by."""

    words: int
    on_subject: float
    used: float | None
    purity: float | None
    unresolved: tuple[str, ...]
    repeated: int


@frozen
class Unit:
    """A part of a knowledge base that an article cites as one. `on_subject`: whether it is about the article's subject;
    `wanted`: whether an article with room for it should use it; `theme`: what sections should not mix."""

    text: str
    on_subject: bool
    wanted: bool
    theme: str


def figures(article: Article, units: Mapping[str, Unit], cited: Mapping[int, str], most_words: int) -> Figures:
    """`units`: of the knowledge base, by id: all that are wanted and all that are cited; `cited`: their ids, by the
    numbers of the article's sources; `most_words`: of an article of this length, which decides whether all that is
    wanted finds room."""
    sentences = article.grounding.sentences if article.grounding else ()
    ids = [[cited[n] for n in sentence.citations] for sentence in sentences]
    about = [all(units[id].on_subject for id in each) for each in ids if each]
    found = {id for each in ids for id in each}
    wanted = {id: unit for id, unit in units.items() if unit.wanted}
    room = bool(wanted) and sum(len(unit.text.split()) for unit in wanted.values()) <= most_words
    return Figures(
        words=article.word_count,
        on_subject=fmean(about) if about else 0.0,
        used=len(found.intersection(wanted)) / len(wanted) if room else None,
        purity=_purity(article, {number: units[id].theme for number, id in cited.items()}),
        unresolved=_unresolved_references(article, [units[id].text for id in found]),
        repeated=near_identical([sentence.text for sentence in sentences]),
    )


def forecast_error(article: Article) -> float:
    """Return the difference of planned and written words, as a share of the written ones."""
    planned = article.plan.target_words if article.plan else 0
    return abs(planned - article.word_count) / max(1, article.word_count)


def _sections(content: str) -> list[tuple[int, ...]]:
    """Return for each section with citations the numbers of its sources, in order."""
    parts = re.split(r"(?m)^## .*$", content)
    found = [tuple(int(n) for n in _CITATION.findall(part)) for part in parts]
    return [citations for citations in found if citations]


def _purity(article: Article, themes: Mapping[int, str]) -> float | None:
    """The mean share of a section's citations that its main theme has. The first and the last section, which introduce
    and sum up, and the questions are left out."""
    inner = [section for section in _sections(article.content or "") if len(section) > 1][1:-1]
    shares = []
    for section in inner:
        of = Counter(themes[n] for n in section)
        shares.append(max(of.values()) / sum(of.values()))
    return fmean(shares) if shares else None


def _unresolved_references(article: Article, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences that begin with a reference and follow another sentence than in their source. Empty in a
    language without a list of references."""
    references = _REFERENCES.get(article.brief.language)
    if references is None:
        return ()
    pattern = re.compile(references, re.IGNORECASE)
    found: list[str] = []
    before = ""
    for sentence in article.grounding.sentences if article.grounding else ():
        if (
            sentence.citations
            and pattern.match(sentence.text.lstrip("«“„\"' \u00a0\u202f"))
            and not _follows(before, sentence.text, texts)
        ):
            found.append(sentence.text)
        before = sentence.text
    return tuple(found)


def _follows(before: str, sentence: str, texts: Sequence[str]) -> bool:
    """Whether a source has the two one after the other, markup, brackets and white space aside."""
    ending, beginning = _words(before)[-4:], _words(sentence)[:4]
    return any(_holds(_words(text), ending + beginning) for text in texts)


def _words(text: str) -> list[str]:
    return _WORD.findall(remove_asides(text))


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    return any(list(words[i : i + len(run)]) == list(run) for i in range(len(words) - len(run) + 1))


def near_identical(texts: Sequence[str]) -> int:
    """Pairs of sentences that have nearly the same words."""
    bags = [set(_WORD.findall(text.casefold())) for text in texts]
    return sum(
        len(one & other) / max(1, len(one | other)) >= NEAR_IDENTICAL
        for i, one in enumerate(bags)
        for other in bags[:i]
    )
