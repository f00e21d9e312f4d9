"""Where a claim's terms are found, and how much two sentences have in common, against their definitions."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.claim import Claim
from contentgen_core.policies.grounding.evidence import ParsedPassage, windows_of
from contentgen_core.policies.grounding.polarity import SAME_SENTENCE, Polarity, beginnings, is_recast, likeness
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
WORDS = st.sampled_from(
    ["heat", "heated", "heating", "pumps", "not", "efficiency", "efficient", "the", "cost", "costly"]
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=10).map(lambda words: " ".join(words).capitalize() + ".")


@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=5))
def test_a_window_has_what_is_best_in_its_sentences_or_its_head(text: str, sentences: list[str]) -> None:
    source = ParsedPassage.read(passage(kb_document(title="Efficient heating"), " ".join(sentences)), ANALYSIS, EN)
    claim = Claim.read(text, [source], ANALYSIS, EN)
    found = claim.found[source.passage.ref]
    for window in reversed(windows_of(source)):
        rows = (found.head, *found.sentences[window.first : window.first + window.length])
        assert claim.within(window) == tuple(map(max, zip(*rows, strict=True)))


@given(WORDS, st.frozensets(WORDS))
def test_a_term_is_like_those_that_begin_like_it(term: str, others: frozenset[str]) -> None:
    shares = {7: 0.9, 6: 0.8, 5: 0.6}
    alike = [share for n, share in shares.items() if len(term) >= n and any(o[:n] == term[:n] for o in others)]
    assert likeness(term, others, beginnings(others)) == (1.0 if term in others else max(alike, default=0.0))


@given(SENTENCES, SENTENCES)
def test_sentences_are_one_where_most_of_their_words_are(one: str, other: str) -> None:
    ours, theirs = (Counter(text.rstrip(".").lower().split()) - Counter({"not": 99}) for text in (one, other))
    common = (ours & theirs).total() / max(1, ours.total(), theirs.total())
    read = [Polarity(ANALYSIS.tokens(text, EN), EN) for text in (one, other)]
    assert is_recast(*read) is (common >= SAME_SENTENCE)
