"""Articles as slugs, plain text and printable pages; content is untrusted throughout."""

from __future__ import annotations

import json
import re
from html import escape
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.shared.document.labels import LABELS
from contentgen_core.model.article import Article, ArticleSource, Seo
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.grounding import (
    Grounding,
    GroundingLevel,
    GroundingTotals,
    SentenceReceipt,
    Support,
    Verdict,
)
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.coverage_notice import NOTICES
from contentgen_core.policies.coverage.of_article import within_coverage
from contentgen_core.testing import builders

RENDERER: Final = MarkdownRenderer()

PAYLOADS: Final = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/t.png)",
    '![x](x" onerror="alert(1))',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox(1))",
    '<a href="java\nscript:alert(1)">x</a>',
    "<a href='https://ok.example' onclick='alert(1)'>x</a>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><style><img src onerror=alert(1)></style></mtext></math>",
    "<style>@import 'https://evil.example/a.css'</style>",
    '<div style="background:url(https://evil.example)">x</div>',
    "<iframe src=https://evil.example></iframe>",
    "<object data=x></object><embed src=x><base href=https://evil.example>",
    "<form action=https://evil.example><input name=a></form>",
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/a.css">',
    "```mermaid\ngraph TD\n</pre><script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\ncode\n```',
    '" onmouseover="alert(1)',
    "<p id='source-1' class='sources'>x</p>",
    "<noscript><p title='</noscript><script>alert(1)</script>'></noscript>",
    "\u2028</title><script>alert(1)</script>",
)


class Page(HTMLParser):
    """Every element of a page with its attributes, and the content of its JSON-LD."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._script = False
        self.data: dict[str, Any] = {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._script:
            self.data = json.loads(data)
            self._script = False

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def source(number: int, **changes: Any) -> ArticleSource:
    defaults = {"title": f"Source {number}", "url": f"https://example.com/{number}"}
    return ArticleSource(number=number, parent_id=DocumentId("d"), chunk_index=0, **defaults | changes)


def rendered(content: str = "Text.", language: Language = Language.EN, **changes: Any) -> str:
    return RENDERER.printable_html(article(content, language, **changes))


def article(content: str, language: Language = Language.EN, **changes: Any) -> Article:
    fields: dict[str, Any] = {"content": content, "brief": builders.brief(language=language)}
    return builders.article(**fields | changes)


def assert_harmless(html: str) -> None:
    page = Page(html)
    scripts = page.all("script")
    assert scripts == [{"type": "application/ld+json"}]
    assert html.count("<style") == html.count("</style") == 1
    assert {tag for tag, _ in page.elements}.isdisjoint(
        {"iframe", "object", "embed", "base", "form", "input", "link", "svg"}
    )
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        for name in ("href", "src"):
            address = attributes.get(name) or ""
            assert not re.match(r"\s*(javascript|data|vbscript)\s*:", address, re.IGNORECASE), address
        if tag not in {"meta", "img"}:
            assert "src" not in attributes
    assert page.data["@type"] == "BlogPosting"


class TestPage:
    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_no_payload_survives_anywhere(self, payload: str) -> None:
        html = rendered(
            f"Before {payload} after\n\n{payload}\n\n- {payload}",
            title=payload,
            excerpt=payload,
            featured_image=payload,
            seo=Seo(payload, payload),
            sources=(source(1, title=payload, url=payload), source(2, title=payload)),
        )
        assert_harmless(html)
        assert not Page(html).all("img")
        assert [a["id"] for _, a in Page(html).elements if "id" in a] == ["source-1", "source-2"]

    @given(content=st.text(st.characters()) | st.lists(st.sampled_from(PAYLOADS)).map(" ".join), title=st.text())
    def test_any_content_gives_a_harmless_page(self, content: str, title: str) -> None:
        html = rendered(content, title=title, sources=(source(1, title=title),))
        assert_harmless(html)
        html.encode()

    def test_citations_link_to_their_numbered_source(self) -> None:
        html = rendered("It is **so [2]**. And so.[1][3]", sources=(source(2), source(1, url=None)))
        links = [a["href"] for a in Page(html).all("a") if (a["href"] or "").startswith("#")]
        assert links == ["#source-2", "#source-1"]
        assert [item["id"] for item in Page(html).all("li")] == ["source-1", "source-2"]
        assert '<sup class="citation"><a href="#source-2" rel="noopener noreferrer nofollow">[2]</a></sup>' in html
        assert "[3]" in html
        assert 'href="https://example.com/2"' in html

    def test_code_and_links_hold_no_citations(self) -> None:
        html = rendered("`a[1]` and [see [1]](https://example.com)\n\n```\nb[1]\n```", sources=(source(1),))
        assert "#source-1" not in html

    @pytest.mark.parametrize("language", Language)
    def test_language_and_direction_are_declared(self, language: Language) -> None:
        html = rendered(language=language, sources=(source(1),))
        (attributes,) = Page(html).all("html")
        right_to_left = language in (Language.AR, Language.HE)
        assert attributes == {"lang": language.value, "dir": "rtl" if right_to_left else "ltr"}
        assert f"<h2>{LABELS[language].sources}</h2>" in html

    def test_the_grounding_badge_shows_the_totals_and_never_rounds_up(self) -> None:
        totals = GroundingTotals(12, 1.0, 0.999, 0.5, 1.0, 0.29, 7, 0.625)
        html = rendered(grounding=Grounding(GroundingLevel.PARTIAL, totals))
        badge = re.search(r'<aside class="grounding">.*?</aside>', html)
        assert badge
        assert LABELS[Language.EN].partial in badge[0]
        assert re.findall(r": ([^<]*)<", badge[0]) == ["12", "99 %", "50 %", "100 %", "100 %", "29 %", "7", "62 %"]

    def test_the_badge_of_an_old_receipt_leaves_out_what_was_not_counted(self) -> None:
        html = rendered(grounding=Grounding(GroundingLevel.FULL, GroundingTotals(1, 1.0, 1.0, 1.0, 1.0, 1.0, 7)))
        assert LABELS[Language.EN].run in html
        assert LABELS[Language.EN].copied not in html

    def test_each_sentences_support_opens_on_demand(self) -> None:
        ref = SourceRef(DocumentId("d1"), 0)
        receipts = (
            SentenceReceipt("It holds.", (1,), Verdict.SUPPORTED, Support(ref, "h", 0, 9, 0.973)),
            SentenceReceipt("It <fails>.", (), Verdict.UNSUPPORTED, missing_facts=("12 <kW>",), marked=True),
            SentenceReceipt("Both hold.", (1, 2), Verdict.SUPPORTED, Support(ref, "h", 0, 9, 1.0)),
        )
        sources = tuple(ArticleSource(n, f'Title "{n}"', DocumentId(f"d{n}"), 0) for n in (1, 2))
        grounding = Grounding(GroundingLevel.PARTIAL, GroundingTotals(3, 1, 0.66, 1, 1, 1, 4), receipts)
        html = rendered("It holds [1]. It fails. Both hold [1][2].", sources=sources, grounding=grounding)
        assert re.findall(r'<a href="#source-(\d)" title="([^"]*)"', html) == [
            ("1", "Title &quot;1&quot; · ✓ 97 %"),
            ("1", "Title &quot;1&quot; · ✓ 100 %"),
            ("2", "Title &quot;2&quot; · ✓ 100 %"),
        ]
        found = re.search(r'<details class="receipt">.*?</details>', html, re.DOTALL)
        assert found is not None
        assert "2 / 3" in found[0]
        assert "It &lt;fails&gt;." in found[0]
        assert "<del>12 &lt;kW&gt;</del>" in found[0]

    def test_notes_that_do_not_fit_the_citations_are_left_out(self) -> None:
        receipts = (SentenceReceipt("It holds.", (1,), Verdict.SUPPORTED),)
        sources = (ArticleSource(1, "A title", DocumentId("d1"), 0),)
        grounding = Grounding(GroundingLevel.FULL, GroundingTotals(1, 1, 1, 1, 1, 1, 4), receipts)
        html = rendered("It holds [1]. More was written [1].", sources=sources, grounding=grounding)
        assert html.count('href="#source-1"') == 3
        assert 'title="A title' not in html

    def test_an_unsourced_article_says_so_and_shows_no_shares(self) -> None:
        html = rendered(grounding=Grounding(GroundingLevel.NONE, GroundingTotals(3, 1, 1, 1, 1, 1, 0)))
        assert LABELS[Language.EN].none in html
        assert " %</li>" not in html
        assert '<aside class="grounding">' not in rendered()

    @pytest.mark.parametrize("language", Language)
    def test_a_topic_that_is_not_covered_is_told_before_the_text(self, language: Language) -> None:
        receipts = (SentenceReceipt("It holds.", (1,), Verdict.SUPPORTED),)
        for level, notice in zip((CoverageLevel.INSUFFICIENT, CoverageLevel.LOW), NOTICES[language], strict=True):
            coverage = ArticleCoverage(level, 12.0)
            grounding = within_coverage(
                Grounding(GroundingLevel.FULL, GroundingTotals(1, 1, 1, 1, 1, 1, 4), receipts), coverage
            )
            html = rendered(language=language, grounding=grounding, coverage=coverage)
            badge = re.search(r'<aside class="grounding">.*?</aside>', html)
            assert badge
            assert escape(notice) in badge[0]
            assert LABELS[language].full not in html
            assert (LABELS[language].none in html) is False
            assert "100 %" in badge[0]
        covered = rendered(coverage=ArticleCoverage(CoverageLevel.GOOD, 80.0))
        assert 'class="coverage"' not in covered

    def test_only_the_featured_image_is_loaded(self) -> None:
        html = rendered(
            "![A pump](https://elsewhere.example/p.png)", featured_image="https://images.example/a.jpg?x=1&y=2"
        )
        assert [image["src"] for image in Page(html).all("img")] == ["https://images.example/a.jpg?x=1&y=2"]
        assert "<em>A pump</em>" in html

    def test_a_flow_chart_is_a_list_and_another_diagram_is_kept_as_its_source(self) -> None:
        html = rendered("```mermaid\ngraph TD\n  A-->B\n```")
        assert "<li>A\n<ul>\n<li>B</li>" in html
        html = rendered("```mermaid\npie\n  A-->B\n```")
        assert '<pre class="mermaid">pie\n  A--&gt;B\n</pre>' in html

    def test_the_structured_data_is_that_of_the_article(self) -> None:
        html = rendered("Some text [1].", title="A </script> & B", sources=(source(1),), word_count=2)
        data = Page(html).data
        assert (data["headline"], data["inLanguage"], data["wordCount"]) == ("A </script> & B", "en", 2)
        assert data["description"] == "Some text."
        assert data["citation"] == [{"@type": "CreativeWork", "name": "Source 1", "url": "https://example.com/1"}]


class TestPlainText:
    def test_markup_and_citations_are_left_out(self) -> None:
        markdown = (
            "## Heat [1]\n\nA *pump* [1][2] heats.[3] See [this](https://example.com).\n\n- one [1]\n\n```\na[1]\n```"
        )
        assert RENDERER.plain_text(markdown) == "Heat\n\nA pump heats. See this.\n\none\n\na[1]"

    def test_years_in_brackets_are_no_citations(self) -> None:
        assert RENDERER.plain_text("In [2024] so") == "In [2024] so"

    @given(markdown=st.text(st.characters()))
    def test_any_markdown_has_a_plain_text(self, markdown: str) -> None:
        assert RENDERER.plain_text(markdown) == RENDERER.plain_text(markdown).strip()


@pytest.mark.parametrize(("column", "side"), [(":-", "left"), (":-:", "center"), ("-:", "right")])
def test_the_style_of_a_page_does_not_undo_the_alignment_of_columns(column: str, side: str) -> None:
    html = RENDERER.printable_html(article(f"|A|\n|{column}|\n|1|\n"))
    assert f'<td align="{side}">1</td>' in html
    assert 0 < html.index("th, td {") < html.index(f"[align={side}] {{ text-align: {side}; }}")


class TestSlug:
    @pytest.mark.parametrize(
        ("title", "slug"),
        [
            ("L'énergie & l'été : 5 œuvres", "l-energie-l-ete-5-oeuvres"),
            ("北京的空气", "bei-jing-de-kong-qi"),
            ("Тепловой насос", "teplovoi-nasos"),
            ("Größe", "grosse"),
        ],
    )
    def test_titles_of_any_script_become_ascii(self, title: str, slug: str) -> None:
        assert RENDERER.slug(title) == slug

    def test_titles_without_letters_have_slugs_of_their_own(self) -> None:
        assert re.fullmatch(r"article-[0-9a-f]{8}", RENDERER.slug("😀"))
        assert RENDERER.slug("😀") == RENDERER.slug("😀") != RENDERER.slug("🔥")

    def test_a_long_title_is_cut_between_words(self) -> None:
        assert RENDERER.slug("word " * 100) == "-".join(["word"] * 16)

    @given(title=st.text(st.characters()) | st.text("ab ", min_size=70))
    def test_any_title_has_a_slug_within_bounds(self, title: str) -> None:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug := RENDERER.slug(title))
        assert len(slug) <= 80
