"""Measure which topics are accepted for niches as tenants make them: `niches.toml`, through the product's own path,
with an empty and with a filled knowledge base, by meaning and by words.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from attrs import frozen

from benchmarks.quality.report import Table, at_most
from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.context import WritingContext, niche_brief
from contentgen_grounded import Settings, in_memory

NICHES: Final = Path(__file__).with_name("niches.toml")
FITTED: Final = "fitting"
HELD_OUT: Final = "held out"
Choice = Literal["semantic", "hashed"]
EMBEDDERS: Final[Mapping[Choice, str]] = {"semantic": "with multilingual-e5-small", "hashed": "by words"}
MOST_FALSE_ACCEPTS: Final = 0.03
MOST_FALSE_REFUSALS: Final = 0.05
TENANT: Final = TenantId("01900000-0000-7000-8000-000000000001")
OWN: Final = "on"


@frozen
class Topic:
    """A topic. `kind`: OWN for one that is on the niche; else how one is off it."""

    text: str
    language: Language
    kind: str


@frozen
class Described:
    """A niche as a tenant makes it, with topics on and off it, and documents (title and text) that fill it."""

    key: str
    half: str
    language: Language
    name: str
    description: str
    topics: Sequence[Topic]
    documents: Sequence[tuple[str, str]]

    def context(self) -> WritingContext:
        niche = Niche(
            NicheId(self.key), self.key, self.name, datetime(2026, 1, 1, tzinfo=UTC), TENANT, self.description,
            activation=Activation(languages=(self.language,), tones=(), countries=("FR",)),
        )  # fmt: skip
        return WritingContext(niche, None, KbView(self.key, TENANT, frozenset({"FR"})))


@frozen
class Judged:
    """A topic, and whether it was taken for one of its niche."""

    half: str
    niche: str
    topic: Topic
    filled: bool
    valid: bool

    @property
    def right(self) -> bool:
        return self.valid is (self.topic.kind == OWN)


def niches() -> list[Described]:
    found = []
    for number, row in enumerate(tomllib.loads(NICHES.read_text(encoding="utf-8"))["niche"]):
        topics = [Topic(text, Language(language), OWN) for language, text in row["on"]]
        topics += [Topic(text, Language(language), kind) for language, kind, text in row["off"]]
        documents = [(title, text) for title, text in row.get("documents", ())]
        found.append(
            Described(
                f"niche-{number}", row["half"], Language(row["language"]), row["name"], row["description"], topics,
                documents,
            )
        )  # fmt: skip
    return found


async def judged(embedder: Choice, described: Sequence[Described]) -> list[Judged]:
    """Judge each topic without any document, then with those of the niches that have some. `embedder`: as in the
    settings.
    """
    async with in_memory(Settings(embeddings=embedder)) as services:
        found = [each for niche in described for each in await _judge(services, niche, filled=False)]
        filled = [niche for niche in described if niche.documents]
        await fill(services, filled)
        return found + [each for niche in filled for each in await _judge(services, niche, filled=True)]


async def _judge(services: CoreServices, niche: Described, *, filled: bool) -> list[Judged]:
    context, judge = niche.context(), services.writing.validate_topic.judge
    brief = niche_brief(context.niche)
    return [
        Judged(niche.half, niche.name, topic, filled, (await judge(context, brief, topic.text)).valid)
        for topic in niche.topics
    ]


async def fill(services: CoreServices, filled: Sequence[Described]) -> None:
    """Give the niches their documents."""
    for niche in filled:
        await _fill(services, niche)
    await services.knowledge.apply_index_changes.drain("bench")
    await services.knowledge.embed_passages.drain("bench")


async def _fill(services: CoreServices, niche: Described) -> None:
    sources = (
        SourceText(f"{niche.key}-{n}", title, text, f"https://{niche.key}.example.org/{n}", niche.language)
        for n, (title, text) in enumerate(niche.documents)
    )
    async with services.ports.unit_of_work() as tx:
        await tx[Niches].add(niche.context().niche)
    await services.knowledge.import_sources(KbScope(niche.key, TENANT), sources)


def run(data: Path) -> list[Table]:
    """Run the benchmark. `data` is not read: the topics and documents come with the benchmark."""
    found = {shown: asyncio.run(judged(embedder, niches())) for embedder, shown in EMBEDDERS.items()}
    rows = [row for shown, each in found.items() for row in _figures(shown, each)]
    held = [it for it in found[EMBEDDERS["semantic"]] if it.half == HELD_OUT]
    return [
        Table(
            "Topics on and off a niche",
            ("judged", "niches", "knowledge base", "figure", "measured", "target", ""),
            rows,
            "20 niches for fitting, 20 held out, 10 topics each, half of them off the niche.",
        ),
        Table(
            "The same, held out, with multilingual-e5-small",
            ("topics", "knowledge base", "wrong", "of"),
            list(_by_kind(held)),
            "By language those on and off together.",
        ),
        Table(
            "Mistaken with multilingual-e5-small, held out, empty knowledge base",
            ("niche", "topic", "taken for"),
            [
                (it.niche, f"{it.topic.text} ({it.topic.kind})", "on it" if it.valid else "off it")
                for it in held
                if not it.right and not it.filled
            ],
        ),
    ]


def _figures(shown: str, found: Sequence[Judged]) -> Iterator[Sequence[str]]:
    for half in (FITTED, HELD_OUT):
        for filled in (False, True):
            those = [it for it in found if it.half == half and it.filled is filled]
            if not those:
                continue
            off = [it for it in those if it.topic.kind != OWN]
            own = [it for it in those if it.topic.kind == OWN]
            accepts = sum(it.valid for it in off) / len(off)
            refusals = sum(not it.valid for it in own) / len(own)
            base = "filled" if filled else "empty"
            yield shown, half, base, f"false accepts, of {len(off)}", *at_most(accepts, MOST_FALSE_ACCEPTS)
            yield shown, half, base, f"false refusals, of {len(own)}", *at_most(refusals, MOST_FALSE_REFUSALS)


def _by_kind(found: Sequence[Judged]) -> Iterator[Sequence[str]]:
    for name in ("kind", "language"):
        groups = Counter((_group(it, name), it.filled) for it in found)
        wrong = Counter((_group(it, name), it.filled) for it in found if not it.right)
        for group, filled in sorted(groups):
            yield group, "filled" if filled else "empty", str(wrong[group, filled]), str(groups[group, filled])


def _group(it: Judged, name: str) -> str:
    return it.topic.kind if name == "kind" else it.topic.language.value
