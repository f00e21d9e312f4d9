"""The quality figures of the grounding check across languages and on edited summaries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.quality import grounding_across, grounding_edits
from benchmarks.quality.grounding_meaning import Remembering
from benchmarks.quality.metrics import auroc

from contentgen_core.model.vocabulary import Language
from tests.support.understanding_embedder import UnderstandingEmbedder

PARAGRAPHS = {
    Language.EN: "The station of Geneva was opened in 1978 and is still at work today.",
    Language.ES: "La central de Ginebra se inauguró en 1978 y es todavía hoy una central en servicio.",
    Language.DE: "Das Kraftwerk in Genf wurde 1978 eröffnet und ist noch heute in Betrieb.",
}
PLACES = ("Bern", "Chur", "Olten", "Aarau", "Visp", "Thun")


def written(path: Path, rows: Sequence[object]) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")


async def test_every_kind_of_tampering_is_tried_in_every_pair_of_languages(tmp_path: Path) -> None:
    for language, text in PARAGRAPHS.items():
        rows = [{"id": f"{language.value}0_{n}", "text": f"{text[:-1]} {place}."} for n, place in enumerate(PLACES)]
        written(tmp_path / "retrieval" / f"xquad-{language.value}" / "docs.jsonl", rows)
    found = await grounding_across.measured(tmp_path, None)
    assert len(found) == 6
    for each in found.values():
        assert [it.kind for it in each] == list(grounding_across.KINDS)
    english = {it.kind: it.sentences for it in found[Language.EN, Language.ES]}
    assert english == dict.fromkeys(grounding_across.KINDS, 2)  # of the two paragraphs measured
    shown = grounding_across.table(found, 0.0)
    assert all(len(row) == len(shown.columns) for row in shown.rows)


async def test_edited_summaries_are_judged_against_their_text(tmp_path: Path) -> None:
    text = "Insulation reduces the heat loss of a wall. It costs 40 euros a square metre."
    claims = [("Insulation reduces the heat loss of a wall.", "supported"), ("It costs 50 euros.", "unsupported")]
    rows = [{"claim": claim, "passages": [text], "label": label} for claim, label in claims]
    written(tmp_path / "grounding-summedits" / "summedits.jsonl", rows)
    found = await grounding_edits.judged(tmp_path, None)
    assert [(it.supported, it.accepted) for it in found] == [(True, True), (False, False)]
    assert [row[1] for row in grounding_edits.table(found, found).rows] == ["1.000", "0.000", "1.000", "1.000"]


async def test_a_text_is_embedded_once() -> None:
    inner = UnderstandingEmbedder({("a", "b"): 0.5})
    embedder = Remembering(inner)
    first = await embedder.embed(["a", "b", "a"], "query")
    assert await embedder.embed(["b", "a"], "query") == [first[1], first[0]]
    assert inner.asked == ["a", "b"]


def test_auroc_is_the_chance_of_a_higher_score() -> None:
    assert (auroc([3, 4], [1, 2]), auroc([1], [1]), auroc([1, 3], [2, 4])) == (1.0, 0.5, 0.25)
