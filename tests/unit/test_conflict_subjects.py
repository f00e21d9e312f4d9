"""Sentences on two named things, which are no conflict whatever they tell, and on one thing under two spellings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from benchmarks.quality.leaflets import FITTED, HELD_OUT, found_in, leaflet_pairs

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.conflict import ConflictState
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts import finding
from contentgen_core.policies.conflicts.finding import Finder
from contentgen_core.policies.conflicts.statements import Wordings
from contentgen_core.ports.documents import SourceText
from contentgen_core.testing.builders import kb_document, passage
from tests.support.house import NICHE, House, findable, open_house
from tests.unit.test_contradicted_articles import searched

ANALYSIS = IcuTextAnalysis()
EN, FR, DE = Language.EN, Language.FR, Language.DE
MOST_FALSE, LEAST_FOUND = 0.01, 0.9


@pytest.mark.parametrize("half", [FITTED, HELD_OUT])
def test_leaflets_of_two_subjects_are_no_conflict_and_two_of_one_are(half: str) -> None:
    pairs = leaflet_pairs(half)
    found = found_in(pairs)
    of_two = [it for pair, it in zip(pairs, found, strict=True) if not pair.conflict]
    of_one = [it for pair, it in zip(pairs, found, strict=True) if pair.conflict]
    assert len(of_two) == len(of_one) == 200
    assert sum(of_two) <= MOST_FALSE * len(of_two)
    assert sum(of_one) >= LEAST_FOUND * len(of_one)


def told(
    text: str, title: str, heading: str = "", file: str = "page", language: Language = EN, site: str = "a"
) -> Passage:
    address = f"https://{site}.example/{file}.html"
    document = kb_document(id=DocumentId(site), title=title, language=language, source_key=address, url=address)
    return passage(document, text, terms=ANALYSIS.terms(text, language), heading=heading)


def conflict(one: Sequence[str], other: Sequence[str], language: Language = EN) -> bool:
    """`one`, `other`: text, title, and maybe heading and name of the file."""
    finder = Finder(ANALYSIS, Wordings(ANALYSIS))
    ours, theirs = told(*one, language=language), told(*other, language=language, site="b")
    found = bool(finder.compare(ours, [theirs]).conflicts)
    assert bool(finder.compare(theirs, [ours]).conflicts) is found
    return found


FEES = ("Permits cost 40 pounds a year.", "Permits cost 55 pounds a year.")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ((FEES[0], "Parking in Otley"), (FEES[1], "Parking in Ingleby"), EN),
        ((FEES[0], "Parking in Otley"), (FEES[1], "Ingleby parking guide"), EN),
        ((FEES[0], "Parking in York"), (FEES[1], "Parking in New York"), EN),
        ((FEES[0], "Parking", "Permits in Otley"), (FEES[1], "Parking", "Permits in Ingleby"), EN),
        ((f"Ask at the town hall of Otley. {FEES[0]}", "Parking"),
         (f"Ask at the town hall of Ingleby. {FEES[1]}", "Parking"), EN),
        ((f"Otley is a market town. It has 3 car parks. {FEES[0]}", "Parking"),
         (f"Ingleby is a market town. It has 5 car parks. {FEES[1]}", "Parking"), EN),
        ((f"The office opens at nine. {FEES[0]}", "Parking", "", "parking-otley"),
         (f"The office opens at nine. {FEES[1]}", "Parking", "", "parking-ingleby"), EN),
        (("Le permis coûte 40 euros.", "Stationner à Otley"),
         ("Le permis coûte 55 euros.", "Stationner à Ingleby"), FR),
        (("Parkausweise kosten 40 Euro im Jahr.", "Parken in Kassel"),
         ("Parkausweise kosten 55 Euro im Jahr.", "Parken in Bremen"), DE),
        (("Wer in Kassel wohnt, zahlt weniger. Der Ausweis kostet 40 Euro.", "Parken"),
         ("Wer in Bremen wohnt, zahlt weniger. Der Ausweis kostet 55 Euro.", "Parken"), DE),
    ],
)  # fmt: skip
def test_what_names_another_subject_is_about_another_one(
    one: Sequence[str], other: Sequence[str], language: Language
) -> None:
    assert not conflict(one, other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ((FEES[0], "Parking in Otley"), (FEES[1], "Parking in OTLEY"), EN),
        ((FEES[0], "Parking in Otley"), (FEES[1], "Parking"), EN),
        ((FEES[0], "Parking in Otley"), (FEES[1], "Otley town: parking"), EN),
        (("Der Ausweis kostet 40 Euro.", "Parken in Köln"), ("Der Ausweis kostet 55 Euro.", "Parken in Koeln"), DE),
        (("Le permis coûte 40 euros.", "Stationner à Valmoret-les-Prés"),
         ("Le permis coûte 55 euros.", "Stationner à Valmoret les Pres"), FR),
        ((f"Ask at the town hall of Otley. {FEES[0]}", "Parking"),
         (f"Ask at the council of Otley. {FEES[1]}", "Parking"), EN),
        (("The head of Acme is Anna Miller. The firm employs 400 people.", "Acme"),
         ("The head of Acme is Peter Smith. The firm employs 500 people.", "Acme"), EN),
        (("The Borea 7 weighs 90 kg without water.", "Data sheet"),
         ("The Borea 7 weighs 120 kg without water.", "Test in the Yorkshire Post"), EN),
        ((FEES[0], "Parking", "Costs"), (FEES[1], "Parking", "Prices"), EN),
        (("Parkausweise kosten 40 Euro im Jahr.", "Parken und Gebühren"),
         ("Parkausweise kosten 55 Euro im Jahr.", "Parken mit Ausweis"), DE),
    ],
)  # fmt: skip
def test_one_subject_stays_one(one: Sequence[str], other: Sequence[str], language: Language) -> None:
    assert conflict(one, other, language)


# ------------------------------------------------------------------------------------------------- through the search

OTLEY = "Ask at the town hall of Otley. Grants pay 4,000 pounds for each heat pump."
INGLEBY = "Ask at the town hall of Ingleby. Grants pay 2,500 pounds for each heat pump."


async def given(house: House, key: str, text: str) -> None:
    source = SourceText(f"https://{key}.example/", "Heat pump grants", text, f"https://{key}.example/", EN)
    await house.services.knowledge.import_sources(KbScope(NICHE), [source])
    await findable(house.services)


async def test_a_leaflet_of_another_town_contradicts_nothing() -> None:
    async with open_house() as house:
        await given(house, "otley", OTLEY)
        await given(house, "ingleby", INGLEBY)
        assert await searched(house) == []
        await given(house, "council", INGLEBY.replace("Ingleby", "Otley"))
        [found] = await searched(house)
        assert {found.one.url, found.other.url} == {"https://otley.example/", "https://council.example/"}


async def test_what_former_rules_found_ends_where_it_is_not_found_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        with monkeypatch.context() as former:
            former.setattr(finding, "RULES", "1")
            former.setattr("contentgen_core.policies.conflicts.comparing.on_different_things", lambda *_: False)
            await given(house, "otley", OTLEY)
            await given(house, "ingleby", INGLEBY)
            [found] = await searched(house)
            assert found.state is ConflictState.OPEN
        [ended] = await searched(house)
        assert (ended.id, ended.state) == (found.id, ConflictState.OUTDATED)
