"""Acronyms of a topic that the knowledge base explains: who asks for one form finds the passages with the other, and
they count as if they had both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery
from contentgen_core.policies.text.acronyms import Acronym, explained_acronyms
from contentgen_core.policies.text.facts import fold_name

MAX_READ: Final = 40
"""Passages in which explanations are looked for, the best by words first."""
MAX_ALIASES: Final = 3
"""Acronyms of one topic."""
MIN_OF_TWO: Final = 2
"""Explanations that an acronym of two letters needs: it stands for many things."""


@frozen
class Alias:
    """An acronym with what it stands for, as text and as terms of a language. `shorts`: of acronym and plural."""

    acronym: Acronym
    language: Language
    shorts: tuple[str, ...]
    long: tuple[str, ...]

    def in_long(self, terms: Sequence[str]) -> bool:
        """Whether the terms have the long form, its words next to each other."""
        size = len(self.long)
        return any(tuple(terms[at : at + size]) == self.long for at, term in enumerate(terms) if term == self.long[0])


def aliases(query: TopicQuery, passages: Sequence[Passage], analysis: TextAnalysis) -> tuple[Alias, ...]:
    """The acronyms that the topic has, in one form or the other, as these passages explain them: of several
    explanations of one acronym the most frequent."""
    wanted = _acronym_filter(query)
    votes: Counter[tuple[str, str]] = Counter()
    for passage in passages[:MAX_READ]:
        for acronym in explained_acronyms(passage.text, wanted):
            votes[acronym.short, acronym.long] += 1
    for acronym in explained_acronyms(query.text):  # what the topic itself says goes first
        votes[acronym.short, acronym.long] += len(passages) + 1
    taken: dict[tuple[str, Language], Alias] = {}
    for (short, long), count in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if len(short) == 2 and count < MIN_OF_TWO:
            continue
        for language, terms in query.terms.items():
            alias = _alias(Acronym(short, long), language, terms, analysis)
            if alias is not None and (short, language) not in taken and _is_asked(alias, terms, query):
                taken[short, language] = alias
    kept = list(dict.fromkeys(short for short, _ in taken))[:MAX_ALIASES]
    return tuple(alias for (short, _), alias in taken.items() if short in kept)


def _acronym_filter(query: TopicQuery) -> Callable[[str], bool]:
    """Return a filter of the acronyms that may be in the topic: its words, their plurals, and words whose initials the
    topic's words may have."""
    words = {fold_name(word) for word in query.words.values()}
    initials = {word[:1] for word in words}
    ascii_only = query.text.isascii()

    def may_be_in_topic(letters: str) -> bool:
        by_initials = letters[0] in initials and letters[-1] in initials
        return by_initials or letters in words or f"{letters}s" in words or not ascii_only

    return may_be_in_topic


def _alias(acronym: Acronym, language: Language, topic: Sequence[str], analysis: TextAnalysis) -> Alias | None:
    """Return the alias of an acronym; None where it is not a single word, or has several long forms."""
    shorts = [analysis.terms(form, language) for form in (acronym.short, f"{acronym.short}s")]
    long = analysis.terms(acronym.long, language)
    if any(len(terms) != 1 for terms in shorts) or len(long) < 2:
        return None
    alias = Alias(acronym, language, tuple(dict.fromkeys(terms[0] for terms in shorts)), long)
    if " " not in acronym.long:  # where it begins is not told by a space
        ends = (evolve(alias, long=long[at:]) for at in range(len(long) - 1))
        return next((end for end in ends if end.in_long(topic)), alias)
    return alias


def _is_asked(alias: Alias, terms: Sequence[str], query: TopicQuery) -> bool:
    return _short_in(alias, terms, query) is not None or alias.in_long(terms)


def _short_in(alias: Alias, terms: Sequence[str], query: TopicQuery) -> str | None:
    """Return the acronym as the topic writes it, by its term. None in lower case, where it may be a word, in another
    language too; in a topic all in capitals; and in brackets, after its long form."""
    if query.text.isupper() and len(query.words) > 1:
        return None
    for term in alias.shorts:
        typed = query.words.get(term, "")
        if re.search(rf"[(（]\s*{re.escape(typed)}\s*[)）]", query.text):
            continue
        if term in terms and sum(map(str.isupper, typed)) > 1:
            return term
    return None


def spell_out(query: TopicQuery, found: Iterable[Alias]) -> str:
    """Replace the acronyms in the topic's text by their long forms, unless it has those already."""
    text = query.text
    for alias in found:
        terms = query.terms.get(alias.language, ())
        short = _short_in(alias, terms, query)
        if short is not None:
            typed = rf"(?<!\w){re.escape(query.words[short])}(?!\w)"
            said = (
                "" if alias.in_long(terms) or fold_name(alias.acronym.long) in fold_name(text) else alias.acronym.long
            )
            text = re.sub(typed, said.replace("\\", ""), text) if said else text
    return text


def short_forms(found: Iterable[Alias]) -> dict[Language, tuple[str, ...]]:
    """The acronyms as terms to search for besides the topic's."""
    terms: dict[Language, list[str]] = {}
    for alias in found:
        terms.setdefault(alias.language, []).extend(alias.shorts)
    return {language: tuple(dict.fromkeys(own)) for language, own in terms.items()}


def read_out(
    candidates: Sequence[Candidate], found: Sequence[Alias], query: TopicQuery, analysis: TextAnalysis
) -> list[Candidate]:
    """The candidates with the terms of what their acronyms stand for, beside each of them, and with the acronym where
    the topic has it too; not where their document explains the acronym in another way."""
    longs: dict[str, set[tuple[str, ...]]] = {}
    for alias in found:
        longs.setdefault(alias.acronym.short, set()).add(alias.long)
    asked, others = {fold_name(short) for short in longs}, set[tuple[str, str]]()
    for candidate in candidates:
        document = candidate.passage.document
        for acronym in explained_acronyms(candidate.passage.text, asked.__contains__):
            terms = analysis.terms(acronym.long, document.language)
            if not any(terms[-len(long) :] == long for long in longs.get(acronym.short, ())):
                others.add((document.id, acronym.short))
    return [evolve(each, passage=_read_out(each.passage, found, others, query)) for each in candidates]


def _read_out(passage: Passage, found: Sequence[Alias], others: Set[tuple[str, str]], query: TopicQuery) -> Passage:
    terms, heads = passage.terms, passage.head_terms
    for alias in found:
        document = passage.document
        if alias.language is document.language and (document.id, alias.acronym.short) not in others:
            asked = query.terms.get(alias.language, ())
            terms, heads = _insert_alias(terms, alias, asked), _insert_alias(heads, alias, asked)
    if terms is passage.terms and heads is passage.head_terms:
        return passage
    return evolve(passage, terms=terms, head_terms=heads)


def _insert_alias(terms: tuple[str, ...], alias: Alias, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the terms with those of the long form after each acronym, or with the requested acronym after each long
    form; unchanged where they have both."""
    has_short, has_long = any(short in terms for short in alias.shorts), alias.in_long(terms)
    if has_short and not has_long:
        return tuple(each for term in terms for each in ((term, *alias.long) if term in alias.shorts else (term,)))
    short = next((short for short in alias.shorts if short in asked), None)
    if short is None or has_short or not has_long:
        return terms
    ends = {at + len(alias.long) for at in range(len(terms)) if terms[at : at + len(alias.long)] == alias.long}
    return tuple(each for at, term in enumerate(terms, 1) for each in ((term, short) if at in ends else (term,)))


def join_candidates(
    candidates: Sequence[Candidate],
    more: Iterable[Candidate],
    found: Sequence[Alias],
    query: TopicQuery,
    analysis: TextAnalysis,
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the candidates with those of `more` that contain the topic only through its acronyms, unchanged and with
    acronyms spelled out. Others of `more` would only change the statistics of the comparison."""
    known = {candidate.passage.ref for candidate in candidates}
    plain = [*candidates, *(each for each in more if each.passage.ref not in known)]
    read = read_out(plain, found, query, analysis)
    kept = [at for at, each in enumerate(read) if at < len(candidates) or each.passage is not plain[at].passage]
    return [plain[at] for at in kept], [read[at] for at in kept]


def add_frequencies(
    statistics: Mapping[Language, TermStatistics], before: Iterable[Candidate], after: Iterable[Candidate]
) -> dict[Language, TermStatistics]:
    """Return the statistics, counting also the passages that have a term only since their acronyms were spelled out."""
    more: dict[Language, Counter[str]] = {language: Counter() for language in statistics}
    for old, new in zip(before, after, strict=True):
        if new.passage is not old.passage:
            had = {*old.passage.terms, *old.passage.head_terms}
            own = more.setdefault(new.passage.document.language, Counter())
            own.update({*new.passage.terms, *new.passage.head_terms} - had)
    return {
        language: evolve(
            known, passages_with={term: n + more[language][term] for term, n in known.passages_with.items()}
        )
        for language, known in statistics.items()
    }
