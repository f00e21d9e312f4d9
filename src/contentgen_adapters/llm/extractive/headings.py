"""Derive headings of articles from those of sources, and case titles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from contentgen_adapters.llm.phrases import Phrases, fold
from contentgen_adapters.llm.wording import capitalise, shorten
from contentgen_core.model.knowledge import Passage

MAX_HEADING: Final = 100
SHORTEST_QUESTION: Final = 10
_QUESTION_MARKS: Final = ("?", "？", "؟")
_NUMBERING: Final = re.compile(r"^\s*(?:#{1,6}\s*)?(?:(?:\d+[.)])+\d*|[IVX]+[.)]|\d+\s*[-–—])\s*")
_MARKS: Final = re.compile(r"[*_`#\[\]]+")
_WORD: Final = re.compile(r"\w[\w'’-]*")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?…:]\s+|[«“\"(]\s*)$")


def own_heading(passage: Passage) -> str:
    """Return the passage's nearest heading without its path, numbering and markup; empty if there is none."""
    nearest = passage.heading.rsplit("›", 1)[-1]
    return _clean(nearest)


def subject(passage: Passage) -> str:
    """The subject of the passage's document: its title up to a colon, dash or bar."""
    lead = re.split(r"\s*(?:[:：|]|\s[–—-]\s)\s*", _clean(passage.document.title), maxsplit=1)[0]
    return lead or _clean(passage.document.title)


def self_contained_heading(passage: Passage, words: Phrases) -> str:
    """Return a heading for this passage that can be understood outside its document; empty if none is known."""
    heading, about = own_heading(passage), subject(passage)
    if not heading or not about:
        return heading or about
    if not words.is_generic(heading) or _share_a_word(heading, passage.document.title):
        return heading
    lowered = heading if heading[1:2].isupper() else heading[:1].lower() + heading[1:]
    return shorten(f"{about}{words.colon}{lowered}", MAX_HEADING)


def asked_in(passage: Passage, words: Phrases) -> str:
    """Return the question that a passage answers: its heading if that is a question, else a line of its text that is a
    complete question with an answer below; empty if there is none.
    """
    if asked_above := words.as_question(own_heading(passage)):
        return asked_above
    lines = [_clean(line) for line in passage.text.splitlines() if line.strip()]
    asked = (line for line in lines[:-1] if line.endswith(_QUESTION_MARKS) and len(line) > SHORTEST_QUESTION)
    return next(asked, "")


def _share_a_word(one: str, other: str) -> bool:
    """Whether two texts share a word, compared by its first five letters to allow for inflection."""
    stems = [
        {word[:5] for word in _WORD.findall(fold(text).replace("'", " ")) if len(word) >= 5} for text in (one, other)
    ]
    return bool(stems[0] & stems[1])


def truecase(topic: str, texts: Iterable[str]) -> str:
    """A topic as a title: first letter in upper case, other words cased as in the texts (`rgpd` becomes `RGPD`)."""
    wanted = {fold(word) for word in _WORD.findall(topic)}
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for match in _WORD.finditer(text):
            key = fold(match.group())
            if key in wanted and not _SENTENCE_START.search(text[max(0, match.start() - 3) : match.start()]):
                forms[key][match.group()] += 1

    def cased(match: re.Match[str]) -> str:
        word = match.group()
        if not word.islower() or fold(word) not in forms:
            return word
        return forms[fold(word)].most_common(1)[0][0]

    title = _WORD.sub(cased, " ".join(topic.split())).rstrip(" .;,:")
    return capitalise(title)


def _clean(text: str) -> str:
    plain = _MARKS.sub("", _NUMBERING.sub("", text))
    return shorten(capitalise(" ".join(plain.split()).rstrip(" .;,:")), MAX_HEADING)
