import json

from hypothesis import given

from contentgen_core.model.article import ArticleSource
from contentgen_core.model.ids import DocumentId
from contentgen_core.policies.articles.blog_posting import blog_posting
from contentgen_core.testing.builders import article, full_article
from contentgen_core.testing.strategies import articles


def test_a_full_article_is_described_for_search_engines() -> None:
    one, two = DocumentId("d1"), DocumentId("d2")
    sources = (
        ArticleSource(1, "First", one, 0, "https://example.com/1"),
        ArticleSource(2, "Second", two, 3),
        ArticleSource(3, "First", one, 5, "https://example.com/1"),
    )
    post = blog_posting(full_article(sources=sources, title="Long " * 40))
    assert post["@type"] == "BlogPosting"
    assert post["inLanguage"] == "fr"
    assert len(str(post["headline"])) <= 110
    assert str(post["datePublished"]).endswith("Z")
    assert post["description"] == "Tout sur les pompes"
    assert post["citation"] == [
        {"@type": "CreativeWork", "name": "First", "url": "https://example.com/1"},
        {"@type": "CreativeWork", "name": "Second"},
    ]


def test_what_is_unknown_is_left_out() -> None:
    assert not {"datePublished", "image", "citation", "description", "wordCount"} & blog_posting(article()).keys()


@given(articles())
def test_every_article_can_be_written_as_json(sample) -> None:
    post = blog_posting(sample)
    assert json.loads(json.dumps(post)) == post
    assert None not in post.values()
