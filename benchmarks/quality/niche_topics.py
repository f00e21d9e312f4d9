"""Fit the weights that decide whether a topic belongs to a niche: `python -m benchmarks.quality.niche_topics`. Measures
them, and words alone, on the data that they are fitted on: `niche_topics.tsv` and the niches for fitting of
`niches.toml`. `niches.py` measures them on held-out niches.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.quality.niches import FITTED, OWN, fill, niches
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.llm.extractive.topics import judgement
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.niche_fit import (
    FITS_FROM,
    FITS_SOURCES_FROM,
    WEIGHTS,
    WITH_SOURCES,
    Background,
    Features,
    FitWeights,
    background_of,
    described_by,
    features_of,
    judged_form,
    probability_of,
)
from contentgen_core.policies.topics.subjects import SUBJECTS
from contentgen_core.ports.content_model import NicheBrief
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.use_cases.articles.judge_topic import NEAREST
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from contentgen_grounded import Settings, in_memory

PLANTED: Final = Path(__file__).with_name("niche_topics.tsv")
BOUNDS: Final = (0.3, FITS_FROM, FITS_SOURCES_FROM, 0.6)
STEPS: Final = 6_000
PENALTY: Final = 0.1
PACE: Final = 0.2
ANALYSIS: Final = IcuTextAnalysis()

NICHES: Final = {key: NicheBrief(name, text, keywords=words) for key, name, text, _icon, words in PRECONFIGURED} | {
    "football-club": NicheBrief("Our football club", "Matches, tactics, drill.", keywords=("football", "goalkeeper")),
    "vins-de-loire": NicheBrief("Vins de Loire", "Cépages, caves et dégustation.", keywords=("chenin", "vigneron")),
    "imkerei": NicheBrief("Imkerei", "Bienen halten und Honig ernten.", keywords=("Bienenvolk", "Honig", "Varroa")),
    "odontologia": NicheBrief("Odontología", "Salud de los dientes y las encías."),
    "photography": NicheBrief("Photography"),
    "droit-du-bail": NicheBrief(
        "Droit du bail", "Louer et être locataire.", keywords=("loyer", "dépôt de garantie", "bail")
    ),
}  # fmt: skip


LANGUAGES: Final = {
    "cybersecurite-pme": Language.FR,
    "vins-de-loire": Language.FR,
    "droit-du-bail": Language.FR,
    "imkerei": Language.DE,
    "odontologia": Language.ES,
}
"""Of the niches above that are not English."""


@frozen
class Row:
    """A topic of a set. `language`: its own."""

    group: str
    niche: NicheBrief
    niche_language: Language
    topic: str
    language: Language
    valid: bool


@frozen
class Case:
    """A row with what is compared of it. `by_words`: the verdict of words alone."""

    row: Row
    features: Features
    by_words: bool

    @property
    def valid(self) -> bool:
        return self.row.valid


def rows() -> list[Row]:
    with PLANTED.open(encoding="utf-8") as file:
        planted = [
            Row(
                "planted", NICHES[row["niche"]], LANGUAGES.get(row["niche"], Language.EN), row["topic"],
                Language(row["language"]), row["valid"] == "yes",
            )
            for row in csv.DictReader(file, delimiter="\t")
        ]  # fmt: skip
    described = [
        Row("niches", NicheBrief(each.name, each.description), each.language, topic.text, topic.language,
            topic.kind == OWN)
        for each in niches() if each.half == FITTED for topic in each.topics
    ]  # fmt: skip
    return planted + described


async def cases(found: Sequence[Row], sources: Mapping[str, Sequence[Vector]]) -> list[Case]:
    """Return the cases. `sources`: the vectors of the passages nearest to each topic, of the niches for fitting, or
    none.
    """
    names = [name for subject in SUBJECTS for name in subject.names]
    texts = [judged_form(row.topic) for row in found]
    vectors = await _vectors([*texts, *names, *(text for row in found for text in _texts(row.niche))])
    backgrounds = {language: _background(language, vectors) for language in {row.niche_language for row in found}}
    return [
        Case(
            row,
            features_of(
                vectors[text],
                [vectors[t] for t in _texts(row.niche)],
                backgrounds[row.niche_language],
                sources.get(f"{row.niche.name}: {row.topic}", ()),
            ),
            judgement(ANALYSIS, row.niche, row.topic, (), row.language).valid,
        )
        for row, text in zip(found, texts, strict=True)
    ]


async def nearest_sources() -> dict[str, Sequence[Vector]]:
    """Return by niche and topic of the niches for fitting the passages that the product compares with."""
    described = [each for each in niches() if each.half == FITTED]
    async with in_memory(Settings(embeddings="semantic")) as services:
        await fill(services, described)
        judge = services.writing.validate_topic.judge
        return {
            f"{each.name}: {topic.text}": await judge.sources(
                await judge.retrieve(each.context().view, judged_form(topic.text), NEAREST)
            )
            for each in described
            for topic in each.topics
        }


def _background(language: Language, vectors: Mapping[str, Vector]) -> Background:
    named = [[vectors[name] for name in subject.named_in(language)] for subject in SUBJECTS]
    return background_of(named, [subject.general for subject in SUBJECTS])


def _texts(niche: NicheBrief) -> tuple[str, ...]:
    return described_by(niche.name, niche.description, niche.keywords)


async def _vectors(texts: Iterable[str]) -> dict[str, Vector]:
    wanted = sorted(set(texts))
    embedder = await SemanticEmbedder.open()
    return dict(zip(wanted, await embedder.embed(wanted, "query"), strict=True))


def report(found: Sequence[Case]) -> Iterator[str]:
    groups = {name: [case for case in found if case.row.group == name] for name in ("planted", "niches")}
    yield "| accepted | " + " | ".join(f"own, {name} | foreign, {name}" for name in groups) + " |"
    yield "|---" * (2 * len(groups) + 1) + "|"
    yield _row("by words alone", [[(case.valid, case.by_words) for case in cases] for cases in groups.values()])
    for bound in BOUNDS:
        verdicts = [[(c.valid, probability_of(c.features) >= bound) for c in cases] for cases in groups.values()]
        yield _row(f"from {bound:.2f}", verdicts)
    yield ""
    for name, cases in groups.items():
        if not cases:
            continue
        by = {
            "together": [probability_of(case.features) for case in cases],
            "lead": [case.features.lead for case in cases],
            "likeness": [case.features.likeness for case in cases],
        }
        yield f"AUROC {name}: " + ", ".join(f"{feature} {auroc(values, cases):.3f}" for feature, values in by.items())
    if all(case.features.source_lead is not None for case in found):
        yield f"fitted: {fitted(found)}; in use: {WITH_SOURCES}"
    else:
        yield f"fitted: {fitted(found)}; in use: {WEIGHTS}"


def _row(name: str, verdicts: Sequence[Sequence[tuple[bool, bool]]]) -> str:
    cells = []
    for pairs in verdicts:
        for own in (True, False):
            accepted = [verdict for valid, verdict in pairs if valid is own]
            cells.append(f"{sum(accepted)} of {len(accepted)}")
    return f"| {name} | " + " | ".join(cells) + " |"


def auroc(values: Sequence[float], cases: Sequence[Case]) -> float:
    own = [value for value, case in zip(values, cases, strict=True) if case.valid]
    foreign = [value for value, case in zip(values, cases, strict=True) if not case.valid]
    return sum((a > b) + (a == b) / 2 for a in own for b in foreign) / (len(own) * len(foreign))


def fitted(cases: Sequence[Case]) -> FitWeights:
    """The likeliest weights, with a light penalty on large ones, by gradient ascent."""
    told = [case.features for case in cases]
    compared = [(each.lead, each.likeness, 1.0, each.source_lead or 0.0) for each in told]
    weights = [0.0, 0.0, 0.0, 0.0]
    for _ in range(STEPS):
        slopes = [-PENALTY * weights[0], -PENALTY * weights[1], 0.0, -PENALTY * weights[3]]
        for row, case in zip(compared, cases, strict=True):
            error = case.valid - probability_of(case.features, FitWeights(*weights))
            slopes = [slope + error * value for slope, value in zip(slopes, row, strict=True)]
        weights = [weight + PACE * slope / len(cases) for weight, slope in zip(weights, slopes, strict=True)]
    return FitWeights(*(round(weight, 2) for weight in weights))


def main() -> None:
    found = rows()
    print(*report(asyncio.run(cases(found, {}))), sep="\n")
    sources = asyncio.run(nearest_sources())
    print("\nWith what the knowledge base holds:\n")
    print(*report(asyncio.run(cases([row for row in found if row.group == "niches"], sources))), sep="\n")


if __name__ == "__main__":
    main()
