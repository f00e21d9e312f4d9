"""Articles as readers get them: sources by document."""

from __future__ import annotations

import re
from datetime import date

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.publishing import MemoryTarget
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.shared.document.inline import Span
from contentgen_adapters.shared.document.renumbered import renumber
from contentgen_adapters.shared.document.sources import source_list, text_fragment
from contentgen_adapters.shared.document.tree import source_line
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.publication import PostRequest
from contentgen_core.policies.articles.for_readers import for_readers
from contentgen_core.policies.articles.markdown_document import markdown_document
from contentgen_core.policies.articles.publishing import post_of
from contentgen_core.policies.grounding.verifier import receipt
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

DOCUMENTS = st.sampled_from(["a", "b", "c"])


def sources(*documents: str) -> tuple[ArticleSource, ...]:
    return tuple(
        ArticleSource(n, f"Document {document}", DocumentId(document), n, quotes=(f"Words {n}.",))
        for n, document in enumerate(documents, 1)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Heat moves [1]. Cold stays [3].", "Heat moves [1]. Cold stays [1]."),
        ("Heat moves [1][3].", "Heat moves [1]."),
        ("Heat moves [3] [1] [2].", "Heat moves [1] [2]."),
        ("Heat moves [2][9].", "Heat moves [2][9]."),
        (r"Heat \[3\] moves `[3]`.", r"Heat \[3\] moves `[3]`."),
        ("```\n[3]\n```\n\nHeat [3].", "```\n[3]\n```\n\nHeat [1]."),
        ("[3](https://a.example) and [3]", "[3](https://a.example) and [1]"),
        ("[3]: https://a.example\n\nHeat [3].", "[3]: https://a.example\n\nHeat [3]."),
        ("5` of arc [3]\n\nor 6` of it [3]", "5` of arc [1]\n\nor 6` of it [1]"),
        ("[see [3]](https://a.example/(3)) [3]", "[see [3]](https://a.example/(3)) [1]"),
        ("Heat:\n\n    code [3]\n\nHeat [3]", "Heat:\n\n    code [3]\n\nHeat [1]"),
        ("<p title='[3]'>Heat [3], <code>[3]</code></p>", "<p title='[3]'>Heat [1], <code>[3]</code></p>"),
        ("![3](a.png) [3]", "![3](a.png) [1]"),
    ],
)
def test_citations_lead_to_documents(before: str, after: str) -> None:
    article = evolve(builders.article(), content=before, sources=sources("a", "b", "a"))

    shown = for_readers(article, renumber)

    assert shown.content == after
    assert [(s.number, s.parent_id, s.quotes) for s in shown.sources] == [
        (1, "a", ("Words 1.", "Words 3.")),
        (2, "b", ("Words 2.",)),
    ]


@given(st.lists(DOCUMENTS, min_size=1, max_size=8), st.lists(st.lists(st.integers(1, 8), max_size=4), max_size=6))
def test_no_citation_is_lost_and_each_leads_to_its_document(documents: list[str], cited: list[list[int]]) -> None:
    known = [[n for n in each if n <= len(documents)] for each in cited]
    text = "\n".join(f"Sentence {''.join(f'[{n}]' for n in each)}." for each in known)
    grounding = receipt(
        [SentenceReceipt("Sentence.", tuple(each), Verdict.SUPPORTED) for each in known],
        citations_made=1,
        citations_valid=1,
    )
    article = evolve(builders.article(), content=text, sources=sources(*documents), grounding=grounding)

    shown = for_readers(article, renumber)

    titles = {source.number: source.parent_id for source in shown.sources}
    assert list(titles) == list(range(1, len(set(documents)) + 1))
    lines = shown.content.split("\n") if known else []
    for each, line, found in zip(known, lines, shown.grounding.sentences if shown.grounding else (), strict=True):
        wanted = list(dict.fromkeys(documents[n - 1] for n in each))
        assert [titles[int(n)] for n in re.findall(r"\[(\d+)\]", line)] == wanted
        assert [titles[n] for n in found.citations] == wanted
    assert for_readers(shown, renumber) == shown


@given(st.text(max_size=300))
def test_a_text_of_one_document_a_passage_stays(text: str) -> None:
    assert renumber(text, {}) == text
    assert re.sub(r"\[\d+\]|\s", "", renumber(text, {1: 1, 2: 2})) == re.sub(r"\[\d+\]|\s", "", text)


def test_quotations_link_to_where_they_stand() -> None:
    words = "Heat-pumps, as we said, move heat from the outside air & water into a house in winter."
    source = ArticleSource(1, "Heat", DocumentId("a"), 0, "https://a.example/heat", quotes=(words,))

    shown = source_list([source], None, {1: source.quotes})

    assert "#:~:text=Heat%2Dpumps%2C%20as%20we%20said%2C%20move,into%20a%20house%20in%20winter." in shown
    assert shown.count("<details>") == 1
    assert text_fragment("https://a.example/#top", "A word") == ":~:text=A%20word"
    assert "<details>" not in source_list([source], None)


def test_quotations_of_files_are_plain_and_harmless() -> None:
    source = ArticleSource(1, "Heat", DocumentId("a"), 0, None, quotes=("<script>alert(1)</script>",))

    shown = source_list([source], None, {1: source.quotes})

    assert "<script>" not in shown
    assert "href" not in shown


def test_a_date_that_a_document_states_follows_its_title() -> None:
    source = ArticleSource(1, "Heat", DocumentId("a"), 0, "https://a.example/heat", date(2025, 3, 5))
    article = evolve(builders.article(), content="Heat moves [1].", sources=(source,))
    publication = builders.publication(article_id=article.id, request=PostRequest())
    post = post_of(publication, article, MemoryTarget().info, lambda title: "slug", MOMENT)

    assert "Heat, 2025-03-05<br>" in source_list([source], None)
    assert source_line(source)[0] == Span("[1] Heat, 2025-03-05")
    assert "[1] Heat, 2025-03-05 <https://a.example/heat>" in markdown_document(article)
    assert "1. [Heat](https://a.example/heat), 2025-03-05" in markdown(post)


@pytest.mark.parametrize(
    ("author", "shown", "marked_up"),
    [
        ("Ada Ohm", "Ada Ohm. Heat", "Ada Ohm. "),
        ("Ohm, A.", "Ohm, A. Heat", "Ohm, A. "),
        ("A <b> & *B*", "A &lt;b&gt; &amp; *B*. Heat", r"A \<b\> \& \*B\*. "),
    ],
)
def test_an_author_stands_before_the_title(author: str, shown: str, marked_up: str) -> None:
    source = ArticleSource(1, "Heat", DocumentId("a"), 0, "https://a.example/heat", author=author)
    article = evolve(builders.article(), content="Heat moves [1].", sources=(source,))
    publication = builders.publication(article_id=article.id, request=PostRequest())
    post = post_of(publication, article, MemoryTarget().info, lambda title: "slug", MOMENT)

    assert f'value="1">{shown}<br>' in source_list([source], None)
    assert source_line(source)[0] == Span(f"[1] {author.removesuffix('.')}. Heat")
    assert f"[1] {marked_up}Heat <https://a.example/heat>".replace(r"\&", "&") in markdown_document(article)
    assert f"1. {marked_up}[Heat](https://a.example/heat)" in markdown(post)


def test_parts_of_a_page_are_one_entry_and_files_of_one_name_are_not() -> None:
    page = ArticleSource(1, "Heat", DocumentId("a"), 0, "https://a.example/heat", quotes=("One.",))
    part = evolve(page, number=2, parent_id=DocumentId("b"), quotes=("Two.",), private=True, author="Ada Ohm")
    file = ArticleSource(3, "Notes", DocumentId("c"), 0)
    other = ArticleSource(4, "Notes", DocumentId("d"), 0)
    article = evolve(builders.article(), content="[1] [2] [3] [4]", sources=(page, part, file, other))

    shown = for_readers(article, renumber)

    assert shown.content == "[1] [2] [3]"
    assert [(s.parent_id, s.quotes, s.private, s.author) for s in shown.sources] == [
        ("a", ("One.", "Two."), True, "Ada Ohm"),
        ("c", (), False, None),
        ("d", (), False, None),
    ]


def test_what_was_no_citation_does_not_become_one() -> None:
    first, *_, last = sources("a", "a", "b")
    article = evolve(builders.article(), content="Heat [1], a note [2], cold [3].", sources=(first, last))

    shown = for_readers(article, renumber)

    assert (shown.content, [s.number for s in shown.sources]) == (article.content, [1, 3])
