"""Relations between two things that sentences state: "The Abra River Fault is an extension of the Fault Zone".

Without a tagger for each language, a sentence counts only where it is simple: a few words, a verb group of a closed
list, a few words. What is denied, restricted, or on something that another sentence names, is left out, and nothing is
cut but a further statement behind a comma."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from attrs import frozen

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.relation_words import relation_words
from contentgen_core.policies.text import markdown

FEWEST: Final = 3
"""Relations of which a picture is worth drawing."""
MOST: Final = 10
MOST_SUBJECT_WORDS: Final = 6
MOST_OBJECT_WORDS: Final = 12
MOST_LETTERS: Final = 90
"""Of a subject or object."""
LONGEST_SENTENCE: Final = 400
"""Letters."""

_PAUSE: Final = re.compile(r"\s*[,;:]\s+|\s+[–—]\s+")
_UNFIT: Final = re.compile(r"[()\[\]{}“”„«»\"?!|<>]")


@frozen
class Relation:
    """A relation that a sentence states: `subject` `verb` `object`, in its words."""

    subject: str
    verb: str
    object: str


def stated_relation(sentence: str, language: Language) -> Relation | None:
    """Return the relation that a simple sentence states; None for any other, and in a language without a list of
    verbs."""
    words = relation_words(language)
    if words is None or len(sentence) > LONGEST_SENTENCE:
        return None
    head, *rest = _PAUSE.split(sentence.strip().rstrip(". "), maxsplit=1)
    if rest and words.continuing.match(rest[0]) is None:
        return None
    if _UNFIT.search(head) or words.excluding.search(head):
        return None
    found = words.verb.search(head)
    if found is None:
        return None
    subject, target = head[: found.start()].strip(), head[found.end() :].strip()
    if not (_fits(subject, MOST_SUBJECT_WORDS) and _fits(target, MOST_OBJECT_WORDS)):
        return None
    if words.incomplete.fullmatch(subject.split()[-1]) or words.joining.match(target):
        return None
    return Relation(f"{subject[0].upper()}{subject[1:]}", found[0], target)


def relation_chart(sentences: Iterable[str], analysis: TextAnalysis, language: Language) -> str:
    """A Mermaid flow chart of the first MOST relations that these sentences of an article state on a thing that another
    one is on as well, in their order. Empty where there are fewer than FEWEST: arrows side by side show nothing."""
    stated = tuple(dict.fromkeys(r for s in sentences if (r := stated_relation(s, language)) is not None))
    keys = {end: _key(end, analysis, language) for r in stated for end in (r.subject, r.object)}
    count = Counter(key for r in stated for key in {keys[r.subject], keys[r.object]})
    joined = [r for r in stated if max(count[keys[r.subject]], count[keys[r.object]]) > 1][:MOST]
    if len(joined) < FEWEST:
        return ""
    boxes: dict[frozenset[str], str] = {}
    for relation in joined:
        for end in (relation.subject, relation.object):
            boxes.setdefault(keys[end], end)
    places = {key: place for place, key in enumerate(boxes)}
    arrows = [(places[keys[r.subject]], r.verb, places[keys[r.object]]) for r in joined]
    return markdown.flow_chart(list(boxes.values()), arrows)


def _fits(text: str, most_words: int) -> bool:
    return 0 < len(text.split()) <= most_words and len(text) <= MOST_LETTERS and any(c.isalpha() for c in text)


def _key(text: str, analysis: TextAnalysis, language: Language) -> frozenset[str]:
    return frozenset(analysis.terms(text, language)) or frozenset({text.casefold()})
