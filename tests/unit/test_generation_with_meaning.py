"""The pipeline with an embedder that models meaning behind the grounding check, over memory."""

from __future__ import annotations

from msgspec import to_builtins

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_http.wire.grounding import Grounding
from tests.support.house import COVERED, NICHE, SOURCES, House, open_house
from tests.support.scripted_model import ScriptedModel
from tests.support.understanding_embedder import UnderstandingEmbedder

PARAPHRASE = "What a heat pump involves occurs, exists and remains."
FIRST = [source.text.partition(". ")[0] + "." for source in SOURCES]
NEAR = {(PARAPHRASE, sentence): 0.95 for sentence in FIRST}


async def written(house: House) -> Article:
    command = GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.EN)
    id = await house.services.writing.generate(command)
    await house.work()
    article = await house.article(id)
    assert article.status is ArticleStatus.GENERATED
    return article


async def test_a_paraphrase_that_is_near_its_source_stays_with_its_citation() -> None:
    embedder = UnderstandingEmbedder(NEAR)
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE]), embedder=embedder) as house:
        article = await written(house)
        assert not house.model.calls["rewrite:0"]
    assert PARAPHRASE.rstrip(".") + " [" in article.content
    assert article.grounding is not None
    assert {sentence.verdict for sentence in article.grounding.sentences} == {Verdict.SUPPORTED}
    near = {sentence.text: sentence.nearness for sentence in article.grounding.sentences}
    assert near.pop(PARAPHRASE) == 0.95
    assert set(near.values()) == {None}  # taken over word for word


async def test_the_wire_says_how_near_a_sentence_is_where_that_counted() -> None:
    embedder = UnderstandingEmbedder(NEAR)
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE]), embedder=embedder) as house:
        article = await written(house)
    assert article.grounding is not None
    shown = to_builtins(Grounding.of(article.grounding))["sentences"]
    assert {s["text"]: s["nearness"] for s in shown if "nearness" in s} == {PARAPHRASE: 0.95}


async def test_without_a_model_of_meaning_the_paraphrase_is_dropped() -> None:
    async with open_house(model=ScriptedModel(invented=[PARAPHRASE], stubborn=True)) as house:
        assert PARAPHRASE not in (await written(house)).content
