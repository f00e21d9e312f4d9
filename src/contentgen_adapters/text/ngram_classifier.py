"""Which language a text in Latin script is in: naive Bayes over its byte n-grams, with the figures of langid's model.

`ngram_classifier.npz` has them for our languages alone; `python -m tests.ngram_figures` makes it from the package
py3langid, whose licence is in `ngram_classifier.LICENSE`. At each byte of a text the longest n-gram of the model that
ends there counts, and a language's score is the sum of its log-probabilities, each times log(1 + occurrences) (Lui and
Baldwin, "langid.py: An Off-the-shelf Language Identification Tool", ACL 2012; the damped counts are py3langid's).
"""

from __future__ import annotations

import unicodedata
from importlib import resources
from typing import Any, Final

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

LONGEST: Final = 6
"""Bytes of an n-gram, at most."""
LENGTH_SHIFT: Final = 48
"""Bits of an n-gram's bytes in its key, most significant byte first; its length stands above them."""

_HASH_BITS: Final = 18  # two to four places for each of 100,000 n-grams
_HASH_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio (Knuth, TAOCP 3, 6.4)
_LENGTHS: Final = np.arange(1, LONGEST + 1, dtype=np.uint64)[:, np.newaxis]


@frozen(eq=False)
class NgramClassifier:
    """`languages`: codes, n of them.

    `priors`: their log-probabilities, shape (n,).
    `keys`: of the n-grams, in the order of their hashes, shape (m,).
    `begins`: where in `keys` each hash begins, and where the last one ends.
    `rows`: which of `log_probabilities`, shape (r, n), are those of each n-gram, shape (m,).
    """

    languages: tuple[str, ...]
    priors: NDArray[np.float32]
    keys: NDArray[np.uint64]
    begins: NDArray[np.intp]
    rows: NDArray[np.uint16]
    log_probabilities: NDArray[np.float32]

    def classify(self, text: str) -> str:
        """Return the most likely language's code, or the one of the highest prior if none of the text's n-grams is
        known. Raises UnicodeEncodeError for lone surrogates.
        """
        if text.isupper():
            text = text.lower()
        scores = self.scores(unicodedata.normalize("NFC", text).encode())
        return self.languages[int(scores.argmax())]

    def scores(self, text: bytes) -> NDArray[np.float32]:
        """The logarithm of how likely each language is, but for a constant, shape (n,)."""
        ngrams = self.ngrams(text)
        ngrams = np.sort(ngrams[ngrams >= 0])
        firsts = np.flatnonzero(np.diff(ngrams, prepend=-1))
        counts = np.diff(firsts, append=len(ngrams)).astype(np.float32)
        likely: NDArray[np.float32] = np.log1p(counts) @ self.log_probabilities.take(self.rows[ngrams[firsts]], axis=0)
        return likely + self.priors

    def ngrams(self, text: bytes) -> NDArray[np.intp]:
        """Return for each byte the longest n-gram that ends there, as its place in `keys`, or -1; shape (bytes,)."""
        size = len(text)
        read = np.zeros(LONGEST + size, np.uint64)
        read[LONGEST:] = np.frombuffer(text, np.uint8)
        keys = np.empty((LONGEST, size), np.uint64)
        keys[0] = ending = read[LONGEST:]
        for length in range(2, LONGEST + 1):
            ending = ending | read[LONGEST + 1 - length : size + LONGEST + 1 - length] << np.uint64(8 * (length - 1))
            keys[length - 1] = ending
        keys |= _LENGTHS << np.uint64(LENGTH_SHIFT)
        found = self._find(keys.ravel()).reshape(keys.shape)
        longest: NDArray[np.intp] = found[0]
        for length in range(2, LONGEST + 1):
            enough = found[length - 1, length - 1 :]  # not what would begin before the text
            longest[length - 1 :] = np.where(enough >= 0, enough, longest[length - 1 :])
        return longest

    def _find(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return the position of each key in `self.keys`, or -1."""
        hashes = hashes_of(keys)
        places, ends = self.begins.take(hashes), self.begins.take(hashes + 1)
        found = np.full(len(keys), -1, np.intp)
        left = np.flatnonzero(places < ends)
        while len(left):
            place = places[left]
            same = self.keys.take(place) == keys[left]
            found[left[same]] = place[same]
            left = left[~same & (place + 1 < ends[left])]
            places[left] += 1
        return found


def hashes_of(keys: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Hash the keys of n-grams to 0 to 2**18 - 1 (multiplicative hashing)."""
    return ((keys * _HASH_FACTOR) >> np.uint64(64 - _HASH_BITS)).astype(np.intp)


def load() -> NgramClassifier:
    """Load the classifier from this package's file; takes some 30 ms."""
    with resources.files(__package__).joinpath("ngram_classifier.npz").open("rb") as file, np.load(file) as stored:
        figures: dict[str, Any] = dict(stored)
    hashes = hashes_of(figures["keys"])
    order = np.argsort(hashes, kind="stable")
    return NgramClassifier(
        tuple(figures["languages"].tolist()),
        figures["priors"],
        figures["keys"][order],
        np.searchsorted(hashes[order], np.arange((1 << _HASH_BITS) + 1)),
        figures["rows"][order],
        figures["log_probabilities"].astype(np.float32),
    )
