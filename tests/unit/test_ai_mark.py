"""What a language model wrote is known, and marked where somebody wants it to be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import NAME
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import EXTRACTIVE, Article, Usage
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.article_version import ArticleVersion, VersionCause
from contentgen_core.model.freshness import Proposer, SentenceState, StaleSentence
from contentgen_core.model.ids import ArticleUpdateId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.ai_mark import SCHEMA_TYPES, SENTENCES, SOURCE_TYPES, with_ai_mark
from contentgen_core.policies.articles.ai_use import ai_use
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

RENDERER = MarkdownRenderer()
MODEL, COPIED = Usage("gpt", 10, 5), Usage(EXTRACTIVE)


def version(article: Article, cause: VersionCause) -> ArticleVersion:
    return ArticleVersion(article.tenant_id, article.id, 1, MOMENT, cause, article.title, "0" * 64)


def update(article: Article, state: UpdateState = UpdateState.APPLIED, **change: Any) -> ArticleUpdate:
    defaults: dict[str, Any] = {
        "position": 0,
        "text": "It is warm.",
        "state": SentenceState.CHANGED,
        "number": 1,
        "was": "It is warm.",
        "now": "It is cold.",
        "proposal": "It is cold.",
        "proposed_by": Proposer.MODEL,
    }
    return ArticleUpdate(
        ArticleUpdateId("u"),
        article.tenant_id,
        article.id,
        "boats",
        article.title,
        1,
        (StaleSentence(**defaults | change),),
        MOMENT,
        state,
        (0,),
    )


def test_the_writer_that_copies_is_no_language_model() -> None:
    assert NAME == EXTRACTIVE
    assert not COPIED.of_a_model
    assert MODEL.of_a_model
    assert Usage("local").of_a_model  # some servers count no tokens
    assert COPIED.plus(MODEL).of_a_model
    assert MODEL.plus(COPIED).of_a_model


@pytest.mark.parametrize(
    ("usage", "causes", "use"),
    [
        (None, [], AiUse.NONE),
        (None, [VersionCause.EDITED], AiUse.NONE),
        (COPIED, [VersionCause.GENERATED], AiUse.NONE),
        (COPIED, [VersionCause.GENERATED, VersionCause.EDITED], AiUse.NONE),
        (MODEL, [VersionCause.GENERATED], AiUse.GENERATED),
        (MODEL, [VersionCause.GENERATED, VersionCause.PATCHED], AiUse.GENERATED),
        (MODEL, [VersionCause.GENERATED, VersionCause.EDITED], AiUse.ASSISTED),
    ],
)
def test_who_wrote_it_is_told_by_its_usage_and_versions(
    usage: Usage | None, causes: list[VersionCause], use: AiUse
) -> None:
    article = builders.article(usage=usage)
    assert ai_use(article, (), [version(article, cause) for cause in causes]) is use


def test_sentences_of_a_model_that_were_taken_in_count() -> None:
    article = builders.article(usage=COPIED)
    assert ai_use(article, [update(article)], ()) is AiUse.ASSISTED
    for other in (
        update(article, UpdateState.REJECTED),
        update(article, UpdateState.PROPOSED),
        update(article, proposed_by=Proposer.RULES),
        update(article, proposal=""),
        update(article, position=1),
    ):
        assert ai_use(article, [other], ()) is AiUse.NONE


@given(st.sampled_from(Language), st.sampled_from(AiUse), st.text(max_size=40))
def test_a_mark_changes_nothing_of_the_text_behind_it(language: Language, use: AiUse, content: str) -> None:
    article = builders.article(content=content, brief=builders.brief(language=language))
    marked = with_ai_mark(article, use)
    if use is AiUse.NONE:
        assert marked is article
        return
    assert marked.content.endswith(f"\n\n{content}")
    first = RENDERER.text_blocks(marked.content)[0].text
    assert first == SENTENCES[language][use is AiUse.ASSISTED]


@pytest.mark.parametrize("language", Language)
def test_the_sentence_is_a_link_to_the_term_in_each_language(language: Language) -> None:
    generated, assisted = SENTENCES[language]
    assert generated != assisted
    article = builders.article(content="Heat moves.\n", brief=builders.brief(language=language))
    for use, sentence in ((AiUse.GENERATED, generated), (AiUse.ASSISTED, assisted)):
        page = RENDERER.printable_html(with_ai_mark(article, use), use)
        assert SOURCE_TYPES[use] in page
        assert sentence in page
        assert f'"digitalSourceType": "{SCHEMA_TYPES[use]}"' in page
    assert "digitalSourceType" not in RENDERER.printable_html(article)
