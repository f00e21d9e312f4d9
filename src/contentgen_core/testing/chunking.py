"""The contract of `Chunker`. Inherit `ChunkerContract` in a module with two fixtures of module scope: `chunker`, and
`limits`, the maximum number of characters of a chunk by language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import Chunk, Chunker
from contentgen_core.testing.text_analysis import any_language, any_text
from contentgen_core.testing.text_samples import RUNNING_TEXT

Limits = Mapping[Language, int]


_SHOWN: Final = 10_000


def _shown(text: str) -> str:
    """Of a text that is too long to be printed, the beginning: what fails is made small first."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


@frozen
class Written:
    """A Markdown document whose words are known, each different from all others. Its text shows the others."""

    markdown: str = field(repr=_shown)
    body: tuple[str, ...] = field(repr=False)
    headings: tuple[str, ...] = field(repr=False)
    sentences: tuple[str, ...] = field(repr=False)


_KINDS: Final = ("paragraph", "wrapped", "bold", "link", "quote", "bullets", "numbers", "code", "table", "html")


@st.composite
def documents(draw: st.DrawFn) -> Written:
    """Documents of headings and blocks; some sections are empty, some sentences longer than any chunk."""
    shapes = draw(
        st.lists(
            st.integers(1, 4)
            | st.tuples(st.sampled_from(_KINDS), st.lists(st.integers(1, 40) | st.just(400), min_size=1, max_size=6)),
            max_size=16,
        )
    )
    blocks: list[str] = []
    body: list[str] = []
    headings: list[str] = []
    sentences: list[str] = []
    for shape in shapes:
        if isinstance(shape, int):
            headings.append(f"heading{_letters(len(headings))}")
            blocks.append(f"{'#' * shape} {headings[-1]}")
            continue
        kind, lengths = shape
        said: list[str] = []
        for length in lengths:
            words = [f"w{_letters(len(body) + i)}" for i in range(length)]
            body += words
            said.append(" ".join(words).capitalize() + ".")
        blocks.append(_block(kind, said))
        if kind != "table":
            sentences += said
    return Written("\n\n".join(blocks), tuple(body), tuple(headings), tuple(sentences))


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _block(kind: str, sentences: list[str]) -> str:
    match kind:
        case "wrapped":
            return "\n".join(" ".join(sentences).split(" "))
        case "bold":
            return "**" + " ".join(sentences) + "**"
        case "link":
            return f"[{' '.join(sentences)}](https://example.com/1) ![](https://example.com/1.png)"
        case "quote":
            return "\n".join(f"> {sentence}" for sentence in sentences)
        case "bullets":
            return "\n".join(f"{'  ' * (i % 2)}* {sentence}" for i, sentence in enumerate(sentences))
        case "numbers":
            return "\n".join(f"{i + 1}. {sentence}" for i, sentence in enumerate(sentences))
        case "code":
            return "```\n" + "\n".join(sentences) + "\n```"
        case "table":
            first, *rest = sentences
            return f"| {first} |\n|---|\n" + "\n".join(f"| {sentence} |" for sentence in rest)
        case "html":
            return "<div>" + " ".join(sentences) + "</div>"
        case _:
            return " ".join(sentences)


class ChunkerContract:
    @given(document=documents())
    def test_no_word_is_lost_or_moved(self, chunker: Chunker, document: Written) -> None:
        chunks = chunker.chunks(document.markdown, Language.EN)
        read = [word for chunk in chunks for word in re.findall(r"\bw[a-j]+", chunk.text.lower())]
        assert tuple(read) == document.body

    @given(document=documents())
    def test_every_heading_stands_over_a_chunk(self, chunker: Chunker, document: Written) -> None:
        chunks = chunker.chunks(document.markdown, Language.EN)
        assert {heading for chunk in chunks for heading in chunk.heading.split(" › ") if heading} == {
            *document.headings
        }

    @given(document=documents())
    def test_chunks_hold_whole_sentences_within_the_limit(
        self, chunker: Chunker, limits: Limits, document: Written
    ) -> None:
        limit = limits[Language.EN]
        chunks = chunker.chunks(document.markdown, Language.EN)
        assert all(0 < len(chunk.text) <= limit for chunk in chunks)
        for sentence in document.sentences:
            if len(sentence) + 10 <= limit:
                assert any(sentence in chunk.text for chunk in chunks)

    @given(document=documents())
    def test_neighbours_of_one_section_are_not_both_small(
        self, chunker: Chunker, limits: Limits, document: Written
    ) -> None:
        chunks = chunker.chunks(document.markdown, Language.EN)
        for one, next_ in pairwise(chunks):
            if one.heading == next_.heading:
                assert len(one.text) + len(next_.text) > limits[Language.EN] // 4

    @given(document=documents())
    def test_the_space_between_sentences_changes_no_chunk(self, chunker: Chunker, document: Written) -> None:
        wider = re.sub(r"(?<=\w\.) (?=W)", "  ", document.markdown)
        assert chunker.chunks(wider, Language.EN) == chunker.chunks(document.markdown, Language.EN)

    @given(text=any_text, language=any_language)
    def test_any_text_is_cut_within_the_limit(
        self, chunker: Chunker, limits: Limits, text: str, language: Language
    ) -> None:
        for chunk in chunker.chunks(text, language):
            assert chunk.text.strip() == chunk.text != ""
            assert len(chunk.text) <= limits[language]

    @pytest.mark.parametrize("language", Language)
    def test_a_page_without_paragraphs_is_cut_in_every_language(
        self, chunker: Chunker, limits: Limits, language: Language
    ) -> None:
        page = RUNNING_TEXT[language] * 100
        chunks = chunker.chunks(page, language)
        assert all(len(chunk.text) <= limits[language] for chunk in chunks)
        assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(page.split())

    @pytest.mark.parametrize("text", ["", " \n ", "\x00", "[a]: https://example.com", "<!-- nothing -->"])
    def test_what_shows_nothing_has_at_most_a_mark(self, chunker: Chunker, text: str) -> None:
        assert all(chunk.text == "\ufffd" for chunk in chunker.chunks(text, Language.EN))

    def test_markup_is_left_out_and_what_it_shows_is_kept(self, chunker: Chunker) -> None:
        markdown = (
            '# Heat\n\n## Pumps & co\n\nA *fine* [link](https://example.com "t") and ![picture](x.png) of `x < y`.\n'
            "Second &amp; last.\n\n1. one\n2. two\n   - inner\n\n| a | b |\n|---|---|\n| 1 | 2 | **3** |\n\n"
            "```python\ndef f():\n    return [1]\n```\n\n<p>Some <b>HTML</b></p><script>alert(1)</script>\n"
        )
        (chunk,) = chunker.chunks(markdown, Language.EN)
        assert chunk == Chunk(
            "Heat › Pumps & co",
            "A fine link and picture of x < y. Second & last.\n1. one\n2. two\ninner\n\na | b\n1 | 2 | 3\n\n"
            "def f():\n    return [1]\n\nSome HTML",
        )

    def test_text_nested_beyond_reason_is_kept(self, chunker: Chunker) -> None:
        assert "deep" in chunker.chunks(">" * 1_000 + " deep", Language.EN)[0].text

    @pytest.mark.parametrize("text", ["a" * 2_000_000, "[" * 50_000, "- a\n" * 20_000], ids=lambda text: text[:3])
    def test_a_large_text_is_cut(self, chunker: Chunker, text: str) -> None:
        assert chunker.chunks(text, Language.EN)
