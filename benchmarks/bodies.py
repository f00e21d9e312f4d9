"""Measure how long it takes to render an article for every target."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from statistics import median
from typing import Any, Final

from benchmarks.report import Figure, at_most
from contentgen_adapters.publishing.bodies import contentful, linkedin, notion, strapi
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.shared.document.tree import forget
from contentgen_adapters.shared.text.markdown import parser
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Post, PostSource
from contentgen_core.model.vocabulary import Language

DESCRIPTION: Final = "an article of 3,000 words with tables, code and sources in the form of every target"

WORDS: Final = 3_000
SECTIONS: Final = 10
SOURCES: Final = 20
ROUNDS: Final = 15
MILLISECONDS_TARGET: Final = 50.0

_SOME_TEXT: Final = (
    "heat pumps move warmth from the outside air into a house and their yearly efficiency depends on the temperature "
    "of the radiators which in **older** houses is often higher than [planned](https://example.com/plans) so that"
)
_TABLE: Final = "| Size | Price | Noise |\n|---|---:|---|\n" + "| 5 kW | 9,000 | *42* dB [3] |\n" * 8
_CODE: Final = "```python\n" + "for hour in range(24):\n    print(hour, demand[hour] / efficiency(hour))\n" * 5 + "```"
_LIST: Final = "- a flat with `underfloor` heating\n  1. of 60 m²\n  2. of 90 m²\n- a house"

# WordPress, Ghost, HubSpot and Shopify take HTML as it is; dev.to, Hashnode, webhooks and Zapier Markdown.
FORMATS: Final[dict[str, Callable[[Post], Any]]] = {
    "HTML": html,
    "HTML without code blocks": lambda post: html(post, code_blocks=False, citation_links=False),
    "Markdown": markdown,
    "Markdown for Liquid": lambda post: markdown(post, liquid=True),
    "Notion": notion.blocks,
    "Contentful": contentful.rich_text,
    "Strapi": strapi.blocks,
    "LinkedIn": lambda post: (linkedin.commentary(post), linkedin.card(post)),
}


def run() -> list[Figure]:
    post = an_article()
    rounds = [_round(post) for _ in range(ROUNDS)]
    took = {name: median(each[name] for each in rounds) for name in rounds[0]}
    bare = took.pop("parsing")
    every = median(sum(each[name] for name in took) for each in rounds)
    return [
        at_most(
            f"an article of {len(post.markdown.split()):,} words in all {len(FORMATS)} forms",
            every,
            MILLISECONDS_TARGET,
            " ms",
            product=f"{every:.1f} ms ({', '.join(f'{name} {took[name]:.1f}' for name in took)})",
            reference=f"{bare:.1f} ms (markdown-it parsing the text once)",
        )
    ]


def an_article() -> Post:
    words = cycle(_SOME_TEXT.split())
    parts: list[str] = []
    for section in range(SECTIONS):
        parts.append(f"## Section {section}")
        for paragraph in range(4):
            text = " ".join(islice(words, WORDS // SECTIONS // 4 - 12))
            parts.append(f"{text} [{(section + paragraph) % SOURCES + 1}].")
        parts.append((_TABLE, _CODE, _LIST)[section % 3])
    return Post(
        external_key="bench",
        title="Heat pumps in older houses",
        markdown="\n\n".join(parts),
        slug="heat-pumps",
        status=PostStatus.PUBLISHED,
        language=Language.EN,
        tags=("heat pumps", "winter"),
        sources=tuple(_sources()),
    )


def _sources() -> Sequence[PostSource]:
    return [PostSource(n, f"Study {n} on heat pumps", f"https://example.com/{n}") for n in range(1, SOURCES + 1)]


def _round(post: Post) -> dict[str, float]:
    """Milliseconds of CPU by form, one after the other as for an article that goes to every target: the first one reads
    the text for all."""
    forget()
    took = {name: _milliseconds(format, post) for name, format in FORMATS.items()}
    took["parsing"] = _milliseconds(lambda post: parser().parse(post.markdown), post)
    return took


def _milliseconds(format: Callable[[Post], Any], post: Post) -> float:
    begun = time.process_time()
    format(post)
    return (time.process_time() - begun) * 1_000
