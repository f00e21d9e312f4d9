"""Entity extraction by rules: names in scripts with capitals, recurring phrases in all scripts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from contentgen_adapters.entities.names import NameCandidate, NameFinder
from contentgen_adapters.entities.phrases import CASELESS, PhraseFinder
from contentgen_core.model.entity import EntityMention, EntityType
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import fold_name
from contentgen_core.ports.entities import MAX_MENTIONS

_WORD: Final = re.compile(r"[^\W\d_]+")
MAX_KEY: Final = 200
INFLECTED: Final = frozenset(
    Language(code) for code in ("de", "pl", "cs", "uk", "ru", "fi", "hu", "tr", "el", "ro", "sv", "no", "da")
)
"""Languages that inflect names."""


class RuleExtractor:
    """The port `EntityExtractor` for the 28 languages, without a model. All passages of a call are of one document."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._names = {language: NameFinder(analysis, language) for language in Language if language not in CASELESS}
        self._latin = {language: NameFinder(analysis, language) for language in CASELESS}
        self._phrases = {language: PhraseFinder(analysis, language) for language in Language}

    def __call__(self, passages: Sequence[Passage]) -> list[tuple[EntityMention, ...]]:
        if not passages:
            return []
        language = passages[0].document.language
        named = self._names_by_passage(passages, language)
        counts: list[Counter[str]] = [Counter(keys) for keys, _ in named]
        written: defaultdict[str, Counter[tuple[str, EntityType]]] = defaultdict(Counter)
        for _, found in named:
            for key, name, type in found:
                written[key][name, type] += 1
        phrases = [(phrase, fold_name(phrase.name)) for phrase in self._phrases[language](passages)]
        longest = max((name.count(" ") + 1 for _, name in phrases), default=0)
        parts = {part for name in written for part in _parts(name, longest)}
        for phrase, name in phrases:
            key = phrase.key[:MAX_KEY]
            if key not in written and name not in parts:
                written[key] = Counter({(phrase.name, EntityType.CONCEPT): 1})
                parts.update(_parts(key, longest))
                for place, times in phrase.counts.items():
                    counts[place][key] = times
        chosen = {key: _form(forms) for key, forms in written.items()}
        return [_mentions(count, chosen) for count in counts]

    def _names_by_passage(
        self, passages: Sequence[Passage], language: Language
    ) -> list[tuple[list[str], list[tuple[str, str, EntityType]]]]:
        """Return for each passage the keys of its names, repetitions included, and (key, name, type) of each."""
        # In a script without case, Latin letters are foreign names and abbreviations.
        find = self._latin[language] if language in CASELESS else self._names[language]
        candidates = [list(find(passage.text)) for passage in passages]
        keys = _Keys(self._analysis, language)
        common = _common_words(passages, Counter(found.name for of_passage in candidates for found in of_passage))
        sure = {
            found.name: keys[found.name]
            for of_passage in candidates
            for found in of_passage
            if found.sure and found.name not in common
        }
        known = frozenset(sure.values())
        types = {found.name: found.type for of_passage in candidates for found in of_passage if found.sure}
        named = []
        for of_passage in candidates:
            kept = [
                (keys[name], name, types.get(name, found.type if name == found.name else EntityType.CONCEPT))
                for found in of_passage
                if found.name not in common and (name := _name_to_keep(found, sure, known, keys))
            ]
            named.append(([key for key, _, _ in kept], kept))
        return named


def _common_words(passages: Sequence[Passage], names: Counter[str]) -> frozenset[str]:
    """The single words among these names that the document has in lower case as often: words of the language that
    somebody gave a capital (`the Party`)."""
    single = {name.lower(): name for name in names if name.isalpha() and name[1:].islower()}
    if not single:
        return frozenset()
    runs = list(chain.from_iterable(passage.text.split() for passage in passages))
    # Most runs are a word and nothing else: only the others have to be searched for theirs.
    within = _WORD.findall(" ".join([run for run in runs if not run.isalpha()]))
    plain = Counter(filter(single.__contains__, chain(runs, within)))
    return frozenset(name for word, name in single.items() if (count := plain[word]) and count >= names[name])


class _Keys(dict[str, str]):
    """The keys of names: without case, accents and dots, and stemmed in inflecting languages. A cache for one
    document."""

    def __init__(self, analysis: TextAnalysis, language: Language) -> None:
        super().__init__()
        self._analysis, self.language = analysis, language

    def __missing__(self, name: str) -> str:
        key = fold_name(name.replace(".", "")) or name
        if self.language in INFLECTED and name != name.upper():
            key = " ".join(self._analysis.terms(name, self.language)) or key
        self[name] = key[:MAX_KEY]
        return key[:MAX_KEY]


def _name_to_keep(found: NameCandidate, sure: Mapping[str, str], known: frozenset[str], keys: _Keys) -> str:
    """The name to keep for a candidate, or an empty text. One that begins a sentence is kept if the document has it
    elsewhere too; several capitalised words are a name by themselves, except in German."""
    if found.sure or found.name in sure:
        return found.name
    if not found.rest:
        return ""
    if keys[found.name] in known:
        return found.name
    if keys[found.rest] in known:
        return found.rest
    return "" if keys.language is Language.DE else found.name


def _parts(name: str, longest: int) -> Iterator[str]:
    """A name's words in a row (`European Commission` in `the European Commission`), at most `longest`."""
    words = name.split(" ")
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            yield " ".join(words[start:end])


def _form(forms: Counter[tuple[str, EntityType]]) -> tuple[str, EntityType]:
    """Return the most frequent spelling, and the most frequent type other than `concept`."""
    if len(forms) == 1:
        return next(iter(forms))
    names: Counter[str] = Counter()
    types: Counter[EntityType] = Counter()
    for (name, type), count in forms.items():
        names[name] += count
        if type is not EntityType.CONCEPT:
            types[type] += count
    name = min(names, key=lambda n: (-names[n], n))
    return name, min(types, key=lambda t: (-types[t], t)) if types else EntityType.CONCEPT


def _mentions(counts: Counter[str], chosen: dict[str, tuple[str, EntityType]]) -> tuple[EntityMention, ...]:
    strongest = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_MENTIONS]
    return tuple(EntityMention(key, *chosen[key], count) for key, count in strongest)
