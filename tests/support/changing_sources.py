"""An article and its sources, for tests in which the sources change."""

from __future__ import annotations

from contentgen_core.model.article import Article
from contentgen_core.model.freshness import Freshness
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from tests.support.house import AGENT, COVERED, NICHE, House

EFFICIENCY = "A heat pump keeps an efficiency of 3.4 in winter where the flow temperature is low."
GRANT = "In winter 2024 the grant pays 4,000 pounds for each efficient heat pump in a house."
SIZE = "The size of a heat pump follows the heat loss of the house in winter and its efficiency."
TEXTS = (EFFICIENCY, GRANT, SIZE)
MORE = "Low flow temperatures raise the efficiency of every heat pump in winter, whatever its maker says."


def source(number: int, text: str, title: str = "Heat pump efficiency in winter") -> SourceText:
    named = f"{title} {number}"
    return SourceText(f"https://kb.example.org/{number}", named, f"{text} {MORE}", None, Language.EN, author="Ada Ohm")


async def changed(house: House, number: int, text: str) -> None:
    """The source of this number says this now."""
    await house.services.knowledge.import_sources(KbScope(NICHE), [source(number, text)])
    await house.services.knowledge.apply_index_changes.drain("w1")


async def written(house: House) -> Article:
    """An article that was written from the sources."""
    for number, text in enumerate(TEXTS):
        await changed(house, number, text)
    planned = await house.services.writing.plan(
        PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN, auto_validate=True)
    )
    await house.work()
    article = await house.article(planned.article.id)
    assert {s.text for s in article.grounding.sentences} >= {EFFICIENCY, GRANT}  # type: ignore[union-attr]
    return article


async def compared(house: House, article: Article) -> Freshness:
    return await house.services.writing.freshness(house.caller, article.id)
