"""Splits a Markdown source into chunks of whole sentences under their headings, within a size limit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.markdown import Block, BlockKind, plain_blocks
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.truncation import truncate
from contentgen_core.ports.documents import Chunk

MAX_CHARACTERS: Final = 1_200
MAX_DENSE_CHARACTERS: Final = 500  # in scripts that need fewer characters for the same content
MAX_HEADING: Final = 200

_LINED: Final = frozenset({BlockKind.CODE, BlockKind.ROWS})  # lines, no sentences
_DENSE: Final = frozenset({Language.ZH, Language.JA, Language.KO, Language.TH})
_SMALLEST_SHARE: Final = 6  # of the limit: 200 characters of 1,200
_CLAUSE_END: Final = re.compile(r"[,;:،؛—–](?=\s)|[、，；：]")
_SPACE: Final = re.compile(r"\s")


def max_characters(language: Language) -> int:
    """Return the most characters of a chunk in this language."""
    return MAX_DENSE_CHARACTERS if language in _DENSE else MAX_CHARACTERS


class MarkdownChunker:
    """The chunker port over Markdown.

    Splits at headings, then between paragraphs, then between sentences; a sentence over the limit behind a clause, else
    between words. A chunk has at most 1,200 characters (500 in Chinese, Japanese, Korean and Thai) and at least a sixth
    of that unless its section is shorter. A heading without text below it becomes the text of a chunk.
    """

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis

    def chunks(self, text: str, language: Language) -> tuple[Chunk, ...]:
        limit = max_characters(language)
        return tuple(
            Chunk(heading, "".join(piece.before + piece.text for piece in pieces).strip())
            for heading, blocks in _sections(plain_blocks(text))
            for pieces in _pack(blocks, lambda block: list(self._pieces(block, language, limit)), limit)
        )

    def _pieces(self, block: Block, language: Language, limit: int) -> Iterator[_Piece]:
        """Yield the sentences or lines of a block; those over the limit in parts."""
        before = _first_separator(block)
        for start, end in self._units(block, language):
            for from_, to in self._within(block.text, start, end, limit, language):
                yield _Piece(block.text[from_:to], before)
                before = ""
                while to < end and block.text[to].isspace():
                    to += 1
                    before = " "
            gap = re.match(r"\s*", block.text[end : end + 200])
            before = _separator(gap[0] if gap else "")

    def _units(self, block: Block, language: Language) -> Iterator[tuple[int, int]]:
        if block.kind in _LINED:
            yield from (line.span() for line in re.finditer(r"[^\n]*\S", block.text))
        else:
            yield from ((span.start, span.end) for span in self._analysis.sentences(block.text, language))

    def _within(self, text: str, start: int, end: int, limit: int, language: Language) -> Iterator[tuple[int, int]]:
        """Splits [start, end) into parts of at most `limit` characters."""
        while end - start > limit:
            cut = start + self._cut_position(text[start : start + limit + 1], limit, language)
            yield start, start + len(text[start:cut].rstrip())
            start = cut
            while start < end and text[start].isspace():
                start += 1
        if start < end:
            yield start, end

    def _cut_position(self, text: str, limit: int, language: Language) -> int:
        """Return where to cut a text over the limit: behind a clause, before a word, else between characters."""
        least = limit // 2
        for pattern in (_CLAUSE_END, _SPACE):
            ends = [match.end() for match in pattern.finditer(text, least, limit)]
            if ends:
                return ends[-1]
        words = [token.start for token in self._analysis.tokens(text, language)]
        if words and least < words[-1] <= limit:
            return words[-1]
        cut = limit
        while cut > least and unicodedata.combining(text[cut]):
            cut -= 1
        return cut


@frozen
class _Piece:
    """A sentence or line. `before`: the separator from the piece before it. `block`: the whole block while its
    sentences are not needed: finding them takes most of the time.
    """

    text: str
    before: str
    block: Block | None = None


_Split = Callable[[Block], list[_Piece]]


def _whole(block: Block) -> _Piece | None:
    """A block as one piece, where it reads as its sentences do when they are joined."""
    text = block.text.strip()
    flat = text.replace("\n", " ")
    if block.kind in _LINED or " ".join(flat.split()) != flat:  # sentences are joined by a space or a line break
        return None
    return _Piece(text, _first_separator(block), block)


def _first_separator(block: Block) -> str:
    return "\n" if block.item else "\n\n"


def _separator(gap: str) -> str:
    return "\n" if "\n" in gap else " " if gap else ""


def _sections(blocks: Iterable[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield (heading path, blocks) of each section that is not empty."""
    path: list[Block] = []
    body: list[Block] = []
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            body.append(block)
            continue
        if body:
            yield _title(path), body
        elif path and block.level <= path[-1].level:
            yield _title(path), path[-1:]
        while path and path[-1].level >= block.level:
            path.pop()
        path.append(block)
        body = [block] if len(block.text) > MAX_HEADING else []
    if body or path:
        yield _title(path), body or path[-1:]


def _title(path: list[Block]) -> str:
    return " › ".join(truncate(heading.text, MAX_HEADING) for heading in path)


def _pack(blocks: Iterable[Block], split: _Split, limit: int) -> list[list[_Piece]]:
    """Packs the pieces of paragraphs into chunks; paragraphs are kept whole where they fit."""
    smallest = limit // _SMALLEST_SHARE
    chunks: list[list[_Piece]] = [[]]
    size = 0
    for block in blocks:
        whole = _whole(block)
        paragraph = [whole] if whole else split(block)
        length = _size(paragraph)
        if size >= smallest and size + length > limit:
            chunks.append([])
            size = 0
        if whole and not _fits(whole, size, limit):
            paragraph = split(block)
        for piece in paragraph:
            if not _fits(piece, size, limit):
                chunks.append([])
                size = 0
            size += len(piece.before) + len(piece.text) if size else len(piece.text)
            chunks[-1].append(piece)
    chunks = _without_small(chunks, limit, smallest)
    _fill_last(chunks, split, limit, smallest)
    return chunks


def _fits(piece: _Piece, size: int, limit: int) -> bool:
    """Whether a piece fits into a chunk that has this size so far."""
    return size + (len(piece.before) if size else 0) + len(piece.text) <= limit


def _without_small(chunks: list[list[_Piece]], limit: int, smallest: int) -> list[list[_Piece]]:
    """Merges small chunks with the one before where both fit into one."""
    kept: list[list[_Piece]] = []
    for chunk in filter(None, chunks):
        sizes = [_size(chunk), _size(kept[-1])] if kept else [limit]
        if min(sizes) < smallest and sum(sizes) <= limit:
            kept[-1] = kept[-1] + chunk
        else:
            kept.append(chunk)
    return kept


def _fill_last(chunks: list[list[_Piece]], split: _Split, limit: int, smallest: int) -> None:
    """Moves sentences from the last but one chunk to a last one that is too small."""
    while len(chunks) > 1 and _size(chunks[-1]) < smallest:
        *_, before, last = chunks
        if block := before[-1].block:
            before[-1:] = split(block)
        moved = before[-1:]
        if _size(before) - _size(moved) < smallest or _size(moved) + _size(last) > limit:
            return
        last.insert(0, before.pop())


def _size(pieces: list[_Piece]) -> int:
    return sum(len(piece.before) + len(piece.text) for piece in pieces)
