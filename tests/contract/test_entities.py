"""The extractor by rules, and the graph tools."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_adapters.entities.phrases import PhraseFinder
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.entity import (
    MAX_ENTITY_NAME,
    Community,
    EntityGraph,
    EntityMention,
    EntityType,
    GraphEdge,
    GraphNode,
    KbEntity,
)
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.entities import MAX_MENTIONS
from contentgen_core.testing import builders

ANALYSIS = IcuTextAnalysis()
EXTRACT = RuleExtractor(ANALYSIS)
TOOLS = NetworkxTools()
TYPE = EntityType


def passages(language: Language, *texts: str) -> list[Passage]:
    document = builders.kb_document(language=language)
    return [
        builders.passage(document, text, chunk_index=n, terms=ANALYSIS.terms(text, language))
        for n, text in enumerate(texts)
    ]


def found(language: Language, *texts: str) -> dict[str, EntityType]:
    return {e.name: e.type for mentions in EXTRACT(passages(language, *texts)) for e in mentions}


# What each text names, at least.
NAMED: dict[Language, tuple[str, dict[str, EntityType]]] = {
    Language.EN: (
        "The regulator Ofgem and the European Commission met Dr Marie Curie in France. A tariff of Octopus Ltd, R290.",
        {"Ofgem": TYPE.CONCEPT, "European Commission": TYPE.ORGANISATION, "Marie Curie": TYPE.PERSON,
         "France": TYPE.PLACE, "Octopus Ltd": TYPE.ORGANISATION, "R290": TYPE.CONCEPT},
    ),
    Language.FR: (
        "La société Dupont SARL vend en Allemagne. La Loi Climat change cela.",
        {"Dupont SARL": TYPE.ORGANISATION, "Allemagne": TYPE.PLACE,
                                            "Loi Climat": TYPE.LAW},
    ),
    Language.DE: (
        "Nach dem Gebäudeenergiegesetz baut die Siemens AG in Frankreich, sagt Angela Merkel. Die KfW zahlt das.",
        {"Gebäudeenergiegesetz": TYPE.LAW, "Siemens AG": TYPE.ORGANISATION, "Frankreich": TYPE.PLACE,
         "Angela Merkel": TYPE.CONCEPT, "KfW": TYPE.CONCEPT},
    ),
    Language.ES: ("La norma del Banco de España vale en Alemania.", {"Banco de España": TYPE.ORGANISATION,
                                                                     "Alemania": TYPE.PLACE}),
    Language.IT: ("Lo dice il sig. Rossi, e l'Europa segue.", {"Rossi": TYPE.PERSON, "Europa": TYPE.CONCEPT}),
    Language.PL: ("Wczoraj w mieście Kraków firma Orlen SA kupiła panele.", {"Kraków": TYPE.CONCEPT,
                                                                             "Orlen SA": TYPE.ORGANISATION}),
    Language.RU: ("Вчера компания Газпром и Министерство энергетики встретились.", {"Газпром": TYPE.CONCEPT}),
    Language.EL: ("Σήμερα η εταιρεία ΔΕΗ και η Αθήνα μίλησαν.", {"ΔΕΗ": TYPE.CONCEPT, "Αθήνα": TYPE.CONCEPT}),
    Language.TR: ("Bugün şirket İstanbul ve TEDAŞ ile görüştü.", {"İstanbul": TYPE.CONCEPT, "TEDAŞ": TYPE.CONCEPT}),
    Language.VI: ("Hôm nay công ty EVN gặp Nguyễn Văn An.", {"EVN": TYPE.CONCEPT, "Nguyễn Văn An": TYPE.CONCEPT}),
    Language.ZH: ("热泵很安静。热泵节能。使用热泵的家庭。DNA检测。", {"热泵": TYPE.CONCEPT}),
    Language.JA: ("太陽光発電は安い。太陽光発電は静か。太陽光発電を使う。", {}),
    Language.KO: ("열펌프는 조용하다. 열펌프가 좋다. 열펌프를 쓴다.", {"열펌프는": TYPE.CONCEPT}),
    Language.TH: ("พลังงานดี พลังงานสะอาด พลังงานใหม่", {"พลังงาน": TYPE.CONCEPT}),
    Language.HI: ("ऊर्जा अच्छी है। ऊर्जा सस्ती है। ऊर्जा चाहिए।", {"ऊर्जा": TYPE.CONCEPT}),
    Language.AR: ("الطاقة مهمة. الطاقة نظيفة. نحتاج الطاقة.", {"الطاقة": TYPE.CONCEPT}),
    Language.HE: ("האנרגיה חשובה. האנרגיה נקייה. צריך האנרגיה.", {"האנרגיה": TYPE.CONCEPT}),
}  # fmt: skip


@pytest.mark.parametrize("language", NAMED, ids=str)
def test_each_language_names_what_its_reader_sees(language: Language) -> None:
    text, expected = NAMED[language]
    names = found(language, text)
    assert names
    assert {name: names.get(name) for name in expected} == expected


def test_a_word_that_begins_a_sentence_is_a_name_only_where_the_document_has_it_inside_one() -> None:
    assert "Heating" not in found(Language.EN, "Heating is dear. Insulation comes first.")
    assert "Ofgem" not in found(Language.EN, "Ofgem raised prices.")
    assert "Ofgem" in found(Language.EN, "Ofgem raised prices.", "Many wrote to Ofgem then.")
    (first, _) = EXTRACT(passages(Language.EN, "Ofgem raised prices.", "Many wrote to Ofgem then."))
    assert [(e.name, e.count) for e in first] == [("Ofgem", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "It runs in January and on Monday.",
        "It uses 5 kWh and 3 MW.",
        "See part XIV of it.",
        "WE SHOUT ABOUT EVERYTHING",
    ],
)
def test_months_units_and_shouting_are_no_names(text: str) -> None:
    assert found(Language.EN, text) == {}


def test_german_nouns_are_no_names() -> None:
    assert found(Language.DE, "Die Pumpe im Keller braucht Strom.") == {}


def test_an_article_at_the_beginning_is_no_part_of_a_name() -> None:
    assert set(found(Language.EN, "The European Union decided.")) == {"European Union"}
    assert set(found(Language.FR, "L'authentification protège. L'Europe agit, et l'Europe paie.")) == {"Europe"}


def test_a_recurring_phrase_is_a_concept_in_its_plain_form_whatever_its_number() -> None:
    texts = ("Heat pumps are quiet. A heat pump is small.", "The heat pump defrosts; both heat pumps do.")
    first, second = EXTRACT(passages(Language.EN, *texts))
    assert first == second == (EntityMention("heat pump", "heat pump", TYPE.CONCEPT, 2),)


def test_a_phrase_over_a_preposition_is_one_in_romance_languages() -> None:
    texts = (
        "Un artisan pose une pompe à chaleur, qui chauffe la maison et consomme peu de courant électrique.",
        "Bien réglée par son installateur, la pompe à chaleur dure.",
    )
    assert "pompe à chaleur" in found(Language.FR, *texts)
    assert found(Language.EN, *(f"Here the pump and boiler heat number {n} of many old houses." for n in "ab")) == {}


def test_cases_of_an_inflected_name_are_one_entity() -> None:
    first, second = EXTRACT(
        passages(Language.DE, "So will die Europäische Union das.", "Die Länder der Europäischen Union.")
    )
    assert {e.key for e in first} == {e.key for e in second}
    assert {e.name for e in (*first, *second)} == {"Europäische Union"}


def test_a_marked_name_is_a_product() -> None:
    assert found(Language.EN, "The unit runs Thermostar™ software.") == {"Thermostar": TYPE.PRODUCT}


def test_a_passage_names_a_bounded_number_of_entities() -> None:
    text = " and ".join(f"Name{n}x" for n in range(100))
    (mentions,) = EXTRACT(passages(Language.EN, f"Here come {text}."))
    assert len(mentions) == MAX_MENTIONS


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=120), max_size=4), st.sampled_from(Language))
def test_any_text_gives_an_answer_of_the_right_shape(texts: list[str], language: Language) -> None:
    given_passages = passages(language, *texts)
    mentions = EXTRACT(given_passages)
    assert len(mentions) == len(texts)
    assert mentions == EXTRACT(given_passages)
    forms: dict[str, set[tuple[str, EntityType]]] = {}
    for of_passage in mentions:
        assert len({e.key for e in of_passage}) == len(of_passage) <= MAX_MENTIONS
        for e in of_passage:
            assert e.key
            assert 0 < len(e.name) <= MAX_ENTITY_NAME
            assert e.count >= 1
            forms.setdefault(e.key, set()).add((e.name, e.type))
    assert all(len(form) == 1 for form in forms.values())


WORDS = st.lists(st.sampled_from(["heat", "pump", "valve", "grid", "coil", "Borea"]), min_size=2, max_size=12)


@given(st.lists(WORDS, min_size=2, max_size=8), st.sampled_from([Language.EN, Language.ES, Language.ZH]))
def test_a_phrase_is_counted_in_each_passage_that_has_it(texts: list[list[str]], language: Language) -> None:
    others = ". ".join(f"zebra{chr(97 + n // 10)}{chr(97 + n % 10)}" for n in range(100))  # so that pairs are no chance
    given_passages = passages(language, *(" ".join(words) + "." for words in texts), others)
    for phrase in PhraseFinder(ANALYSIS, language)(given_passages):
        terms = tuple(phrase.key.split())
        counts = [
            list(zip(*(p.terms[n:] for n in range(len(terms))), strict=False)).count(terms) for p in given_passages
        ]
        assert phrase.counts == {place: count for place, count in enumerate(counts) if count}


def test_what_stands_within_a_name_or_a_longer_phrase_is_no_phrase_of_its_own() -> None:
    text = "The Nordic Heat Pump Council tests each heat pump. Every heat pump has a valve, and the heat pump a coil."
    names = found(Language.EN, text, "The Nordic Heat Pump Council says that a heat pump saves energy.")
    assert "Nordic Heat Pump Council" in names
    assert "heat pump" not in names


def graph(names: list[str], edges: list[tuple[int, int]], parts: list[int]) -> EntityGraph:
    entities = [KbEntity((name,), name, TYPE.CONCEPT, 9 - n % 9, 5, 2) for n, name in enumerate(names)]
    sizes = Counter(parts)
    return EntityGraph(
        tuple(GraphNode(entity, part) for entity, part in zip(entities, parts, strict=True)),
        tuple(GraphEdge(i, j, 0.5, 3, 0.5) for i, j in edges),
        tuple(Community(names[parts.index(part)], sizes[part]) for part in range(max(parts, default=-1) + 1)),
        100,
    )


def test_communities_are_what_hangs_together() -> None:
    edges = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.9), (3, 4, 0.9), (4, 5, 0.9), (3, 5, 0.8), (2, 3, 0.05)]
    assert TOOLS.communities(7, edges) == [0, 0, 0, 1, 1, 1, 2]
    assert TOOLS.communities(0, []) == []


SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_says_in_words_what_it_shows() -> None:
    made = graph(["heat pump", "COP", "熱ポンプ", "alone"], [(0, 1), (1, 2)], [0, 0, 0, 1])
    picture = TOOLS.picture(made, "Home energy")
    assert picture == TOOLS.picture(made, "Home energy")
    root = ET.fromstring(picture)
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == "Entities of Home energy"
    assert "Groups: heat pump." in (root.findtext(f"{SVG}desc") or "")
    assert {"heat pump", "COP", "熱ポンプ", "alone"} <= {text.text for text in root.iter(f"{SVG}text")}
    circles = [c for c in root.iter(f"{SVG}circle") if c.find(f"{SVG}title") is not None]
    assert len(circles) == 4
    assert circles[0].findtext(f"{SVG}title") == "heat pump (concept): 9 mentions in 2 documents"
    assert len(list(root.iter(f"{SVG}line"))) == 2


def test_a_picture_of_nothing_says_so() -> None:
    assert "names no entities yet" in TOOLS.picture(EntityGraph((), (), (), 0), "Empty")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5), st.text(max_size=30))
def test_a_picture_of_any_names_is_whole_and_holds_nothing_that_runs(names: list[str], title: str) -> None:
    hostile = ["</text><script>alert(1)</script>", '"><image href="https://evil.example/x.png"/>', "]]>&<!--"]
    every = [*hostile, *names]
    picture = TOOLS.picture(graph(every, [(0, 1)], [0] * len(every)), title)
    root = ET.fromstring(picture.encode("utf-8"))
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {"svg", "title", "desc", "style", "line", "circle", "text"}
    assert not [a for e in root.iter() for a in e.attrib if a.startswith("on") or "href" in a]


def test_a_picture_of_a_hundred_nodes_is_small_and_stays_within_its_frame() -> None:
    names = [f"A rather long name of an entity, number {n}" for n in range(100)]
    picture = TOOLS.picture(graph(names, [(n, n + 1) for n in range(0, 98, 2)], [0] * 100), "Large")
    assert len(picture) < 100_000
    for circle in ET.fromstring(picture).iter(f"{SVG}circle"):
        assert 0 <= float(circle.attrib["cx"]) <= 960
        assert 0 <= float(circle.attrib["cy"]) <= 680 + 200
