"""Makes the figures by which languages are told, from py3langid's model: `python -m tests.ngram_figures`.

That package has an automaton over the n-grams of 140 languages, whose states are their beginnings. Kept are the n-grams
themselves and the columns of the languages that are told apart by them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from contentgen_adapters.text import ngram_classifier
from contentgen_adapters.text.ngram_classifier import LENGTH_SHIFT

LATIN = ("fr", "en", "es", "de", "it", "pt", "nl", "pl", "sv", "no", "nn", "da", "fi", "cs", "hu", "ro", "tr",
         "vi", "id")  # fmt: skip
FILE = Path(ngram_classifier.__file__).with_suffix(".npz")


def theirs() -> LanguageIdentifier:
    """py3langid's own classifier, of our languages."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(LATIN)
    return identifier


def figures(identifier: LanguageIdentifier) -> dict[str, NDArray[Any]]:
    """What the file has: codes and priors of languages, keys of n-grams in their order, and each one's row among the
    different rows of log-probabilities."""
    keys = _keys(identifier)
    features = np.array(identifier.tk_output, np.intp)
    # A state that is no n-gram itself has the longest one that it ends with; the n-gram's own state is the shortest.
    states = np.flatnonzero(features >= 0)
    states = states[np.argsort(keys[states])]
    _, shortest = np.unique(features[states], return_index=True)
    states = states[np.sort(shortest)]
    rows, row_of_feature = np.unique(identifier.nb_ptc, axis=0, return_inverse=True)
    return {
        "languages": np.array(identifier.nb_classes),
        "priors": identifier.nb_pc,
        "keys": keys[states],
        "rows": row_of_feature.ravel()[features[states]].astype(np.uint16),
        "log_probabilities": rows,
    }


def _keys(identifier: LanguageIdentifier) -> NDArray[np.uint64]:
    """Of the bytes that each state of the automaton stands for: those on the shortest way to it."""
    following = np.frombuffer(identifier.tk_nextmove, identifier.tk_nextmove.typecode).reshape(-1, 256)
    rows = np.array(identifier.tk_row, np.intp)
    keys, lengths = np.zeros(len(rows), np.uint64), np.full(len(rows), -1)
    lengths[0], last = 0, np.zeros(1, np.intp)
    while len(last):
        after = following[rows[last]]
        before, byte = np.nonzero(lengths[after] < 0)
        states = after[before, byte].astype(np.intp)
        keys[states] = keys[last[before]] << np.uint64(8) | byte.astype(np.uint64)
        lengths[states] = lengths[last[0]] + 1
        last = states
    return keys | lengths.astype(np.uint64) << np.uint64(LENGTH_SHIFT)


if __name__ == "__main__":
    with FILE.open("wb") as file:
        np.savez_compressed(file, **figures(theirs()))
