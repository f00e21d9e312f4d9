"""The contract of `TextAnalysis`.

Inherit `TextAnalysisContract` in a module with a fixture `analysis` of module scope.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.text_samples import (
    DIFFERENT_TERMS,
    NUMBERS,
    SAME_TERM,
    SENTENCES,
    STOP_WORDS,
    WORDS,
)

_MARKS: Final = (
    tuple(".,;:!?…«»“”„\"'’()。！？؟।「」-–%€😀\u00a0\u202f\u200b \n\t\x00\ud800\u2028ﷺßİ"),
    ("[1]", "[2,3]", "\r\n", "e\u0301", "1 000", "3,5", "M.", "z. B.", "U.S.", "l'"),
)
any_text: Final = st.one_of(
    st.text(st.characters(), max_size=200),  # lone surrogates included
    st.lists(st.sampled_from(_MARKS[0] + _MARKS[1]) | st.text(max_size=4), max_size=40).map("".join),
)
any_language: Final = st.sampled_from(Language)

LARGE_TEXTS: Final = ("a" * 1_000_000, "M. " * 300_000, "« " * 500_000, "1 000 " * 150_000, "😀a\ud800 " * 200_000)


def _sentences(analysis: TextAnalysis, text: str, language: Language) -> tuple[str, ...]:
    return tuple(span.of(text) for span in analysis.sentences(text, language))


class SentencesContract:
    @pytest.mark.parametrize("language", Language)
    def test_a_line_of_sentences_comes_apart_where_a_reader_pauses(
        self, analysis: TextAnalysis, language: Language
    ) -> None:
        space = "" if language in (Language.ZH, Language.JA) else " "
        assert _sentences(analysis, space.join(SENTENCES[language]), language) == SENTENCES[language]

    @pytest.mark.parametrize(
        ("language", "text", "expected"),
        [
            (Language.DE, "Es sind 30 Mio. Pfund im Jahr.", ("Es sind 30 Mio. Pfund im Jahr.",)),
            (Language.DE, "Es sind 30 Mio. Die Gebühr bleibt.", ("Es sind 30 Mio.", "Die Gebühr bleibt.")),
            (Language.EN, "It stays below 20 K. The pump stops.", ("It stays below 20 K.", "The pump stops.")),
            (Language.EN, "It stays below 20 K. Pumps stop then.", ("It stays below 20 K.", "Pumps stop then.")),
        ],
    )
    def test_a_unit_ends_a_sentence_and_an_abbreviated_number_does_not(
        self, analysis: TextAnalysis, language: Language, text: str, expected: tuple[str, ...]
    ) -> None:
        assert _sentences(analysis, text, language) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("It is so [1]. Next one.", ("It is so [1].", "Next one.")),
            ("It is so.[1][2] Next one.", ("It is so.[1][2]", "Next one.")),
            ("It is so. [1, 2] Next one.", ("It is so. [1, 2]", "Next one.")),
            ("Which one? [1] is a good source.", ("Which one?", "[1] is a good source.")),
        ],
    )
    def test_a_citation_stays_with_the_sentence_it_follows(
        self, analysis: TextAnalysis, text: str, expected: tuple[str, ...]
    ) -> None:
        assert _sentences(analysis, text, Language.EN) == expected

    @pytest.mark.parametrize(
        "text",
        [
            'He said "It rains. Let us go." to her.',
            "He said “It rains. Let us go.” to her.",
            "Open https://example.com/a.b?c=d!e for it.",
            "Version 3.5.1 of Node.js costs 12.50 euros.",
            "1. The first item of a list",
        ],
    )
    def test_quotations_addresses_and_figures_are_not_cut(self, analysis: TextAnalysis, text: str) -> None:
        assert _sentences(analysis, text, Language.EN) == (text,)

    def test_a_stop_word_after_an_initial_begins_a_sentence(self, analysis: TextAnalysis) -> None:
        assert _sentences(analysis, "Take vitamin C. The rest follows.", Language.EN) == (
            "Take vitamin C.",
            "The rest follows.",
        )

    def test_line_breaks_end_a_sentence(self, analysis: TextAnalysis) -> None:
        text = "A heading\n- an item\n- another item\r\nThe U.S.\nArmy"
        expected = ("A heading", "- an item", "- another item", "The U.S.", "Army")
        assert _sentences(analysis, text, Language.EN) == expected

    def test_a_long_thai_line_is_parted_at_spaces(self, analysis: TextAnalysis) -> None:
        clause = "ประเทศไทยมีประชากรมากกว่าหกสิบล้านคนและมีเมืองหลวงคือกรุงเทพมหานครซึ่งเป็นเมืองใหญ่ที่สุด"
        assert _sentences(analysis, f"{clause} {clause} {clause}", Language.TH) == (clause,) * 3

    @given(text=any_text, language=any_language)
    def test_any_text_has_ordered_sentences_that_lose_nothing(
        self, analysis: TextAnalysis, text: str, language: Language
    ) -> None:
        spans = analysis.sentences(text, language)
        end = 0
        for span in spans:
            assert end <= span.start < span.end <= len(text)
            assert not text[end : span.start].strip()
            assert span.of(text) == span.of(text).strip()
            end = span.end
        assert not text[end:].strip()


class WordsContract:
    @pytest.mark.parametrize("language", Language)
    def test_forms_of_a_word_meet_in_one_term(self, analysis: TextAnalysis, language: Language) -> None:
        for forms in SAME_TERM[language]:
            assert len({analysis.terms(form, language) for form in forms}) == 1, forms

    @pytest.mark.parametrize(("language", "one", "other"), DIFFERENT_TERMS)
    def test_accents_that_make_another_word_stay(
        self, analysis: TextAnalysis, language: Language, one: str, other: str
    ) -> None:
        assert analysis.tokens(one, language)[0].term != analysis.tokens(other, language)[0].term

    @pytest.mark.parametrize(("language", "written", "term"), NUMBERS)
    def test_a_number_is_one_token_with_one_spelling(
        self, analysis: TextAnalysis, language: Language, written: str, term: str
    ) -> None:
        (token,) = analysis.tokens(f" {written} ", language)
        assert (token.text, token.term, token.stop) == (written, term, False)

    @pytest.mark.parametrize(("language", "text", "words"), WORDS)
    def test_words_are_what_a_reader_counts(
        self, analysis: TextAnalysis, language: Language, text: str, words: tuple[str, ...]
    ) -> None:
        assert tuple(token.text for token in analysis.tokens(text, language)) == words

    @pytest.mark.parametrize("language", Language)
    def test_stop_words_are_tokens_but_no_terms(self, analysis: TextAnalysis, language: Language) -> None:
        (token,) = analysis.tokens(STOP_WORDS[language], language)
        assert token.stop
        assert analysis.terms(STOP_WORDS[language], language) == ()

    def test_words_that_carry_a_topic_are_no_stop_words(self, analysis: TextAnalysis) -> None:
        assert len(analysis.terms("home system information problem IT", Language.EN)) == 5

    @given(text=any_text, language=any_language)
    def test_any_text_has_ordered_exact_tokens(self, analysis: TextAnalysis, text: str, language: Language) -> None:
        end = 0
        for token in analysis.tokens(text, language):
            assert end <= token.span.start < token.span.end <= len(text)
            assert token.text == token.span.of(text)
            assert token.term
            assert not any(c.isspace() for c in token.term)
            end = token.span.end

    @given(text=any_text, language=any_language)
    def test_terms_are_those_of_the_tokens_that_are_no_stop_words(
        self, analysis: TextAnalysis, text: str, language: Language
    ) -> None:
        expected = tuple(token.term for token in analysis.tokens(text, language) if not token.stop)
        assert analysis.terms(text, language) == expected

    @given(text=any_text, language=any_language)
    def test_every_letter_of_a_text_is_in_a_token(self, analysis: TextAnalysis, text: str, language: Language) -> None:
        in_tokens = sum(sum(c.isalpha() for c in token.text) for token in analysis.tokens(text, language))
        assert in_tokens == sum(c.isalpha() for c in text)


class TextAnalysisContract(SentencesContract, WordsContract):
    @pytest.mark.parametrize("text", LARGE_TEXTS, ids=lambda text: repr(text[:4]))
    def test_a_megabyte_of_anything_is_read(self, analysis: TextAnalysis, text: str) -> None:
        assert all(len(term) <= 200 for term in analysis.terms(text, Language.FR))
        assert analysis.sentences(text, Language.FR)

    def test_threads_see_what_one_thread_sees(self, analysis: TextAnalysis) -> None:
        jobs = [(" ".join(SENTENCES[language]) + f" {n}", language) for n in range(20) for language in Language]
        alone = [analysis.terms(text, language) for text, language in jobs]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda job: analysis.terms(*job), jobs))
        assert together == alone
