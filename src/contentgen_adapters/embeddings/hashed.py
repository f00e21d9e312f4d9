"""The embedded default: hashed n-grams. No model, no download, the same vector on every machine."""

from __future__ import annotations

import asyncio
import hashlib
import re
import unicodedata
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from contentgen_adapters.shared.text.stop_words import stop_words
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import Vector

DIMENSION: Final = 384
SPACE: Final = f"hashed-ngrams-v2-{DIMENSION}"
MAX_CHARACTERS: Final = 20_000
"""Of each text; the rest is ignored."""

_WEIGHT: Final = 0.25
_BLOCK_CHARACTERS: Final = 25_000  # of one pass: about 6 MB of working memory, which fits into the CPU's caches
_INLINE_CHARACTERS: Final = 4_000  # below this a thread costs more than the work
_GRAM_SIZES: Final = (3, 4, 5)
_WORD_WEIGHT: Final = 2.0  # a word is one feature beside some 15 n-grams inside it, and more distinctive than each
_NO_SPACES: Final = 0x2E80  # from here on (Han, kana) one or two characters count as a word
_SPACE: Final = 32
_SEVERAL_WORDS: Final = re.compile(r"[\s'’\-.]")

_U64 = np.uint64
_ODD_A: Final = _U64(0x9E3779B97F4A7C15)
_ODD_B: Final = _U64(0xBF58476D1CE4E5B9)
_ODD_C: Final = _U64(0x94D049BB133111EB)

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Positions = NDArray[np.intp]


class HashedEmbedder:
    """The embedder port over spelling, without a model.

    Words and their character n-grams (3 to 5, word boundaries included) are hashed with signs into 384 dimensions
    (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"), each feature weighted 1 + ln(tf),
    and the sum is scaled to unit length. Stop words of all 28 languages are dropped where other words remain: a
    substitute for idf weights, which would change with the knowledge base. Nearness means shared spelling.
    """

    @property
    def model(self) -> str:
        """The name of the vector space; it ends with a digest of the stop words, which the vectors depend on."""
        return f"{SPACE}-{_stop_digest()}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def embedding_weight(self) -> float:
        return _WEIGHT

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """Return one vector of unit length per text, in order; a text without letters or digits gets a fixed one.
        `kind` makes no difference here.
        """
        del kind
        if sum(map(len, texts)) <= _INLINE_CHARACTERS:
            return _embed(texts)
        return await asyncio.to_thread(_embed, texts)


def _embed(texts: Sequence[str]) -> list[Vector]:
    vectors: list[Vector] = []
    block: list[Codes] = []
    size = 0
    for text in texts:
        codes = _without_stop_words(text)
        if block and size + codes.size > _BLOCK_CHARACTERS:
            vectors += _vectors(block)
            block, size = [], 0
        block.append(codes)
        size += codes.size
    return vectors + _vectors(block) if block else vectors


def _without_stop_words(text: str) -> Codes:
    """Return the normalised codes of a text without its stop words, or all codes if it has no other words."""
    codes = _normalised_codes(text)
    starts, hashes = _word_hashes(codes)
    stop = _is_member(hashes, _stop_hashes())
    if not stop.any() or stop.all():
        return codes
    lengths = np.diff(np.append(starts, codes.size))  # each word with the space behind it
    dropped = np.concatenate(([False], np.repeat(stop, lengths)))
    kept: Codes = codes[~dropped]
    return kept


def _is_member(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Whether each hash is in `known`, which is sorted: binary search takes a hundredth of the time of `np.isin`, which
    sorts both arrays each time."""
    positions = np.minimum(np.searchsorted(known, hashes), known.size - 1)
    found: NDArray[np.bool_] = known[positions] == hashes
    return found


@cache
def _stop_list() -> tuple[str, ...]:
    """The stop words of all languages that are a single word after normalisation (`l'un` is two)."""
    words = frozenset[str]().union(*map(stop_words, Language))
    return tuple(sorted(word for word in words if not _SEVERAL_WORDS.search(word)))


@cache
def _stop_digest() -> str:
    return hashlib.sha256("\n".join(_stop_list()).encode()).hexdigest()[:8]


@cache
def _stop_hashes() -> Hashes:
    # Some of them twice: `np.unique` would import all of numpy's masked arrays first, a quarter of a second.
    return np.sort(_word_hashes(_normalised_codes(" ".join(_stop_list()), most=None))[1])


def _normalised_codes(text: str, most: int | None = MAX_CHARACTERS) -> Codes:
    """The text's code points, case folded and without accents, between two spaces. Each run of characters that are not
    letters, marks or digits is one space; characters beyond the Basic Multilingual Plane count as letters."""
    cut = text[:most]
    if not cut.isascii():
        # NFKD unifies the same characters as NFKC, and separates the accents, which are dropped below.
        cut = unicodedata.normalize("NFKD", cut)
    codes = np.frombuffer(cut.casefold().encode("utf-32-le", "replace"), dtype="<u4")
    classes = _classes()[np.minimum(codes, 0xFFFF)]
    kept = np.where(classes == 1, codes, _SPACE)[classes != 2]
    padded = np.concatenate(([_SPACE], kept, [_SPACE])).astype(np.uint32)
    spaces = padded == _SPACE
    single: Codes = padded[~(spaces & np.roll(spaces, 1)) | (np.arange(padded.size) == 0)]
    return single


@cache
def _classes() -> NDArray[np.uint8]:
    """Return the class of each code point of the Basic Multilingual Plane: 0 separator, 1 letter or digit, 2 dropped
    (accent, point).
    """
    table = np.zeros(0x10000, dtype=np.uint8)
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        table[code] = 1 if category[0] in "LMN" else 0
    for first, last in ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x200B, 0x200F)):
        table[first : last + 1] = 2
    table[0x00AD] = 2
    table[0xFFFF] = 1
    return table


def _vectors(block: Sequence[Codes]) -> list[Vector]:
    """The vectors of several texts, computed in one pass over all their characters."""
    codes = np.concatenate(block)
    owners = np.repeat(np.arange(len(block), dtype=np.uint64), [c.size for c in block])
    spaces = codes == _SPACE
    hashes, weights, owner = [], [], []
    for found, positions, weight in (*_grams(codes, spaces), *_words(codes)):
        hashes.append(found)
        owner.append(owners[positions])
        weights.append(np.full(found.size, weight, dtype=np.float32))
    sums = _sum_features(np.concatenate(hashes), np.concatenate(owner), np.concatenate(weights), len(block))
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    empty = norms[:, 0] < 1e-9
    sums[empty, 0], norms[empty] = 1.0, 1.0
    return [array("f", row.tobytes()) for row in (sums / norms).astype(np.float32)]


def _grams(codes: Codes, spaces: NDArray[np.bool_]) -> list[tuple[Hashes, Positions, float]]:
    """Return windows of 3 to 5 characters that have no space inside (a space at either end is a word boundary); in
    scripts without spaces also single characters and pairs.
    """
    wide = codes.astype(np.uint64)
    dense = codes >= _NO_SPACES
    rolling, inner, found = wide, np.zeros(codes.size, dtype=bool), []
    ones = np.flatnonzero(dense)
    found.append((_mix_bits(wide[ones] + _U64(1)), ones, 1.0))
    for size in range(2, max(_GRAM_SIZES) + 1):
        if codes.size < size:
            break
        end = codes.size - size + 1
        rolling = rolling[:end] * _ODD_A + wide[size - 1 :]
        if size > 2:
            # the window grew by one: its last but one character is now an inner one
            inner = inner[:end] | spaces[size - 2 : size - 2 + end]
        whole = ~inner[:end] if size > 2 else dense[:end] & dense[1:]
        positions = np.flatnonzero(whole)
        found.append((_mix_bits(rolling[positions] + _U64(size)), positions, 1.0))
    return found


def _words(codes: Codes) -> list[tuple[Hashes, Positions, float]]:
    """Runs of characters between spaces."""
    starts, hashes = _word_hashes(codes)
    return [(hashes, starts, _WORD_WEIGHT)] if starts.size else []


def _word_hashes(codes: Codes) -> tuple[Positions, Hashes]:
    """Return where each word starts, and its hash, which depends on its characters and their positions in it."""
    spaces = codes == _SPACE
    starts: Positions = np.flatnonzero(spaces[:-1] & ~spaces[1:]) + 1
    if not starts.size:
        return starts, np.zeros(0, dtype=np.uint64)
    nearest_start = np.zeros(codes.size, dtype=np.intp)
    nearest_start[starts] = starts
    offset = np.arange(codes.size) - np.maximum.accumulate(nearest_start)
    letters = _mix_bits(codes.astype(np.uint64) + offset.astype(np.uint64) * _ODD_C)
    letters[spaces] = 0
    return starts, _mix_bits(np.add.reduceat(letters, starts))


def _mix_bits(values: Hashes) -> Hashes:
    """Mixes the bits of each value (the finaliser of splitmix64, Steele et al. 2014)."""
    values = (values ^ (values >> _U64(30))) * _ODD_B
    values = (values ^ (values >> _U64(27))) * _ODD_C
    mixed: Hashes = values ^ (values >> _U64(31))
    return mixed


def _sum_features(hashes: Hashes, owners: Hashes, weights: NDArray[np.float32], texts: int) -> NDArray[np.float64]:
    """Counts the features of each text, then adds weight · (1 + ln(tf)) · sign of each to its dimension."""
    heavy = weights > 1.0
    # Keys of the text (20 bits), the hash (43 bits) and whether it is a word: one sort groups equal features.
    keys = (owners << _U64(44)) | ((hashes >> _U64(21)) << _U64(1)) | heavy
    keys.sort()
    first = np.flatnonzero(np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1])))  # also right for no features
    counts = np.diff(np.append(first, keys.size))
    keys = keys[first]
    feature = (keys >> _U64(1)) & _U64((1 << 43) - 1)
    sign = np.where(feature & _U64(1), 1.0, -1.0)
    weight = np.where(keys & _U64(1), _WORD_WEIGHT, 1.0) * (1.0 + np.log(counts)) * sign
    cell = (keys >> _U64(44)) * _U64(DIMENSION) + (feature >> _U64(1)) % _U64(DIMENSION)
    summed = np.bincount(cell.astype(np.intp), weight, minlength=texts * DIMENSION)
    return summed.astype(np.float64).reshape(texts, DIMENSION)
