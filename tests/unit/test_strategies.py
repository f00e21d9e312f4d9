"""What the strategies make keeps the domain's own rules."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given

from contentgen_core.model.article import Article
from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.policies.topics.validation import check_keywords, check_topic, topic_key
from contentgen_core.testing import strategies


@given(strategies.topics())
def test_topics_pass_the_rules_on_topics(topic: str) -> None:
    assert check_topic(topic)


@given(strategies.articles())
def test_articles_have_sound_ids_briefs_and_keys(article: Article) -> None:
    assert UUID(article.id).version == 7
    assert article.topic_key == topic_key(article.brief.topic) != ""
    assert check_topic(article.brief.topic)
    check_keywords(article.brief.keywords)


@given(strategies.passages())
def test_passages_name_their_document_and_their_terms(passage: Passage) -> None:
    assert passage.ref.document_id == passage.document.id
    assert passage.terms
    assert passage.head_terms


@given(strategies.term_statistics())
def test_statistics_are_those_of_some_corpus(statistics: TermStatistics) -> None:
    assert all(1 <= count <= statistics.passages for count in statistics.passages_with.values())
    assert statistics.mean_length >= 1
