"""Acronyms that the knowledge base explains: a topic with one form is covered as one with the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.knowledge import IndexHit, KbScope, KbView, Passage
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.retrieval.acronyms import aliases, read_out, spell_out
from contentgen_core.policies.retrieval.ranking import Candidate, topic_query
from contentgen_core.policies.text.acronyms import explained_acronyms
from contentgen_core.ports.documents import SourceText
from contentgen_core.testing import builders
from tests.support.house import NICHE, House, findable, open_house

ANALYSIS = IcuTextAnalysis()
EN = Language.EN


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("A power purchase agreement (PPA) fixes it.", "PPA", "power purchase agreement"),
        ("Power purchase agreements (PPAs) fix it.", "PPA", "Power purchase agreements"),
        ("The PPA (power purchase agreement) fixes it.", "PPA", "power purchase agreement"),
        ("The PPA: power purchase agreement.", "PPA", "power purchase agreement"),
        ("PPA, pour power purchase agreement, en bref.", "PPA", "power purchase agreement"),
        ("Un PPA (de l'anglais power purchase agreement) lie.", "PPA", "power purchase agreement"),
        ("Le contrat d'achat d'électricité (CAE) lie.", "CAE", "contrat d'achat d'électricité"),
        ("La tasa anual equivalente (TAE) sube.", "TAE", "tasa anual equivalente"),
        ("Ο φόρος προστιθέμενης αξίας (ΦΠΑ) ανεβαίνει.", "ΦΠΑ", "φόρος προστιθέμενης αξίας"),
        ("НДС (налог на добавленную стоимость) вырос.", "НДС", "налог на добавленную стоимость"),
        ("전력 구매 계약(PPA)을 맺는다.", "PPA", "전력 구매 계약"),
        ("企業は電力購入契約（PPA）を結ぶ。", "PPA", "電力購入契約"),
        ("توقع اتفاقية شراء الطاقة (PPA) هنا.", "PPA", "اتفاقية شراء الطاقة"),
    ],
)
def test_what_an_acronym_stands_for_is_read(text: str, short: str, long: str) -> None:
    assert [(found.short, found.long) for found in explained_acronyms(text)] == [(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "In the USA, under stress, all is well.",
        "We saw the WHO, while he observed it.",
        "The efficiency of the heat pump (COP) rises.",
        "A price list (see PPA) is here.",
        "It came to us (US) late.",
        "See web.PPA (power purchase agreement) there.",
        "A sub-PPA (power purchase agreement) and an ÖPPA (power purchase agreement).",
    ],
)
def test_what_only_stands_beside_an_acronym_is_not(text: str) -> None:
    assert list(explained_acronyms(text)) == []


@given(st.text(alphabet="ABab ().,:（）契約\n", max_size=60))
def test_explanations_stand_in_the_text(text: str) -> None:
    for found in explained_acronyms(text):
        assert found.short in text
        assert found.long in text


def passages(*texts: str) -> list[Passage]:
    return [builders.passage(builders.kb_document(language=EN), text, terms=ANALYSIS.terms(text, EN)) for text in texts]


EXPLAINED = "A power purchase agreement (PPA) fixes a price."


@pytest.mark.parametrize(
    ("topic", "spelled"),
    [
        ("PPA prices", "power purchase agreement prices"),
        ("Prices of PPAs", "Prices of power purchase agreement"),
        ("Power purchase agreement prices", "Power purchase agreement prices"),
        ("Power purchase agreements (PPA)", "Power purchase agreements (PPA)"),
    ],
)
def test_both_forms_of_a_topic_become_one(topic: str, spelled: str) -> None:
    query = topic_query(topic, [EN], ANALYSIS)
    found = aliases(query, passages(EXPLAINED), ANALYSIS)
    assert [alias.acronym.short for alias in found] == ["PPA"]
    assert spell_out(query, found) == spelled


def test_other_topics_and_explanations_change_nothing() -> None:
    for topic in (
        "Agreement on purchase",
        "Power prices",
        "PPX prices",
        "Quel ppa choisir",
        "PPA PRICES OF WIND FARMS",
    ):
        assert aliases(topic_query(topic, [EN], ANALYSIS), passages(EXPLAINED), ANALYSIS) == ()


def test_of_several_explanations_the_most_frequent_holds_and_the_others_keep_theirs() -> None:
    other = "A pure pursuit algorithm (PPA) steers."
    texts = passages(EXPLAINED, "Each power purchase agreement (PPA) ends.", other, "The PPA of a roof.")
    query = topic_query("PPA prices", [EN], ANALYSIS)
    found = aliases(query, texts, ANALYSIS)
    assert [alias.acronym.long for alias in found] == ["power purchase agreement"]
    candidates = [Candidate(passage, IndexHit(passage.ref, 1.0, None)) for passage in texts]
    read = [each.passage.terms for each in read_out(candidates, found, query, ANALYSIS)]
    assert read[:3] == [passage.terms for passage in texts[:3]]
    assert read[3] == ("ppa", "power", "purchas", "agreement", "roof")


SOURCES = (
    ("Contracts", f"{EXPLAINED} It runs for years."),
    ("Sellers", "A PPA binds the seller of a wind farm. The price of a PPA is fixed for ten years."),
    ("Buyers", "Buyers sign a PPA to know their price. A PPA price follows the wind farm."),
    ("Banks", "Banks lend to a wind farm that has a PPA. The price in the PPA pays the loan."),
    ("Terms", "The power purchase agreement of a wind farm ends after ten years. Its price is written there."),
)


async def with_sources(house: House, sources: tuple[tuple[str, str], ...]) -> None:
    texts = (SourceText(f"https://p.example.org/{title}", title, text, language=EN) for title, text in sources)
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), texts)
    await findable(house.services)


async def test_a_topic_is_covered_alike_in_both_forms() -> None:
    async with open_house() as house:
        await with_sources(house, SOURCES)
        retrieve = house.services.writing.check_coverage.retrieve
        view, coverages = KbView(NICHE, house.caller.tenant_id), []
        for topic in ("PPA of a wind farm", "Power purchase agreement of a wind farm"):
            found = await retrieve(view, topic, 20)
            coverages.append(found.coverage(ArticleLength.STANDARD))
            named = {ranked.passage.document.title for ranked in found.ranked}
            assert {title for title, _ in SOURCES} <= named
            assert all("PPA" in r.passage.text or "ppa" not in r.passage.terms for r in found.ranked), "as stored"
            given = await retrieve.named(view, topic, [ranked.ref for ranked in found.ranked], 20)
            assert given.coverage(ArticleLength.STANDARD).evidence.missing == 0
            assert {r.passage for r in given.ranked} <= {r.passage for r in found.ranked}, "as stored"
        short, long = coverages
        assert (short.level, short.score) == (long.level, long.score)
        assert short.level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
        assert short.evidence.missing == long.evidence.missing == 0


async def test_an_acronym_that_nothing_explains_is_what_it_is() -> None:
    async with open_house() as house:
        await with_sources(house, SOURCES[1:])
        found = await house.services.writing.check_coverage.retrieve(
            KbView(NICHE, house.caller.tenant_id), "Power purchase agreement of a wind farm", 20
        )
        assert found.query.text == "Power purchase agreement of a wind farm"
        assert {"purchas"} - {
            term for each in found.candidates for term in each.passage.terms if "PPA" in each.passage.text
        }
