"""Made-up English-like text whose words follow Zipf's law, the same for the same seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

VOCABULARY: Final = 30_000
THEMES: Final = 50
THEME_WORDS: Final = 8
_STARTS: Final = "b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t tr v w"
_MIDDLES: Final = "a e i o u ai ea ee ie oa ou"
_ENDS: Final = "b ck d ft g ll m n nd nt p r rd rm rt s sh st t th x"
_FUNCTION_WORDS: Final = (
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they "
    "which one you were all her she there would their we him been has when who will no more if out so up said what"
)


class Corpus:
    """The few most frequent words are English function words, so that stop words and languages are found as in a real
    text; the others are made of syllables."""

    def __init__(self, seed: int) -> None:
        self._seed, self._random = seed, Random(seed)
        words = Random(0)
        made: dict[str, None] = dict.fromkeys(_FUNCTION_WORDS.split())
        starts, middles, ends = _STARTS.split(), _MIDDLES.split(), _ENDS.split()
        while len(made) < VOCABULARY:
            syllables = words.choices((1, 2, 3), (2, 5, 2))[0]
            word = "".join(words.choice(starts) + words.choice(middles) for _ in range(syllables))
            made[word + words.choice(ends)] = None
        self._words = list(made)
        total, self._cumulative = 0.0, []
        for rank in range(1, VOCABULARY + 1):
            total += 1 / (rank + 2.7)  # Mandelbrot's form of Zipf's law
            self._cumulative.append(total)

        self._themes = [self._subjects(THEME_WORDS) for _ in range(THEMES)]

    def go_on_from(self, part: int) -> None:
        """What is drawn from now on is the same for the same part, whatever was drawn before."""
        self._random.seed(f"{self._seed} {part}")

    def title(self) -> str:
        return " ".join(self._subjects(5)).capitalize()

    def topics(self, count: int) -> list[str]:
        """Return topics for articles: each some words of one theme, no two alike."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[" ".join(self._random.sample(self._random.choice(self._themes), 4)).capitalize()] = None
        return list(found)

    def passage(self, words: int, theme: Sequence[str] = ()) -> str:
        """Sentences of 8 to 22 words, with a number now and then; every tenth word is the theme's."""
        drawn = self._random.choices(self._words, cum_weights=self._cumulative, k=words)
        if theme:
            for at in range(self._random.randrange(10), words, 10):
                drawn[at] = self._random.choice(theme)
        sentences, start = [], 0
        while start < words:
            end = start + self._random.randint(8, 22)
            sentence = drawn[start:end]
            if self._random.random() < 0.2:
                sentence.insert(len(sentence) // 2, str(self._random.randint(2, 2_000)))
            sentences.append(" ".join(sentence).capitalize() + ".")
            start = end
        return " ".join(sentences)

    def documents(self, count: int, passages: int) -> Iterator[dict[str, str]]:
        """Sources as an import file holds them; each section becomes one passage of 100 to 120 words."""
        for number in range(count):
            theme = self.theme()
            sections = "\n\n".join(
                f"## {self.heading(theme)}\n\n{self.passage(self._random.randint(100, 120), theme)}"
                for _ in range(passages)
            )
            yield {
                "id": f"doc-{number}",
                "title": self.heading(theme),
                "url": f"https://kb.example.org/{number}",
                "text": sections,
            }

    def word(self) -> str:
        """A word of middle frequency."""
        return self._subjects(1)[0]

    def theme(self) -> Sequence[str]:
        return self._random.choice(self._themes)

    def heading(self, theme: Sequence[str]) -> str:
        return " ".join((*self._random.sample(theme, 2), *self._subjects(2))).capitalize()

    def _subjects(self, count: int) -> list[str]:
        """Words of middle frequency: what texts are about."""
        return [self._words[self._random.randint(60, 3_000)] for _ in range(count)]


def write_jsonl(path: Path, documents: Iterator[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for document in documents:
            lines.write(json.dumps(document) + "\n")
