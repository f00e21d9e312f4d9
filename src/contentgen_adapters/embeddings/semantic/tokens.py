"""Text as ids of the model's pieces: the Unigram tokenizer of XLM-RoBERTa (Kudo 2018, "Subword Regularization").

A text is normalised and cut at spaces; each word is the sequence of pieces with the highest product of chances.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from contentgen_adapters.embeddings.semantic.weights import WINDOW, Vocabulary

START: Final = 0
END: Final = 2
UNKNOWN: Final = 3

_SPECIAL: Final = frozenset({"<s>", "<pad>", "</s>", "<unk>", "<mask>"})  # a text cannot spell them
_SPACE: Final = "▁"
_REMEMBERED: Final = 20_000  # words; some 8 MB
_LONGEST_REMEMBERED: Final = 24
_AT_ONCE: Final = 2_000  # characters of one search: a run without a space may be a whole text in Chinese
_UNKNOWN_PENALTY: Final = 10.0
_SPACES: Final = re.compile(r"\s+")


class Tokenizer:
    """Thread-safe. `vocabulary`: its pieces have the mark of a space at their start only."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        pieces = vocabulary.pieces
        self._ids = {piece: i for i, piece in enumerate(pieces) if piece not in _SPECIAL}
        self._scores = vocabulary.scores.tolist()
        self._longest = max(map(len, self._ids))
        self._unknown = min(self._scores) - _UNKNOWN_PENALTY
        self._characters = vocabulary.characters
        self._remembered = lru_cache(_REMEMBERED)(self._best_pieces)

    def ids(self, text: str, most: int = WINDOW) -> list[int]:
        """Return the ids of a text, without those of start and end, cut after `most`."""
        found = [START]
        for part in _parts(unicodedata.normalize("NFC", text).translate(self._characters)):
            if len(found) >= most - 1:
                break
            found += self._remembered(part) if len(part) <= _LONGEST_REMEMBERED else self._best_pieces(part)
        del found[most - 1 :]
        found.append(END)
        return found

    def _best_pieces(self, word: str) -> tuple[int, ...]:
        """Return the best sequence of pieces; characters that no piece has are unknown, a run of them once."""
        ids, scores, size = self._ids, self._scores, len(word)
        best = [float("-inf")] * (size + 1)
        best[0] = 0.0
        piece, origin = [UNKNOWN] * (size + 1), [0] * (size + 1)
        for start in range(size):
            score = best[start]
            for end in range(start + 1, min(size, start + self._longest) + 1):
                found = ids.get(word[start:end])
                if found is not None and score + scores[found] > best[end]:
                    best[end], piece[end], origin[end] = score + scores[found], found, start
            if score + self._unknown > best[start + 1]:
                best[start + 1], piece[start + 1], origin[start + 1] = score + self._unknown, UNKNOWN, start
        chosen: list[int] = []
        while size:
            if piece[size] != UNKNOWN or not chosen or chosen[-1] != UNKNOWN:
                chosen.append(piece[size])
            size = origin[size]
        return tuple(reversed(chosen))


def _parts(text: str) -> Iterator[str]:
    """The words of a text, each with the mark of a space before it; a very long one in several parts."""
    for word in _SPACES.split(text.strip()):
        for at in range(0, len(word), _AT_ONCE):
            yield word[at : at + _AT_ONCE] if at else _SPACE + word[:_AT_ONCE]
