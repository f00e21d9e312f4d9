"""Measure which pairs of topics are taken for the same, by words and by the bundled model: `python -m
benchmarks.quality.same_topics FOLDER`. FOLDER holds `articles` and `retrieval` of the collections.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.policies.topics.meaning import SAME_TOPIC_COSINE, may_be_same
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.policies.topics.similar_articles import PART_COSINE, PART_WORDS
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.ports.knowledge_base import Vector

BOUNDS: Final = (0.88, 0.89, 0.9, 0.905, SAME_TOPIC_COSINE, 0.92)
PARTS: Final = (0.86, 0.87, PART_COSINE, 0.89, 0.9)
LANGUAGES: Final = (Language.EN, Language.FR, Language.DE, Language.ES)
PLANTED: Final = Path(__file__).with_name("topic_pairs.tsv")
ANALYSIS: Final = IcuTextAnalysis()

Pair = tuple[str, str]


def planted(same: bool) -> list[Pair]:
    with PLANTED.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [(row["one"], row["other"]) for row in rows if (row["same"] == "yes") is same]


def groups(folder: Path) -> dict[str, list[Pair]]:
    """Group the pairs by kind; each half gets every second pair."""
    same, related = planted(True), planted(False)
    local = [
        [(topic["text"], topic["text_local"]) for topic in _lines(folder / "articles" / name / "topics.jsonl")]
        for name in ("xquad-es", "xquad-de")
    ]
    titles = [
        [topic["text"] for topic in _lines(folder / path)]
        for path in (
            "articles/piaf-fr/topics.jsonl",
            "articles/freshwiki-en/topics.jsonl",
            "retrieval/piaf-fr-topics-dev/queries.jsonl",
        )
    ]
    others = [pair for listed in titles for pair in combinations(listed, 2)]
    others += [(one[0], other[1]) for listed in local for one in listed for other in listed if one is not other]
    return {
        "same, for fitting": same[::2],
        "same, held out": same[1::2],
        "related, for fitting": related[::2],
        "related, held out": related[1::2],
        "names in two languages": [pair for listed in local for pair in listed if pair[0] != pair[1]],
        "titles of other articles": list(dict.fromkeys(others)),
    }


def by_words(one: str, other: str) -> bool:
    """Whether the two are near-duplicates by their words in any one language."""
    return any(
        are_near_duplicates(significant_words(one, language, ANALYSIS), significant_words(other, language, ANALYSIS))
        for language in LANGUAGES
    )


def _share(one: str, other: str) -> float:
    """The highest Jaccard coefficient of their significant words in any one language."""
    sets = [[significant_words(text, language, ANALYSIS) for text in (one, other)] for language in LANGUAGES]
    return max(len(ours & theirs) / len(ours | theirs) for ours, theirs in sets)


async def vectors_of(texts: Iterable[str]) -> dict[str, Vector]:
    wanted = sorted(set(texts))
    embedder = await SemanticEmbedder.open()
    return dict(zip(wanted, await embedder.embed(wanted, "query"), strict=True))


def report(found: dict[str, list[Pair]], vectors: dict[str, Vector]) -> Iterable[str]:
    yield "| taken for the same | " + " | ".join(f"{name}, of {len(pairs):,}" for name, pairs in found.items()) + " |"
    yield "|---" * (len(found) + 1) + "|"
    yield _row("by words", [sum(by_words(*pair) for pair in pairs) for pairs in found.values()])
    near = {
        name: [(cosine(vectors[one], vectors[other]) or 0.0, may_be_same(one, other)) for one, other in pairs]
        for name, pairs in found.items()
    }
    for bound in BOUNDS:
        yield _row(f"{bound:.3f}", [sum(may and cos >= bound for cos, may in near[name]) for name in found])
    yield _row(
        f"{SAME_TOPIC_COSINE:.3f}, words in common or not",
        [sum(cos >= SAME_TOPIC_COSINE for cos, _ in near[name]) for name in found],
    )
    yield _row("in part: by words", [sum(_share(*pair) >= PART_WORDS for pair in pairs) for pairs in found.values()])
    for bound in PARTS:
        yield _row(f"in part: {bound:.2f}", [sum(cos >= bound for cos, _ in near[name]) for name in found])


def _row(name: str, counts: Sequence[int]) -> str:
    return f"| {name} | " + " | ".join(str(count) for count in counts) + " |"


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.same_topics", description=__doc__)
    parser.add_argument("folder", type=Path)
    found = groups(parser.parse_args().folder)
    vectors = asyncio.run(vectors_of(text for pairs in found.values() for pair in pairs for text in pair))
    print(*report(found, vectors), sep="\n")


if __name__ == "__main__":
    main()
