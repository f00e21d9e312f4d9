"""How values are stored and found: JSON, words, and the plans of the queries that every request waits for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.words import LONGEST_WORD, MOST_BYTES, indexed_words, prefix_query, words
from contentgen_core.model.article import ArticleSource, Usage
from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.grounding import Grounding, SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage

st.register_type_strategy(datetime, st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(str, st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
st.register_type_strategy(SourceRef, st.builds(SourceRef, st.text(max_size=40), st.integers(0, 2**31 - 1)))


class TestJson:
    @pytest.mark.parametrize(
        "kind",
        [
            ArticlePlan,
            Grounding,
            SectionDraft,
            Usage,
            tuple[ArticleSource, ...],
            tuple[RankedPassage, ...],
        ],
        ids=str,
    )
    def test_every_value_reads_back_as_it_was_written(self, kind: Any) -> None:
        @given(st.from_type(kind))
        def reads_back(value: object) -> None:
            assert loads(dumps(value, kind), kind) == value

        reads_back()

    def test_absent_values_of_later_versions_take_their_defaults(self) -> None:
        assert loads('{"title": "Wind"}', ArticlePlan) == ArticlePlan("Wind")

    def test_a_source_from_before_authors_were_read_still_loads(self) -> None:
        old = '[{"number": 1, "title": "Wind", "parent_id": "d", "chunk_index": 0}]'
        assert loads(old, tuple[ArticleSource, ...]) == (ArticleSource(1, "Wind", DocumentId("d"), 0),)

    def test_a_receipt_from_before_copied_runs_were_counted_still_loads(self) -> None:
        shares = ("citation_validity", "citation_recall", "citation_precision", "quote_match", "fact_match")
        totals = dict.fromkeys(shares, 1.0) | {"sentences": 1, "longest_verbatim_run": 7}
        sentence = {"text": "It heats.", "citations": [1], "verdict": "supported"}
        old = json.dumps({"level": "full", "totals": totals, "sentences": [sentence]})
        grounding: Grounding = loads(old, Grounding)
        assert grounding.totals.copied_8grams is None
        assert grounding.sentences == (SentenceReceipt("It heats.", (1,), Verdict.SUPPORTED),)


class TestWords:
    @given(st.text(), st.text())
    def test_words_are_bounded_and_each_comes_once(self, title: str, content: str) -> None:
        found = indexed_words(title, content)
        assert len(set(found)) == len(found)
        assert all(0 < len(word) <= LONGEST_WORD for word in found)
        assert sum(len(word.encode()) for word in found) <= MOST_BYTES

    def test_a_text_with_too_many_different_words_keeps_the_first(self) -> None:
        found = indexed_words("Title", " ".join(f"word{n:07}" for n in range(100_000)))
        assert found[:2] == ["title", "word0000000"]
        assert MOST_BYTES - 20 < sum(map(len, found)) <= MOST_BYTES

    @given(st.text())
    @example("it's 'quoted' \\ & | ! ( ) <-> :* \0")
    def test_a_query_never_breaks_out_of_its_quotes(self, search: str) -> None:
        query = prefix_query(search)
        parts = [] if query is None else query.split(" & ")
        assert len(parts) == min(20, len(words(search)))
        for part in parts:
            assert part.startswith("'")
            assert part.endswith("':*")
            assert not {"'", "\\"} & set(part[1:-3])

    @given(st.lists(st.text(st.characters(categories=["L", "N", "P", "S", "Z"]), max_size=30), max_size=25))
    def test_postgres_takes_every_query(self, postgres_server: str, searches: list[str]) -> None:
        with psycopg.connect(postgres_server) as connection:
            for search in searches:
                found = connection.execute(
                    "SELECT array_to_tsvector(%s::text[]) @@ %s::tsquery", (words(search), prefix_query(search) or "")
                ).fetchone()
                assert found == (bool(words(search)),)


class TestKeys:
    @given(st.text())
    def test_any_text_has_a_digest(self, text: str) -> None:
        assert len(digest(text)) == 32

    @given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
    def test_a_key_that_a_row_can_hold_is_searched_as_it_is(self, key: str) -> None:
        assert findable(key) == key

    @given(st.text(), st.sampled_from(["\0", "\ud800", "\udfff"]), st.text())
    def test_a_key_that_no_row_can_hold_finds_nothing(self, before: str, alien: str, after: str) -> None:
        assert findable(before + alien + after) is None
