"""Languages are told as py3langid tells them, whichever way its automaton is walked."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier, visit_counts

from contentgen_adapters.text import langid
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.text_samples import SENTENCES

LANGUAGES: Final = ("fr", "en", "es", "de", "it", "pt", "nl", "no", "nn", "da", "sv", "ro", "vi", "id")
TEXTS: Final = (
    st.text(max_size=300)
    | st.text("aeinrst ", max_size=300)
    | st.lists(st.sampled_from([sentence for of_one in SENTENCES.values() for sentence in of_one]), max_size=40).map(
        " ".join
    )
)


@cache
def identifiers() -> tuple[langid.Identifier, LanguageIdentifier]:
    """Ours, and the library's."""
    theirs = LanguageIdentifier.from_model_file(MODEL_FILE)
    theirs.set_languages(list(LANGUAGES))
    return langid.identifier(LANGUAGES), theirs


@given(TEXTS)
@settings(deadline=None)
def test_a_text_has_the_language_that_the_library_tells(text: str) -> None:
    ours, theirs = identifiers()
    (code, score), (expected, expected_score) = ours.classify(text), theirs.classify(text)
    assert code == expected
    assert score == pytest.approx(expected_score, rel=1e-4)


@given(st.binary(max_size=300) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(deadline=None)
def test_all_bytes_at_once_visit_the_states_that_a_walk_visits(text: bytes) -> None:
    ours, theirs = identifiers()
    features = ours._feature[ours._states(text)]
    walked = visit_counts(theirs.tk_nextmove, theirs._rowbase, theirs.tk_output, text)
    assert Counter(features[features >= 0].tolist()) == (walked or Counter())


def test_where_two_languages_are_as_likely_the_librarys_own_sums_decide() -> None:
    ours, _ = identifiers()
    text = SENTENCES[Language.EN][0]
    with patch.object(langid, "_ROUNDING", float("inf")):
        assert ours.classify(text) == LanguageIdentifier.classify(ours, text)
