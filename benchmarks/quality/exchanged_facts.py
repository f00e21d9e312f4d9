"""Measure whether facts of one product are attributed to another: articles about a product over the data sheets of
several, and planted sentences that the check of an article is given.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.quality.data_sheets import FITTED, FORMS, NAMES, WORDINGS, Sheet, sheets, source, written_by_hand
from benchmarks.quality.report import Table, at_least, at_most
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_grounded import Language, in_memory, write_article

ANALYSIS: Final = IcuTextAnalysis()
CHUNKER: Final = MarkdownChunker(ANALYSIS)


@frozen
class Claim:
    """A planted sentence. `exchanged`: whether it tells a fact of the cited sheet's product of the asked one."""

    text: str
    sheet: int
    value: str
    exchanged: bool


def claims(group: Sequence[Sheet], asked: int) -> Iterator[Claim]:
    """Return sentences that an article about one of the products could have: each fact in the words of its sheet and
    with a name, that of its own product or that of the requested one.
    """
    wording = WORDINGS[group[0].language]
    for i, sheet in enumerate(group):
        for p, value in sheet.values.items():
            _, plain, named = wording.properties[p]
            yield Claim(plain.format(v=value), i, value, exchanged=i != asked)
            yield Claim(named.format(name=sheet.name, v=value), i, value, exchanged=False)
            if i != asked:
                yield Claim(named.format(name=group[asked].name, v=value), i, value, exchanged=True)
        a = next(other.name for other in group if other is not sheet)
        if i == asked or group[asked].name == a:
            beside = str(41 + 7 * i)
            yield Claim(wording.beside.format(a=a, v=beside), i, beside, exchanged=i != asked)


def judged(language: Language, names: tuple[str, ...], form: str, *, bare: bool) -> list[tuple[Claim, bool, bool]]:
    """Judge each planted sentence of a group of sheets: whether its words and facts are supported, and whether it is in
    context as well.
    """
    group = sheets(language, names, form, bare=bare)
    passages = {p.ref: p for sheet in group for p in _passages(sheet)}
    verifier = Verifier(passages, ANALYSIS)
    found = []
    for asked in range(len(group)):
        topic = WORDINGS[language].topic.format(name=group[asked].name)
        context = Context.of(topic, passages.values())
        for claim in claims(group, asked):
            holding = [
                p for p in passages.values() if p.document.id == group[claim.sheet].name and claim.value in p.text
            ]
            sentence = DraftSentence(claim.text, tuple(p.ref for p in holding))
            receipts = verifier.check_each([sentence], language)
            supported = receipts[sentence].verdict is Verdict.SUPPORTED
            out = context.out_of_context(DraftParagraph((sentence,)), "", receipts)
            found.append((claim, supported, supported and not out))
    return found


def _passages(sheet: Sheet) -> list[Passage]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    document = KbDocument(
        DocumentId(sheet.name), KbScope("sheets"), sheet.name, sheet.title, sheet.language, Origin.IMPORT, "", now
    )
    chunks = CHUNKER.chunks(source(sheet).text, sheet.language)
    return [Passage(document, i, chunk.text, "", chunk.heading) for i, chunk in enumerate(chunks)]


def run(data: Path) -> list[Table]:
    """Run the benchmark. `data` is not read: the sheets are planted."""
    rows: list[Sequence[str]] = []
    for language in WORDINGS:
        shown = f"{language}{', fitted' if language in FITTED else ''}"
        groups = [
            (WORDINGS[language].topic, sheets(language, names, form, bare=(n + f) % 2 == 0))
            for (n, names), (f, form) in product(enumerate(NAMES), enumerate(FORMS))
        ]
        rows += _told(shown, asyncio.run(_articles(groups)))
        planted = [
            found
            for names, form, bare in product(NAMES, FORMS, (True, False))
            for found in judged(language, names, form, bare=bare)
        ]
        false = [(words, context) for claim, words, context in planted if claim.exchanged]
        true = [(words, context) for claim, words, context in planted if not claim.exchanged]
        by_words, in_context = (sum(column) for column in zip(*false, strict=True))
        kept = sum(context for _, context in true) / sum(words for words, _ in true)
        rows += [
            (shown, f"of {len(false)} planted exchanges, accepted by words and facts", str(by_words), "", ""),
            (shown, "of these, accepted in context", *at_most(in_context, 0, 0)),
            (shown, "true sentences that words and facts accept, accepted in context", *at_least(kept, 0.98)),
        ]
    rows += _told("written by hand", asyncio.run(_articles(written_by_hand())))
    return [
        Table(
            "Data sheets of competing products: facts of one that are told of another",
            ("language", "figure", "measured", "target", ""),
            rows,
            "Fitted: the rules were written with these languages. Sheets as prose, sections, tables and lists, of "
            "products with codes, with invented names, with a brand in common and of one series. Written by hand: 11 "
            "groups of all kinds of things, on which the first rules told 15 facts of others.",
        )
    ]


def _told(shown: str, told: Told) -> list[Sequence[str]]:
    return [
        (shown, f"of {told.others} facts of others, told in {told.articles} articles", *at_most(told.exchanged, 0, 0)),
        (shown, f"of {told.own} facts of the asked products, told", str(told.told), "", ""),
    ]


@frozen
class Told:
    """Articles about the products of groups of sheets: how many, how many figures of others their knowledge bases hold,
    and how many of these they tell without naming the product that they are of; the same of the asked products' own."""

    articles: int = 0
    others: int = 0
    exchanged: int = 0
    own: int = 0
    told: int = 0


async def _articles(groups: Sequence[tuple[str, list[Sheet]]]) -> Told:
    """Write the articles. `groups`: each with its topic."""
    sums = Told()
    for topic, group in groups:
        new = [source(sheet) for sheet in group]
        async with in_memory() as services:
            for asked in group:
                name = topic.format(name=asked.name)
                article = await write_article(services, name, new, language=asked.language, allow_low_coverage=True)
                content, new = article.content or "", []
                others = [sheet for sheet in group if sheet is not asked]
                sums = Told(
                    sums.articles + 1,
                    sums.others + sum(len(sheet.values) for sheet in others),
                    sums.exchanged + sum(_told_without_name(content, sheet) for sheet in others),
                    sums.own + len(asked.values),
                    sums.told + len(_figures(content) & set(asked.values.values())),
                )
    return sums


def _figures(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"\[\d+\]", "", text)))


def _told_without_name(content: str, sheet: Sheet) -> int:
    """Count a sheet's facts in paragraphs that, with the heading above them, do not name the product."""
    heading, found = "", 0
    for block in content.split("\n\n"):
        if block.startswith("#"):
            heading = block
        elif sheet.name not in heading + block:
            found += len(_figures(block) & set(sheet.values.values()))
    return found
