"""The things that a topic lists by name, and the passages that are on each of them.

A passage is on a thing if its section's heading or its document's title names that, or if its sentences do where these
name none of the things. One sentence is a mention in passing, and so is what a section on another thing says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Origin, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.named_lists import ListedName, NamedList, named_list
from contentgen_core.policies.grounding.subject_names import (
    SENTENCE_END,
    SHORTEST_NAME,
    Subject,
    Word,
    base_forms,
    has_digit,
    spans,
    usage_of,
    words_of,
)
from contentgen_core.policies.grounding.subject_words import ADVERBIAL, ARTICLES, CONTRAST, PARTICLES, PREPOSITIONS

ENOUGH_SENTENCES: Final = 2
"""That name a thing: fewer mention it in passing."""
LONGEST_ENDING: Final = 2
"""Letters that inflection may add to a name."""
LONGEST_KIND: Final = 4
"""Words that say of what kind things are (`pompes à chaleur`)."""
LIGHT: Final = ARTICLES | ADVERBIAL | PREPOSITIONS
REMEMBERED: Final = 32


@frozen
class NamedThing:
    """`name`: as the topic writes it; `topic`: the topic with this thing alone, to search for; `refs`: the passages on
    it; `apart`: whether one of these is on it alone; `spellings`: its folded words, as the topic and
    headings write them."""

    name: str
    topic: str
    refs: frozenset[SourceRef]
    apart: bool
    spellings: frozenset[Subject]


def named_things(topic: str, passages: Iterable[Passage]) -> tuple[NamedThing, ...]:
    """Return the things that a topic lists, in its order; none where it lists none, or where the passages do not show
    that these are names of different things: at least one has passages of its own.

    `passages`: what a search for the topic found. What a model wrote is on nothing."""
    found = named_list(topic)
    if found is None:
        return ()
    return _named_things(found, tuple(p for p in passages if p.document.origin is not Origin.AI))


@lru_cache(REMEMBERED)
def _named_things(listed: NamedList, passages: tuple[Passage, ...]) -> tuple[NamedThing, ...]:
    reader = _Reader(passages)
    names = [each for each in map(reader.strip_common_words, listed.names) if reader.may_name(each, cased=listed.cased)]
    names = list({each.name: each for each in names}.values())
    if len(names) < 2:
        return ()
    own = reader.passages_by_thing([each.name for each in names])
    listed = evolve(listed, before=reader.without_kind(listed)) if all(each.has_number for each in names) else listed
    things = [
        NamedThing(
            each.text,
            listed.topic_of(_as_headed(each, own[each.name].written)),
            own[each.name].refs,
            own[each.name].apart,
            frozenset((each.name, *own[each.name].spellings)),
        )
        for each in names
    ]
    if not any(thing.apart for thing in things):
        return ()
    doubtful = {n for n, each in enumerate(names) if not things[n].refs and not reader.is_surely_named(each, listed)}
    kept = tuple(thing for n, thing in enumerate(things) if n not in doubtful)
    return kept if len(kept) > 1 else ()


def _as_headed(each: ListedName, written: Collection[str]) -> ListedName:
    """The name as headings write it, by which it is searched for, where they all hyphenate it otherwise."""
    if not written or each.text.casefold() in map(str.casefold, written):
        return each
    return evolve(each, text=min(written))


@frozen
class _Own:
    """The passages on one thing. `written`: its name in headings; `spellings`: the folded words of these."""

    refs: frozenset[SourceRef]
    apart: bool
    written: frozenset[str]

    @property
    def spellings(self) -> frozenset[Subject]:
        return frozenset(tuple(word.folded for word in words_of(text)) for text in self.written)


@frozen
class _Reader:
    """Reads how passages write and use names."""

    passages: Sequence[Passage]
    _heads: dict[str, list[Word]] = field(factory=dict, init=False)

    def _words_of_head(self, text: str) -> list[Word]:
        if text not in self._heads:
            self._heads[text] = words_of(text)
        return self._heads[text]

    @cached_property
    def _titles(self) -> list[list[Word]]:
        heads = {part for passage in self.passages for part in _heads(passage)}
        return [self._words_of_head(part) for part in sorted(heads)]

    @cached_property
    def _document_titles(self) -> frozenset[str]:
        return frozenset(passage.document.title for passage in self.passages)

    @cached_property
    def _german(self) -> bool:
        return any(passage.document.language is Language.DE for passage in self.passages)

    @cached_property
    def _lower(self) -> frozenset[str]:
        return frozenset().union(*(usage_of(p.text).lower for p in self.passages))

    @cached_property
    def _inside(self) -> frozenset[str]:
        return frozenset().union(*(usage_of(p.text).inside for p in self.passages))

    @cached_property
    def _capitalised_words(self) -> frozenset[str]:
        heads = (word.folded for words in self._titles for word in words)
        return frozenset(heads).union(*(usage_of(p.text).all for p in self.passages))

    def strip_common_words(self, each: ListedName) -> ListedName:
        """Return the name without common words at its ends (`Heaters Borea 7`, `Ventus X2 Pumps`)."""
        words = words_of(each.text)
        if len(words) != len(each.name) or self._is_in_a_head(each.name):
            return each
        start, end = 0, len(words)
        while start < end - 1 and not has_digit(words[start].text) and self._leads(words, start, each):
            start += 1
        while end > start + 1 and self._trails(words, end - 1, each.has_number):
            end -= 1
        for at in range(start + 1, end):  # `Stendal am Wochenende`
            if words[at].folded in PARTICLES and self._is_in_a_head(tuple(w.folded for w in words[start:at])):
                end = at
                break
        text = each.text[words[start].start : words[end - 1].end]
        return evolve(each, text=text, name=tuple(word.folded for word in words[start:end]))

    def _leads(self, words: Sequence[Word], at: int, each: ListedName) -> bool:
        """Whether a name may begin behind this word, which says of what kind the thing is, or what to do with it."""
        rest = tuple(word.folded for word in words[at + 1 :])
        if len(rest) == 1 and rest[0].isdigit():
            return False
        if self._is_common(words[at].folded) or self._is_in_a_head(rest):
            return True
        return (
            each.first
            and at == 0
            and each.has_number
            and len(rest) > 1
            and words[at].folded not in self._capitalised_words
        )

    def _trails(self, words: Sequence[Word], at: int, numbered: bool) -> bool:
        return not has_digit(words[at].text) and len(words[at].text) > 1 and self._is_common(words[at].folded)

    def _is_common(self, word: str) -> bool:
        """Whether the passages write a word in lower case."""
        return len(word) >= SHORTEST_NAME and any(
            form in self._lower for form in (*base_forms(word), word + "s", word + "n", word + "en")
        )

    def without_kind(self, listed: NamedList) -> str:
        """Return what stands before a list, without the words directly before it that say of what kind the things are
        (`the heaters Borea 7 and Calor 300`), if no passage has them: its own name is enough to know a product by."""
        words = words_of(listed.before)
        if not words or words[-1].folded in LIGHT:
            return listed.before
        start = len(words)
        while start and len(words) - start < LONGEST_KIND and words[start - 1].folded not in ARTICLES:
            start -= 1
        kept = [
            word.text
            for at, word in enumerate(words)
            if at < start
            or word.folded in LIGHT
            or any(form in self._capitalised_words for form in base_forms(word.folded))
        ]
        return " ".join(kept)

    def _is_in_a_head(self, name: Subject) -> bool:
        return any(_place(words, name) is not None for words in self._titles)

    def may_name(self, each: ListedName, *, cased: bool) -> bool:
        """Whether the words can be a name: they are numbered, or not also written in lower case (`Search and Rescue`);
        in a topic in lower case, where a heading or a text writes them as a name; in German, where each noun has a
        capital, if a document is titled so (`Garantie` heads a section of each data sheet)."""
        if each.has_number:
            return True
        words = [word for word in each.name if len(word) >= SHORTEST_NAME and word not in PARTICLES]
        if any(word in self._lower and word not in self._inside for word in words):
            return False
        if self._german and any(word in self._capitalised_words for word in words):
            return any(_place(self._words_of_head(title), each.name) for title in self._document_titles)
        return cased or all(word in self._inside or word not in self._capitalised_words for word in words)

    def is_surely_named(self, each: ListedName, listed: NamedList) -> bool:
        """Whether a name without passages is one all the same: it has a number, no passage has it, or they write it as
        a name. German writes every noun so."""
        if each.has_number:
            return True
        words = [word for word in each.name if len(word) >= SHORTEST_NAME]
        if not any(word in self._capitalised_words for word in words):
            return listed.cased
        return not self._german and all(word in self._inside and word not in self._lower for word in words)

    def passages_by_thing(self, names: Sequence[Subject]) -> dict[Subject, _Own]:
        """Return the passages on each of these things."""
        refs: dict[Subject, set[SourceRef]] = {name: set() for name in names}
        apart: set[Subject] = set()
        written: dict[Subject, set[str]] = {name: set() for name in names}
        mentions: dict[Subject, dict[SourceRef, int]] = {name: {} for name in names}
        for passage in self.passages:
            headed = self._named_in_heading(passage, names)
            for name, text in headed.items():
                written[name].add(text)
            if len(headed) == 1:
                [name] = headed
                refs[name].add(passage.ref)
                apart.add(name)
                continue
            for name in headed or names:
                alone, all = _sentences(passage.text, name, [other for other in names if other != name])
                if headed and all:
                    refs[name].add(passage.ref)
                elif alone:
                    mentions[name][passage.ref] = alone
        for name, found in mentions.items():
            if sum(found.values()) >= ENOUGH_SENTENCES:
                refs[name] |= found.keys()
                apart.add(name)
        return {name: _Own(frozenset(refs[name]), name in apart, frozenset(written[name])) for name in names}

    def _named_in_heading(self, passage: Passage, names: Sequence[Subject]) -> dict[Subject, str]:
        """Return the things that the innermost of a passage's headings names which names any, each as
        written there; a longer name takes its place from a shorter one in it (`iPhone 15 Pro`)."""
        for head in _heads(passage):
            words = self._words_of_head(head)
            found = {name: place for name in names if (place := _place(words, name)) is not None}
            longest = {
                name: place
                for name, place in found.items()
                if not any(len(other) > len(name) and inner[0] <= place[0] < inner[1] for other, inner in found.items())
            }
            if longest:
                return {name: head[words[start].start : words[end - 1].end] for name, (start, end) in longest.items()}
        return {}


def _heads(passage: Passage) -> Iterator[str]:
    """The headings above a passage, the innermost first, and the title of its document."""
    yield from reversed([part.strip() for part in passage.heading.split("›") if part.strip()])
    yield passage.document.title


def _place(words: Sequence[Word], name: Subject) -> tuple[int, int] | None:
    """Return the places of a name's first word and after its last one, however it is hyphenated; None where it is
    absent."""
    whole = "".join(name)
    ending = 0 if has_digit(name[-1]) or len(name[-1]) <= SHORTEST_NAME else LONGEST_ENDING
    for start, word in enumerate(words):
        if not whole.startswith(word.folded) and not word.folded.startswith(whole):
            continue
        joined = ""
        for end in range(start, len(words)):
            joined += words[end].folded
            if joined == whole or (joined.startswith(whole) and len(joined) - len(whole) <= ending):
                return start, end + 1
            if len(joined) >= len(whole):
                break
    return None


def _sentences(text: str, name: Subject, others: Collection[Subject]) -> tuple[int, int]:
    """Count the sentences that name a thing alone and compare it with nothing, and those that name it. A row of a table
    counts as two, since it makes several statements."""
    alone = named = 0
    for line in text.splitlines():
        row = 2 if "|" in line else 1
        for start, end in [(0, len(line))] if row == 2 else spans(line, SENTENCE_END):
            words = words_of(line[start:end])
            if (place := _place(words, name)) is None:
                continue
            named += row
            contrasted = any(word.folded in CONTRAST for word in words[: place[0]])
            alone += 0 if contrasted or any(_place(words, other) for other in others) else row
    return alone, named
