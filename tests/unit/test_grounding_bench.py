"""The quality figures of the grounding check across languages and on edited summaries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
from benchmarks.quality import grounding_across, summedits
from benchmarks.quality.grounding_meaning import Remembering
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.metrics import auroc
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


TEXT = "Insulation reduces the heat loss of a wall. It costs 40 euros a square metre."
KEPT, CHANGED = "Insulation reduces the heat loss of a wall.", "It costs 50 euros a square metre."


def claim(text: str, edit: str = "", split: str = "test", domain: str = "samsum") -> summedits.Claim:
    label = "unsupported" if edit else "supported"
    return summedits.Claim(text, (TEXT,), label, f"summedits/{domain}", split, (edit,) if edit else ())


async def test_edited_summaries_are_judged_against_their_text_in_the_order_of_the_claims(tmp_path: Path) -> None:
    claims = [claim(KEPT), claim(CHANGED, "entity_modification"), claim(f"{KEPT} {CHANGED}", "antonym_swap")]
    written(tmp_path / "grounding-summedits" / "summedits.jsonl", [msgspec.to_builtins(it) for it in claims])
    assert summedits.load(tmp_path) == tuple(claims)
    for by_sentence in (False, True):
        found = await summedits.judged(claims, None, by_sentence=by_sentence)
        assert [(it.claim, it.accepted) for it in found] == list(zip(claims, (True, False, False), strict=True))


def test_a_threshold_is_chosen_on_one_split_and_reported_on_the_other() -> None:
    def scored(split: str, supported: float, unsupported: float) -> list[summedits.Judged]:
        return [
            summedits.Judged(claim(KEPT, edit, split, domain), False, score)
            for domain in summedits.DOMAINS
            for edit, score in (("", supported), ("antonym_swap", unsupported))
        ]

    system = summedits.System("one", [*scored("evaluation", 0.7, 0.4), *scored("test", 0.6, 0.5)], judges=False)
    assert summedits.threshold(scored("evaluation", 0.7, 0.4)) == 0.7
    assert summedits.threshold(scored("test", 0.6, 0.5)) == 0.6
    [by_domain, accepted, edits] = summedits.tables([system], "")
    assert next(iter(by_domain.rows)) == ("one", "threshold", *["0.500"] * 6), "0.6 is below the other split's 0.7"
    assert list(accepted.rows) == [("one", "threshold", "0.000", "0.000", "0.500", "1.000")]
    assert [row[0] for row in by_domain.rows][1:] == list(summedits.PUBLISHED)
    assert edits.rows == []


def test_what_passes_is_told_by_edit() -> None:
    judged = [
        summedits.Judged(claim(CHANGED, edit, domain=domain), accepted, 0.5)
        for domain in summedits.DOMAINS
        for edit, accepted in (
            ("", True),
            ("antonym_swap", True),
            ("antonym_swap", False),
            ("entity_modification", False),
        )
    ]
    fitted = [summedits.Judged(claim(KEPT, edit, "evaluation"), True, 0.5) for edit in ("", "entity_modification")]
    [_, _, edits] = summedits.tables([summedits.System("one", [*judged, *fitted], judges=True)], "")
    assert list(edits.rows) == [("entity_modification alone (6)", "0.167"), ("antonym_swap alone (10)", "0.500")]


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=20))
def test_no_other_cut_off_is_better_than_the_threshold(scores: list[tuple[bool, float]]) -> None:
    sides = [(True, 0.5), (False, 0.5), *scores]
    found = [summedits.Judged(claim(KEPT, "" if supported else "x"), False, score) for supported, score in sides]
    best = summedits.threshold(found)

    def at(cut: float) -> float:
        return summedits.balanced_accuracy(found, lambda it: it.score >= cut)

    assert all(at(score) <= at(best) for _, score in sides)


async def test_a_text_is_embedded_once() -> None:
    inner = UnderstandingEmbedder({("a", "b"): 0.5})
    embedder = Remembering(inner)
    first = await embedder.embed(["a", "b", "a"], "query")
    assert await embedder.embed(["b", "a"], "query") == [first[1], first[0]]
    assert inner.asked == ["a", "b"]


def test_auroc_is_the_chance_of_a_higher_score() -> None:
    assert (auroc([3, 4], [1, 2]), auroc([1], [1]), auroc([1, 3], [2, 4])) == (1.0, 0.5, 0.25)
