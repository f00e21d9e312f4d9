"""Topics that list things by name: each is judged by itself, has its part, or is said to have no source."""

from __future__ import annotations

import re

import pytest

from contentgen_core.model.article import Article
from contentgen_core.model.coverage import CoverageLevel, CoverageTooLow
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.articles.coverage_notice import NOTHING_ON, coverage_notice
from contentgen_core.policies.grounding.named_lists import named_list
from contentgen_core.ports.documents import SourceText
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.writing import write_article

HEATERS = {
    "Borea 7": "The Borea 7 heats 120 square metres with 6 kilowatts. Its warranty covers ten years for all parts."
    " The outdoor unit weighs 98 kilograms. The Borea 7 is quiet, with 45 decibels at one metre.",
    "Calor 300": "The Calor 300 heats 90 square metres with 4 kilowatts. The warranty of the compressor covers five"
    " years. The indoor unit fits below a staircase. The Calor 300 needs a service every second year.",
    "Ventus X2": "The Ventus X2 heats 200 square metres with 11 kilowatts. It is delivered in two parts of 70 kilograms"
    " each. The warranty covers seven years. The Ventus X2 can cool in summer as well.",
}
PUMPS = {
    Language.FR: {
        "Borea 7": "La Borea 7 chauffe 120 mètres carrés avec 6 kilowatts. Sa garantie couvre dix ans pour toutes les"
        " pièces. L’unité extérieure pèse 98 kilogrammes. La Borea 7 est silencieuse, avec 45 décibels à un mètre.",
        "Calor 300": "La Calor 300 chauffe 90 mètres carrés avec 4 kilowatts. La garantie du compresseur couvre cinq"
        " ans. L’unité intérieure tient sous un escalier. La Calor 300 demande un entretien tous les deux ans.",
        "Ventus X2": "La Ventus X2 chauffe 200 mètres carrés avec 11 kilowatts. Le montage dure deux jours entiers."
        " La garantie couvre sept ans en tout. La Ventus X2 peut aussi rafraîchir en été.",
    },
    Language.DE: {
        "Borea 7": "Die Borea 7 heizt 120 Quadratmeter mit 6 Kilowatt. Ihre Garantie gilt zehn Jahre für alle Teile."
        " Das Außengerät wiegt 98 Kilogramm. Die Borea 7 ist leise, mit 45 Dezibel in einem Meter Abstand.",
        "Calor 300": "Die Calor 300 heizt 90 Quadratmeter mit 4 Kilowatt. Die Garantie des Verdichters gilt fünf"
        " Jahre. Das Innengerät passt unter eine Treppe. Die Calor 300 braucht alle zwei Jahre eine Wartung.",
        "Ventus X2": "Die Ventus X2 heizt 200 Quadratmeter mit 11 Kilowatt. Der Einbau dauert zwei ganze Tage."
        " Die Garantie gilt sieben Jahre lang. Die Ventus X2 kann im Sommer auch kühlen.",
    },
    Language.ES: {
        "Borea 7": "La Borea 7 calienta 120 metros cuadrados con 6 kilovatios. Su garantía cubre diez años para todas"
        " las piezas. La unidad exterior pesa 98 kilogramos. La Borea 7 es silenciosa, con 45 decibelios a un metro.",
        "Calor 300": "La Calor 300 calienta 90 metros cuadrados con 4 kilovatios. La garantía del compresor cubre cinco"
        " años. La unidad interior cabe debajo de una escalera. La Calor 300 pide una revisión cada dos años.",
        "Ventus X2": "La Ventus X2 calienta 200 metros cuadrados con 11 kilovatios. El montaje dura dos días enteros."
        " La garantía cubre siete años en total. La Ventus X2 también puede enfriar en verano.",
    },
}
TRAMS = {
    "Saint-Denis": "The tram T1 in Saint-Denis runs every 6 minutes until midnight. A ticket in Saint-Denis costs 2.10"
    " euros. The stop at the basilica of Saint-Denis has a lift. Bicycles are not taken at rush hour.",
    "Le Havre": "The tram of Le Havre runs every 8 minutes on two lines. A ticket in Le Havre costs 1.80 euros. The"
    " beach of Le Havre is the last stop. Dogs travel free in a basket.",
}


async def written(
    topic: str, sources: dict[str, str], title: str = "{}", language: Language = Language.EN, *, low: bool = False
) -> Article:
    texts = [
        SourceText(f"n{n}", title.format(name), text, language=language)
        for n, (name, text) in enumerate(sources.items())
    ]
    async with in_memory() as services:
        return await write_article(
            services, topic, texts, language=language, length=ArticleLength.SHORT, allow_low_coverage=low
        )


def headings(article: Article) -> list[str]:
    return re.findall(r"^## (.*)$", article.content, flags=re.MULTILINE)


def check_parts(article: Article, names: list[str]) -> None:
    assert [name for h in headings(article) for name in names if name in h] == names, headings(article)
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.FULL
    assert len(article.sources) == len(names)


@pytest.mark.parametrize("title", ["{}", "The heater {}"])
@pytest.mark.parametrize(
    "topic",
    [
        "Borea 7, Calor 300 and Ventus X2",
        "Borea 7, Calor 300, Ventus X-2",
        "Borea 7 vs. Calor 300 vs. Ventus X2",
        "Heaters compared (Borea 7, Calor 300 or Ventus X2)",
        "borea 7, calor 300 or ventus x2",
    ],
)
async def test_each_of_three_numbered_products_gets_its_part(topic: str, title: str) -> None:
    check_parts(await written(topic, HEATERS, title), list(HEATERS))


@pytest.mark.parametrize(
    ("language", "topic"),
    [
        (Language.FR, "Les pompes à chaleur Borea 7, Calor 300 et Ventus X2"),
        (Language.FR, "Borea 7, Calor 300 ou Ventus X-2 ?"),
        (Language.DE, "Wärmepumpen im Vergleich: Borea 7, Calor 300 oder Ventus X2"),
        (Language.DE, "Borea 7, Calor 300 und Ventus X2"),
        (Language.ES, "Las bombas de calor Borea 7, Calor 300 y Ventus X2"),
        (Language.ES, "¿Borea 7, Calor 300 o Ventus X2?"),
    ],
)
async def test_products_get_their_parts_in_other_languages(language: Language, topic: str) -> None:
    check_parts(await written(topic, PUMPS[language], "{}", language), list(PUMPS[language]))


@pytest.mark.parametrize("topic", ["Saint-Denis and Le Havre", "Trams in Saint-Denis and in Le Havre"])
async def test_compound_names_of_places_are_whole(topic: str) -> None:
    check_parts(await written(topic, TRAMS), list(TRAMS))


async def test_a_thing_without_a_source_keeps_a_topic_from_being_covered() -> None:
    two = {name: HEATERS[name] for name in ("Borea 7", "Calor 300")}
    topic = "Borea 7, Calor 300 and Ventus X2"
    with pytest.raises(CoverageTooLow) as refused:
        await written(topic, two)
    assert refused.value.coverage.evidence.unsourced == ("Ventus X2",)
    article = await written(topic, two, low=True)
    assert article.coverage is not None
    assert article.coverage.level is CoverageLevel.LOW
    assert article.coverage.missing == ("Ventus X2",)
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.PARTIAL
    notice = coverage_notice(article)
    assert notice is not None
    assert notice.endswith("No source is on: Ventus X2.")


@pytest.mark.parametrize(
    "aside",
    [
        " It is cheaper than the Ventus X2.",
        " The dealer also sells the Ventus X2.",
        " Unlike the Ventus X2, it has a display. The Ventus X2 came later.",
    ],
)
async def test_a_mention_in_passing_is_no_source(aside: str) -> None:
    two = {"Borea 7": HEATERS["Borea 7"] + aside, "Calor 300": HEATERS["Calor 300"]}
    with pytest.raises(CoverageTooLow) as refused:
        await written("Borea 7, Calor 300 and Ventus X2", two)
    assert refused.value.coverage.evidence.unsourced == ("Ventus X2",)


async def test_a_thing_is_not_taken_for_another_of_its_series() -> None:
    two = {"Borea 7": HEATERS["Borea 7"], "Calor 500": HEATERS["Calor 300"].replace("300", "500")}
    with pytest.raises(CoverageTooLow) as refused:
        await written("Borea 7 and Calor 300", two)
    assert refused.value.coverage.evidence.unsourced == ("Calor 300",)


async def test_two_of_one_series_have_their_parts() -> None:
    plus = HEATERS["Borea 7"].replace("Borea 7", "Borea 7 Plus").replace("120", "180").replace("98", "112")
    article = await written("Borea 7 and Borea 7 Plus", {"Borea 7": HEATERS["Borea 7"], "Borea 7 Plus": plus})
    assert [h for h in headings(article) if "Borea" in h] == ["Borea 7", "Borea 7 Plus"]
    first, second = re.split(r"^## Borea 7 Plus$", article.content, flags=re.MULTILINE)
    assert "112 kilograms" not in first
    assert "98 kilograms" not in second


async def test_a_source_that_cannot_be_written_from_is_said_to_be_missing() -> None:
    texts = [
        SourceText(
            "f",
            "Les bus de nuit à Quimper",
            "À Quimper, le bus de nuit N4 passe toutes les 40 minutes. Le billet coûte 3 euros et se prend à bord. Les"
            " chiens voyagent gratuitement dans les bus de Quimper.",
            language=Language.FR,
        ),
        SourceText(
            "e",
            "Night buses in Thirsk",
            "In Thirsk the night bus 71 runs hourly from 22:30 to 02:30. A night ticket costs 4 pounds and is bought in"
            " the app. The buses of Thirsk take two wheelchairs each.",
            language=Language.EN,
        ),
    ]
    async with in_memory() as services:
        article = await write_article(
            services,
            "Night buses in Quimper and Thirsk",
            texts,
            length=ArticleLength.SHORT,
            allow_low_coverage=True,
        )
    assert article.coverage is not None
    assert article.coverage.level is CoverageLevel.LOW
    assert "Quimper" in article.coverage.missing
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.PARTIAL


@pytest.mark.parametrize(
    ("topic", "sources"),
    [
        (
            "Search and Rescue in Whitby",
            {
                "Search and Rescue in Whitby": "Search and Rescue in Whitby is done by 24 volunteers of the lifeboat"
                " station. A search at sea begins within ten minutes of the call. The rescue boat of Whitby carries six"
                " people. Search and Rescue in Whitby answered 85 calls in 2023.",
                "Rescue dogs of Whitby": "Two rescue dogs live at the station of Whitby. A dog finds a person below two"
                " metres of snow. Rescue in Whitby needs dogs twice a month.",
            },
        ),
        (
            "Marks and Spencer stores",
            {
                "Marks and Spencer stores": "Marks and Spencer has 405 stores for food. The stores of Marks and"
                " Spencer open at eight. Marks and Spencer closed 30 stores in 2023. A store sells 4,000 foods.",
                "Jobs in stores": "A store of Marks and Spencer employs 60 people. The stores pay 12 pounds an hour."
                " Marks and Spencer trains its staff in its own stores.",
            },
        ),
    ],
)
async def test_one_name_of_two_words_is_not_two_things(topic: str, sources: dict[str, str]) -> None:
    article = await written(topic, sources)
    assert article.coverage is not None
    assert article.coverage.level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
    assert article.coverage.missing == ()


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("Night buses in Quorn, Thirsk and Selby", ["Quorn", "Thirsk", "Selby"]),
        ("NIGHT BUSES IN QUORN AND THIRSK", ["quorn", "thirsk"]),
        ("Les bus de nuit à Quimper et à Morlaix", ["Quimper", "Morlaix"]),
        ("Die Borea 7 im Vergleich zur Calor 300", ["Borea 7", "Calor 300"]),
        ("Borea 7, 9 and 12", ["Borea 7", "Borea 9", "Borea 12"]),
        ("Quorn (Leicestershire) and Thirsk (Yorkshire)", ["Quorn", "Thirsk"]),
        ("Buses in Newcastle upon Tyne and Berwick upon Tweed", ["Newcastle upon Tyne", "Berwick upon Tweed"]),
        ("Aix-en-Provence, Villeneuve-d'Ascq et L'Haÿ-les-Roses", None),
        ("Peugeot e-208 et Renault R5", ["Peugeot e-208", "Renault R5"]),
        ("Quorn – Thirsk – Selby", ["Quorn", "Thirsk", "Selby"]),
        ("Heaters – Borea 7 / Calor 300", ["Borea 7", "Calor 300"]),
        ("St. Ives and Penzance", ["St. Ives", "Penzance"]),
        ("Night buses on Fridays and Saturdays in Quorn", []),
        ("Research and development", []),
        ("Borea 7 and how it heats", []),
        ("Between 1914 and 1918 in France", []),
    ],
)
def test_lists_are_read_from_topics(topic: str, names: list[str] | None) -> None:
    found = named_list(topic)
    written = [] if found is None else [name.text for name in found.names]
    assert written == (topic.replace(" et ", ", ").split(", ") if names is None else names)


def test_each_language_says_that_nothing_is_on_a_thing() -> None:
    assert set(NOTHING_ON) == set(Language)
    assert all("{names}" in text for text in NOTHING_ON.values())
