"""Translations begun and looked at over the house of the tests; its model translates into capitals."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, Seo
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.tenant import Quota
from contentgen_core.model.translation import Translation
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.testing import builders
from contentgen_core.use_cases.translation.run import PART_SEGMENTS
from contentgen_core.use_cases.translation.start import (
    TranslateArticleCommand,
    TranslateTextCommand,
    TranslationStart,
)
from tests.support.house import NICHE, House

CONTENT = """## How it works

A **heat pump** moves 3.5 kW of heat [1]. See [the guide](https://kb.example.org/0) [2].

| Model | Power |
|---|---|
| R290 unit | 12 kW |

```sh
pump --start  # [1]
```

- It is quiet: `42 dB` [1]
"""
EXPECTED = """## HOW IT WORKS

A **HEAT PUMP** MOVES 3.5 KW OF HEAT [1]. SEE [THE GUIDE](https://kb.example.org/0) [2].

| MODEL | POWER |
|---|---|
| R290 UNIT | 12 KW |

```sh
pump --start  # [1]
```

- IT IS QUIET: `42 dB` [1]
"""
SOURCES = tuple(ArticleSource(n, f"Source {n}", DocumentId(f"d{n}"), 0, f"https://kb.example.org/{n}") for n in (1, 2))


async def published(house: House, **changes: Any) -> Article:
    article = builders.article(
        **{
            "id": ArticleId(house.services.writing.translate.ids.new()),
            "tenant_id": house.caller.tenant_id,
            "niche_key": NICHE,
            "title": "Heat pumps in 2026",
            "status": ArticleStatus.PUBLISHED,
            "content": CONTENT,
            "excerpt": "What they cost.",
            "seo": Seo("Heat pumps", None),
            "featured_image": "https://img.example.org/1.png",
            "sources": SOURCES,
            "is_public": True,
            **changes,
        }
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article


async def translated(
    house: House, article: Article, target: Language = Language.FR, **changes: Any
) -> TranslationStart:
    command = TranslateArticleCommand(house.caller, article.id, target)
    return await house.services.writing.translate.article(evolve(command, **changes))


async def begun_text(house: House, text: str | None = "A pump is quiet.", **changes: Any) -> TranslationStart:
    command = TranslateTextCommand(house.caller, Language.FR, text)
    return await house.services.writing.translate.text(evolve(command, **changes))


async def used(house: House) -> int:
    return (await house.services.people.tenant.quotas(house.caller))[Quota.TRANSLATION_CREDITS].used


async def now_(house: House, begun: TranslationStart) -> Translation:
    return await house.services.writing.translations.get(house.caller, begun.translation.id)


async def made(house: House, begun: TranslationStart) -> Article:
    assert begun.translation.made_article_id is not None
    return await house.article(begun.translation.made_article_id)


LONG = "\n\n".join(f"Paragraph number {n} of the text [1]." for n in range(3 * PART_SEGMENTS))


async def parts_of(house: House, begun: TranslationStart) -> int:
    async with house.services.ports.unit_of_work() as tx:
        return len(await tx[Translations].parts(begun.translation.id))
