"""`python -m benchmarks.quality.niche_topics` measures which topics are taken for topics of a niche, by words and by
the bundled model, over `niche_topics.tsv`."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.llm.extractive.topics import judgement
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.niche_fit import (
    FITS_FROM,
    SUBJECTS,
    WEIGHTS,
    Features,
    FitWeights,
    described_by,
    features_of,
    judged_form,
    probability_of,
)
from contentgen_core.ports.content_model import NicheBrief
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED

PLANTED: Final = Path(__file__).with_name("niche_topics.tsv")
BOUNDS: Final = (0.2, FITS_FROM, 0.5, 0.7)
STEPS: Final = 5_000
PENALTY: Final = 0.1
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


@frozen
class Case:
    """A topic of the set. `by_words`: the verdict of words alone."""

    half: str
    niche: str
    topic: str
    valid: bool
    features: Features
    by_words: bool

    @property
    def of_tenant(self) -> bool:
        """Whether its niche is none of the catalogue."""
        return self.niche not in {key for key, *_ in PRECONFIGURED}


async def cases() -> list[Case]:
    with PLANTED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    texts = [judged_form(row["topic"]) for row in rows]
    vectors = await _vectors([*texts, *SUBJECTS, *(text for niche in NICHES.values() for text in _texts(niche))])
    subjects = [vectors[subject] for subject in SUBJECTS]
    found: list[Case] = []
    for row, text in zip(rows, texts, strict=True):
        niche, valid = NICHES[row["niche"]], row["valid"] == "yes"
        features = features_of(vectors[text], [vectors[each] for each in _texts(niche)], subjects)
        by_words = judgement(ANALYSIS, niche, row["topic"], (), Language(row["language"])).valid
        found.append(Case(row["half"], row["niche"], row["topic"], valid, features, by_words))
    return found


def _texts(niche: NicheBrief) -> tuple[str, ...]:
    return described_by(niche.name, niche.description, niche.keywords)


async def _vectors(texts: Iterable[str]) -> dict[str, Vector]:
    wanted = sorted(set(texts))
    embedder = await SemanticEmbedder.open()
    return dict(zip(wanted, await embedder.embed(wanted, "query"), strict=True))


def report(found: Sequence[Case]) -> Iterator[str]:
    groups = {
        "for fitting": [case for case in found if case.half == "fitting"],
        "held out": [case for case in found if case.half == "held out" and not case.of_tenant],
        "held out, other niches": [case for case in found if case.half == "held out" and case.of_tenant],
        "unseen": [case for case in found if case.half == "unseen"],
    }
    yield "| accepted | " + " | ".join(f"own, {name} | foreign, {name}" for name in groups) + " |"
    yield "|---" * (2 * len(groups) + 1) + "|"
    yield _row("by words alone", [[(case.valid, case.by_words) for case in cases] for cases in groups.values()])
    for bound in BOUNDS:
        verdicts = [[(c.valid, probability_of(c.features) >= bound) for c in cases] for cases in groups.values()]
        yield _row(f"from {bound:.2f}", verdicts)
    yield ""
    for name, cases in groups.items():
        by = {
            "together": [probability_of(case.features) for case in cases],
            "distance": [case.features.distance for case in cases],
            "likeness": [case.features.likeness for case in cases],
        }
        yield f"AUROC {name}: " + ", ".join(f"{feature} {auroc(values, cases):.3f}" for feature, values in by.items())
    yield f"fitted: {fitted(groups['for fitting'])}; in use: {WEIGHTS}"
    for case in sorted(found, key=lambda case: probability_of(case.features)):
        if case.valid is not (probability_of(case.features) >= FITS_FROM):
            yield f"mistaken: {probability_of(case.features):.2f} {case.half}, {case.niche}: {case.topic}"


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
    rows = [(case.features.distance, case.features.likeness, 1.0) for case in cases]
    weights = [0.0, 0.0, 0.0]
    for _ in range(STEPS):
        slopes = [-PENALTY * weights[0], -PENALTY * weights[1], 0.0]
        for row, case in zip(rows, cases, strict=True):
            error = case.valid - probability_of(case.features, FitWeights(*weights))
            slopes = [slope + error * value for slope, value in zip(slopes, row, strict=True)]
        weights = [weight + 0.5 * slope / len(cases) for weight, slope in zip(weights, slopes, strict=True)]
    return FitWeights(*(round(weight, 2) for weight in weights))


def main() -> None:
    print(*report(asyncio.run(cases())), sep="\n")


if __name__ == "__main__":
    main()
