"""Languages are told as py3langid tells them, whose figures these are."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from py3langid.langid import LanguageIdentifier, visit_counts

from contentgen_adapters.text.ngram_classifier import LENGTH_SHIFT, NgramClassifier, load
from contentgen_core.testing.text_samples import SENTENCES
from tests import ngram_figures

TEXTS = (
    st.text(max_size=300)
    | st.text("aeinrst ", max_size=300)
    | st.lists(st.sampled_from([sentence for of_one in SENTENCES.values() for sentence in of_one]), max_size=40).map(
        " ".join
    )
)
NEAR = 1e-3  # of a score, and more than its sums can lose when they are added up in another order


@cache
def classifiers() -> tuple[NgramClassifier, LanguageIdentifier]:
    """Ours, and the library's."""
    return load(), ngram_figures.theirs()


@given(TEXTS)
def test_a_text_has_the_language_that_the_library_tells(text: str) -> None:
    ours, theirs = classifiers()
    read = theirs._encode(text)
    if not visit_counts(theirs.tk_nextmove, theirs._rowbase, theirs.tk_output, read):
        assert ours.classify(text) == ours.languages[int(ours.priors.argmax())]
        return
    expected = theirs._raw_score(read)
    assert ours.scores(read) == pytest.approx(expected, rel=1e-4)
    second, first = np.sort(expected)[-2:]
    if first - second > abs(first) * NEAR:
        assert ours.classify(text) == theirs.classify(text)[0]


@given(st.binary(max_size=300) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_the_longest_ngrams_are_what_the_librarys_automaton_finds(text: bytes) -> None:
    ours, theirs = classifiers()
    found = [ours.rows[place] for place in ours.ngrams(text) if place >= 0]
    walked = visit_counts(theirs.tk_nextmove, theirs._rowbase, theirs.tk_output, text) or Counter()
    probabilities = [tuple(row) for row in ours.log_probabilities[found].tolist()]
    expected = [tuple(row) for row in theirs.nb_ptc[list(walked.elements())].astype(np.float32).tolist()]
    assert sorted(probabilities) == sorted(expected)


@given(st.data())
def test_an_ngram_of_the_model_is_found_where_it_ends(data: st.DataObject) -> None:
    ours, _ = classifiers()
    key = int(ours.keys[data.draw(st.integers(0, len(ours.keys) - 1))])
    ngram = (key & (1 << LENGTH_SHIFT) - 1).to_bytes(key >> LENGTH_SHIFT, "big")
    before = data.draw(st.binary(max_size=5))
    longest = int(ours.keys[ours.ngrams(before + ngram)[-1]])
    read = (longest & (1 << LENGTH_SHIFT) - 1).to_bytes(longest >> LENGTH_SHIFT, "big")
    assert (before + ngram).endswith(read)
    assert len(read) >= len(ngram)


def test_the_file_is_what_is_made_of_the_librarys_model() -> None:
    _, theirs = classifiers()
    made = ngram_figures.figures(theirs)
    with np.load(ngram_figures.FILE) as stored:
        assert sorted(stored) == sorted(made)
        for name, values in made.items():
            assert stored[name].dtype == values.dtype
            assert np.array_equal(stored[name], values)
