"""What an article is worth to who asked for it, by figures: is it on its subject, in order, and without repetition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from attrs import frozen

from benchmarks.quality.article_sets import Topic
from benchmarks.quality.collections import Paragraph
from contentgen_core.model.article import Article
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language

NEAR_IDENTICAL: Final = 0.8
"""Share of the words of two sentences that both have from which they are near-identical (Jaccard)."""
_CITATION: Final = re.compile(r"\[(\d+)\]")
_WORD: Final = re.compile(r"\w+")
_ASIDE: Final = re.compile(r"\([^()]*\)")
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
    """Of one article. Shares in 0..1; `purity` and `used` are None where there is nothing to divide by."""

    words: int
    on_subject: float
    used: float | None
    purity: float | None
    unresolved: tuple[str, ...]
    repeated: int


def figures(
    article: Article, topic: Topic, paragraphs: Mapping[str, Paragraph], keys: Mapping[DocumentId, str], most_words: int
) -> Figures:
    """`paragraphs`: of the knowledge base, by id; `keys`: their ids by document; `most_words`: of an article of this
    length, which decides whether all paragraphs of the subject find room."""
    number = {source.number: keys[source.parent_id] for source in article.sources}
    cited = [
        [number[n] for n in sentence.citations]
        for sentence in (article.grounding.sentences if article.grounding else ())
    ]
    about = [all(paragraphs[key].group == topic.id for key in each) for each in cited if each]
    found = {key for each in cited for key in each}
    room = sum(len(paragraphs[key].text.split()) for key in topic.docs) <= most_words
    return Figures(
        words=article.word_count,
        on_subject=fmean(about) if about else 0.0,
        used=len(found.intersection(topic.docs)) / len(topic.docs) if room else None,
        purity=_purity(article, number, topic, paragraphs),
        unresolved=_unresolved(article, topic, [paragraphs[key].text for key in found]),
        repeated=near_identical([s.text for s in article.grounding.sentences] if article.grounding else []),
    )


def _sections(content: str) -> list[tuple[int, ...]]:
    """For each section of an article in Markdown that cites something, the numbers of the sources, in order."""
    parts = re.split(r"(?m)^## .*$", content)
    found = [tuple(int(n) for n in _CITATION.findall(part)) for part in parts]
    return [citations for citations in found if citations]


def _purity(
    article: Article, number: Mapping[int, str], topic: Topic, paragraphs: Mapping[str, Paragraph]
) -> float | None:
    """The mean share of a section's citations that its main theme has. The first and the last section, which introduce
    and sum up, and the questions are left out."""
    themes = topic.themes
    content = article.content or ""
    inner = [section for section in _sections(content) if len(section) > 1][1:-1]
    shares = []
    for section in inner:
        of = Counter(themes.get(number[n], paragraphs[number[n]].group) for n in section)
        shares.append(max(of.values()) / sum(of.values()))
    return fmean(shares) if shares else None


def _unresolved(article: Article, topic: Topic, texts: Sequence[str]) -> tuple[str, ...]:
    """Sentences that begin with a reference and do not follow what they follow in their source."""
    pattern = re.compile(_REFERENCES[Language(topic.lang)], re.IGNORECASE)
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
    return _WORD.findall(_ASIDE.sub("", text))


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
