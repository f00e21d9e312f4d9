"""An article as the console shows it: every word of the text is there, and each sentence once, in order."""

from __future__ import annotations

import time
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.text import TextBlock
from contentgen_http.console.pages.articles.view import CheckedSentence, shown_blocks

SENTENCES: Final = ["Heat moves", "It is warm", "“A pump is quiet”", "3.5 kW", "Heat", "…"]


def checked(texts: list[str]) -> list[CheckedSentence]:
    return [CheckedSentence(text, position) for position, text in enumerate(texts, 1)]


@given(st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1), max_size=5))
def test_each_sentence_is_shown_once_and_no_word_is_lost(paragraphs: list[list[str]]) -> None:
    blocks = [TextBlock(" ".join(f"{sentence} [1]." for sentence in paragraph)) for paragraph in paragraphs]
    known = [sentence for paragraph in paragraphs for sentence in paragraph if sentence != "…"]
    shown = shown_blocks(blocks, checked(known))
    parts = [part for block in shown for part in block.sentences]
    assert [part.checked.position for part in parts if part.checked] == list(range(1, len(known) + 1))
    said = "".join(filter(str.isalnum, "".join(part.text for part in parts)))
    assert said == "".join(filter(str.isalnum, "".join(known)))


def test_a_sentence_that_stands_nowhere_hides_no_text() -> None:
    [block] = shown_blocks([TextBlock("Heat moves. It is warm.")], checked(["Nobody wrote this.", "It is warm."]))
    assert [part.text for part in block.sentences] == ["Heat moves. It is warm."]


def test_a_paragraph_of_thousands_of_sentences_is_shown_at_once() -> None:
    texts = [f"Sentence number {n} says that heat moves from outside into the house." for n in range(5_000)]
    began = time.monotonic()
    [block] = shown_blocks([TextBlock(" ".join(texts))], checked(texts))
    assert len(block.sentences) == 5_000
    assert time.monotonic() - began < 10, "seconds of a busy machine; it takes half of one"
